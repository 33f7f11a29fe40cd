//! LU decomposition and triangular solves.

use crate::array::IntoOperand;
use crate::call::{call, call_one};
use crate::function::{Body, Bound, Composition, Outputs, Request};
use crate::functional::{TakeAlongAxis, broadcast_to, expand_dims, squeeze, take_along_axis};
use crate::{Array, ErrorKind, LinalgOp, Op, Result, Shape, params, primitive, shape};
use smallvec::smallvec;

/// Refuses what is no stack of square matrices; gives their side.
fn squares(function: &'static str, argument: &'static str, shape: &[usize]) -> Result<usize> {
    match *shape {
        [.., m, n] if m == n => Ok(n),
        _ => {
            let expected = "a square matrix in the last two axes".into();
            Err(ErrorKind::ShapeMismatch { function, argument, expected, actual: shape.into() }.into())
        }
    }
}

/// Refuses right-hand sides that do not go with matrices.
fn check_sides(function: &'static str, argument: &'static str, a: &[usize], b: &[usize]) -> Result<()> {
    let n = a[a.len() - 1];
    if !matches!(*b, [rows] | [.., rows, _] if rows == n) {
        let expected = format!("({n},) or (..., {n}, k)");
        return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual: b.into() }.into());
    }
    if b.len() > 2 {
        shape::broadcast(function, &[&a[..a.len() - 2], &b[..b.len() - 2]])?;
    }
    Ok(())
}

params! {
    /// Keyword arguments of [`solve_triangular`].
    pub struct SolveTriangular {
        /// Whether the matrix is the upper triangle; otherwise the lower one.
        upper: bool = true,
        /// The adjoint of the triangle, which is its conjugate transpose, in its place.
        flag adjoint,
        /// Ones on the diagonal, which is not read.
        flag unit_diagonal,
    }
}

describe! {
    SOLVE_TRIANGULAR = "solve_triangular", LinearAlgebra, Primary, (x1: Promoted, x2: Promoted),
    PromoteFloat -> [Compute], Bound::Matmul, params: SolveTriangular::new(), example: [&[1, 1], &[1, 1]],
    Body::Op(lower)
}

fn lower(request: &Request<'_>) -> Result<Op> {
    let (function, a, b) = (request.function.name, request.shape(0), request.shape(1));
    squares(function, "x1", a)?;
    check_sides(function, "x2", a, b)?;
    let &SolveTriangular { upper, adjoint, unit_diagonal, .. } = request.params::<SolveTriangular>();
    Ok(Op::Linalg(LinalgOp::SolveTriangular { upper, adjoint, unit_diagonal }))
}

/// Triangular solve: the `x` with `x1 x = x2` for a triangular matrix: of the other triangle nothing is read. A
/// one-dimensional `x2` is a column, and its axis is that of the result; otherwise the last axis of `x2` numbers
/// right-hand sides, and leading axes broadcast.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::SolveTriangular;
/// let a = Array::try_from([[2.0f32, 1.0], [9.0, 4.0]])?;
/// let b = Array::try_from([4.0f32, 8.0])?;
/// assert_eq!(ivy::solve_triangular(&a, &b, ())?.to_vec::<f32>()?, [1.0, 2.0]);
/// let lower = SolveTriangular::new().upper(false);
/// assert_eq!(ivy::solve_triangular(&a, &b, lower)?.to_vec::<f32>()?, [2.0, -2.5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](ErrorKind::ShapeMismatch) for matrices that are not square or that do not fit,
/// [`BroadcastShapes`](ErrorKind::BroadcastShapes) of the leading axes,
/// [`SingularMatrix`](ErrorKind::SingularMatrix) for a zero on the diagonal.
pub fn solve_triangular<'a, 'b>(
    x1: impl IntoOperand<'a>,
    x2: impl IntoOperand<'b>,
    params: impl Into<SolveTriangular>,
) -> Result<Array> {
    call_one(&SOLVE_TRIANGULAR, &[x1.into_operand(), x2.into_operand()], &params.into())
}

/// The results of [`lu_factor`].
#[derive(Clone, Debug)]
pub struct LuFactors {
    /// The upper factor, and below its diagonal the lower one, whose own diagonal is ones.
    pub lu: Array,
    /// Which row of the matrix is each row of the factors' product; int64.
    pub p: Array,
}

describe! {
    LU_FACTOR = "lu_factor", LinearAlgebra, Primary, (A: Promoted), PromoteFloat -> [Compute, Index],
    Bound::Residual, params: (), example: [&[1, 1]], Body::Op(|request| {
        squares(request.function.name, "A", request.shape(0))?;
        Ok(Op::Linalg(LinalgOp::LuFactor))
    })
}

/// LU decomposition with partial pivoting: the triangular factors of square matrices with rows exchanged: row `p[i]` of
/// the matrix is row `i` of `L U`. Rows are chosen so that no element of `L` is greater than 1.
///
/// ```
/// use ivy::prelude::*;
/// let factors = ivy::lu_factor(&Array::try_from([[1.0f32, 2.0], [4.0, 4.0]])?)?;
/// assert_eq!(factors.lu.to_vec::<f32>()?, [4.0, 4.0, 0.25, 1.0]);
/// assert_eq!(factors.p.to_vec::<i64>()?, [1, 0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](ErrorKind::ShapeMismatch) for matrices that are not square,
/// [`SingularMatrix`](ErrorKind::SingularMatrix).
#[allow(non_snake_case)]
pub fn lu_factor<'a>(A: impl IntoOperand<'a>) -> Result<LuFactors> {
    let mut outputs = call(&LU_FACTOR, &[A.into_operand()], &())?.into_iter();
    let mut next = || outputs.next().expect("lu_factor has two results");
    Ok(LuFactors { lu: next(), p: next() })
}

describe! {
    LU_SOLVE = "lu_solve", LinearAlgebra, Compositional, (lu: Promoted, p: Index, b: Promoted),
    PromoteFloat -> [Compute], Bound::Matmul, params: (), example: [&[2, 2], &[2], &[2, 2]],
    Body::Compose(compose_lu_solve)
}

fn compose_lu_solve(call: &Composition<'_>) -> Result<Outputs> {
    let (function, lu, p, b) = (call.function.name, call.array(0), call.array(1), call.array(2));
    squares(function, "lu", lu.shape())?;
    let rows = &lu.shape()[..lu.ndim() - 1];
    if p.shape()[..] != *rows {
        let (expected, actual) = (Shape::from(rows).to_string(), p.shape().clone());
        return Err(ErrorKind::ShapeMismatch { function, argument: "p", expected, actual }.into());
    }
    check_sides(function, "b", lu.shape(), b.shape())?;
    let column = if b.ndim() == 1 { expand_dims(b, -1)? } else { b.clone() };
    // The rows of each matrix have an order of their own, so that there are as many right-hand sides.
    let own = |x: &Array| Shape::from(&x.shape()[..x.ndim() - 2]);
    let lead = shape::broadcast(function, &[own(lu), own(&column)])?;
    let spread = |x: &Array| -> Result<Array> {
        let all: Shape = lead.iter().chain(&x.shape()[x.ndim() - 2..]).copied().collect();
        if *x.shape() == all { Ok(x.clone()) } else { broadcast_to(x, all) }
    };
    let order = spread(&expand_dims(p, -1)?)?;
    let ordered = take_along_axis(spread(&column)?, order, TakeAlongAxis::new().axis(-2))?;
    let solved = |x: &Array, upper: bool| {
        let op = LinalgOp::SolveTriangular { upper, adjoint: false, unit_diagonal: !upper };
        primitive::run(function, &Op::Linalg(op), &[lu, x])
    };
    let found = solved(&solved(&ordered, false)?, true)?;
    Ok(smallvec![if b.ndim() == 1 { squeeze(found, -1)? } else { found }])
}

/// Linear solve by an LU decomposition: the solution of equations whose matrix [`lu_factor`] has factored. Right-hand
/// sides are as for [`solve_triangular`].
///
/// ```
/// use ivy::prelude::*;
/// let factors = ivy::lu_factor(&Array::try_from([[1.0f32, 2.0], [4.0, 4.0]])?)?;
/// let b = Array::try_from([5.0f32, 12.0])?;
/// assert_eq!(ivy::lu_solve(&factors.lu, &factors.p, &b)?.to_vec::<f32>()?, [1.0, 2.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`solve_triangular`]; [`ShapeMismatch`](ErrorKind::ShapeMismatch) unless `p` has a number for each row, and
/// [`IndexOutOfRange`](ErrorKind::IndexOutOfRange) in it.
pub fn lu_solve<'a, 'b, 'c>(
    lu: impl IntoOperand<'a>,
    p: impl IntoOperand<'b>,
    b: impl IntoOperand<'c>,
) -> Result<Array> {
    call_one(&LU_SOLVE, &[lu.into_operand(), p.into_operand(), b.into_operand()], &())
}
