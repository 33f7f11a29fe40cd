//! Operands with edge values, and comparison of host arrays by bits.
#![allow(dead_code)]

pub use super::device;

use ivy_backend_jit::JitBackend;
use ivy_backend_jit::cache::Generator;
use ivy_backend_jit::codegen::llvm;
use ivy_backend_jit::engine::Settings;
use ivy_backend_jit::runtime::cuda::Kept;
use ivy_backend_suite::{Near, difference};
use ivy_core::backend::{Backend, Value};
use ivy_core::host::HostArray;
use ivy_core::{Dims, Op};
use std::sync::Arc;

/// The same elements in another order in memory: the first axis runs fastest, backwards.
pub fn transposed(array: &HostArray) -> HostArray {
    let mut strides = Dims::<isize>::from_elem(0, array.shape().len());
    let mut step = -1;
    for (stride, &length) in strides.iter_mut().zip(array.shape().iter()) {
        *stride = step;
        step *= length as isize;
    }
    let size = array.shape().size();
    let width = array.dtype().bytes();
    let mut bytes = vec![0; size * width];
    let all = array.view().contiguous_bytes().unwrap();
    let mut at = 0;
    ivy_core::host::for_each_offset(array.shape(), &strides, |o| {
        let to = (size as isize - 1 + o) as usize * width;
        bytes[to..to + width].copy_from_slice(&all[at * width..][..width]);
        at += 1;
    });
    let buffer = ivy_core::host::Buffer::copy_from(&bytes).unwrap();
    let shape = array.shape().clone();
    HostArray::from_parts(buffer, array.dtype(), shape, strides, size.saturating_sub(1)).unwrap()
}

/// The libLLVM of the tests; a machine that is there for its device may have none.
pub fn processor() -> Option<&'static llvm::Llvm> {
    match llvm::llvm() {
        Ok(found) => Some(found),
        Err(_) if device::is_real() => None,
        Err(missing) => panic!("these tests need a libLLVM: {missing}"),
    }
}

/// A backend for each generator; PTX runs on the device of tests.
pub fn backends() -> Vec<(&'static str, JitBackend)> {
    let on_device = JitBackend::on_device(Arc::new(Kept::new(device::device())));
    let mut list = vec![("interp", JitBackend::new(Generator::Interp)), ("cuda", on_device)];
    list.extend(processor().map(|found| ("llvm", JitBackend::new(Generator::Llvm(found)))));
    list
}

/// Likewise, without the copies of what is small: that is padded and joined in kernels, too.
pub fn fusing() -> Vec<(&'static str, JitBackend)> {
    let list = backends();
    list.iter().for_each(|(_, b)| {
        b.engine().set_settings(Settings { small: false, ..Settings::default() });
    });
    list
}

/// What the reference kernels give.
pub fn reference(op: &Op, operands: &[&HostArray]) -> Vec<HostArray> {
    ivy_backend_suite::reference(op, operands).unwrap()
}

/// Runs one op.
pub fn run(backend: &JitBackend, op: &Op, operands: &[&HostArray]) -> HostArray {
    let values: Vec<Value> = operands.iter().map(|&a| backend.from_host(a.clone()).unwrap()).collect();
    let values: Vec<&Value> = values.iter().collect();
    let result = backend.execute(op, &values).unwrap().remove(0);
    backend.to_host(&result).unwrap()
}

/// Panics where two arrays differ in a bit that is not NaN's.
#[track_caller]
pub fn same(got: &HostArray, want: &HostArray, what: &dyn Fn() -> String) {
    compare(got, want, Near::Same, what);
}

/// Panics where two arrays of floats differ by more than four units in the last place, in the
/// sign of a zero, or in what is no number.
#[track_caller]
pub fn near(got: &HostArray, want: &HostArray, what: &dyn Fn() -> String) {
    let bound = if want.dtype().is_complex() { Near::Norm(4.0) } else { Near::Ulp(4) };
    compare(got, want, bound, what);
}

#[track_caller]
fn compare(got: &HostArray, want: &HostArray, near: Near, what: &dyn Fn() -> String) {
    if let Some(difference) = difference(got, want, near) {
        panic!("{}: {difference}", what());
    }
}
