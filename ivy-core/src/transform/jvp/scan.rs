//! Running reductions.

use super::Linearized;
use crate::transform::ops::{
    add, binary, fit, full, iota, mul, pad, reshape, run, select, slice, unary, zeros_like,
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

/// Of `y[i] = y[i - 1] x[i]`: the recurrence `t[i] = x[i] t[i - 1] + y[i - 1] tx[i]`, without a division.
fn products(x: &Array, tangent: &Array, axis: usize) -> Result<Array> {
    let len = x.shape()[axis];
    let scan = Op::Scan { op: ScanOp::Prod, axis, include_initial: true };
    let before = slice(&run(&scan, &[x])?, axis, 0, len)?;
    recurrence(x, &mul(tangent, &before)?, axis)
}

/// `t[i] = factor[i] t[i - 1] + term[i]`, `t[0] = term[0]`, along an axis by cyclic reduction: each element at an odd place
/// is made of the one two places before, which is the same recurrence of half the length, and those at even places
/// follow. All of it is twice the work of the first step (Blelloch, "Prefix sums and their applications", 1990).
fn recurrence(factor: &Array, term: &Array, axis: usize) -> Result<Array> {
    let len = term.shape()[axis];
    if len < 2 {
        return Ok(term.clone());
    }
    let pairs = len.div_ceil(2);
    let (factors, terms) = (in_pairs(factor, axis)?, in_pairs(term, axis)?);
    let (own, first) = (of_pairs(&factors, axis, 1)?, of_pairs(&terms, axis, 0)?);
    let both = mul(&own, &of_pairs(&factors, axis, 0)?)?;
    let odd = recurrence(&both, &add(&of_pairs(&terms, axis, 1)?, &mul(&own, &first)?)?, axis)?;
    let mut even = slice(&first, axis, 0, 1)?;
    if pairs > 1 {
        let own = slice(&of_pairs(&factors, axis, 0)?, axis, 1, pairs - 1)?;
        let behind = mul(&own, &slice(&odd, axis, 0, pairs - 1)?)?;
        let rest = add(&slice(&first, axis, 1, pairs - 1)?, &behind)?;
        even = run(&Op::Concat { axis }, &[&even, &rest])?;
    }
    let apart = |x: &Array| reshape(x, with_axis(x, axis + 1, 1));
    let pairs = run(&Op::Concat { axis: axis + 1 }, &[&apart(&even)?, &apart(&odd)?])?;
    let mut shape = Dims::from_slice(even.shape());
    shape[axis] *= 2;
    slice(&reshape(&pairs, Shape::from(shape))?, axis, 0, len)
}

/// The elements along an axis in pairs, along the next axis; behind the last of an odd number stands a zero.
fn in_pairs(x: &Array, axis: usize) -> Result<Array> {
    let pairs = x.shape()[axis].div_ceil(2);
    let mut shape = with_axis(x, axis + 1, 2);
    shape[axis] = pairs;
    reshape(&fit(x, axis, 2 * pairs)?, shape)
}

/// The first or the second of each pair.
fn of_pairs(x: &Array, axis: usize, which: usize) -> Result<Array> {
    let part = slice(x, axis + 1, which, 1)?;
    let mut shape = Dims::from_slice(x.shape());
    shape.remove(axis + 1);
    reshape(&part, Shape::from(shape))
}

/// The shape with one more axis.
fn with_axis(x: &Array, axis: usize, len: usize) -> Dims {
    let mut shape = Dims::from_slice(x.shape());
    shape.insert(axis, len);
    shape
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
