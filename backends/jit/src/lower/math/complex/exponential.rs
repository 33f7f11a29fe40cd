//! Exponentials, logarithms and the square root.

use super::super::coefficients::LN_2;
use super::super::expr::{Pair, Value, product};
use super::super::logarithm::{ln_one_plus, split};
use super::super::{exponential, inverse, power, trigonometric};
use super::{Point, is_finite, is_infinite, point, with_sign};

/// Up to here the exponential is a number, and so is twice it.
pub(super) fn largest<'f, 'b>(x: Value<'f, 'b>) -> f64 {
    x.by(88.0, 709.0)
}

/// `factor exp(x) (cos y, sin y)` for an `x` above 0, without overflow between. Three steps are more
/// than the smallest sine makes up for.
pub(super) fn exp_times<'f, 'b>(x: Value<'f, 'b>, y: Value<'f, 'b>, factor: f64) -> Point<'f, 'b> {
    let step = largest(x);
    let large = x.number(step.exp());
    let first = (x - step).at_most(step);
    let second = (x - step - first).at_most(step);
    let (first, second) = (exponential::exp(first) * factor, exponential::exp(second));
    point(first * trigonometric::cos(y), first * trigonometric::sin(y)).scaled(second).scaled(large)
}

pub(super) fn exp<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    let Point { re: x, im: y } = z;
    let size = exponential::exp(x);
    let usual = point(size * trigonometric::cos(y), size * trigonometric::sin(y));
    let ordinary = x.lt(largest(x)).and(is_finite(y));
    usual.rarely(ordinary.not(), || {
        let large = exp_times(x, y, 1.0);
        let value = usual.unless(x.lt(largest(x)).not(), large);
        let no_angle = is_finite(y).not();
        let [zero, nan] = [0.0, f64::NAN].map(|v| x.number(v));
        let value = value.unless(no_angle.and(x.eq(f64::INFINITY)), point(x, nan));
        let value = value.unless(no_angle.and(x.eq(f64::NEG_INFINITY)), point(zero, with_sign(zero, y)));
        point(value.re, value.im.unless(y.eq(0.0), y))
    })
}

pub(super) fn expm1<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    let Point { re: x, im: y } = z;
    // exp(x) cos y - 1 = (exp(x) - 1) cos y - 2 sin(y / 2)^2
    let half = trigonometric::sin(y * 0.5);
    let re = (half * -2.0).fma(half, exponential::expm1(x) * trigonometric::cos(y));
    let im = exponential::exp(x) * trigonometric::sin(y);
    // Unlike that of reals, this zero has no sign of its own.
    let usual = point(re.unless(z.is_zero(), 0.0), im);
    let ordinary = x.abs().lt(40.0).and(is_finite(y));
    usual.rarely(ordinary.not(), || {
        let e = exp(z);
        point(e.re - 1.0, e.im)
    })
}

/// What is not far from 1, so that neither its square nor its inverse's leaves the range.
fn is_moderate<'f, 'b>(size: Value<'f, 'b>) -> Value<'f, 'b> {
    let far = size.by(2f64.powi(60), 2f64.powi(400));
    size.lt(far).and(size.number(1.0 / far).lt(size))
}

/// A power of two that brings a size that is not moderate nearer to 1, and its logarithm.
fn nearer<'f, 'b>(size: Value<'f, 'b>) -> (Value<'f, 'b>, Value<'f, 'b>) {
    let step = size.by(100, 700);
    let small = size.lt(1.0);
    let factor = small.choose(size.number(2f64.powi(step)), 2f64.powi(-step));
    (factor, small.choose(size.number(f64::from(step)), f64::from(-step)))
}

/// `|z|^2 = 2^k (1 + y)` of a moderate size, where `1 + y` is about 1/2 to 4: `y` and `k`.
fn square<'f, 'b>(z: Point<'f, 'b>) -> (Pair<'f, 'b>, Value<'f, 'b>) {
    let (high, low) = z.sizes();
    let exponent = split(high).k;
    let back = (-exponent).power_of_two();
    let (high, low) = (high * back, low * back);
    // Near the unit circle nothing is lost.
    let (p, q) = (product(high - 1.0, high + 1.0), product(low, low));
    let total = super::super::expr::sum(p.high, q.high);
    let k = exponent.convert(high.ty());
    (total.plus(p.low + q.low), k + k)
}

fn log_abs<'f, 'b>(z: Point<'f, 'b>) -> Value<'f, 'b> {
    let (size, other) = z.sizes();
    let (y, k) = square(z);
    let usual = ln_one_plus(y, Some(k)) * 0.5;
    usual.rarely(is_moderate(size).not(), || {
        let (factor, exponent) = nearer(size);
        let (y, k) = square(z.scaled(factor));
        let value = ln_one_plus(y, Some(k - (exponent + exponent))) * 0.5;
        let value = value.unless(size.eq(0.0), f64::NEG_INFINITY);
        let value = value.unless(size.is_nan().or(other.is_nan()), f64::NAN);
        value.unless(is_infinite(size).or(is_infinite(other)), f64::INFINITY)
    })
}

pub(super) fn log<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    point(log_abs(z), inverse::atan2(z.im, z.re))
}

pub(super) fn log2<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    let Point { re, im } = log(z);
    let ln_2 = re.parts(&LN_2)[0];
    point(re / ln_2, im / ln_2)
}

pub(super) fn log10<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    let Point { re, im } = log(z);
    point(re / std::f64::consts::LN_10, im / std::f64::consts::LN_10)
}

pub(super) fn log1p<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    let Point { re: x, im: y } = z;
    let beside = point(x + 1.0, y);
    let near = x.abs().lt(0.5).and(y.abs().lt(0.5));
    let small = ln_one_plus(Pair { high: x.fma(x + 2.0, y * y), low: x.number(0.0) }, None) * 0.5;
    let re = log_abs(beside).unless(near, small);
    // As for reals, a zero keeps its sign.
    point(re, inverse::atan2(y, beside.re)).unless(z.is_zero(), z)
}

pub(super) fn sqrt<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    let Point { re: x, im: y } = z;
    let root = |z: Point<'f, 'b>| {
        let (a, b) = (z.re.abs(), z.im.abs());
        let root = ((a + power::hypot(a, b)) * 0.5).sqrt();
        point(root, b / (root + root))
    };
    let turned = |p: Point<'f, 'b>| {
        let back = x.lt(0.0);
        point(back.choose(p.im, p.re), with_sign(back.choose(p.re, p.im), y))
    };
    let (size, _) = z.sizes();
    turned(root(z)).rarely(is_moderate(size).and(z.is_finite()).not(), || {
        let (factor, exponent) = nearer(size);
        let back = (exponent * -0.5).convert(x.int().ty()).power_of_two();
        let moderate = is_moderate(size);
        let near = root(z.scaled(factor)).scaled(back);
        let value = turned(near.unless(moderate, root(z)));
        let [zero, infinity, nan] = [0.0, f64::INFINITY, f64::NAN].map(|v| x.number(v));
        let value = value.unless(z.is_zero(), point(zero, y));
        // Of infinite and undefined parts.
        let value = value.unless(y.is_nan().or(x.is_nan()), point(nan, nan));
        let other = y.is_nan().choose(nan, zero);
        let value = value.unless(x.eq(f64::INFINITY), point(x, with_sign(other, y)));
        let value = value.unless(x.eq(f64::NEG_INFINITY), point(other, with_sign(infinity, y)));
        value.unless(is_infinite(y), point(infinity, y))
    })
}
