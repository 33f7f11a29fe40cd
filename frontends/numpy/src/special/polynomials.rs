//! Polynomials by their coefficients, the highest power first.

use super::grids::powers;
use super::help::{Out, at, at_least_one, beside, cut, flat, floats, tuple, type_error, value_error};
use super::linalg::least_squares;
use super::spectra::real_if_all;
use ivy_core::functional as f;
use ivy_core::functional::{Concat, Filled, Overlap, Sum};
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::{Call, Value};
use num_complex::Complex64;

/// An argument as coefficients.
fn coefficients(call: &Call<'_>, i: usize) -> Result<Array> {
    let x = at_least_one(call.array(i)?)?;
    if x.ndim() > 1 {
        return Err(value_error(call, "p", "coefficients are of one axis"));
    }
    Ok(x)
}

/// `p x`: Horner's rule.
pub fn polyval(call: &mut Call<'_>) -> Out {
    let (p, x) = (coefficients(call, 0)?, call.array(1)?);
    let dtype = f::result_type([p.dtype(), x.dtype()])?;
    let (p, x) = (f::astype(p, dtype)?, f::astype(x, dtype)?);
    let mut sum = f::zeros_like(&x, ())?;
    for i in 0..p.size() {
        sum = f::add(f::multiply(sum, &x)?, at(&p, 0, i as i64)?)?;
    }
    Ok(sum.into())
}

/// Coefficients with zeros before them.
fn padded(x: &Array, length: usize, dtype: Dtype) -> Result<Array> {
    let nothing = f::zeros([length - x.size()], Filled::new().dtype(dtype))?;
    f::concat([nothing, f::astype(x, dtype)?], Concat::new().axis(0))
}

/// `a1 a2`, and whether the second is taken from the first.
pub fn polyadd(call: &mut Call<'_>) -> Out {
    let (a, b) = (coefficients(call, 0)?, coefficients(call, 1)?);
    let (length, dtype) = (a.size().max(b.size()), f::result_type([a.dtype(), b.dtype()])?);
    let (a, b) = (padded(&a, length, dtype)?, padded(&b, length, dtype)?);
    Ok(if call.flag(2)? { f::subtract(a, b)? } else { f::add(a, b)? }.into())
}

/// `a1 a2`
pub fn polymul(call: &mut Call<'_>) -> Out {
    let (a, b) = (coefficients(call, 0)?, coefficients(call, 1)?);
    let dtype = f::result_type([a.dtype(), b.dtype()])?;
    Ok(f::convolve(f::astype(a, dtype)?, f::astype(b, dtype)?, Overlap::Full)?.into())
}

fn complex(x: &Array) -> Result<Vec<Complex64>> {
    f::astype(x, Dtype::COMPLEX128)?.to_vec()
}

/// Complex numbers of the host as an array of a dtype.
fn from_complex(of: &Array, list: &[Complex64], dtype: Dtype) -> Result<Array> {
    let length = list.len();
    if dtype.is_complex() {
        return f::astype(beside(of, list.to_vec(), [length])?, dtype);
    }
    f::astype(beside(of, list.iter().map(|z| z.re).collect::<Vec<f64>>(), [length])?, dtype)
}

/// `u v`: quotient and remainder.
pub fn polydiv(call: &mut Call<'_>) -> Out {
    let (u, v) = (floats(coefficients(call, 0)?)?, floats(coefficients(call, 1)?)?);
    let dtype = f::result_type([u.dtype(), v.dtype()])?;
    let (mut left, by) = (complex(&u)?, complex(&v)?);
    let (Some(first), steps) = (by.first(), (left.len() + 1).saturating_sub(by.len())) else {
        return Err(value_error(call, "v", "the divisor has no coefficients"));
    };
    let mut quotient = vec![Complex64::ZERO; steps.max(1)];
    for k in 0..steps {
        let part = left[k] / first;
        quotient[k] = part;
        for (i, c) in by.iter().enumerate() {
            left[k + i] -= part * c;
        }
    }
    // The remainder begins with its first coefficient that is not near 0.
    let near = |z: &Complex64| z.norm() <= 1e-8;
    let start = left.iter().position(|z| !near(z)).unwrap_or(left.len().saturating_sub(1));
    Ok(tuple([from_complex(&u, &quotient, dtype)?, from_complex(&u, &left[start..], dtype)?]))
}

/// `p m`
pub fn polyder(call: &mut Call<'_>) -> Out {
    let (mut p, m) = (coefficients(call, 0)?, call.int(1)?);
    if m < 0 {
        return Err(value_error(call, "m", "Order of derivative must be positive (see polyint)"));
    }
    for _ in 0..m {
        let exponents: Vec<i64> = (1..p.size() as i64).rev().collect();
        p = f::multiply(cut(&p, 0, None, Some(-1))?, super::help::ints_beside(&p, exponents)?)?;
    }
    Ok(p.into())
}

/// `p m k`
pub fn polyint(call: &mut Call<'_>) -> Out {
    let (mut p, m) = (coefficients(call, 0)?, call.int(1)?);
    let Ok(times) = usize::try_from(m) else {
        return Err(value_error(call, "m", "Order of integral must be positive (see polyder)"));
    };
    let mut constants = match call.value(2) {
        Value::None => vec![Complex64::ZERO; times],
        _ => complex(&flat(&call.array(2)?)?)?,
    };
    if constants.len() == 1 && times > 1 {
        constants = vec![constants[0]; times];
    }
    if constants.len() < times {
        return Err(value_error(call, "k", "k must be a scalar or a rank-1 array of length 1 or >m."));
    }
    for constant in &constants[..times] {
        let exponents: Vec<i64> = (1..=p.size() as i64).rev().collect();
        let raised = f::divide(&p, super::help::ints_beside(&p, exponents)?)?;
        let dtype = if constant.im == 0.0 { raised.dtype() } else { Dtype::COMPLEX128 };
        let end = from_complex(&p, &[*constant], dtype)?;
        p = f::concat([f::astype(raised, dtype)?, end], Concat::new().axis(0))?;
    }
    Ok(p.into())
}

/// The coefficients of the polynomial with roots, or of a matrix.
pub fn poly(call: &mut Call<'_>) -> Out {
    let given = at_least_one(call.array(0)?)?;
    let roots = match given.ndim() {
        2 if given.shape()[0] == given.shape()[1] && given.size() > 0 => {
            real_if_all(&f::linalg::eigvals(floats(given)?)?)?
        }
        1 => floats(given)?,
        _ => return Err(value_error(call, "seq_of_zeros", "input must be 1d or non-empty square 2d array.")),
    };
    if roots.size() == 0 {
        return Ok(1.0.into());
    }
    let dtype = roots.dtype();
    let mut product = f::ones([1], Filled::new().dtype(dtype))?;
    let one = product.clone();
    for i in 0..roots.size() {
        let root = cut(&roots, 0, Some(i as i64), Some(i as i64 + 1))?;
        product = f::convolve(
            &product,
            f::concat([&one, &f::negative(root)?], Concat::new().axis(0))?,
            Overlap::Full,
        )?;
    }
    if !dtype.is_complex() {
        return Ok(product.into());
    }
    // Roots in conjugate pairs make real coefficients.
    let mut a: Vec<(f64, f64)> = complex(&roots)?.iter().map(|z| (z.re + 0.0, z.im + 0.0)).collect();
    let mut b: Vec<(f64, f64)> = a.iter().map(|&(re, im)| (re, 0.0 - im)).collect();
    a.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)));
    b.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)));
    let paired = a.iter().zip(&b).all(|(x, y)| x.0 == y.0 && x.1 == y.1);
    Ok(if paired { f::real(product)? } else { product }.into())
}

/// The roots: the eigenvalues of the companion matrix, and 0 for each power that all terms share.
pub fn roots(call: &mut Call<'_>) -> Out {
    let p = at_least_one(call.array(0)?)?;
    if p.ndim() != 1 {
        return Err(value_error(call, "p", "Input must be a rank-1 array."));
    }
    let p = floats(p)?;
    let list = complex(&p)?;
    let is_there = |z: &Complex64| *z != Complex64::ZERO;
    let (Some(first), Some(last)) = (list.iter().position(is_there), list.iter().rposition(is_there)) else {
        return Ok(f::zeros([0], Filled::new().dtype(Dtype::FLOAT64))?.into());
    };
    let zeros = list.len() - 1 - last;
    let terms = cut(&p, 0, Some(first as i64), Some(last as i64 + 1))?;
    let degree = terms.size() - 1;
    let found = if degree > 0 {
        let top = f::divide(f::negative(cut(&terms, 0, Some(1), None)?)?, at(&terms, 0, 0)?)?;
        let below = f::eye(degree - 1, f::Eye::new().n_cols(degree).dtype(top.dtype()))?;
        let companion = f::concat([f::reshape(&top, [1, degree as i64], ())?, below], Concat::new().axis(0))?;
        real_if_all(&f::linalg::eigvals(companion)?)?
    } else {
        f::zeros([0], Filled::new().dtype(p.dtype()))?
    };
    let rest = f::zeros([zeros], Filled::new().dtype(found.dtype()))?;
    Ok(f::concat([found, rest], Concat::new().axis(0))?.into())
}

/// `x y deg rcond full w cov`
pub fn polyfit(call: &mut Call<'_>) -> Out {
    let (x, y) = (floats(call.array(0)?)?, floats(call.array(1)?)?);
    let deg = call.int(2)?;
    if deg < 0 {
        return Err(value_error(call, "deg", "expected deg >= 0"));
    }
    if x.ndim() != 1 || x.size() == 0 || !(1..=2).contains(&y.ndim()) {
        return Err(type_error(call, "x", "expected 1D vector for x, and 1D or 2D array for y"));
    }
    if x.size() != y.shape()[0] {
        return Err(type_error(call, "x", "expected x and y to have same length"));
    }
    let (x, y) = (f::astype(x, Dtype::FLOAT64)?, f::astype(&y, Dtype::FLOAT64)?);
    let order = deg + 1;
    let mut left = powers(&x, order, false)?;
    let mut right = if y.ndim() == 1 { f::expand_dims(&y, 1)? } else { y.clone() };
    if !call.value(5).is_none() {
        let weights = f::expand_dims(f::astype(call.array(5)?, Dtype::FLOAT64)?, 1)?;
        if weights.shape()[0] != x.size() {
            return Err(type_error(call, "w", "expected w and y to have the same length"));
        }
        left = f::multiply(left, &weights)?;
        right = f::multiply(right, &weights)?;
    }
    let scale = f::sqrt(f::sum(f::square(&left)?, Sum::new().axis(0))?)?;
    let left = f::divide(left, &scale)?;
    let rcond = if call.value(3).is_none() { x.size() as f64 * f64::EPSILON } else { call.float(3)? };
    let fit = least_squares(&left, &right, rcond)?;
    let mut found = f::divide(&fit.solution, f::expand_dims(&scale, 1)?)?;
    if y.ndim() == 1 {
        found = f::reshape(found, [order], ())?;
    }
    if call.flag(4)? {
        let rank = Value::from(fit.rank as i64);
        return Ok(Value::Tuple(vec![
            found.into(),
            fit.residuals.into(),
            rank,
            fit.singular.into(),
            rcond.into(),
        ]));
    }
    if matches!(call.value(6), Value::Bool(false)) {
        return Ok(found.into());
    }
    let gram = f::linalg::inv(f::matmul(f::matrix_transpose(&left)?, &left)?)?;
    let base = f::divide(gram, f::multiply(f::expand_dims(&scale, 1)?, f::expand_dims(&scale, 0)?)?)?;
    let free = x.size() as i64 - order;
    let factor = match call.value(6).as_text() {
        Some("unscaled") => f::ones([1], Filled::new().dtype(Dtype::FLOAT64))?,
        _ if free <= 0 => {
            let rule = "the number of data points must exceed order to scale the covariance matrix";
            return Err(value_error(call, "cov", rule));
        }
        _ => f::divide(&fit.residuals, free as f64)?,
    };
    let covariance = match y.ndim() {
        1 => f::multiply(base, factor)?,
        _ => f::multiply(f::expand_dims(base, 2)?, factor)?,
    };
    Ok(tuple([found, covariance]))
}
