//! Ops that make or move elements.

use super::unsigned::{as_signed, back, number};
use super::{Call, Run, mismatch, signed_axes};
use crate::error::Fail;
use crate::memory::{import_tensor, signed_dims};
use crate::raw;
use crate::stored::signed;
use ivy_core::{AxisPad, AxisSlice, Dims, Dtype, Op, Scalar, Shape};
use tch::Tensor;

/// Every element the scalar, which the reference converts once.
pub(super) fn full(call: &Call<'_>, dtype: Dtype, shape: &Shape, value: Scalar) -> Run {
    let op = Op::Full { shape: Shape::default(), dtype, value };
    let Some(one) = ivy_kernels::execute_views(&op, &[])?.pop() else { return Ok(None) };
    let one = import_tensor(&one, number(call.function, dtype)?, call.device)?;
    Ok(Some(raw::filled(&one, &signed_dims(shape), call.device)?))
}

pub(super) fn reshape(call: &Call<'_>, shape: &Shape) -> Run {
    Ok(Some(call.x().f_reshape(&signed_dims(shape)[..])?))
}

pub(super) fn broadcast_to(call: &Call<'_>, shape: &Shape) -> Run {
    Ok(Some(call.x().f_expand(&signed_dims(shape)[..], false)?))
}

pub(super) fn permute(call: &Call<'_>, axes: &[usize]) -> Run {
    Ok(Some(call.x().f_permute(&signed_axes(axes)[..])?))
}

/// The elements of a slice with no backward step: a view.
fn forward(x: &Tensor, axes: &[AxisSlice]) -> Result<Tensor, Fail> {
    let mut x = raw::same(x)?;
    let lengths = raw::dims(&x);
    for (i, axis) in axes.iter().enumerate() {
        if axis.len as i64 == lengths[i] && axis.step >= 1 {
            continue;
        }
        let step = if axis.len > 1 { axis.step.unsigned_abs() } else { 1 };
        let first = if axis.step > 0 { axis.start } else { axis.start - axis.len.saturating_sub(1) * step };
        let end = first + axis.len.saturating_sub(1) * step + usize::from(axis.len > 0);
        x = x.f_slice(i as i64, first as i64, end as i64, step as i64)?;
    }
    Ok(x)
}

/// The axes of a slice that run backwards.
fn backward(axes: &[AxisSlice]) -> impl Iterator<Item = usize> {
    axes.iter().enumerate().filter(|(_, a)| a.step < 0 && a.len > 1).map(|(i, _)| i)
}

pub(super) fn slice(call: &Call<'_>, axes: &[AxisSlice]) -> Run {
    let (dtype, flipped) = (call.dtype(), signed_axes(&backward(axes).collect::<Vec<_>>()));
    if flipped.is_empty() {
        return forward(call.x(), axes).map(Some);
    }
    match as_signed(call, call.x(), dtype)? {
        Some(x) => back(call, &forward(&x, axes)?.f_flip(&flipped[..])?, dtype).map(Some),
        None => Ok(Some(forward(call.x(), axes)?.f_flip(&flipped[..])?)),
    }
}

/// A filled tensor, and the elements written into its middle.
pub(super) fn pad(call: &Call<'_>, axes: &[AxisPad], value: Scalar) -> Run {
    let lengths = call.shape();
    if axes.len() != lengths.len() {
        return Err(mismatch(call, "one axis for each entry"));
    }
    let all = || lengths.iter().zip(axes);
    let shape: Shape = all().map(|(len, pad)| pad.before + len + pad.after).collect();
    let Some(out) = full(call, call.dtype(), &shape, value)? else { return Ok(None) };
    if lengths.size() > 0 {
        let middle: Dims<AxisSlice> =
            all().map(|(&len, pad)| AxisSlice { start: pad.before, step: 1, len }).collect();
        write_slice(call.function, call.dtype(), &out, &middle, call.x())?;
    }
    Ok(Some(out))
}

/// A copy, and the value written into its slice.
pub(super) fn set_slice(call: &Call<'_>, axes: &[AxisSlice]) -> Run {
    let (x, value) = (call.tensors[0], call.tensors[1]);
    let dense = x.f_contiguous()?;
    // Row-major operands are themselves, still.
    let copy = raw::address(&dense)? == raw::address(x)?;
    let out = if copy { raw::converted(&dense, raw::kind_of(x)?, true)? } else { dense };
    write_slice(call.function, call.dtype(), &out, axes, value)?;
    Ok(Some(out))
}

/// Writes a value into a slice of a tensor whose memory nobody else holds.
pub(crate) fn write_slice(
    function: &'static str,
    dtype: Dtype,
    out: &Tensor,
    axes: &[AxisSlice],
    value: &Tensor,
) -> Result<(), Fail> {
    let moved = number(function, signed(dtype).unwrap_or(dtype))?;
    let (out, value) = (raw::reinterpreted(out, moved)?, raw::reinterpreted(value, moved)?);
    let flipped = signed_axes(&backward(axes).collect::<Vec<_>>());
    let value = if flipped.is_empty() { value } else { value.f_flip(&flipped[..])? };
    Ok(forward(&out, axes)?.f_copy_(&value)?)
}

pub(super) fn concat(call: &Call<'_>, axis: usize) -> Run {
    if call.operands.iter().any(|v| v.shape.len() != call.shape().len()) {
        return Err(mismatch(call, "the same number of axes in all operands"));
    }
    let same: Result<Vec<_>, _> = call.tensors.iter().map(|t| raw::same(t)).collect();
    Ok(Some(Tensor::f_cat(&same?, axis as i64)?))
}
