//! Real spherical harmonics.

use crate::array::{AnyArray, IntoArg};
use crate::ops::array;
use crate::types::{Kind, Size};
use crate::{Error, Result};
use std::f64::consts::PI;

/// `sqrt((2 l + 1) / (4 pi) * (l - m)! / (l + m)!)`, and `sqrt(2)` times that for what has an order.
fn normalization(l: usize, m: usize) -> f64 {
    let falling: f64 = ((l - m + 1)..=(l + m)).map(|k| k as f64).product();
    let own = ((2 * l + 1) as f64 / (4.0 * PI) / falling).sqrt();
    if m == 0 { own } else { own * std::f64::consts::SQRT_2 }
}

/// The real spherical harmonics up to an order, of unit vectors: `(order + 1)^2` arrays, the degree `l` from 0, and in each the orders from
/// `-l` to `l`, with the sign of Condon and Shortley.
///
/// By the recurrences of the associated Legendre functions over `z`, of which the factor `sin^m` is taken out, and of the cosines and sines
/// of the multiple angle, times that factor.
///
/// # Errors
/// [`Error::WrongType`] for what is no array of three floats; [`Error::InvalidArgument`] for an order above 9.
pub fn sh_eval(d: impl IntoArg, order: usize) -> Result<Vec<AnyArray>> {
    let d = array("sh_eval", d.into_arg())?;
    if d.ty().kind() != Kind::Array || d.ty().sizes() != [Size::Fixed(3)] || !d.ty().is_float_v() {
        let (function, argument, expected) = ("sh_eval", "the directions", "an array of three floats".into());
        return Err(Error::WrongType { function, argument, expected, actual: d.ty() });
    }
    if order > 9 {
        let (function, argument, rule) = ("sh_eval", "order", "9 at most");
        return Err(Error::InvalidArgument { function, argument, value: order.to_string(), rule });
    }
    let [x, y, z] = [&d.entries()[0], &d.entries()[1], &d.entries()[2]];
    let (zero, one) = (d.ty().leaf().make(0)?, d.ty().leaf().make(1)?);
    let mut results = vec![zero.clone(); (order + 1) * (order + 1)];
    let (mut cos, mut sin) = (one.clone(), zero.clone());
    let mut diagonal = 1.0;
    for m in 0..=order {
        // The function of degree m and of degree m + 1, from which the rest follows.
        let (mut before, mut own) = (zero.clone(), (&one * diagonal).ok()?);
        for l in m..=order {
            if l > m {
                let next =
                    ((z * (2 * l - 1) as f64 * &own - &before * (l + m - 1) as f64) / (l - m) as f64).ok()?;
                before = std::mem::replace(&mut own, next);
            }
            let scaled = (&own * normalization(l, m)).ok()?;
            let middle = l * l + l;
            results[middle + m] = (&scaled * &cos).ok()?;
            if m > 0 {
                results[middle - m] = (&scaled * &sin).ok()?;
            }
        }
        (cos, sin) = ((x * &cos - y * &sin).ok()?, (x * &sin + y * &cos).ok()?);
        diagonal *= -((2 * m + 1) as f64);
    }
    Ok(results)
}
