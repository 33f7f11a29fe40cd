//! Bessel functions of the orders 0 and 1, and Ai: series near zero, and of the asymptotic forms beyond (DLMF 10.17, 10.40,
//! 9.7). All is computed in float64. Errors are of the order of 1e-15 of the function, or of its amplitude where it oscillates.

use super::series;
use ivy_core::functional as f;
use ivy_core::{Array, Result};
use std::f64::consts::{FRAC_1_PI, FRAC_1_SQRT_2, FRAC_2_PI, FRAC_PI_4, PI};

/// 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Zero,
    One,
}

/// The sum of `coefficients[k] T_k(t)` for `t` in [-1, 1], by Clenshaw's recurrence.
fn chebyshev(t: &Array, coefficients: &[f64]) -> Result<Array> {
    let Some((first, rest)) = coefficients.split_first() else { return f::multiply(t, 0.0) };
    let twice = f::multiply(t, 2.0)?;
    let mut last = f::multiply(t, 0.0)?;
    let mut before = last.clone();
    for &c in rest.iter().rev() {
        let next = f::add(f::subtract(f::multiply(&twice, &last)?, &before)?, c)?;
        before = std::mem::replace(&mut last, next);
    }
    f::add(f::subtract(f::multiply(t, &last)?, &before)?, *first)
}

/// The series of a variable that is between 0 and `most`.
fn series_of(x: &Array, most: f64, coefficients: &[f64]) -> Result<Array> {
    chebyshev(&f::subtract(f::multiply(x, 2.0 / most)?, 1.0)?, coefficients)
}

/// `where(x == at, value, otherwise)`.
fn at(x: &Array, at: f64, value: f64, otherwise: Array) -> Result<Array> {
    f::where_(f::equal(x, at)?, value, otherwise)
}

/// `sqrt(2 / (pi x))` times `P`, `Q`, and the cosine and sine of the phase, for `x` of 8 and more (DLMF 10.17.3): J is
/// `P cos - Q sin`, Y `P sin + Q cos`.
fn oscillation(order: Order, x: &Array) -> Result<[Array; 4]> {
    let near = f::divide(8.0, x)?;
    let square = f::multiply(&near, &near)?;
    let (p, q) = match order {
        Order::Zero => (&series::P0_FAR[..], &series::Q0_FAR[..]),
        Order::One => (&series::P1_FAR[..], &series::Q1_FAR[..]),
    };
    let amplitude = f::sqrt(f::divide(FRAC_2_PI, x)?)?;
    let p = f::multiply(&amplitude, series_of(&square, 1.0, p)?)?;
    let q = f::multiply(&amplitude, f::multiply(&near, series_of(&square, 1.0, q)?)?)?;
    // Of x - pi/4, or of x - 3 pi/4: no digits are lost for large x.
    let (c, s) = (f::multiply(f::cos(x)?, FRAC_1_SQRT_2)?, f::multiply(f::sin(x)?, FRAC_1_SQRT_2)?);
    let (sum, difference) = (f::add(&c, &s)?, f::subtract(&s, &c)?);
    Ok(match order {
        Order::Zero => [p, q, sum, difference],
        Order::One => [p, q, difference, f::negative(&sum)?],
    })
}

/// `J(x)` for `x` in [-8, 8].
fn j_near(order: Order, x: &Array) -> Result<Array> {
    let square = f::multiply(x, x)?;
    match order {
        Order::Zero => series_of(&square, 64.0, &series::J0_NEAR),
        Order::One => f::multiply(x, series_of(&square, 64.0, &series::J1_NEAR)?),
    }
}

/// The Bessel function of the first kind.
pub(super) fn j(order: Order, x: &Array) -> Result<Array> {
    let size = f::abs(x)?;
    let [p, q, c, s] = oscillation(order, &f::maximum(&size, 8.0)?)?;
    let mut far = f::subtract(f::multiply(&p, &c)?, f::multiply(&q, &s)?)?;
    if order == Order::One {
        far = f::multiply(far, f::sign(x)?)?;
    }
    let near = j_near(order, &f::minimum(f::maximum(x, -8.0)?, 8.0)?)?;
    at(&size, f64::INFINITY, 0.0, f::where_(f::greater(&size, 8.0)?, far, near)?)
}

/// The Bessel function of the second kind, of positive numbers; -inf of 0.
pub(super) fn y(order: Order, x: &Array) -> Result<Array> {
    let [p, q, c, s] = oscillation(order, &f::maximum(x, 8.0)?)?;
    let far = f::add(f::multiply(&p, &s)?, f::multiply(&q, &c)?)?;
    let near = f::minimum(x, 8.0)?;
    let square = f::multiply(&near, &near)?;
    let product = f::multiply(f::log(&near)?, j_near(order, &near)?)?;
    let near = match order {
        Order::Zero => f::add(f::multiply(product, FRAC_2_PI)?, series_of(&square, 64.0, &series::Y0_NEAR)?)?,
        Order::One => {
            let singular = f::multiply(f::subtract(product, f::divide(1.0, &near)?)?, FRAC_2_PI)?;
            f::add(singular, f::multiply(&near, series_of(&square, 64.0, &series::Y1_NEAR)?)?)?
        }
    };
    let found = at(x, 0.0, f64::NEG_INFINITY, f::where_(f::greater(x, 8.0)?, far, near)?)?;
    at(x, f64::INFINITY, 0.0, found)
}

/// `exp(-|x|) I(x)` for `x` in [-8, 8].
fn scaled_i_near(order: Order, x: &Array) -> Result<Array> {
    let size = f::abs(x)?;
    match order {
        Order::Zero => series_of(&size, 8.0, &series::I0_NEAR),
        Order::One => f::multiply(x, series_of(&size, 8.0, &series::I1_NEAR)?),
    }
}

/// `exp(-|x|)` times the modified Bessel function of the first kind.
pub(super) fn scaled_i(order: Order, x: &Array) -> Result<Array> {
    let size = f::abs(x)?;
    let far = f::maximum(&size, 8.0)?;
    let (root, reciprocal) = (f::sqrt(&far)?, f::divide(8.0, &far)?);
    let far = match order {
        Order::Zero => f::divide(series_of(&reciprocal, 1.0, &series::I0_FAR)?, root)?,
        Order::One => {
            let magnitude = f::divide(series_of(&reciprocal, 1.0, &series::I1_FAR)?, root)?;
            f::multiply(magnitude, f::sign(x)?)?
        }
    };
    let near = scaled_i_near(order, &f::minimum(f::maximum(x, -8.0)?, 8.0)?)?;
    f::where_(f::greater(&size, 8.0)?, far, near)
}

/// The modified Bessel function of the first kind.
pub(super) fn i(order: Order, x: &Array) -> Result<Array> {
    // exp(x) overflows before the function does.
    let half = f::exp(f::divide(f::abs(x)?, 2.0)?)?;
    let found = f::multiply(f::multiply(scaled_i(order, x)?, &half)?, &half)?;
    f::where_(f::isinf(x)?, if order == Order::Zero { f::abs(x)? } else { x.clone() }, found)
}

/// The modified Bessel function of the second kind, of positive numbers, times `exp(x)` if scaled; inf of 0.
pub(super) fn k(order: Order, scaled: bool, x: &Array) -> Result<Array> {
    let far = f::maximum(x, 2.0)?;
    let (root, reciprocal) = (f::sqrt(&far)?, f::divide(2.0, &far)?);
    let (table, near_table) = match order {
        Order::Zero => (&series::K0_FAR[..], &series::K0_NEAR[..]),
        Order::One => (&series::K1_FAR[..], &series::K1_NEAR[..]),
    };
    let mut far_value = f::divide(series_of(&reciprocal, 1.0, table)?, root)?;
    let near = f::minimum(x, 2.0)?;
    let regular = series_of(&f::multiply(&near, &near)?, 4.0, near_table)?;
    let growth = f::exp(&near)?;
    let i = f::multiply(scaled_i_near(order, &near)?, &growth)?;
    let product = f::multiply(f::log(f::divide(&near, 2.0)?)?, i)?;
    let mut near_value = match order {
        Order::Zero => f::subtract(regular, product)?,
        Order::One => f::add(f::divide(regular, &near)?, product)?,
    };
    if scaled {
        near_value = f::multiply(near_value, growth)?;
    } else {
        far_value = f::multiply(far_value, f::exp(f::negative(&far)?)?)?;
    }
    at(x, 0.0, f64::INFINITY, f::where_(f::greater(x, 2.0)?, far_value, near_value)?)
}

/// `2/3 x^(3/2)`.
fn zeta(x: &Array) -> Result<Array> {
    f::multiply(f::multiply(x, f::sqrt(x)?)?, 2.0 / 3.0)
}

/// The Airy function Ai.
pub(super) fn airy(x: &Array) -> Result<Array> {
    const LEFT: f64 = 7.0;
    const RIGHT: f64 = 3.0;
    let least = |x: f64| 2.0 / 3.0 * x * x.sqrt();
    let left = series_of(&f::add(f::minimum(f::maximum(x, -LEFT)?, 0.0)?, LEFT)?, LEFT, &series::AIRY_LEFT)?;
    let right = series_of(&f::minimum(f::maximum(x, 0.0)?, RIGHT)?, RIGHT, &series::AIRY_RIGHT)?;
    let amplitude = |x: &Array| f::divide(FRAC_1_PI.sqrt(), f::sqrt(f::sqrt(x)?)?);
    let far = f::maximum(x, RIGHT)?;
    let z = zeta(&far)?;
    let decaying = series_of(&f::divide(1.0, &z)?, 1.0 / least(RIGHT), &series::AIRY_DECAYING)?;
    let decay = f::multiply(amplitude(&far)?, f::divide(f::exp(f::negative(&z)?)?, 2.0)?)?;
    let decaying = f::multiply(decaying, decay)?;
    let far = f::maximum(f::negative(x)?, LEFT)?;
    let z = zeta(&far)?;
    let w = f::divide(1.0, f::multiply(&z, &z)?)?;
    let most = 1.0 / (least(LEFT) * least(LEFT));
    let phase = f::subtract(&z, FRAC_PI_4)?;
    let r = f::multiply(series_of(&w, most, &series::AIRY_R)?, f::cos(&phase)?)?;
    let s = f::multiply(f::divide(series_of(&w, most, &series::AIRY_S)?, &z)?, f::sin(&phase)?)?;
    let oscillating = f::multiply(amplitude(&far)?, f::add(r, s)?)?;
    let positive = f::where_(f::greater(x, RIGHT)?, decaying, right)?;
    let negative = f::where_(f::less(x, -LEFT)?, oscillating, left)?;
    at(x, f64::NEG_INFINITY, 0.0, f::where_(f::greater_equal(x, 0.0)?, positive, negative)?)
}

/// `sin(x) / x`, the spherical Bessel function of order 0.
pub(super) fn spherical_j0(x: &Array) -> Result<Array> {
    let found = f::sinc(f::divide(x, PI)?)?;
    f::where_(f::isinf(x)?, 0.0, found)
}
