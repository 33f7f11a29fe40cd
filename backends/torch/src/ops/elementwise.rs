//! Element by element.

use super::unsigned::{as_signed, back, number, ordered, top_bit};
use super::{Call, Run};
use crate::error::Fail;
use crate::raw;
use crate::stored::signed;
use ivy_core::{BinaryOp, Dtype, UnaryOp};
use tch::{Kind, Tensor};

/// Pairs along the last axis as complex numbers.
pub(super) fn joined(pairs: &Tensor) -> Result<Tensor, Fail> {
    let strides = raw::strides(pairs);
    let side_by_side = strides.last() == Some(&1) && strides.iter().rev().skip(1).all(|s| s % 2 == 0);
    if side_by_side {
        return Ok(pairs.f_view_as_complex()?);
    }
    // An axis of length 1 may have any stride, which does not matter to a row-major copy.
    let dense = raw::converted(pairs, raw::kind_of(pairs)?, true)?;
    Ok(dense.f_contiguous()?.f_view_as_complex()?)
}

/// A 0-d tensor of a small whole number, in the dtype.
fn scalar(call: &Call<'_>, value: i64, dtype: Dtype) -> Result<Tensor, Fail> {
    let one = Tensor::f_from_slice(&[value])?.f_squeeze()?;
    Ok(raw::converted(&one, number(call.function, dtype)?, false)?.f_to(call.device)?)
}

pub(super) fn unary(call: &Call<'_>, op: UnaryOp) -> Run {
    use UnaryOp::*;
    let (x, dtype) = (call.x(), call.dtype());
    if let Some(x) = as_signed(call, x, dtype)? {
        return unsigned_unary(call, op, &x);
    }
    let whole = dtype.is_int();
    if dtype.is_float() && dtype != Dtype::FLOAT64 && matches!(op, Acosh | Asinh | Atanh | Cosh | Sinh | Sqrt)
    {
        let x = x.f_to_dtype(Kind::Double, false, false)?;
        let out = match op {
            Acosh => x.f_acosh()?,
            Asinh => x.f_asinh()?,
            Atanh => x.f_atanh()?,
            Cosh => x.f_cosh()?,
            Sqrt => x.f_sqrt()?,
            _ => x.f_sinh()?,
        };
        return Ok(Some(raw::converted(&out, number(call.function, dtype)?, false)?));
    }
    Ok(Some(match op {
        Ceil | Floor | Trunc | Round if whole => raw::same(x)?,
        Conj | Real if !dtype.is_complex() => raw::same(x)?,
        Abs => x.f_abs()?,
        Acos => x.f_acos()?,
        Acosh => x.f_acosh()?,
        Asin => x.f_asin()?,
        Asinh => x.f_asinh()?,
        Atan => x.f_atan()?,
        Atanh => x.f_atanh()?,
        BitwiseInvert => x.f_bitwise_not()?,
        Ceil => x.f_ceil()?,
        Conj => x.f_conj_physical()?,
        Cos => x.f_cos()?,
        Cosh => x.f_cosh()?,
        Digamma | Erf | Erfc | Lgamma => return Ok(None),
        Exp => x.f_exp()?,
        Expm1 => x.f_expm1()?,
        Floor => x.f_floor()?,
        Imag => x.f_view_as_real()?.f_select(-1, 1)?,
        IsFinite => x.f_isfinite()?,
        IsInf => x.f_isinf()?,
        IsNan => x.f_isnan()?,
        Log => x.f_log()?,
        Log1p => x.f_log1p()?,
        Log2 => x.f_log2()?,
        Log10 => x.f_log10()?,
        LogicalNot => x.f_logical_not()?,
        Negative if dtype.is_complex() => joined(&x.f_view_as_real()?.f_neg()?)?,
        Negative => x.f_neg()?,
        Real => x.f_view_as_real()?.f_select(-1, 0)?,
        Reciprocal => x.f_reciprocal()?,
        Round => x.f_round()?,
        Sign if dtype.is_complex() => x.f_sgn()?,
        Sign => x.f_sign()?,
        Signbit => x.f_signbit()?,
        Sin => x.f_sin()?,
        Sinh => x.f_sinh()?,
        Square => x.f_mul(x)?,
        Sqrt => x.f_sqrt()?,
        Tan => x.f_tan()?,
        Tanh => x.f_tanh()?,
        Trunc => x.f_trunc()?,
    }))
}

/// On uint16, uint32 and uint64, read as signed.
fn unsigned_unary(call: &Call<'_>, op: UnaryOp, x: &Tensor) -> Run {
    use UnaryOp::*;
    let dtype = call.dtype();
    let signed = match op {
        Abs | Ceil | Floor | Trunc | Round | Conj | Real => return Ok(Some(raw::same(call.x())?)),
        IsFinite => return Ok(Some(call.x().f_isfinite()?)),
        IsInf => return Ok(Some(call.x().f_isinf()?)),
        IsNan => return Ok(Some(call.x().f_isnan()?)),
        Sign => {
            let positive = x.f_ne_tensor(&scalar(call, 0, signed(dtype).unwrap_or(dtype))?)?;
            return Ok(Some(raw::converted(&positive, number(call.function, dtype)?, false)?));
        }
        BitwiseInvert => x.f_bitwise_not()?,
        Negative => x.f_neg()?,
        Square => x.f_mul(x)?,
        _ => return Ok(None),
    };
    back(call, &signed, dtype).map(Some)
}

pub(super) fn binary(call: &Call<'_>, op: BinaryOp) -> Run {
    use BinaryOp::*;
    let (a, b) = (call.tensors[0], call.tensors[1]);
    if signed(call.dtype()).is_some() {
        return unsigned_binary(call, op);
    }
    if call.dtype().is_complex() && matches!(op, Add | Subtract) {
        let (a, b) = (a.f_view_as_real()?, b.f_view_as_real()?);
        return joined(&if op == Add { a.f_add(&b)? } else { a.f_sub(&b)? }).map(Some);
    }
    Ok(Some(match op {
        Add => a.f_add(b)?,
        Atan2 => a.f_atan2(b)?,
        BitwiseAnd => a.f_bitwise_and_tensor(b)?,
        BitwiseLeftShift => a.f_bitwise_left_shift(b)?,
        BitwiseOr => a.f_bitwise_or_tensor(b)?,
        BitwiseRightShift => a.f_bitwise_right_shift(b)?,
        BitwiseXor => a.f_bitwise_xor_tensor(b)?,
        Copysign => a.f_copysign(b)?,
        Divide => a.f_div(b)?,
        FloorDivide => a.f_floor_divide(b)?,
        Gcd => a.f_gcd(b)?.f_abs()?,
        Hypot => a.f_hypot(b)?,
        Lcm => a.f_lcm(b)?,
        Logaddexp => a.f_logaddexp(b)?,
        LogicalAnd => a.f_logical_and(b)?,
        LogicalOr => a.f_logical_or(b)?,
        LogicalXor => a.f_logical_xor(b)?,
        Maximum => a.f_maximum(b)?,
        Minimum => a.f_minimum(b)?,
        Multiply => a.f_mul(b)?,
        Nextafter => a.f_nextafter(b)?,
        Pow => a.f_pow(b)?,
        Remainder => a.f_remainder_tensor(b)?,
        Subtract => a.f_sub(b)?,
        _ => return compare(a, b, op),
    }))
}

/// On uint16, uint32 and uint64, read as signed.
fn unsigned_binary(call: &Call<'_>, op: BinaryOp) -> Run {
    use BinaryOp::*;
    let dtype = call.dtype();
    let form = match op {
        Greater | GreaterEqual | Less | LessEqual | Maximum | Minimum => ordered,
        _ => as_signed,
    };
    let (a, b) = (form(call, call.tensors[0], dtype)?, form(call, call.tensors[1], dtype)?);
    let (Some(a), Some(b)) = (a, b) else { return Ok(None) };
    let signed = match op {
        Add => a.f_add(&b)?,
        BitwiseAnd => a.f_bitwise_and_tensor(&b)?,
        BitwiseLeftShift => a.f_bitwise_left_shift(&b)?,
        BitwiseOr => a.f_bitwise_or_tensor(&b)?,
        BitwiseXor => a.f_bitwise_xor_tensor(&b)?,
        Maximum => a.f_maximum(&b)?.f_bitwise_xor_tensor(&top_bit(call, dtype)?)?,
        Minimum => a.f_minimum(&b)?.f_bitwise_xor_tensor(&top_bit(call, dtype)?)?,
        Multiply => a.f_mul(&b)?,
        Subtract => a.f_sub(&b)?,
        _ => return compare(&a, &b, op),
    };
    back(call, &signed, dtype).map(Some)
}

fn compare(a: &Tensor, b: &Tensor, op: BinaryOp) -> Run {
    Ok(Some(match op {
        BinaryOp::Equal => a.f_eq_tensor(b)?,
        BinaryOp::NotEqual => a.f_ne_tensor(b)?,
        BinaryOp::Greater => a.f_gt_tensor(b)?,
        BinaryOp::GreaterEqual => a.f_ge_tensor(b)?,
        BinaryOp::Less => a.f_lt_tensor(b)?,
        BinaryOp::LessEqual => a.f_le_tensor(b)?,
        _ => return Ok(None),
    }))
}

pub(super) fn cast(call: &Call<'_>, to: Dtype) -> Run {
    let x = call.x();
    if to == call.dtype() {
        return Ok(Some(raw::same(x)?));
    }
    if to.is_bool() {
        // A view of the bits is equal to zero where the number is.
        let bits = as_signed(call, x, call.dtype())?;
        return Ok(Some(bits.as_ref().unwrap_or(x).f_to_dtype(Kind::Bool, false, false)?));
    }
    Ok(Some(raw::converted(x, number(call.function, to)?, false)?))
}
