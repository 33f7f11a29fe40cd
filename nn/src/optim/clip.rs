//! Gradient clipping.

use crate::invalid;
use ivy_core::functional::{add, divide, maximum, multiply, sqrt, square, sum};
use ivy_core::{Array, Result, Tree};

/// Global norm: the root of the sum of the squares of all elements of all arrays, without axes.
///
/// # Errors
/// [`InvalidArgument`](ivy_core::ErrorKind::InvalidArgument) for a value without arrays.
pub fn global_norm<T: Tree>(x: &T) -> Result<Array> {
    let mut total: Option<Array> = None;
    x.flatten(&mut |_, x| {
        let own = sum(square(x)?, ())?;
        total = Some(match &total {
            Some(total) => add(total, own)?,
            None => own,
        });
        Ok(())
    })?;
    match total {
        Some(total) => sqrt(total),
        None => Err(invalid("global_norm", "x", "no arrays", "a value that holds arrays")),
    }
}

/// Gradient clipping by the global norm: a gradient scaled so that its norm is at most `limit`.
///
/// ```
/// use ivy::nn::optim::clip_by_global_norm;
/// use ivy::prelude::*;
/// let clipped = clip_by_global_norm(&Array::try_from([3.0f64, 4.0])?, 1.0)?;
/// assert_eq!(clipped.to_vec::<f64>()?, [0.6000000000000001, 0.8]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](ivy_core::ErrorKind::InvalidArgument) for a limit that is no positive number, and as
/// [`global_norm`].
pub fn clip_by_global_norm<T: Tree>(gradient: &T, limit: f64) -> Result<T> {
    if limit.is_nan() || limit <= 0.0 {
        return Err(invalid("clip_by_global_norm", "limit", limit, "a positive number"));
    }
    let over = maximum(divide(global_norm(gradient)?, limit)?, 1.0)?;
    let by = divide(1.0, over)?;
    gradient.map_arrays(&mut |_, g| multiply(g, &by))
}
