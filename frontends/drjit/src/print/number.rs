//! Text of single elements.

use ivy_core::Scalar;

/// An element: truth values as Python writes them, integers, floats with six digits as C's `%g`.
pub(crate) fn element(value: Scalar) -> String {
    match value {
        Scalar::Bool(true) => "True".into(),
        Scalar::Bool(false) => "False".into(),
        Scalar::Int(i) => i.to_string(),
        Scalar::Float(x) => general(x),
        Scalar::Complex(z) => complex(z.re, z.im),
    }
}

/// C's `%g`: six significant digits, without zeros at the end, with an exponent where that is below -4 or above 5.
pub(crate) fn general(x: f64) -> String {
    const DIGITS: i32 = 6;
    if x.is_nan() {
        return "nan".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf" } else { "-inf" }.into();
    }
    if x == 0.0 {
        return if x.is_sign_negative() { "-0" } else { "0" }.into();
    }
    // Rounded to so many digits first: the exponent is that of the rounded number.
    let scientific = format!("{:.*e}", DIGITS as usize - 1, x);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..DIGITS).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs());
    }
    trimmed(&format!("{:.*}", (DIGITS - 1 - exponent) as usize, x)).to_owned()
}

fn trimmed(digits: &str) -> &str {
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    }
}

/// Parts with their units; those that are zero are left out, and 0 is all of them.
fn parts(parts: &[(f64, &str)]) -> String {
    let mut text = String::new();
    for &(value, unit) in parts.iter().filter(|(value, _)| *value != 0.0) {
        let number = general(value);
        if !text.is_empty() && !number.starts_with('-') {
            text.push('+');
        }
        text.push_str(&number);
        text.push_str(unit);
    }
    if text.is_empty() { "0".into() } else { text }
}

/// A complex number, such as `1-2j`.
pub(crate) fn complex(re: f64, im: f64) -> String {
    parts(&[(re, ""), (im, "j")])
}

/// A quaternion, such as `1i+2j+3k+4`.
pub(crate) fn quaternion([i, j, k, re]: [f64; 4]) -> String {
    parts(&[(i, "i"), (j, "j"), (k, "k"), (re, "")])
}

#[cfg(test)]
mod tests {
    use super::general;

    #[test]
    fn numbers_as_c_writes_them() {
        let cases = [
            (1e10, "1e+10"),
            (1e-10, "1e-10"),
            (123456.789, "123457"),
            (1234567.0, "1.23457e+06"),
            (999999.5, "1e+06"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (-0.0, "-0"),
            (100.0, "100"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (value, text) in cases {
            assert_eq!(general(value), text);
        }
    }
}
