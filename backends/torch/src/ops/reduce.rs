//! Reductions, running sums, sorting and the matrix product.

use super::elementwise::joined;
use super::unsigned::{as_signed, back, number, ordered, top_bit};
use super::{Call, Run, signed_axes};
use crate::error::Fail;
use crate::raw;
use crate::stored::{signed, tch_kind};
use ivy_core::{Dtype, ReduceOp, ScanOp};
use tch::{Kind, Tensor};

/// The kind to add up in, and whether that is another than the operand's.
fn wide(dtype: Dtype) -> (Option<Kind>, bool) {
    match dtype {
        Dtype::FLOAT16 | Dtype::BFLOAT16 => (Some(Kind::Float), true),
        d => (tch_kind(signed(d).unwrap_or(d)), false),
    }
}

/// Runs `run` on the operand in the form to add up in, and gives the result its dtype again.
fn widened(call: &Call<'_>, run: impl Fn(&Tensor, Option<Kind>) -> Result<Tensor, Fail>) -> Run {
    let dtype = call.dtype();
    let (kind, narrow) = wide(dtype);
    if let Some(x) = as_signed(call, call.x(), dtype)? {
        return back(call, &run(&x, kind)?, dtype).map(Some);
    }
    let out = run(call.x(), kind)?;
    Ok(Some(if narrow { raw::converted(&out, number(call.function, dtype)?, false)? } else { out }))
}

pub(super) fn reduce(call: &Call<'_>, op: ReduceOp, axes: &[usize], keepdims: bool) -> Run {
    if let ReduceOp::Var { correction } = op {
        return variance(call, axes, f64::from_bits(correction), keepdims);
    }
    // libtorch takes no axes for all axes.
    if axes.is_empty() {
        return Ok(Some(raw::same(call.x())?));
    }
    let dims = signed_axes(axes);
    let dims = &dims[..];
    match op {
        ReduceOp::Sum => widened(call, |x, kind| Ok(x.f_sum_dim_intlist(dims, keepdims, kind)?)),
        ReduceOp::Mean if call.dtype().is_complex() => {
            let parts = call.x().f_view_as_real()?;
            joined(&parts.f_mean_dim(dims, keepdims, None)?).map(Some)
        }
        ReduceOp::Mean => widened(call, |x, kind| Ok(x.f_mean_dim(dims, keepdims, kind)?)),
        ReduceOp::Prod => widened(call, |x, kind| product(x, axes, keepdims, kind)),
        ReduceOp::Max | ReduceOp::Min => extreme(call, dims, keepdims, op == ReduceOp::Max),
        ReduceOp::All => Ok(Some(call.x().f_all_dims(dims, keepdims)?)),
        ReduceOp::Any => Ok(Some(call.x().f_any_dims(dims, keepdims)?)),
        ReduceOp::Var { .. } => Ok(None),
    }
}

/// libtorch multiplies along one axis: the axes are made one, or taken in turn.
fn product(x: &Tensor, axes: &[usize], keepdims: bool, kind: Option<Kind>) -> Result<Tensor, Fail> {
    let mut x = raw::same(x)?;
    for &axis in axes.iter().rev() {
        x = x.f_prod_dim_int(axis as i64, keepdims, kind)?;
    }
    Ok(x)
}

fn extreme(call: &Call<'_>, dims: &[i64], keepdims: bool, max: bool) -> Run {
    let dtype = call.dtype();
    let run = |x: &Tensor| if max { x.f_amax(dims, keepdims) } else { x.f_amin(dims, keepdims) };
    match ordered(call, call.x(), dtype)? {
        Some(x) => {
            let found = run(&x)?.f_bitwise_xor_tensor(&top_bit(call, dtype)?)?;
            back(call, &found, dtype).map(Some)
        }
        None => Ok(Some(run(call.x())?)),
    }
}

/// libtorch warns, on standard error, where the divisor is not positive: the reference does that.
fn variance(call: &Call<'_>, axes: &[usize], correction: f64, keepdims: bool) -> Run {
    let count: usize = axes.iter().map(|&a| call.shape()[a]).product();
    if axes.is_empty() || count as f64 <= correction || !correction.is_finite() {
        return Ok(None);
    }
    let dims = signed_axes(axes);
    widened(call, |x, kind| {
        let x = match kind {
            Some(kind) => x.f_to_dtype(kind, false, false)?,
            None => raw::same(x)?,
        };
        Ok(raw::variance(&x, &dims, correction, keepdims)?)
    })
}

pub(super) fn arg(call: &Call<'_>, max: bool, axis: Option<usize>, keepdims: bool) -> Run {
    let dtype = call.dtype();
    let x = match ordered(call, call.x(), dtype)? {
        Some(x) => x,
        None if dtype.is_bool() => call.x().f_view_dtype(Kind::Uint8)?,
        None => raw::same(call.x())?,
    };
    let axis = axis.map(|a| a as i64);
    Ok(Some(if max { x.f_argmax(axis, keepdims)? } else { x.f_argmin(axis, keepdims)? }))
}

pub(super) fn scan(call: &Call<'_>, op: ScanOp, axis: usize, include_initial: bool) -> Run {
    let (at, sum) = (axis as i64, op == ScanOp::Sum);
    if !sum && op != ScanOp::Prod {
        return Ok(None);
    }
    widened(call, |x, kind| {
        let out = if sum { x.f_cumsum(at, kind)? } else { x.f_cumprod(at, kind)? };
        if !include_initial {
            return Ok(out);
        }
        let first = out.f_narrow(at, 0, 1)?;
        let first = if sum { first.f_zeros_like()? } else { first.f_ones_like()? };
        Ok(Tensor::f_cat(&[first, out], at)?)
    })
}

/// The operand in the form in which libtorch's ascending order is the order asked for; NaN comes
/// last in it.
fn sortable(call: &Call<'_>, descending: bool) -> Result<Tensor, Fail> {
    match call.dtype().is_float() && descending {
        true => Ok(call.x().f_neg()?),
        false => Ok(raw::same(call.x())?),
    }
}

pub(super) fn sort(call: &Call<'_>, axis: usize, descending: bool) -> Run {
    let negated = call.dtype().is_float() && descending;
    let x = sortable(call, descending)?;
    let (sorted, _) = x.f_sort_stable(true, axis as i64, descending && !negated)?;
    Ok(Some(if negated { sorted.f_neg()? } else { sorted }))
}

pub(super) fn argsort(call: &Call<'_>, axis: usize, descending: bool) -> Run {
    let negated = call.dtype().is_float() && descending;
    let x = sortable(call, descending)?;
    Ok(Some(x.f_argsort_stable(true, axis as i64, descending && !negated)?))
}

pub(super) fn search_sorted(call: &Call<'_>, right: bool) -> Run {
    let form = |x: &Tensor| -> Result<Tensor, Fail> {
        let bytes = if call.dtype().is_bool() { x.f_view_dtype(Kind::Uint8)? } else { raw::same(x)? };
        // libtorch warns of others on standard error.
        Ok(bytes.f_contiguous()?)
    };
    let (sorted, x) = (form(call.tensors[0])?, form(call.tensors[1])?);
    let side = if right { "right" } else { "left" };
    Ok(Some(x.f_searchsorted(&sorted, false, right, side, None::<&Tensor>)?))
}

pub(super) fn matmul(call: &Call<'_>) -> Run {
    sum_of_products(call, |a, b| Ok(a.f_matmul(b)?))
}

/// Runs `run`, which adds up products of two operands, on these in the form to add up in, and gives the result their
/// dtype again.
pub(super) fn sum_of_products(
    call: &Call<'_>,
    run: impl Fn(&Tensor, &Tensor) -> Result<Tensor, Fail>,
) -> Run {
    let dtype = call.dtype();
    let (a, b) = (call.tensors[0], call.tensors[1]);
    if let (Some(a), Some(b)) = (as_signed(call, a, dtype)?, as_signed(call, b, dtype)?) {
        return back(call, &run(&a, &b)?, dtype).map(Some);
    }
    if !matches!(dtype, Dtype::FLOAT16 | Dtype::BFLOAT16) {
        return run(a, b).map(Some);
    }
    let wide = |x: &Tensor| x.f_to_dtype(Kind::Float, false, false);
    let product = run(&wide(a)?, &wide(b)?)?;
    Ok(Some(raw::converted(&product, number(call.function, dtype)?, false)?))
}
