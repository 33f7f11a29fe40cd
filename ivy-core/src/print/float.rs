//! Columns of floats: one width, one precision and one choice of notation for all of an array.

use super::{
    FloatMode, PrintOptions, Sign,
    digits::{Trim, exact, exponent_text, positional, round_to, rounded, scientific},
};
use crate::Dtype;
use std::borrow::Cow;

/// How the floats of one array are written.
pub(super) struct FloatFormat {
    dtype: Dtype,
    /// The sign of numbers that are not negative.
    sign: Sign,
    /// The most digits after the point; all that are needed without.
    precision: Option<usize>,
    mode: FloatMode,
    nan: Cow<'static, str>,
    infinity: Cow<'static, str>,
    /// Digits of the exponent, if numbers are written with one.
    exponent_digits: Option<usize>,
    pad_left: usize,
    pad_right: usize,
}

/// From which magnitude on arrays of a dtype are written with exponents: as many digits as it
/// holds for certain, 8 at most.
fn greatest_plain(dtype: Dtype) -> f64 {
    let digits = f64::from(dtype.row().mantissa_bits) * std::f64::consts::LOG10_2;
    10f64.powi(digits.min(8.0) as i32)
}

/// True if the magnitudes of an array ask for exponents. NumPy compares in the array's dtype.
fn wants_exponent(least: f64, greatest: f64, dtype: Dtype, suppress: bool) -> bool {
    greatest >= greatest_plain(dtype)
        || !suppress && (least < round_to(1e-4, dtype) || round_to(greatest / least, dtype) > 1000.0)
}

impl FloatFormat {
    /// The format for all the values that will be shown.
    pub fn new(values: &[f64], dtype: Dtype, sign: Sign, options: &PrintOptions) -> FloatFormat {
        let finite = || values.iter().copied().filter(|v| v.is_finite());
        let magnitudes = || finite().map(f64::abs).filter(|&v| v != 0.0);
        let least = magnitudes().fold(f64::INFINITY, f64::min);
        let greatest = magnitudes().fold(0.0, f64::max);
        let mode = options.float_mode;
        let precision = (mode != FloatMode::Unique).then_some(options.precision);
        let mut format = FloatFormat {
            dtype,
            sign,
            precision,
            mode,
            nan: options.nan.clone(),
            infinity: options.infinity.clone(),
            exponent_digits: None,
            pad_left: 0,
            pad_right: 0,
        };
        if greatest != 0.0 && wants_exponent(least, greatest, dtype, options.suppress) {
            let (mut fraction, mut exponent_digits) = (0, 0);
            for value in finite() {
                let (mantissa, exponent) = scientific(value, dtype, precision, Trim::Point);
                let (whole, digits) = mantissa.split_once('.').unwrap_or((&mantissa, ""));
                format.pad_left = format.pad_left.max(whole.len() + format.sign(value).len());
                fraction = fraction.max(digits.len());
                exponent_digits = exponent_digits.max(exponent.len() - 1);
            }
            if mode == FloatMode::Fixed {
                fraction = options.precision;
            }
            format.precision = Some(fraction);
            format.exponent_digits = Some(exponent_digits);
            format.pad_right = exponent_digits + 2 + fraction;
        } else {
            for value in finite() {
                let text = match mode {
                    FloatMode::Fixed => exact(value, options.precision),
                    _ => positional(value, dtype, precision, Trim::Point),
                };
                let (whole, digits) = text.split_once('.').unwrap_or((&text, ""));
                format.pad_left = format.pad_left.max(whole.len() + format.sign(value).len());
                format.pad_right = format.pad_right.max(digits.len());
            }
            if mode == FloatMode::MaxPrecisionEqual {
                format.precision = Some(format.pad_right);
            }
        }
        if sign == Sign::Space && !finite().any(f64::is_sign_negative) {
            format.pad_left += 1;
        }
        if values.iter().any(|v| !v.is_finite()) {
            let signed = usize::from(sign != Sign::Minus || values.contains(&f64::NEG_INFINITY));
            let widest = format.nan.chars().count().max(format.infinity.chars().count() + signed);
            format.pad_left = format.pad_left.max(widest.saturating_sub(format.pad_right + 1));
        }
        format
    }

    fn sign(&self, value: f64) -> &'static str {
        match (value.is_sign_negative(), self.sign) {
            (true, _) => "-",
            (false, Sign::Plus) => "+",
            (false, _) => "",
        }
    }

    /// A value, padded to the width of the column.
    pub fn write(&self, value: f64) -> String {
        let width = self.pad_left + self.pad_right + 1;
        if !value.is_finite() {
            let plus = if self.sign == Sign::Plus { "+" } else { "" };
            let text = match value {
                f64::NEG_INFINITY => format!("-{}", self.infinity),
                _ if value.is_nan() => format!("{plus}{}", self.nan),
                _ => format!("{plus}{}", self.infinity),
            };
            return format!("{text:>width$}");
        }
        let sign = self.sign(value);
        if let Some(exponent_digits) = self.exponent_digits {
            // All mantissas show as many digits, also those that fewer would name.
            let (digits, exponent) = rounded(value, self.dtype, self.precision.unwrap_or_default());
            let (head, left) = (format!("{sign}{}", &digits[..1]), self.pad_left);
            return format!("{head:>left$}.{}e{}", &digits[1..], exponent_text(exponent, exponent_digits));
        }
        let text = match (self.mode, self.precision) {
            (FloatMode::Fixed | FloatMode::MaxPrecisionEqual, Some(precision)) => {
                positional_padded(value, self.dtype, precision, self.mode == FloatMode::Fixed)
            }
            _ => positional(value, self.dtype, self.precision, Trim::Point),
        };
        let (whole, digits) = text.split_once('.').unwrap_or((&text, ""));
        let (head, left, right) = (format!("{sign}{whole}"), self.pad_left, self.pad_right);
        format!("{head:>left$}.{digits:<right$}")
    }
}

/// A magnitude with exactly so many digits after the point: those of the exact value, or the shortest if they are as many.
fn positional_padded(value: f64, dtype: Dtype, precision: usize, of_exact: bool) -> String {
    let text = match of_exact {
        true => exact(value, precision),
        false => positional(value, dtype, Some(precision), Trim::Point),
    };
    let (whole, digits) = text.split_once('.').unwrap_or((&text, ""));
    if digits.len() < precision { exact(value, precision) } else { format!("{whole}.{digits}") }
}

/// `nan`, `inf` or `-inf`; with a plus sign where one is asked for (NaN has no other sign).
pub(super) fn not_finite(value: f64, plus: bool) -> String {
    let sign = if value == f64::NEG_INFINITY {
        "-"
    } else if plus {
        "+"
    } else {
        ""
    };
    format!("{sign}{}", if value.is_nan() { "nan" } else { "inf" })
}

/// A float by itself, with all the digits of its dtype.
pub(super) fn scalar(value: f64, dtype: Dtype, trim: Trim, plus: bool) -> String {
    if !value.is_finite() {
        return not_finite(value, plus);
    }
    let sign = match (value.is_sign_negative(), plus) {
        (true, _) => "-",
        (false, true) => "+",
        (false, false) => "",
    };
    // A float64 by itself is written as Python writes its own floats.
    let plain_below = if dtype == Dtype::FLOAT64 { 1e16 } else { greatest_plain(dtype) };
    if value == 0.0 || (1e-4..plain_below).contains(&value.abs()) {
        return format!("{sign}{}", positional(value, dtype, None, trim));
    }
    let (mantissa, exponent) = scientific(value, dtype, None, Trim::All);
    format!("{sign}{mantissa}e{exponent}")
}
