//! Complex numbers, as pairs. complex64 multiplies in float64 and rounds once, as the reference
//! does.

use super::{Parts, float, math};
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
        UnaryOp::Abs => smallvec![size(b, re, im)?],
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
        _ => math::complex::unary(b, op, [re, im])?.into(),
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
        _ => math::complex::binary(b, op, [x[0], x[1]], [y[0], y[1]])?.into(),
    })
}

/// The distance from 0, infinite if a part is.
fn size(b: &mut Builder, re: Id, im: Id) -> Option<Id> {
    if b.ty(re) == Type::F64 {
        return math::binary(b, BinaryOp::Hypot, re, im);
    }
    // The squares of float32 neither overflow nor vanish in float64.
    let [x, y] = [re, im].map(|id| b.convert(id, Type::F64));
    let (xx, yy) = (b.binary(Code::Mul, x, x), b.binary(Code::Mul, y, y));
    let square = b.binary(Code::Add, xx, yy);
    let root = b.unary(Code::Sqrt, square);
    let infinity = b.float(Type::F64, f64::INFINITY);
    let infinite = [xx, yy].map(|id| b.binary(Code::Eq, id, infinity));
    let either = b.binary(Code::Or, infinite[0], infinite[1]);
    let root = b.select(either, infinity, root);
    Some(b.convert(root, Type::F32))
}

fn multiply(b: &mut Builder, x: &Parts, y: &Parts) -> Parts {
    let ty = b.ty(x[0]);
    let [xr, xi, yr, yi] = [x[0], x[1], y[0], y[1]].map(|id| b.convert(id, Type::F64));
    let mut product = |a, c| b.binary(Code::Mul, a, c);
    let (rr, ii, ri, ir) = (product(xr, yr), product(xi, yi), product(xr, yi), product(xi, yr));
    let (re, im) = (b.binary(Code::Sub, rr, ii), b.binary(Code::Add, ri, ir));
    smallvec![b.convert(re, ty), b.convert(im, ty)]
}
