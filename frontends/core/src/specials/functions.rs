//! Functions that frameworks have alike, and the core has not.

use super::{Out, lengths, tuple};
use crate::{Call, Fault, Value, compute};
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Result};
use num_complex::Complex64;

/// `with_dtype(results, i, dtype)`: results of which the `i`th is cast.
///
/// # Errors
/// For what are no results.
pub fn with_dtype(call: &mut Call<'_>) -> Out {
    let (mut arrays, place, dtype) = (call.arrays(0)?, call.int(1)?, call.dtype(2)?);
    if let (Some(dtype), Some(array)) = (dtype, arrays.get_mut(place as usize)) {
        *array = f::astype(&*array, dtype)?;
    }
    Ok(tuple(arrays))
}

/// `logsumexp(x, axis, keepdims)`: [`logarithm_of_sum`].
///
/// # Errors
/// Its own.
pub fn logsumexp(call: &mut Call<'_>) -> Out {
    let (x, axes, keepdims) = (call.array(0)?, call.ints(1)?, call.flag(2)?);
    Ok(logarithm_of_sum(call, &x, axes, keepdims)?.into())
}

/// The logarithm of the sum of exponentials, of which none overflows.
///
/// # Errors
/// For what has no exponential, and for an axis that is not there.
pub fn logarithm_of_sum(call: &Call<'_>, x: &Array, axes: Option<Vec<i64>>, keepdims: bool) -> Result<Array> {
    if x.size() == 0 {
        let sum = compute!(call, "sum", [&compute!(call, "exp", [x])?], axis = axes, keepdims = keepdims)?;
        return compute!(call, "log", [&sum]);
    }
    // Of complex numbers the real parts say how great the exponentials are.
    let real = if x.dtype().is_complex() { compute!(call, "real", [x])? } else { x.clone() };
    let top = compute!(call, "max", [&real], axis = axes.clone(), keepdims = true)?;
    let top = f::stop_gradient(&top)?;
    let zeros = compute!(call, "zeros_like", [&top])?;
    let top = compute!(call, "where", [&compute!(call, "isfinite", [&top])?, &top, &zeros])?;
    let powers = compute!(call, "exp", [&compute!(call, "subtract", [x, &top])?])?;
    let sum = compute!(call, "sum", [&powers], axis = axes, keepdims = keepdims)?;
    let log = compute!(call, "log", [&sum])?;
    let top = compute!(call, "reshape", [&top], shape = lengths(&log))?;
    compute!(call, "add", [&log, &top])
}

/// The array of complex numbers with these parts, which broadcast.
///
/// # Errors
/// For parts that are not of one float dtype.
pub fn complex(call: &mut Call<'_>) -> Out {
    let (real, imag) = (call.array(0)?, call.array(1)?);
    if real.dtype() != imag.dtype() || !matches!(real.dtype(), Dtype::FLOAT32 | Dtype::FLOAT64) {
        let rule = format!(
            "parts of one dtype, float32 or float64, are needed, not {} and {}",
            real.dtype(),
            imag.dtype()
        );
        return Err(call.refuse(Fault::Type, "imag", None, rule));
    }
    Ok(complex_of(call, &real, &imag)?.into())
}

/// The complex numbers with these parts: complex128 of float64, else complex64.
///
/// # Errors
/// For shapes that do not broadcast.
pub fn complex_of(call: &Call<'_>, real: &Array, imag: &Array) -> Result<Array> {
    let dtype = if real.dtype() == Dtype::FLOAT64 { Dtype::COMPLEX128 } else { Dtype::COMPLEX64 };
    let mut turned = compute!(call, "multiply", [&f::astype(imag, dtype)?, Complex64::i()])?;
    // A product of an infinity has a real part that is NaN: what is not finite stands by itself.
    for limit in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        let here = match limit.is_nan() {
            true => compute!(call, "isnan", [imag])?,
            false => compute!(call, "equal", [imag, limit])?,
        };
        turned = compute!(call, "where", [&here, Value::Complex(Complex64::new(0.0, limit)), &turned])?;
    }
    compute!(call, "add", [&f::astype(real, dtype)?, &turned])
}
