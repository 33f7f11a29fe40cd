//! Reductions, sorting and the matrix product.

use super::{Call, Run};
use crate::error::Fail;
use crate::memory::stored_shape;
use candle_core::{D, DType, Tensor};
use ivy_core::{Dims, ReduceOp, Shape, shape};

/// candle counts positions in 32 bits.
const LONGEST: usize = u32::MAX as usize;

/// Products of so many multiplications are the reference kernels': candle's asks for memory of a whole cache each time, which
/// takes longer than they do.
const SMALL_PRODUCT: usize = 1 << 13;

/// The logical shape after a reduction.
fn reduced(shape: &[usize], axes: &[usize], keepdims: bool) -> Shape {
    let kept = |i: &usize| keepdims || !axes.contains(i);
    (0..shape.len()).filter(kept).map(|i| if axes.contains(&i) { 1 } else { shape[i] }).collect()
}

/// The elements in row-major order, with the strides of their shape: the order of a sum then
/// depends on shape and axes only, and candle divides by no stride of zero.
fn dense(x: &Tensor) -> candle_core::Result<Tensor> {
    x.contiguous()?.reshape(x.dims())
}

pub(super) fn reduce(call: &Call<'_>, op: ReduceOp, axes: &[usize], keepdims: bool) -> Run {
    let dims = stored_shape(&reduced(call.shape(), axes, keepdims), call.form());
    let result = match op {
        ReduceOp::Sum | ReduceOp::Mean => sum(call, axes, op == ReduceOp::Mean)?,
        ReduceOp::Max | ReduceOp::Any => extreme(call, axes, true)?,
        ReduceOp::Min | ReduceOp::All => extreme(call, axes, false)?,
        ReduceOp::Prod | ReduceOp::Var { .. } => return Ok(None),
    };
    Ok(Some(result.reshape(&dims[..])?))
}

fn sum(call: &Call<'_>, axes: &[usize], mean: bool) -> candle_core::Result<Tensor> {
    let x = call.x();
    let own = x.dtype();
    let wide = if own == DType::F64 { DType::F64 } else { DType::F32 };
    let mut sum = match axes {
        [] => x.to_dtype(wide)?,
        axes => dense(&x.to_dtype(wide)?)?.sum_keepdim(axes)?,
    };
    if mean {
        let count: usize = axes.iter().map(|&a| call.shape()[a]).product();
        sum = sum.broadcast_div(&Tensor::new(count as f64, call.device)?.to_dtype(wide)?)?;
    }
    sum.to_dtype(own)
}

/// The greatest or least stored integers along the axes.
fn extreme(call: &Call<'_>, axes: &[usize], max: bool) -> candle_core::Result<Tensor> {
    let mut x = call.x().clone();
    for &axis in axes.iter().rev().filter(|&&a| call.shape()[a] != 1) {
        x = dense(&x)?;
        x = if max { x.max_keepdim(axis)? } else { x.min_keepdim(axis)? };
    }
    Ok(x)
}

pub(super) fn arg(call: &Call<'_>, max: bool, axis: Option<usize>, keepdims: bool) -> Run {
    let shape = call.shape();
    let (x, at, dims) = match axis {
        Some(axis) => (dense(call.x())?, axis, reduced(shape, &[axis], keepdims)),
        None => {
            let all: Dims = (0..shape.len()).collect();
            (call.x().contiguous()?.flatten_all()?, 0, reduced(shape, &all, keepdims))
        }
    };
    if x.dim(at)? > LONGEST {
        return Ok(None);
    }
    let found = if max { x.argmax_keepdim(at)? } else { x.argmin_keepdim(at)? };
    Ok(Some(found.to_dtype(DType::I64)?.reshape(&dims[..])?))
}

pub(super) fn sort(call: &Call<'_>, axis: usize, descending: bool) -> Run {
    let x = call.x();
    if x.dim(axis)? > LONGEST {
        return Ok(None);
    }
    let last = x.rank() - 1;
    let (sorted, _) = x.transpose(axis, last)?.contiguous()?.sort_last_dim(!descending)?;
    Ok(Some(sorted.transpose(axis, last)?))
}

/// A one-dimensional left operand is a row, a right one a column; their axes leave the result.
pub(super) fn matmul(call: &Call<'_>) -> Run {
    let (mut a, mut b) = (call.tensors[0].clone(), call.tensors[1].clone());
    let (row, column) = (a.rank() == 1, b.rank() == 1);
    if row {
        a = a.unsqueeze(0)?;
    }
    if column {
        b = b.unsqueeze(1)?;
    }
    let multiplications = (a.elem_count().saturating_mul(b.dim(D::Minus1)?))
        .max(b.elem_count().saturating_mul(a.dim(D::Minus2)?));
    if call.device.is_cpu() && multiplications <= SMALL_PRODUCT {
        return Ok(None);
    }
    let own = a.dtype();
    let wide = if own == DType::F64 { DType::F64 } else { DType::F32 };
    let ready = |x: &Tensor| x.to_dtype(wide)?.contiguous();
    let mut product = product(call, &ready(&a)?, &ready(&b)?)?.to_dtype(own)?;
    if column {
        product = product.squeeze(D::Minus1)?;
    }
    if row {
        let axis = product.rank() - usize::from(!column) - 1;
        product = product.squeeze(axis)?;
    }
    Ok(Some(product))
}

/// candle multiplies stacks with at most two leading axes; more are counted through as one.
fn product(call: &Call<'_>, a: &Tensor, b: &Tensor) -> Result<Tensor, Fail> {
    if a.rank().max(b.rank()) <= 4 {
        return Ok(a.broadcast_matmul(b)?);
    }
    let split = |x: &Tensor| {
        let (lead, matrix) = x.dims().split_at(x.rank() - 2);
        (Dims::from_slice(lead), [matrix[0], matrix[1]])
    };
    let ((a_lead, [m, k]), (b_lead, [k2, n])) = (split(a), split(b));
    let lead = shape::broadcast(call.function, &[&a_lead[..], &b_lead[..]])?;
    let stack = |x: &Tensor, matrix: [usize; 2]| {
        let whole: Dims = lead.iter().chain(&matrix).copied().collect();
        let x = x.broadcast_as(&whole[..])?.contiguous()?;
        x.reshape(&[lead.size(), matrix[0], matrix[1]])
    };
    let out: Dims = lead.iter().chain(&[m, n]).copied().collect();
    Ok(stack(a, [m, k])?.matmul(&stack(b, [k2, n])?)?.reshape(&out[..])?)
}
