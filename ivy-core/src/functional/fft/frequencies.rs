//! Sample frequencies of Fourier transforms.

use super::points;
use crate::backend::Device;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{arange, astype, concat, divide};
use crate::{Array, Dtype, ErrorKind, Operand, Result, Shape, params};
use smallvec::smallvec;

params! {
    /// Arguments of [`fftfreq`] and [`rfftfreq`].
    pub struct Frequencies {
        /// The number of points.
        n: i64 = 4,
        /// The distance between two samples.
        d: f64 = 1.0,
        /// The dtype, a float; the default float if not given.
        dtype: Option<Dtype> = None,
        /// The device.
        device: Option<Device> = None,
    }
}

describe! {
    FFTFREQ = "fftfreq", Fft, Mixed, (), InferFloat -> [Compute],
    Bound::Composed(1.0), params: Frequencies::new(), example: [], Body::Compose(compose_fftfreq)
}
describe! {
    RFFTFREQ = "rfftfreq", Fft, Mixed, (), InferFloat -> [Compute],
    Bound::Composed(1.0), params: Frequencies::new(), example: [], Body::Compose(compose_rfftfreq)
}

/// Whole numbers divided by `n d`: in float64, rounded once to the dtype asked for.
fn frequencies(call: &Composition<'_>, whole: impl Fn(i64) -> Result<Array>) -> Result<Outputs> {
    let (function, params) = (call.function.name, call.params::<Frequencies>());
    if let Some(dtype) = params.dtype.filter(|d| !d.is_float()) {
        let (argument, value) = ("dtype", dtype.to_string());
        let rule = "frequencies need a float dtype";
        return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
    }
    let n = points(function, "n", params.n)?;
    Shape::from([n]).checked_size(function, Dtype::FLOAT64)?;
    let exact = divide(whole(params.n)?, n as f64 * params.d)?;
    Ok(smallvec![if call.compute == Dtype::FLOAT64 { exact } else { astype(exact, call.compute)? }])
}

fn compose_fftfreq(call: &Composition<'_>) -> Result<Outputs> {
    frequencies(call, |n| {
        let part = |start: i64, stop: i64| arange(start..stop, Dtype::FLOAT64);
        let (positive, negative) = (part(0, (n + 1) / 2)?, part(-(n / 2), 0)?);
        concat([&positive, &negative], ())
    })
}

fn compose_rfftfreq(call: &Composition<'_>) -> Result<Outputs> {
    frequencies(call, |n| arange(0..n / 2 + 1, Dtype::FLOAT64))
}

/// Sample frequencies: the frequencies of the results of [`fft`](super::fft()) for `n` points: `0, 1, ..., -1` divided
/// by `n d`, the negative ones last.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::fft::fftfreq(4, ())?.to_vec::<f32>()?, [0.0, 0.25, -0.5, -0.25]);
/// assert_eq!(ivy::fft::rfftfreq(4, ())?.to_vec::<f32>()?, [0.0, 0.25, 0.5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for no points, or a dtype that is no
/// float.
pub fn fftfreq(n: i64, params: impl Into<Frequencies>) -> Result<Array> {
    call_one(&FFTFREQ, &[] as &[Operand<'_>], &Frequencies { n, ..params.into() })
}

/// Non-negative sample frequencies: the frequencies of the results of [`rfft`](super::rfft) for `n` points, none of
/// them negative.
///
/// # Errors
/// As [`fftfreq`].
pub fn rfftfreq(n: i64, params: impl Into<Frequencies>) -> Result<Array> {
    call_one(&RFFTFREQ, &[] as &[Operand<'_>], &Frequencies { n, ..params.into() })
}
