//! Index expressions of the frameworks' arrays: reads, writes, and the entries along the first axis.

use super::array::number_of;
use super::{Namespace, convert, error};
use crate::array::PyArray;
use crate::error::{Fallible, type_error};
use crate::{context, views};
use ivy::{Array, Index};
use ivy_frontend::autograd::Began;
use ivy_frontend::{Entry, Keywords, Value, View, Viewing, autograd, error_of_index, indices};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};

/// Puts a result that is a view into the object of one.
pub(super) fn object_of_view(
    py: Python<'_>,
    namespace: &'static Namespace,
    array: Array,
    number: bool,
    view: Option<(&Bound<'_, PyArray>, View)>,
) -> Fallible<Py<PyAny>> {
    // A view of all of an array is a tensor of its own in the graph of derivatives.
    let array = if view.is_some() { autograd::as_result(array) } else { array };
    let object = (namespace.wrap)(py, array, number)?;
    // A number is a value.
    if let Some((owner, view)) = view.filter(|_| !number) {
        let made = object.bind(py).cast::<PyArray>().map_err(PyErr::from)?;
        views::attach(made, owner, view, namespace.frontend)?;
    }
    Ok(object)
}

pub(super) fn get_item(
    namespace: &'static Namespace,
    this: &Bound<'_, PyArray>,
    key: &Bound<'_, PyAny>,
) -> Fallible<Py<PyAny>> {
    let py = this.py();
    let entry = namespace.frontend.get_item().map_err(|e| error::failure(py, namespace.frontend, &e))?;
    let told = |error: ivy::Error| {
        let error = error_of_index(entry, error.with_function(entry.function));
        error::failure(py, namespace.frontend, &error)
    };
    // A position on each axis is an element, which is a value and no view.
    if namespace.unread.is_some() {
        let x = this.borrow();
        let x = x.array()?;
        if let Some(positions) = positions(key, x.ndim()) {
            let _scope = context::enter(py, None)?;
            return (namespace.wrap)(py, x.get(positions).map_err(told)?, true);
        }
    }
    let key = convert::from_python(namespace, key)?;
    let viewing = entry.viewing();
    let _scope = context::enter(py, None)?;
    if viewing == Viewing::None {
        let x = this.borrow().array()?.clone();
        let result = namespace.frontend.call_entry(entry, vec![Value::from(x), key], Keywords::new());
        return match result.map_err(|e| error::failure(py, namespace.frontend, &e))? {
            Value::Array(array) => {
                let number = number_of(namespace, &array);
                (namespace.wrap)(py, array.into_owned(), number)
            }
            other => convert::to_python(py, namespace, other),
        };
    }
    let (owner, view) = views::view_of(this)?;
    // `x[0, ...]` is an array without axes where `x[0]` is a number.
    let elided = matches!(&key, Value::Ellipsis)
        || key.items().is_some_and(|all| all.iter().any(|e| matches!(e, Value::Ellipsis)));
    if let Some(unread) = namespace.unread
        && is_basic(&key)
    {
        let indices = indices(entry, &key).map_err(told)?;
        if let Some(part) = view.select(&indices).map_err(told)? {
            if part.shape().is_empty() && !elided {
                let element = this.borrow().array()?.get(indices).map_err(told)?;
                return (namespace.wrap)(py, element, true);
            }
            let object = unread(py)?;
            views::attach(
                object.bind(py).cast::<PyArray>().map_err(PyErr::from)?,
                &owner,
                part,
                namespace.frontend,
            )?;
            return Ok(object);
        }
    }
    let x = viewing.track(this.borrow().array()?, 0, view);
    let result = namespace.frontend.call_entry(entry, vec![Value::from(x), key], Keywords::new());
    match result.map_err(|e| error::failure(py, namespace.frontend, &e))? {
        Value::Array(array) => {
            let (array, found) = viewing.untrack(&array, None);
            let number = number_of(namespace, &array) && !(elided && found.is_some());
            object_of_view(py, namespace, array, number, found.map(|tracked| (&owner, tracked.view)))
        }
        other => convert::to_python(py, namespace, other),
    }
}

/// The entries along the first axis.
pub(super) fn parts(namespace: &'static Namespace, this: &Bound<'_, PyArray>) -> Fallible<Vec<Py<PyAny>>> {
    let py = this.py();
    let (owner, view) = views::view_of(this)?;
    let viewing = namespace.frontend.get_item().map_or(Viewing::None, Entry::viewing);
    let found = {
        let this = this.borrow();
        if this.array()?.ndim() == 0 {
            return type_error("iteration over an array without axes");
        }
        ivy::unstack(viewing.track(this.array()?, 0, view), ())?
    };
    let part = |x: Array| {
        let (x, found) = viewing.untrack(&x, None);
        let number = number_of(namespace, &x);
        object_of_view(py, namespace, x, number, found.map(|tracked| (&owner, tracked.view)))
    };
    found.into_iter().map(part).collect()
}

/// The positions of an index expression that has one for each axis and nothing else.
fn positions(key: &Bound<'_, PyAny>, axes: usize) -> Option<Vec<Index>> {
    let position = |key: Borrowed<'_, '_, PyAny>| {
        if key.is_exact_instance_of::<PyInt>() { key.extract().ok().map(Index::Int) } else { None }
    };
    match key.cast_exact::<PyTuple>() {
        Ok(all) if all.len() == axes && axes > 0 => all.iter_borrowed().map(position).collect(),
        Err(_) if axes == 1 => Some(vec![position(key.as_borrowed())?]),
        _ => None,
    }
}

/// Whether an index expression has no arrays or lists in it, so that it selects a view.
fn is_basic(key: &Value<'_>) -> bool {
    match key {
        Value::Tuple(entries) => entries.iter().all(is_basic),
        Value::Int(_) | Value::Slice { .. } | Value::Ellipsis | Value::None => true,
        _ => false,
    }
}

/// `x[key] = value`. A basic index expression writes to the part that it selects, all others make the array anew.
pub(super) fn set_item(
    namespace: &'static Namespace,
    this: &Bound<'_, PyArray>,
    key: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
) -> Fallible<()> {
    let py = this.py();
    let frontend = namespace.frontend;
    let began = Began::now();
    let told = |e: ivy::Error| error::failure(py, frontend, &e);
    let (key, value) = (convert::from_python(namespace, key)?, convert::from_python(namespace, value)?);
    let (get, set) = (frontend.get_item().map_err(told)?, frontend.set_item().map_err(told)?);
    let _scope = context::enter(py, None)?;
    let viewing = get.viewing();
    let (owner, view) = views::view_of(this)?;
    // Where tensors keep their places in the graph of derivatives, those of constants are written to in place.
    let writes_part = || -> Fallible<bool> {
        let is_constant = |x: &Bound<'_, PyArray>| x.borrow().array().map(|x| !autograd::requires_grad(x));
        Ok(!frontend.views_keep_graph()
            || is_constant(this)?
                && is_constant(&owner)?
                && !value.as_array().is_some_and(autograd::requires_grad))
    };
    if viewing != Viewing::None && is_basic(&key) && writes_part()? {
        if namespace.unread.is_some() {
            let of_index = |error: ivy::Error| told(error_of_index(set, error.with_function(set.function)));
            let indices = indices(set, &key).map_err(of_index)?;
            if let Some(part) = view.select(&indices).map_err(of_index)? {
                let elements = this.borrow().array()?.get(indices).map_err(of_index)?;
                let written = vec![Value::from(elements), Value::Ellipsis, value];
                let written = frontend.call_entry(set, written, Keywords::new()).map_err(told)?;
                let Value::Array(written) = written else { return Ok(()) };
                return views::in_place(this, began, || {
                    views::write(&owner, &part, frontend, written.into_owned())
                });
            }
        }
        let x = viewing.track(this.borrow().array()?, 0, view);
        let part = frontend.call_entry(get, vec![Value::from(x), key], Keywords::new()).map_err(told)?;
        if let Value::Array(part) = part
            && let (part, Some(tracked)) = viewing.untrack(&part, None)
        {
            let written = vec![Value::from(part), Value::Ellipsis, value];
            let written = frontend.call_entry(set, written, Keywords::new()).map_err(told)?;
            let Value::Array(written) = written else { return Ok(()) };
            return views::in_place(this, began, || {
                views::write(&owner, &tracked.view, frontend, written.into_owned())
            });
        }
        return type_error("an index expression of positions and slices selects an array");
    }
    let x = this.borrow().array()?.clone();
    let written = frontend.call_entry(set, vec![Value::from(x), key, value], Keywords::new());
    super::function::write(this.as_any(), &written.map_err(told)?, began)
}
