//! Neural network functions: activations, layers, norms, losses, distances.

mod activations;
mod distances;
mod layers;
mod losses;
mod norms;

pub use activations::*;
pub use distances::*;
pub use layers::*;
pub use losses::*;
pub use norms::*;

use super::precision::{downcast, upcast};
use crate::{Array, Error, ErrorKind, Result};

/// The error of an argument.
fn invalid(function: &'static str, argument: &'static str, value: String, rule: &'static str) -> Error {
    ErrorKind::InvalidArgument { function, argument, value, rule }.into()
}

/// The error of a shape.
fn mismatch(function: &'static str, argument: &'static str, expected: String, x: &Array) -> Error {
    ErrorKind::ShapeMismatch { function, argument, expected, actual: x.shape().clone() }.into()
}

/// Refuses a number that a rule does not allow.
fn check(
    function: &'static str,
    argument: &'static str,
    value: f64,
    holds: bool,
    rule: &'static str,
) -> Result<()> {
    if holds { Ok(()) } else { Err(invalid(function, argument, value.to_string(), rule)) }
}

/// Refuses infinities and NaN.
fn check_finite(function: &'static str, argument: &'static str, value: f64) -> Result<()> {
    check(function, argument, value, value.is_finite(), "a finite number is needed")
}

/// Refuses what is below 0.
fn check_not_negative(function: &'static str, argument: &'static str, value: f64) -> Result<()> {
    check(
        function,
        argument,
        value,
        value.is_finite() && value >= 0.0,
        "a finite number of 0 or more is needed",
    )
}
