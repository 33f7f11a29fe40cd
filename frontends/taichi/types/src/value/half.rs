//! Numbers of half precision by their bits: 1 sign, 5 bits of exponent, 10 digits.

const DIGITS: i32 = 10;
/// The exponents of the least and the greatest normal number.
const LEAST: i32 = -14;
const GREATEST: i32 = 15;
const INFINITY: u16 = 0x7c00;
const QUIET_NAN: u16 = 0x7e00;

/// The nearest number of half precision, halves to even; beyond the range infinity.
pub(super) fn from_f64(value: f64) -> u16 {
    let sign = u16::from(value.is_sign_negative()) << 15;
    let magnitude = value.abs();
    if magnitude.is_nan() {
        return sign | QUIET_NAN;
    }
    if magnitude == 0.0 {
        return sign;
    }
    // The exponent of the last digit that is kept; numbers below the least normal one keep fewer digits.
    let exponent = exponent_of(magnitude).clamp(LEAST, GREATEST + 1) - DIGITS;
    let digits = (magnitude * 2f64.powi(-exponent)).round_ties_even();
    let scaled = digits * 2f64.powi(exponent);
    if scaled >= 2f64.powi(GREATEST + 1) {
        return sign | INFINITY;
    }
    // Digits that were carried to the next power of two are the first number there, as the codes are consecutive.
    let biased = (exponent + DIGITS - LEAST) as u16;
    sign | ((biased << DIGITS) + digits as u16)
}

/// The nearest number of half precision; what lies beyond f64's digits lies beyond the range as well.
pub(super) fn from_i128(value: i128) -> u16 {
    from_f64(value as f64)
}

/// The value of a code.
pub(super) fn to_f64(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from(bits >> DIGITS & 0x1f);
    let digits = f64::from(bits & 0x3ff);
    sign * match exponent {
        0 => digits * 2f64.powi(LEAST - DIGITS),
        0x1f if digits == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => (1024.0 + digits) * 2f64.powi(exponent - 1 + LEAST - DIGITS),
    }
}

/// The exponent of a positive number's first digit; of infinity, one beyond every range.
fn exponent_of(value: f64) -> i32 {
    match (value.to_bits() >> 52 & 0x7ff) as i32 {
        0 => -1022,
        biased => biased - 1023,
    }
}
