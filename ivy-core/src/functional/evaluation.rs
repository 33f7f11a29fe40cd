//! Evaluation of pending arrays, and synchronization with backends.

use crate::Result;
use crate::array::Array;
use crate::backend::{BackendRef, Value};

/// Evaluation: computes what is pending of some arrays, on backends that note work instead of doing it. On the engine,
/// arrays of one shape come out of one kernel, which computes what they have in common once; to read them one by one
/// would compute it for each. What is not pending is left as it is.
///
/// What takes long is started, and the program goes on meanwhile: whoever reads an array waits for it,
/// and for no other. [`wait`] waits for arrays without reading them.
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
/// Those that reading the arrays has: an index out of range, no memory. Of what was started, whoever
/// waits for it has them.
pub fn evaluate<'a>(arrays: impl IntoIterator<Item = &'a Array>) -> Result<()> {
    by_backend(arrays).into_iter().try_for_each(|(backend, values)| backend.evaluate(&values))
}

/// Synchronous evaluation: computes what is pending of some arrays as [`evaluate`] does, and waits until it is done,
/// here or on a device.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::sqrt(&Array::try_from([1.0f32, 4.0])?)?;
/// ivy::wait([&x])?;
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those that reading the arrays has, the first of them.
pub fn wait<'a>(arrays: impl IntoIterator<Item = &'a Array>) -> Result<()> {
    let all = by_backend(arrays);
    // All is started before any is waited for.
    all.iter().try_for_each(|(backend, values)| backend.evaluate(values))?;
    all.iter().try_for_each(|(backend, values)| backend.wait(values))
}

/// Synchronization with a backend: waits until all is done that was started on a backend.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::sqrt(&Array::try_from([1.0f32, 4.0])?)?;
/// ivy::evaluate([&x])?;
/// ivy::synchronize(x.backend())?;
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// The first one of what was started since this was asked last. Other arrays are none the worse for it.
pub fn synchronize(backend: &BackendRef) -> Result<()> {
    backend.synchronize()
}

fn by_backend<'a>(arrays: impl IntoIterator<Item = &'a Array>) -> Vec<(&'a BackendRef, Vec<Value>)> {
    let mut backends: Vec<(&BackendRef, Vec<Value>)> = Vec::new();
    for array in arrays {
        match backends.iter_mut().find(|(backend, _)| *backend == array.backend()) {
            Some((_, values)) => values.push(array.value().clone()),
            None => backends.push((array.backend(), vec![array.value().clone()])),
        }
    }
    backends
}
