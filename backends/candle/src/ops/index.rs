//! Ops with index arrays. candle takes no negative index and gives zero for the greatest one,
//! so indices are checked and counted from the front here.

use super::{Call, Run};
use crate::error::Fail;
use candle_core::{CpuStorage, D, Storage, Tensor};
use ivy_core::{Dims, ErrorKind, shape};

/// The indices of an axis of `length`, counted from the front, contiguous.
fn counted(call: &Call<'_>, axis: usize, length: usize) -> Result<Option<Tensor>, Fail> {
    let indices = call.tensors[1].contiguous()?;
    let (storage, layout) = indices.storage_and_layout();
    let Some((start, end)) = layout.contiguous_offsets() else { return Ok(None) };
    let Storage::Cpu(CpuStorage::I64(all)) = &*storage else { return Ok(None) };
    let all = &all[start..end];
    let range = -(length as i64)..length as i64;
    let mut negative = false;
    for (position, index) in all.iter().enumerate() {
        if !range.contains(index) {
            let kind = ErrorKind::IndexOutOfRange {
                function: call.function,
                index: i128::from(*index),
                axis,
                length,
                position: Some(position),
            };
            return Err(Fail::Ivy(kind.into()));
        }
        negative |= *index < 0;
    }
    if !negative {
        drop(storage);
        return Ok(Some(indices));
    }
    let front = all.iter().map(|&i| if i < 0 { i + length as i64 } else { i }).collect();
    Ok(Some(Tensor::from_vec::<_, i64>(front, indices.dims(), call.device)?))
}

pub(super) fn take(call: &Call<'_>, axis: usize) -> Run {
    let Some(indices) = counted(call, axis, call.shape()[axis])? else { return Ok(None) };
    let indices = indices.flatten_all()?;
    Ok(Some(call.x().contiguous()?.index_select(&indices, axis)?))
}

pub(super) fn take_along_axis(call: &Call<'_>, axis: usize) -> Run {
    let length = call.shape()[axis];
    let Some(mut indices) = counted(call, axis, length)? else { return Ok(None) };
    if call.x().rank() > indices.rank() {
        indices = indices.unsqueeze(D::Minus1)?;
    }
    // Both are made as long as each other on all axes but the one indexed.
    let (mut from, mut at) = (Dims::from_slice(call.x().dims()), Dims::from_slice(indices.dims()));
    let count = std::mem::replace(&mut at[axis], 1);
    from[axis] = 1;
    let both = shape::broadcast(call.function, &[&from[..], &at[..]])?;
    let (mut from, mut at) = (Dims::from_slice(&both), Dims::from_slice(&both));
    from[axis] = length;
    at[axis] = count;
    let x = call.x().broadcast_as(&from[..])?.contiguous()?;
    Ok(Some(x.gather(&indices.broadcast_as(&at[..])?.contiguous()?, axis)?))
}
