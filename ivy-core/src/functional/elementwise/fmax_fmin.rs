//! Maximum and minimum that ignore NaN.

use crate::Result;
use crate::array::{Array, IntoOperand};
use crate::call::binary;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{greater, isnan, less, logical_or, maximum, minimum, where_};
use smallvec::smallvec;

describe! {
    FMAX = "fmax", Elementwise, Compositional, (x1: Promoted, x2: Promoted), Promote -> [Compute],
    Bound::Exact, params: (), example: [&[2], &[2]], Body::Compose(|call| extreme(call, true))
}

describe! {
    FMIN = "fmin", Elementwise, Compositional, (x1: Promoted, x2: Promoted), Promote -> [Compute],
    Bound::Exact, params: (), example: [&[2], &[2]], Body::Compose(|call| extreme(call, false))
}

fn extreme(call: &Composition<'_>, greatest: bool) -> Result<Outputs> {
    let (x1, x2) = (call.array(0), call.array(1));
    if call.compute.is_int() {
        return Ok(smallvec![if greatest { maximum(x1, x2)? } else { minimum(x1, x2)? }]);
    }
    let beyond = if greatest { greater(x2, x1)? } else { less(x2, x1)? };
    // What compares with NaN is false, so that the first one stays where the second is NaN.
    Ok(smallvec![where_(logical_or(isnan(x1)?, beyond)?, x2, x1)?])
}

/// Maximum that ignores NaN: the greater of two elements; of NaN and a number the number, and NaN only where both are.
/// Of zeros of different signs it is the first.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, f32::NAN, f32::NAN])?;
/// let y = ivy::fmax(&x, &Array::try_from([2.0f32, 3.0, f32::NAN])?)?.to_vec::<f32>()?;
/// assert!(y[..2] == [2.0, 3.0] && y[2].is_nan());
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`maximum`].
pub fn fmax<'a, 'b>(x1: impl IntoOperand<'a>, x2: impl IntoOperand<'b>) -> Result<Array> {
    binary(&FMAX, x1, x2)
}

/// Minimum that ignores NaN: the lesser of two elements; of NaN and a number the number, and NaN only where both are.
/// Of zeros of different signs it is the first.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, f32::NAN])?;
/// assert_eq!(ivy::fmin(&x, 3.0)?.to_vec::<f32>()?, [1.0, 3.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`minimum`].
pub fn fmin<'a, 'b>(x1: impl IntoOperand<'a>, x2: impl IntoOperand<'b>) -> Result<Array> {
    binary(&FMIN, x1, x2)
}
