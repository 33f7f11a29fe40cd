//! What kernels with effects cost.

use ivy_backend_jit::internals::ATOMIC;
use ivy_backend_jit::ir::*;
use ivy_backend_jit::ir::{Param, Steps};

/// A loop of so many iterations around one statement of memory, with a bound that may be a parameter.
fn kernel(trips: Option<u64>) -> Kernel {
    let param = |ty, access| Param { ty, parts: 1, access };
    let params = vec![
        param(Type::I64, Access::Counter(Steps::One)),
        param(Type::I64, Access::Memory),
        param(Type::I64, Access::Uniform),
    ];
    let mut b = Builder::with_effects(params, Effects::FREE);
    let (element, memory, given) = (b.load(0, 0), b.memory(1), b.load(2, 0));
    let zero = b.constant(Type::I64, 0);
    let end = trips.map_or(given, |trips| b.constant(Type::I64, trips));
    let (open, carried) = b.open_loop(&[zero]);
    let less = b.binary(Code::Lt, carried[0], end);
    b.while_true(less);
    b.store_at(memory, element, carried[0]);
    let one = b.constant(Type::I64, 1);
    let next = b.binary(Code::Add, carried[0], one);
    b.close_loop(open, &[next]);
    b.finish()
}

#[test]
fn loops_count_as_often_as_they_go_round() {
    let [short, long, unknown] = [Some(2), Some(1000), None].map(|trips| kernel(trips).work());
    let each = (long - short) / 998;
    assert!((4..8).contains(&each), "{each} statements an iteration");
    assert_eq!(unknown, short + 14 * each);
    assert_eq!(kernel(Some(1 << 40)).work() - short, each * ((1 << 16) - 2));
}

#[test]
fn atomics_cost_more() {
    let mut b =
        Builder::with_effects(vec![Param { ty: Type::F32, parts: 1, access: Access::Memory }], Effects::FREE);
    let (memory, zero) = (b.memory(0), b.constant(Type::I64, 0));
    let one = b.constant(Type::F32, u64::from(1f32.to_bits()));
    b.atomic(Code::AtomicAdd, memory, zero, one);
    let kernel = b.finish();
    assert_eq!(kernel.work(), ATOMIC, "{kernel}");
}
