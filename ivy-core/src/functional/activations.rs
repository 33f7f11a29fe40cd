//! Activation functions.

use super::statistical::check_not_empty;
use super::{Max, Sum, divide, exp, max, subtract, sum};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::shape::normalize_axis;
use crate::{Array, Result, Shape, params};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`softmax`].
    pub struct Softmax {
        /// The axis along which the results sum to one; the last if not given.
        axis: Option<i64> = None,
    }
}

impl Softmax {
    /// The axis of an operand of a shape, counted from the front, for backends that have a form of
    /// their own.
    ///
    /// # Errors
    /// Those of [`softmax`].
    pub fn axis_of(&self, shape: &Shape) -> Result<usize> {
        let axis = normalize_axis(SOFTMAX.name, self.axis.unwrap_or(-1), shape.len())?;
        check_not_empty(SOFTMAX.name, shape, &[axis])?;
        Ok(axis)
    }
}

describe! {
    SOFTMAX = "softmax", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: Softmax::new(), example: [&[2, 2]], Body::Compose(compose_softmax)
}

fn compose_softmax(call: &Composition<'_>) -> Result<Outputs> {
    let x = call.array(0);
    let axis = call.params::<Softmax>().axis_of(x.shape())? as i64;
    let shifted = if x.dtype().is_complex() {
        x.clone()
    } else {
        subtract(x, max(x, Max::new().axis(axis).keepdims())?)?
    };
    let e = exp(&shifted)?;
    Ok(smallvec![divide(&e, sum(&e, Sum::new().axis(axis).keepdims())?)?])
}

/// `exp(x) / sum(exp(x))` along an axis, computed from `x - max(x)` so that it does not
/// overflow. Integers compute in the default float dtype.
///
/// ```
/// use ivy::prelude::*;
/// let p = ivy::softmax(&Array::try_from([1000.0f32, 1000.0])?, ())?;
/// assert_eq!(p.to_vec::<f32>()?, [0.5, 0.5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), also for an array without axes;
/// [`EmptyReduction`](crate::ErrorKind::EmptyReduction) along an axis of length 0.
pub fn softmax<'a>(x: impl IntoOperand<'a>, params: impl Into<Softmax>) -> Result<Array> {
    call_one(&SOFTMAX, &[x.into_operand()], &params.into())
}
