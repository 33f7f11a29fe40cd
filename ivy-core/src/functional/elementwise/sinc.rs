//! The normalized sinc function.

use crate::Result;
use crate::array::{Array, IntoOperand};
use crate::call::unary;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::precision::{downcast, upcast};
use crate::functional::{abs, add, divide, less, multiply, remainder, round, sin, square, subtract, where_};
use smallvec::smallvec;
use std::f64::consts::PI;

describe! {
    SINC = "sinc", Elementwise, Compositional, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(6.0), params: (), example: [&[2]], Body::Compose(compose_sinc)
}

/// The distance from 0 below which `sinc` is the first three terms of its series: the fourth is `(pi x)^6 / 5040`.
const SERIES: f64 = 1.0 / 1024.0;

fn compose_sinc(call: &Composition<'_>) -> Result<Outputs> {
    let x = upcast(call.array(0))?;
    // Next to 0 the series, whose derivatives at 0 are those of the function; what it leaves out is below the rounding
    // of float64.
    let near = less(abs(&x)?, SERIES)?;
    let angle = square(multiply(where_(&near, &x, 0.0)?, PI)?)?;
    let tail = subtract(multiply(&angle, 1.0 / 120.0)?, 1.0 / 6.0)?;
    let series = add(multiply(tail, angle)?, 1.0)?;
    let x = where_(&near, 1.0, x)?;
    // The rest of the nearest whole number is exact, so that the sine next to its zeros is as well as elsewhere.
    let whole = round(&x)?;
    let wave = sin(multiply(subtract(&x, &whole)?, PI)?)?;
    let alternating = subtract(1.0, multiply(remainder(whole, 2.0)?, 2.0)?)?;
    let value = divide(multiply(wave, alternating)?, multiply(x, PI)?)?;
    Ok(smallvec![downcast(where_(near, series, value)?, call.compute)?])
}

/// Normalized sinc function: `sin(pi x) / (pi x)`, and 1 at 0; exactly 0 at all other whole numbers.
///
/// ```
/// use ivy::prelude::*;
/// let y = ivy::sinc(&Array::try_from([0.0f64, 0.5, 3.0])?)?.to_vec::<f64>()?;
/// assert!(y[0] == 1.0 && (y[1] - std::f64::consts::FRAC_2_PI).abs() < 1e-15 && y[2] == 0.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers, and the backend's refusal.
pub fn sinc<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    unary(&SINC, x)
}
