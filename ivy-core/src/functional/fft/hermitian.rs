//! Fourier transforms of Hermitian signals.

use super::{FftParams, irfft, rfft};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::conj;
use crate::{Array, Result};
use smallvec::smallvec;

describe! {
    HFFT = "hfft", Fft, Mixed, (x: Promoted), PromoteFloat -> [RealPart],
    Bound::Sum, params: FftParams::new(), example: [&[4]], Body::Compose(compose_hfft)
}
describe! {
    IHFFT = "ihfft", Fft, Mixed, (x: Promoted), PromoteFloat -> [Complex],
    Bound::Sum, params: FftParams::new(), example: [&[4]], Body::Compose(compose_ihfft)
}

/// The parameters of the transform in the other direction.
fn reversed(call: &Composition<'_>) -> FftParams {
    let params = call.params::<FftParams>();
    FftParams { norm: params.norm.reversed(), ..params.clone() }
}

fn compose_hfft(call: &Composition<'_>) -> Result<Outputs> {
    let x = call.array(0);
    let conjugate = if x.dtype().is_complex() { conj(x)? } else { x.clone() };
    Ok(smallvec![irfft(conjugate, reversed(call))?])
}

fn compose_ihfft(call: &Composition<'_>) -> Result<Outputs> {
    Ok(smallvec![conj(rfft(call.array(0), reversed(call))?)?])
}

/// FFT of a Hermitian signal: the transform of a Hermitian line of which the first `n / 2 + 1` elements are given: `n`
/// real numbers.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, 2.0, 3.0])?;
/// assert_eq!(ivy::fft::hfft(&x, ())?.to_vec::<f32>()?, [8.0, -2.0, 0.0, -2.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`fft`](super::fft).
pub fn hfft<'a>(x: impl IntoOperand<'a>, params: impl Into<FftParams>) -> Result<Array> {
    call_one(&HFFT, &[x.into_operand()], &params.into())
}

/// Inverse FFT to a Hermitian signal: the inverse of [`hfft`]: the first `n / 2 + 1` elements of a Hermitian line from
/// real numbers.
///
/// # Errors
/// As [`rfft`](super::rfft).
pub fn ihfft<'a>(x: impl IntoOperand<'a>, params: impl Into<FftParams>) -> Result<Array> {
    call_one(&IHFFT, &[x.into_operand()], &params.into())
}
