//! Element-wise ops.

use super::{Cotangents, not_linear};
use crate::transform::linear::Operand;
use crate::transform::ops::{self, cast, conj, div, mul, neg, real, select, sum_to, times_i};
use crate::{Array, BinaryOp, Op, Result, UnaryOp};
use smallvec::smallvec;

pub(super) fn transpose(op: &Op, operands: &[Operand], ct: &Array) -> Result<Cotangents> {
    Ok(match op {
        Op::Unary(op) => smallvec![Some(unary(*op, &operands[0], ct)?)],
        Op::Cast { .. } => {
            let to = operands[0].dtype();
            let ct = if to.is_complex() { ct.clone() } else { real(ct)? };
            smallvec![Some(cast(&ct, to)?)]
        }
        Op::Where => {
            let Operand::Known(condition) = &operands[0] else { not_linear(op) };
            let zeros = ops::full(ct, ct.dtype(), Default::default(), 0.0)?;
            let part = |operand: &Operand, first: bool| -> Result<Option<Array>> {
                if !operand.is_noted() {
                    return Ok(None);
                }
                let [a, b] = if first { [ct, &zeros] } else { [&zeros, ct] };
                Ok(Some(sum_to(&select(condition, a, b)?, operand.shape())?))
            };
            smallvec![None, part(&operands[1], true)?, part(&operands[2], false)?]
        }
        Op::Binary(op) => {
            let [a, b] = operands else { not_linear(&Op::Binary(*op)) };
            let part = |operand: &Operand, ct: Array| -> Result<Option<Array>> {
                Ok(if operand.is_noted() { Some(sum_to(&ct, operand.shape())?) } else { None })
            };
            match (op, a, b) {
                (BinaryOp::Add, ..) => smallvec![part(a, ct.clone())?, part(b, ct.clone())?],
                (BinaryOp::Subtract, ..) => smallvec![part(a, ct.clone())?, part(b, neg(ct)?)?],
                (BinaryOp::Multiply, _, Operand::Known(by)) => smallvec![part(a, mul(ct, by)?)?, None],
                (BinaryOp::Multiply, Operand::Known(by), _) => smallvec![None, part(b, mul(ct, by)?)?],
                (BinaryOp::Divide, _, Operand::Known(by)) => smallvec![part(a, div(ct, by)?)?, None],
                _ => not_linear(&Op::Binary(*op)),
            }
        }
        _ => not_linear(op),
    })
}

fn unary(op: UnaryOp, x: &Operand, ct: &Array) -> Result<Array> {
    let complex = x.dtype().is_complex();
    match op {
        UnaryOp::Negative => neg(ct),
        UnaryOp::Conj => conj(ct),
        UnaryOp::Real if complex => cast(ct, x.dtype()),
        UnaryOp::Real => Ok(ct.clone()),
        // The imaginary part of z is the real part of -i z.
        UnaryOp::Imag => neg(&times_i(ct, x.dtype())?),
        _ => not_linear(&Op::Unary(op)),
    }
}
