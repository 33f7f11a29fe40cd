//! Complex numbers, as pairs. complex64 multiplies in float64 and rounds once, as the reference
//! does; quotients and functions have no form yet.

use super::{Parts, float};
use crate::ir::{Builder, Code, Id, Type};
use ivy_core::{BinaryOp, Dtype, UnaryOp};
use smallvec::smallvec;

pub(super) fn unary(b: &mut Builder, op: UnaryOp, dtype: Dtype, x: &Parts) -> Option<Parts> {
    let (re, im, part) = (x[0], x[1], dtype.real_part());
    let both = |b: &mut Builder, op: UnaryOp| -> Option<(Id, Id)> {
        Some((float::unary(b, op, part, re)?, float::unary(b, op, part, im)?))
    };
    Some(match op {
        UnaryOp::Real => smallvec![re],
        UnaryOp::Imag => smallvec![im],
        UnaryOp::Conj => smallvec![re, b.unary(Code::Neg, im)],
        UnaryOp::Negative | UnaryOp::Round => {
            let (re, im) = both(b, op)?;
            smallvec![re, im]
        }
        UnaryOp::IsFinite => {
            let (re, im) = both(b, op)?;
            smallvec![b.binary(Code::And, re, im)]
        }
        UnaryOp::IsInf | UnaryOp::IsNan => {
            let (re, im) = both(b, op)?;
            smallvec![b.binary(Code::Or, re, im)]
        }
        UnaryOp::Square => multiply(b, x, x),
        _ => return None,
    })
}

pub(super) fn binary(b: &mut Builder, op: BinaryOp, x: &Parts, y: &Parts) -> Option<Parts> {
    let mut both = |code| [0, 1].map(|i| b.binary(code, x[i], y[i]));
    Some(match op {
        BinaryOp::Add => both(Code::Add).into(),
        BinaryOp::Subtract => both(Code::Sub).into(),
        BinaryOp::Equal => {
            let [re, im] = both(Code::Eq);
            smallvec![b.binary(Code::And, re, im)]
        }
        BinaryOp::NotEqual => {
            let [re, im] = both(Code::Ne);
            smallvec![b.binary(Code::Or, re, im)]
        }
        BinaryOp::Multiply => multiply(b, x, y),
        _ => return None,
    })
}

fn multiply(b: &mut Builder, x: &Parts, y: &Parts) -> Parts {
    let ty = b.ty(x[0]);
    let [xr, xi, yr, yi] = [x[0], x[1], y[0], y[1]].map(|id| b.convert(id, Type::F64));
    let mut product = |a, c| b.binary(Code::Mul, a, c);
    let (rr, ii, ri, ir) = (product(xr, yr), product(xi, yi), product(xr, yi), product(xi, yr));
    let (re, im) = (b.binary(Code::Sub, rr, ii), b.binary(Code::Add, ri, ir));
    smallvec![b.convert(re, ty), b.convert(im, ty)]
}
