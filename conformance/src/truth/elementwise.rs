//! Element-wise functions of one and two operands.

use super::complex;
use super::dd::{self, Dd, LN_2, PI};
use super::golden;
use super::num::{Num, round_float, ulp, wrap};
use super::value::Value;
use ivy_core::{Dtype, finfo};

/// The result of a function of one operand, already of the dtype computed in; `None` if the
/// page has no such function, or no truth at this point.
pub fn unary(name: &str, x: Num, dtype: Dtype) -> Option<Value> {
    match name {
        "isfinite" => return Some(Value::truth(x.is_finite())),
        "isinf" => return Some(Value::truth(x.re().is_infinite() || x.im().is_infinite())),
        "isnan" => return Some(Value::truth(x.is_nan())),
        "positive" => return Some(Value::Exact(x)),
        _ => {}
    }
    match x {
        Num::Bool(b) => match name {
            "logical_not" | "bitwise_invert" => Some(Value::truth(!b)),
            _ => None,
        },
        Num::Int(i) => integer(name, i, dtype),
        Num::Float(x) => float(name, x, dtype),
        Num::Complex(a, b) => complex_unary(name, a, b),
    }
}

fn integer(name: &str, i: i128, dtype: Dtype) -> Option<Value> {
    let of = |i: i128| Some(Value::int(wrap(i, dtype)));
    match name {
        "abs" => of(i.abs()),
        "bitwise_invert" => of(!i),
        "negative" => of(-i),
        "sign" => of(i.signum()),
        "square" => of(i.wrapping_mul(i)),
        "ceil" | "floor" | "round" | "trunc" | "conj" | "real" => of(i),
        _ => None,
    }
}

fn float(name: &str, x: f64, dtype: Dtype) -> Option<Value> {
    let exact = |y: f64| Some(Value::Exact(Num::Float(round_float(y, dtype))));
    match name {
        "abs" => exact(x.abs()),
        "ceil" => exact(x.ceil()),
        "floor" => exact(x.floor()),
        "trunc" => exact(x.trunc()),
        "round" => exact(x.round_ties_even()),
        "conj" | "real" => exact(x),
        "negative" => exact(-x),
        "signbit" if x.is_nan() => Some(Value::Any),
        "signbit" => Some(Value::truth(x.is_sign_negative())),
        "sign" if x == 0.0 => Some(Value::Either(Num::Float(0.0), Num::Float(-0.0))),
        "sign" => exact(if x.is_nan() { x } else { x.signum() }),
        "reciprocal" => Some(Value::real(Dd::from(1.0) / x.into())),
        "square" => Some(Value::real(Dd::from(x) * x.into())),
        "sqrt" => Some(Value::real(Dd::from(x).sqrt())),
        // Next to its zeros a difference of two numbers has less of them.
        "digamma" | "lgamma" if dtype == Dtype::FLOAT64 && x < 0.0 && x.is_finite() && x.fract() != 0.0 => {
            let (value, mass) = dd::gamma_mirrored(x, name == "lgamma");
            Some(Value::sum(value, 0.0.into(), mass, 1))
        }
        _ => real(name, x).map(Value::real),
    }
}

/// An elementary function of a real number, to more than float64.
pub fn real(name: &str, x: f64) -> Option<Dd> {
    if let Some([y]) = golden::find(name, &[x]) {
        return Some(*y);
    }
    let special = !x.is_finite() || x == 0.0;
    let machine: fn(f64) -> f64 = match name {
        "acos" => f64::acos,
        "acosh" => f64::acosh,
        "asin" => f64::asin,
        "asinh" => f64::asinh,
        "atan" => f64::atan,
        "atanh" => f64::atanh,
        "cos" => f64::cos,
        "cosh" => f64::cosh,
        "digamma" => |x| match x {
            0.0 => -(1.0 / x),
            f64::INFINITY => x,
            _ => f64::NAN,
        },
        "erf" => |x| if x.is_nan() || x == 0.0 { x } else { x.signum() },
        "erfc" => |x| if x.is_nan() { x } else { 1.0 - if x == 0.0 { 0.0 } else { x.signum() } },
        "exp" => f64::exp,
        "expm1" => f64::exp_m1,
        "lgamma" => |x| if x.is_nan() { x } else { f64::INFINITY },
        "log" => f64::ln,
        "log1p" => f64::ln_1p,
        "log2" => f64::log2,
        "log10" => f64::log10,
        "sin" => f64::sin,
        "sinh" => f64::sinh,
        "tan" => f64::tan,
        "tanh" => f64::tanh,
        _ => return None,
    };
    let outside = match name {
        "acos" | "asin" => x.abs() > 1.0,
        "atanh" => x.abs() >= 1.0,
        "acosh" => x <= 1.0,
        "log" | "log2" | "log10" => x <= 0.0,
        "log1p" => x <= -1.0,
        // At whole numbers.
        "digamma" | "lgamma" => x < 0.0 && x.fract() == 0.0,
        // The pairs' own reduction ends here; the machine's is right to half a unit of float64.
        "sin" | "cos" | "tan" => x.abs() > 1e5,
        _ => false,
    };
    Some(if special || outside { machine(x).into() } else { pairs(name, x) })
}

/// The functions at a finite, nonzero point inside their domain, in pairs of float64.
pub fn pairs(name: &str, x: f64) -> Dd {
    let d = Dd::from(x);
    let one = Dd::from(1.0);
    let rest = || ((one - d) * (one + d)).sqrt();
    let sign = |y: Dd| if x < 0.0 { -y } else { y };
    match name {
        "digamma" => d.digamma(),
        "erf" => d.erf(),
        "erfc" => d.erfc(),
        "exp" => d.exp(),
        "expm1" => d.exp_m1(),
        "lgamma" => d.lgamma(),
        "log" => d.ln(),
        "log1p" => d.ln_1p(),
        "log2" => d.ln() / LN_2,
        "log10" => d.ln() / Dd::from(10.0).ln(),
        "sin" => d.sin_cos().0,
        "cos" => d.sin_cos().1,
        "tan" => {
            let (s, c) = d.sin_cos();
            s / c
        }
        "asin" => d.atan2(rest()),
        "acos" => rest().atan2(d),
        "atan" => d.atan2(one),
        "sinh" if x.abs() > 40.0 => sign((d.abs() - LN_2).exp()),
        "sinh" => {
            // At the magnitude, since e^x - 1 of a negative x loses what e^x was.
            let e = d.abs().exp_m1();
            sign((e + e / (e + one)).scale(-1))
        }
        "cosh" if x.abs() > 40.0 => (d.abs() - LN_2).exp(),
        "cosh" => {
            let e = d.exp();
            (e + one / e).scale(-1)
        }
        "tanh" if x.abs() > 40.0 => sign(one),
        "tanh" => {
            let e = d.abs().scale(1).exp_m1();
            sign(e / (e + 2.0.into()))
        }
        "asinh" if x.abs() > 1e20 => sign(d.abs().ln() + LN_2),
        "asinh" => {
            let a = d.abs();
            let square = a * a;
            sign((a + square / (one + (one + square).sqrt())).ln_1p())
        }
        "acosh" if x > 1e20 => d.ln() + LN_2,
        "acosh" => {
            let t = d - one;
            (t + (t * (t + 2.0.into())).sqrt()).ln_1p()
        }
        "atanh" => sign((d.abs().scale(1) / (one - d.abs())).ln_1p().scale(-1)),
        other => unreachable!("{other} is no elementary function"),
    }
}

fn complex_unary(name: &str, a: f64, b: f64) -> Option<Value> {
    let exact = |x: f64, y: f64| Some(Value::Exact(Num::Complex(x, y)));
    match name {
        "conj" => exact(a, -b),
        "negative" => exact(-a, -b),
        "round" => exact(a.round_ties_even(), b.round_ties_even()),
        "real" => Some(Value::Exact(Num::Float(a))),
        "imag" => Some(Value::Exact(Num::Float(b))),
        "abs" => Some(Value::real(dd::hypot(a, b))),
        "sign" => Some(complex::sign(a, b)),
        "square" => Some(complex::multiply((a, b), (a, b))),
        "reciprocal" => Some(complex::divide((1.0, 0.0), (a, b))),
        _ => complex::unary(name, a, b),
    }
}

/// The result of a function of two operands, already of the dtype computed in; `None` if the
/// page has no such function, or no truth at this point.
pub fn binary(name: &str, x: Num, y: Num, dtype: Dtype) -> Option<Value> {
    if let Some(answer) = compare(name, x, y) {
        return Some(Value::truth(answer));
    }
    match (x, y) {
        (Num::Bool(a), Num::Bool(b)) => {
            let c = match name {
                "add" | "bitwise_or" | "logical_or" => a | b,
                "multiply" | "bitwise_and" | "logical_and" => a & b,
                "bitwise_xor" | "logical_xor" => a ^ b,
                "maximum" => a | b,
                "minimum" => a & b,
                _ => return None,
            };
            Some(Value::truth(c))
        }
        (Num::Int(a), Num::Int(b)) => integers(name, a, b, dtype).map(Value::int),
        (Num::Float(a), Num::Float(b)) => floats(name, a, b, dtype),
        (Num::Complex(a, b), Num::Complex(c, d)) => match name {
            "add" => Some(componentwise(Dd::from(a) + c.into(), Dd::from(b) + d.into(), dtype)),
            "subtract" => Some(componentwise(Dd::from(a) - c.into(), Dd::from(b) - d.into(), dtype)),
            "multiply" => Some(complex::multiply((a, b), (c, d))),
            "divide" => Some(complex::divide((a, b), (c, d))),
            "pow" => complex::pow((a, b), (c, d)),
            _ => None,
        },
        _ => None,
    }
}

/// A complex result whose parts are each rounded once.
fn componentwise(re: Dd, im: Dd, dtype: Dtype) -> Value {
    let round = |x: Dd| super::num::round_pair(x.hi, x.lo, dtype);
    Value::Exact(Num::Complex(round(re), round(im)))
}

fn compare(name: &str, x: Num, y: Num) -> Option<bool> {
    let equal = || match (x, y) {
        (Num::Bool(a), Num::Bool(b)) => a == b,
        (Num::Int(a), Num::Int(b)) => a == b,
        _ => x.re() == y.re() && x.im() == y.im(),
    };
    let order = || match (x, y) {
        (Num::Bool(a), Num::Bool(b)) => Some(a.cmp(&b)),
        (Num::Int(a), Num::Int(b)) => Some(a.cmp(&b)),
        _ => x.re().partial_cmp(&y.re()),
    };
    Some(match name {
        "equal" => equal(),
        "not_equal" => !equal(),
        "greater" => order().is_some_and(|o| o.is_gt()),
        "greater_equal" => order().is_some_and(|o| o.is_ge()),
        "less" => order().is_some_and(|o| o.is_lt()),
        "less_equal" => order().is_some_and(|o| o.is_le()),
        _ => return None,
    })
}

fn integers(name: &str, a: i128, b: i128, dtype: Dtype) -> Option<i128> {
    let bits = dtype.bits() as i128;
    let within = (0..bits).contains(&b);
    let result = match name {
        "add" => a + b,
        "subtract" => a - b,
        "multiply" => wrap(a, dtype).wrapping_mul(wrap(b, dtype)),
        "bitwise_and" => a & b,
        "bitwise_or" => a | b,
        "bitwise_xor" => a ^ b,
        "bitwise_left_shift" => {
            if within {
                a << b
            } else {
                0
            }
        }
        "bitwise_right_shift" if within => a >> b,
        "bitwise_right_shift" => {
            if a < 0 {
                -1
            } else {
                0
            }
        }
        "gcd" => gcd(a, b),
        "lcm" if a == 0 || b == 0 => 0,
        "lcm" => (a / gcd(a, b)).abs().wrapping_mul(b.abs()),
        "floor_divide" | "remainder" if b == 0 => 0,
        "floor_divide" => floor(a, b),
        "remainder" => a - floor(a, b) * b,
        "maximum" => a.max(b),
        "minimum" => a.min(b),
        "pow" if b < 0 => match a {
            1 => 1,
            -1 => {
                if b % 2 == 0 {
                    1
                } else {
                    -1
                }
            }
            _ => 0,
        },
        "pow" => power(a, b as u128, dtype),
        _ => return None,
    };
    Some(wrap(result, dtype))
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

fn floor(a: i128, b: i128) -> i128 {
    let q = a / b;
    if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q }
}

/// Powers wrap as products do, one squaring at a time.
pub fn power(a: i128, mut n: u128, dtype: Dtype) -> i128 {
    let (mut base, mut result) = (a, 1i128);
    while n > 0 {
        if n & 1 == 1 {
            result = wrap(result.wrapping_mul(base), dtype);
        }
        base = wrap(base.wrapping_mul(base), dtype);
        n >>= 1;
    }
    result
}

fn floats(name: &str, a: f64, b: f64, dtype: Dtype) -> Option<Value> {
    let (da, db) = (Dd::from(a), Dd::from(b));
    let exact = |x: f64| Value::Exact(Num::Float(round_float(x, dtype)));
    let nan = a.is_nan() || b.is_nan();
    Some(match name {
        "add" => Value::real(da + db),
        "subtract" => Value::real(da - db),
        "multiply" => Value::real(da * db),
        "divide" => Value::real(da / db),
        "atan2" => Value::real(atan2(a, b)),
        "hypot" => Value::real(dd::hypot(a, b)),
        "logaddexp" => Value::real(found("logaddexp", a, b).unwrap_or_else(|| dd::log_add_exp(a, b))),
        "pow" => Value::real(found("pow", a, b).unwrap_or_else(|| dd::pow(a, b))),
        "copysign" if b.is_nan() => Value::Either(Num::Float(a), Num::Float(-a)),
        "copysign" => exact(a.copysign(b)),
        "nextafter" => Value::Exact(Num::Float(next_after(a, b, dtype))),
        "maximum" | "minimum" if nan => exact(f64::NAN),
        "maximum" => exact(if a >= b { a } else { b }),
        "minimum" => exact(if a <= b { a } else { b }),
        "remainder" => remainder(a, b, dtype),
        "floor_divide" => floor_divide(a, b, dtype),
        _ => return None,
    })
}

fn found(name: &str, a: f64, b: f64) -> Option<Dd> {
    golden::find(name, &[a, b]).map(|y| y[0])
}

fn atan2(y: f64, x: f64) -> Dd {
    let plain = y.is_finite() && x.is_finite() && y != 0.0 && x != 0.0;
    let machine = y.atan2(x);
    found("atan2", y, x).unwrap_or_else(|| match plain && machine.abs() > 1e-290 {
        true => Dd::from(y).atan2(x.into()),
        false if machine.abs() == PI.hi => {
            if machine > 0.0 {
                PI
            } else {
                -PI
            }
        }
        false => machine.into(),
    })
}

/// The neighbour of `a` towards `b` among the dtype's own values.
pub fn next_after(a: f64, b: f64, dtype: Dtype) -> f64 {
    if a.is_nan() || b.is_nan() {
        return f64::NAN;
    }
    if a == b {
        return b;
    }
    let info = finfo(dtype).expect("a float dtype");
    let least = info.smallest_normal * info.eps;
    if a == 0.0 {
        return least.copysign(b);
    }
    let outwards = (b > a) == (a > 0.0);
    if dtype == Dtype::FLOAT64 {
        return f64::from_bits(if outwards { a.to_bits() + 1 } else { a.to_bits() - 1 });
    }
    if a.is_infinite() {
        return info.max.copysign(a);
    }
    let size = a.abs();
    let step = match outwards {
        true => size + ulp(size, dtype),
        // Below a power of two the values stand closer.
        false => size - ulp(size - ulp(size, dtype) / 4.0, dtype).max(least),
    };
    (if step > info.max { f64::INFINITY } else { step }).copysign(a)
}

fn remainder(a: f64, b: f64, dtype: Dtype) -> Value {
    let exact = |x: f64| Value::Exact(Num::Float(round_float(x, dtype)));
    if a.is_nan() || b.is_nan() || a.is_infinite() || b == 0.0 {
        return exact(f64::NAN);
    }
    // The machine's remainder of two floats is exact, with the sign of the first.
    let r = a % b;
    if r == 0.0 {
        return exact(0f64.copysign(b));
    }
    exact(if (r < 0.0) == (b < 0.0) { r } else { r + b })
}

fn floor_divide(a: f64, b: f64, dtype: Dtype) -> Value {
    let number = |x: f64| Num::Float(round_float(x, dtype));
    let q = a / b;
    if a.is_infinite() && b.is_finite() {
        return Value::Either(number(q), number(f64::NAN));
    }
    if b.is_infinite() && a.is_finite() && a != 0.0 && q.is_sign_negative() {
        return Value::Either(number(-0.0), number(-1.0));
    }
    if !q.is_finite() || q == 0.0 && a == 0.0 || b.is_infinite() {
        return Value::Exact(number(q));
    }
    if q == 0.0 && q.is_sign_negative() {
        // The quotient is below zero, and underflows to it.
        return Value::Either(number(-0.0), number(-1.0));
    }
    // The exact quotient rounded down, or the rounded quotient rounded down: both are in use.
    let exact = Dd::from(a) / b.into();
    let whole = exact.hi.floor();
    let down = if whole == exact.hi && exact.lo < 0.0 { whole - 1.0 } else { whole };
    let down = if down == 0.0 { 0f64.copysign(q) } else { down };
    let rounded = round_float(q, dtype).floor();
    let rounded = if rounded == 0.0 { 0f64.copysign(q) } else { rounded };
    Value::Either(number(down), number(rounded))
}
