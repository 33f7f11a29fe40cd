//! Between libtorch's memory and host arrays.

use crate::error::{Fail, Message, failed, foreign, not_stored};
use crate::raw::{self, Handle};
use crate::stored::kind;
use ivy_core::backend::{Data, Value};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dims, Dtype, Result, Shape};
use smallvec::SmallVec;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tch::{Device, Tensor};

/// The elements of one array; a value's handle is an `Arc` of it.
pub(crate) struct TensorData {
    pub(crate) tensor: Handle,
    /// Set once another tensor may have the same memory: it is not written from then on.
    shared: AtomicBool,
}

impl TensorData {
    /// The tensor, if no other one has its memory.
    pub(crate) fn alone(&self) -> Option<&Tensor> {
        (!self.shared.load(Ordering::Relaxed)).then_some(&*self.tensor)
    }
}

/// The data of a value.
pub(crate) fn data_of<'a>(function: &'static str, value: &'a Value) -> Result<&'a TensorData> {
    value.data::<Arc<TensorData>>().map(|data| &**data).ok_or_else(|| foreign(function, value))
}

/// The tensor of a value.
pub(crate) fn tensor_of<'a>(function: &'static str, value: &'a Value) -> Result<&'a Tensor> {
    data_of(function, value).map(|data| &*data.tensor)
}

/// Notes that the memory of a value may now be that of other tensors, too.
pub(crate) fn share(value: &Value) {
    if let Some(data) = value.data::<Arc<TensorData>>() {
        data.shared.store(true, Ordering::Relaxed);
    }
}

/// A value over a tensor of the dtype's kind.
pub(crate) fn value_of(dtype: Dtype, shape: Shape, tensor: Tensor, shared: bool) -> Value {
    let data = TensorData { tensor: Handle::new(tensor), shared: AtomicBool::new(shared) };
    Value { dtype, shape, data: Data::new(Arc::new(data)) }
}

/// A shape as libtorch counts.
pub(crate) fn signed_dims(shape: &[usize]) -> Dims<i64> {
    shape.iter().map(|&n| n as i64).collect()
}

/// The elements of a host array as a tensor: one pass, into libtorch's memory.
pub(crate) fn import_tensor(array: &HostArray, kind: i32, device: Device) -> Result<Tensor, Fail> {
    let (dims, width) = (signed_dims(array.shape()), array.dtype().bytes());
    let dense;
    let bytes = match array.view().contiguous_bytes() {
        Some(bytes) => bytes,
        None => {
            dense = ivy_kernels::to_contiguous(array.view())?;
            dense.view().contiguous_bytes().unwrap_or_default()
        }
    };
    let tensor = raw::from_bytes(bytes, &dims, kind, width)?;
    Ok(if device == Device::Cpu { tensor } else { tensor.f_to(device)? })
}

/// A host array as a value.
pub(crate) fn import(function: &'static str, array: &HostArray, device: Device) -> Result<Value> {
    let dtype = array.dtype();
    let kind = kind(dtype).ok_or_else(|| not_stored(function, dtype))?;
    let tensor = import_tensor(array, kind, device).map_err(|e| e.into_error(function, &[dtype]))?;
    Ok(value_of(dtype, array.shape().clone(), tensor, false))
}

/// A value as a host array with memory of its own: what is done to the tensor in place later is
/// not seen there.
pub(crate) fn export(function: &'static str, value: &Value) -> Result<HostArray> {
    with_views(function, &[value], |views| ivy_kernels::to_contiguous(views[0]))
}

/// Calls `run` with the operands' elements where libtorch keeps them, without a copy where that
/// is host memory.
pub(crate) fn with_views<R>(
    function: &'static str,
    operands: &[&Value],
    run: impl FnOnce(&[HostView<'_>]) -> Result<R>,
) -> Result<R> {
    let mut on_host: SmallVec<[Option<Tensor>; 3]> = SmallVec::new();
    let mut strides: SmallVec<[Dims<isize>; 3]> = SmallVec::new();
    for value in operands {
        let tensor = tensor_of(function, value)?;
        let moved = match raw::device_of(tensor) {
            Some(Device::Cpu) => None,
            _ => Some(tensor.f_to(Device::Cpu).map_err(|e| failed(function, &[value.dtype], e.into()))?),
        };
        let steps = raw::strides(moved.as_ref().unwrap_or(tensor));
        strides.push(steps.iter().map(|&s| s as isize).collect());
        on_host.push(moved);
    }
    let mut views: SmallVec<[HostView<'_>; 3]> = SmallVec::new();
    for (i, value) in operands.iter().enumerate() {
        let tensor = match &on_host[i] {
            Some(moved) => moved,
            None => tensor_of(function, value)?,
        };
        let fail = |message: Message| failed(function, &[value.dtype], message);
        let bytes = raw::bytes(tensor, value.dtype.bytes()).map_err(fail)?;
        let view = HostView::new(bytes, value.dtype, &value.shape, &strides[i], 0);
        views.push(view.ok_or_else(|| foreign(function, value))?);
    }
    run(&views)
}
