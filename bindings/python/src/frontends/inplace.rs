//! The parameter `inplace` of PyTorch's and Paddle's functions: the result is written to the first argument, which only
//! bindings can do, as arrays of Rust are values.

use super::function::write;
use super::{Namespace, error};
use crate::array::PyArray;
use crate::context;
use crate::error::{Fallible, type_error};
use ivy_frontend::autograd::Began;
use ivy_frontend::{Entry, Keywords};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

const NAME: &str = "inplace";

/// A function with this parameter, of which its row says nothing.
pub(super) struct Inplace {
    namespace: &'static Namespace,
    entry: &'static Entry,
    /// The parameter's place.
    place: usize,
    /// The row that writes one array to another.
    copy: &'static Entry,
}

impl Inplace {
    pub(super) fn of(namespace: &'static Namespace, entry: &'static Entry) -> Option<Inplace> {
        let place = entry.row.signature.position(NAME).filter(|&at| !entry.row.mentions[at])?;
        let copy = namespace.frontend.find(&format!("{}.copy_", namespace.frontend.class())).ok()?;
        Some(Inplace { namespace, entry, place, copy })
    }

    /// Whether a call asks for it.
    pub(super) fn is_wanted(
        &self,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> Fallible<bool> {
        let by_name = kwargs.map(|kwargs| kwargs.get_item(NAME)).transpose()?.flatten();
        // Given twice it is refused where arguments are bound.
        if by_name.is_some() && self.place < args.len() {
            return Ok(false);
        }
        match by_name.or_else(|| args.get_item(self.place).ok()) {
            Some(wanted) => Ok(wanted.is_truthy()?),
            None => Ok(false),
        }
    }

    /// The other arguments.
    pub(super) fn without<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> Fallible<(Bound<'py, PyTuple>, Option<Bound<'py, PyDict>>)> {
        let others = kwargs.map(|kwargs| kwargs.copy()).transpose()?;
        if let Some(others) = &others
            && others.contains(NAME)?
        {
            others.del_item(NAME)?;
        }
        Ok((args.get_slice(0, self.place.min(args.len())), others))
    }

    /// Writes a result, whose call began then, to the first argument, and gives that.
    pub(super) fn write<'py>(
        &self,
        result: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        began: Began,
    ) -> Fallible<Py<PyAny>> {
        let (py, frontend) = (result.py(), self.namespace.frontend);
        let first = self.entry.row.signature.parameters.first().map_or("", |p| p.name.as_str());
        let by_name = || kwargs.and_then(|kwargs| kwargs.get_item(first).ok().flatten());
        let target = args.get_item(0).ok().or_else(by_name);
        let target = target.as_ref().and_then(|target| target.cast::<PyArray>().ok());
        let (Some(target), Ok(result)) = (target, result.cast::<PyArray>()) else {
            return type_error(format!("{}: inplace = True: {first} is a tensor then", self.entry.function));
        };
        let _scope = context::enter(py, None)?;
        let (x, value) = (target.borrow().array()?.clone(), result.borrow().array()?.clone());
        let value = frontend.call_entry(self.copy, vec![x.into(), value.into()], Keywords::new());
        let told = |e: ivy::Error| error::failure(py, frontend, &e.with_function(self.entry.function));
        write(target.as_any(), &value.map_err(told)?, began)?;
        Ok(target.clone().into_any().unbind())
    }
}
