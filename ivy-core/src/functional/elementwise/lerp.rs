//! Linear interpolation between two values.

use crate::Result;
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::precision::{downcast, upcast};
use crate::functional::{abs, add, less, multiply, subtract, where_};
use smallvec::smallvec;

describe! {
    LERP = "lerp", Elementwise, Compositional, (input: Promoted, end: Promoted, weight: Promoted),
    PromoteFloat -> [Compute], Bound::Composed(4.0), params: (), example: [&[2], &[2], &[2]],
    Body::Compose(compose_lerp)
}

fn compose_lerp(call: &Composition<'_>) -> Result<Outputs> {
    let [input, end, weight] = &[upcast(call.array(0))?, upcast(call.array(1))?, upcast(call.array(2))?];
    let size = if call.compute.is_complex() { abs(weight)? } else { weight.clone() };
    // From the end that is nearer, both ends come out exactly; and products of weights up to a half differ by no more
    // than the dtype's greatest number, whatever the ends are.
    let first = less(size, 0.5)?;
    let part = where_(&first, weight, subtract(1.0, weight)?)?;
    let near = where_(&first, input, end)?;
    let far = where_(&first, end, input)?;
    let way = subtract(multiply(&part, far)?, multiply(&part, &near)?)?;
    Ok(smallvec![downcast(add(near, way)?, call.compute)?])
}

/// Linear interpolation: `input + weight * (end - input)`. Exactly `input` for weight 0, `end` for weight 1, and both
/// where they are equal; for weights between nothing overflows. Weights outside of these extrapolate.
///
/// ```
/// use ivy::prelude::*;
/// let (x, y) = (Array::try_from([0.0f32, 10.0])?, Array::try_from([1.0f32, 20.0])?);
/// assert_eq!(ivy::lerp(&x, &y, 0.25)?.to_vec::<f32>()?, [0.25, 12.5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As for any function of several operands.
pub fn lerp<'a, 'b, 'c>(
    input: impl IntoOperand<'a>,
    end: impl IntoOperand<'b>,
    weight: impl IntoOperand<'c>,
) -> Result<Array> {
    call_one(&LERP, &[input.into_operand(), end.into_operand(), weight.into_operand()], &())
}
