//! The expression that the engine's benchmarks compute, in Rust and from Python.

use crate::uniform;
use ivy::prelude::*;

/// Three arrays of `n` float32 on a backend.
///
/// # Errors
/// A place that is not there.
pub fn operands(place: &str, n: usize) -> ivy::Result<[Array; 3]> {
    let make = || -> ivy::Result<_> {
        Ok([
            Array::from_vec(uniform(n, 1), n)?,
            Array::from_vec(uniform(n, 2), n)?,
            Array::from_vec(uniform(n, 3), n)?,
        ])
    };
    ivy::with_backend(place, make)?
}

/// `sqrt(a * b + c) - a`, computed.
///
/// # Errors
/// Those of the backend.
pub fn chain(x: &[Array; 3]) -> ivy::Result<Array> {
    let [a, b, c] = x;
    let y = ivy::subtract(&ivy::sqrt(&(a * b + c).ok()?)?, a)?;
    y.to_host()?;
    Ok(y)
}
