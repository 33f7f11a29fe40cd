//! Real random numbers.

use super::keys::{float, key_of, lengths, seed, words};
use crate::special::support::{Out, core, ints, shape};
use ivy_core::{Dtype, Result, finfo};
use ivy_frontend::{Call, Fault, Value};

/// Multiples of half the dtype's eps from 0 to below 1, all equally likely.
pub(super) fn unit(call: &Call<'_>, key: &Value<'_>, part: u32, lengths: &[i64], dtype: Dtype) -> Out {
    let (word, digits) = match dtype {
        Dtype::FLOAT64 => (Dtype::UINT64, 53),
        Dtype::FLOAT32 => (Dtype::UINT32, 24),
        Dtype::FLOAT16 => (Dtype::UINT32, 11),
        _ => (Dtype::UINT32, 8),
    };
    let drawn = words(call, key, part, lengths, word)?;
    let cut = core!(call, "bitwise_right_shift", &drawn, word.bits() as i64 - digits)?;
    core!(call, "multiply", &core!(call, "astype", &cut, dtype)?, 0.5f64.powi(digits as i32))
}

/// Such numbers between two bounds, the second one excluded.
fn between(call: &Call<'_>, key: &Value<'_>, lengths: &[i64], dtype: Dtype, low: f64, high: f64) -> Out {
    let unit = unit(call, key, 0, lengths, dtype)?;
    let moved = core!(call, "add", &core!(call, "multiply", &unit, high - low)?, low)?;
    core!(call, "maximum", &moved, low)
}

/// The argument in a float dtype.
fn parameter(call: &Call<'_>, i: usize, dtype: Dtype) -> Out {
    core!(call, "astype", &call.array(i)?, dtype)
}

/// `uniform(key, shape, dtype, minval, maxval)`
pub(crate) fn uniform(call: &mut Call<'_>) -> Out {
    let (key, dtype) = (key_of(call, 0)?, float(call, 2)?);
    let (low, high) = (parameter(call, 3, dtype)?, parameter(call, 4, dtype)?);
    let lengths = lengths(call, 1, &[&low, &high])?;
    let unit = unit(call, &key, 0, &lengths, dtype)?;
    let span = core!(call, "subtract", &high, &low)?;
    let moved = core!(call, "add", &core!(call, "multiply", &unit, &span)?, &low)?;
    core!(call, "maximum", &moved, &low)
}

/// Normal numbers, by the inverse of the error function.
pub(super) fn gaussian(call: &Call<'_>, key: &Value<'_>, part: u32, lengths: &[i64], dtype: Dtype) -> Out {
    let computed = if dtype == Dtype::FLOAT64 { dtype } else { Dtype::FLOAT32 };
    // The middles of the steps: neither end is reached, and both halves are alike.
    let unit = unit(call, key, part, lengths, computed)?;
    let half = finfo(computed)?.eps / 4.0;
    let centred = core!(call, "subtract", &core!(call, "add", &unit, half)?, 0.5)?;
    let found = core!(call, "erfinv", &core!(call, "multiply", &centred, 2.0)?)?;
    let scaled = core!(call, "multiply", &found, std::f64::consts::SQRT_2)?;
    if computed == dtype { Ok(scaled) } else { core!(call, "astype", &scaled, dtype) }
}

fn plain(call: &Call<'_>) -> Result<(Value<'static>, Vec<i64>, Dtype)> {
    Ok((key_of(call, 0)?, call.ints(1)?.unwrap_or_default(), float(call, 2)?))
}

/// `normal(key, shape, dtype)`
pub(crate) fn normal(call: &mut Call<'_>) -> Out {
    let (key, lengths, dtype) = plain(call)?;
    gaussian(call, &key, 0, &lengths, dtype)
}

/// `-log(1 - u)`
fn exponentials(call: &Call<'_>, key: &Value<'_>, lengths: &[i64], dtype: Dtype) -> Out {
    let unit = unit(call, key, 0, lengths, dtype)?;
    core!(call, "negative", &core!(call, "log1p", &core!(call, "negative", &unit)?)?)
}

/// `exponential(key, shape, dtype)`
pub(crate) fn exponential(call: &mut Call<'_>) -> Out {
    let (key, lengths, dtype) = plain(call)?;
    exponentials(call, &key, &lengths, dtype)
}

/// `-log(-log(u))`, where `u` is above 0.
pub(super) fn gumbels(call: &Call<'_>, key: &Value<'_>, lengths: &[i64], dtype: Dtype) -> Out {
    let positive = between(call, key, lengths, dtype, finfo(dtype)?.smallest_normal, 1.0)?;
    let logarithm = core!(call, "negative", &core!(call, "log", &positive)?)?;
    core!(call, "negative", &core!(call, "log", &logarithm)?)
}

/// `gumbel(key, shape, dtype)`
pub(crate) fn gumbel(call: &mut Call<'_>) -> Out {
    let (key, lengths, dtype) = plain(call)?;
    gumbels(call, &key, &lengths, dtype)
}

/// `laplace(key, shape, dtype)`: `sign(u) log(1 - |u|)` of `u` between -1 and 1.
pub(crate) fn laplace(call: &mut Call<'_>) -> Out {
    let (key, lengths, dtype) = plain(call)?;
    let u = between(call, &key, &lengths, dtype, finfo(dtype)?.eps - 1.0, 1.0)?;
    let size = core!(call, "log1p", &core!(call, "negative", &core!(call, "abs", &u)?)?)?;
    core!(call, "multiply", &core!(call, "sign", &u)?, &size)
}

/// `logistic(key, shape, dtype)`: `log(u / (1 - u))`.
pub(crate) fn logistic(call: &mut Call<'_>) -> Out {
    let (key, lengths, dtype) = plain(call)?;
    let u = between(call, &key, &lengths, dtype, finfo(dtype)?.eps, 1.0)?;
    core!(call, "log", &core!(call, "divide", &u, &core!(call, "subtract", 1, &u)?)?)
}

/// `cauchy(key, shape, dtype)`: `tan(pi (u - 1/2))`.
pub(crate) fn cauchy(call: &mut Call<'_>) -> Out {
    let (key, lengths, dtype) = plain(call)?;
    let u = between(call, &key, &lengths, dtype, finfo(dtype)?.eps, 1.0)?;
    let turned = core!(call, "multiply", &core!(call, "subtract", &u, 0.5)?, std::f64::consts::PI)?;
    core!(call, "tan", &turned)
}

/// `maxwell(key, shape, dtype)`: the length of three normal numbers.
pub(crate) fn maxwell(call: &mut Call<'_>) -> Out {
    let (key, mut lengths, dtype) = plain(call)?;
    lengths.push(3);
    let squares = core!(call, "square", &gaussian(call, &key, 0, &lengths, dtype)?)?;
    core!(call, "sqrt", &core!(call, "sum", &squares; axis: -1)?)
}

/// `truncated_normal(key, lower, upper, shape, dtype)`
pub(crate) fn truncated_normal(call: &mut Call<'_>) -> Out {
    let (key, dtype) = (key_of(call, 0)?, float(call, 4)?);
    let (low, high) = (parameter(call, 1, dtype)?, parameter(call, 2, dtype)?);
    let lengths = lengths(call, 3, &[&low, &high])?;
    let share =
        |x: &Value<'_>| core!(call, "erf", &core!(call, "multiply", x, std::f64::consts::FRAC_1_SQRT_2)?);
    let (from, to) = (share(&low)?, share(&high)?);
    let unit = unit(call, &key, 0, &lengths, dtype)?;
    let u =
        core!(call, "add", &core!(call, "multiply", &unit, &core!(call, "subtract", &to, &from)?)?, &from)?;
    let found = core!(call, "multiply", &core!(call, "erfinv", &u)?, std::f64::consts::SQRT_2)?;
    // Rounding reaches neither bound.
    let inside = core!(call, "maximum", &found, &core!(call, "nextafter", &low, f64::INFINITY)?)?;
    core!(call, "minimum", &inside, &core!(call, "nextafter", &high, f64::NEG_INFINITY)?)
}

/// `lognormal(key, sigma, shape, dtype)`
pub(crate) fn lognormal(call: &mut Call<'_>) -> Out {
    let (key, dtype) = (key_of(call, 0)?, float(call, 3)?);
    let sigma = parameter(call, 1, dtype)?;
    let lengths = lengths(call, 2, &[&sigma])?;
    core!(call, "exp", &core!(call, "multiply", &gaussian(call, &key, 0, &lengths, dtype)?, &sigma)?)
}

/// `rayleigh(key, scale, shape, dtype)`: `scale sqrt(-2 log u)`.
pub(crate) fn rayleigh(call: &mut Call<'_>) -> Out {
    let (key, dtype) = (key_of(call, 0)?, float(call, 3)?);
    let scale = parameter(call, 1, dtype)?;
    let lengths = lengths(call, 2, &[&scale])?;
    let twice = core!(call, "multiply", &exponentials(call, &key, &lengths, dtype)?, 2.0)?;
    core!(call, "multiply", &scale, &core!(call, "sqrt", &twice)?)
}

/// `pareto(key, b, shape, dtype)`: `exp(e / b)`.
pub(crate) fn pareto(call: &mut Call<'_>) -> Out {
    let (key, dtype) = (key_of(call, 0)?, float(call, 3)?);
    let b = parameter(call, 1, dtype)?;
    let lengths = lengths(call, 2, &[&b])?;
    core!(call, "exp", &core!(call, "divide", &exponentials(call, &key, &lengths, dtype)?, &b)?)
}

/// `weibull_min(key, scale, concentration, shape, dtype)`: `scale e ** (1 / concentration)`.
pub(crate) fn weibull_min(call: &mut Call<'_>) -> Out {
    let (key, dtype) = (key_of(call, 0)?, float(call, 4)?);
    let (scale, power) = (parameter(call, 1, dtype)?, parameter(call, 2, dtype)?);
    let lengths = lengths(call, 3, &[&scale, &power])?;
    let drawn = exponentials(call, &key, &lengths, dtype)?;
    core!(call, "multiply", &core!(call, "pow", &drawn, &core!(call, "reciprocal", &power)?)?, &scale)
}

/// `triangular(key, left, mode, right, shape, dtype)`
pub(crate) fn triangular(call: &mut Call<'_>) -> Out {
    let (key, dtype) = (key_of(call, 0)?, float(call, 5)?);
    let [left, mode, right] =
        [parameter(call, 1, dtype)?, parameter(call, 2, dtype)?, parameter(call, 3, dtype)?];
    let lengths = lengths(call, 4, &[&left, &mode, &right])?;
    let u = unit(call, &key, 0, &lengths, dtype)?;
    let width = |a: &Value<'_>, b: &Value<'_>| core!(call, "subtract", a, b);
    let (whole, before, after) = (width(&right, &left)?, width(&mode, &left)?, width(&right, &mode)?);
    let root = |u: &Value<'_>, part: &Value<'_>| {
        core!(call, "sqrt", &core!(call, "multiply", u, &core!(call, "multiply", &whole, part)?)?)
    };
    let rising = core!(call, "add", &left, &root(&u, &before)?)?;
    let falling = core!(call, "subtract", &right, &root(&core!(call, "subtract", 1, &u)?, &after)?)?;
    let first = core!(call, "less", &u, &core!(call, "divide", &before, &whole)?)?;
    core!(call, "where", &first, &rising, &falling)
}

/// Gamma numbers of the core's generator, which draws until it accepts.
fn gammas(call: &Call<'_>, shape_parameter: &Value<'_>, lengths: &[i64], dtype: Dtype, part: u32) -> Out {
    let seed = seed(call, part)?;
    core!(call, "gamma", shape_parameter; shape: ints(lengths.iter().copied()), dtype: dtype, seed: seed)
}

/// `gamma(key, a, shape, dtype)`
pub(crate) fn gamma(call: &mut Call<'_>) -> Out {
    let dtype = float(call, 3)?;
    let a = parameter(call, 1, dtype)?;
    let lengths = lengths(call, 2, &[&a])?;
    gammas(call, &a, &lengths, dtype, 0)
}

/// `beta(key, a, b, shape, dtype)`: the share of the first of two gamma numbers.
pub(crate) fn beta(call: &mut Call<'_>) -> Out {
    let dtype = float(call, 4)?;
    let (a, b) = (parameter(call, 1, dtype)?, parameter(call, 2, dtype)?);
    let lengths = lengths(call, 3, &[&a, &b])?;
    let (first, second) = (gammas(call, &a, &lengths, dtype, 0)?, gammas(call, &b, &lengths, dtype, 1)?);
    core!(call, "divide", &first, &core!(call, "add", &first, &second)?)
}

/// Chi-squared numbers: twice gamma numbers of half the degrees of freedom.
fn chi_squares(call: &Call<'_>, df: &Value<'_>, lengths: &[i64], dtype: Dtype, part: u32) -> Out {
    core!(call, "multiply", &gammas(call, &core!(call, "multiply", df, 0.5)?, lengths, dtype, part)?, 2.0)
}

/// `chisquare(key, df, shape, dtype)`
pub(crate) fn chisquare(call: &mut Call<'_>) -> Out {
    let dtype = float(call, 3)?;
    let df = parameter(call, 1, dtype)?;
    let lengths = lengths(call, 2, &[&df])?;
    chi_squares(call, &df, &lengths, dtype, 0)
}

/// `student_t(key, df, shape, dtype)`
pub(crate) fn student_t(call: &mut Call<'_>) -> Out {
    let (key, dtype) = (key_of(call, 0)?, float(call, 3)?);
    let df = parameter(call, 1, dtype)?;
    let lengths = lengths(call, 2, &[&df])?;
    let spread = core!(call, "divide", &df, &chi_squares(call, &df, &lengths, dtype, 1)?)?;
    core!(call, "multiply", &gaussian(call, &key, 0, &lengths, dtype)?, &core!(call, "sqrt", &spread)?)
}

/// `f_ratio(key, dfnum, dfden, shape, dtype)`
pub(crate) fn f_ratio(call: &mut Call<'_>) -> Out {
    let dtype = float(call, 4)?;
    let (above, below) = (parameter(call, 1, dtype)?, parameter(call, 2, dtype)?);
    let lengths = lengths(call, 3, &[&above, &below])?;
    let mean =
        |df: &Value<'_>, part: u32| core!(call, "divide", &chi_squares(call, df, &lengths, dtype, part)?, df);
    core!(call, "divide", &mean(&above, 0)?, &mean(&below, 1)?)
}

/// `dirichlet(key, alpha, shape, dtype)`: the shares of gamma numbers.
pub(crate) fn dirichlet(call: &mut Call<'_>) -> Out {
    let dtype = float(call, 3)?;
    let alpha = parameter(call, 1, dtype)?;
    let own = shape(call, &alpha)?;
    let Some((&last, batch)) = own.split_last() else {
        return Err(call.refuse(Fault::Value, "alpha", Some(&alpha), "an axis is needed"));
    };
    let mut lengths = call.ints(2)?.unwrap_or_else(|| batch.to_vec());
    lengths.push(last);
    let drawn = gammas(call, &alpha, &lengths, dtype, 0)?;
    core!(call, "divide", &drawn, &core!(call, "sum", &drawn; axis: -1, keepdims: true)?)
}

/// `multivariate_normal(key, mean, cov, shape, dtype, method)`
pub(crate) fn multivariate_normal(call: &mut Call<'_>) -> Out {
    let key = key_of(call, 0)?;
    let dtype = match call.value(4) {
        Value::None => {
            let own = |i: usize| crate::special::support::inexact(call, call.value(i));
            match core!(call, "result_type", &own(1)?, &own(2)?)? {
                Value::Dtype(common) => common,
                _ => float(call, 4)?,
            }
        }
        _ => float(call, 4)?,
    };
    let (mean, cov) = (parameter(call, 1, dtype)?, parameter(call, 2, dtype)?);
    let (at, spread) = (shape(call, &mean)?, shape(call, &cov)?);
    let fits = matches!((&at[..], &spread[..]), ([.., n], [.., p, q]) if n == p && n == q);
    if !fits {
        let rule = "a vector of means and a square matrix of as many covariances are needed";
        return Err(call.refuse(Fault::Value, "cov", Some(&cov), rule));
    }
    let method = call.text(5)?;
    let factor = match method {
        "cholesky" => core!(call, "linalg.cholesky", &cov)?,
        "eigh" => {
            let parts = core!(call, "linalg.eigh", &cov)?;
            let Some([values, vectors]) = parts.items() else { return Ok(parts) };
            core!(call, "multiply", vectors, &core!(call, "expand_dims", &core!(call, "sqrt", values)?, -2)?)?
        }
        "svd" => {
            let parts = core!(call, "linalg.svd", &cov)?;
            let Some([u, values, _]) = parts.items() else { return Ok(parts) };
            core!(call, "multiply", u, &core!(call, "expand_dims", &core!(call, "sqrt", values)?, -2)?)?
        }
        _ => {
            return Err(call.refuse(
                Fault::Value,
                "method",
                Some(call.value(5)),
                "cholesky, eigh or svd is needed",
            ));
        }
    };
    let batch = [ints(at[..at.len() - 1].to_vec()), ints(spread[..spread.len() - 2].to_vec())];
    let common = call.core("broadcast_shapes", &batch, ivy_frontend::kw! {})?;
    let mut lengths = match call.ints(3)? {
        Some(given) => given,
        None => common
            .items()
            .unwrap_or_default()
            .iter()
            .filter_map(|v| v.as_scalar())
            .map(|s| s.to_i128() as i64)
            .collect(),
    };
    lengths.push(at[at.len() - 1]);
    let drawn = core!(call, "expand_dims", &gaussian(call, &key, 0, &lengths, dtype)?, -1)?;
    let turned = core!(call, "squeeze", &core!(call, "matmul", &factor, &drawn)?, -1)?;
    core!(call, "add", &turned, &mean)
}

/// `orthogonal(key, n, shape, dtype, m)`: the first factor of a normal matrix, with the signs of the second one.
pub(crate) fn orthogonal(call: &mut Call<'_>) -> Out {
    let (key, n, dtype) = (key_of(call, 0)?, call.int(1)?, float(call, 3)?);
    let m = if call.value(4).is_none() { n } else { call.int(4)? };
    let mut lengths = call.ints(2)?.unwrap_or_default();
    lengths.extend([n.max(m), n.min(m)]);
    let parts = core!(call, "linalg.qr", &gaussian(call, &key, 0, &lengths, dtype)?)?;
    let Some([q, r]) = parts.items() else { return Ok(parts) };
    let signs = core!(call, "sign", &core!(call, "linalg.diagonal", r)?)?;
    let q = core!(call, "multiply", q, &core!(call, "expand_dims", &signs, -2)?)?;
    if n >= m { Ok(q) } else { core!(call, "matrix_transpose", &q) }
}
