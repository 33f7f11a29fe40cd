//! Functions of float64 for results that are rounded to float32 or less: within 2^-40 of the
//! truth, and without branches, so that loops over them vectorise. The polynomials are
//! Chebyshev approximations of the Taylor remainders on the reduced ranges.
//!
//! Operands are float32 values (or narrower): none is subnormal in float64.

pub(crate) use super::digamma;
pub(crate) use libm::{erf, erfc, lgamma};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, LN_2, LOG2_E, LOG10_2, LOG10_E};

/// Adding it to a number of less than 51 bits rounds that to an integer, which then stands in
/// the last bits.
const ROUND: f64 = 6755399441055744.0;
/// ln 2 to 38 bits, so that products with exponents are exact, and the rest.
const LN2_HIGH: f64 = 0.6931471805582987;
const LN2_LOW: f64 = 1.6465949582897082e-12;

/// The polynomial with these coefficients, from the constant on.
#[inline(always)]
fn poly<const N: usize>(x: f64, coefficients: [f64; N]) -> f64 {
    let mut sum = coefficients[N - 1];
    for &c in coefficients[..N - 1].iter().rev() {
        sum = sum * x + c;
    }
    sum
}

/// `x` within bounds; NaN stays.
#[inline(always)]
fn clamp(x: f64, low: f64, high: f64) -> f64 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// A sign on a number that has none.
#[inline(always)]
fn with_sign(size: f64, sign: f64) -> f64 {
    f64::from_bits(size.to_bits() | sign.to_bits() & 1 << 63)
}

/// `1 / x` within 2^-44, for `x` well within float32's range: Newton's step from a float32
/// quotient, which costs half of a float64 one.
#[inline(always)]
fn reciprocal(x: f64) -> f64 {
    let near = f64::from(1.0 / (x as f32));
    near * (2.0 - x * near)
}

/// `2^n` and `exp(x) / 2^n - 1` with `n` an integer, the second between -0.3 and 0.5.
#[inline(always)]
fn exp_parts(x: f64) -> (f64, f64) {
    let shifted = x * LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = (x - n * LN2_HIGH) - n * LN2_LOW;
    let tail = poly(
        r,
        [
            0.4999999999995402,
            0.16666666666662489,
            0.04166666678843604,
            0.008333333344400208,
            0.0013888838510042916,
            0.0001984122405392735,
            2.486826897499097e-05,
            2.7617927187137587e-06,
        ],
    );
    let scale = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1f64.to_bits()));
    (scale, r + r * r * tail)
}

#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    // Beyond, float32 has 0 and infinity only.
    let (scale, rest) = exp_parts(clamp(x, -200.0, 200.0));
    scale + scale * rest
}

#[inline(always)]
pub(crate) fn expm1(x: f64) -> f64 {
    let (scale, rest) = exp_parts(clamp(x, -200.0, 200.0));
    with_sign(((scale - 1.0) + scale * rest).abs(), x)
}

/// `exp(|x|) - 1`, with 0 for NaN.
#[inline(always)]
fn expm1_size(x: f64, most: f64) -> f64 {
    let size = x.abs();
    let (scale, rest) = exp_parts(if size < most { size } else { most });
    (scale - 1.0) + scale * rest
}

#[inline(always)]
pub(crate) fn tanh(x: f64) -> f64 {
    // From 10 on, float32 has 1 only.
    let e = expm1_size(2.0 * x, 20.0);
    let size = e * reciprocal(e + 2.0);
    if x.is_nan() { x } else { with_sign(size, x) }
}

#[inline(always)]
pub(crate) fn sinh(x: f64) -> f64 {
    let e = expm1_size(x, 200.0);
    if x.is_nan() { x } else { with_sign(0.5 * (e + e / (e + 1.0)), x) }
}

#[inline(always)]
pub(crate) fn cosh(x: f64) -> f64 {
    let e = exp(x.abs());
    0.5 * (e + 1.0 / e)
}

/// For positive finite `x`: `n` and `f` with `x = 2^n m`, `f = ln m`, `m` within a factor of
/// sqrt 2 of 1.
#[inline(always)]
fn log_parts(x: f64) -> (f64, f64) {
    const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    let above = x.to_bits().wrapping_add(1f64.to_bits() - SQRT_HALF);
    // The biased exponent as a number: it stands in the last bits of 2^52 plus itself.
    let n = f64::from_bits(above >> 52 | 2f64.powi(52).to_bits()) - (2f64.powi(52) + 1023.0);
    let m = f64::from_bits((above & 0x000f_ffff_ffff_ffff) + SQRT_HALF);
    let f = m - 1.0;
    let s = f * reciprocal(m + 1.0);
    let z = s * s;
    let tail = poly(
        z,
        [
            0.6666666666666202,
            0.40000000011320874,
            0.2857142410204322,
            0.22222866224748364,
            0.18140021529648082,
            0.16624417444765519,
        ],
    );
    (n, 2.0 * s + s * z * tail)
}

/// The values of a logarithm where its operand is not positive and finite.
#[inline(always)]
fn log_ends(x: f64, inside: f64) -> f64 {
    let y = if x < f64::INFINITY { inside } else { x };
    let y = if x < 0.0 { f64::NAN } else { y };
    if x == 0.0 { f64::NEG_INFINITY } else { y }
}

#[inline(always)]
pub(crate) fn log(x: f64) -> f64 {
    let (n, f) = log_parts(x);
    log_ends(x, n * LN_2 + f)
}

#[inline(always)]
pub(crate) fn log2(x: f64) -> f64 {
    let (n, f) = log_parts(x);
    log_ends(x, n + f * LOG2_E)
}

#[inline(always)]
pub(crate) fn log10(x: f64) -> f64 {
    let (n, f) = log_parts(x);
    log_ends(x, n * LOG10_2 + f * LOG10_E)
}

#[inline(always)]
pub(crate) fn log1p(x: f64) -> f64 {
    let u = 1.0 + x;
    // What the sum lost; it matters where u is near 1, and so is its own quotient by u.
    let lost = if x < 1.0 { x - (u - 1.0) } else { 0.0 };
    let y = log(u) + lost;
    let y = if x < f64::INFINITY { y } else { x };
    if x == 0.0 || x == -1.0 { if x == 0.0 { x } else { f64::NEG_INFINITY } } else { y }
}

#[inline(always)]
pub(crate) fn asinh(x: f64) -> f64 {
    let a = x.abs();
    let y = log1p(a + a * a / (1.0 + (a * a + 1.0).sqrt()));
    let y = if a < f64::INFINITY { y } else { a };
    with_sign(y, x)
}

#[inline(always)]
pub(crate) fn acosh(x: f64) -> f64 {
    let t = x - 1.0;
    let y = log1p(t + (t * (x + 1.0)).sqrt());
    if x < 1.0 { f64::NAN } else { y }
}

#[inline(always)]
pub(crate) fn atanh(x: f64) -> f64 {
    let a = x.abs();
    let y = 0.5 * log1p(2.0 * a / (1.0 - a));
    if a > 1.0 { f64::NAN } else { with_sign(y, x) }
}

/// How large operands may be; above, the functions of the module above are needed.
#[allow(non_upper_case_globals)]
pub(crate) mod limit {
    macro_rules! limits {
        ($($limit:expr => $($function:ident)*;)*) => {
            $($(pub(crate) const $function: f64 = $limit;)*)*
        };
    }
    limits! {
        // Up to here a three-part pi/2 reduces operands without loss.
        1e6 => cos sin tan;
        f64::INFINITY => acos acosh asin asinh atan atanh cosh digamma erf erfc exp expm1 lgamma log log1p log2 log10 sinh tanh;
    }
}

/// Sine and cosine of the operand without its multiple of pi/2, and the last bits of the latter.
#[inline(always)]
fn circular_parts(x: f64) -> (f64, f64, u64) {
    let shifted = x * FRAC_2_PI + ROUND;
    let n = shifted - ROUND;
    let r = ((x - n * 1.5707963267341256) - n * 6.077100506303966e-11) - n * 2.0222662487959506e-21;
    let z = r * r;
    let sine = poly(
        z,
        [
            -0.16666666666663857,
            0.00833333333106116,
            -0.00019841266899437397,
            2.7555985625200863e-06,
            -2.480514540674743e-08,
        ],
    );
    let cosine = poly(
        z,
        [
            0.04166666666666466,
            -0.0013888888887264425,
            2.4801585198441217e-05,
            -2.755636590225902e-07,
            2.070024946756277e-09,
        ],
    );
    (r * (1.0 + z * sine), (1.0 - 0.5 * z) + z * z * cosine, shifted.to_bits())
}

#[inline(always)]
pub(crate) fn sin(x: f64) -> f64 {
    let (sin, cos, quarter) = circular_parts(x);
    let size = if quarter & 1 == 0 { sin } else { cos };
    let y = f64::from_bits(size.to_bits() ^ quarter << 62 & 1 << 63);
    // 0 times a negative number would lose the sign of 0.
    if x == 0.0 { x } else { y }
}

#[inline(always)]
pub(crate) fn cos(x: f64) -> f64 {
    let (sin, cos, quarter) = circular_parts(x);
    let size = if quarter & 1 == 0 { cos } else { sin };
    f64::from_bits(size.to_bits() ^ quarter.wrapping_add(1) << 62 & 1 << 63)
}

#[inline(always)]
pub(crate) fn tan(x: f64) -> f64 {
    let (sin, cos, quarter) = circular_parts(x);
    let (up, down) = if quarter & 1 == 0 { (sin, cos) } else { (-cos, sin) };
    if x == 0.0 { x } else { up / down }
}

/// The angle of the point (x, y), without the signs; neither is NaN or infinite, not both are 0.
#[inline(always)]
fn angle(y: f64, x: f64) -> f64 {
    const TAN_1_8: f64 = 0.41421356237309503;
    const TAN_3_8: f64 = 2.414213562373095;
    let (steep, middle) = (y > TAN_3_8 * x, y > TAN_1_8 * x);
    let (up, down) = if middle { (y - x, y + x) } else { (y, x) };
    let (up, down) = if steep { (-x, y) } else { (up, down) };
    let base = if middle { FRAC_PI_4 } else { 0.0 };
    let base = if steep { FRAC_PI_2 } else { base };
    let t = up / down;
    let z = t * t;
    let tail = poly(
        z,
        [
            -0.3333333333333092,
            0.1999999999772153,
            -0.14285713929925073,
            0.11111089626077861,
            -0.09090255377464372,
            0.07681037484051574,
            -0.0655085023854286,
            0.051686162502498884,
            -0.027229493655218973,
        ],
    );
    base + (t + t * z * tail)
}

#[inline(always)]
pub(crate) fn atan(x: f64) -> f64 {
    let size = x.abs();
    let y = angle(size, 1.0);
    let y = if size == f64::INFINITY { FRAC_PI_2 } else { y };
    if x.is_nan() { x } else { with_sign(y, x) }
}

#[inline(always)]
pub(crate) fn asin(x: f64) -> f64 {
    let size = x.abs();
    let y = angle(size, ((1.0 - size) * (1.0 + size)).sqrt());
    if size <= 1.0 { with_sign(y, x) } else { f64::NAN }
}

#[inline(always)]
pub(crate) fn acos(x: f64) -> f64 {
    let size = x.abs();
    let y = angle(((1.0 - size) * (1.0 + size)).sqrt(), size);
    let y = if x < 0.0 { std::f64::consts::PI - y } else { y };
    if size <= 1.0 { y } else { f64::NAN }
}

#[inline(always)]
pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    let (up, along) = (y.abs(), x.abs());
    let infinity = f64::INFINITY;
    // Directions of infinite points are those of finite ones.
    let (up, along) = if up == infinity || along == infinity {
        (if up == infinity { 1.0 } else { 0.0 }, if along == infinity { 1.0 } else { 0.0 })
    } else {
        (up, along)
    };
    let size = if up == 0.0 { 0.0 } else { angle(up, along) };
    let size = if x.is_sign_negative() { std::f64::consts::PI - size } else { size };
    if x.is_nan() || y.is_nan() { f64::NAN } else { with_sign(size, y) }
}

#[inline(always)]
pub(crate) fn hypot(a: f64, b: f64) -> f64 {
    let (a, b) = (a.abs(), b.abs());
    // The squares of float32 neither overflow nor vanish.
    let size = (a * a + b * b).sqrt();
    if a == f64::INFINITY || b == f64::INFINITY { f64::INFINITY } else { size }
}

#[inline(always)]
pub(crate) fn logaddexp(a: f64, b: f64) -> f64 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    let gap = if high == low { 0.0 } else { low - high };
    let sum = high + log1p(exp(gap));
    if a.is_nan() || b.is_nan() { f64::NAN } else { sum }
}
