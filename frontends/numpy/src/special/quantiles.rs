//! Quantiles by each of the thirteen definitions that NumPy names: R. J. Hyndman and Y. Fan, "Sample quantiles in
//! statistical packages", The American Statistician 50, 1996, with four more.

use super::help::{Out, axes_in, flag, occurs, type_error, value_error};
use super::sorting::order;
use ivy_core::functional as f;
use ivy_core::functional::{CumulativeSum, Filled, Reduce, Sum, TakeAlongAxis};
use ivy_core::{Array, Dtype, ErrorKind, Result};
use ivy_frontend::{Call, Value};

/// A definition: where a fraction lies among the elements in order, and what is taken there.
enum Method {
    /// Between two elements: n q + a + q (1 - a - b) - 1.
    Between(f64, f64),
    /// `(n - 1) q`, which is the above for a = b = 1 and rounds less.
    Linear,
    /// One element: of `(n - 1) q`.
    Lower,
    Higher,
    Nearest,
    /// The mean of the two around `(n - 1) q`.
    Midpoint,
    /// One element: that where the distribution of the elements passes the fraction.
    Inverted,
    /// Likewise, with the mean of two where it meets it.
    Averaged,
    /// One element: the nearest of `n q`.
    Closest,
}

fn method_of(call: &Call<'_>, name: &str) -> Result<Method> {
    Ok(match name {
        "linear" => Method::Linear,
        "interpolated_inverted_cdf" => Method::Between(0.0, 1.0),
        "hazen" => Method::Between(0.5, 0.5),
        "weibull" => Method::Between(0.0, 0.0),
        "median_unbiased" => Method::Between(1.0 / 3.0, 1.0 / 3.0),
        "normal_unbiased" => Method::Between(3.0 / 8.0, 3.0 / 8.0),
        "lower" => Method::Lower,
        "higher" => Method::Higher,
        "nearest" => Method::Nearest,
        "midpoint" => Method::Midpoint,
        "inverted_cdf" => Method::Inverted,
        "averaged_inverted_cdf" => Method::Averaged,
        "closest_observation" => Method::Closest,
        other => return Err(value_error(call, "method", format!("'{other}' is not a valid method"))),
    })
}

/// Where a fraction lies: the place below, the place above, and how far between them; all of float64.
fn place(method: &Method, n: &Array, q: &Array) -> Result<(Array, Array, Array)> {
    let spaced = || f::multiply(f::subtract(n, 1), q);
    let single = |x: Array| Ok::<_, ivy_core::Error>((x.clone(), x, f::multiply(q, 0.0)?));
    let discrete = |at: Array, stays: &dyn Fn(&Array) -> Result<Array>| {
        let below = f::floor(&at)?;
        let met = f::logical_and(f::equal(&at, &below), stays(&below)?)?;
        f::where_(met, &below, f::add(&below, 1))
    };
    let virtual_place = match method {
        Method::Linear => spaced()?,
        Method::Between(a, b) => {
            f::subtract(f::add(f::multiply(n, q), f::add(*a, f::multiply(q, 1.0 - a - b))), 1)?
        }
        Method::Lower => return single(f::floor(spaced())?),
        Method::Higher => return single(f::ceil(spaced())?),
        Method::Nearest => return single(f::round(spaced())?),
        Method::Midpoint => {
            let at = spaced()?;
            let half = f::where_(f::equal(&at, f::floor(&at)), 0.0, 0.5)?;
            return Ok((f::floor(&at)?, f::ceil(&at)?, half));
        }
        Method::Inverted => {
            return single(discrete(f::subtract(f::multiply(n, q), 1)?, &|below| f::equal(below, below))?);
        }
        Method::Closest => {
            let at = f::subtract(f::multiply(n, q), 1.5)?;
            return single(discrete(at, &|below| f::equal(f::remainder(below, 2), 1))?);
        }
        Method::Averaged => {
            let at = f::subtract(f::multiply(n, q), 1)?;
            let below = f::floor(&at)?;
            let part = f::where_(f::equal(&at, &below), 0.5, 1.0)?;
            return Ok((below.clone(), f::add(below, 1)?, part));
        }
    };
    let below = f::floor(&virtual_place)?;
    let part = f::subtract(&virtual_place, &below)?;
    Ok((below.clone(), f::add(below, 1)?, part))
}

/// The elements of each result along the first axis, and the shape of the results.
struct Lines {
    lines: Array,
    shape: Vec<i64>,
}

fn lines(x: &Array, axes: &[usize], keepdims: bool) -> Result<Lines> {
    let kept: Vec<usize> = (0..x.ndim()).filter(|a| !axes.contains(a)).collect();
    let turned = f::permute_dims(x, axes.iter().chain(&kept).map(|&a| a as i64).collect::<Vec<i64>>())?;
    let count: usize = axes.iter().map(|&a| x.shape()[a]).product();
    let others: usize = kept.iter().map(|&a| x.shape()[a]).product();
    let lines = f::reshape(turned, [count as i64, others as i64], ())?;
    let length = |a: usize| x.shape()[a] as i64;
    let shape = match keepdims {
        true => (0..x.ndim()).map(|a| if axes.contains(&a) { 1 } else { length(a) }).collect(),
        false => kept.iter().map(|&a| length(a)).collect(),
    };
    Ok(Lines { lines, shape })
}

/// `a q scale axis method keepdims weights skips`
pub fn quantile(call: &mut Call<'_>) -> Out {
    let (x, skips) = (call.array(0)?, call.flag(7)?);
    if x.dtype().is_bool() || x.dtype().is_complex() {
        return Err(type_error(call, "a", format!("quantiles of {} are not defined", x.dtype())));
    }
    let scale = call.float(2)?;
    let given = call.array(1)?;
    if given.dtype().is_complex() {
        return Err(type_error(call, "q", "q must be an array of real numbers"));
    }
    let q = f::divide(f::astype(&given, Dtype::FLOAT64)?, scale)?;
    if occurs(f::logical_not(f::logical_and(f::greater_equal(&q, 0), f::less_equal(&q, 1))))? {
        return Err(value_error(
            call,
            "q",
            format!(
                "{}s must be in the range [0, {scale}]",
                if scale == 1.0 { "Quantile" } else { "Percentile" }
            ),
        ));
    }
    let method = method_of(call, call.text(4)?)?;
    let axes = axes_in(call, call.ints(3)?, x.ndim())?;
    let Lines { lines, shape } = lines(&x, &axes, flag(call, 5)?)?;
    let count = lines.shape()[0];
    let shape: Vec<i64> = q.shape().iter().map(|&d| d as i64).chain(shape).collect();
    // A fraction of the host is a weak number: float32 stays so. One of an array has its dtype, integers that of float64.
    let weak = call.value(1).as_scalar().is_some();
    let single = matches!(
        method,
        Method::Inverted | Method::Closest | Method::Lower | Method::Higher | Method::Nearest
    );
    let dtype = match () {
        () if single => x.dtype(),
        () if weak && x.dtype().is_float() => x.dtype(),
        () if given.dtype().is_float() => f::result_type([x.dtype(), given.dtype()])?,
        () => f::result_type([x.dtype(), Dtype::FLOAT64])?,
    };
    if count == 0 {
        if !skips {
            return Err(ErrorKind::EmptyReduction {
                function: call.entry.function,
                shape: x.shape().clone(),
            }
            .into());
        }
        let size: i64 = shape.iter().product();
        let nothing = f::full([size as usize], f64::NAN, Filled::new().dtype(dtype))?;
        return Ok(f::reshape(nothing, shape, ())?.into());
    }
    let column = f::reshape(&q, [-1, 1], ())?;
    let found = match call.value(6) {
        Value::None => unweighted(&lines, &column, &method, skips, dtype)?,
        _ => {
            if !matches!(method, Method::Inverted) {
                let rule = "Only method 'inverted_cdf' supports weights";
                return Err(value_error(call, "weights", rule));
            }
            let weights = f::astype(call.array(6)?, Dtype::FLOAT64)?;
            let weights =
                if weights.shape() == x.shape() { weights } else { beside(call, &weights, &x, &axes)? };
            let kept = self::lines(&weights, &axes, false)?;
            weighted(call, &lines, &kept.lines, &column, skips)?
        }
    };
    Ok(f::reshape(f::astype(found, dtype)?, shape, ())?.into())
}

/// Weights along the reduced axes, in the shape of the elements.
fn beside(call: &Call<'_>, weights: &Array, x: &Array, axes: &[usize]) -> Result<Array> {
    let wanted: Vec<usize> = axes.iter().map(|&a| x.shape()[a]).collect();
    if weights.shape().iter().ne(wanted.iter()) {
        return Err(value_error(
            call,
            "weights",
            "Shape of weights must be consistent with shape of a along specified axis.",
        ));
    }
    let shape = (0..x.ndim()).map(|a| if axes.contains(&a) { x.shape()[a] as i64 } else { 1 });
    f::broadcast_to(f::reshape(weights, shape.collect::<Vec<i64>>(), ()), x.shape().clone())
}

fn has_nan(x: &Array) -> bool {
    x.dtype().is_float()
}

fn unweighted(lines: &Array, q: &Array, method: &Method, skips: bool, dtype: Dtype) -> Result<Array> {
    let sorted = super::sorting::sorted(lines, 0)?;
    let numbers = match has_nan(lines) {
        true => f::sum(f::logical_not(f::isnan(lines)), Sum::new().axis(0).keepdims())?,
        false => f::full([1, lines.shape()[1]], lines.shape()[0] as i64, ())?,
    };
    let whole = f::full([1, lines.shape()[1]], lines.shape()[0] as i64, ())?;
    let n = f::astype(if skips { &numbers } else { &whole }, Dtype::FLOAT64)?;
    let (below, above, part) = place(method, &n, q)?;
    let last = f::subtract(&n, 1)?;
    let within = |at: Array| f::astype(f::maximum(f::minimum(at, &last), 0), Dtype::INT64);
    let at = |places: Array| {
        let shape = [q.shape()[0], lines.shape()[1]];
        f::take_along_axis(&sorted, f::broadcast_to(within(places)?, shape)?, TakeAlongAxis::new().axis(0))
    };
    let (low, high) = (f::astype(at(below)?, dtype)?, f::astype(at(above)?, dtype)?);
    let part = f::astype(part, if dtype.is_float() { dtype } else { Dtype::FLOAT64 })?;
    let apart = f::subtract(&high, &low)?;
    // From the nearer end, so that the ends themselves are met.
    let near_low = f::add(&low, f::multiply(&apart, &part));
    let near_high = f::subtract(&high, f::multiply(&apart, f::subtract(1, &part)));
    let between = f::where_(f::greater_equal(&part, 0.5), near_high, near_low)?;
    let found = f::where_(f::equal(&low, &high), &low, between)?;
    if !has_nan(lines) {
        return Ok(found);
    }
    let nothing = if skips { f::equal(&numbers, 0) } else { f::less(&numbers, &whole) };
    f::where_(nothing, f64::NAN, found)
}

fn weighted(call: &Call<'_>, lines: &Array, weights: &Array, q: &Array, skips: bool) -> Result<Array> {
    let along = || TakeAlongAxis::new().axis(0);
    let places = order(lines, 0)?;
    let sorted = f::take_along_axis(lines, &places, along())?;
    let mut weights = f::take_along_axis(weights, &places, along())?;
    if occurs(f::less(&weights, 0))? {
        return Err(value_error(call, "weights", "Weights must be non-negative."));
    }
    if skips && has_nan(lines) {
        weights = f::where_(f::isnan(&sorted), 0.0, weights)?;
    }
    let running = f::cumulative_sum(&weights, CumulativeSum::new().axis(0))?;
    let total = f::max(&running, Reduce::new().axis(0).keepdims())?;
    let share = f::divide(running, total)?;
    if occurs(f::isnan(&share))? {
        return Err(value_error(call, "weights", "Weights included NaN, inf or were all zero."));
    }
    // The first element whose share reaches the fraction; one without weight is none.
    let share = f::where_(f::equal(&share, 0), -1.0, share)?;
    let below = f::less(f::expand_dims(share, 0), f::expand_dims(q, -1))?;
    let passed = f::sum(f::astype(below, Dtype::INT64), Sum::new().axis(1))?;
    let passed = f::minimum(passed, lines.shape()[0] as i64 - 1)?;
    let found = f::take_along_axis(&sorted, passed, along())?;
    if skips || !has_nan(lines) {
        return Ok(found);
    }
    f::where_(f::any(f::isnan(lines), Reduce::new().axis(0).keepdims()), f64::NAN, found)
}
