//! Element by element.

use super::{Call, Run};
use crate::error::Fail;
use crate::stored::{Form, stored};
use candle_core::{D, DType, Tensor};
use ivy_core::{BinaryOp, Dtype, UnaryOp, shape};

/// A 0-d tensor of a number that every dtype asked for here holds.
fn scalar(call: &Call<'_>, value: f64, dtype: DType) -> candle_core::Result<Tensor> {
    Tensor::new(value, call.device)?.to_dtype(dtype)
}

/// The stored value with every bit of the logical dtype set.
fn all_ones(call: &Call<'_>) -> candle_core::Result<Tensor> {
    let dtype = call.dtype();
    let value = match dtype {
        Dtype::UINT8 | Dtype::UINT16 | Dtype::UINT32 => (1i64 << dtype.bits()) - 1,
        _ => -1,
    };
    Tensor::new(value, call.device)?.to_dtype(call.x().dtype())
}

/// 1 where the stored element is zero (or where it is not), as a byte.
fn is_zero(call: &Call<'_>, zero: bool) -> candle_core::Result<Tensor> {
    let none = scalar(call, 0.0, call.x().dtype())?;
    if zero { call.x().broadcast_eq(&none) } else { call.x().broadcast_ne(&none) }
}

pub(super) fn unary(call: &Call<'_>, op: UnaryOp) -> Run {
    use UnaryOp::*;
    let (x, dtype) = (call.x(), call.dtype());
    let infinity = || scalar(call, f64::INFINITY, x.dtype());
    Ok(Some(match op {
        Abs if dtype.is_float() => x.abs()?,
        Ceil if dtype.is_float() => x.ceil()?,
        Floor if dtype.is_float() => x.floor()?,
        Real | Imag if dtype.is_complex() => {
            x.narrow(D::Minus1, usize::from(op == Imag), 1)?.squeeze(D::Minus1)?
        }
        Abs | Ceil | Floor | Trunc | Round | Conj | Real => x.clone(),
        BitwiseInvert if dtype.is_bool() => is_zero(call, true)?,
        BitwiseInvert => all_ones(call)?.broadcast_sub(x)?,
        Exp => x.exp()?,
        Log => x.log()?,
        Sin => x.sin()?,
        Cos => x.cos()?,
        Tanh => x.to_dtype(DType::F64)?.tanh()?.to_dtype(x.dtype())?,
        Reciprocal => x.recip()?,
        Sqrt => x.sqrt()?,
        Square => x.sqr()?,
        Negative => x.neg()?,
        IsNan | IsInf if dtype.is_int() => Tensor::zeros(x.dims(), DType::U8, call.device)?,
        IsFinite if dtype.is_int() => Tensor::ones(x.dims(), DType::U8, call.device)?,
        IsNan => x.ne(x)?,
        IsInf => x.abs()?.broadcast_eq(&infinity()?)?,
        IsFinite => x.abs()?.broadcast_lt(&infinity()?)?,
        LogicalNot => is_zero(call, true)?,
        Sign if dtype == Dtype::UINT64 => is_zero(call, false)?.to_dtype(DType::I64)?,
        Sign => x.sign()?,
        _ => return Ok(None),
    }))
}

pub(super) fn binary(call: &Call<'_>, op: BinaryOp) -> Run {
    use BinaryOp::*;
    let (a, b) = (call.tensors[0], call.tensors[1]);
    let dtype = call.dtype();
    if dtype.is_bool() {
        return Ok(Some(match op {
            Add | BitwiseOr | LogicalOr => a.broadcast_maximum(b)?,
            Multiply | BitwiseAnd | LogicalAnd => a.broadcast_minimum(b)?,
            BitwiseXor | LogicalXor => a.broadcast_ne(b)?,
            _ => return compare(a, b, op),
        }));
    }
    if dtype == Dtype::BFLOAT16 && matches!(op, Add | Multiply) {
        let (a, b) = (a.to_dtype(DType::F32)?, b.to_dtype(DType::F32)?);
        let wide = if op == Add { a.broadcast_add(&b)? } else { a.broadcast_mul(&b)? };
        return Ok(Some(wide.to_dtype(DType::BF16)?));
    }
    // Without broadcasting, which would cost the shape's allocation.
    if a.dims() == b.dims() {
        return Ok(Some(match op {
            Add => a.add(b)?,
            Subtract => a.sub(b)?,
            Multiply => a.mul(b)?,
            Divide => a.div(b)?,
            Maximum => a.maximum(b)?,
            Minimum => a.minimum(b)?,
            _ => return compare(a, b, op),
        }));
    }
    Ok(Some(match op {
        Add => a.broadcast_add(b)?,
        Subtract => a.broadcast_sub(b)?,
        Multiply => a.broadcast_mul(b)?,
        Divide => a.broadcast_div(b)?,
        Maximum => a.broadcast_maximum(b)?,
        Minimum => a.broadcast_minimum(b)?,
        _ => return compare(a, b, op),
    }))
}

fn compare(a: &Tensor, b: &Tensor, op: BinaryOp) -> Run {
    Ok(Some(match op {
        BinaryOp::Equal => a.broadcast_eq(b)?,
        BinaryOp::NotEqual => a.broadcast_ne(b)?,
        BinaryOp::Greater => a.broadcast_gt(b)?,
        BinaryOp::GreaterEqual => a.broadcast_ge(b)?,
        BinaryOp::Less => a.broadcast_lt(b)?,
        BinaryOp::LessEqual => a.broadcast_le(b)?,
        _ => return Ok(None),
    }))
}

/// `where`.
pub(super) fn choose(call: &Call<'_>) -> Run {
    let [condition, a, b] = call.tensors[..] else { return Ok(None) };
    let pair = stored(call.operands[1].dtype).is_some_and(|s| s.form == Form::Pair);
    let condition = if pair { condition.unsqueeze(D::Minus1)? } else { condition.clone() };
    let shapes = [condition.dims(), a.dims(), b.dims()];
    let shape = shape::broadcast(call.function, &shapes).map_err(Fail::Ivy)?;
    let wide = |x: &Tensor| if *x.dims() == *shape { Ok(x.clone()) } else { x.broadcast_as(&*shape) };
    Ok(Some(wide(&condition)?.where_cond(&wide(a)?, &wide(b)?)?))
}

pub(super) fn cast(call: &Call<'_>, to: Dtype) -> Run {
    let Some(kept) = stored(to) else { return Ok(None) };
    Ok(Some(match to {
        to if to == call.dtype() => call.x().clone(),
        Dtype::BOOL => is_zero(call, false)?,
        _ => call.x().to_dtype(kept.dtype)?,
    }))
}
