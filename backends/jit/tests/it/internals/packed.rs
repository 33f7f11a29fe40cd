//! Loops whose elements are put together.

use ivy_backend_jit::codegen::llvm::{Style, module};
use ivy_backend_jit::internals::packing;
use ivy_backend_jit::ir::*;
use ivy_backend_jit::ir::{Builder, Param};

/// Adds an input to another one until that is no longer less than a third; what is added is read before
/// the loop or in it.
fn kernel(limit: Access, inside: bool, fold: Access) -> Kernel {
    let param = |access| Param { ty: Type::I32, parts: 1, access };
    let mut b = Builder::new(vec![param(Access::Linear), param(Access::Linear), param(limit), param(fold)]);
    let x = b.constant(Type::I32, 0);
    let more = if inside { x } else { b.load(1, 0) };
    let limit = b.load(2, 0);
    let (looping, carried) = b.open_loop(&[x]);
    let less = b.binary(Code::Lt, carried[0], limit);
    b.while_true(less);
    let more = if inside { b.load(1, 0) } else { more };
    let sum = b.binary(Code::Add, carried[0], more);
    let sum = b.close_loop(looping, &[sum])[0];
    let last = b.load(0, 0);
    let sum = b.binary(Code::Add, sum, last);
    b.store(3, &[sum]);
    b.finish()
}

#[test]
fn what_is_put_together() {
    let linear = Access::Linear;
    let packs = |kernel: &Kernel, style| module(kernel, style, "f").contains("%queued");
    for result in [Access::Out, Access::Stream] {
        let kernel = kernel(linear, false, result);
        assert!(packs(&kernel, Style::FAST));
        for style in [Style { packed: false, ..Style::FAST }, Style { short: true, ..Style::FAST }] {
            assert!(!packs(&kernel, style));
        }
        let Some((types, late)) = packing(&kernel) else { panic!("{kernel}") };
        // The sum, what is added, the limit and what is added last, and where the lane stands.
        assert_eq!(types, [[Type::I32; 4].as_slice(), &[Type::I64; 2]].concat());
        assert_eq!(late, 3, "a result, a sum and a store");
    }
    // What is read where the walk leads to; and what is folded in the order of the elements.
    assert!(!packs(&kernel(linear, true, Access::Out), Style::FAST));
    let along = Access::Along(ivy_backend_jit::ir::Join::Add);
    assert!(!packs(&kernel(linear, false, along), Style::FAST));
}

#[test]
fn lanes_that_end_together_are_not() {
    let param = |access| Param { ty: Type::I32, parts: 1, access };
    let mut b = Builder::new(vec![param(Access::Linear), param(Access::Uniform), param(Access::Out)]);
    let (x, limit, one) = (b.load(0, 0), b.load(1, 0), b.constant(Type::I32, 1));
    let zero = b.constant(Type::I32, 0);
    let (looping, carried) = b.open_loop(&[zero, x]);
    let less = b.binary(Code::Lt, carried[0], limit);
    b.while_true(less);
    let count = b.binary(Code::Add, carried[0], one);
    let sum = b.binary(Code::Add, carried[1], carried[0]);
    let given = b.close_loop(looping, &[count, sum]);
    b.store(2, &[given[1]]);
    assert!(packing(&b.finish()).is_none());
}
