//! Piecewise linear activations.

use super::complex::{at_most, clamped};
use crate::array::{IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Coefficient, Composition, Outputs};
use crate::functional::nn::{check, invalid};
use crate::functional::{abs, greater, less_equal, subtract, where_};
use crate::promotion::check_scalar;
use crate::{Array, Result, Scalar, params};
use smallvec::smallvec;

/// A keyword argument as a number of the dtype computed in.
fn number(call: &Composition<'_>, argument: &'static str, value: f64) -> Result<Scalar> {
    let function = call.function.name;
    if !call.compute.is_int() {
        check(function, argument, value, !value.is_nan(), "a number is needed, not NaN")?;
        return Ok(Scalar::Float(value));
    }
    let whole = value.is_finite() && value.fract() == 0.0;
    check(function, argument, value, whole, "a whole number is needed beside an array of integers")?;
    let scalar = Scalar::Int(value as i128);
    check_scalar(function, scalar, call.compute)?;
    Ok(scalar)
}

/// The same of one that may be an array.
fn operand(call: &Composition<'_>, argument: &'static str, value: &Coefficient) -> Result<Operand<'static>> {
    match value.constant() {
        Some(value) => number(call, argument, value).map(Operand::Scalar),
        None if call.compute.is_int() => {
            let rule = "an array of integers needs a whole number, which no derivative is taken by";
            Err(invalid(call.function.name, argument, "a transformed array".into(), rule))
        }
        None => value.like(call.array(0)),
    }
}

params! {
    /// Keyword arguments of [`hardtanh`].
    pub struct HardTanh {
        /// The greatest value.
        max_val: Coefficient = Coefficient::Number(1.0),
        /// The least value.
        min_val: Coefficient = Coefficient::Number(-1.0),
    }
}

describe! {
    HARDTANH = "hardtanh", Activation, Mixed, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: HardTanh::new(), example: [&[2]], Body::Compose(compose_hardtanh)
}

fn compose_hardtanh(call: &Composition<'_>) -> Result<Outputs> {
    let HardTanh { max_val, min_val } = call.params();
    let (low, high) = (least(call, min_val)?, operand(call, "max_val", max_val)?);
    if let (Some(low), Some(high)) = (min_val.constant(), max_val.constant()) {
        check(call.function.name, "max_val", high, high >= low, "not below `min_val`")?;
    }
    Ok(smallvec![clamped(call.array(0), low, high)?])
}

/// The lower bound: no unsigned integer is below 0, and the default bound is.
fn least(call: &Composition<'_>, min_val: &Coefficient) -> Result<Operand<'static>> {
    match min_val.constant() {
        Some(value) if call.compute.is_uint() && value < 0.0 && value.fract() == 0.0 => {
            Ok(Operand::Scalar(Scalar::Int(0)))
        }
        _ => operand(call, "min_val", min_val),
    }
}

/// Hard hyperbolic tangent: `x`, but at least `min_val` and at most `max_val`. Integers stay integers, and NaN stays
/// NaN. The derivative at the bounds is 0.
///
/// ```
/// use ivy::{HardTanh, prelude::*};
/// let x = Array::try_from([-2.0f32, 0.5, 7.0])?;
/// assert_eq!(ivy::hardtanh(&x, ())?.to_vec::<f32>()?, [-1.0, 0.5, 1.0]);
/// assert_eq!(ivy::hardtanh(&x, HardTanh::new().max_val(4.0))?.to_vec::<f32>()?, [-1.0, 0.5, 4.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for bounds in the wrong order, and for ones that are not
/// whole beside integers; [`ScalarOutOfRange`](crate::ErrorKind::ScalarOutOfRange) for those that the integers' dtype
/// does not hold (but a negative `min_val` beside unsigned ones); [`OutsideDomain`](crate::ErrorKind::OutsideDomain)
/// for bool and complex numbers.
pub fn hardtanh<'a>(x: impl IntoOperand<'a>, params: impl Into<HardTanh>) -> Result<Array> {
    call_one(&HARDTANH, &[x.into_operand()], &params.into())
}

params! {
    /// Arguments of [`threshold`].
    pub struct Threshold {
        /// The number that elements have to be above.
        threshold: f64 = 0.0,
        /// What stands in place of the others.
        value: Coefficient = Coefficient::Number(0.0),
    }
}

describe! {
    THRESHOLD = "threshold", Activation, Mixed, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: Threshold::new(), example: [&[2]],
    Body::Compose(|call| {
        let Threshold { threshold, value } = call.params();
        replaced(call, *threshold, value)
    })
}

fn replaced(call: &Composition<'_>, threshold: f64, value: &Coefficient) -> Result<Outputs> {
    let x = call.array(0);
    let (bound, value) = (number(call, "threshold", threshold)?, operand(call, "value", value)?);
    Ok(smallvec![where_(at_most(x, bound)?, value, x)?])
}

/// Thresholding: `x` where it is above a threshold, else a value. NaN stays NaN.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1i16, 5, 9])?;
/// assert_eq!(ivy::threshold(&x, 5.0, -1.0)?.to_vec::<i16>()?, [-1, -1, 9]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for NaN, and for numbers that are not whole beside integers;
/// [`ScalarOutOfRange`](crate::ErrorKind::ScalarOutOfRange); [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for
/// bool and complex numbers.
pub fn threshold<'a>(
    x: impl IntoOperand<'a>,
    threshold: f64,
    value: impl Into<Coefficient>,
) -> Result<Array> {
    call_one(&THRESHOLD, &[x.into_operand()], &Threshold { threshold, value: value.into() })
}

params! {
    /// Keyword arguments of [`thresholded_relu`].
    pub struct ThresholdedRelu {
        /// The number that elements have to be above.
        threshold: f64 = 0.0,
    }
}

describe! {
    THRESHOLDED_RELU = "thresholded_relu", Activation, Mixed, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: ThresholdedRelu::new(), example: [&[2]],
    Body::Compose(|call| replaced(call, call.params::<ThresholdedRelu>().threshold, &Coefficient::Number(0.0)))
}

/// Thresholded rectified linear unit: `x` where it is above a threshold, else 0.
///
/// ```
/// use ivy::{ThresholdedRelu, prelude::*};
/// let x = Array::try_from([0.5f32, 1.5])?;
/// let y = ivy::thresholded_relu(&x, ThresholdedRelu::new().threshold(1.0))?;
/// assert_eq!(y.to_vec::<f32>()?, [0.0, 1.5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`threshold()`].
pub fn thresholded_relu<'a>(x: impl IntoOperand<'a>, params: impl Into<ThresholdedRelu>) -> Result<Array> {
    call_one(&THRESHOLDED_RELU, &[x.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`hardshrink`].
    pub struct HardShrink {
        /// Half the width of what becomes 0.
        lambd: Coefficient = Coefficient::Number(0.5),
    }
}

/// Keyword arguments of [`softshrink`], the same as of [`hardshrink`].
pub type SoftShrink = HardShrink;

describe! {
    HARDSHRINK = "hardshrink", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Exact, params: HardShrink::new(), example: [&[2]],
    Body::Compose(|call| {
        let (x, lambd) = (call.array(0), &call.params::<HardShrink>().lambd);
        lambd.check_not_negative(call.function.name, "lambd")?;
        Ok(smallvec![where_(less_equal(abs(x)?, lambd.like(x)?)?, 0, x)?])
    })
}

/// Hard shrinkage: 0 where `|x|` is at most `lambd`, else `x`.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([-1.0f32, 0.5, 0.75])?;
/// assert_eq!(ivy::hardshrink(&x, ())?.to_vec::<f32>()?, [-1.0, 0.0, 0.75]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a `lambd` below 0,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn hardshrink<'a>(x: impl IntoOperand<'a>, params: impl Into<HardShrink>) -> Result<Array> {
    call_one(&HARDSHRINK, &[x.into_operand()], &params.into())
}

describe! {
    SOFTSHRINK = "softshrink", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(2.0), params: SoftShrink::new(), example: [&[2]],
    Body::Compose(|call| {
        let (x, lambd) = (call.array(0), &call.params::<SoftShrink>().lambd);
        lambd.check_not_negative(call.function.name, "lambd")?;
        lambd.check_finite(call.function.name, "lambd")?;
        let (low, high) = (lambd.times(-1.0)?.like(x)?, lambd.like(x)?);
        let inside = less_equal(abs(x)?, high.clone())?;
        let outside = where_(greater(x, 0)?, subtract(x, high)?, subtract(x, low)?)?;
        Ok(smallvec![where_(inside, 0, outside)?])
    })
}

/// Soft shrinkage: `x` moved towards 0 by `lambd`, and 0 where it is not farther away.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([-1.0f32, 0.25, 0.75])?;
/// assert_eq!(ivy::softshrink(&x, ())?.to_vec::<f32>()?, [-0.5, 0.0, 0.25]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`hardshrink`].
pub fn softshrink<'a>(x: impl IntoOperand<'a>, params: impl Into<SoftShrink>) -> Result<Array> {
    call_one(&SOFTSHRINK, &[x.into_operand()], &params.into())
}
