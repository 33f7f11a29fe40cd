//! The variables of control flow.

use crate::array::Array;
use crate::backend::{BackendRef, Value};
use crate::{Dtype, ErrorKind, Result};

/// Variables of control flow: an array, a fixed number of them, or a list.
pub trait Vars: Sized {
    /// As a list.
    fn into_arrays(self) -> Vec<Array>;

    /// The arrays in order.
    fn as_arrays(&self) -> &[Array];

    /// From a list; `None` if it has another length.
    fn from_arrays(arrays: Vec<Array>) -> Option<Self>;
}

impl Vars for Array {
    fn into_arrays(self) -> Vec<Array> {
        vec![self]
    }

    fn as_arrays(&self) -> &[Array] {
        std::slice::from_ref(self)
    }

    fn from_arrays(mut arrays: Vec<Array>) -> Option<Array> {
        if arrays.len() == 1 { arrays.pop() } else { None }
    }
}

impl<const N: usize> Vars for [Array; N] {
    fn into_arrays(self) -> Vec<Array> {
        self.into()
    }

    fn as_arrays(&self) -> &[Array] {
        self
    }

    fn from_arrays(arrays: Vec<Array>) -> Option<[Array; N]> {
        arrays.try_into().ok()
    }
}

impl Vars for Vec<Array> {
    fn into_arrays(self) -> Vec<Array> {
        self
    }

    fn as_arrays(&self) -> &[Array] {
        self
    }

    fn from_arrays(arrays: Vec<Array>) -> Option<Vec<Array>> {
        Some(arrays)
    }
}

pub(in crate::functional) fn vars_of<V: Vars>(function: &'static str, arrays: Vec<Array>) -> Result<V> {
    let value = format!("{} arrays", arrays.len());
    V::from_arrays(arrays).ok_or_else(|| {
        let rule = "as many arrays as there are variables";
        ErrorKind::InvalidArgument { function, argument: "vars", value, rule }.into()
    })
}

pub(in crate::functional) fn values_of(arrays: &[Array]) -> Vec<Value> {
    arrays.iter().map(|x| x.value().clone()).collect()
}

pub(in crate::functional) fn arrays_of(
    backend: &BackendRef,
    values: impl IntoIterator<Item = Value>,
) -> Vec<Array> {
    values.into_iter().map(|value| Array::from_value(backend.clone(), value)).collect()
}

pub(in crate::functional) fn bool_array(
    function: &'static str,
    argument: &'static str,
    x: Array,
) -> Result<Array> {
    match x.dtype() {
        Dtype::BOOL => Ok(x),
        actual => Err(ErrorKind::DtypeMismatch { function, argument, expected: Dtype::BOOL, actual }.into()),
    }
}

/// As many arrays of the same dtypes and shapes.
pub(in crate::functional) fn check_same(
    function: &'static str,
    before: &[Array],
    after: &[Array],
) -> Result<()> {
    if before.len() != after.len() {
        let value = format!("{} arrays", after.len());
        let rule = "as many arrays as before";
        return Err(ErrorKind::InvalidArgument { function, argument: "vars", value, rule }.into());
    }
    for (variable, (a, b)) in before.iter().zip(after).enumerate() {
        if (a.dtype(), a.shape()) != (b.dtype(), b.shape()) {
            return Err(ErrorKind::VariableChanged {
                function,
                variable,
                before: a.dtype(),
                before_shape: a.shape().clone(),
                after: b.dtype(),
                after_shape: b.shape().clone(),
            }
            .into());
        }
    }
    Ok(())
}
