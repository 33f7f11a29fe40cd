//! Between ivy arrays and `tch` tensors, without a copy.

use crate::error::{Fail, Message, failed, not_stored};
use crate::memory::{import_tensor, share, tensor_of, value_of};
use crate::stored::{dtype_of, kind};
use crate::{TorchBackend, VERSION, raw, start};
use ivy_core::backend::{BackendRef, backend};
use ivy_core::{Array, Dtype, ErrorKind, Result, Shape};
use tch::{Device, Tensor};

/// A tensor as an array of the torch backend of its device. The elements are shared, not copied,
/// and stay out of any gradient graph; those of a tensor that takes gradients, which is there to
/// be written, are copied. A lazily conjugated or negated tensor is computed.
///
/// Sharing means that in-place functions of `tch` (`fill_`, `copy_`, ...), called on the tensor
/// or on a view of it later, would show in the array: give a `tensor.copy()` to keep both apart.
///
/// ```
/// use ivy_backend_torch::{from_torch, tch};
/// let array = from_torch(tch::Tensor::from_slice(&[1f32, 2.0]))?;
/// assert_eq!((array.dtype(), array.shape().to_string()), (ivy_core::dtypes::float32, "(2,)".into()));
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::UnknownDtype`] for element types that ivy does not have (complex32, quantized,
/// 8-bit floats), [`ErrorKind::InvalidArgument`] for a tensor that is undefined or not dense,
/// [`ErrorKind::BackendUnavailable`] for a device other than the processor or a CUDA GPU.
pub fn from_torch(tensor: Tensor) -> Result<Array> {
    let refused = |value: &str| {
        ErrorKind::InvalidArgument {
            function: "from_torch",
            argument: "tensor",
            value: value.into(),
            rule: "the tensor is defined and dense",
        }
        .into()
    };
    if !tensor.defined() {
        return Err(refused("an undefined tensor"));
    }
    if tensor.is_sparse() || tensor.is_mkldnn() {
        return Err(refused("a tensor of another layout"));
    }
    let kind = raw::kind_of(&tensor).map_err(|e| failed("from_torch", &[], e))?;
    let dtype = dtype_of(kind).ok_or_else(|| {
        let name = tensor.f_kind().map_or_else(|_| format!("ScalarType {kind}"), |k| format!("{k:?}"));
        ErrorKind::UnknownDtype { name, hint: None, backend: None }
    })?;
    let instance = match raw::device_of(&tensor) {
        Some(Device::Cpu) => shared("torch")?,
        Some(Device::Cuda(index)) => shared(&format!("torch:cuda:{index}"))?,
        _ => {
            return Err(ErrorKind::BackendUnavailable {
                name: "torch".into(),
                reason: "the tensor is on a device that is neither the processor nor a CUDA GPU".into(),
                remedy: "Move it with `tensor.to_device(tch::Device::Cpu)` first".into(),
            }
            .into());
        }
    };
    let tensor = plain(tensor, dtype).map_err(|e| e.into_error("from_torch", &[dtype]))?;
    let shape: Shape = raw::dims(&tensor).iter().map(|&n| n as usize).collect();
    Ok(Array::from_value(instance, value_of(dtype, shape, tensor, true)))
}

/// The tensor without gradients and lazy signs, aligned, and with bools of 0 and 1 only.
fn plain(tensor: Tensor, dtype: Dtype) -> Result<Tensor, Fail> {
    let kept = tensor.f_detach()?.f_resolve_conj()?.f_resolve_neg()?;
    let address = raw::address(&kept)? as usize;
    let part = if dtype.is_complex() { dtype.bytes() / 2 } else { dtype.bytes() };
    if tensor.requires_grad() || !address.is_multiple_of(part) {
        let number = raw::kind_of(&kept)?;
        return Ok(raw::converted(&kept, number, true)?);
    }
    if dtype.is_bool() && !raw::dims(&kept).contains(&0) {
        let bytes = kept.f_view_dtype(tch::Kind::Uint8)?;
        if bytes.f_max()?.f_int64_value(&[])? > 1 {
            let none = bytes.f_zeros_like()?;
            return Ok(bytes.f_ne_tensor(&none)?);
        }
    }
    Ok(kept)
}

/// An array's elements as a `tch` tensor of the same dtype. Arrays of a torch backend are not
/// copied; others come through host memory.
///
/// uint16, uint32 and uint64 come as libtorch's own, which `tch` has no name for: functions of
/// `tch` that ask for the [`tch::Kind`] fail or panic on them.
///
/// The tensor may share its memory with the array: it is to be read only. Write to a
/// `tensor.copy()` instead.
///
/// ```
/// use ivy_backend_torch::{from_torch, tch, to_torch};
/// let tensor = to_torch(&from_torch(tch::Tensor::from_slice(&[1i64, 2]))?)?;
/// assert_eq!(Vec::<i64>::try_from(tensor).unwrap(), [1, 2]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::DtypeNotStored`] for a dtype beyond the fifteen, [`ErrorKind::BackendUnavailable`]
/// without libtorch, and what [`ivy_core::backend::Backend::to_host`] of the array's backend gives.
pub fn to_torch(array: &Array) -> Result<Tensor> {
    let function = "to_torch";
    let dtype = array.dtype();
    let fail = |message: Message| failed(function, &[dtype], message);
    if array.backend().as_any().is::<TorchBackend>() {
        share(array.value());
        return raw::same(tensor_of(function, array.value())?).map_err(fail);
    }
    let kind = kind(dtype).ok_or_else(|| not_stored(function, dtype))?;
    start::opened()?;
    let host = array.backend().to_host(array.value())?;
    import_tensor(&host, kind, Device::Cpu).map_err(|e| e.into_error(function, &[dtype]))
}

/// The instance that programs share.
fn shared(name: &str) -> Result<BackendRef> {
    let found = backend(name)?;
    // Another crate may have taken the name.
    if found.as_any().is::<TorchBackend>() {
        return Ok(found);
    }
    Err(ErrorKind::BackendUnavailable {
        name: name.into(),
        reason: format!("another backend is registered under the name, version {}", found.version()),
        remedy: format!("Register `ivy_backend_torch::FACTORY` ({VERSION}) again"),
    }
    .into())
}
