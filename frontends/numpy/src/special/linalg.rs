//! Solutions, inverses and powers of matrices.

use super::casts::{all_rounded, in_double_of, rounded};
use super::help::{Out, floats, lengths, type_error, value_error};
use ivy_core::functional as f;
use ivy_core::functional::linalg::{QrMode, QrParams, SvdParams};
use ivy_core::functional::{Filled, Reduce, Sum};
use ivy_core::{Array, Dtype, Result, finfo};
use ivy_frontend::{Call, Fault, Value};

/// The error of a matrix that has not the form that is needed.
pub(super) fn matrix_error(call: &Call<'_>, argument: &str, rule: &str) -> ivy_core::Error {
    call.refuse(Fault::Matrix, argument, None, rule)
}

/// What a function of floats gives that computes in double precision, as all of NumPy's do.
fn computed<const N: usize>(
    given: [&Array; N],
    compute: impl FnOnce([Array; N]) -> Result<Array>,
) -> Result<Array> {
    let dtype = f::result_type(given.map(|x| x.dtype()))?;
    let double = in_double_of(dtype);
    let mut operands = given.map(Array::clone);
    for x in &mut operands {
        *x = f::astype(&*x, double)?;
    }
    rounded(&compute(operands)?, double != dtype)
}

/// Square matrices.
fn square(call: &Call<'_>, x: &Array) -> Result<()> {
    let d = x.shape();
    if d.len() < 2 || d[d.len() - 1] != d[d.len() - 2] {
        return Err(matrix_error(call, "a", "Last 2 dimensions of the array must be square"));
    }
    Ok(())
}

/// `a b`
pub fn solve(call: &mut Call<'_>) -> Out {
    let (a, b) = (floats(call.array(0)?)?, floats(call.array(1)?)?);
    square(call, &a)?;
    Ok(computed([&a, &b], |[a, b]| f::linalg::solve(a, b))?.into())
}

/// `a n`
pub fn matrix_power(call: &mut Call<'_>) -> Out {
    let a = call.array(0)?;
    square(call, &a)?;
    let n = match call.value(1) {
        Value::Int(_) => call.int(1)?,
        _ => return Err(type_error(call, "n", "exponent must be an integer")),
    };
    let a = if n < 0 { computed([&floats(a)?], |[a]| f::linalg::inv(a))? } else { a };
    let size = a.shape()[a.ndim() - 1];
    let mut found = f::broadcast_to(f::eye(size, f::Eye::new().dtype(a.dtype()))?, a.shape().clone())?;
    let (mut power, mut left) = (a, n.unsigned_abs());
    while left > 0 {
        if left & 1 == 1 {
            found = f::matmul(found, &power)?;
        }
        left >>= 1;
        if left > 0 {
            power = f::matmul(&power, &power)?;
        }
    }
    Ok(found.into())
}

/// Matrices in a row; the first and the last may be vectors.
pub fn multi_dot(call: &mut Call<'_>) -> Out {
    let all = call.arrays(0)?;
    let [first, middle @ .., last] = &all[..] else {
        return Err(value_error(call, "arrays", "Expecting at least two arrays."));
    };
    if middle.iter().any(|x| x.ndim() != 2)
        || ![1, 2].contains(&first.ndim())
        || ![1, 2].contains(&last.ndim())
    {
        return Err(matrix_error(call, "arrays", "matrices are needed"));
    }
    let row = if first.ndim() == 1 { f::expand_dims(first, 0)? } else { first.clone() };
    let column = if last.ndim() == 1 { f::expand_dims(last, 1)? } else { last.clone() };
    let chain: Vec<&Array> = std::iter::once(&row).chain(middle).chain([&column]).collect();
    let found = f::multi_dot(chain)?;
    let kept = lengths(found.shape()).into_iter().zip([first.ndim() == 2, last.ndim() == 2]);
    let shape: Vec<i64> = kept.filter(|(_, stays)| *stays).map(|(d, _)| d).collect();
    Ok(f::reshape(found, shape, ())?.into())
}

/// `a b axes`
pub fn tensorsolve(call: &mut Call<'_>) -> Out {
    let (mut a, b) = (floats(call.array(0)?)?, floats(call.array(1)?)?);
    if let Some(axes) = call.ints(2)? {
        let ndim = a.ndim() as i64;
        let others = (0..ndim).filter(|axis| !axes.contains(axis));
        a = f::permute_dims(&a, others.chain(axes.iter().copied()).collect::<Vec<i64>>())?;
    }
    let shape = lengths(a.shape());
    let rest = &shape[b.ndim().min(shape.len())..];
    let size: i64 = rest.iter().product();
    if a.size() as i64 != size * size {
        let rule =
            "Input arrays must satisfy the requirement prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])";
        return Err(matrix_error(call, "a", rule));
    }
    let rest = rest.to_vec();
    let found = computed([&a, &b], |[a, b]| {
        let found = f::linalg::solve(f::reshape(&a, [size, size], ())?, f::reshape(&b, [-1], ())?)?;
        f::reshape(found, rest, ())
    });
    Ok(found?.into())
}

/// `a ind`
pub fn tensorinv(call: &mut Call<'_>) -> Out {
    let a = floats(call.array(0)?)?;
    let ind = usize::try_from(call.int(1)?).unwrap_or(0);
    if ind == 0 {
        return Err(value_error(call, "ind", "Invalid ind argument."));
    }
    let shape = lengths(a.shape());
    let (first, last) = shape.split_at(ind.min(shape.len()));
    let (size, rows): (i64, i64) = (last.iter().product(), first.iter().product());
    if size != rows {
        let rule = "Input arrays must satisfy the requirement prod(a.shape[ind:]) == prod(a.shape[:ind])";
        return Err(matrix_error(call, "a", rule));
    }
    let turned: Vec<i64> = last.iter().chain(first).copied().collect();
    let inverse = |[a]: [Array; 1]| f::linalg::inv(f::reshape(&a, [size, size], ())?);
    Ok(f::reshape(computed([&a], inverse)?, turned, ())?.into())
}

/// `a rcond rtol given`: the matrices as floats, and as they were given
pub fn pinv(call: &mut Call<'_>) -> Out {
    let a = call.array(0)?;
    if a.ndim() < 2 {
        return Err(matrix_error(call, "a", "an array of two dimensions at least is needed"));
    }
    if a.shape().iter().rev().take(2).any(|&d| d == 0) {
        // Without anything to compute the dtype stays as it was given.
        return Ok(f::matrix_transpose(f::zeros_like(call.array(3)?, ())?)?.into());
    }
    if !call.value(1).is_none() && !call.value(2).is_none() {
        return Err(value_error(call, "rtol", "`rtol` and `rcond` can't be both set."));
    }
    let given = if call.value(1).is_none() { 2 } else { 1 };
    let cutoff = if call.value(given).is_none() { 1e-15 } else { call.float(given)? };
    let parts = f::linalg::svd(&a, SvdParams::new().full_matrices(false))?;
    let greatest = f::max(&parts.s, Reduce::new().axis(-1).keepdims())?;
    let counts = f::greater(&parts.s, f::multiply(greatest, cutoff)?)?;
    let inverse = f::where_(&counts, f::reciprocal(&parts.s)?, 0.0)?;
    let turned = |x: &Array| -> Result<Array> {
        let x = if x.dtype().is_complex() { f::conj(x)? } else { x.clone() };
        f::matrix_transpose(x)
    };
    let scaled = f::multiply(f::expand_dims(inverse, -1)?, turned(&parts.u)?)?;
    Ok(f::matmul(turned(&parts.vh)?, scaled)?.into())
}

/// A solution with the least squares.
pub(super) struct LeastSquares {
    pub(super) solution: Array,
    pub(super) residuals: Array,
    pub(super) rank: usize,
    pub(super) singular: Array,
}

/// The solution of matrices with the least squares of what is left over, by singular values that are above a share of
/// the greatest.
pub(super) fn least_squares(a: &Array, b: &Array, rcond: f64) -> Result<LeastSquares> {
    let (rows, columns) = (a.shape()[0], a.shape()[1]);
    let parts = f::linalg::svd(a, SvdParams::new().full_matrices(false))?;
    let singular: Vec<f64> = f::astype(&parts.s, Dtype::FLOAT64)?.to_vec()?;
    let least = rcond * singular.first().copied().unwrap_or(0.0);
    let rank = singular.iter().filter(|&&s| s > least).count();
    let conj = |x: &Array| if x.dtype().is_complex() { f::conj(x) } else { Ok(x.clone()) };
    let counts = f::greater(&parts.s, least)?;
    let inverse = f::where_(counts, f::reciprocal(&parts.s)?, 0.0)?;
    let projected = f::matmul(f::matrix_transpose(conj(&parts.u)?)?, b)?;
    let scaled = f::multiply(f::expand_dims(inverse, 1)?, projected)?;
    let solution = f::matmul(f::matrix_transpose(conj(&parts.vh)?)?, scaled)?;
    let real = b.dtype().real_part();
    let residuals = if rank == columns && rows > columns {
        let apart = f::abs(f::subtract(b, f::matmul(a, &solution)?)?)?;
        f::sum(f::square(apart)?, Sum::new().axis(0))?
    } else {
        f::zeros([0], Filled::new().dtype(real))?
    };
    Ok(LeastSquares { solution, residuals, rank, singular: parts.s })
}

/// `a b rcond`
pub fn lstsq(call: &mut Call<'_>) -> Out {
    let (a, b) = (call.array(0)?, call.array(1)?);
    if a.ndim() != 2 {
        return Err(matrix_error(call, "a", "2-dimensional array given. Array must be two-dimensional"));
    }
    if b.shape().first() != a.shape().first() {
        return Err(matrix_error(call, "b", "Incompatible dimensions"));
    }
    let given = f::result_type([a.dtype(), b.dtype()])?;
    let dtype = in_double_of(given);
    let (a, b) = (f::astype(a, dtype)?, f::astype(b, dtype)?);
    let eps = finfo(dtype.real_part())?.eps;
    let rcond = match call.value(2) {
        Value::None => eps * a.shape()[0].max(a.shape()[1]) as f64,
        _ => match call.float(2)? {
            given if given < 0.0 => eps,
            given => given,
        },
    };
    let column = if b.ndim() == 1 { f::expand_dims(&b, 1)? } else { b.clone() };
    let fit = least_squares(&a, &column, rcond)?;
    let solution = if b.ndim() == 1 { f::reshape(&fit.solution, [-1], ())? } else { fit.solution };
    let rank = Value::from(fit.rank as i64);
    let all = vec![solution.into(), fit.residuals.into(), rank, fit.singular.into()];
    all_rounded(Value::Tuple(all), given != dtype)
}

/// `a mode`
pub fn qr(call: &mut Call<'_>) -> Out {
    let a = call.array(0)?;
    let mode = match call.text(1)? {
        "reduced" | "full" | "r" => QrMode::Reduced,
        "complete" => QrMode::Complete,
        "raw" => {
            let rule = "Householder reflectors are not given: 'reduced', 'complete' and 'r' are";
            return Err(call.refuse(Fault::Missing, "mode", Some(call.value(1)), rule));
        }
        other => return Err(value_error(call, "mode", format!("Unrecognized mode '{other}'"))),
    };
    let parts = f::linalg::qr(&a, QrParams::new().mode(mode))?;
    if call.text(1)? == "r" {
        return Ok(parts.r.into());
    }
    Ok((parts.q, parts.r).into())
}
