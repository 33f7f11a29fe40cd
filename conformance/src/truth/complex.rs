//! Complex functions: the goldens at finite points, the standard's table elsewhere.

use super::dd::{Dd, hypot};
use super::golden;
use super::value::{Open, Value};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// A special result: parts, and what is open of them.
type Special = (f64, f64, Open);

fn plain(re: f64, im: f64) -> Special {
    (re, im, Open::default())
}

fn re_sign(re: f64, im: f64) -> Special {
    (re, im, Open { re_sign: true, ..Open::default() })
}

fn im_sign(re: f64, im: f64) -> Special {
    (re, im, Open { im_sign: true, ..Open::default() })
}

/// A function of one complex number, or `None` if it is no function of this page or the
/// goldens do not have the point.
pub fn unary(name: &str, a: f64, b: f64) -> Option<Value> {
    if let Some([re, im]) = golden::find(&format!("c_{name}"), &[a, b]) {
        let value = Value::complex(*re, *im);
        // The standard fixes the signs of these zeros for +0 only.
        return Some(if matches!(name, "log1p" | "expm1") { value.signs_open() } else { value });
    }
    if name == "exp" && a.is_finite() && b.abs() < 1e5 {
        let (size, (s, c)) = (Dd::from(a).exp(), Dd::from(b).sin_cos());
        // A real number stays one, and keeps the sign of its zero.
        return Some(Value::complex(size * c, if b == 0.0 { b.into() } else { size * s }));
    }
    let (re, im, open) = special(name, a, b)?;
    Some(Value::Near { re: re.into(), im: im.into(), mass: 0.0, count: 1.0, open })
}

fn special(name: &str, a: f64, b: f64) -> Option<Special> {
    if a.is_finite() && b.is_finite() && !is_pole(name, a, b) {
        return None;
    }
    let turned = |f: fn(f64, f64) -> Special, odd: bool| {
        // f(z) = -i g(iz), or f(z) = g(iz) for the cosine.
        let (re, im, open) = if odd { symmetric(f, true, -b, a) } else { symmetric(f, false, -b, a) };
        if !odd {
            return (re, im, open);
        }
        let swapped = Open { re_sign: open.im_sign, im_sign: open.re_sign, re: open.im, im: open.re };
        (im, -re, swapped)
    };
    let over = |(re, im, open): Special, by: f64| (re, im / by, open);
    Some(match name {
        "exp" => symmetric(exp, false, a, b),
        "expm1" => symmetric(expm1, false, a, b),
        "log" => symmetric(log, false, a, b),
        "log1p" => symmetric(log1p, false, a, b),
        "log2" => over(symmetric(log, false, a, b), std::f64::consts::LN_2),
        "log10" => over(symmetric(log, false, a, b), std::f64::consts::LN_10),
        "sqrt" => symmetric(sqrt, false, a, b),
        "sinh" => symmetric(sinh, true, a, b),
        "cosh" => symmetric(cosh, false, a, b),
        "tanh" => symmetric(tanh, true, a, b),
        "asinh" => symmetric(asinh, true, a, b),
        "acosh" => symmetric(acosh, false, a, b),
        "atanh" => symmetric(atanh, true, a, b),
        "acos" => symmetric(acos, false, a, b),
        "sin" => turned(sinh, true),
        "cos" => turned(cosh, false),
        "tan" => turned(tanh, true),
        "asin" => turned(asinh, true),
        "atan" => turned(atanh, true),
        _ => return None,
    })
}

fn is_pole(name: &str, a: f64, b: f64) -> bool {
    match name {
        "log" | "log2" | "log10" => a == 0.0 && b == 0.0,
        "log1p" => a == -1.0 && b == 0.0,
        "atanh" => a.abs() == 1.0 && b == 0.0,
        "atan" => a == 0.0 && b.abs() == 1.0,
        _ => false,
    }
}

/// Conjugate symmetry, and point symmetry of odd functions, bring a point to the first
/// quadrant (or a half plane), where the table stands.
fn symmetric(f: fn(f64, f64) -> Special, odd: bool, a: f64, b: f64) -> Special {
    if odd && a.is_sign_negative() && !a.is_nan() {
        let (re, im, open) = symmetric(f, odd, -a, -b);
        return (-re, -im, open);
    }
    if b.is_sign_negative() && !b.is_nan() {
        let (re, im, open) = f(a, -b);
        return (re, -im, open);
    }
    f(a, b)
}

fn exp(a: f64, b: f64) -> Special {
    match (a, b) {
        (INF, 0.0) => plain(INF, 0.0),
        (INF, b) if b.is_finite() => plain(INF * b.cos(), INF * b.sin()),
        (INF, _) => re_sign(INF, NAN),
        (f64::NEG_INFINITY, b) if b.is_finite() => plain(0.0 * b.cos(), 0.0 * b.sin()),
        (f64::NEG_INFINITY, _) => (0.0, 0.0, Open { re_sign: true, im_sign: true, ..Open::default() }),
        (a, 0.0) if a.is_nan() => plain(NAN, 0.0),
        _ => plain(NAN, NAN),
    }
}

fn expm1(a: f64, b: f64) -> Special {
    match (a, b) {
        (f64::NEG_INFINITY, b) if b.is_finite() => plain(-1.0, 0.0 * b.sin()),
        (f64::NEG_INFINITY, _) => im_sign(-1.0, 0.0),
        _ => exp(a, b),
    }
}

fn log(a: f64, b: f64) -> Special {
    match (a, b) {
        (0.0, 0.0) => plain(-INF, if a.is_sign_negative() { PI } else { 0.0 }),
        (a, INF) if a.is_finite() => plain(INF, FRAC_PI_2),
        (f64::NEG_INFINITY, b) if b.is_finite() => plain(INF, PI),
        (INF, b) if b.is_finite() => plain(INF, 0.0),
        (f64::NEG_INFINITY, INF) => plain(INF, 3.0 * FRAC_PI_4),
        (INF, INF) => plain(INF, FRAC_PI_4),
        (a, b) if a.is_infinite() || b.is_infinite() => plain(INF, NAN),
        _ => plain(NAN, NAN),
    }
}

fn log1p(a: f64, b: f64) -> Special {
    if a == -1.0 && b == 0.0 { plain(-INF, 0.0) } else { log(a, b) }
}

fn sqrt(a: f64, b: f64) -> Special {
    match (a, b) {
        (_, INF) => plain(INF, INF),
        (f64::NEG_INFINITY, b) if b.is_finite() => plain(0.0, INF),
        (INF, b) if b.is_finite() => plain(INF, 0.0),
        (f64::NEG_INFINITY, _) => im_sign(NAN, INF),
        (INF, _) => plain(INF, NAN),
        _ => plain(NAN, NAN),
    }
}

fn sinh(a: f64, b: f64) -> Special {
    match (a, b) {
        (0.0, _) => re_sign(0.0, NAN),
        (INF, 0.0) => plain(INF, 0.0),
        (INF, b) if b.is_finite() => plain(INF * b.cos(), INF * b.sin()),
        (INF, _) => re_sign(INF, NAN),
        (a, 0.0) if a.is_nan() => plain(NAN, 0.0),
        _ => plain(NAN, NAN),
    }
}

fn cosh(a: f64, b: f64) -> Special {
    // An even function: the left half plane is the right one turned.
    if a.is_sign_negative() && !a.is_nan() {
        let (re, im, open) = cosh(-a, b);
        return (re, -im, open);
    }
    match (a, b) {
        (0.0, _) => im_sign(NAN, 0.0),
        (INF, 0.0) => plain(INF, 0.0),
        (INF, b) if b.is_finite() => plain(INF * b.cos(), INF * b.sin()),
        (INF, b) if b.is_nan() => plain(INF, NAN),
        (INF, _) => re_sign(INF, NAN),
        (a, 0.0) if a.is_nan() => im_sign(NAN, 0.0),
        _ => plain(NAN, NAN),
    }
}

fn tanh(a: f64, b: f64) -> Special {
    match (a, b) {
        // Older C gave NaN for the real part, and the standard lets that be.
        (0.0, _) => (0.0, NAN, Open { re: true, ..Open::default() }),
        (INF, b) if b.is_finite() => plain(1.0, 0.0),
        (INF, _) => im_sign(1.0, 0.0),
        (a, 0.0) if a.is_nan() => plain(NAN, 0.0),
        _ => plain(NAN, NAN),
    }
}

fn asinh(a: f64, b: f64) -> Special {
    match (a, b) {
        (a, INF) if a.is_finite() => plain(INF, FRAC_PI_2),
        (INF, b) if b.is_finite() => plain(INF, 0.0),
        (INF, INF) => plain(INF, FRAC_PI_4),
        (INF, _) => plain(INF, NAN),
        (a, 0.0) if a.is_nan() => plain(NAN, 0.0),
        (a, INF) if a.is_nan() => re_sign(INF, NAN),
        _ => plain(NAN, NAN),
    }
}

fn acosh(a: f64, b: f64) -> Special {
    match (a, b) {
        // Older C gave NaN for the imaginary part.
        (0.0, b) if b.is_nan() => (NAN, FRAC_PI_2, Open { im: true, ..Open::default() }),
        _ => log(a, b),
    }
}

fn acos(a: f64, b: f64) -> Special {
    match (a, b) {
        (a, INF) if a.is_finite() => plain(FRAC_PI_2, -INF),
        (0.0, b) if b.is_nan() => plain(FRAC_PI_2, NAN),
        (f64::NEG_INFINITY, b) if b.is_finite() => plain(PI, -INF),
        (INF, b) if b.is_finite() => plain(0.0, -INF),
        (f64::NEG_INFINITY, INF) => plain(3.0 * FRAC_PI_4, -INF),
        (INF, INF) => plain(FRAC_PI_4, -INF),
        (a, b) if a.is_infinite() && b.is_nan() => im_sign(NAN, INF),
        (a, INF) if a.is_nan() => plain(NAN, -INF),
        _ => plain(NAN, NAN),
    }
}

fn atanh(a: f64, b: f64) -> Special {
    match (a, b) {
        (1.0, 0.0) => plain(INF, 0.0),
        (0.0, b) if b.is_nan() => plain(0.0, NAN),
        (a, INF) if a.is_finite() => plain(0.0, FRAC_PI_2),
        (INF, b) if b.is_nan() => plain(0.0, NAN),
        (INF, _) => plain(0.0, FRAC_PI_2),
        (a, INF) if a.is_nan() => re_sign(0.0, FRAC_PI_2),
        _ => plain(NAN, NAN),
    }
}

/// The product of finite numbers; the standard leaves others open, unless all is NaN.
pub fn multiply(x: (f64, f64), y: (f64, f64)) -> Value {
    if all_nan(x, y) {
        return Value::complex(NAN, NAN);
    }
    if ![x.0, x.1, y.0, y.1].iter().all(|p| p.is_finite()) {
        return Value::Any;
    }
    let p = |a: f64, b: f64| Dd::from(a) * Dd::from(b);
    let (re, im) = (p(x.0, y.0) - p(x.1, y.1), p(x.0, y.1) + p(x.1, y.0));
    if re.hi.is_finite() && im.hi.is_finite() { Value::complex(re, im).signs_open() } else { Value::Any }
}

/// The quotient of finite numbers; open where the standard leaves it open, and at zero.
pub fn divide(x: (f64, f64), y: (f64, f64)) -> Value {
    if all_nan(x, y) {
        return Value::complex(NAN, NAN);
    }
    if ![x.0, x.1, y.0, y.1].iter().all(|p| p.is_finite()) || y == (0.0, 0.0) {
        return Value::Any;
    }
    // Both are brought near 1, so that no square or product over- or underflows.
    let (ex, ey) = (exponent(x), exponent(y));
    let near_one = |(re, im): (f64, f64), e: i32| (Dd::from(re).scale(-e), Dd::from(im).scale(-e));
    let ((a, b), (c, s)) = (near_one(x, ex), near_one(y, ey));
    let norm = c * c + s * s;
    let re = (a * c + b * s) / norm;
    let im = (b * c - a * s) / norm;
    Value::complex(re.scale(ex - ey), im.scale(ex - ey)).signs_open()
}

/// The power of two of the greater part, of subnormal numbers as well; 0 at 0.
fn exponent((re, im): (f64, f64)) -> i32 {
    match re.abs().max(im.abs()) {
        0.0 => 0,
        size if size < f64::MIN_POSITIVE => exponent((size * 2f64.powi(64), 0.0)) - 64,
        size => (size.to_bits() >> 52) as i32 - 1023,
    }
}

fn all_nan(x: (f64, f64), y: (f64, f64)) -> bool {
    [x.0, x.1, y.0, y.1].iter().all(|p| p.is_nan())
}

/// `z / |z|`, 0 at 0, NaN of NaN.
pub fn sign(a: f64, b: f64) -> Value {
    if a.is_nan() || b.is_nan() {
        return Value::complex(NAN, NAN);
    }
    if a == 0.0 && b == 0.0 {
        return Value::complex(0.0, 0.0).signs_open();
    }
    if a.is_infinite() || b.is_infinite() {
        return Value::Any;
    }
    let norm = hypot(a, b);
    Value::complex(Dd::from(a) / norm, Dd::from(b) / norm).signs_open()
}

/// `z` to the power `w` at the points that the goldens have; open where an operand is zero or
/// not finite; `None` elsewhere.
pub fn pow(z: (f64, f64), w: (f64, f64)) -> Option<Value> {
    if let Some([re, im]) = golden::find("c_pow", &[z.0, z.1, w.0, w.1]) {
        return Some(Value::complex(*re, *im).signs_open());
    }
    let parts = [z.0, z.1, w.0, w.1];
    (!parts.iter().all(|p| p.is_finite()) || z == (0.0, 0.0)).then_some(Value::Any)
}
