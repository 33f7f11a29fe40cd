//! Powers in floats, and scaling by powers of two.

use crate::array::{Array, IntoOperand};
use crate::call::binary;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::precision::{downcast, upcast};
use crate::functional::{astype, clip, multiply, pow, subtract};
use crate::{Dtype, Result};
use smallvec::smallvec;

describe! {
    FLOAT_POWER = "float_power", Elementwise, Compositional, (x1: Promoted, x2: Promoted),
    PromoteFloat -> [Compute], Bound::Ulp { float32: 1.5, float64: 2.5 }, params: (), example: [&[2], &[2]],
    Body::Compose(|call| Ok(smallvec![pow(call.array(0), call.array(1))?]))
}

/// Power in floats: `x1` to the power of `x2`, always in floats: integers and bool become the default float dtype, so
/// that negative exponents give fractions and nothing wraps. Floats keep their dtype.
///
/// ```
/// use ivy::prelude::*;
/// let (x, y) = (Array::try_from([2i32, 10])?, Array::try_from([-1i32, 2])?);
/// assert_eq!(ivy::float_power(&x, &y)?.to_vec::<f32>()?, [0.5, 100.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`pow`].
pub fn float_power<'a, 'b>(x1: impl IntoOperand<'a>, x2: impl IntoOperand<'b>) -> Result<Array> {
    binary(&FLOAT_POWER, x1, x2)
}

describe! {
    LDEXP = "ldexp", Elementwise, Compositional, (x1: Promoted, x2: Index), PromoteFloat -> [Compute],
    Bound::Exact, params: (), example: [&[2], &[2]], Body::Compose(compose_ldexp)
}

fn compose_ldexp(call: &Composition<'_>) -> Result<Outputs> {
    let x = upcast(call.array(0))?;
    // Powers of two within the dtype, of which three lead from its least number to its greatest one; and how many
    // bits what stands behind the first one of a power has.
    let (most, bits) = if x.dtype() == Dtype::FLOAT64 { (900, 48) } else { (100, 20) };
    let power = |exponent: &Array| {
        let near = pow(2.0, astype(exponent, x.dtype())?)?;
        // A power may be off in its last bits, which this takes away.
        let split = multiply(&near, 2f64.powi(bits) + 1.0)?;
        subtract(&split, subtract(&split, &near)?)
    };
    let part = |exponent: &Array| clip(exponent, -most, most);
    let all = clip(call.array(1), -3 * most, 3 * most)?;
    let last = part(&all)?;
    let rest = subtract(&all, &last)?;
    let second = part(&rest)?;
    let first = subtract(rest, &second)?;
    // The greatest factor comes last: what the others round is so small that it is 0 then.
    let scaled = multiply(multiply(&x, power(&first)?)?, power(&second)?)?;
    Ok(smallvec![downcast(multiply(scaled, power(&last)?)?, call.compute)?])
}

/// Scaling by powers of two: `x1 * 2^x2`, rounded once, also where the power itself is beyond the dtype: what
/// [`frexp`](crate::functional::frexp) takes apart.
///
/// ```
/// use ivy::prelude::*;
/// let (x, y) = (Array::try_from([0.5f32, -0.75, 1e-40])?, Array::try_from([4i32, 0, 140])?);
/// assert_eq!(ivy::ldexp(&x, &y)?.to_vec::<f32>()?[..2], [8.0, -0.75]);
/// let (mantissa, exponent) = ivy::frexp(&x)?;
/// assert_eq!(ivy::ldexp(&mantissa, &exponent)?.to_vec::<f32>()?, x.to_vec::<f32>()?);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers and for exponents that are no integers,
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes).
pub fn ldexp<'a, 'b>(x1: impl IntoOperand<'a>, x2: impl IntoOperand<'b>) -> Result<Array> {
    binary(&LDEXP, x1, x2)
}
