//! FFT shifts: the zero frequency in the middle.

use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Composition, Outputs};
use crate::functional::{Roll, roll};
use crate::{Array, Result, params, shape};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`fftshift`] and [`ifftshift`].
    pub struct Shift {
        /// The axes; all if not given.
        axes: Option<Axes> = None,
    }
}

describe! {
    FFTSHIFT = "fftshift", Fft, Mixed, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Shift::new(), example: [&[4]], Body::Compose(|call| shifted(call, |n| n / 2))
}
describe! {
    IFFTSHIFT = "ifftshift", Fft, Mixed, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Shift::new(), example: [&[4]], Body::Compose(|call| shifted(call, |n| -(n / 2)))
}

fn shifted(call: &Composition<'_>, by: fn(i64) -> i64) -> Result<Outputs> {
    let (x, given) = (call.array(0), &call.params::<Shift>().axes);
    let all: Vec<i64> = (0..x.ndim() as i64).collect();
    let axes = given.as_ref().map_or(&all[..], |axes| &axes.0);
    let axes = shape::normalize_axes(call.function.name, axes, x.ndim())?;
    let shift: Vec<i64> = axes.iter().map(|&a| by(x.shape()[a] as i64)).collect();
    let axes: Vec<i64> = axes.iter().map(|&a| a as i64).collect();
    if axes.is_empty() {
        return Ok(smallvec![x.clone()]);
    }
    Ok(smallvec![roll(x, shift, Roll::new().axis(axes))?])
}

/// FFT shift: the elements moved along axes so that the zero frequency of a transform is in the middle.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([0i32, 1, 2, -2, -1])?;
/// let middle = ivy::fft::fftshift(&x, ())?;
/// assert_eq!(middle.to_vec::<i32>()?, [-2, -1, 0, 1, 2]);
/// assert_eq!(ivy::fft::ifftshift(&middle, ())?.to_vec::<i32>()?, [0, 1, 2, -2, -1]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis).
pub fn fftshift<'a>(x: impl IntoOperand<'a>, params: impl Into<Shift>) -> Result<Array> {
    call_one(&FFTSHIFT, &[x.into_operand()], &params.into())
}

/// Inverse FFT shift: the inverse of [`fftshift`].
///
/// # Errors
/// As [`fftshift`].
pub fn ifftshift<'a>(x: impl IntoOperand<'a>, params: impl Into<Shift>) -> Result<Array> {
    call_one(&IFFTSHIFT, &[x.into_operand()], &params.into())
}
