//! Between candle's memory and host arrays.

use crate::bytes;
use crate::error::{Fail, failed, foreign, not_stored};
use crate::stored::{Form, Stored, stored};
use candle_core::{CpuStorage, Device, Storage, StorageRef, Tensor};
use half::{bf16, f16};
use ivy_core::backend::{Data, Value};
use ivy_core::host::{Element, HostArray, HostView, scratch};
use ivy_core::{Dims, Dtype, Error, Result, Shape};
use num_complex::{Complex32, Complex64};
use smallvec::SmallVec;

/// The shape of the tensor that keeps an array: complex has one more axis.
pub(crate) fn stored_shape(shape: &[usize], form: Form) -> Dims {
    let mut dims = Dims::from_slice(shape);
    if form == Form::Pair {
        dims.push(2);
    }
    dims
}

/// The tensor of a value.
pub(crate) fn tensor_of<'a>(function: &'static str, value: &'a Value) -> Result<&'a Tensor> {
    value.data().ok_or_else(|| foreign(function, value))
}

/// A value over a tensor that keeps `dtype` in its stored form.
pub(crate) fn value_of(dtype: Dtype, shape: Shape, tensor: Tensor) -> Value {
    Value { dtype, shape, data: Data::new(tensor) }
}

/// Asks for as much memory as some arrays have, twice, and eight bytes more for each element: candle stores
/// some dtypes in wider ones, computes in wider ones still, copies what is strided, sorts numbers of
/// elements, and ends the process where it gets no memory.
///
/// # Errors
/// No memory.
pub(crate) fn room<'a>(
    function: &'static str,
    arrays: impl IntoIterator<Item = (Dtype, &'a Shape)>,
) -> Result<()> {
    let bytes = |(dtype, shape): (Dtype, &Shape)| {
        shape.iter().fold(2 * dtype.bytes() as u128 + 8, |all, &len| all.saturating_mul(len as u128))
    };
    let all = arrays.into_iter().map(bytes).fold(0, u128::saturating_add);
    scratch::probe(all).map_err(|refused| refused.by(function))
}

/// A host array as a value: one pass over the elements, into memory of candle's.
pub(crate) fn import(function: &'static str, array: &HostArray, device: &Device) -> Result<Value> {
    let dtype = array.dtype();
    let kept = stored(dtype).ok_or_else(|| not_stored(function, dtype))?;
    let dims = stored_shape(array.shape(), kept.form);
    let tensor = scratch::guard(function, || import_tensor(array, &dims, device))?;
    let tensor = tensor.map_err(|e| e.into_error(function, &[dtype]))?;
    Ok(value_of(dtype, array.shape().clone(), tensor))
}

/// The elements, each converted.
fn mapped<T: Element, U>(array: &HostArray, convert: impl Fn(T) -> U) -> Result<Vec<U>> {
    Ok(match array.as_slice::<T>()? {
        Some(slice) => scratch::collected(slice.iter().map(|&x| convert(x))),
        None => scratch::collected(array.to_vec::<T>()?.into_iter().map(convert)),
    })
}

fn import_tensor(array: &HostArray, dims: &[usize], device: &Device) -> Result<Tensor, Fail> {
    macro_rules! tensor {
        ($values:expr) => {
            Tensor::from_vec($values, dims, device)?
        };
    }
    Ok(match array.dtype() {
        Dtype::BOOL => match array.view().contiguous_bytes() {
            Some(bytes) => tensor!(scratch::collected(bytes.iter().copied())),
            None => tensor!(mapped(array, |x: bool| u8::from(x))?),
        },
        Dtype::INT8 => tensor!(mapped(array, |x: i8| i16::from(x))?),
        Dtype::INT16 => tensor!(array.to_vec::<i16>()?),
        Dtype::INT32 => tensor!(array.to_vec::<i32>()?),
        Dtype::INT64 => tensor!(array.to_vec::<i64>()?),
        Dtype::UINT8 => tensor!(array.to_vec::<u8>()?),
        Dtype::UINT16 => tensor!(mapped(array, |x: u16| u32::from(x))?),
        Dtype::UINT32 => tensor!(array.to_vec::<u32>()?),
        Dtype::UINT64 => tensor!(mapped(array, u64::cast_signed)?),
        Dtype::BFLOAT16 => tensor!(array.to_vec::<bf16>()?),
        Dtype::FLOAT16 => tensor!(array.to_vec::<f16>()?),
        Dtype::FLOAT32 => tensor!(array.to_vec::<f32>()?),
        Dtype::FLOAT64 => tensor!(array.to_vec::<f64>()?),
        Dtype::COMPLEX64 => {
            tensor!(mapped(array, |z: Complex32| [z.re, z.im])?.into_flattened())
        }
        Dtype::COMPLEX128 => {
            tensor!(mapped(array, |z: Complex64| [z.re, z.im])?.into_flattened())
        }
        other => return Err(Fail::Ivy(not_stored("from_host", other))),
    })
}

/// A value as a host array with memory of its own: what candle's in-place functions do to the
/// tensor later is not seen there.
pub(crate) fn export(function: &'static str, value: &Value) -> Result<HostArray> {
    let dtype = value.dtype;
    let kept = stored(dtype).ok_or_else(|| not_stored(function, dtype))?;
    let tensor = tensor_of(function, value)?;
    let fail = |e| failed(function, &[dtype], e);
    room(function, [(dtype, &value.shape)])?;
    // Strided elements are gathered by candle, whole blocks at a time.
    let tensor = tensor.contiguous().map_err(fail)?;
    let (storage, layout) = tensor.storage_and_layout();
    let (start, end) = layout.contiguous_offsets().unwrap_or((0, 0));
    let Storage::Cpu(storage) = &*storage else { return Err(elsewhere(function, dtype)) };
    let shape = value.shape.clone();
    let exported = || match (storage, kept.form) {
        (CpuStorage::U8(x), Form::Native) => {
            HostArray::from_vec(scratch::collected(x[start..end].iter().copied()), shape)
        }
        (CpuStorage::U8(x), Form::Truth) => {
            HostArray::from_vec(scratch::collected(x[start..end].iter().map(|&b| b != 0)), shape)
        }
        (CpuStorage::I16(x), Form::Native) => {
            HostArray::from_vec(scratch::collected(x[start..end].iter().copied()), shape)
        }
        (CpuStorage::I16(x), Form::Wider) => {
            HostArray::from_vec(scratch::collected(x[start..end].iter().map(|&i| i as i8)), shape)
        }
        (CpuStorage::U32(x), Form::Native) => {
            HostArray::from_vec(scratch::collected(x[start..end].iter().copied()), shape)
        }
        (CpuStorage::U32(x), Form::Wider) => {
            HostArray::from_vec(scratch::collected(x[start..end].iter().map(|&i| i as u16)), shape)
        }
        (CpuStorage::I32(x), _) => {
            HostArray::from_vec(scratch::collected(x[start..end].iter().copied()), shape)
        }
        (CpuStorage::I64(x), Form::Native) => {
            HostArray::from_vec(scratch::collected(x[start..end].iter().copied()), shape)
        }
        (CpuStorage::I64(x), _) => {
            HostArray::from_vec(scratch::collected(x[start..end].iter().map(|&i| i.cast_unsigned())), shape)
        }
        (CpuStorage::BF16(x), _) => {
            HostArray::from_vec(scratch::collected(x[start..end].iter().copied()), shape)
        }
        (CpuStorage::F16(x), _) => {
            HostArray::from_vec(scratch::collected(x[start..end].iter().copied()), shape)
        }
        (CpuStorage::F32(x), Form::Pair) => {
            let pairs = x[start..end].chunks_exact(2).map(|z| Complex32::new(z[0], z[1]));
            HostArray::from_vec(scratch::collected(pairs), shape)
        }
        (CpuStorage::F32(x), _) => {
            HostArray::from_vec(scratch::collected(x[start..end].iter().copied()), shape)
        }
        (CpuStorage::F64(x), Form::Pair) => {
            let pairs = x[start..end].chunks_exact(2).map(|z| Complex64::new(z[0], z[1]));
            HostArray::from_vec(scratch::collected(pairs), shape)
        }
        (CpuStorage::F64(x), _) => {
            HostArray::from_vec(scratch::collected(x[start..end].iter().copied()), shape)
        }
        _ => None,
    };
    scratch::guard(function, exported)?.ok_or_else(|| foreign(function, value))
}

/// A tensor that is not in host memory.
#[cold]
fn elsewhere(function: &'static str, dtype: Dtype) -> Error {
    let source = candle_core::Error::Msg("the tensor is not in host memory".into());
    failed(function, &[dtype], source)
}

/// The bytes of a CPU storage of a dtype that ivy has.
fn storage_bytes(storage: &Storage) -> Option<&[u8]> {
    let Storage::Cpu(storage) = storage else { return None };
    Some(match storage {
        CpuStorage::U8(x) => x,
        CpuStorage::U32(x) => bytes::of(x),
        CpuStorage::I16(x) => bytes::of(x),
        CpuStorage::I32(x) => bytes::of(x),
        CpuStorage::I64(x) => bytes::of(x),
        CpuStorage::BF16(x) => bytes::of(x),
        CpuStorage::F16(x) => bytes::of(x),
        CpuStorage::F32(x) => bytes::of(x),
        CpuStorage::F64(x) => bytes::of(x),
        _ => return None,
    })
}

/// Strides and offset of the logical elements over the stored ones, in logical elements; `None`
/// where the parts of a complex number do not stand side by side.
///
/// The narrow integer of a wider one is its low bytes, so that no form needs a copy.
fn logical_layout(tensor: &Tensor, dtype: Dtype, kept: Stored) -> Option<(Dims<isize>, usize)> {
    let (strides, offset) = (tensor.stride(), tensor.layout().start_offset());
    match kept.form {
        Form::Native | Form::Truth | Form::Bits => {
            Some((strides.iter().map(|&s| s as isize).collect(), offset))
        }
        Form::Wider => {
            let ratio = kept.dtype.size_in_bytes() / dtype.bytes();
            let low = if cfg!(target_endian = "big") { ratio - 1 } else { 0 };
            Some((strides.iter().map(|&s| (s * ratio) as isize).collect(), offset * ratio + low))
        }
        Form::Pair => {
            let (last, rest) = strides.split_last()?;
            let even = *last == 1 && offset % 2 == 0 && rest.iter().all(|s| s % 2 == 0);
            even.then(|| (rest.iter().map(|&s| (s / 2) as isize).collect(), offset / 2))
        }
    }
}

/// Calls `run` with the operands' elements where candle keeps them, without a copy.
pub(crate) fn with_views<R>(
    function: &'static str,
    operands: &[&Value],
    run: impl FnOnce(&[HostView<'_>]) -> Result<R>,
) -> Result<R> {
    let mut tensors: SmallVec<[Tensor; 3]> = SmallVec::new();
    let mut layouts: SmallVec<[(Dims<isize>, usize); 3]> = SmallVec::new();
    for value in operands {
        let kept = stored(value.dtype).ok_or_else(|| not_stored(function, value.dtype))?;
        let mut tensor = tensor_of(function, value)?.clone();
        let layout = match logical_layout(&tensor, value.dtype, kept) {
            Some(layout) => layout,
            None => {
                tensor = tensor.force_contiguous().map_err(|e| failed(function, &[value.dtype], e))?;
                logical_layout(&tensor, value.dtype, kept).ok_or_else(|| foreign(function, value))?
            }
        };
        tensors.push(tensor);
        layouts.push(layout);
    }
    let guards: SmallVec<[StorageRef<'_>; 3]> = tensors.iter().map(|t| t.storage_and_layout().0).collect();
    let mut views: SmallVec<[HostView<'_>; 3]> = SmallVec::new();
    for (i, value) in operands.iter().enumerate() {
        let bytes = storage_bytes(&guards[i]).ok_or_else(|| elsewhere(function, value.dtype))?;
        let (strides, offset) = &layouts[i];
        let view = HostView::new(bytes, value.dtype, &value.shape, strides, *offset);
        views.push(view.ok_or_else(|| foreign(function, value))?);
    }
    run(&views)
}
