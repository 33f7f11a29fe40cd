//! Averages, correlations, overlaps.

use super::casts::unsafely;
use super::help::{
    Out, at_least_one, axes, axes_in, flag, floats, occurs, over, sum_over, type_error, value_error,
};
use ivy_core::functional as f;
use ivy_core::functional::{Concat, Overlap, Sum};
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::{Call, Fault, Value};

/// `a axis weights returned keepdims`
pub fn average(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let (given, keepdims) = (call.ints(1)?, flag(call, 4)?);
    let reduced = axes_in(call, given.clone(), x.ndim())?;
    let params = || sum_over(Some(axes(&reduced)), None, keepdims);
    if call.value(2).is_none() {
        let mean = f::mean(&x, over(Some(axes(&reduced)), keepdims))?;
        if !call.flag(3)? {
            return Ok(mean.into());
        }
        let each = x.size() as f64 / mean.size().max(1) as f64;
        let count = f::full(mean.shape().clone(), each, f::Filled::new().dtype(mean.dtype()))?;
        return Ok((mean, count).into());
    }
    let mut weights = call.array(2)?;
    if weights.shape() != x.shape() {
        if given.is_none() {
            let rule = "Axis must be specified when shapes of a and weights differ.";
            return Err(type_error(call, "axis", rule));
        }
        let wanted: Vec<usize> = reduced.iter().map(|&a| x.shape()[a]).collect();
        if weights.shape().iter().ne(wanted.iter()) {
            let rule = "Shape of weights must be consistent with shape of a along specified axis.";
            return Err(value_error(call, "weights", rule));
        }
        let mut order: Vec<usize> = (0..reduced.len()).collect();
        order.sort_by_key(|&i| reduced[i]);
        let turned = f::permute_dims(&weights, order.iter().map(|&i| i as i64).collect::<Vec<i64>>())?;
        let shape = (0..x.ndim()).map(|a| if reduced.contains(&a) { x.shape()[a] as i64 } else { 1 });
        weights = f::reshape(turned, shape.collect::<Vec<i64>>(), ())?;
    }
    let whole = x.dtype().is_int() || x.dtype().is_bool();
    let common = f::result_type([x.dtype(), weights.dtype()])?;
    let dtype = if whole { f::result_type([common, Dtype::FLOAT64])? } else { common };
    let (x, weights) = (unsafely(&x, dtype)?, unsafely(&weights, dtype)?);
    let total = f::sum(f::broadcast_to(&weights, x.shape().clone())?, params())?;
    if occurs(f::equal(&total, 0))? {
        let rule = "Weights sum to zero, can't be normalized";
        return Err(call.refuse(Fault::Division, "weights", None, rule));
    }
    let mean = f::divide(f::sum(f::multiply(&x, &weights)?, params())?, &total)?;
    Ok(if call.flag(3)? { (mean, total).into() } else { mean.into() })
}

/// The observations of each variable in a row: of one or two arrays.
fn variables(call: &Call<'_>, rowvar: bool) -> Result<Array> {
    let rows = |x: Array| if x.ndim() < 2 { f::reshape(&x, [1, -1], ()) } else { Ok(x) };
    let [x, y] = [0, 1].map(|i| if call.value(i).is_none() { Ok(None) } else { call.array(i).map(Some) });
    let [x, y] = [x?, y?];
    for (name, array) in [("m", &x), ("y", &y)] {
        if array.as_ref().is_some_and(|x| x.ndim() > 2) {
            return Err(value_error(call, name, format!("{name} has more than 2 dimensions")));
        }
    }
    let x = match x {
        Some(x) if !rowvar && x.ndim() != 1 => f::matrix_transpose(rows(x)?)?,
        Some(x) => rows(x)?,
        None => rows(call.array(0)?)?,
    };
    let Some(y) = y else { return Ok(x) };
    // One row of the second array stays one, whichever of its axes has the variables.
    let y = rows(y)?;
    let y = if !rowvar && y.shape()[0] != 1 { f::matrix_transpose(&y)? } else { y };
    let dtype = f::result_type([x.dtype(), y.dtype()])?;
    f::concat([f::astype(x, dtype)?, f::astype(y, dtype)?], Concat::new().axis(0))
}

/// The covariances of variables in rows, which count by weights.
fn covariances(x: &Array, normalizer: f64, weights: Option<&Array>) -> Result<Array> {
    let total = match weights {
        Some(weights) => f::sum(weights, ())?,
        None => f::asarray(x.shape()[1] as f64, ())?,
    };
    let counted = |x: &Array| match weights {
        Some(weights) => f::multiply(x, weights),
        None => Ok(x.clone()),
    };
    let mean = f::divide(
        f::sum(counted(x)?, Sum::new().axis(-1).keepdims())?,
        f::astype(total, x.dtype().real_part())?,
    )?;
    let apart = f::subtract(x, mean)?;
    let turned = f::matrix_transpose(counted(&apart)?)?;
    let turned = if turned.dtype().is_complex() { f::conj(turned)? } else { turned };
    f::divide(f::matmul(&apart, turned)?, normalizer)
}

/// Whether weights that count observations are no whole numbers.
fn is_broken(counts: &Array) -> Result<bool> {
    Ok(counts.dtype().is_float() && occurs(f::not_equal(counts, f::round(counts)))?)
}

/// `m y rowvar bias ddof fweights aweights dtype`
pub fn cov(call: &mut Call<'_>) -> Out {
    let x = variables(call, call.flag(2)?)?;
    let dtype = match call.dtype(7)? {
        Some(dtype) => dtype,
        None => f::result_type([x.dtype(), Dtype::FLOAT64])?,
    };
    let x = unsafely(&x, dtype)?;
    let ddof = match call.value(4) {
        Value::None => f64::from(u8::from(!call.flag(3)?)),
        Value::Float(d) if d.fract() != 0.0 => return Err(value_error(call, "ddof", "ddof must be integer")),
        _ => call.float(4)?,
    };
    let line = |i: usize, name: &str| -> Result<Option<Array>> {
        if call.value(i).is_none() {
            return Ok(None);
        }
        let weights = call.array(i)?;
        if name == "fweights" && is_broken(&weights)? {
            return Err(type_error(call, name, "fweights must be integer"));
        }
        let runtime = |rule: String| call.refuse(Fault::Runtime, name, None, rule);
        if weights.ndim() > 1 {
            return Err(runtime(format!("cannot handle multidimensional {name}")));
        }
        if weights.size() != x.shape()[1] {
            return Err(runtime(format!("incompatible numbers of samples and {name}")));
        }
        if occurs(f::less(&weights, 0))? {
            return Err(value_error(call, name, format!("{name} cannot be negative")));
        }
        Ok(Some(weights))
    };
    let (counts, shares) = (line(5, "fweights")?, line(6, "aweights")?);
    let weights = match (&counts, &shares) {
        (Some(a), Some(b)) => Some(f::multiply(floats(a.clone())?, b)?),
        (one, other) => one.clone().or(other.clone()).map(floats).transpose()?,
    };
    let total = match &weights {
        Some(weights) => f::sum(weights, ())?.to_scalar()?.to_f64(),
        None => x.shape()[1] as f64,
    };
    let normalizer = match (&weights, &shares) {
        (Some(weights), Some(shares)) => {
            let both = f::sum(f::multiply(weights, shares)?, ())?.to_scalar()?.to_f64();
            total - ddof * both / total
        }
        _ => total - ddof,
    };
    let weights = weights.map(|w| unsafely(&w, dtype.real_part())).transpose()?;
    let found = covariances(&x, normalizer.max(0.0), weights.as_ref())?;
    let single = found.size() == 1;
    Ok(if single { f::reshape(found, Vec::<i64>::new(), ())? } else { found }.into())
}

/// `x y rowvar dtype`
pub fn corrcoef(call: &mut Call<'_>) -> Out {
    let x = variables(call, call.flag(2)?)?;
    let dtype = match call.dtype(3)? {
        Some(dtype) => dtype,
        None => f::result_type([x.dtype(), Dtype::FLOAT64])?,
    };
    let x = unsafely(&x, dtype)?;
    let count = x.shape()[1] as f64;
    let found = covariances(&x, count - 1.0, None)?;
    if found.size() == 1 {
        let found = f::reshape(found, Vec::<i64>::new(), ())?;
        return Ok(f::divide(&found, &found)?.into());
    }
    let spread = f::sqrt(f::real(f::diag(&found, ())?))?;
    let found = f::divide(f::divide(found, f::expand_dims(&spread, 1)?)?, f::expand_dims(&spread, 0)?)?;
    if found.dtype().is_complex() {
        return Ok(found.into());
    }
    Ok(f::minimum(f::maximum(found, -1.0), 1.0)?.into())
}

/// A mode by its name, or by its number.
fn overlap(call: &Call<'_>, i: usize) -> Result<Overlap> {
    let given = call.value(i);
    match given {
        Value::Int(0) => return Ok(Overlap::Valid),
        Value::Int(1) => return Ok(Overlap::Same),
        Value::Int(2) => return Ok(Overlap::Full),
        Value::Int(_) | Value::Text(_) => {}
        _ => return Err(type_error(call, "mode", "one of 'valid', 'same', or 'full' is needed")),
    }
    match given.as_text() {
        Some("full") => Ok(Overlap::Full),
        Some("same") => Ok(Overlap::Same),
        Some("valid") => Ok(Overlap::Valid),
        _ => {
            let rule = format!("mode must be one of 'valid', 'same', or 'full' (got {})", given.told());
            Err(value_error(call, "mode", rule))
        }
    }
}

/// Two arrays of one axis, of one dtype.
fn sequences(call: &Call<'_>) -> Result<(Array, Array)> {
    let (a, v) = (at_least_one(call.array(0)?)?, at_least_one(call.array(1)?)?);
    if a.ndim() > 1 || v.ndim() > 1 {
        return Err(value_error(call, "a", "object too deep for desired array"));
    }
    for (name, x) in [("a", &a), ("v", &v)] {
        if x.size() == 0 {
            return Err(value_error(call, name, format!("{name} cannot be empty")));
        }
    }
    let dtype = f::result_type([a.dtype(), v.dtype()])?;
    Ok((f::astype(a, dtype)?, f::astype(v, dtype)?))
}

/// `a v mode`
pub fn convolve(call: &mut Call<'_>) -> Out {
    let (a, v) = sequences(call)?;
    Ok(f::convolve(a, v, overlap(call, 2)?)?.into())
}

/// `a v mode`
pub fn correlate(call: &mut Call<'_>) -> Out {
    for i in [0, 1] {
        if call.array(i)?.ndim() == 0 {
            return Err(value_error(call, "a", "object of too small depth for desired array"));
        }
    }
    let (a, v) = sequences(call)?;
    Ok(f::correlate(a, v, overlap(call, 2)?)?.into())
}
