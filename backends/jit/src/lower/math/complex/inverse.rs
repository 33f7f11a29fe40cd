//! Inverse circular and hyperbolic functions. All come from two functions on the quadrant of
//! non-negative parts, by symmetry; the formulas (Kahan's) add only numbers of one sign.

use super::super::expr::Value;
use super::super::{hyperbolic, inverse, logarithm, power};
use super::exponential::{log, sqrt};
use super::{Point, is_infinite, point, with_sign};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, LN_2, PI};

/// Beyond this, 1 is nothing beside the square of the size.
const LARGE: f64 = 1e17;

/// Inverse sine of `a + bi`, and the real part of the inverse cosine; `a, b >= 0`, finite.
fn arcs<'f, 'b>(z: Point<'f, 'b>) -> (Point<'f, 'b>, Value<'f, 'b>) {
    let Point { re: a, im: b } = z;
    let (minus, plus) = (sqrt(point(-a + 1.0, -b)), sqrt(point(a + 1.0, b)));
    let real = inverse::atan2(a, minus.re * plus.re - minus.im * plus.im);
    let imaginary = hyperbolic::asinh(minus.re * plus.im - minus.im * plus.re);
    let usual = point(real, imaginary);
    let acos = inverse::atan2(minus.re, plus.re) * 2.0;
    let (size, _) = z.sizes();
    let far = size.number(LARGE).lt(size);
    let value = usual.rarely(far, || point(inverse::atan2(a, b), log(z).re + LN_2));
    (value, acos.rarely(far, || inverse::atan2(b, a)))
}

pub(super) fn asinh<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    let Point { re: x, im: y } = z;
    let (asin, _) = arcs(point(y.abs(), x.abs()));
    let usual = point(with_sign(asin.im, x), with_sign(asin.re, y));
    usual.rarely(z.is_finite().not(), || {
        let [nan, infinity, quarter, half] =
            [f64::NAN, f64::INFINITY, FRAC_PI_4, FRAC_PI_2].map(|v| x.number(v));
        let value = point(nan, nan.unless(y.eq(0.0), y));
        let angle = half.unless(x.is_nan(), nan);
        let value = value.unless(is_infinite(y), point(with_sign(infinity, x), with_sign(angle, y)));
        let angle = is_infinite(y).choose(quarter, 0.0).unless(y.is_nan(), nan);
        value.unless(is_infinite(x), point(x, with_sign(angle, y)))
    })
}

pub(super) fn acos<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    let Point { re: x, im: y } = z;
    let (asin, acos) = arcs(point(x.abs(), y.abs()));
    let real = acos.unless(x.lt(0.0), -acos + PI);
    let usual = point(real, -with_sign(asin.im, y));
    usual.rarely(z.is_finite().not(), || {
        let [nan, infinity, zero, right] = [f64::NAN, f64::INFINITY, 0.0, FRAC_PI_2].map(|v| x.number(v));
        let value = point(nan.unless(x.eq(0.0), right), nan);
        let value = value.unless(is_infinite(y), point(right.unless(x.is_nan(), nan), -y));
        let both = is_infinite(y);
        let ahead = both.choose(x.number(FRAC_PI_4), zero);
        let behind = both.choose(x.number(3.0 * FRAC_PI_4), PI);
        let real = x.lt(0.0).choose(behind, ahead);
        let along = point(real, -with_sign(infinity, y)).unless(y.is_nan(), point(y, x));
        value.unless(is_infinite(x), along)
    })
}

pub(super) fn acosh<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    let angle = acos(z);
    point(angle.im.abs(), with_sign(angle.re, z.im)).unless(z.re.is_nan().and(z.im.is_nan()), angle)
}

pub(super) fn atanh<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    let Point { re: x, im: y } = z;
    let (a, b) = (x.abs(), y.abs());
    let (below, above) = (-a + 1.0, a + 1.0);
    let real = logarithm::log1p(a * 4.0 / (below * below + b * b)) * 0.25;
    let usual = point(real, inverse::atan2(b * 2.0, below * above - b * b) * 0.5);
    let (size, _) = z.sizes();
    let ordinary = size.le(LARGE).and(a.ne(1.0)).and(z.is_finite());
    let signed = |p: Point<'f, 'b>| point(with_sign(p.re, x), with_sign(p.im, y));
    signed(usual).rarely(ordinary.not(), || {
        let [nan, infinity, zero, right] = [f64::NAN, f64::INFINITY, 0.0, FRAC_PI_2].map(|v| x.number(v));
        let value = usual.unless(a.eq(1.0), one_beside(b));
        let value = value.unless(a.eq(1.0).and(b.eq(0.0)), point(infinity, zero));
        let (near_a, near_b) = (a * 0.5, b * 0.5);
        let length = power::hypot(near_a, near_b);
        let far = point(near_a / length / length * 0.5, right);
        let value = value.unless(size.number(LARGE).lt(size), far);
        let value = value.unless(x.is_nan().or(y.is_nan()), point(nan.unless(x.eq(0.0), zero), nan));
        let infinite = is_infinite(x).or(is_infinite(y));
        signed(value.unless(infinite, point(zero, right.unless(y.is_nan(), nan))))
    })
}

/// Inverse hyperbolic tangent of `1 + bi`, whose squares may vanish.
fn one_beside<'f, 'b>(b: Value<'f, 'b>) -> Point<'f, 'b> {
    let tiny = b.lt(1e-100);
    let small = (logarithm::log(b) - LN_2) * -0.5;
    let real = logarithm::log1p(b.number(4.0) / (b * b)) * 0.25;
    point(real.unless(tiny, small), inverse::atan2(b.number(2.0), -b) * 0.5)
}

pub(super) fn asin<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    asinh(z.turned()).turned()
}

pub(super) fn atan<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    atanh(z.turned()).turned()
}
