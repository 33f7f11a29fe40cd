//! Window functions of signal processing. They are computed in float64 and rounded once.

use crate::array::Operand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{Arange, add, arange, astype, cos, minimum, multiply, ones, sin, square, subtract};
use crate::{Array, Dtype, ErrorKind, Result, Shape, params};
use smallvec::smallvec;
use std::f64::consts::PI;

params! {
    /// Arguments of [`hann_window`] and [`blackman_window`].
    pub struct Window {
        /// How many elements.
        size: usize = 4usize,
        /// A window whose period is its size; one whose last element equals its first if false.
        periodic: bool = true,
        /// The dtype, a float; the default float dtype if not given.
        dtype: Option<Dtype> = None,
    }
}

params! {
    /// Arguments of [`hamming_window`].
    pub struct HammingWindow {
        /// How many elements.
        window_length: usize = 4usize,
        /// A window whose period is its size; one whose last element equals its first if false.
        periodic: bool = true,
        /// What the cosine is subtracted from.
        alpha: f64 = 0.54,
        /// What the cosine is multiplied by.
        beta: f64 = 0.46,
        /// The dtype, a float; the default float dtype if not given.
        dtype: Option<Dtype> = None,
    }
}

params! {
    /// Arguments of [`vorbis_window`].
    pub struct VorbisWindow {
        /// How many elements.
        window_length: usize = 4usize,
        /// The dtype, a float; the default float dtype if not given.
        dtype: Option<Dtype> = None,
    }
}

/// Refuses what no window is.
pub(super) fn check(call: &Composition<'_>, size: usize, dtype: Option<Dtype>) -> Result<()> {
    let function = call.function.name;
    if let Some(dtype) = dtype.filter(|d| !d.is_float()) {
        let (argument, value, rule) = ("dtype", dtype.to_string(), "windows need a float dtype");
        return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
    }
    Shape::from([size]).checked_size(function, Dtype::FLOAT64).map(drop)
}

/// A window in the dtype that is asked for.
pub(super) fn rounded(call: &Composition<'_>, exact: Array) -> Result<Outputs> {
    Ok(smallvec![if call.compute == Dtype::FLOAT64 { exact } else { astype(exact, call.compute)? }])
}

/// A window of half the angle of each element: `pi n / N`, or as far from the end, since windows are symmetric. Of one
/// element it is 1.
fn window(
    call: &Composition<'_>,
    (size, periodic, dtype): (usize, bool, Option<Dtype>),
    of: impl FnOnce(Array) -> Result<Array>,
) -> Result<Outputs> {
    check(call, size, dtype)?;
    if size < 2 {
        return Ok(smallvec![ones(size, call.compute)?]);
    }
    let period = if periodic { size } else { size - 1 } as f64;
    let numbers = arange(size, Dtype::FLOAT64)?;
    let near = minimum(&numbers, subtract(period, &numbers)?)?;
    rounded(call, of(multiply(near, PI / period)?)?)
}

describe! {
    HANN_WINDOW = "hann_window", Creation, Compositional, (), InferFloat -> [Compute],
    Bound::Composed(4.0), params: Window::new(), example: [], Body::Compose(compose_hann)
}

fn compose_hann(call: &Composition<'_>) -> Result<Outputs> {
    let &Window { size, periodic, dtype } = call.params::<Window>();
    window(call, (size, periodic, dtype), |angles| square(sin(angles)?))
}

/// The Hann window `sin^2(pi n / N) = (1 - cos(2 pi n / N)) / 2`, where `N` is `size`, or `size - 1` unless `periodic`.
/// A window of one element is 1.
///
/// ```
/// use ivy::{Window, prelude::*};
/// assert_eq!(ivy::hann_window(4, Dtype::FLOAT64)?.to_vec::<f64>()?[2], 1.0);
/// let symmetric = ivy::hann_window(3, Window::new().periodic(false))?;
/// assert_eq!(symmetric.to_vec::<f32>()?, [0.0, 1.0, 0.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a dtype that is no float,
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow), [`MemoryLimit`](crate::ErrorKind::MemoryLimit).
pub fn hann_window(size: usize, params: impl Into<Window>) -> Result<Array> {
    call_one(&HANN_WINDOW, &[] as &[Operand<'_>], &params.into().size(size))
}

describe! {
    BLACKMAN_WINDOW = "blackman_window", Creation, Compositional, (), InferFloat -> [Compute],
    Bound::Composed(8.0), params: Window::new(), example: [], Body::Compose(compose_blackman)
}

fn compose_blackman(call: &Composition<'_>) -> Result<Outputs> {
    let &Window { size, periodic, dtype } = call.params::<Window>();
    // 0.42 - 0.5 cos(2a) + 0.08 cos(4a) by the square s of sin(a): s (0.36 + 0.64 s), which cancels nothing.
    window(call, (size, periodic, dtype), |angles| {
        let s = square(sin(angles)?)?;
        multiply(&s, add(multiply(&s, 0.64)?, 0.36)?)
    })
}

/// The Blackman window `0.42 - 0.5 cos(2 pi n / N) + 0.08 cos(4 pi n / N)`, where `N` is `size`, or `size - 1` unless
/// `periodic`. A window of one element is 1.
///
/// ```
/// use ivy::{Window, prelude::*};
/// let symmetric = ivy::blackman_window(3, Window::new().periodic(false))?;
/// assert_eq!(symmetric.to_vec::<f32>()?, [0.0, 1.0, 0.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`hann_window`].
pub fn blackman_window(size: usize, params: impl Into<Window>) -> Result<Array> {
    call_one(&BLACKMAN_WINDOW, &[] as &[Operand<'_>], &params.into().size(size))
}

describe! {
    HAMMING_WINDOW = "hamming_window", Creation, Compositional, (), InferFloat -> [Compute],
    Bound::Composed(8.0), params: HammingWindow::new(), example: [], Body::Compose(compose_hamming)
}

fn compose_hamming(call: &Composition<'_>) -> Result<Outputs> {
    let &HammingWindow { window_length, periodic, alpha, beta, dtype } = call.params::<HammingWindow>();
    window(call, (window_length, periodic, dtype), |angles| {
        subtract(alpha, multiply(cos(multiply(angles, 2.0)?)?, beta)?)
    })
}

/// The Hamming window `alpha - beta cos(2 pi n / N)`, where `N` is `window_length`, or one less unless `periodic`. A
/// window of one element is 1.
///
/// ```
/// use ivy::{HammingWindow, prelude::*};
/// let x = ivy::hamming_window(3, HammingWindow::new().periodic(false).alpha(0.5).beta(0.25))?;
/// assert_eq!(x.to_vec::<f32>()?, [0.25, 0.75, 0.25]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`hann_window`].
pub fn hamming_window(window_length: usize, params: impl Into<HammingWindow>) -> Result<Array> {
    call_one(&HAMMING_WINDOW, &[] as &[Operand<'_>], &params.into().window_length(window_length))
}

describe! {
    VORBIS_WINDOW = "vorbis_window", Creation, Compositional, (), InferFloat -> [Compute],
    Bound::Composed(8.0), params: VorbisWindow::new(), example: [], Body::Compose(compose_vorbis)
}

fn compose_vorbis(call: &Composition<'_>) -> Result<Outputs> {
    let &VorbisWindow { window_length, dtype } = call.params::<VorbisWindow>();
    check(call, window_length, dtype)?;
    let n = window_length as f64;
    let halves = arange((0.5, n, 1.0), Arange::new().dtype(Dtype::FLOAT64))?;
    let near = minimum(&halves, subtract(n, &halves)?)?;
    let inner = square(sin(multiply(near, PI / n)?)?)?;
    rounded(call, sin(multiply(inner, PI / 2.0)?)?)
}

/// Vorbis window: `sin(pi / 2 sin^2(pi (n + 1/2) / N))` of `N` elements.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::vorbis_window(2, ())?.to_vec::<f32>()?;
/// assert!(x.iter().all(|x| (x - 0.5f32.sqrt()).abs() < 1e-6));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`hann_window`].
pub fn vorbis_window(window_length: usize, params: impl Into<VorbisWindow>) -> Result<Array> {
    call_one(&VORBIS_WINDOW, &[] as &[Operand<'_>], &params.into().window_length(window_length))
}
