//! Element-wise ops of two operands.

use super::Linearized;
use crate::transform::ops::{
    add_some, binary, broadcast_to, div, full, mul, neg, select, sub, unary, with_scalar,
};
use crate::{Array, BinaryOp, Result, UnaryOp};

pub(super) fn jvp(op: BinaryOp, call: &Linearized<'_>) -> Result<Option<Array>> {
    use BinaryOp::*;
    let (a, b) = (call.x[0], call.x[1]);
    let y = || call.y.get(0);
    let (ta, tb) = (call.t[0], call.t[1]);
    let change = match op {
        Add => add_some(ta.cloned(), tb.cloned())?,
        Subtract => match (ta, tb) {
            (Some(ta), Some(tb)) => Some(sub(ta, tb)?),
            (ta, tb) => add_some(ta.cloned(), tb.map(neg).transpose()?)?,
        },
        Multiply => sum(ta, || Ok(b.clone()), tb, || Ok(a.clone()))?,
        Divide => {
            let ta = ta.map(|ta| div(ta, b)).transpose()?;
            // The quotient times the tangent, which stays finite where b * b would not.
            let tb = tb.map(|tb| div(&mul(tb, &neg(y()?)?)?, b)).transpose()?;
            add_some(ta, tb)?
        }
        Pow => sum(ta, || power_of_base(a, b), tb, || power_of_exponent(a, y()?))?,
        Atan2 => {
            let size = binary(Hypot, a, b)?;
            // At the origin there is no angle, and no change of one.
            let nowhere = with_scalar(Equal, &size, 0.0)?;
            let size = select(&nowhere, &full(a, size.dtype(), Default::default(), 1.0)?, &size)?;
            let of = |x: &Array| div(&div(x, &size)?, &size);
            sum(ta, || of(b), tb, || neg(&of(a)?))?
        }
        Hypot => {
            let y = y()?;
            let nowhere = with_scalar(Equal, y, 0.0)?;
            let size = select(&nowhere, &full(y, y.dtype(), Default::default(), 1.0)?, y)?;
            sum(ta, || div(a, &size), tb, || div(b, &size))?
        }
        Logaddexp => {
            let y = y()?;
            let share = |x: &Array| -> Result<Array> {
                // Infinities of both kinds meet themselves.
                let same = binary(Equal, x, y)?;
                let zero = full(x, x.dtype(), Default::default(), 0.0)?;
                unary(UnaryOp::Exp, &select(&same, &zero, &sub(x, y)?)?)
            };
            sum(ta, || share(a), tb, || share(b))?
        }
        Maximum | Minimum => {
            let share = |own: &Array, other: &Array| -> Result<Array> {
                let ahead = binary(if op == Maximum { Greater } else { Less }, own, other)?;
                let level = binary(Equal, own, other)?;
                let number = |value: f64| full(own, own.dtype(), Default::default(), value);
                let rest = select(&level, &number(0.5)?, &number(0.0)?)?;
                select(&ahead, &number(1.0)?, &rest)
            };
            sum(ta, || share(a, b), tb, || share(b, a))?
        }
        Remainder => {
            sum(ta, || full(a, a.dtype(), Default::default(), 1.0), tb, || negative_quotient(a, b, y()?))?
        }
        Copysign => sum(
            ta,
            || {
                let one = full(a, a.dtype(), Default::default(), 1.0)?;
                mul(&binary(Copysign, &one, a)?, &binary(Copysign, &one, b)?)
            },
            None,
            || Ok(b.clone()),
        )?,
        FloorDivide => None,
        Nextafter => {
            return call.none("Use the operand itself, or `stop_gradient` on it").map(|_| None);
        }
        BitwiseAnd | BitwiseLeftShift | BitwiseOr | BitwiseRightShift | BitwiseXor | Equal | NotEqual
        | Gcd | Greater | GreaterEqual | Lcm | Less | LessEqual | LogicalAnd | LogicalOr | LogicalXor => None,
    };
    // The tangent of one operand may have its shape alone.
    change.map(|t| broadcast_to(&t, call.y.shape(0))).transpose()
}

/// The sum of tangents, each times a factor that is made where there is one.
fn sum(
    ta: Option<&Array>,
    a: impl FnOnce() -> Result<Array>,
    tb: Option<&Array>,
    b: impl FnOnce() -> Result<Array>,
) -> Result<Option<Array>> {
    let ta = ta.map(|t| mul(t, &a()?)).transpose()?;
    let tb = tb.map(|t| mul(t, &b()?)).transpose()?;
    add_some(ta, tb)
}

/// `b a^(b - 1)`; 0 where the exponent is and `1 / a` is not finite: the power is 1 of every base there.
fn power_of_base(a: &Array, b: &Array) -> Result<Array> {
    let raised = binary(BinaryOp::Pow, a, &with_scalar(BinaryOp::Subtract, b, 1.0)?)?;
    let infinite = unary(UnaryOp::LogicalNot, &unary(UnaryOp::IsFinite, &raised)?)?;
    let constant = binary(BinaryOp::LogicalAnd, &with_scalar(BinaryOp::Equal, b, 0.0)?, &infinite)?;
    // The exponent stays a factor, by which the derivative has one in turn.
    mul(b, &select(&constant, &full(b, raised.dtype(), Default::default(), 0.0)?, &raised)?)
}

/// How often `b` is taken from `a` in their remainder `y`, negative. Of an infinite `b` once, where the signs differ.
fn negative_quotient(a: &Array, b: &Array, y: &Array) -> Result<Array> {
    let number = |value: f64| full(a, y.dtype(), Default::default(), value);
    let quotient = neg(&binary(BinaryOp::FloorDivide, a, b)?)?;
    let once = select(&binary(BinaryOp::Equal, a, y)?, &number(0.0)?, &number(1.0)?)?;
    select(&unary(UnaryOp::IsInf, b)?, &once, &quotient)
}

/// `log(a) a^b`, 0 where the base is.
fn power_of_exponent(a: &Array, y: &Array) -> Result<Array> {
    let zero = with_scalar(BinaryOp::Equal, a, 0.0)?;
    let one = full(a, a.dtype(), Default::default(), 1.0)?;
    let log = unary(UnaryOp::Log, &select(&zero, &one, a)?)?;
    mul(&log, y)
}
