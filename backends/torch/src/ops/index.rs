//! Ops with index arrays. A bad index costs libtorch two milliseconds, so indices are checked
//! here first.

use super::unsigned::{as_signed, back};
use super::{Call, Run};
use crate::error::Fail;
use crate::memory::{signed_dims, value_of};
use crate::raw;
use ivy_core::backend::Values;
use ivy_core::{Dims, Dtype, ErrorKind, Shape, shape};
use tch::{Device, Tensor};

/// The indices of an axis of `length`, counted from the front, contiguous.
fn counted(call: &Call<'_>, axis: usize, length: usize) -> Result<Tensor, Fail> {
    let indices = call.tensors[1].f_contiguous()?;
    let host = indices.f_to(Device::Cpu)?;
    let bytes = raw::bytes(&host, size_of::<i64>())?;
    let all = bytes.as_chunks::<8>().0.iter().map(|b| i64::from_ne_bytes(*b));
    let range = -(length as i64)..length as i64;
    let mut negative = false;
    for (position, index) in all.clone().enumerate() {
        if !range.contains(&index) {
            let kind = ErrorKind::IndexOutOfRange {
                function: call.function,
                index: i128::from(index),
                axis,
                length,
                position: Some(position),
            };
            return Err(Fail::Ivy(kind.into()));
        }
        negative |= index < 0;
    }
    if !negative {
        return Ok(indices);
    }
    let front: Vec<i64> = all.map(|i| if i < 0 { i + length as i64 } else { i }).collect();
    Ok(Tensor::f_from_slice(&front)?.f_reshape(&raw::dims(&indices)[..])?.f_to(call.device)?)
}

/// Runs `select` on the operand, or on its signed form.
fn moved(call: &Call<'_>, select: impl Fn(&Tensor) -> Result<Tensor, Fail>) -> Run {
    match as_signed(call, call.x(), call.dtype())? {
        Some(x) => back(call, &select(&x)?, call.dtype()).map(Some),
        None => select(call.x()).map(Some),
    }
}

pub(super) fn take(call: &Call<'_>, axis: usize) -> Run {
    let indices = counted(call, axis, call.shape()[axis])?.f_flatten(0, -1)?;
    moved(call, |x| Ok(x.f_index_select(axis as i64, &indices)?))
}

pub(super) fn take_along_axis(call: &Call<'_>, axis: usize) -> Run {
    let length = call.shape()[axis];
    let indices = counted(call, axis, length)?;
    // Both are made as long as each other on all axes but the one indexed.
    let (mut from, mut at) = (call.shape().to_vec(), call.operands[1].shape.to_vec());
    let count = std::mem::replace(&mut at[axis], 1);
    from[axis] = 1;
    let both = shape::broadcast(call.function, &[&from[..], &at[..]])?;
    let along = |n: usize| -> Dims<i64> {
        let mut dims = signed_dims(&both);
        dims[axis] = n as i64;
        dims
    };
    let indices = indices.f_expand(&along(count)[..], false)?;
    moved(call, |x| Ok(x.f_expand(&along(length)[..], false)?.f_gather(axis as i64, &indices, false)?))
}

pub(super) fn nonzero(call: &Call<'_>) -> Result<Values, Fail> {
    let signed = as_signed(call, call.x(), call.dtype())?;
    let found = signed.as_ref().unwrap_or(call.x()).f_nonzero()?;
    let count = raw::dims(&found)[0] as usize;
    let columns = (0..call.shape().len()).map(|axis| {
        let column = found.f_select(1, axis as i64)?.f_contiguous()?;
        Ok(value_of(Dtype::INT64, Shape::from([count]), column, false))
    });
    columns.collect()
}
