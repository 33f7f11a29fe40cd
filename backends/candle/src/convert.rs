//! Between ivy arrays and candle tensors, without a copy where candle has the dtype.

use crate::error::{failed, not_stored};
use crate::memory::{import, tensor_of, value_of};
use crate::stored::native_of;
use crate::{CandleBackend, VERSION};
use candle_core::{Device, Tensor};
use ivy_core::backend::{BackendRef, backend};
use ivy_core::{Array, ErrorKind, Result, Shape};

/// A tensor as an array of the shared candle backend, in the dtype of the same meaning (`U8` is
/// uint8, not bool). The elements are shared, not copied, and stay out of any gradient graph;
/// those of a variable, which is there to be written, are copied.
///
/// Sharing means that candle's in-place functions (`slice_set`, `zero_set`, ...), called on the
/// tensor later, would show in the array: give a `tensor.copy()?` to keep both apart.
///
/// ```
/// use candle_core::{Device, Tensor};
/// use ivy_backend_candle::{candle_core, from_candle};
/// let array = from_candle(Tensor::new(&[1f32, 2.0], &Device::Cpu)?)?;
/// assert_eq!((array.dtype(), array.shape().to_string()), (ivy_core::dtypes::float32, "(2,)".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ErrorKind::UnknownDtype`] for candle's dtypes that ivy does not have (`F8E4M3` and the
/// smaller floats), [`ErrorKind::BackendUnavailable`] for a tensor that is not in host memory.
pub fn from_candle(tensor: Tensor) -> Result<Array> {
    let dtype = native_of(tensor.dtype()).ok_or_else(|| ErrorKind::UnknownDtype {
        name: tensor.dtype().as_str().into(),
        hint: None,
        backend: None,
    })?;
    if !matches!(tensor.device(), Device::Cpu) {
        return Err(ErrorKind::BackendUnavailable {
            name: "candle".into(),
            reason: format!("the tensor is on {:?}, and this build computes in host memory", tensor.device()),
            remedy: "Move it with `tensor.to_device(&Device::Cpu)?` first".into(),
        }
        .into());
    }
    let tensor = match tensor.is_variable() {
        true => tensor.copy().map_err(|e| failed("from_candle", &[dtype], e))?.detach(),
        false => tensor.detach(),
    };
    let shape = Shape::from(tensor.dims());
    Ok(Array::from_value(shared()?, value_of(dtype, shape, tensor)))
}

/// An array's elements as a candle tensor. Arrays of a candle backend are not copied; others
/// come through host memory.
///
/// Dtypes that candle has come as themselves. The others come as they are stored: bool as `U8`
/// with 0 and 1, int8 as `I16`, uint16 as `U32`, uint64 as the `I64` of the same bits, complex64
/// and complex128 as `F32` and `F64` with a last axis of two, real and imaginary part.
///
/// The tensor may share its memory with the array: it is to be read only. Write to a
/// `tensor.copy()?` instead.
///
/// ```
/// use ivy_backend_candle::{candle_core, from_candle, to_candle};
/// let tensor = candle_core::Tensor::new(&[1i64, 2], &candle_core::Device::Cpu)?;
/// assert_eq!(to_candle(&from_candle(tensor)?)?.to_vec1::<i64>()?, [1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ErrorKind::DtypeNotStored`] for a dtype beyond the fifteen, and what
/// [`ivy_core::backend::Backend::to_host`] of the array's backend gives.
pub fn to_candle(array: &Array) -> Result<Tensor> {
    let function = "to_candle";
    if array.backend().as_any().is::<CandleBackend>() {
        return tensor_of(function, array.value()).cloned();
    }
    if crate::stored::stored(array.dtype()).is_none() {
        return Err(not_stored(function, array.dtype()));
    }
    let host = array.backend().to_host(array.value())?;
    let value = import(function, &host, &Device::Cpu)?;
    tensor_of(function, &value).cloned()
}

/// The instance that programs share.
fn shared() -> Result<BackendRef> {
    let found = backend("candle")?;
    // Another crate may have taken the name.
    if found.as_any().is::<CandleBackend>() {
        return Ok(found);
    }
    Err(ErrorKind::BackendUnavailable {
        name: "candle".into(),
        reason: format!("another backend is registered under the name, version {}", found.version()),
        remedy: format!("Register `ivy_backend_candle::FACTORY` ({VERSION}) again"),
    }
    .into())
}
