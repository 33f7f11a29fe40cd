//! Decompositions of matrices, and what is computed by them.
//!
//! The formulas are those of M. Giles, "Collected matrix derivative results for forward and reverse mode
//! algorithmic differentiation" (2008), and for the complex cases of the same identities with adjoints.

use super::{Linearized, Tangents, det};
use crate::transform::ops::{
    add, adjoint, binary, broadcast_to, cast, div, full, mul, neg, real, reduce, reshape, run, scale, select,
    slice, sub, unary, with_scalar,
};
use crate::{Array, BinaryOp, Dims, Dtype, LinalgOp, Op, ReduceOp, Result, Scalar, Shape, UnaryOp};
use smallvec::smallvec;

pub(super) fn jvp(op: LinalgOp, call: &Linearized<'_>) -> Result<Tangents> {
    let (x, y) = (call.x[0], call.y.all()?);
    let tangent = || call.tangent(0);
    Ok(match op {
        LinalgOp::Cholesky { upper } => smallvec![Some(cholesky(upper, &y[0], &tangent()?)?)],
        LinalgOp::Inv => smallvec![Some(neg(&matmul(&matmul(&y[0], &tangent()?)?, &y[0])?)?)],
        LinalgOp::Solve => smallvec![Some(solve(call, tangent)?)],
        LinalgOp::SolveTriangular { upper, adjoint: conjugated, unit_diagonal } => {
            let triangle = || {
                let t = tangent()?;
                let n = t.shape()[t.ndim() - 1];
                let mask = below(&t, n, t.dtype(), if unit_diagonal { 0.0 } else { 1.0 })?;
                let own = mul(&t, &if upper { adjoint(&mask)? } else { mask })?;
                if conjugated { adjoint(&own) } else { Ok(own) }
            };
            smallvec![Some(solve(call, triangle)?)]
        }
        LinalgOp::LuFactor => smallvec![Some(lu_factor(&y[0], &y[1], &tangent()?)?), None],
        LinalgOp::Eigh => {
            let change = congruence(&y[1], &hermitian(&tangent()?)?)?;
            let values = real(&diagonal(&change)?)?;
            let turned = mul(&gaps(&y[0], x.dtype())?, &change)?;
            smallvec![Some(values), Some(matmul(&y[1], &turned)?)]
        }
        LinalgOp::Eigvalsh => {
            let vectors = &all(LinalgOp::Eigh, x)?[1];
            smallvec![Some(real(&diagonal(&congruence(vectors, &hermitian(&tangent()?)?)?)?)?)]
        }
        LinalgOp::Eig => eig(&y[0], &y[1], &tangent()?)?,
        LinalgOp::Eigvals => {
            let both = all(LinalgOp::Eig, x)?;
            smallvec![eig(&both[0], &both[1], &tangent()?)?.swap_remove(0)]
        }
        LinalgOp::Det => smallvec![det::jvp(x, &tangent()?)?],
        LinalgOp::Slogdet => {
            let share = run(&Op::Linalg(LinalgOp::Solve), &[x, &tangent()?])?;
            let trace = last_sum(&diagonal(&share)?, 1)?;
            let sign = match x.dtype().is_complex() {
                true => Some(mul(&y[0], &sub(&trace, &cast(&real(&trace)?, trace.dtype())?)?)?),
                false => None,
            };
            smallvec![sign, Some(real(&trace)?)]
        }
        LinalgOp::Qr { complete } => qr(complete, call)?,
        LinalgOp::Svd { full } => svd(full, call)?,
        LinalgOp::Svdvals => {
            let parts = all(LinalgOp::Svd { full: false }, x)?;
            let change = matmul(&matmul(&adjoint(&parts[0])?, &tangent()?)?, &adjoint(&parts[2])?)?;
            smallvec![Some(real(&diagonal(&change)?)?)]
        }
    })
}

pub(super) fn matmul(a: &Array, b: &Array) -> Result<Array> {
    run(&Op::Matmul, &[a, b])
}

/// All results of a decomposition.
pub(super) fn all(op: LinalgOp, x: &Array) -> Result<Vec<Array>> {
    let backend = x.backend();
    let values = backend.execute(&Op::Linalg(op), &[x.value()])?;
    Ok(values.into_iter().map(|v| Array::from_value(backend.clone(), v)).collect())
}

/// The sum over the last axes.
pub(super) fn last_sum(x: &Array, axes: usize) -> Result<Array> {
    let n = x.ndim();
    reduce(ReduceOp::Sum, x, (n - axes..n).collect(), false)
}

/// Ones on the main diagonal of a matrix, of a dtype.
pub(super) fn eye(beside: &Array, n: usize, dtype: Dtype) -> Result<Array> {
    let backend = beside.backend();
    let op = Op::Eye { rows: n, cols: n, k: 0, dtype };
    Ok(Array::from_value(backend.clone(), backend.execute_one(&op, &[])?))
}

/// 1 below the main diagonal, `on` on it, 0 above.
fn below(beside: &Array, n: usize, dtype: Dtype, on: f64) -> Result<Array> {
    let backend = beside.backend();
    let op = Op::Arange { start: Scalar::Int(0), step: Scalar::Int(1), len: n, dtype: Dtype::INT64 };
    let number = Array::from_value(backend.clone(), backend.execute_one(&op, &[])?);
    let (row, column) = (reshape(&number, [n, 1])?, reshape(&number, [1, n])?);
    let lower = cast(&binary(BinaryOp::Greater, &row, &column)?, dtype)?;
    add(&lower, &scale(&eye(beside, n, dtype)?, on)?)
}

/// The main diagonal of square matrices.
pub(super) fn diagonal(x: &Array) -> Result<Array> {
    let n = x.shape()[x.ndim() - 1];
    last_sum(&mul(x, &eye(x, n, x.dtype())?)?, 1)
}

/// A vector as a row that is broadcast along the matrices' rows, or as a column.
pub(super) fn laid(x: &Array, column: bool) -> Result<Array> {
    let mut dims = Dims::from_slice(x.shape());
    dims.insert(dims.len() - usize::from(!column), 1);
    reshape(x, Shape::from(dims))
}

/// The Hermitian part of a tangent. What reads one triangle of a Hermitian matrix changes with both alike, so that a
/// step along the gradient stays Hermitian, as in JAX and PyTorch.
fn hermitian(x: &Array) -> Result<Array> {
    scale(&add(x, &adjoint(x)?)?, 0.5)
}

/// `V^H A V`.
fn congruence(vectors: &Array, x: &Array) -> Result<Array> {
    matmul(&matmul(&adjoint(vectors)?, x)?, vectors)
}

/// 1 over the difference of column's and row's value, 0 on the diagonal.
fn gaps(values: &Array, dtype: Dtype) -> Result<Array> {
    let n = values.shape()[values.ndim() - 1];
    let unit = eye(values, n, values.dtype())?;
    let apart = add(&sub(&laid(values, false)?, &laid(values, true)?)?, &unit)?;
    cast(&sub(&unary(UnaryOp::Reciprocal, &apart)?, &unit)?, dtype)
}

fn cholesky(upper: bool, factor: &Array, tangent: &Array) -> Result<Array> {
    let lower = if upper { adjoint(factor)? } else { factor.clone() };
    let solve = Op::Linalg(LinalgOp::Solve);
    // L^-1 A' L^-H, of which the lower half is what L changes by.
    let left = run(&solve, &[&lower, &hermitian(tangent)?])?;
    let change = run(&solve, &[&lower, &adjoint(&left)?])?;
    let n = change.shape()[change.ndim() - 1];
    let change = matmul(&lower, &mul(&change, &below(&change, n, change.dtype(), 0.5)?)?)?;
    if upper { adjoint(&change) } else { Ok(change) }
}

/// Of `a x = b`: the solution for `b' - a' x`, where `a'` is what `matrix` gives.
fn solve(call: &Linearized<'_>, matrix: impl Fn() -> Result<Array>) -> Result<Array> {
    let (a, b, y) = (call.x[0], call.x[1], call.y.get(0)?);
    let matrix = call.t[0].map(|_| matrix()).transpose()?;
    let change = match &matrix {
        Some(t) if b.ndim() == 1 => {
            let column: Shape = y.shape().iter().copied().chain([1]).collect();
            Some(neg(&reshape(&matmul(t, &reshape(y, column)?)?, y.shape().clone())?)?)
        }
        Some(t) => Some(neg(&matmul(t, y)?)?),
        None => None,
    };
    let change = match (change, call.t[1]) {
        (Some(change), Some(t)) => add(&change, t)?,
        (Some(change), None) => change,
        (None, Some(t)) => return run(call.op, &[a, t]),
        (None, None) => return full(y, y.dtype(), y.shape().clone(), 0.0),
    };
    if b.ndim() > 1 || change.ndim() == 1 {
        return run(call.op, &[a, &change]);
    }
    let column: Shape = change.shape().iter().copied().chain([1]).collect();
    reshape(&run(call.op, &[a, &reshape(&change, column)?])?, change.shape().clone())
}

/// The tangent of eigenvalues and of eigenvectors, which keep the length 1.
fn eig(values: &Array, vectors: &Array, tangent: &Array) -> Result<Tangents> {
    let tangent = cast(tangent, vectors.dtype())?;
    let change = run(&Op::Linalg(LinalgOp::Solve), &[vectors, &matmul(&tangent, vectors)?])?;
    let turned = matmul(vectors, &mul(&gaps(values, values.dtype())?, &change)?)?;
    // What would change the length is taken off.
    let along = real(&diagonal(&matmul(&adjoint(vectors)?, &turned)?)?)?;
    let along = cast(&laid(&along, false)?, vectors.dtype())?;
    let vectors = sub(&turned, &mul(vectors, &along)?)?;
    Ok(smallvec![Some(diagonal(&change)?), Some(vectors)])
}

/// With `T = L^-1 P A' U^-1`: `L` changes by `L` times what is below the diagonal of `T`, `U` by the rest times `U`.
fn lu_factor(lu: &Array, rows: &Array, tangent: &Array) -> Result<Array> {
    let n = lu.shape()[lu.ndim() - 1];
    let order = broadcast_to(&laid(rows, true)?, tangent.shape())?;
    let permuted = run(&Op::TakeAlongAxis { axis: lu.ndim() - 2 }, &[tangent, &order])?;
    let triangle = |upper, adjoint, unit_diagonal| {
        Op::Linalg(LinalgOp::SolveTriangular { upper, adjoint, unit_diagonal })
    };
    let left = run(&triangle(false, false, true), &[lu, &permuted])?;
    let both = adjoint(&run(&triangle(true, true, false), &[lu, &adjoint(&left)?])?)?;
    let strict = below(lu, n, lu.dtype(), 0.0)?;
    let upper = adjoint(&below(lu, n, lu.dtype(), 1.0)?)?;
    let lower = add(&mul(lu, &strict)?, &eye(lu, n, lu.dtype())?)?;
    let of_lower = matmul(&lower, &mul(&both, &strict)?)?;
    let of_upper = matmul(&mul(&both, &upper)?, &mul(lu, &upper)?)?;
    add(&of_lower, &of_upper)
}

fn qr(complete: bool, call: &Linearized<'_>) -> Result<Tangents> {
    let (x, q, r) = (call.x[0], call.y.get(0)?, call.y.get(1)?);
    let [.., m, n] = x.shape()[..] else { unreachable!("a matrix has two axes") };
    if complete && m > n {
        return call.none("Differentiate the reduced decomposition of a matrix with more rows than columns");
    }
    let tangent = call.tangent(0)?;
    // The first columns, as many as there are rows, are a decomposition of their own.
    let (k, line) = (m.min(n), x.ndim() - 1);
    let (square, first) = (slice(r, line, 0, k)?, slice(&tangent, line, 0, k)?);
    let solve = Op::Linalg(LinalgOp::Solve);
    // A' R^-1, by the solution of the adjoint.
    let change = adjoint(&run(&solve, &[&adjoint(&square)?, &adjoint(&first)?])?)?;
    let inner = matmul(&adjoint(q)?, &change)?;
    let lower = mul(&inner, &below(&inner, k, inner.dtype(), 0.0)?)?;
    let mut skew = sub(&lower, &adjoint(&lower)?)?;
    if x.dtype().is_complex() {
        let unit = eye(&inner, k, inner.dtype())?;
        let on = mul(&inner, &unit)?;
        skew = add(&skew, &sub(&on, &cast(&real(&on)?, on.dtype())?)?)?;
    }
    let orthogonal = add(&matmul(q, &sub(&skew, &inner)?)?, &change)?;
    let triangular = match m < n {
        true => matmul(&adjoint(q)?, &sub(&tangent, &matmul(&orthogonal, r)?)?)?,
        false => matmul(&sub(&inner, &skew)?, r)?,
    };
    Ok(smallvec![Some(orthogonal), Some(triangular)])
}

fn svd(full_matrices: bool, call: &Linearized<'_>) -> Result<Tangents> {
    let (x, u, s, vh) = (call.x[0], call.y.get(0)?, call.y.get(1)?, call.y.get(2)?);
    let [.., m, n] = x.shape()[..] else { unreachable!("a matrix has two axes") };
    if full_matrices && m != n {
        return call.none("Differentiate the reduced decomposition (`full_matrices(false)`)");
    }
    let (dtype, t, v) = (x.dtype(), call.tangent(0)?, adjoint(vh)?);
    let change = matmul(&matmul(&adjoint(u)?, &t)?, &v)?;
    let values = real(&diagonal(&change)?)?;
    // 1 / (s_j^2 - s_i^2), 0 on the diagonal.
    let squares = gaps(&unary(UnaryOp::Square, s)?, dtype)?;
    let wide = cast(s, dtype)?;
    let (row, column) = (laid(&wide, false)?, laid(&wide, true)?);
    let by_row = mul(&change, &row)?;
    let by_column = mul(&column, &change)?;
    let mut of_u = mul(&squares, &add(&by_row, &adjoint(&by_row)?)?)?;
    let of_v = mul(&squares, &add(&by_column, &adjoint(&by_column)?)?)?;
    let safe = nonzero(s)?;
    if dtype.is_complex() {
        // The phases: half of the imaginary part on the diagonal each would be as right; all of it is U's.
        let phase = mul(&change, &eye(&change, s.shape()[s.ndim() - 1], dtype)?)?;
        let phase = sub(&phase, &cast(&real(&phase)?, dtype)?)?;
        of_u = add(&of_u, &div(&phase, &cast(&laid(&safe, false)?, dtype)?)?)?;
    }
    let mut left = matmul(u, &of_u)?;
    let mut right = matmul(&v, &of_v)?;
    let inverse = cast(&laid(&unary(UnaryOp::Reciprocal, &safe)?, false)?, dtype)?;
    if m > n {
        let tv = matmul(&t, &v)?;
        left = add(&left, &mul(&sub(&tv, &matmul(u, &matmul(&adjoint(u)?, &tv)?)?)?, &inverse)?)?;
    }
    if n > m {
        let tu = matmul(&adjoint(&t)?, u)?;
        right = add(&right, &mul(&sub(&tu, &matmul(&v, &matmul(vh, &tu)?)?)?, &inverse)?)?;
    }
    Ok(smallvec![Some(left), Some(values), Some(adjoint(&right)?)])
}

/// Singular values, infinity instead of 0: what is divided by them is left out.
fn nonzero(s: &Array) -> Result<Array> {
    let none = with_scalar(BinaryOp::Equal, s, 0.0)?;
    select(&none, &full(s, s.dtype(), Shape::default(), f64::INFINITY)?, s)
}
