//! Writes of a transformed function to arrays that it uses beside its arguments: its results are of the transformation, and would be
//! left in them when it ends. What they held is put back, and the call is an error.

use crate::array::PyArray;
use crate::error::Fallible;
use ivy::Array;
use ivy::backend::BackendRef;
use pyo3::prelude::*;
use pyo3::types::{PyWeakrefMethods, PyWeakrefReference};
use std::cell::RefCell;
use std::collections::HashMap;

/// An array object that was written to, and what it held before the first time.
struct Write {
    object: Py<PyWeakrefReference>,
    before: Array,
}

/// The first writes to each object, by its address.
type Writes = HashMap<usize, Write>;

thread_local! {
    /// The writes of the transformed functions that run, the innermost last.
    static RUNNING: RefCell<Vec<Writes>> = const { RefCell::new(Vec::new()) };
}

fn level(backend: &BackendRef) -> usize {
    backend.wraps().map_or(0, |below| 1 + level(&below))
}

fn is_inner(object: &Bound<'_, PyArray>, before: &Array) -> Fallible<bool> {
    Ok(level(object.borrow().array()?.backend()) > level(before.backend()))
}

/// Notes what an object holds before it is written to, while a transformed function runs: what that has made itself is gone when
/// it ends.
pub(crate) fn note(object: &Bound<'_, PyArray>) -> Fallible<()> {
    let address = object.as_ptr().addr();
    let is_new = RUNNING.with_borrow(|running| {
        // An object may have the address of one that is gone.
        let same = |write: &Write| write.object.bind(object.py()).upgrade().is_some_and(|own| own.is(object));
        running.last().is_some_and(|own| !own.get(&address).is_some_and(same))
    });
    if is_new {
        let write = Write {
            object: PyWeakrefReference::new(object.as_any())?.unbind(),
            before: object.borrow().array()?.clone(),
        };
        RUNNING.with_borrow_mut(|running| running.last_mut().map(|own| own.insert(address, write)));
    }
    Ok(())
}

/// Begins to note writes of a transformed function.
#[pyfunction]
pub(crate) fn watch_writes() {
    RUNNING.with_borrow_mut(|running| running.push(Writes::new()));
}

/// Ends that. Where arrays that are still there hold results of the transformation, all get back what they held before; true then.
#[pyfunction]
pub(crate) fn undo_writes(py: Python<'_>) -> Fallible<bool> {
    let mut there = Vec::new();
    for write in RUNNING.with_borrow_mut(Vec::pop).unwrap_or_default().into_values() {
        if let Some(object) = write.object.bind(py).upgrade() {
            there.push((object.cast_into::<PyArray>().map_err(PyErr::from)?, write.before));
        }
    }
    let mut captured = false;
    for (object, before) in &there {
        captured |= is_inner(object, before)?;
    }
    for (object, before) in there {
        match captured {
            true => crate::views::put(&object, before)?,
            // A function around may have to put it back.
            false => RUNNING.with_borrow_mut(|running| {
                let own = PyWeakrefReference::new(object.as_any())?.unbind();
                if let Some(outer) = running.last_mut() {
                    outer.entry(object.as_ptr().addr()).or_insert(Write { object: own, before });
                }
                PyResult::Ok(())
            })?,
        }
    }
    Ok(captured)
}
