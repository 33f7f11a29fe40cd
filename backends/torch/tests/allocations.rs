//! How many allocations a call costs, libtorch's own in C++ included: as many as `tch`'s own
//! call, and one for the value.
#![cfg(all(feature = "libtorch", target_env = "gnu"))]

use ivy_backend_torch::{TorchBackend, tch};
use ivy_core::backend::Backend;
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Op};
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::hint::black_box;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

unsafe extern "C" {
    fn __libc_malloc(size: usize) -> *mut c_void;
    fn __libc_memalign(align: usize, size: usize) -> *mut c_void;
}

/// In place of the C library's: a program's own function comes first, for all its libraries.
#[unsafe(no_mangle)]
extern "C" fn malloc(size: usize) -> *mut c_void {
    COUNT.with(|c| c.set(c.get() + 1));
    // SAFETY: what the C library's own function does.
    unsafe { __libc_malloc(size) }
}

/// Likewise; libtorch's elements come from here.
#[unsafe(no_mangle)]
extern "C" fn posix_memalign(out: *mut *mut c_void, align: usize, size: usize) -> c_int {
    COUNT.with(|c| c.set(c.get() + 1));
    // SAFETY: what the C library's own function does, with its caller's pointer to write to.
    unsafe {
        out.write(__libc_memalign(align, size));
        if (*out).is_null() { 12 } else { 0 }
    }
}

fn allocations<T>(call: impl Fn() -> T) -> usize {
    black_box(call());
    let before = COUNT.with(Cell::get);
    black_box(call());
    COUNT.with(Cell::get) - before
}

#[test]
fn an_addition_allocates_once_more_than_tch() {
    let backend = TorchBackend::new().unwrap();
    let add = Op::Binary(BinaryOp::Add);
    for n in [1, 1000] {
        let tensor = tch::Tensor::f_from_slice(&vec![1f32; n]).unwrap();
        let own = allocations(|| tensor.f_add(&tensor).unwrap());
        let x = backend.from_host(HostArray::from_vec(vec![1f32; n], [n].into()).unwrap()).unwrap();
        let ours = allocations(|| backend.execute_one(&add, &[&x, &x]).unwrap());
        assert!(own >= 3, "the handle, the tensor and its elements, but {own} were seen");
        assert_eq!(ours, own + 1);
    }
}
