//! Derivatives that no op gives.

use crate::transform::ops::{add, full, mul, scalar_with, scale, select, sub, unary, with_scalar};
use crate::{Array, BinaryOp, Result, Shape, UnaryOp};
use std::f64::consts::PI;

/// The asymptotic series of the trigamma function in `1 / x`: the Bernoulli numbers B2 to B14 (Abramowitz and
/// Stegun, 6.4.12).
const BERNOULLI: [f64; 7] =
    [1.0 / 6.0, -1.0 / 30.0, 1.0 / 42.0, -1.0 / 30.0, 5.0 / 66.0, -691.0 / 2730.0, 7.0 / 6.0];

/// How often the recurrence is applied before the series: from 1 on its terms left out are below 1e-16.
const STEPS: usize = 10;

/// The derivative of digamma: by its recurrence and its series above 1/2, by its reflection below.
pub(super) fn trigamma(x: &Array) -> Result<Array> {
    let low = with_scalar(BinaryOp::Less, x, 0.5)?;
    let mirrored = scalar_with(1.0, BinaryOp::Subtract, x)?;
    let above = right_of_half(&select(&low, &mirrored, x)?)?;
    // trigamma(x) + trigamma(1 - x) = (pi / sin(pi x))^2, the sine of the distance to the nearest integer.
    // Above, where it has no part, it is none of 0, whose slope there would be no number.
    let rest = sub(x, &unary(UnaryOp::Round, x)?)?;
    let rest = select(&low, &rest, &full(x, x.dtype(), Shape::default(), 0.25)?)?;
    let sine = unary(UnaryOp::Sin, &scale(&rest, PI)?)?;
    let poles = unary(UnaryOp::Square, &scalar_with(PI, BinaryOp::Divide, &sine)?)?;
    select(&low, &sub(&poles, &above)?, &above)
}

fn right_of_half(x: &Array) -> Result<Array> {
    let mut sum: Option<Array> = None;
    for k in 0..STEPS {
        let term =
            unary(UnaryOp::Reciprocal, &unary(UnaryOp::Square, &with_scalar(BinaryOp::Add, x, k as f64)?)?)?;
        sum = Some(match sum {
            Some(sum) => add(&sum, &term)?,
            None => term,
        });
    }
    let inverse = unary(UnaryOp::Reciprocal, &with_scalar(BinaryOp::Add, x, STEPS as f64)?)?;
    let square = unary(UnaryOp::Square, &inverse)?;
    // 1/x + 1/(2 x^2) + sum of B_2k / x^(2k + 1), by Horner's rule.
    let mut series = scale(&square, BERNOULLI[BERNOULLI.len() - 1])?;
    for &number in BERNOULLI[..BERNOULLI.len() - 1].iter().rev() {
        series = mul(&with_scalar(BinaryOp::Add, &series, number)?, &square)?;
    }
    let head = with_scalar(BinaryOp::Add, &add(&series, &scale(&inverse, 0.5)?)?, 1.0)?;
    let tail = mul(&head, &inverse)?;
    match sum {
        Some(sum) => add(&sum, &tail),
        None => Ok(tail),
    }
}
