//! Calls of functions that give views: of their layouts alone, or with arguments that are tracked.

use super::function::PyFrontendFunction;
use super::{convert, error};
use crate::array::PyArray;
use crate::error::Fallible;
use crate::{context, views};
use ivy_frontend::rows::Given;
use ivy_frontend::{Fault, Keywords, Value, View, Viewing, autograd, refuse};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList, PyString, PyTuple};

/// An argument that results may be views of.
struct Source<'py> {
    object: Bound<'py, PyArray>,
    owner: Bound<'py, PyArray>,
    view: View,
}

/// Whole numbers: each by itself, or one tuple of them; `None` for all else.
fn integers(args: &[Bound<'_, PyAny>]) -> Option<Vec<i64>> {
    if let [tuple] = args
        && let Ok(tuple) = tuple.cast::<PyTuple>()
    {
        return tuple.iter_borrowed().map(|entry| integer(&entry)).collect();
    }
    args.iter().map(integer).collect()
}

fn integer(given: &Bound<'_, PyAny>) -> Option<i64> {
    given.is_exact_instance_of::<PyInt>().then(|| given.extract().ok()).flatten()
}

impl PyFrontendFunction {
    /// The view that a call gives whose arguments say all of its layout, without a call of the function: it is read when it
    /// is used. `None` for all else, wrong arguments among it.
    fn by_layout(&self, args: &Bound<'_, PyTuple>) -> Fallible<Option<Py<PyAny>>> {
        let py = args.py();
        let viewing = self.entry.viewing();
        if !matches!(viewing, Viewing::Reversed | Viewing::Reshaped | Viewing::Adjacent) {
            return Ok(None);
        }
        let Some(unread) = self.namespace.unread else { return Ok(None) };
        let mut args = args.iter();
        let Some(Ok(object)) = args.next().map(|object| object.cast_into::<PyArray>()) else {
            return Ok(None);
        };
        let rest: Vec<Bound<'_, PyAny>> = args.collect();
        let (owner, view) = views::view_of(&object)?;
        // One without axes may be a number.
        if view.shape().is_empty() {
            return Ok(None);
        }
        let lists = || self.entry.row.signature.parameters.iter().any(|p| p.given == Given::Rest);
        let found = match viewing {
            Viewing::Reversed => rest.is_empty().then(|| view.reversed()),
            Viewing::Adjacent => {
                (rest.is_empty() && view.is_contiguous()).then(|| view.reshaped(&[-1])).flatten()
            }
            _ if rest.len() == 1 || lists() => integers(&rest).and_then(|shape| view.reshaped(&shape)),
            _ => None,
        };
        let Some(found) = found.filter(|found| !found.shape().is_empty()) else { return Ok(None) };
        let made = unread(py)?;
        views::attach(
            made.bind(py).cast::<PyArray>().map_err(PyErr::from)?,
            &owner,
            found,
            self.namespace.frontend,
        )?;
        Ok(Some(made))
    }

    /// A call whose results may be views of its arguments.
    pub(super) fn viewing<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> Fallible<Py<PyAny>> {
        let (namespace, viewing) = (self.namespace, self.entry.viewing());
        if kwargs.is_none()
            && let Some(object) = self.by_layout(args)?
        {
            return Ok(object);
        }
        let _scope = context::enter(py, None)?;
        let mut sources = Vec::new();
        let views_by_class = self.entry.row.path == "ndarray.view";
        let mut tracked = |value: &Bound<'py, PyAny>| -> Fallible<Value<'static>> {
            let Ok(object) = value.cast::<PyArray>() else {
                // As in `x.view(np.ndarray)`: the class that the array is of already.
                let is_same = views_by_class && convert::is_array_class(value);
                return if is_same { Ok(Value::None) } else { convert::from_python(namespace, value) };
            };
            let (owner, view) = views::view_of(object)?;
            let x = viewing.track(object.borrow().array()?, sources.len(), view.clone());
            sources.push(Source { object: object.clone(), owner, view });
            Ok(Value::from(x))
        };
        let positional = args.iter().map(|value| tracked(&value)).collect::<Fallible<Vec<_>>>()?;
        let named = kwargs.into_iter().flatten().map(|(name, value)| {
            Ok((name.cast::<PyString>().map_err(PyErr::from)?.to_str()?.to_string(), tracked(&value)?))
        });
        let named = named.collect::<Fallible<Vec<_>>>()?;
        let names: Vec<(&str, Value<'_>)> = named.iter().map(|(n, v)| (n.as_str(), v.borrowed())).collect();
        let value = namespace.frontend.call_entry(self.entry, positional, Keywords::from(names));
        let value = value.map_err(|e| error::failure(py, namespace.frontend, &e))?;
        self.viewed(py, value, &sources)
    }

    /// Results of such a call as objects.
    fn viewed(&self, py: Python<'_>, value: Value<'static>, sources: &[Source<'_>]) -> Fallible<Py<PyAny>> {
        let (namespace, viewing) = (self.namespace, self.entry.viewing());
        let all = |items: Vec<Value<'static>>| {
            items.into_iter().map(|item| self.viewed(py, item, sources)).collect::<Fallible<Vec<_>>>()
        };
        match value {
            Value::Array(array) => {
                let (array, found) = viewing.untrack(&array, sources.first().map(|source| &source.view));
                let found = found.map(|tracked| (&sources[tracked.argument], tracked.view));
                if viewing == Viewing::Strict && found.is_none() {
                    let rule = "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.";
                    let error = refuse(self.entry, Fault::Runtime, "size", None, rule);
                    return Err(error::failure(py, namespace.frontend, &error));
                }
                if let (Viewing::Unchanged | Viewing::Contiguous, Some((source, view))) = (viewing, &found)
                    && source.view == *view
                {
                    let own = (namespace.wrap)(py, array, false)?;
                    // An array of ivyrs or of another framework is none of this one.
                    let is_own = source.object.get_type().is(own.bind(py).get_type());
                    return Ok(if is_own { source.object.clone().into_any().unbind() } else { own });
                }
                let array = match (viewing, &found) {
                    (Viewing::Contiguous, None) => autograd::as_copy(array),
                    _ => array,
                };
                // What is rearranged of an array is an array, without axes too.
                let number = self.gives_number(&array)
                    && match &found {
                        Some((source, _)) => source.object.getattr("_is_number")?.is_truthy()?,
                        None => true,
                    };
                let found = found.map(|(source, view)| (&source.owner, view));
                super::indexing::object_of_view(py, namespace, array, number, found)
            }
            Value::Tuple(items) => Ok(PyTuple::new(py, all(items)?)?.into_any().unbind()),
            Value::List(items) => Ok(PyList::new(py, all(items)?)?.into_any().unbind()),
            other => convert::to_python(py, namespace, other),
        }
    }
}
