//! Integration by the trapezoidal rule.

use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::manipulation::slice_along;
use crate::functional::precision::{downcast, upcast};
use crate::functional::{Sum, add, multiply, reshape, subtract, sum};
use crate::{Dims, ErrorKind, Result, Shape, params, shape};
use smallvec::smallvec;
use std::mem;

params! {
    /// Keyword arguments of [`trapz`].
    pub struct Trapz {
        /// How far samples are from each other, where `x` is not given.
        dx: f64 = 1.0,
        /// The axis along which they follow each other.
        axis: i64 = -1,
        /// Where they are: as many numbers as the axis has, or an array of the shape of `y`.
        operand x,
    }
}

describe! {
    TRAPZ = "trapz", Statistical, Compositional, (y: Promoted, x: Promoted optional), PromoteFloat -> [Compute],
    Bound::Sum, params: Trapz::new(), example: [&[2], &[2]], Body::Compose(compose_trapz)
}

fn compose_trapz(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params) = (call.function.name, call.params::<Trapz>());
    let y = upcast(call.array(0))?;
    let axis = shape::normalize_axis(function, params.axis, y.ndim())?;
    let heights = multiply(add(part(function, &y, axis, 1)?, part(function, &y, axis, 0)?)?, 0.5)?;
    let areas = match &call.arrays[1] {
        None => multiply(heights, params.dx)?,
        Some(x) => {
            let (x, length) = (upcast(x)?, y.shape()[axis]);
            let x = if x.shape() == y.shape() {
                x
            } else if x.shape()[..] == [length] {
                let mut dims: Dims = smallvec![1; y.ndim()];
                dims[axis] = length;
                reshape(&x, Shape::from(dims), ())?
            } else {
                let (expected, actual) = (format!("({length},) or {}", y.shape()), x.shape().clone());
                return Err(ErrorKind::ShapeMismatch { function, argument: "x", expected, actual }.into());
            };
            multiply(heights, subtract(part(function, &x, axis, 1)?, part(function, &x, axis, 0)?)?)?
        }
    };
    Ok(smallvec![downcast(sum(areas, Sum::new().axis(axis as i64))?, call.compute)?])
}

/// All but one along an axis, from a place on.
fn part(function: &'static str, x: &Array, axis: usize, start: usize) -> Result<Array> {
    slice_along(function, x, axis, start, 1, x.shape()[axis].saturating_sub(1))
}

/// Trapezoidal rule: the integral of samples along an axis as the sum of `(y[i] + y[i + 1]) / 2 * (x[i + 1] - x[i])`; 0
/// of fewer than two.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Trapz;
/// let y = Array::try_from([1.0f32, 2.0, 3.0])?;
/// assert_eq!(ivy::trapz(&y, ())?.item::<f32>()?, 4.0);
/// assert_eq!(ivy::trapz(&y, Trapz::new().x(&Array::try_from([0.0f32, 1.0, 3.0])?))?.item::<f32>()?, 6.5);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](ErrorKind::AxisOutOfRange), [`ShapeMismatch`](ErrorKind::ShapeMismatch) for `x`.
pub fn trapz<'a>(y: impl IntoOperand<'a>, params: impl Into<Trapz>) -> Result<Array> {
    let mut params = params.into();
    let x = mem::replace(&mut params.x, Operand::Absent);
    call_one(&TRAPZ, &[y.into_operand(), x], &params)
}
