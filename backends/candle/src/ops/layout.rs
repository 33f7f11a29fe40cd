//! Ops that make or move elements.

use super::{Call, Run, mismatch};
use crate::memory::{import, stored_shape, tensor_of};
use crate::stored::stored;
use crate::support::is_range;
use candle_core::{DType, Tensor};
use half::{bf16, f16};
use ivy_core::{AxisPad, AxisSlice, Dtype, Op, Scalar, Shape};

/// Every element the scalar, which the reference converts once, for all forms alike.
pub(super) fn full(call: &Call<'_>, dtype: Dtype, shape: &Shape, value: Scalar) -> Run {
    let Some(kept) = stored(dtype) else { return Ok(None) };
    let op = Op::Full { shape: Shape::default(), dtype, value };
    let Some(one) = ivy_kernels::execute_views(&op, &[])?.pop() else { return Ok(None) };
    // Zeros are what the system's memory is.
    let is_zeros = one.view().contiguous_bytes().is_some_and(|bytes| bytes.iter().all(|&byte| byte == 0));
    let one = import(call.function, &one, call.device)?;
    let one = tensor_of(call.function, &one)?;
    let dims = stored_shape(shape, kept.form);
    if dims.len() > shape.len() {
        return Ok(Some(one.broadcast_as(&dims[..])?.contiguous()?));
    }
    macro_rules! filled {
        ($t:ty) => {
            Tensor::full(one.to_scalar::<$t>()?, &dims[..], call.device)?
        };
    }
    Ok(Some(match kept.dtype {
        _ if is_zeros || shape.contains(&0) => Tensor::zeros(&dims[..], kept.dtype, call.device)?,
        DType::U8 => filled!(u8),
        DType::U32 => filled!(u32),
        DType::I16 => filled!(i16),
        DType::I32 => filled!(i32),
        DType::I64 => filled!(i64),
        DType::BF16 => filled!(bf16),
        DType::F16 => filled!(f16),
        DType::F32 => filled!(f32),
        DType::F64 => filled!(f64),
        _ => return Ok(None),
    }))
}

pub(super) fn reshape(call: &Call<'_>, shape: &Shape) -> Run {
    let dims = stored_shape(shape, call.form());
    Ok(Some(call.x().reshape(&dims[..])?))
}

pub(super) fn broadcast_to(call: &Call<'_>, shape: &Shape) -> Run {
    let dims = stored_shape(shape, call.form());
    Ok(Some(call.x().broadcast_as(&dims[..])?))
}

pub(super) fn permute(call: &Call<'_>, axes: &[usize]) -> Run {
    let mut order = axes.to_vec();
    order.extend(axes.len()..call.x().rank());
    Ok(Some(call.x().permute(order)?))
}

pub(super) fn slice(call: &Call<'_>, axes: &[AxisSlice]) -> Run {
    let kept: Shape = axes.iter().map(|a| a.len).collect();
    if kept.contains(&0) {
        let dims = stored_shape(&kept, call.form());
        return Ok(Some(Tensor::zeros(&dims[..], call.x().dtype(), call.device)?));
    }
    let mut x = call.x().clone();
    // Ranges first: they are views, and leave less to copy.
    for (i, axis) in axes.iter().enumerate().filter(|(_, a)| is_range(a)) {
        if axis.len != x.dim(i)? {
            x = x.narrow(i, axis.start, axis.len)?;
        }
    }
    for (i, axis) in axes.iter().enumerate().filter(|(_, a)| !is_range(a)) {
        let positions = (0..axis.len as i64).map(|p| axis.start as i64 + p * axis.step as i64);
        x = x.contiguous()?.index_select(&Tensor::from_iter(positions, call.device)?, i)?;
    }
    Ok(Some(x))
}

pub(super) fn concat(call: &Call<'_>, axis: usize) -> Run {
    if call.tensors.iter().any(|t| t.rank() != call.x().rank()) {
        return Err(mismatch(call, "the same number of axes in all operands"));
    }
    Ok(Some(Tensor::cat(&call.tensors, axis)?))
}

/// Filled arrays joined on before and after each axis.
pub(super) fn pad(call: &Call<'_>, axes: &[AxisPad], value: Scalar) -> Run {
    if axes.len() != call.shape().len() {
        return Err(mismatch(call, "one axis for each entry"));
    }
    let (mut x, mut shape) = (call.x().clone(), call.shape().to_vec());
    for (axis, pad) in axes.iter().enumerate() {
        let border = |length: usize| {
            let dims: Shape =
                shape.iter().enumerate().map(|(a, &d)| if a == axis { length } else { d }).collect();
            full(call, call.dtype(), &dims, value)
        };
        let (Some(before), Some(after)) = (border(pad.before)?, border(pad.after)?) else { return Ok(None) };
        shape[axis] += pad.before + pad.after;
        let parts: Vec<_> = [before, x, after].into_iter().filter(|t| t.elem_count() > 0).collect();
        x = match parts.len() {
            0 => Tensor::zeros(
                &stored_shape(&Shape::from(&shape[..]), call.form())[..],
                call.x().dtype(),
                call.device,
            )?,
            _ => Tensor::cat(&parts, axis)?,
        };
    }
    Ok(Some(x))
}
