//! Kaiser and Kaiser-Bessel derived windows. They are computed in float64 and rounded once.

use super::windows::{check, rounded};
use crate::array::Operand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::elementwise::special::scaled_i0;
use crate::functional::manipulation::slice_axes;
use crate::functional::{
    CumulativeSum, Filled, Flip, arange, concat, cumulative_sum, divide, exp, flip, full, multiply, ones,
    sqrt, subtract, zeros,
};
use crate::{Array, AxisSlice, Dtype, ErrorKind, Result, params};
use smallvec::smallvec;

params! {
    /// Arguments of [`kaiser_window`].
    pub struct KaiserWindow {
        /// How many elements.
        window_length: usize = 4usize,
        /// A window whose period is its length; one whose last element equals its first if false.
        periodic: bool = true,
        /// How narrow the window is; 0 is a window of ones.
        beta: f64 = 12.0,
        /// The dtype, a float; the default float dtype if not given.
        dtype: Option<Dtype> = None,
    }
}

params! {
    /// Arguments of [`kaiser_bessel_derived_window`].
    pub struct KaiserBesselDerivedWindow {
        /// How many elements; an even number.
        window_length: usize = 4usize,
        /// How narrow the window is; 0 is that of a sine of steps.
        beta: f64 = 12.0,
        /// The dtype, a float; the default float dtype if not given.
        dtype: Option<Dtype> = None,
    }
}

fn check_beta(call: &Composition<'_>, beta: f64) -> Result<()> {
    if beta.is_finite() {
        return Ok(());
    }
    let (function, value, rule) = (call.function.name, beta.to_string(), "a finite number");
    Err(ErrorKind::InvalidArgument { function, argument: "beta", value, rule }.into())
}

/// The first `size` elements of a window of that many steps, in float64.
fn kaiser(size: usize, steps: usize, beta: f64) -> Result<Array> {
    if steps == 0 {
        return ones(size, Dtype::FLOAT64);
    }
    let (numbers, beta) = (arange(size, Dtype::FLOAT64)?, beta.abs());
    // The root of 1 - (2 n / N - 1)^2, without a difference from 1.
    let product = multiply(&numbers, subtract(steps as f64, &numbers)?)?;
    let angle = multiply(sqrt(product)?, 2.0 * beta / steps as f64)?;
    let greatest = full([], beta, Filled::new().dtype(Dtype::FLOAT64))?;
    let ratio = divide(scaled_i0(&angle)?, scaled_i0(&greatest)?)?;
    multiply(ratio, exp(subtract(angle, greatest)?)?)
}

describe! {
    KAISER_WINDOW = "kaiser_window", Creation, Compositional, (), InferFloat -> [Compute],
    Bound::Composed(24.0), params: KaiserWindow::new(), example: [], Body::Compose(compose_kaiser)
}

fn compose_kaiser(call: &Composition<'_>) -> Result<Outputs> {
    let &KaiserWindow { window_length, periodic, beta, dtype } = call.params::<KaiserWindow>();
    check(call, window_length, dtype)?;
    check_beta(call, beta)?;
    let steps = if periodic && window_length > 1 { window_length } else { window_length.saturating_sub(1) };
    rounded(call, kaiser(window_length, steps, beta)?)
}

/// The Kaiser window `I0(beta sqrt(1 - (2 n / N - 1)^2)) / I0(beta)` with the Bessel function
/// [`i0`](crate::functional::i0), where `N` is `window_length`, or one less unless `periodic`. A window of one element
/// is 1.
///
/// ```
/// use ivy::{KaiserWindow, prelude::*};
/// let symmetric = ivy::kaiser_window(3, KaiserWindow::new().periodic(false).beta(0.0))?;
/// assert_eq!(symmetric.to_vec::<f32>()?, [1.0, 1.0, 1.0]);
/// assert_eq!(ivy::kaiser_window(4, ())?.to_vec::<f32>()?[2], 1.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for a `beta` that is not finite, and as
/// [`hann_window`](crate::functional::hann_window).
pub fn kaiser_window(window_length: usize, params: impl Into<KaiserWindow>) -> Result<Array> {
    call_one(&KAISER_WINDOW, &[] as &[Operand<'_>], &params.into().window_length(window_length))
}

describe! {
    KAISER_BESSEL_DERIVED_WINDOW = "kaiser_bessel_derived_window", Creation, Compositional, (),
    InferFloat -> [Compute], Bound::Composed(32.0), params: KaiserBesselDerivedWindow::new(), example: [],
    Body::Compose(compose_derived)
}

fn compose_derived(call: &Composition<'_>) -> Result<Outputs> {
    let &KaiserBesselDerivedWindow { window_length, beta, dtype } =
        call.params::<KaiserBesselDerivedWindow>();
    check(call, window_length, dtype)?;
    check_beta(call, beta)?;
    if !window_length.is_multiple_of(2) {
        let (function, value) = (call.function.name, window_length.to_string());
        let (argument, rule) = ("window_length", "an even number");
        return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
    }
    if window_length == 0 {
        return Ok(smallvec![zeros(0, call.compute)?]);
    }
    let half = window_length / 2;
    let sums = cumulative_sum(kaiser(half + 1, half, beta)?, CumulativeSum::new())?;
    let part = |start: usize, len: usize| {
        slice_axes(call.function.name, &sums, smallvec![AxisSlice { start, step: 1, len }])
    };
    let rising = sqrt(divide(part(0, half)?, part(half, 1)?)?)?;
    rounded(call, concat([&rising, &flip(&rising, Flip::new())?], ())?)
}

/// Kaiser-Bessel derived window: the window derived from that of Kaiser: the roots of the sums of the first elements of
/// a symmetric [`kaiser_window`] of half as many elements and one, divided by the sum of all, and then the same
/// backwards. The squares of elements half a window apart add up to 1.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::kaiser_bessel_derived_window(2, ())?.to_vec::<f32>()?;
/// assert!(x.iter().all(|x| (x - 0.5f32.sqrt()).abs() < 1e-6));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for an odd length and a `beta` that is not finite, and as
/// [`hann_window`](crate::functional::hann_window).
pub fn kaiser_bessel_derived_window(
    window_length: usize,
    params: impl Into<KaiserBesselDerivedWindow>,
) -> Result<Array> {
    let params = params.into().window_length(window_length);
    call_one(&KAISER_BESSEL_DERIVED_WINDOW, &[] as &[Operand<'_>], &params)
}
