//! The Heaviside step function.

use crate::Result;
use crate::array::{Array, IntoOperand};
use crate::call::binary;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{add, equal, multiply, sign, where_};
use smallvec::smallvec;

describe! {
    HEAVISIDE = "heaviside", Elementwise, Compositional, (x1: Promoted, x2: Promoted),
    PromoteFloat -> [Compute], Bound::Exact, params: (), example: [&[2], &[2]], Body::Compose(compose_heaviside)
}

fn compose_heaviside(call: &Composition<'_>) -> Result<Outputs> {
    let (x1, x2) = (call.array(0), call.array(1));
    let step = multiply(add(sign(x1)?, 1)?, 0.5)?;
    Ok(smallvec![where_(equal(x1, 0)?, x2, step)?])
}

/// Heaviside step function: 0 where `x1` is negative, `x2` where it is 0, 1 where it is positive, NaN where it is NaN.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([-1.5f32, 0.0, 2.0])?;
/// assert_eq!(ivy::heaviside(&x, 0.5)?.to_vec::<f32>()?, [0.0, 0.5, 1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers, and as for any function of two operands.
pub fn heaviside<'a, 'b>(x1: impl IntoOperand<'a>, x2: impl IntoOperand<'b>) -> Result<Array> {
    binary(&HEAVISIDE, x1, x2)
}
