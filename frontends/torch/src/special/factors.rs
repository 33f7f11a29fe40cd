//! Factors of square matrices by LU and Cholesky's decompositions, solutions by them, and the functions that say which
//! matrices failed: none, since a matrix that has no factors is an error here.

use super::matrices::{adjoint, square};
use super::support::{Out, cast, inexact, iota, reshaped, runtime, tensor};
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::specials::{several, tuple};
use ivy_frontend::{Call, Value, compute, kw};

/// 0 for each matrix.
fn info(call: &Call<'_>, x: &Array) -> Result<Array> {
    let shape: Vec<i64> = x.shape()[..x.ndim() - 2].iter().map(|&n| n as i64).collect();
    compute!(call, "zeros", [shape], dtype = Dtype::INT32)
}

/// An inverse, and 0 for each matrix; of a singular one the error is that of the inverse.
pub(crate) fn inv_ex(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    square(call, &x)?;
    Ok(tuple([compute!(call, "linalg.inv", [&x])?, info(call, &x)?]))
}

/// `solve_ex(A, solution)`: a solution, and 0 for each matrix.
pub(crate) fn solve_ex(call: &mut Call<'_>) -> Out {
    let (x, solution) = (tensor(call, 0)?, tensor(call, 1)?);
    Ok(tuple([solution, info(call, &x)?]))
}

/// `cholesky_ex(A, upper)`: a factor, and 0 for each matrix; of one that is not positive definite the error is that of the
/// decomposition.
pub(crate) fn cholesky_ex(call: &mut Call<'_>) -> Out {
    let (x, upper) = (tensor(call, 0)?, call.flag(1)?);
    square(call, &x)?;
    Ok(tuple([compute!(call, "linalg.cholesky", [&x], upper = upper)?, info(call, &x)?]))
}

/// Which row of a matrix each row of the product of its factors is, with both factors in one matrix.
fn factors(call: &Call<'_>, pivot: usize) -> Result<(Array, Array)> {
    let x = tensor(call, 0)?;
    square(call, &x)?;
    if !call.flag(pivot)? {
        return Err(runtime(call, "pivot", "LU without pivoting is not implemented"));
    }
    match <[Array; 2]>::try_from(several(call, call.core("lu_factor", &[(&x).into()], kw! {})?)?) {
        Ok([both, order]) => Ok((both, order)),
        Err(_) => Err(runtime(call, "A", "there are two factors")),
    }
}

/// The factors in one matrix, and which rows were exchanged, as LAPACK counts: row `i` with row `pivots[i]`, from 1.
fn pivoted(call: &Call<'_>) -> Result<[Array; 2]> {
    let (both, order) = factors(call, 1)?;
    let side = both.shape()[both.ndim() - 1];
    let mut pivots = Vec::with_capacity(order.size());
    for wanted in order.to_vec::<i64>()?.chunks(side.max(1)) {
        let mut rows: Vec<i64> = (0..side as i64).collect();
        for (i, &row) in wanted.iter().enumerate() {
            let at = rows.iter().position(|&r| r == row).unwrap_or(i);
            rows.swap(i, at);
            pivots.push(at as i64 + 1);
        }
    }
    let pivots = call.make_array(&Value::from(pivots), Some(Dtype::INT32))?;
    Ok([both, reshaped(&pivots, order.shape().clone())?])
}

/// `lu_factor(A, pivot)`
pub(crate) fn lu_factor(call: &mut Call<'_>) -> Out {
    Ok(tuple(pivoted(call)?))
}

/// `lu_factor_ex(A, pivot)`
pub(crate) fn lu_factor_ex(call: &mut Call<'_>) -> Out {
    let [both, pivots] = pivoted(call)?;
    let info = info(call, &both)?;
    Ok(tuple([both, pivots, info]))
}

/// The order of rows that exchanges come to.
fn order_of(call: &Call<'_>, pivots: &Array) -> Result<Array> {
    let side = pivots.shape()[pivots.ndim() - 1];
    let mut order = Vec::with_capacity(pivots.size());
    for exchanges in cast(pivots, Some(Dtype::INT64))?.to_vec::<i64>()?.chunks(side.max(1)) {
        let mut rows: Vec<i64> = (0..side as i64).collect();
        for (i, &with) in exchanges.iter().enumerate() {
            let at = usize::try_from(with - 1).ok().filter(|&at| at < side);
            rows.swap(i, at.ok_or_else(|| runtime(call, "pivots", "a pivot is no row"))?);
        }
        order.extend(rows);
    }
    reshaped(&call.make_array(&Value::from(order), Some(Dtype::INT64))?, pivots.shape().clone())
}

/// Pivots, as many as the matrix of the factors has rows.
fn pivots_of(call: &Call<'_>, both: &Array, i: usize) -> Result<Array> {
    square(call, both)?;
    let pivots = tensor(call, i)?;
    if pivots.dtype() != Dtype::INT32 {
        let rule = format!("pivots are int32, as lu_factor gives them, and not {}", pivots.dtype());
        return Err(runtime(call, "pivots", rule));
    }
    if pivots.shape()[..] != both.shape()[..both.ndim() - 1] {
        let rule = "Number of pivots per batch should be same as the dimension of the matrix";
        return Err(runtime(call, "pivots", rule));
    }
    Ok(pivots)
}

/// `lu_solve(LU, pivots, B, left, adjoint)`: the solution by such factors, of `A X = B`, of `X A = B`, or of the adjoint matrix.
pub(crate) fn lu_solve(call: &mut Call<'_>) -> Out {
    let (both, b) = (tensor(call, 0)?, tensor(call, 2)?);
    let order = order_of(call, &pivots_of(call, &both, 1)?)?;
    let (left, of_adjoint) = (call.flag(3)?, call.flag(4)?);
    if b.ndim() < 2 {
        return Err(runtime(call, "B", "at least 2 dimensions are needed"));
    }
    // X A = B is A^H X^H = B^H.
    let b = if left { b } else { adjoint(call, &b)? };
    let found = match of_adjoint == left {
        false => compute!(call, "lu_solve", [&both, &order, &b])?,
        true => {
            let upper = compute!(call, "solve_triangular", [&both, &b], upper = true, adjoint = true)?;
            let lower = compute!(
                call,
                "solve_triangular",
                [&both, &upper],
                upper = false,
                adjoint = true,
                unit_diagonal = true
            )?;
            let places = f::expand_dims(f::argsort(&order, ())?, -1)?;
            compute!(call, "take_along_axis", [&lower, &places], axis = -2)?
        }
    };
    Ok(if left { found } else { adjoint(call, &found)? }.into())
}

/// The permutation matrix `P` of `P L U`, of the order of rows in `L U`.
fn permutation(call: &Call<'_>, order: &Array, dtype: Dtype) -> Result<Array> {
    let rows = iota(call, order.shape()[order.ndim() - 1])?;
    let is_row = f::equal(f::expand_dims(&rows, -1)?, f::expand_dims(order, -2)?)?;
    cast(&is_row, Some(dtype))
}

/// The triangles of the factors in one matrix.
fn triangles(call: &Call<'_>, both: &Array) -> Result<[Array; 2]> {
    let below = compute!(call, "tril", [both], k = -1)?;
    let side = both.shape()[both.ndim() - 1] as i64;
    let unit = compute!(call, "eye", [side], dtype = both.dtype())?;
    Ok([f::add(&below, &unit)?, compute!(call, "triu", [both])?])
}

/// `lu(A, pivot)`: a permutation matrix and the triangles.
pub(crate) fn lu(call: &mut Call<'_>) -> Out {
    let (both, order) = factors(call, 1)?;
    let [lower, upper] = triangles(call, &both)?;
    Ok(tuple([permutation(call, &order, both.dtype())?, lower, upper]))
}

/// `lu_unpack(LU, pivots, unpack_data, unpack_pivots)`: likewise of such factors; what is not wanted has no elements.
pub(crate) fn lu_unpack(call: &mut Call<'_>) -> Out {
    let both = tensor(call, 0)?;
    inexact(call, &both)?;
    let pivots = pivots_of(call, &both, 1)?;
    let empty = || compute!(call, "zeros", [vec![0]], dtype = both.dtype());
    let [lower, upper] = if call.flag(2)? { triangles(call, &both)? } else { [empty()?, empty()?] };
    let p =
        if call.flag(3)? { permutation(call, &order_of(call, &pivots)?, both.dtype())? } else { empty()? };
    Ok(tuple([p, lower, upper]))
}
