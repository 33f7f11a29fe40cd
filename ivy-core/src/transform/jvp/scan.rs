//! Running reductions.

use super::Linearized;
use crate::transform::ops::{
    add, binary, full, iota, mul, pad, reshape, run, select, slice, unary, zeros_like,
};
use crate::{Array, BinaryOp, Dims, Op, Result, ScanOp, Shape, UnaryOp};
use smallvec::smallvec;

pub(super) fn jvp(op: ScanOp, axis: usize, initial: bool, call: &Linearized<'_>) -> Result<Array> {
    let (x, t) = (call.x[0], call.tangent(0)?);
    let change = match op {
        ScanOp::Sum => return run(call.op, &[&t]),
        ScanOp::Prod => products(x, &t, axis)?,
        ScanOp::Min | ScanOp::Max => extremes(x, &t, axis, op)?,
        // Of integers, which do not change.
        ScanOp::And | ScanOp::Or => zeros_like(x)?,
    };
    if initial { pad(&change, axis, 1, 0) } else { Ok(change) }
}

/// Of `y[i] = y[i - 1] x[i]`: `t[i] = x[i] t[i - 1] + y[i - 1] tx[i]`, by doubling, and without a division.
fn products(x: &Array, tangent: &Array, axis: usize) -> Result<Array> {
    let len = x.shape()[axis];
    let scan = Op::Scan { op: ScanOp::Prod, axis, include_initial: true };
    let before = slice(&run(&scan, &[x])?, axis, 0, len)?;
    let (mut factor, mut change) = (x.clone(), mul(tangent, &before)?);
    let mut distance = 1;
    while distance < len {
        let shifted = |x: &Array| pad(&slice(x, axis, 0, len - distance)?, axis, distance, 0);
        change = add(&change, &mul(&shifted(&change)?, &factor)?)?;
        factor = mul(&factor, &shifted(&factor)?)?;
        distance *= 2;
    }
    Ok(change)
}

/// Of the least or greatest so far: the tangent of the element that it is, the first of equal ones.
fn extremes(x: &Array, tangent: &Array, axis: usize, op: ScanOp) -> Result<Array> {
    let len = x.shape()[axis];
    if len == 0 {
        return Ok(tangent.clone());
    }
    let running = run(&Op::Scan { op, axis, include_initial: false }, &[x])?;
    let (own, last) = (slice(x, axis, 1, len - 1)?, slice(&running, axis, 0, len - 1)?);
    let better = binary(if op == ScanOp::Max { BinaryOp::Greater } else { BinaryOp::Less }, &own, &last)?;
    // The first NaN stays.
    let whole = unary(UnaryOp::LogicalNot, &unary(UnaryOp::IsNan, &last)?)?;
    let spoilt = binary(BinaryOp::LogicalAnd, &unary(UnaryOp::IsNan, &own)?, &whole)?;
    let better = pad(&binary(BinaryOp::LogicalOr, &better, &spoilt)?, axis, 1, 0)?;
    let mut dims: Dims = smallvec![1; x.ndim()];
    dims[axis] = len;
    let number = reshape(&iota(x, len)?, Shape::from(dims))?;
    let zero = full(x, number.dtype(), Shape::default(), 0.0)?;
    let from = select(&better, &number, &zero)?;
    let from = run(&Op::Scan { op: ScanOp::Max, axis, include_initial: false }, &[&from])?;
    run(&Op::TakeAlongAxis { axis }, &[tangent, &from])
}
