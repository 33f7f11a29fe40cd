//! Divisions and powers kept away from zero.

use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::precision::{downcast, upcast};
use crate::functional::{add, divide, pow};
use crate::{Result, context, params};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`stable_divide`].
    pub struct StableDivide {
        /// What is added to the denominators, a number or an array; [`min_denominator`](crate::context::min_denominator) if not given.
        operand min_denominator,
    }
}

params! {
    /// Keyword arguments of [`stable_pow`].
    pub struct StablePow {
        /// What is added to the bases, a number or an array; [`min_base`](crate::context::min_base) if not given.
        operand min_base,
    }
}

describe! {
    STABLE_DIVIDE = "stable_divide", Elementwise, Compositional,
    (numerator: Promoted, denominator: Promoted, min_denominator: Promoted optional),
    PromoteFloat -> [Compute], Bound::Composed(8.0), params: StableDivide::new(), example: [&[2], &[2], &[2]],
    Body::Compose(compose_divide)
}

fn compose_divide(call: &Composition<'_>) -> Result<Outputs> {
    let (numerator, denominator) = (upcast(call.array(0))?, upcast(call.array(1))?);
    let denominator = shifted(call, denominator, context::min_denominator)?;
    Ok(smallvec![downcast(divide(numerator, denominator)?, call.compute)?])
}

describe! {
    STABLE_POW = "stable_pow", Elementwise, Compositional,
    (base: Promoted, exponent: Promoted, min_base: Promoted optional),
    PromoteFloat -> [Compute], Bound::Composed(4.0), params: StablePow::new(), example: [&[2], &[2], &[2]],
    Body::Compose(compose_pow)
}

fn compose_pow(call: &Composition<'_>) -> Result<Outputs> {
    let (base, exponent) = (upcast(call.array(0))?, upcast(call.array(1))?);
    Ok(smallvec![downcast(pow(shifted(call, base, context::min_base)?, exponent)?, call.compute)?])
}

/// The operand plus the call's third one, or plus the setting's number where there is none.
fn shifted(call: &Composition<'_>, x: Array, setting: fn() -> f64) -> Result<Array> {
    match call.arrays.get(2).and_then(Option::as_ref) {
        Some(least) => add(x, upcast(least)?),
        None => add(x, setting()),
    }
}

/// Division away from zero: `numerator / (denominator + min_denominator)`: a quotient that is finite where the
/// denominator is 0.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::StableDivide;
/// let x = Array::try_from([1.0f64, 3.0])?;
/// let y = ivy::stable_divide(&x, &Array::try_from([0.0f64, 2.0])?, StableDivide::new().min_denominator(1.0))?;
/// assert_eq!(y.to_vec::<f64>()?, [1.0, 1.0]);
/// let each = Array::try_from([0.5f64, 4.0])?;
/// let y = ivy::stable_divide(&x, &Array::try_from([0.0f64, 2.0])?, StableDivide::new().min_denominator(&each))?;
/// assert_eq!(y.to_vec::<f64>()?, [2.0, 0.5]);
/// ivy::context::set_min_denominator(0.5)?;
/// assert_eq!(ivy::stable_divide(&x, 0.0, ())?.to_vec::<f64>()?, [2.0, 6.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`divide`].
pub fn stable_divide<'a, 'b>(
    numerator: impl IntoOperand<'a>,
    denominator: impl IntoOperand<'b>,
    params: impl Into<StableDivide>,
) -> Result<Array> {
    let least = params.into().min_denominator;
    call_one(
        &STABLE_DIVIDE,
        &[numerator.into_operand(), denominator.into_operand(), least],
        &StableDivide::new(),
    )
}

/// Power away from zero: `(base + min_base) ** exponent`: a power whose derivative is finite where the base is 0.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::StablePow;
/// let x = Array::try_from([0.0f64, 3.0])?;
/// assert_eq!(ivy::stable_pow(&x, 0.5, StablePow::new().min_base(1.0))?.to_vec::<f64>()?, [1.0, 2.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`pow`].
pub fn stable_pow<'a, 'b>(
    base: impl IntoOperand<'a>,
    exponent: impl IntoOperand<'b>,
    params: impl Into<StablePow>,
) -> Result<Array> {
    let least = params.into().min_base;
    call_one(&STABLE_POW, &[base.into_operand(), exponent.into_operand(), least], &StablePow::new())
}
