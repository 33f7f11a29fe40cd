//! How many allocations a call costs: candle's own, and no more.

use ivy_backend_candle::{CandleBackend, candle_core};
use ivy_core::backend::Backend;
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Op};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations<T>(call: impl Fn() -> T) -> usize {
    black_box(call());
    let before = COUNT.with(Cell::get);
    black_box(call());
    COUNT.with(Cell::get) - before
}

#[test]
fn an_addition_allocates_what_candle_does() {
    let backend = CandleBackend::new();
    let tensor = candle_core::Tensor::new(&[1f32], &candle_core::Device::Cpu).unwrap();
    let own = allocations(|| tensor.add(&tensor).unwrap());
    let x = backend.from_host(HostArray::from_vec(vec![1f32], [1].into()).unwrap()).unwrap();
    let add = Op::Binary(BinaryOp::Add);
    let ours = allocations(|| backend.execute_one(&add, &[&x, &x]).unwrap());
    assert!(own > 0);
    assert_eq!(ours, own);
}
