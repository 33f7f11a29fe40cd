//! Means, variances and standard deviations.

use super::casts::unsafely;
use super::help::{Out, axes, axes_in, flag, over, value_error};
use super::reductions::{Masked, mask};
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::{Call, Value};

/// `ddof`, or the `correction` that stands for it.
pub fn ddof(call: &mut Call<'_>) -> Out {
    let (ddof, correction) = (call.float(0)?, call.value(1));
    if correction.is_none() {
        return Ok(ddof.into());
    }
    if ddof != 0.0 {
        return Err(value_error(call, "correction", "ddof and correction can't be provided simultaneously."));
    }
    Ok(call.float(1)?.into())
}

/// The dtype in which a moment is computed, and that of the result.
fn dtypes(x: Dtype, given: Option<Dtype>) -> (Dtype, Dtype) {
    let result = given.unwrap_or(if x.is_int() || x.is_bool() { Dtype::FLOAT64 } else { x });
    let compute = match result {
        Dtype::FLOAT16 | Dtype::BFLOAT16 => Dtype::FLOAT32,
        whole if whole.is_int() || whole.is_bool() => Dtype::FLOAT64,
        other => other,
    };
    (compute, result)
}

/// `'mean'`, `'var'`, `'std'` or one of them without NaN, of an array: axis, dtype, keepdims, where, ddof, mean.
pub fn moment(call: &mut Call<'_>) -> Out {
    let name = call.text(0)?;
    let (skips, what) = name.strip_prefix("nan").map_or((false, name), |rest| (true, rest));
    let x = call.array(1)?;
    let (compute, result) = dtypes(x.dtype(), call.dtype(3)?);
    let masked = Masked { axes: axes_in(call, call.ints(2)?, x.ndim())?, keepdims: flag(call, 4)? };
    let mut counted = mask(call, 5, &x)?;
    if skips && (x.dtype().is_float() || x.dtype().is_complex()) {
        let numbers = f::logical_not(f::isnan(&x))?;
        counted = Some(match counted {
            Some(mask) => f::logical_and(mask, numbers)?,
            None => numbers,
        });
    }
    let x = unsafely(&x, compute)?;
    if what == "mean" && counted.is_none() {
        let params = over(Some(axes(&masked.axes)), masked.keepdims);
        return Ok(unsafely(&f::mean(x, params)?, result)?.into());
    }
    let real = compute.real_part();
    let zeroed = |x: Array| match &counted {
        Some(mask) => f::where_(mask, x, 0),
        None => Ok(x),
    };
    let count = match &counted {
        Some(mask) => masked.kept(f::astype(mask, real), Some(real))?,
        None => masked.kept(f::ones(x.shape().clone(), f::Filled::new().dtype(real)), Some(real))?,
    };
    let mean = match call.value(7) {
        Value::None => f::divide(masked.kept(zeroed(x.clone()), None)?, &count)?,
        _ => unsafely(&call.array(7)?, compute)?,
    };
    let found = match what {
        "mean" => mean,
        _ => {
            let left = f::subtract(&count, call.float(6)?)?;
            let apart = zeroed(f::subtract(&x, &mean)?)?;
            let squared = masked.kept(squares(&apart), None)?;
            let left_over = f::maximum(&left, 0)?;
            let var = f::divide(squared, left_over)?;
            let var = if skips { f::where_(f::less_equal(&left, 0), f64::NAN, var)? } else { var };
            if what == "std" { f::sqrt(var)? } else { var }
        }
    };
    let result = if what == "mean" { result } else { result.real_part() };
    Ok(unsafely(&masked.finish(found)?, result)?.into())
}

/// The squares of magnitudes.
fn squares(x: &Array) -> Result<Array> {
    if x.dtype().is_complex() {
        return f::add(f::square(f::real(x)), f::square(f::imag(x)));
    }
    f::square(x)
}
