//! N-D Fourier transforms.

use super::{FftParams, Norm, fft, ifft, irfft, points, rfft};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Composition, Outputs};
use crate::functional::astype;
use crate::{Array, ErrorKind, Result, params, shape};
use smallvec::{SmallVec, smallvec};

params! {
    /// Keyword arguments of the transforms along several axes.
    pub struct FftnParams {
        /// How many points along each of the axes, -1 for an axis as it is; see
        /// [`FftParams::n`]. Given without `axes`, it is about the last ones.
        s: Option<Axes> = None,
        /// The axes; all if neither they nor `s` are given.
        axes: Option<Axes> = None,
        /// What is scaled.
        norm: Norm = Norm::Backward,
    }
}

describe! {
    FFTN = "fftn", Fft, Mixed, (x: Promoted), PromoteFloat -> [Complex],
    Bound::Sum, params: FftnParams::new(), example: [&[2, 4]], Body::Compose(compose_fftn)
}
describe! {
    IFFTN = "ifftn", Fft, Mixed, (x: Promoted), PromoteFloat -> [Complex],
    Bound::Sum, params: FftnParams::new(), example: [&[2, 4]], Body::Compose(compose_ifftn)
}
describe! {
    RFFTN = "rfftn", Fft, Mixed, (x: Promoted), PromoteFloat -> [Complex],
    Bound::Sum, params: FftnParams::new(), example: [&[2, 4]], Body::Compose(compose_rfftn)
}
describe! {
    IRFFTN = "irfftn", Fft, Mixed, (x: Promoted), PromoteFloat -> [RealPart],
    Bound::Sum, params: FftnParams::new(), example: [&[2, 4]], Body::Compose(compose_irfftn)
}

/// The transform along each axis, in the order of `axes`.
fn steps(call: &Composition<'_>) -> Result<SmallVec<[FftParams; 4]>> {
    let (function, x, params) = (call.function.name, call.array(0), call.params::<FftnParams>());
    let ndim = x.ndim() as i64;
    let axes: Vec<i64> = match (&params.axes, &params.s) {
        (Some(axes), _) => axes.0.to_vec(),
        (None, Some(s)) => (-(s.0.len() as i64)..0).collect(),
        (None, None) => (0..ndim).collect(),
    };
    let axes = shape::normalize_axes(function, &axes, x.ndim())?;
    if let Some(s) = params.s.as_ref().filter(|s| s.0.len() != axes.len()) {
        let value = format!("{} numbers for {} axes", s.0.len(), axes.len());
        let rule = "one number of points for each axis";
        return Err(ErrorKind::InvalidArgument { function, argument: "s", value, rule }.into());
    }
    let n = |i: usize| match params.s.as_ref().map(|s| s.0[i]) {
        None | Some(-1) => Ok(None),
        Some(n) => points(function, "s", n).map(|_| Some(n)),
    };
    let step = |(i, &axis): (usize, &usize)| Ok(FftParams { n: n(i)?, axis: axis as i64, norm: params.norm });
    axes.iter().enumerate().map(step).collect()
}

/// At least one axis: the half of a transform is taken along the last.
fn split_last(
    call: &Composition<'_>,
    mut steps: SmallVec<[FftParams; 4]>,
) -> Result<(SmallVec<[FftParams; 4]>, FftParams)> {
    match steps.pop() {
        Some(last) => Ok((steps, last)),
        None => Err(ErrorKind::InvalidArgument {
            function: call.function.name,
            argument: "axes",
            value: "()".into(),
            rule: "the half of a transform needs an axis",
        }
        .into()),
    }
}

/// The operand as complex numbers: what a transform along no axis gives.
fn complex(call: &Composition<'_>) -> Result<Array> {
    let x = call.array(0);
    match x.dtype().complex_of() {
        Some(dtype) if dtype != x.dtype() => astype(x, dtype),
        _ => Ok(x.clone()),
    }
}

fn compose_fftn(call: &Composition<'_>) -> Result<Outputs> {
    let steps = steps(call)?;
    let start = if steps.is_empty() { complex(call)? } else { call.array(0).clone() };
    Ok(smallvec![steps.into_iter().rev().try_fold(start, fft)?])
}

fn compose_ifftn(call: &Composition<'_>) -> Result<Outputs> {
    let steps = steps(call)?;
    let start = if steps.is_empty() { complex(call)? } else { call.array(0).clone() };
    Ok(smallvec![steps.into_iter().rev().try_fold(start, ifft)?])
}

fn compose_rfftn(call: &Composition<'_>) -> Result<Outputs> {
    let (rest, last) = split_last(call, steps(call)?)?;
    Ok(smallvec![rest.into_iter().rev().try_fold(rfft(call.array(0), last)?, fft)?])
}

fn compose_irfftn(call: &Composition<'_>) -> Result<Outputs> {
    let (rest, last) = split_last(call, steps(call)?)?;
    // What is transformed between is complex, and the result is rounded once.
    let x = rest.into_iter().try_fold(call.array(0).clone(), ifft)?;
    let result = irfft(x, last)?;
    let dtype = call.compute.real_part();
    Ok(smallvec![if result.dtype() == dtype { result } else { astype(result, dtype)? }])
}

/// N-D discrete Fourier transform along several axes; see [`fft`].
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::ones([2, 4], ())?;
/// let z = ivy::fft::fftn(&x, ivy::fft::FftnParams::new().axes([1]))?;
/// assert_eq!(ivy::real(z)?.to_vec::<f32>()?, [4.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis),
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a transform without points, or
/// another number of them than of axes.
pub fn fftn<'a>(x: impl IntoOperand<'a>, params: impl Into<FftnParams>) -> Result<Array> {
    call_one(&FFTN, &[x.into_operand()], &params.into())
}

/// N-D inverse discrete Fourier transform: the inverse of [`fftn`].
///
/// # Errors
/// As [`fftn`].
pub fn ifftn<'a>(x: impl IntoOperand<'a>, params: impl Into<FftnParams>) -> Result<Array> {
    call_one(&IFFTN, &[x.into_operand()], &params.into())
}

/// N-D discrete Fourier transform of real input: [`rfft`] along the last of several axes, and [`fft`] along the others.
///
/// # Errors
/// As [`fftn`]; [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for no axes,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn rfftn<'a>(x: impl IntoOperand<'a>, params: impl Into<FftnParams>) -> Result<Array> {
    call_one(&RFFTN, &[x.into_operand()], &params.into())
}

/// N-D inverse discrete Fourier transform to real output: the inverse of [`rfftn`].
///
/// # Errors
/// As [`rfftn`], but for complex numbers.
pub fn irfftn<'a>(x: impl IntoOperand<'a>, params: impl Into<FftnParams>) -> Result<Array> {
    call_one(&IRFFTN, &[x.into_operand()], &params.into())
}
