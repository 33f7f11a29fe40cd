//! Keyword arguments of element-wise functions that their ops do not have, and what is computed for them.

use crate::function::{Composition, Outputs};
use crate::functional::nn::{ComplexMode, activation};
use crate::functional::{
    abs, add, astype, divide, equal, floor_divide, fmod, imag, isfinite, isinf, logical_or, maximum, minimum,
    multiply, not_equal, real, remainder, round, sign, subtract, tanh, where_,
};
use crate::{Array, Dtype, ErrorKind, Result, Scalar, ScalarKind, finfo, params};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`add_with`](crate::functional::add_with) and [`subtract_with`](crate::functional::subtract_with).
    pub struct AddParams {
        /// What `x2` is multiplied by; a whole number for integers.
        extended alpha: Option<Scalar> = None,
    }
}

/// Keyword arguments of [`subtract_with`](crate::functional::subtract_with).
pub type SubtractParams = AddParams;

params! {
    /// Keyword arguments of [`round_with`](crate::functional::round_with).
    pub struct RoundParams {
        /// How many places behind the point are kept; before it where negative.
        extended decimals: Option<i64> = None,
    }
}

params! {
    /// Keyword arguments of [`sign_with`](crate::functional::sign_with).
    pub struct SignParams {
        /// Whether the sign of a complex number is that of its real part, or of its imaginary one where that is 0, as
        /// NumPy had it before 2.0; the number divided by its magnitude otherwise.
        extended np_variant: Option<bool> = None,
    }
}

params! {
    /// Keyword arguments of [`isinf_with`](crate::functional::isinf_with).
    pub struct IsinfParams {
        /// Whether infinity counts.
        extended detect_positive: Option<bool> = None,
        /// Whether negative infinity counts.
        extended detect_negative: Option<bool> = None,
    }
}

params! {
    /// Keyword arguments of [`tanh_with`](crate::functional::tanh_with).
    pub struct TanhParams {
        /// What is made of complex numbers; that of the complex plane if not given.
        extended complex_mode: Option<ComplexMode> = None,
    }
}

params! {
    /// Keyword arguments of [`maximum_with`](crate::functional::maximum_with) and [`minimum_with`](crate::functional::minimum_with).
    pub struct MaximumParams {
        /// Whether one of the elements is chosen, as without it; half of sum and distance otherwise, which rounds.
        extended use_where: Option<bool> = None,
    }
}

/// Keyword arguments of [`minimum_with`](crate::functional::minimum_with).
pub type MinimumParams = MaximumParams;

params! {
    /// Keyword arguments of [`remainder_with`](crate::functional::remainder_with).
    pub struct RemainderParams {
        /// Whether the result has the sign of `x2`, as without it; that of `x1` otherwise.
        extended modulus: Option<bool> = None,
    }
}

/// Refuses a number of a higher kind than a call computes in, and one beyond its dtype.
pub(in crate::functional) fn check_number(
    call: &Composition<'_>,
    argument: &'static str,
    number: Scalar,
) -> Result<()> {
    let kind = match call.compute {
        dtype if dtype.is_bool() => ScalarKind::Bool,
        dtype if dtype.is_int() => ScalarKind::Int,
        dtype if dtype.is_float() => ScalarKind::Float,
        _ => ScalarKind::Complex,
    };
    if number.kind() > kind || !number.fits(call.compute) {
        return Err(ErrorKind::InvalidArgument {
            function: call.function.name,
            argument,
            value: number.to_string(),
            rule: "a number that the dtype of the result holds",
        }
        .into());
    }
    Ok(())
}

/// `x2` times `alpha`.
fn scaled(call: &Composition<'_>) -> Result<Array> {
    let (x2, alpha) = (call.array(1), call.params::<AddParams>().alpha);
    let Some(alpha) = alpha else { return Ok(x2.clone()) };
    check_number(call, "alpha", alpha)?;
    multiply(x2, alpha)
}

pub(in crate::functional) fn scaled_sum(call: &Composition<'_>) -> Result<Outputs> {
    Ok(smallvec![add(call.array(0), scaled(call)?)?])
}

pub(in crate::functional) fn scaled_difference(call: &Composition<'_>) -> Result<Outputs> {
    Ok(smallvec![subtract(call.array(0), scaled(call)?)?])
}

/// Rounded to so many decimal places, ties to the even digit, as NumPy has it: multiplied, rounded and divided.
pub(in crate::functional) fn rounded(call: &Composition<'_>) -> Result<Outputs> {
    let (x, places) = (call.array(0), call.params::<RoundParams>().decimals.unwrap_or(0));
    if places == 0 || x.dtype().is_int() && places > 0 {
        return Ok(smallvec![round(x)?]);
    }
    let exponent = i32::try_from(places.unsigned_abs()).unwrap_or(i32::MAX);
    if x.dtype().is_int() {
        return Ok(smallvec![rounded_integers(x, exponent)?]);
    }
    // Small floats in float32: a power of ten is beyond them soon.
    let small = x.dtype().is_float() && x.dtype().bits() < 32;
    let upcast = if small { astype(x, Dtype::FLOAT32)? } else { x.clone() };
    let found = rounded_floats(&upcast, places > 0, exponent)?;
    Ok(smallvec![if small { astype(found, x.dtype())? } else { found }])
}

/// Floats and complex numbers rounded behind the point or before it. A number whose product with the power of ten is beyond
/// the dtype has no digits behind that place; one before a place beyond the dtype is rounded to 0.
fn rounded_floats(x: &Array, behind: bool, exponent: i32) -> Result<Array> {
    let power = 10f64.powi(exponent);
    if power > finfo(x.dtype())?.max {
        return if behind { Ok(x.clone()) } else { where_(isfinite(x)?, multiply(x, 0.0)?, x) };
    }
    let scaled = if behind { multiply(x, power)? } else { divide(x, power)? };
    let whole = round(&scaled)?;
    let rounded = if behind { divide(whole, power)? } else { multiply(whole, power)? };
    where_(isfinite(&scaled)?, rounded, x)
}

/// Integers rounded to a multiple of a power of ten.
fn rounded_integers(x: &Array, exponent: i32) -> Result<Array> {
    let power =
        10i128.checked_pow(exponent.unsigned_abs()).filter(|&power| Scalar::Int(power).fits(x.dtype()));
    // A power beyond the dtype is more than twice every number of it but for the last one.
    let Some(power) = power else { return multiply(x, 0) };
    let (power, half) = (Scalar::Int(power), Scalar::Int(power / 2));
    let rest = remainder(x, power)?;
    let below = subtract(x, &rest)?;
    let odd = not_equal(remainder(floor_divide(x, power)?, 2)?, 0)?;
    let up = logical_or(
        crate::functional::greater(&rest, half)?,
        crate::functional::logical_and(equal(&rest, half)?, odd)?,
    )?;
    where_(up, add(&below, power)?, below)
}

pub(in crate::functional) fn sign_of_part(call: &Composition<'_>) -> Result<Outputs> {
    let x = call.array(0);
    let by_part = call.params::<SignParams>().np_variant == Some(true);
    if !x.dtype().is_complex() || !by_part {
        return Ok(smallvec![sign(x)?]);
    }
    let part = real(x)?;
    let chosen = where_(not_equal(&part, 0)?, sign(&part)?, sign(imag(x)?)?)?;
    Ok(smallvec![astype(chosen, x.dtype())?])
}

pub(in crate::functional) fn chosen_infinities(call: &Composition<'_>) -> Result<Outputs> {
    let (x, params) = (call.array(0), call.params::<IsinfParams>());
    let (positive, negative) =
        (params.detect_positive.unwrap_or(true), params.detect_negative.unwrap_or(true));
    if positive == negative || !(x.dtype().is_float() || x.dtype().is_complex()) {
        let found = isinf(x)?;
        return Ok(smallvec![if positive { found } else { crate::functional::logical_and(found, false)? }]);
    }
    if x.dtype().is_complex() {
        return Err(ErrorKind::InvalidArgument {
            function: call.function.name,
            argument: if positive { "detect_negative" } else { "detect_positive" },
            value: "false".into(),
            rule: "infinities of complex numbers have no sign",
        }
        .into());
    }
    let wanted = if positive { f64::INFINITY } else { f64::NEG_INFINITY };
    Ok(smallvec![equal(x, wanted)?])
}

pub(in crate::functional) fn tanh_by_mode(call: &Composition<'_>) -> Result<Outputs> {
    let mode = call.params::<TanhParams>().complex_mode.unwrap_or_default();
    activation(call, mode, |x| tanh(x))
}

/// `(x1 + x2 + |x1 - x2|) / 2`, or with the distance subtracted.
fn by_distance(call: &Composition<'_>, greatest: bool) -> Result<Outputs> {
    let (x1, x2) = (call.array(0), call.array(1));
    if call.params::<MaximumParams>().use_where != Some(false) || !call.compute.is_float() {
        return Ok(smallvec![if greatest { maximum(x1, x2)? } else { minimum(x1, x2)? }]);
    }
    let (sum, distance) = (add(x1, x2)?, abs(subtract(x1, x2)?)?);
    let both = if greatest { add(sum, distance)? } else { subtract(sum, distance)? };
    Ok(smallvec![multiply(both, 0.5)?])
}

pub(in crate::functional) fn maximum_by_distance(call: &Composition<'_>) -> Result<Outputs> {
    by_distance(call, true)
}

pub(in crate::functional) fn minimum_by_distance(call: &Composition<'_>) -> Result<Outputs> {
    by_distance(call, false)
}

pub(in crate::functional) fn remainder_by_sign(call: &Composition<'_>) -> Result<Outputs> {
    let (x1, x2) = (call.array(0), call.array(1));
    Ok(smallvec![match call.params::<RemainderParams>().modulus {
        Some(false) => fmod(x1, x2)?,
        _ => remainder(x1, x2)?,
    }])
}
