//! 1-D Fourier transforms.

use super::{Norm, points};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Request};
use crate::{Array, FftOp, Op, Result, Shape, params, shape};

params! {
    /// Keyword arguments of the transforms along one axis.
    pub struct FftParams {
        /// How many points: the axis is cut, or zeros are put after it. The axis' length if not
        /// given; of [`irfft`] and [`hfft`](super::hfft) `2 (m - 1)` for an axis of length `m`,
        /// and the axis is cut to `n / 2 + 1`.
        n: Option<i64> = None,
        /// The axis.
        axis: i64 = -1,
        /// What is scaled.
        norm: Norm = Norm::Backward,
    }
}

describe! {
    FFT = "fft", Fft, Primary, (x: Promoted), PromoteFloat -> [Complex],
    Bound::Sum, params: FftParams::new(), example: [&[4]], Body::Op(|r| lower(r, FftOp::Forward))
}
describe! {
    IFFT = "ifft", Fft, Primary, (x: Promoted), PromoteFloat -> [Complex],
    Bound::Sum, params: FftParams::new(), example: [&[4]], Body::Op(|r| lower(r, FftOp::Inverse))
}
describe! {
    RFFT = "rfft", Fft, Primary, (x: Promoted), PromoteFloat -> [Complex],
    Bound::Sum, params: FftParams::new(), example: [&[4]], Body::Op(|r| lower(r, FftOp::Real))
}
describe! {
    IRFFT = "irfft", Fft, Primary, (x: Promoted), PromoteFloat -> [RealPart],
    Bound::Sum, params: FftParams::new(), example: [&[4]], Body::Op(|r| lower(r, FftOp::RealInverse))
}

fn lower(request: &Request<'_>, op: FftOp) -> Result<Op> {
    let (function, params) = (request.function.name, request.params::<FftParams>());
    let shape = request.shape(0);
    let axis = shape::normalize_axis(function, params.axis, shape.len())?;
    let length = shape[axis] as i64;
    let n = params.n.unwrap_or(if op == FftOp::RealInverse { 2 * (length - 1) } else { length });
    let n = points(function, "n", n)?;
    let mut dims = crate::Dims::from_slice(shape);
    dims[axis] = n;
    Shape::from(dims).checked_size(function, request.compute.complex_of().unwrap_or(request.compute))?;
    let forward = matches!(op, FftOp::Forward | FftOp::Real);
    Ok(Op::Fft { op, axis, n, scale: params.norm.scale(forward) })
}

/// 1-D discrete Fourier transform along an axis, of real or complex numbers: the sums of `x[j] exp(-2 pi i j k / n)`
/// for `k` from 0 on. The result is complex.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, 0.0, 0.0, 0.0])?;
/// assert_eq!(ivy::real(ivy::fft::fft(&x, ())?)?.to_vec::<f32>()?, [1.0; 4]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a transform without points.
pub fn fft<'a>(x: impl IntoOperand<'a>, params: impl Into<FftParams>) -> Result<Array> {
    call_one(&FFT, &[x.into_operand()], &params.into())
}

/// 1-D inverse discrete Fourier transform: the inverse of [`fft`].
///
/// # Errors
/// As [`fft`].
pub fn ifft<'a>(x: impl IntoOperand<'a>, params: impl Into<FftParams>) -> Result<Array> {
    call_one(&IFFT, &[x.into_operand()], &params.into())
}

/// 1-D discrete Fourier transform of real input: the first `n / 2 + 1` results of [`fft`] for real numbers; the others
/// are their conjugates.
///
/// # Errors
/// As [`fft`]; [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn rfft<'a>(x: impl IntoOperand<'a>, params: impl Into<FftParams>) -> Result<Array> {
    call_one(&RFFT, &[x.into_operand()], &params.into())
}

/// 1-D inverse discrete Fourier transform to real output: the inverse of [`rfft`]: `n` real numbers from the first
/// `n / 2 + 1` of a transform. The imaginary part of the first one, and for an even `n` of the last, counts as zero.
///
/// # Errors
/// As [`fft`].
pub fn irfft<'a>(x: impl IntoOperand<'a>, params: impl Into<FftParams>) -> Result<Array> {
    call_one(&IRFFT, &[x.into_operand()], &params.into())
}
