//! What may differ between the elements of a row.

use ivy_backend_jit::ir::*;
use ivy_backend_jit::ir::{Access, Builder, Param, Type};

/// Counts up from one number to another; either may be the same for all elements.
fn counting(from: Access, to: Access) -> (Kernel, Id) {
    let param = |access| Param { ty: Type::I32, parts: 1, access };
    let mut b = Builder::new(vec![param(from), param(to), param(Access::Out)]);
    let (x, y) = (b.load(0, 0), b.load(1, 0));
    let (looping, carried) = b.open_loop(&[x]);
    let less = b.binary(Code::Lt, carried[0], y);
    b.while_true(less);
    let one = b.constant(Type::I32, 1);
    let sum = b.binary(Code::Add, carried[0], one);
    let sum = b.close_loop(looping, &[sum])[0];
    b.store(2, &[sum]);
    (b.finish(), less)
}

#[test]
fn ends_vary_with_what_they_are_made_of() {
    let ways = [
        (Access::Uniform, Access::Uniform, false),
        (Access::Uniform, Access::Linear, true),
        (Access::Linear, Access::Uniform, true),
    ];
    for (from, to, want) in ways {
        let (kernel, less) = counting(from, to);
        assert_eq!(varying(&kernel)[less.0 as usize], want, "{kernel}");
    }
}
