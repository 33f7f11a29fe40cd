//! Element-wise functions that Ivy has beyond the standard, and what is near to them.

use super::dd::{self, Dd, LN_2, PI};
use super::num::{Num, round_float, wrap};
use super::value::Value;
use super::{Call, Tensor, Truth, broadcast, elementwise, reduce, spread};
use ivy_core::function::ParamValue;
use ivy_core::{Dtype, finfo};

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    let dtype = call.compute;
    let one = |f: &dyn Fn(&[Num]) -> Option<Value>| Some(vec![each(call, 0, f)?]);
    match call.function {
        "isclose" => one(&|x| Some(close(call, x[0], x[1]))),
        "allclose" => all_close(call),
        "array_equal" => array_equal(call),
        "fmax" | "fmin" => one(&|x| extreme(x[0], x[1], call.function == "fmax")),
        "fmod" => one(&|x| fmod(x[0], x[1], dtype)),
        "trunc_divide" => one(&|x| trunc_divide(x[0], x[1], dtype)),
        "exp2" => one(&|x| elementwise::binary("pow", Num::Float(2.0), x[0], dtype)),
        "logaddexp2" => one(&|x| Some(log_add_exp2(x[0].re(), x[1].re()))),
        "xlogy" => one(&|x| xlogy(x[0].re(), x[1].re())),
        "nan_to_num" => one(&|x| Some(number(call, x[0]))),
        "deg2rad" => one(&|x| Some(scaled(x[0].re().into(), PI / 180.0.into()))),
        "rad2deg" => one(&|x| Some(scaled(x[0].re().into(), Dd::from(180.0) / PI))),
        "lerp" => one(&|x| Some(lerp(x[0], x[1], x[2]))),
        "angle" => one(&|x| angle(call, x[0])),
        "frexp" => Some(vec![
            each(call, 0, &|x| Some(Value::Exact(Num::Float(frexp(x[0].re()).0))))?,
            each(call, 1, &|x| Some(Value::int(frexp(x[0].re()).1)))?,
        ]),
        "modf" => Some(vec![
            each(call, 0, &|x| Some(Value::Exact(Num::Float(fraction(x[0].re())))))?,
            each(call, 1, &|x| Some(Value::Exact(Num::Float(x[0].re().trunc()))))?,
        ]),
        "nansum" | "nanprod" | "nanmax" | "nanmin" | "nanvar" | "nanstd" => without_nan(call),
        "fix" => one(&|x| elementwise::unary("trunc", x[0], dtype)),
        "isposinf" => one(&|x| Some(Value::truth(x[0].re() == f64::INFINITY))),
        "isneginf" => one(&|x| Some(Value::truth(x[0].re() == f64::NEG_INFINITY))),
        "isreal" => one(&|x| Some(Value::truth(x[0].im() == 0.0))),
        "heaviside" => one(&|x| Some(step(x[0], x[1]))),
        "sinc" => one(&|x| Some(sinc(x[0].re()))),
        "trapz" => trapz(call),
        "clip_vector_norm" => clip_vector_norm(call),
        _ => None,
    }
}

/// Result `i` of a function of the elements of all operands.
fn each(call: &Call<'_>, i: usize, f: &dyn Fn(&[Num]) -> Option<Value>) -> Option<Truth> {
    let operands: Vec<Tensor> = (0..call.operands.len()).map_while(|i| call.operand(i)).collect();
    let shapes: Vec<&[usize]> = operands.iter().map(|t| t.shape.as_slice()).collect();
    let shape = broadcast(&shapes)?;
    let places: Vec<Vec<usize>> = operands.iter().map(|t| spread(&t.shape, &shape)).collect();
    let at = |k: usize| {
        let numbers: Vec<Num> = operands.iter().zip(&places).map(|(t, p)| t.data[p[k]]).collect();
        f(&numbers)
    };
    let data = (0..shape.iter().product()).map(at).collect::<Option<_>>()?;
    Some(Truth { dtype: call.output(i), shape, data })
}

fn number_keyword(call: &Call<'_>, name: &str) -> Option<f64> {
    match call.keyword(name)? {
        ParamValue::Float(x) => Some(*x),
        ParamValue::Int(i) => Some(*i as f64),
        _ => None,
    }
}

/// Left open where the difference is as large as the tolerance but for what either is rounded.
fn close(call: &Call<'_>, a: Num, b: Num) -> Value {
    let equal = match (a, b) {
        (Num::Int(a), Num::Int(b)) => a == b,
        _ => a.re() == b.re() && a.im() == b.im(),
    };
    if equal || call.flag("equal_nan") && a.is_nan() && b.is_nan() {
        return Value::truth(true);
    }
    if !a.is_finite() || !b.is_finite() {
        return Value::truth(false);
    }
    let (rtol, atol) =
        (number_keyword(call, "rtol").unwrap_or(1e-5), number_keyword(call, "atol").unwrap_or(1e-8));
    let whole = |i: i128| Dd::from(i as f64) + ((i - i as f64 as i128) as f64).into();
    let (distance, size) = match (a, b) {
        (Num::Int(a), Num::Int(b)) => (whole((a - b).abs()), whole(b.abs())),
        _ => {
            let (re, im) = (Dd::from(a.re()) - b.re().into(), Dd::from(a.im()) - b.im().into());
            let length = if im.hi == 0.0 { re.abs() } else { dd::hypot(re.hi, im.hi) };
            (length, dd::hypot(b.re(), b.im()))
        }
    };
    let tolerance = Dd::from(atol) + size * rtol.into();
    let part = call.compute.real_part();
    let (eps, least) = match part.is_float() && part != Dtype::FLOAT64 {
        true => (2f64.powi(-23), 2f64.powi(-149)),
        false => (2f64.powi(-52), f64::from_bits(1)),
    };
    let rounding = 8.0 * eps * (distance.hi + tolerance.hi) + 4.0 * least;
    let gap = (distance - tolerance).hi;
    if gap.abs() <= rounding { Value::Any } else { Value::truth(gap < 0.0) }
}

fn all_close(call: &Call<'_>) -> Option<Vec<Truth>> {
    let found = each(call, 0, &|x| Some(close(call, x[0], x[1])))?.data;
    let is = |v: &Value, b: bool| matches!(v, Value::Exact(Num::Bool(x)) if *x == b);
    let value = if found.iter().any(|v| is(v, false)) {
        Value::truth(false)
    } else if found.iter().all(|v| is(v, true)) {
        Value::truth(true)
    } else {
        Value::Any
    };
    Some(vec![Truth { dtype: call.output(0), shape: vec![], data: vec![value] }])
}

fn array_equal(call: &Call<'_>) -> Option<Vec<Truth>> {
    let (a, b) = (call.operand(0)?, call.operand(1)?);
    let same = |(&x, &y): (&Num, &Num)| {
        matches!(elementwise::binary("equal", x, y, call.compute), Some(Value::Exact(Num::Bool(true))))
    };
    let equal = a.shape == b.shape && a.data.iter().zip(&b.data).all(same);
    Some(vec![Truth { dtype: call.output(0), shape: vec![], data: vec![Value::truth(equal)] }])
}

fn extreme(a: Num, b: Num, greatest: bool) -> Option<Value> {
    if let (Num::Int(a), Num::Int(b)) = (a, b) {
        return Some(Value::int(if greatest { a.max(b) } else { a.min(b) }));
    }
    let (x, y) = (a.re(), b.re());
    Some(if x == y {
        Value::Either(a, b)
    } else if x.is_nan() || !y.is_nan() && (y > x) == greatest {
        Value::Exact(b)
    } else {
        Value::Exact(a)
    })
}

fn fmod(a: Num, b: Num, dtype: Dtype) -> Option<Value> {
    Some(match (a, b) {
        (Num::Int(_), Num::Int(0)) => Value::int(0),
        (Num::Int(a), Num::Int(b)) => Value::int(wrap(a % b, dtype)),
        // The machine's remainder is exact, so that rounding it changes nothing.
        _ => Value::Exact(Num::Float(round_float(a.re() % b.re(), dtype))),
    })
}

fn trunc_divide(a: Num, b: Num, dtype: Dtype) -> Option<Value> {
    if let (Num::Int(a), Num::Int(b)) = (a, b) {
        return Some(Value::int(if b == 0 { 0 } else { wrap(a / b, dtype) }));
    }
    let rounded = round_float(a.re() / b.re(), dtype).trunc();
    Some(Value::Exact(Num::Float(rounded)))
}

fn log_add_exp2(a: f64, b: f64) -> Value {
    let (top, low) = (a.max(b), a.min(b));
    if a.is_nan() || b.is_nan() {
        return Value::real(f64::NAN);
    }
    if top.is_infinite() || low == f64::NEG_INFINITY {
        return Value::real(top).signs_open();
    }
    let more = ((Dd::from(low) - top.into()) * LN_2).exp().ln_1p() / LN_2;
    Value::sum(Dd::from(top) + more, 0.0.into(), top.abs(), 1)
}

fn xlogy(x: f64, y: f64) -> Option<Value> {
    if x == 0.0 && !y.is_nan() {
        return Some(Value::real(0.0).signs_open());
    }
    let logarithm = elementwise::real("log", y)?;
    Some(scaled(logarithm, x.into()))
}

/// A product; of numbers that are not finite, the machine's.
fn scaled(a: Dd, b: Dd) -> Value {
    let plain = a.hi * b.hi;
    Value::real(if plain.is_finite() && plain != 0.0 { a * b } else { plain.into() })
}

fn number(call: &Call<'_>, x: Num) -> Value {
    let Some(info) = finfo(call.compute).ok() else { return Value::Exact(x) };
    let round = |x: f64| round_float(x, info.dtype);
    let part = |x: f64| {
        if x.is_nan() {
            round(number_keyword(call, "nan").unwrap_or(0.0))
        } else if x == f64::INFINITY {
            number_keyword(call, "posinf").map_or(info.max, round)
        } else if x == f64::NEG_INFINITY {
            number_keyword(call, "neginf").map_or(info.min, round)
        } else {
            x
        }
    };
    match x {
        // Where one part is replaced, the other may lose the sign of its zero.
        Num::Complex(a, b) if !x.is_finite() => Value::complex(part(a), part(b)).signs_open(),
        Num::Complex(..) => Value::Exact(x),
        _ => Value::Exact(Num::Float(part(x.re()))),
    }
}

fn lerp(a: Num, b: Num, t: Num) -> Value {
    if ![a, b, t].iter().all(|x| x.is_finite()) {
        return Value::Any;
    }
    let pair = |x: Num| (Dd::from(x.re()), Dd::from(x.im()));
    let times = |x: (Dd, Dd), y: (Dd, Dd)| (x.0 * y.0 - x.1 * y.1, x.0 * y.1 + x.1 * y.0);
    let (a2, b2, t2) = (pair(a), pair(b), pair(t));
    let first = times((Dd::from(1.0) - t2.0, -t2.1), a2);
    let second = times(t2, b2);
    let size = |x: Num| x.re().hypot(x.im());
    let mass = (1.0 + size(t)) * (size(a) + size(b));
    Value::sum(first.0 + second.0, first.1 + second.1, mass, 1)
}

fn angle(call: &Call<'_>, z: Num) -> Option<Value> {
    let radians = elementwise::binary("atan2", Num::Float(z.im()), Num::Float(z.re()), Dtype::FLOAT64)?;
    match radians {
        Value::Near { re, .. } if call.flag("deg") => Some(scaled(re, Dd::from(180.0) / PI)),
        other => Some(other),
    }
}

fn frexp(x: f64) -> (f64, i128) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    // From the bits; of subnormal numbers after they are made normal.
    let (x, more) = if x.abs() < f64::MIN_POSITIVE { (x * 2f64.powi(100), 100) } else { (x, 0) };
    let exponent = (x.to_bits() >> 52 & 0x7ff) as i128 - 1022;
    let mantissa = f64::from_bits(x.to_bits() & !(0x7ff << 52) | 1022 << 52);
    (mantissa, exponent - more)
}

fn fraction(x: f64) -> f64 {
    if x.is_nan() {
        x
    } else if x.is_infinite() {
        0f64.copysign(x)
    } else {
        x.fract().copysign(x)
    }
}

/// The reduction of the same name without `nan`, of what is left of each group.
fn without_nan(call: &Call<'_>) -> Option<Vec<Truth>> {
    let (shape, groups) = reduce::groups(call, &call.operand(0)?);
    let call = Call { function: call.function.trim_start_matches("nan"), ..*call };
    let of = |group: &Vec<Num>| {
        let left: Vec<Num> = group.iter().copied().filter(|x| !x.is_nan()).collect();
        match call.function {
            "max" | "min" if left.is_empty() => Some(Value::real(f64::NAN)),
            _ => reduce::reduce(&call, &left),
        }
    };
    let data = groups.iter().map(of).collect::<Option<_>>()?;
    Some(vec![Truth { dtype: call.output(0), shape, data }])
}

fn step(x: Num, at_zero: Num) -> Value {
    match x.re() {
        x if x.is_nan() => Value::real(x),
        0.0 => Value::Exact(at_zero),
        x => Value::real(if x > 0.0 { 1.0 } else { 0.0 }),
    }
}

fn sinc(x: f64) -> Value {
    if x == 0.0 {
        return Value::real(1.0);
    }
    if !x.is_finite() {
        return Value::real(f64::NAN);
    }
    let whole = x.round_ties_even();
    let sine = (Dd::from(x - whole) * PI).sin_cos().0;
    let sine = if whole % 2.0 == 0.0 { sine } else { -sine };
    // Near zero the angle's own digits are few.
    if x.abs() < 1e-100 { Value::real(1.0) } else { Value::real(sine / (Dd::from(x) * PI)).signs_open() }
}

fn trapz(call: &Call<'_>) -> Option<Vec<Truth>> {
    let (y, x) = (call.operand(0)?, call.operand(1));
    let axis = super::axis(call.int("axis").unwrap_or(-1), y.shape.len());
    let mut shape = y.shape.clone();
    let length = shape.remove(axis);
    let pair = |x: Num| (Dd::from(x.re()), Dd::from(x.im()));
    let one = |mut index: Vec<usize>| {
        index.insert(axis, 0);
        let mut total = (Dd::from(0.0), Dd::from(0.0), 0.0);
        for i in 1..length {
            let mut at = |t: &Tensor, i: usize| {
                index[axis] = i;
                let index = if t.shape == y.shape { &index[..] } else { std::slice::from_ref(&index[axis]) };
                t.data[super::place(index, &t.shape)]
            };
            let (low, high) = (at(&y, i - 1), at(&y, i));
            let (a, b) = (pair(low), pair(high));
            let height = ((a.0 + b.0).scale(-1), (a.1 + b.1).scale(-1));
            let (width, size) = match &x {
                None => {
                    let dx = number_keyword(call, "dx").unwrap_or(1.0);
                    ((Dd::from(dx), Dd::from(0.0)), dx.abs())
                }
                Some(x) => {
                    let (first, second) = (at(x, i - 1), at(x, i));
                    let (a, b) = (pair(first), pair(second));
                    ((b.0 - a.0, b.1 - a.1), first.magnitude() + second.magnitude())
                }
            };
            total.0 = total.0 + (height.0 * width.0 - height.1 * width.1);
            total.1 = total.1 + (height.0 * width.1 + height.1 * width.0);
            total.2 += (low.magnitude() + high.magnitude()) * size;
        }
        Value::sum(total.0, total.1, total.2, length)
    };
    let data = super::indices(&shape).map(one).collect();
    Some(vec![Truth { dtype: call.output(0), shape, data }])
}

fn clip_vector_norm(call: &Call<'_>) -> Option<Vec<Truth>> {
    let x = call.operand(0)?;
    let (most, p) =
        (number_keyword(call, "max_norm").unwrap_or(1.0), number_keyword(call, "p").unwrap_or(2.0));
    let sizes: Vec<Dd> = x.data.iter().map(|x| dd::hypot(x.re(), x.im())).collect();
    let total = |f: &dyn Fn(Dd) -> Dd| sizes.iter().fold(Dd::from(0.0), |s, &x| s + f(x));
    let norm = if p == 2.0 {
        total(&|x| x * x).sqrt()
    } else if p == 1.0 {
        total(&|x| x)
    } else if p == 0.0 {
        Dd::from(sizes.iter().filter(|x| x.hi != 0.0).count() as f64)
    } else if p == f64::INFINITY {
        Dd::from(sizes.iter().fold(0.0, |m: f64, x| m.max(x.hi)))
    } else {
        // Cubes, the only other order that is tried.
        assert!(p == 3.0, "the truth of order {p}");
        let cubes = total(&|x| x * x * x);
        if cubes.hi == 0.0 { cubes } else { (cubes.ln() / 3.0.into()).exp() }
    };
    let long = norm.hi > most;
    let value = |x: &Num| {
        let factor = if long { Dd::from(most) / norm } else { Dd::from(1.0) };
        let (re, im) = (Dd::from(x.re()) * factor, Dd::from(x.im()) * factor);
        Value::sum(re, im, 4.0 * re.hi.hypot(im.hi), sizes.len())
    };
    let finite = x.data.iter().all(|x| x.is_finite());
    let data = x.data.iter().map(|x| if finite { value(x) } else { Value::Any }).collect();
    Some(vec![Truth { dtype: call.output(0), shape: x.shape, data }])
}
