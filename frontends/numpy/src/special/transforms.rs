//! What Fourier transforms take.

use super::help::{Out, axes_in, type_error};
use ivy_core::functional as f;
use ivy_core::functional::Roll;
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::{Call, Value};

/// The width in which a transform is computed.
fn float_of(dtype: Dtype) -> Dtype {
    match dtype {
        Dtype::FLOAT16 | Dtype::BFLOAT16 | Dtype::FLOAT32 | Dtype::COMPLEX64 => Dtype::FLOAT32,
        _ => Dtype::FLOAT64,
    }
}

/// Real numbers, as floats.
pub fn signal(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    if x.dtype().is_complex() {
        return Err(type_error(call, "a", "a transform of real numbers takes no complex ones"));
    }
    Ok(f::astype(&x, float_of(x.dtype()))?.into())
}

/// A transform in float16, if the numbers that it is of are.
pub fn as_narrow(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let narrow = call.array(1)?.dtype() == Dtype::FLOAT16;
    Ok(if narrow { f::astype(x, Dtype::FLOAT16)? } else { x }.into())
}

/// Numbers, as complex ones.
pub fn spectrum(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let dtype = float_of(x.dtype()).complex_of().unwrap_or(Dtype::COMPLEX128);
    Ok(f::astype(&x, dtype)?.into())
}

/// `a s axes`: with lengths alone, the last axes.
pub fn fft_axes(call: &mut Call<'_>) -> Out {
    match (call.ints(1)?, call.ints(2)?) {
        (Some(s), None) => Ok(Value::Tuple((-(s.len() as i64)..0).map(Value::from).collect())),
        (_, Some(axes)) => Ok(Value::Tuple(axes.into_iter().map(Value::from).collect())),
        _ => Ok(Value::None),
    }
}

fn shift(call: &Call<'_>, back: bool) -> Out {
    let x: Array = call.array(0)?;
    let axes = axes_in(call, call.ints(1)?, x.ndim())?;
    let by = |&a: &usize| {
        let half = x.shape()[a] as i64 / 2;
        if back { -half } else { half }
    };
    let shifts: Vec<i64> = axes.iter().map(by).collect();
    let found: Result<Array> = f::roll(&x, shifts, Roll::new().axis(super::help::axes(&axes)));
    Ok(found?.into())
}

/// `x axes`
pub fn fftshift(call: &mut Call<'_>) -> Out {
    shift(call, false)
}

/// `x axes`
pub fn ifftshift(call: &mut Call<'_>) -> Out {
    shift(call, true)
}
