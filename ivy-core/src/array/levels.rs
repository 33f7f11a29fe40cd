//! Where operands of different levels meet: the one place that decides it.
//!
//! Inside a transformation (`grad`, `jvp`, `vmap`) the arguments of the function are arrays of a backend that wraps
//! another one, level by level. An operation is computed on the outermost backend of its operands, to which all
//! others are lifted: there they are constants, without a tangent and the same for each entry of a batch.

use super::Array;
use crate::backend::{AbstractBackend, BackendRef};
use crate::{ErrorKind, Result, context, transform};
use std::borrow::Cow;

/// The backend on which an operation on these arrays is computed: the outermost of theirs; of no array, the current one.
pub(crate) fn common_backend<'a>(arrays: impl IntoIterator<Item = &'a Array>) -> Result<BackendRef> {
    transform::outermost(arrays).map_or_else(context::current_backend, |backend| Ok(backend.clone()))
}

/// The arrays on one backend.
///
/// # Errors
/// As [`Array::lift_to`].
pub(crate) fn lift_all(
    function: &'static str,
    backend: &BackendRef,
    arrays: Vec<Array>,
) -> Result<Vec<Array>> {
    arrays.into_iter().map(|x| Ok(x.lift_to(function, backend)?.into_owned())).collect()
}

impl Array {
    /// The elements of a list, on the backend of the arrays that it meets.
    ///
    /// # Errors
    /// [`ErrorKind::DtypeNotStored`], or no memory.
    pub(crate) fn moved_to(self, backend: &BackendRef) -> Result<Array> {
        if *backend == self.backend {
            return Ok(self);
        }
        if backend.is_abstract() {
            let value = AbstractBackend::value(self.dtype(), self.shape().clone());
            return Ok(Array::from_value(backend.clone(), value));
        }
        self.to_backend(backend)
    }

    /// The array as an operand of a call on a backend: itself; of another instance on the same device, that
    /// instance's elements (decision S38: never a silent transfer); of a backend below that one, a constant there.
    ///
    /// # Errors
    /// [`ErrorKind::BackendMismatch`] for another device; [`ErrorKind::NotTransformable`] for an array of the same one that
    /// another call of a transformed function made.
    pub(crate) fn lift_to(&self, function: &'static str, backend: &BackendRef) -> Result<Cow<'_, Array>> {
        if *backend == self.backend {
            return Ok(Cow::Borrowed(self));
        }
        if backend.shares_device(&*self.backend) || backend.wraps().is_none() && context::soft_device_mode() {
            return self.to_backend(backend).map(Cow::Owned);
        }
        if let Some(below) = backend.wraps() {
            let array = self.lift_to(function, &below)?.into_owned();
            return Ok(Cow::Owned(Array::from_value(backend.clone(), backend.lift(array)?)));
        }
        if self.backend.wraps().is_some() && lowest(&self.backend) == lowest(backend) {
            return Err(transform::escaped(function));
        }
        let place = |b: &BackendRef| {
            b.devices().first().map_or(b.name().to_string(), |d| format!("{}:{d}", b.name()))
        };
        let (left, right) = (place(backend), place(&self.backend));
        Err(ErrorKind::BackendMismatch { function, left, right }.into())
    }
}

/// The backend that computes, below all that wrap it.
fn lowest(backend: &BackendRef) -> BackendRef {
    let mut lowest = backend.clone();
    while let Some(below) = lowest.wraps() {
        lowest = below;
    }
    lowest
}
