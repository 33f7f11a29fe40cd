//! Linear solves, inverses and determinants.

use super::adjoint;
use super::checks::squares;
use crate::array::IntoOperand;
use crate::call::{call, call_one};
use crate::function::{Body, Bound, Request};
use crate::{Array, ErrorKind, LinalgOp, Op, Result, params, shape};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`inv_with`] and [`solve_with`].
    pub struct InvParams {
        /// Whether the matrix is taken transposed and conjugated.
        extended flag adjoint,
    }
}

/// Keyword arguments of [`solve_with`], the same as of [`inv_with`].
pub type SolveParams = InvParams;

describe! {
    INV = "inv", Linalg, Primary, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Residual, params: InvParams::new(), example: [&[1, 1]], Body::Op(|r| lower(r, LinalgOp::Inv)),
    extended: |call| Ok(smallvec![inv(adjoint(call.array(0))?)?])
}
describe! {
    DET = "det", Linalg, Primary, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Residual, params: (), example: [&[2, 2]], Body::Op(|r| lower(r, LinalgOp::Det))
}
describe! {
    SLOGDET = "slogdet", Linalg, Primary, (x: Promoted), PromoteFloat -> [Compute, RealPart],
    Bound::Residual, params: (), example: [&[2, 2]], Body::Op(|r| lower(r, LinalgOp::Slogdet))
}
describe! {
    SOLVE = "solve", Linalg, Primary, (x1: Promoted, x2: Promoted), PromoteFloat -> [Compute],
    Bound::Residual, params: SolveParams::new(), example: [&[1, 1], &[1]], Body::Op(lower_solve),
    extended: |call| Ok(smallvec![solve(adjoint(call.array(0))?, call.array(1))?])
}

fn lower(request: &Request<'_>, op: LinalgOp) -> Result<Op> {
    squares(request.function.name, "x", request.shape(0))?;
    Ok(Op::Linalg(op))
}

fn lower_solve(request: &Request<'_>) -> Result<Op> {
    let (function, a, b) = (request.function.name, request.shape(0), request.shape(1));
    let n = squares(function, "x1", a)?;
    let rows = match b {
        [] => None,
        [n] => Some(*n),
        [.., n, _] => Some(*n),
    };
    if rows != Some(n) {
        let expected = format!("({n},) or (..., {n}, k)");
        return Err(ErrorKind::ShapeMismatch { function, argument: "x2", expected, actual: b.into() }.into());
    }
    if b.len() > 2 {
        shape::broadcast(function, &[&a[..a.len() - 2], &b[..b.len() - 2]])?;
    }
    Ok(Op::Linalg(LinalgOp::Solve))
}

/// Matrix inverse of each matrix.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[2.0f32, 0.0], [0.0, 4.0]])?;
/// assert_eq!(ivy::linalg::inv(&x)?.to_vec::<f32>()?, [0.5, 0.0, 0.0, 0.25]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for matrices that are not square,
/// [`SingularMatrix`](crate::ErrorKind::SingularMatrix).
pub fn inv<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    call_one(&INV, &[x.into_operand()], &())
}

/// Linear solve: the `x` with `x1 x = x2`. A one-dimensional `x2` is a column, and its axis is that of the result;
/// otherwise the last axis of `x2` numbers right-hand sides, and leading axes broadcast.
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for matrices that are not square or that
/// do not fit, [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes) of the leading axes,
/// [`SingularMatrix`](crate::ErrorKind::SingularMatrix).
pub fn solve<'a, 'b>(x1: impl IntoOperand<'a>, x2: impl IntoOperand<'b>) -> Result<Array> {
    call_one(&SOLVE, &[x1.into_operand(), x2.into_operand()], &())
}

/// [`inv`] with keyword arguments.
///
/// # Errors
/// As [`inv`].
pub fn inv_with<'a>(x: impl IntoOperand<'a>, params: impl Into<InvParams>) -> Result<Array> {
    call_one(&INV, &[x.into_operand()], &params.into())
}

/// [`solve`] with keyword arguments: with `adjoint` the `x` with `x1^H x = x2`.
///
/// # Errors
/// As [`solve`].
pub fn solve_with<'a, 'b>(
    x1: impl IntoOperand<'a>,
    x2: impl IntoOperand<'b>,
    params: impl Into<SolveParams>,
) -> Result<Array> {
    call_one(&SOLVE, &[x1.into_operand(), x2.into_operand()], &params.into())
}

/// Determinant of each matrix.
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for matrices that are not square.
pub fn det<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    call_one(&DET, &[x.into_operand()], &())
}

/// The results of [`slogdet`].
#[derive(Clone, Debug)]
pub struct Slogdet {
    /// The sign: a number of magnitude 1, or 0 of a singular matrix.
    pub sign: Array,
    /// The logarithm of the magnitude; real, negative infinity of a singular matrix.
    pub logabsdet: Array,
}

/// Sign and log-determinant: the sign and the logarithm of the determinant, which may be beyond the range of its dtype.
///
/// ```
/// use ivy::prelude::*;
/// let parts = ivy::linalg::slogdet(Array::try_from([[0.0f32, 1.0], [1.0, 0.0]])?)?;
/// assert_eq!((parts.sign.item::<f32>()?, parts.logabsdet.item::<f32>()?), (-1.0, 0.0));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`det`].
pub fn slogdet<'a>(x: impl IntoOperand<'a>) -> Result<Slogdet> {
    let mut outputs = call(&SLOGDET, &[x.into_operand()], &())?.into_iter();
    let mut next = || outputs.next().expect("slogdet has two results");
    Ok(Slogdet { sign: next(), logabsdet: next() })
}
