//! Hyperbolic functions, and the circular ones through them.

use super::super::expr::Value;
use super::super::{exponential, hyperbolic, trigonometric};
use super::exponential::{exp_times, largest};
use super::{Point, is_finite, is_infinite, point, with_sign};

/// The functions of both parts: `sinh x` and `cosh x`, `sin y` and `cos y`.
struct Functions<'f, 'b> {
    sinh: Value<'f, 'b>,
    cosh: Value<'f, 'b>,
    sin: Value<'f, 'b>,
    cos: Value<'f, 'b>,
}

fn functions<'f, 'b>(z: Point<'f, 'b>) -> Functions<'f, 'b> {
    Functions {
        sinh: hyperbolic::sinh(z.re),
        cosh: hyperbolic::cosh(z.re),
        sin: trigonometric::sin(z.im),
        cos: trigonometric::cos(z.im),
    }
}

fn is_ordinary<'f, 'b>(z: Point<'f, 'b>, most: f64) -> Value<'f, 'b> {
    z.re.abs().lt(most).and(is_finite(z.im))
}

pub(super) fn sinh<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    let Point { re: x, im: y } = z;
    let f = functions(z);
    let usual = point(f.sinh * f.cos, f.cosh * f.sin);
    usual.rarely(is_ordinary(z, largest(x)).not(), || {
        let e = exp_times(x.abs(), y, 0.5);
        let value = usual.unless(x.abs().lt(largest(x)).not(), point(e.re.flip(x.sign()), e.im));
        // Where there is no angle, 0 and infinity stay.
        let stays = is_finite(y).not().and(x.eq(0.0).or(is_infinite(x)));
        point(value.re.unless(stays, x), value.im.unless(y.eq(0.0), y))
    })
}

pub(super) fn cosh<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    let Point { re: x, im: y } = z;
    let f = functions(z);
    let usual = point(f.cosh * f.cos, f.sinh * f.sin);
    usual.rarely(is_ordinary(z, largest(x)).not(), || {
        let e = exp_times(x.abs(), y, 0.5);
        let value = usual.unless(x.abs().lt(largest(x)).not(), point(e.re, e.im.flip(x.sign())));
        let no_angle = is_finite(y).not();
        let re = value.re.unless(no_angle.and(is_infinite(x)), f64::INFINITY);
        let zero = with_sign(x.number(0.0), x).flip(with_sign(x.number(0.0), y).sign());
        point(re, value.im.unless(y.eq(0.0).or(x.eq(0.0)), zero))
    })
}

pub(super) fn tanh<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    let Point { re: x, im: y } = z;
    // Beyond this, exp(-|x|) is nothing beside exp(|x|).
    const LARGE: f64 = 22.0;
    let f = functions(z);
    // Both squares are positive: nothing cancels, also near the poles.
    let size = f.sinh.fma(f.sinh, f.cos * f.cos);
    let usual = point(f.sinh * f.cosh / size, f.sin * f.cos / size);
    usual.rarely(is_ordinary(z, LARGE).not(), || {
        let one = x.number(1.0).flip(x.sign());
        let e = exponential::exp(-x.abs());
        let far = point(one, f.sin * f.cos * 4.0 * e * e);
        let value = usual.unless(x.number(LARGE).le(x.abs()), far);
        let [zero, nan] = [0.0, f64::NAN].map(|v| x.number(v));
        let no_angle = is_finite(y).not();
        let value = value.unless(no_angle, point(nan.unless(x.eq(0.0), x), nan));
        let value = value.unless(is_infinite(x), point(one, with_sign(zero, y)));
        point(value.re, value.im.unless(y.eq(0.0), y))
    })
}

pub(super) fn sin<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    sinh(z.turned()).turned()
}

pub(super) fn cos<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    let conjugate = cosh(z.turned());
    point(conjugate.re, -conjugate.im)
}

pub(super) fn tan<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    tanh(z.turned()).turned()
}
