//! Element-wise ops of one operand.

use super::{Linearized, special};
use crate::transform::ops::{
    add, cast, conj, div, full, mul, neg, real, scalar_with, scale, select, sub, times_i, unary, with_scalar,
};
use crate::{Array, BinaryOp, Result, UnaryOp};
use std::f64::consts::{LN_2, LN_10, PI};

pub(super) fn jvp(op: UnaryOp, call: &Linearized<'_>) -> Result<Option<Array>> {
    let (x, Some(t)) = (call.x[0], call.t[0]) else { return Ok(None) };
    let y = || call.y.get(0);
    let complex = x.dtype().is_complex();
    // What the tangent is multiplied by.
    let by = match op {
        UnaryOp::Negative | UnaryOp::Real | UnaryOp::Imag | UnaryOp::Conj => {
            return unary(op, t).map(Some);
        }
        UnaryOp::Abs if complex => {
            let along = real(&mul(t, &direction(x)?)?)?;
            return Ok(Some(along));
        }
        UnaryOp::Abs => unary(UnaryOp::Sign, x)?,
        UnaryOp::Sign if complex => return turn(x, y()?, t).map(Some),
        UnaryOp::Ceil | UnaryOp::Floor | UnaryOp::Round | UnaryOp::Trunc | UnaryOp::Sign => return Ok(None),
        UnaryOp::Exp => y()?.clone(),
        UnaryOp::Expm1 => unary(UnaryOp::Exp, x)?,
        UnaryOp::Log => return div(t, x).map(Some),
        UnaryOp::Log1p => return div(t, &with_scalar(BinaryOp::Add, x, 1.0)?).map(Some),
        UnaryOp::Log2 => return div(t, &scale(x, LN_2)?).map(Some),
        UnaryOp::Log10 => return div(t, &scale(x, LN_10)?).map(Some),
        UnaryOp::Sqrt => return div(t, &scale(y()?, 2.0)?).map(Some),
        UnaryOp::Reciprocal => neg(&unary(UnaryOp::Square, y()?)?)?,
        UnaryOp::Square => scale(x, 2.0)?,
        UnaryOp::Sin => unary(UnaryOp::Cos, x)?,
        UnaryOp::Cos => neg(&unary(UnaryOp::Sin, x)?)?,
        UnaryOp::Tan => with_scalar(BinaryOp::Add, &unary(UnaryOp::Square, y()?)?, 1.0)?,
        UnaryOp::Sinh => unary(UnaryOp::Cosh, x)?,
        UnaryOp::Cosh => unary(UnaryOp::Sinh, x)?,
        UnaryOp::Tanh => scalar_with(1.0, BinaryOp::Subtract, &unary(UnaryOp::Square, y()?)?)?,
        UnaryOp::Asin => unary(UnaryOp::Reciprocal, &roots(x, false)?)?,
        UnaryOp::Acos => neg(&unary(UnaryOp::Reciprocal, &roots(x, false)?)?)?,
        UnaryOp::Acosh => unary(UnaryOp::Reciprocal, &roots(x, true)?)?,
        UnaryOp::Asinh if complex => {
            let ix = times_i(x, x.dtype())?;
            unary(UnaryOp::Reciprocal, &roots(&ix, false)?)?
        }
        UnaryOp::Asinh => {
            let one = full(x, x.dtype(), Default::default(), 1.0)?;
            unary(UnaryOp::Reciprocal, &crate::transform::ops::binary(BinaryOp::Hypot, x, &one)?)?
        }
        UnaryOp::Atan => {
            unary(UnaryOp::Reciprocal, &with_scalar(BinaryOp::Add, &unary(UnaryOp::Square, x)?, 1.0)?)?
        }
        UnaryOp::Atanh => {
            let (below, above) =
                (scalar_with(1.0, BinaryOp::Subtract, x)?, with_scalar(BinaryOp::Add, x, 1.0)?);
            unary(UnaryOp::Reciprocal, &mul(&below, &above)?)?
        }
        UnaryOp::Erf | UnaryOp::Erfc => {
            let bell = unary(UnaryOp::Exp, &neg(&unary(UnaryOp::Square, x)?)?)?;
            scale(&bell, if op == UnaryOp::Erf { 2.0 } else { -2.0 } / PI.sqrt())?
        }
        UnaryOp::Lgamma => unary(UnaryOp::Digamma, x)?,
        UnaryOp::Digamma => special::trigamma(x)?,
        UnaryOp::BitwiseInvert
        | UnaryOp::LogicalNot
        | UnaryOp::IsFinite
        | UnaryOp::IsInf
        | UnaryOp::IsNan
        | UnaryOp::Signbit => return Ok(None),
    };
    mul(t, &by).map(Some)
}

/// The conjugate over the magnitude, 0 at 0: the gradient of the magnitude.
fn direction(x: &Array) -> Result<Array> {
    conj(&unary(UnaryOp::Sign, x)?)
}

/// How `y = x / |x|` of a complex number changes: by the part of the tangent across it.
fn turn(x: &Array, y: &Array, t: &Array) -> Result<Array> {
    let size = unary(UnaryOp::Abs, x)?;
    let nowhere = with_scalar(BinaryOp::Equal, &size, 0.0)?;
    let size = select(&nowhere, &full(x, size.dtype(), Default::default(), 1.0)?, &size)?;
    let along = cast(&real(&mul(t, &conj(y)?)?)?, x.dtype())?;
    div(&sub(t, &mul(&along, y)?)?, &cast(&size, x.dtype())?)
}

/// `sqrt(1 - x) sqrt(1 + x)`, of which each factor has its principal branch; with `above`, of `x - 1`.
fn roots(x: &Array, above: bool) -> Result<Array> {
    let first = match above {
        true => with_scalar(BinaryOp::Subtract, x, 1.0)?,
        false => scalar_with(1.0, BinaryOp::Subtract, x)?,
    };
    let second = add(x, &full(x, x.dtype(), Default::default(), 1.0)?)?;
    mul(&unary(UnaryOp::Sqrt, &first)?, &unary(UnaryOp::Sqrt, &second)?)
}
