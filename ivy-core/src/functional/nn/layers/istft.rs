//! Inverse short-time Fourier transforms.

use super::dct_stft::fitted;
use super::{downcast, invalid, mismatch};
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::fft::{FftParams, irfft};
use crate::functional::indexing::active_lanes::zeros;
use crate::functional::manipulation::slice_along;
use crate::functional::{
    Filled, broadcast_to, divide, equal, full, index_add, multiply, reshape, square, where_,
};
use crate::{Dtype, Result, Shape, params};
use smallvec::smallvec;
use std::mem;

params! {
    /// Arguments of [`istft`].
    pub struct Istft {
        /// How many elements a frame has; an argument of the function.
        frame_length: usize = 2usize,
        /// From one frame's first element to that of the next; an argument of the function.
        frame_step: usize = 1usize,
        /// The number of points of the transforms. If not given, the least power of two that is not less than the
        /// frame's length.
        fft_length: Option<usize> = None,
        /// How many elements the signal has: it is cut, or zeros are put behind it. If not given, as many as the frames
        /// reach.
        length: Option<usize> = None,
        /// What each element of a frame was multiplied by: `[frame_length]`, cast to the dtype of the signal.
        operand window_fn,
    }
}

describe! {
    ISTFT = "istft", Layer, Mixed, (spectra: Promoted, window_fn: Kept optional), PromoteFloat -> [RealPart],
    Bound::Sum, params: Istft::new(), example: [&[3, 2], &[2]], Body::Compose(compose)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (function, p, spectra) = (call.function.name, call.params::<Istft>(), call.array(0));
    let (size, step) = (p.frame_length, p.frame_step);
    for (argument, n) in
        [("frame_length", size), ("frame_step", step), ("fft_length", p.fft_length.unwrap_or(1))]
    {
        if n == 0 || n > 1 << 40 {
            return Err(invalid(function, argument, n.to_string(), "a length is 1 or more"));
        }
    }
    let points = p.fft_length.unwrap_or(size.next_power_of_two());
    let Some(lead) = spectra.ndim().checked_sub(2) else {
        return Err(mismatch(function, "spectra", "axes of frames and of frequencies".into(), spectra));
    };
    if spectra.shape()[lead + 1] != points / 2 + 1 {
        return Err(mismatch(function, "spectra", format!("{} frequencies", points / 2 + 1), spectra));
    }
    let frames = spectra.shape()[lead];
    let reach = if frames == 0 { 0 } else { (frames - 1).saturating_mul(step).saturating_add(size) };
    let before = &spectra.shape()[..lead];
    // Small floats have transforms in float32.
    let result = call.compute.real_part();
    let complex = call.compute.complex_of().unwrap_or(call.compute);
    let dtype = complex.real_part();
    let with = |axes: &[usize]| -> Shape { before.iter().chain(axes).copied().collect() };
    with(&[reach]).checked_size(function, dtype)?;
    with(&[frames, size.max(points)]).checked_size(function, Dtype::COMPLEX128)?;
    // Transforms of fewer points have only the first elements of their frames.
    let used = size.min(points);
    let window = match &call.arrays[1] {
        Some(window) if window.shape()[..] != [size] => {
            return Err(mismatch(function, "window_fn", format!("({size},)"), window));
        }
        Some(window) => {
            slice_along(function, &downcast(downcast(window.clone(), result)?, dtype)?, 0, 0, 1, used)?
        }
        None => full([used], 1, Filled::new().dtype(dtype))?,
    };
    let waves = irfft(downcast(spectra.clone(), complex)?, FftParams::new().n(points as i64))?;
    let apart = multiply(slice_along(function, &waves, lead + 1, 0, 1, used)?, &window)?;
    let places: Vec<i64> = (0..frames).flat_map(|i| (0..used).map(move |j| (i * step + j) as i64)).collect();
    let places = Array::from_vec(places, frames * used)?;
    let apart = reshape(&apart, with(&[frames * used]), ())?;
    let sums = index_add(zeros(with(&[reach]), dtype)?, -1, &places, &apart, ())?;
    let squares = reshape(broadcast_to(square(&window)?, [frames, used])?, [(frames * used) as i64], ())?;
    let total = index_add(zeros([reach].into(), dtype)?, 0, &places, squares, ())?;
    let none = equal(&total, 0)?;
    let signal = divide(where_(&none, 0.0, sums)?, where_(&none, 1.0, total)?)?;
    let signal = match p.length {
        Some(length) => fitted(function, &signal, lead, length)?,
        None => signal,
    };
    Ok(smallvec![downcast(signal, result)?])
}

/// Inverse short-time Fourier transform: the signals whose frames have these transforms, the inverse of
/// [`stft`](crate::functional::stft) with the same arguments: `[..., frames, fft_length / 2 + 1]` numbers give
/// `[..., length]` real ones. Where frames overlap, each counts by its window: the sum of the frames times the window,
/// over the sum of the squares of the windows; where that is 0, so is the signal.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f64, 2.0, 3.0, 4.0])?;
/// let y = ivy::istft(ivy::stft(&x, 2, 1, ())?, 2, 1, ())?;
/// assert_eq!(y.to_vec::<f64>()?, [1.0, 2.0, 3.0, 4.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for fewer than two axes, another number of frequencies and a
/// window of another length; [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a length of 0;
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow); [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for a complex
/// window.
pub fn istft<'a>(
    spectra: impl IntoOperand<'a>,
    frame_length: usize,
    frame_step: usize,
    params: impl Into<Istft>,
) -> Result<Array> {
    let mut params = Istft { frame_length, frame_step, ..params.into() };
    let window = mem::replace(&mut params.window_fn, Operand::Absent);
    call_one(&ISTFT, &[spectra.into_operand(), window], &params)
}
