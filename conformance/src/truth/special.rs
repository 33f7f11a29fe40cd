//! The inverse of the error function, the Bessel function of order 0 and the windows made of it, and zeta functions.

use super::dd::Dd;
use super::num::Num;
use super::value::Value;
use super::{Call, Truth, broadcast, elementwise, spread};

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    Some(match call.function {
        "erfinv" => vec![each(call, |x| erfinv(x[0]))?],
        "i0" => vec![each(call, |x| Value::real(bessel(x[0].abs())))?],
        "zeta" => vec![each(call, |x| weighted(zeta(x[0], x[1].into()), x[0]))?],
        "polygamma" => {
            let n = call.int("n").unwrap_or(1);
            let own =
                |x: f64| elementwise::unary("digamma", Num::Float(x), call.compute).expect("a real number");
            vec![each(call, |x| if n == 0 { own(x[0]) } else { polygamma(n as u32, x[0]) })?]
        }
        "kaiser_window" => vec![window(call)?],
        "kaiser_bessel_derived_window" => vec![derived(call)?],
        _ => return None,
    })
}

/// A function of the elements of all operands, which are real.
fn each(call: &Call<'_>, f: impl Fn(&[f64]) -> Value) -> Option<Truth> {
    let operands: Vec<_> = (0..call.operands.len()).map(|i| call.operand(i)).collect::<Option<_>>()?;
    let shapes: Vec<&[usize]> = operands.iter().map(|t| t.shape.as_slice()).collect();
    let shape = broadcast(&shapes)?;
    let places: Vec<Vec<usize>> = operands.iter().map(|t| spread(&t.shape, &shape)).collect();
    let at = |k: usize| {
        let numbers: Vec<f64> = operands.iter().zip(&places).map(|(t, p)| t.data[p[k]].re()).collect();
        f(&numbers)
    };
    Some(Truth { dtype: call.output(0), data: (0..shape.iter().product()).map(at).collect(), shape })
}

fn erfinv(x: f64) -> Value {
    let size = x.abs();
    if size.is_nan() || size >= 1.0 {
        return Value::real(if size == 1.0 { f64::INFINITY.copysign(x) } else { f64::NAN });
    }
    // The first term of the series, where the next one is beyond all digits.
    let root = if size < 1e-20 { Dd::from(size) * super::dd::PI.sqrt().scale(-1) } else { inverse(size) };
    Value::real(if x.is_sign_negative() { -root } else { root })
}

/// Halved until it is between neighbours, and then by steps of Newton.
fn inverse(size: f64) -> Dd {
    let missing = Dd::from(1.0) - size.into();
    // How much the error function is below the number at a place.
    let below = |x: Dd| if size < 0.5 { Dd::from(size) - x.erf() } else { x.erfc() - missing };
    let (mut low, mut high) = (0.0, 6.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if below(Dd::from(middle)).hi > 0.0 { low = middle } else { high = middle }
    }
    let mut root = Dd::from(if low == 0.0 { high } else { low });
    for _ in 0..4 {
        let slope = (-(root * root)).exp() * Dd::from(2.0) / super::dd::PI.sqrt();
        root = root + below(root) / slope;
    }
    root
}

/// The sum of its series, whose terms are all positive.
fn bessel(x: f64) -> Dd {
    if x.is_nan() || x > 800.0 {
        return (x * f64::INFINITY).into();
    }
    let quarter = Dd::from(x) * Dd::from(x).scale(-2);
    // Less by a power of two, since products near the end of the range overflow between.
    let (mut term, mut sum) = (Dd::from(1.0).scale(-200), Dd::from(1.0).scale(-200));
    for k in 1..2000 {
        term = term * quarter / Dd::from(f64::from(k) * f64::from(k));
        sum = sum + term;
    }
    let sum = sum.scale(200);
    if sum.hi.is_finite() { sum } else { f64::INFINITY.into() }
}

/// An error of the exponent grows with it.
fn weighted(value: Dd, exponent: f64) -> Value {
    let mass = value.hi.abs() * (1.0 + if exponent.is_finite() { exponent.abs() } else { 0.0 });
    Value::sum(value, Dd::from(0.0), if mass.is_finite() { mass } else { 0.0 }, 1)
}

/// By the sum of Euler and Maclaurin, with many terms before it.
fn zeta(s: f64, q: Dd) -> Dd {
    if s.is_nan() || q.hi.is_nan() || s < 1.0 || q.hi < 0.0 {
        return f64::NAN.into();
    }
    if s == 1.0 || q.hi == 0.0 {
        return f64::INFINITY.into();
    }
    if s.is_infinite() || q.hi.is_infinite() {
        return if q.hi > 1.0 { 0.0.into() } else { q.hi.powf(-s).into() };
    }
    let power = |a: Dd, s: Dd| if a.hi == 1.0 && a.lo == 0.0 { Dd::from(1.0) } else { (-(s * a.ln())).exp() };
    let s = Dd::from(s);
    let mut sum = Dd::from(0.0);
    let terms = 24;
    for k in 0..terms {
        sum = sum + power(q + f64::from(k).into(), s);
    }
    let end = q + f64::from(terms).into();
    let last = power(end, s);
    if last.hi == 0.0 {
        return sum + power(end, s - 1.0.into()) / (s - 1.0.into());
    }
    sum = sum + last.scale(-1) + power(end, s - 1.0.into()) / (s - 1.0.into());
    // The numbers of Bernoulli with even indices.
    let numbers = [
        (1.0, 6.0),
        (-1.0, 30.0),
        (1.0, 42.0),
        (-1.0, 30.0),
        (5.0, 66.0),
        (-691.0, 2730.0),
        (7.0, 6.0),
        (-3617.0, 510.0),
    ];
    let mut factor = last * s / end;
    for (j, (above, below)) in (1..).zip(numbers) {
        let index = 2.0 * f64::from(j);
        factor = match j {
            1 => factor.scale(-1),
            _ => {
                let rising = (s + (index - 3.0).into()) * (s + (index - 2.0).into());
                factor * rising / (end * end) / Dd::from(index * (index - 1.0))
            }
        };
        sum = sum + factor * Dd::from(above) / Dd::from(below);
    }
    sum
}

fn polygamma(n: u32, x: f64) -> Value {
    let factorial = (1..=n).fold(Dd::from(1.0), |f, k| f * f64::from(k).into());
    let scaled = |sum: Dd| if sum.hi.is_infinite() { sum } else { sum * factorial };
    let order = f64::from(n + 1);
    if x <= 0.0 && x == x.round() {
        return Value::real(if n.is_multiple_of(2) { f64::NEG_INFINITY } else { f64::INFINITY });
    }
    if x < 0.0 {
        // By reflection. What is infinite there is so near to 0 that the first term of the series at 0 is.
        let (sum, other) = (scaled(zeta(order, Dd::from(1.0) - x.into())), cotangent_derivative(n, x));
        if !other.hi.is_finite() {
            return Value::real(f64::INFINITY);
        }
        let mass = (sum.hi.abs() + other.hi.abs()) * (1.0 + order);
        return Value::sum(-other - sum, Dd::from(0.0), mass, 1);
    }
    let size = scaled(zeta(order, x.into()));
    weighted(if n.is_multiple_of(2) { -size } else { size }, order)
}

/// The `n`th derivative of `pi cot(pi x)`, by the recurrence of polynomials of the cotangent `c`: each is `-(1 + c^2)` times the
/// derivative of the one before.
fn cotangent_derivative(n: u32, x: f64) -> Dd {
    // The cosine as the sine of what is left to a right angle: at it the cotangent is 0, whose factors are great.
    let rest = x - x.round();
    let sine = |turns: f64| (Dd::from(turns) * super::dd::PI).sin_cos().0;
    let size = sine(0.5 - rest.abs()) / sine(rest.abs());
    let cotangent = if rest < 0.0 { -size } else { size };
    let mut polynomial = vec![Dd::from(0.0), Dd::from(1.0)];
    for _ in 0..n {
        let mut next = vec![Dd::from(0.0); polynomial.len() + 1];
        for (k, &coefficient) in polynomial.iter().enumerate().skip(1) {
            let derivative = coefficient * Dd::from(k as f64);
            next[k - 1] = next[k - 1] - derivative;
            next[k + 1] = next[k + 1] - derivative;
        }
        polynomial = next;
    }
    let value =
        polynomial.iter().rev().fold(Dd::from(0.0), |sum, &coefficient| sum * cotangent + coefficient);
    (0..=n).fold(value, |value, _| value * super::dd::PI)
}

/// The first elements of a window of Kaiser, and what the error of each is relative to.
fn kaiser(size: usize, steps: usize, beta: f64) -> Vec<Dd> {
    let of = |n: usize| {
        if steps == 0 {
            return Dd::from(1.0);
        }
        let root = Dd::from((n * (steps - n)) as f64).sqrt().scale(1) / Dd::from(steps as f64);
        let angle = root * Dd::from(beta);
        series(angle) / series(Dd::from(beta))
    };
    (0..size).map(of).collect()
}

fn series(x: Dd) -> Dd {
    let quarter = (x * x).scale(-2);
    let (mut term, mut sum) = (Dd::from(1.0), Dd::from(1.0));
    for k in 1..400 {
        term = term * quarter / Dd::from(f64::from(k) * f64::from(k));
        sum = sum + term;
    }
    sum
}

fn window(call: &Call<'_>) -> Option<Truth> {
    let (size, beta) = (call.int("window_length")? as usize, call.number("beta").unwrap_or(12.0));
    let periodic = call.set("periodic").unwrap_or(true) && size > 1;
    let steps = if periodic { size } else { size.max(1) - 1 };
    let data = kaiser(size, steps, beta).into_iter().map(|x| weighted(x, beta)).collect();
    Some(Truth { dtype: call.output(0), shape: vec![size], data })
}

fn derived(call: &Call<'_>) -> Option<Truth> {
    let (size, beta) = (call.int("window_length")? as usize, call.number("beta").unwrap_or(12.0));
    let half = size / 2;
    let all = kaiser(half + 1, half, beta);
    let sum = |n: usize| all[..n].iter().fold(Dd::from(0.0), |s, &x| s + x);
    let of = |n: usize| weighted((sum(n.min(size - 1 - n) + 1) / sum(half + 1)).sqrt(), beta);
    Some(Truth { dtype: call.output(0), shape: vec![size], data: (0..size).map(of).collect() })
}
