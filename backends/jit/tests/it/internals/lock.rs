//! The lock of the engine.

use ivy_backend_jit::internals::Lock;

#[test]
fn one_thread_at_a_time() {
    let lock = Lock::<u64>::default();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..10_000).for_each(|_| *lock.take() += 1));
        }
    });
    assert_eq!(*lock.take(), 40_000);
}
