//! What compares a function with a second formula of it, made of arithmetic that has no kink where it is asked.

use super::host;
use ivy::prelude::*;
use ivy::{Result, s};

pub(super) type Function<'a> = &'a dyn Fn(&Array) -> Result<Array>;

/// The results weighted by 1, 2, 3, ... and summed, so that no two of them can be exchanged.
fn weighted(f: Function<'_>, x: &Array) -> Result<Array> {
    let y = f(x)?;
    let y = ivy::reshape(&y, -1, ())?;
    let weights = ivy::add(ivy::arange(y.size() as i64, Dtype::FLOAT64)?, 1.0)?;
    ivy::sum(ivy::multiply(y, weights)?, ())
}

/// Value, gradient by both modes, and Hessian, reverse over reverse and forward over reverse.
fn measured(f: Function<'_>, x: &Array) -> [(&'static str, Vec<f64>); 5] {
    let whole = |x: &Array| weighted(f, x);
    let gradient = ivy::grad(whole);
    [
        ("value", host(whole(x).unwrap())),
        ("gradient", host(gradient(x).unwrap())),
        ("tangents", host(ivy::jacfwd(whole)(x).unwrap())),
        ("Hessian", host(ivy::jacrev(&gradient)(x).unwrap())),
        ("forward Hessian", host(ivy::jacfwd(&gradient)(x).unwrap())),
    ]
}

/// Checks that two formulas have the same value and the same first and second derivatives at a point.
#[track_caller]
pub(super) fn same(name: &str, f: Function<'_>, by_arithmetic: Function<'_>, x: &Array) {
    for ((what, found), (_, wanted)) in measured(f, x).into_iter().zip(measured(by_arithmetic, x)) {
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * (1.0 + b.abs());
        assert!(
            found.len() == wanted.len() && found.iter().zip(&wanted).all(near),
            "{name}: the {what} at {x} is {found:?}, not {wanted:?}"
        );
    }
}

/// Element `i` of a vector.
pub(super) fn at(x: &Array, i: i64) -> Result<Array> {
    x.get(s![i])
}

/// Element `i, j` of a matrix.
pub(super) fn cell(x: &Array, i: i64, j: i64) -> Result<Array> {
    x.get(s![i, j])
}

/// A vector of numbers.
pub(super) fn vector<const N: usize>(elements: [Result<Array>; N]) -> Result<Array> {
    let elements: Vec<Array> = elements.into_iter().collect::<Result<_>>()?;
    ivy::stack(&elements, ())
}

/// A matrix of numbers, 2 x 2.
pub(super) fn square([a, b, c, d]: [Result<Array>; 4]) -> Result<Array> {
    ivy::reshape(vector([a, b, c, d])?, [2, 2], ())
}
