//! Discrete cosine and short-time Fourier transforms.

use super::{downcast, invalid, mismatch, upcast};
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::fft::{FftParams, fft, rfft};
use crate::functional::manipulation::slice_along;
use crate::functional::{Take, astype, multiply, real, reshape, take};
use crate::{AxisPad, Dims, Dtype, Op, Result, Scalar, Shape, params, primitive, shape};
use num_complex::Complex64;
use smallvec::smallvec;
use std::{f64::consts::PI, mem};

/// How [`dct`] scales its results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DctNorm {
    /// So that the transform is orthogonal.
    #[default]
    Ortho,
}

param_words! { DctNorm: "ortho" => Ortho }

params! {
    /// Keyword arguments of [`dct`].
    pub struct Dct {
        /// Which of the four transforms: 1 to 4. (`type` is a keyword in Rust.)
        r#type: i64 = 2,
        /// How many points: the axis is cut, or zeros are put after it. The axis' length if not given.
        n: Option<i64> = None,
        /// The axis.
        axis: i64 = -1,
        /// How results are scaled; not at all if not given.
        norm: Option<DctNorm> = None,
    }
}

describe! {
    DCT = "dct", Layer, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Sum, params: Dct::new(), example: [&[4]], Body::Compose(compose_dct)
}

/// The array with its axis cut, or with zeros after it.
pub(super) fn fitted(function: &'static str, x: &Array, axis: usize, n: usize) -> Result<Array> {
    let len = x.shape()[axis];
    if n <= len {
        return slice_along(function, x, axis, 0, 1, n);
    }
    let mut axes: Dims<AxisPad> = x.shape().iter().map(|_| AxisPad { before: 0, after: 0 }).collect();
    axes[axis].after = n - len;
    let mut shape = Dims::from_slice(x.shape());
    shape[axis] = n;
    Shape::from(shape).checked_size(function, Dtype::COMPLEX128)?;
    primitive::run(function, &Op::Pad { axes, value: Scalar::Int(0) }, &[x])
}

/// Numbers along an axis of an array, in a dtype.
fn factors(values: Vec<Complex64>, x: &Array, axis: usize, dtype: Dtype) -> Result<Array> {
    let len = values.len();
    let values = match dtype.is_complex() {
        true => Array::from_vec(values, len)?,
        false => Array::from_vec(values.into_iter().map(|z| z.re).collect::<Vec<f64>>(), len)?,
    };
    let mut shape = Dims::from_elem(1, x.ndim());
    shape[axis] = len;
    let values = if values.dtype() == dtype { values } else { astype(values, dtype)? };
    reshape(&values, Shape::from(shape), ())
}

fn compose_dct(call: &Composition<'_>) -> Result<Outputs> {
    let (function, p) = (call.function.name, call.params::<Dct>());
    let x = upcast(call.array(0))?;
    let axis = shape::normalize_axis(function, p.axis, x.ndim())?;
    let least = match p.r#type {
        1 => 2,
        2..=4 => 1,
        other => return Err(invalid(function, "type", other.to_string(), "one of 1, 2, 3, 4")),
    };
    let n = match p.n {
        None => x.shape()[axis],
        Some(n) => {
            usize::try_from(n).map_err(|_| invalid(function, "n", n.to_string(), "a number of points"))?
        }
    };
    if n < least || n > 1 << 40 {
        let rule = "a transform has 1 point or more, that of type 1 has 2 or more";
        return Err(invalid(function, "n", n.to_string(), rule));
    }
    let x = fitted(function, &x, axis, n)?;
    // Each type is the real part of `after[k] * sum of before[j] x[j] exp(-2 pi i j k / points)`.
    let points = if p.r#type == 1 { 2 * (n - 1) } else { 2 * n };
    let (len, ortho) = (n as f64, p.norm.is_some());
    let turn = |angle: f64| Complex64::from_polar(1.0, -PI * angle);
    let ends = |k: usize| k == 0 || k == n - 1;
    let before = |j: usize| match p.r#type {
        1 if ends(j) => Complex64::from(if ortho { 2f64.sqrt() } else { 1.0 }),
        1 => 2.0.into(),
        2 => 1.0.into(),
        3 => {
            turn(j as f64 / (2.0 * len))
                * if j == 0 {
                    1.0
                } else if ortho {
                    2f64.sqrt()
                } else {
                    2.0
                }
        }
        _ => turn(j as f64 / (2.0 * len)),
    };
    let after = |k: usize| match p.r#type {
        1 if ortho => {
            Complex64::from(0.5 * (if ends(k) { 1.0 / (len - 1.0) } else { 2.0 / (len - 1.0) }).sqrt())
        }
        1 => 1.0.into(),
        2 => {
            let scale = (if k == 0 { 0.25 } else { 0.5 } / len).sqrt();
            turn(k as f64 / (2.0 * len)) * 2.0 * if ortho { scale } else { 1.0 }
        }
        3 => (if ortho { 1.0 / len.sqrt() } else { 1.0 }).into(),
        _ => {
            turn((2.0 * k as f64 + 1.0) / (4.0 * len))
                * 2.0
                * if ortho { 1.0 / (2.0 * len).sqrt() } else { 1.0 }
        }
    };
    Shape::from([points]).checked_size(function, Dtype::COMPLEX128)?;
    let complex = x.dtype().complex_of().unwrap_or(Dtype::COMPLEX128);
    let transform = FftParams::new().n(points as i64).axis(axis as i64);
    // Real numbers have a transform of half the work; all n results are among its n + 1.
    let waves = match p.r#type {
        2 => rfft(&x, transform)?,
        1 => rfft(multiply(&x, factors((0..n).map(before).collect(), &x, axis, x.dtype())?)?, transform)?,
        _ => fft(multiply(&x, factors((0..n).map(before).collect(), &x, axis, complex)?)?, transform)?,
    };
    let waves = slice_along(function, &waves, axis, 0, 1, n)?;
    let scaled = p.r#type % 2 == 0;
    let y = match scaled {
        true => real(multiply(&waves, factors((0..n).map(after).collect(), &waves, axis, complex)?)?)?,
        false => real(&waves)?,
    };
    let y = match !scaled && ortho {
        true => multiply(&y, factors((0..n).map(after).collect(), &y, axis, y.dtype())?)?,
        false => y,
    };
    Ok(smallvec![downcast(y, call.compute)?])
}

/// Discrete cosine transform of `n` points along an axis:
///
/// - type 1: `x[0] + (-1)^k x[n-1] + 2 sum of x[j] cos(pi j k / (n - 1))` over `j` from 1 to `n - 2`;
/// - type 2: `2 sum of x[j] cos(pi (2 j + 1) k / (2 n))`;
/// - type 3: `x[0] + 2 sum of x[j] cos(pi j (2 k + 1) / (2 n))` over `j` from 1 on;
/// - type 4: `2 sum of x[j] cos(pi (2 j + 1) (2 k + 1) / (4 n))`.
///
/// With [`DctNorm::Ortho`] results (and ends of what is transformed) are scaled so that the transform is orthogonal.
/// Integers compute in the default float dtype, float16 and bfloat16 in float32.
///
/// ```
/// use ivy::{Dct, DctNorm, prelude::*};
/// let x = Array::try_from([1.0f32, 1.0, 1.0, 1.0])?;
/// let y = ivy::dct(&x, ())?.to_vec::<f32>()?;
/// assert!((y[0] - 8.0).abs() < 1e-5 && y[1].abs() < 1e-5);
/// let y = ivy::dct(&x, Dct::new().norm(DctNorm::Ortho))?.to_vec::<f32>()?;
/// assert!((y[0] - 2.0).abs() < 1e-5);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for another type, and for a transform without points (or of
/// one, of type 1); [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn dct<'a>(x: impl IntoOperand<'a>, params: impl Into<Dct>) -> Result<Array> {
    call_one(&DCT, &[x.into_operand()], &params.into())
}

params! {
    /// Arguments of [`stft`].
    pub struct Stft {
        /// How many elements a frame has; an argument of the function.
        frame_length: usize = 2usize,
        /// From one frame's first element to that of the next; an argument of the function.
        frame_step: usize = 1usize,
        /// The number of points of the transforms: frames are cut, or zeros are put after them. If not given, the
        /// least power of two that is not less than the frame's length.
        fft_length: Option<usize> = None,
        /// Zeros are put behind the signal, so that each step within it begins a frame.
        flag pad_end,
        /// What each element of a frame is multiplied by: `[frame_length]`.
        operand window_fn,
    }
}

describe! {
    STFT = "stft", Layer, Mixed, (signals: Promoted, window_fn: Promoted optional), PromoteFloat -> [Complex],
    Bound::Sum, params: Stft::new(), example: [&[4], &[2]], Body::Compose(compose_stft)
}

fn compose_stft(call: &Composition<'_>) -> Result<Outputs> {
    let (function, p, signals) = (call.function.name, call.params::<Stft>(), call.array(0));
    let Some(&len) = signals.shape().last() else {
        return Err(mismatch(function, "signals", "at least one axis".into(), signals));
    };
    let (size, step) = (p.frame_length, p.frame_step);
    for (argument, n) in
        [("frame_length", size), ("frame_step", step), ("fft_length", p.fft_length.unwrap_or(1))]
    {
        if n == 0 || n > 1 << 40 {
            return Err(invalid(function, argument, n.to_string(), "a length is 1 or more"));
        }
    }
    let points = p.fft_length.unwrap_or(size.next_power_of_two());
    let axis = signals.ndim() - 1;
    let frames = match p.pad_end {
        true => len.div_ceil(step),
        false => len.checked_sub(size).map_or(0, |rest| rest / step + 1),
    };
    let signals = upcast(signals)?;
    let reach = if frames == 0 { len } else { ((frames - 1) * step + size).max(len) };
    let signals = fitted(function, &signals, axis, reach)?;
    let lead = &signals.shape()[..axis];
    let shape: Shape = lead.iter().copied().chain([frames, size.max(points)]).collect();
    shape.checked_size(function, Dtype::COMPLEX128)?;
    Shape::from([frames, size]).checked_size(function, Dtype::INT64)?;
    let places: Vec<i64> = (0..frames).flat_map(|i| (0..size).map(move |j| (i * step + j) as i64)).collect();
    let apart = take(&signals, Array::from_vec(places, frames * size)?, Take::new().axis(-1))?;
    let shape: Shape = lead.iter().copied().chain([frames, size]).collect();
    let mut apart = reshape(&apart, shape, ())?;
    if let Some(window) = &call.arrays[1] {
        if window.shape()[..] != [size] {
            return Err(mismatch(function, "window_fn", format!("({size},)"), window));
        }
        apart = multiply(&apart, upcast(window)?)?;
    }
    let waves = rfft(&apart, FftParams::new().n(points as i64))?;
    let complex = call.compute.complex_of().unwrap_or(Dtype::COMPLEX128);
    Ok(smallvec![downcast(waves, complex)?])
}

/// Short-time Fourier transform: the transforms of the frames of real signals along their last axis: of `frame_length`
/// elements from each `frame_step`th on, multiplied by a window. The result is `[..., frames, fft_length / 2 + 1]`,
/// complex; see [`rfft`](crate::functional::fft::rfft).
///
/// ```
/// use ivy::{Stft, prelude::*};
/// let x = Array::try_from([1.0f32, 2.0, 3.0, 4.0])?;
/// let y = ivy::stft(&x, 2, 1, ())?;
/// assert_eq!(y.shape().to_string(), "(3, 2)");
/// assert_eq!(ivy::real(&y)?.to_vec::<f32>()?, [3.0, -1.0, 5.0, -1.0, 7.0, -1.0]);
/// let halves = Stft::new().window_fn(Array::try_from([0.5f32, 0.5])?).pad_end();
/// assert_eq!(ivy::stft(&x, 2, 2, halves)?.shape().to_string(), "(2, 2)");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a signal without axes and a window of another length;
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a length of 0;
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn stft<'a>(
    signals: impl IntoOperand<'a>,
    frame_length: usize,
    frame_step: usize,
    params: impl Into<Stft>,
) -> Result<Array> {
    let mut params = Stft { frame_length, frame_step, ..params.into() };
    let window = mem::replace(&mut params.window_fn, Operand::Absent);
    call_one(&STFT, &[signals.into_operand(), window], &params)
}
