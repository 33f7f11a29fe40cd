//! `out=`: results that take the place of what other objects hold.

use crate::array::PyArray;
use crate::context;
use crate::error::{Fallible, type_error};
use ivy::Array;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

/// What `out=` names: an array, or a tuple of them for functions of several results.
pub(crate) struct Out<'py> {
    function: &'static str,
    given: Bound<'py, PyAny>,
    /// Nothing where `out` is `None`.
    targets: Vec<Bound<'py, PyArray>>,
}

/// The arrays of one or of a tuple; `None` for all else.
fn arrays<'py>(value: &Bound<'py, PyAny>) -> Option<Vec<Bound<'py, PyArray>>> {
    if let Ok(one) = value.cast::<PyArray>() {
        return Some(vec![one.clone()]);
    }
    if !value.is_instance_of::<PyTuple>() && !value.is_instance_of::<PyList>() {
        return None;
    }
    value.try_iter().ok()?.map(|entry| entry.ok()?.cast_into().ok()).collect()
}

impl<'py> Out<'py> {
    pub(crate) fn new(function: &'static str, given: &Bound<'py, PyAny>) -> Fallible<Out<'py>> {
        let targets = match given.is_none() {
            true => Vec::new(),
            false => match arrays(given) {
                Some(targets) => targets,
                None => return type_error(format!("{function}(): out is an array, or a tuple of arrays")),
            },
        };
        Ok(Out { function, given: given.clone(), targets })
    }

    /// Makes the results what the targets hold, all or after an error none, and gives `out`.
    pub(crate) fn put(self, result: &Bound<'py, PyAny>) -> Fallible<Bound<'py, PyAny>> {
        if self.given.is_none() {
            return Ok(result.clone());
        }
        let results = arrays(result).unwrap_or_default();
        if results.len() != self.targets.len()
            || self.given.is_instance_of::<PyArray>() != result.is_instance_of::<PyArray>()
        {
            let (function, n) = (self.function, self.targets.len());
            return type_error(format!(
                "{function}(): out has {n} arrays, where the result is {}",
                result.get_type()
            ));
        }
        let scope = context::enter(result.py(), None)?;
        let mut made: Vec<Array> = Vec::new();
        for (target, result) in self.targets.iter().zip(&results) {
            let mut held = target.borrow().array()?.clone();
            let result = result.borrow().array()?.clone();
            ivy::out(&mut held, &result)?;
            made.push(held);
        }
        drop(scope);
        for (target, held) in self.targets.iter().zip(made) {
            crate::views::put(target, held)?;
        }
        Ok(self.given)
    }
}
