//! Asking for results.

use crate::Result;
use crate::array::Array;
use crate::backend::{BackendRef, Value};

/// Computes what is pending of some arrays, on backends that note work instead of doing it. On the
/// engine, arrays of one shape come out of one kernel, which computes what they have in common once;
/// to read them one by one would compute it for each. What is not pending is left as it is.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, 4.0])?;
/// let (root, double) = (ivy::sqrt(&x)?, ivy::add(&x, &x)?);
/// ivy::evaluate([&root, &double])?;
/// assert_eq!(root.to_vec::<f32>()?, [1.0, 2.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those that reading the arrays has: an index out of range, no memory.
pub fn evaluate<'a>(arrays: impl IntoIterator<Item = &'a Array>) -> Result<()> {
    let mut backends: Vec<(&BackendRef, Vec<Value>)> = Vec::new();
    for array in arrays {
        match backends.iter_mut().find(|(backend, _)| *backend == array.backend()) {
            Some((_, values)) => values.push(array.value().clone()),
            None => backends.push((array.backend(), vec![array.value().clone()])),
        }
    }
    backends.into_iter().try_for_each(|(backend, values)| backend.evaluate(&values))
}
