//! Decimal digits of floats: the fewest that name a value in its own dtype, or a given number of
//! them, correctly rounded.

use crate::Dtype;

/// The fewest digits that name a finite value in its dtype, and the exponent of the first; of
/// several such strings the nearest to the value.
pub fn shortest(value: f64, dtype: Dtype) -> (String, i32) {
    let value = value.abs();
    match dtype {
        Dtype::FLOAT64 => nearest(value, split(&format!("{value:e}")), |text| text.parse() == Ok(value)),
        Dtype::FLOAT32 => {
            let single = value as f32;
            nearest(value, split(&format!("{single:e}")), |text| text.parse() == Ok(single))
        }
        _ if value == 0.0 => ("0".into(), 0),
        _ => {
            let (low, high, even) = interval(value, dtype);
            // A number half way between two values belongs to the even one.
            let names = |x: f64| x > low && x < high || even && (x == low || x == high);
            let mut digits = 0;
            loop {
                let text = format!("{value:.digits$e}");
                let near: f64 = text.parse().unwrap_or(value);
                if names(near) {
                    return split(&text);
                }
                // Above a power of two the values are further apart than below it.
                let (found, exponent) = split(&text);
                let next: u64 = found.parse().unwrap_or(0) + 1;
                let above: f64 = format!("{next}e{}", exponent - digits as i32).parse().unwrap_or(value);
                if near < value && names(above) {
                    return split(&format!("{above:e}"));
                }
                digits += 1;
            }
        }
    }
}

/// Of two strings of digits that are equally near, the even one, if it names the value as well.
fn nearest(value: f64, found: (String, i32), names: impl Fn(&str) -> bool) -> (String, i32) {
    let text = format!("{value:.*e}", found.0.len() - 1);
    if names(&text) { split(&text) } else { found }
}

/// The distance of a positive value's neighbours above it, in its dtype.
fn spacing(value: f64, dtype: Dtype) -> f64 {
    let row = dtype.row();
    let least_exponent = 2 - (1 << (row.exponent_bits - 1));
    // The exponent field of a float64; its subnormals have the least exponent of all.
    let exponent = ((value.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(least_exponent);
    2f64.powi(exponent - i32::from(row.mantissa_bits))
}

/// A positive value rounded to the precision of a dtype (but not to its range).
pub(super) fn round_to(value: f64, dtype: Dtype) -> f64 {
    if dtype == Dtype::FLOAT64 {
        return value;
    }
    let step = spacing(value, dtype);
    (value / step).round_ties_even() * step
}

/// The numbers half way to the neighbours of a positive value of a dtype narrower than float32,
/// and whether the value is even, which makes them part of what rounds to it.
fn interval(value: f64, dtype: Dtype) -> (f64, f64, bool) {
    let above = spacing(value, dtype);
    // Below a power of two the values are closer, unless they are subnormal.
    let below = spacing(value - above / 4.0, dtype);
    (value - below / 2.0, value + above / 2.0, (value / above) % 2.0 == 0.0)
}

/// Splits `d.ddde±x` into digits and exponent.
fn split(text: &str) -> (String, i32) {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    (digits.chars().filter(|&c| c != '.').collect(), exponent.parse().unwrap_or(0))
}

/// What follows the digits after the point, once their trailing zeros are gone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Trim {
    /// The point stays: `1.`.
    Point,
    /// One digit stays: `1.0`.
    Zero,
    /// Nothing stays: `1`.
    All,
}

impl Trim {
    fn join(self, whole: &str, fraction: &str) -> String {
        match (self, fraction.trim_end_matches('0')) {
            (Trim::All, "") => whole.into(),
            (Trim::Zero, "") => format!("{whole}.0"),
            (_, fraction) => format!("{whole}.{fraction}"),
        }
    }
}

/// A finite value's magnitude without exponent: the shortest digits, rounded at `precision`
/// digits after the point if there are more.
pub(super) fn positional(value: f64, dtype: Dtype, precision: Option<usize>, trim: Trim) -> String {
    let (digits, exponent) = shortest(value, dtype);
    let fraction_len = (digits.len() as i64 - 1 - i64::from(exponent)).max(0) as usize;
    if let Some(precision) = precision.filter(|&p| p < fraction_len) {
        let text = format!("{:.precision$}", value.abs());
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        return trim.join(whole, fraction);
    }
    if exponent < 0 {
        return trim.join("0", &("0".repeat(-exponent as usize - 1) + &digits));
    }
    let whole_len = exponent as usize + 1;
    if digits.len() <= whole_len {
        return trim.join(&(digits.clone() + &"0".repeat(whole_len - digits.len())), "");
    }
    trim.join(&digits[..whole_len], &digits[whole_len..])
}

/// A magnitude without exponent with so many digits after the point, those of the exact value, correctly rounded; the
/// point stays.
pub(super) fn exact(value: f64, precision: usize) -> String {
    let text = format!("{:.precision$}", value.abs());
    if precision == 0 { text + "." } else { text }
}

/// `precision` digits after the first of a finite value's magnitude, and the exponent: the
/// shortest digits if they are as many, else those of the exact value, correctly rounded.
pub(super) fn rounded(value: f64, dtype: Dtype, precision: usize) -> (String, i32) {
    let found = shortest(value, dtype);
    if found.0.len() == precision + 1 { found } else { split(&format!("{:.precision$e}", value.abs())) }
}

/// A finite value's magnitude with an exponent, as mantissa and signed exponent: the shortest
/// digits, rounded at `precision` digits after the point if there are more.
pub(super) fn scientific(value: f64, dtype: Dtype, precision: Option<usize>, trim: Trim) -> (String, String) {
    let (mut digits, mut exponent) = shortest(value, dtype);
    if let Some(precision) = precision.filter(|&p| p + 1 < digits.len()) {
        (digits, exponent) = rounded(value, dtype, precision);
    }
    (trim.join(&digits[..1], &digits[1..]), exponent_text(exponent, 2))
}

/// An exponent with its sign and at least `digits` digits.
pub(super) fn exponent_text(exponent: i32, digits: usize) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{sign}{:0digits$}", exponent.abs())
}
