//! Trimming of leading and trailing zeros.

use super::slice_axes;
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::nonzero;
use crate::{AxisSlice, ErrorKind, Result, params};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`trim_zeros`].
    pub struct TrimZeros {
        /// From where zeros are taken away: `f` is the front and `b` the back, in any case and order.
        trim: String = String::from("fb"),
    }
}

describe! {
    TRIM_ZEROS = "trim_zeros", Manipulation, Compositional, (a: Promoted), Promote -> [Compute],
    Bound::Exact, params: TrimZeros::new(), example: [&[2]], Body::Compose(compose_trim_zeros)
}

fn compose_trim_zeros(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x) = (call.function.name, call.array(0));
    let trim = call.params::<TrimZeros>().trim.to_ascii_lowercase();
    if trim.chars().any(|c| c != 'f' && c != 'b') {
        let (value, rule) = (call.params::<TrimZeros>().trim.clone(), "`f`, `b`, `fb` or nothing");
        return Err(ErrorKind::InvalidArgument { function, argument: "trim", value, rule }.into());
    }
    let [n] = x.shape()[..] else {
        let (expected, actual) = ("one axis".into(), x.shape().clone());
        return Err(ErrorKind::ShapeMismatch { function, argument: "a", expected, actual }.into());
    };
    // Without values any length is as good as another, and the longest one is a bound.
    if x.backend().is_abstract() || trim.is_empty() {
        return Ok(smallvec![x.clone()]);
    }
    let places = nonzero(x)?.remove(0);
    let place = |at: usize| -> Result<usize> {
        let one = slice_axes(function, &places, smallvec![AxisSlice { start: at, step: 1, len: 1 }])?;
        Ok(one.item::<i64>()? as usize)
    };
    let (start, end) = match places.size() {
        0 => (0, 0),
        count => {
            let start = if trim.contains('f') { place(0)? } else { 0 };
            (start, if trim.contains('b') { place(count - 1)? + 1 } else { n })
        }
    };
    Ok(smallvec![slice_axes(function, x, smallvec![AxisSlice { start, step: 1, len: end - start }])?])
}

/// Trimming of zeros: the elements of an array with one axis without the zeros at its ends, or at that of them which
/// `trim` names. NaN is not zero. How many are left depends on the elements, which are evaluated.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::TrimZeros;
/// let x = Array::try_from([0i32, 0, 1, 0, 2, 0])?;
/// assert_eq!(ivy::trim_zeros(&x, ())?.to_vec::<i32>()?, [1, 0, 2]);
/// assert_eq!(ivy::trim_zeros(&x, TrimZeros::new().trim("b"))?.to_vec::<i32>()?, [0, 0, 1, 0, 2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](ErrorKind::ShapeMismatch) unless there is one axis,
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for other letters.
pub fn trim_zeros<'a>(a: impl IntoOperand<'a>, params: impl Into<TrimZeros>) -> Result<Array> {
    call_one(&TRIM_ZEROS, &[a.into_operand()], &params.into())
}
