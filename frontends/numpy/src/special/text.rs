//! Integers as texts of digits.

use super::help::{Out, value_error};
use ivy_core::{Result, Scalar};
use ivy_frontend::{Call, Value};

fn number(call: &Call<'_>) -> Result<i128> {
    match call.value(0).as_scalar() {
        Some(Scalar::Int(i)) => Ok(i),
        Some(Scalar::Bool(b)) => Ok(b.into()),
        _ => Ok(call.int(0)?.into()),
    }
}

/// `num width`: of a negative number its bits in as many places, or a sign.
pub fn binary_repr(call: &mut Call<'_>) -> Out {
    let number = number(call)?;
    let magnitude = format!("{:b}", number.unsigned_abs());
    if call.value(1).is_none() {
        return Ok(if number < 0 { format!("-{magnitude}") } else { magnitude }.into());
    }
    let width = usize::try_from(call.int(1)?).unwrap_or(0);
    let short = |needed: usize| {
        value_error(call, "width", format!("Insufficient bit width={width} provided for binwidth={needed}"))
    };
    if number >= 0 {
        if magnitude.len() > width {
            return Err(short(magnitude.len()));
        }
        return Ok(format!("{magnitude:0>width$}").into());
    }
    // The two's complement has a place for the sign.
    let needed = (u128::BITS - (number.unsigned_abs() - 1).leading_zeros()) as usize + 1;
    if needed > width || width > 127 {
        return Err(short(needed));
    }
    Ok(format!("{:0>width$b}", (1i128 << width) + number).into())
}

/// `number base padding`
pub fn base_repr(call: &mut Call<'_>) -> Out {
    let (number, base, padding) = (number(call)?, call.int(1)?, call.int(2)?);
    if base > 36 {
        return Err(value_error(call, "base", "Bases greater than 36 not handled in base_repr."));
    }
    if base < 2 {
        return Err(value_error(call, "base", "Bases less than 2 not handled in base_repr."));
    }
    let (mut left, base) = (number.unsigned_abs(), base as u128);
    let mut digits = Vec::new();
    while left > 0 {
        digits.push(char::from_digit((left % base) as u32, 36).unwrap_or('0').to_ascii_uppercase());
        left /= base;
    }
    digits.extend(std::iter::repeat_n('0', usize::try_from(padding).unwrap_or(0)));
    if number < 0 {
        digits.push('-');
    }
    let text: String = digits.into_iter().rev().collect();
    Ok(Value::from(if text.is_empty() { "0".to_string() } else { text }))
}
