//! What an object holds: an array, or its components as objects of their own.

use super::convert::{formed, here, object, vector};
use super::error::failure;
use super::flow;
use super::object::DrjitArray;
use crate::error::Fallible;
use ivy_drjit::{AnyArray, ArrayType, JitBackend, Kind};
use pyo3::prelude::*;

/// What an object holds.
pub(super) enum Contents {
    /// No component is an object of its own.
    Whole(AnyArray),
    /// The components as objects, which others may hold.
    Parts(ArrayType, Vec<Py<DrjitArray>>),
    /// A tensor's elements as an object, which others may hold, and its shape.
    Shaped(ArrayType, Py<DrjitArray>, Vec<usize>),
}

impl DrjitArray {
    pub(super) fn new_whole(x: AnyArray) -> DrjitArray {
        DrjitArray { contents: Contents::Whole(x), serial: flow::serial() }
    }

    /// The array that it holds now.
    pub(super) fn value(&self, py: Python<'_>) -> Fallible<AnyArray> {
        match &self.contents {
            Contents::Whole(x) => Ok(x.clone()),
            Contents::Parts(ty, parts) => {
                let parts = parts.iter().map(|part| part.bind(py).borrow().value(py));
                let parts = parts.collect::<Fallible<Vec<_>>>()?;
                AnyArray::from_parts(*ty, parts).map_err(failure)
            }
            Contents::Shaped(ty, elements, shape) => {
                let elements = vector(elements.bind(py).borrow().value(py)?)?;
                ty.make_tensor(elements, shape).map_err(failure)
            }
        }
    }

    pub(super) fn ty(&self) -> ArrayType {
        match &self.contents {
            Contents::Whole(x) => x.ty(),
            Contents::Parts(ty, _) | Contents::Shaped(ty, ..) => *ty,
        }
    }

    /// Makes an object hold an array of its type; components that others hold are changed with it.
    pub(super) fn set(this: &Bound<'_, DrjitArray>, x: AnyArray) -> Fallible<()> {
        DrjitArray::note(this, false)?;
        DrjitArray::set_unnoted(this, x)
    }

    /// [`set`](Self::set) of what a scatter has made.
    pub(super) fn set_scattered(this: &Bound<'_, DrjitArray>, x: AnyArray) -> Fallible<()> {
        DrjitArray::note(this, true)?;
        DrjitArray::set_unnoted(this, x)
    }

    fn note(this: &Bound<'_, DrjitArray>, scattered: bool) -> Fallible<()> {
        let serial = this.borrow().serial;
        flow::note_write(this, serial, || this.borrow().value(this.py()), scattered)
    }

    pub(super) fn set_unnoted(this: &Bound<'_, DrjitArray>, x: AnyArray) -> Fallible<()> {
        let py = this.py();
        let elements = match &this.borrow().contents {
            // Gradients are the tensor's own.
            Contents::Shaped(_, elements, _) if !ivy_drjit::grad_enabled(&x) => Some(elements.clone_ref(py)),
            _ => None,
        };
        if let Some(elements) = elements {
            let (ty, shape) = (x.ty(), x.shape().unwrap_or_default());
            let flat = ivy_drjit::ravel(x, ivy_drjit::Order::C).map_err(failure)?;
            let like = elements.bind(py).borrow().ty();
            DrjitArray::set_unnoted(elements.bind(py), formed(like, flat)?)?;
            this.try_borrow_mut().map_err(PyErr::from)?.contents = Contents::Shaped(ty, elements, shape);
            return Ok(());
        }
        let parts = match &this.borrow().contents {
            Contents::Parts(_, parts) if parts.len() == x.entries().len() => {
                Some(parts.iter().map(|part| part.clone_ref(py)).collect::<Vec<_>>())
            }
            _ => None,
        };
        match parts {
            Some(parts) => {
                for (part, entry) in parts.iter().zip(x.entries()) {
                    DrjitArray::set_unnoted(part.bind(py), entry.clone())?;
                }
            }
            None => this.try_borrow_mut().map_err(PyErr::from)?.contents = Contents::Whole(x),
        }
        Ok(())
    }

    /// A tensor's elements as an object, which later writes go through; those with gradients as they are now.
    pub(super) fn elements(this: &Bound<'_, DrjitArray>) -> Fallible<Py<PyAny>> {
        let py = this.py();
        if let Contents::Shaped(_, elements, _) = &this.borrow().contents {
            return Ok(elements.clone_ref(py).into_any());
        }
        let x = this.borrow().value(py)?;
        let (ty, shape) = (x.ty(), x.shape().unwrap_or_default());
        let own = !ivy_drjit::grad_enabled(&x);
        let flat = object(py, ivy_drjit::ravel(x, ivy_drjit::Order::C).map_err(failure)?)?;
        // The one element of single values is a number.
        if let (true, Ok(elements)) = (own, flat.bind(py).cast::<DrjitArray>()) {
            elements.borrow_mut().serial = this.borrow().serial;
            let elements = elements.clone().unbind();
            this.try_borrow_mut().map_err(PyErr::from)?.contents = Contents::Shaped(ty, elements, shape);
        }
        Ok(flat)
    }

    /// A component as an object, which later writes go through.
    pub(super) fn part(this: &Bound<'_, DrjitArray>, place: usize) -> Fallible<Py<PyAny>> {
        let py = this.py();
        if let Contents::Parts(_, parts) = &this.borrow().contents {
            return Ok(parts[place].clone_ref(py).into_any());
        }
        let x = this.borrow().value(py)?;
        let single = x
            .ty()
            .entry()
            .is_some_and(|entry| entry.kind() == Kind::Flat && entry.backend_v() == JitBackend::None);
        if single {
            return object(py, x.entries()[place].clone());
        }
        let mut parts = Vec::with_capacity(x.len());
        let serial = this.borrow().serial;
        for entry in x.entries() {
            let part =
                object(py, entry.clone())?.into_bound(py).cast_into::<DrjitArray>().map_err(PyErr::from)?;
            // What is written to it is written to the whole, and as old as that.
            part.borrow_mut().serial = serial;
            parts.push(part.unbind());
        }
        let part = parts[place].clone_ref(py).into_any();
        this.try_borrow_mut().map_err(PyErr::from)?.contents = Contents::Parts(x.ty(), parts);
        Ok(part)
    }

    /// Replaces a component by an object of its type, or what one is made of.
    pub(super) fn set_part(
        this: &Bound<'_, DrjitArray>,
        place: usize,
        value: &Bound<'_, PyAny>,
    ) -> Fallible<()> {
        let py = this.py();
        let mut x = this.borrow().value(py)?;
        let held = match value.cast::<DrjitArray>() {
            Ok(own) if Some(own.borrow().ty()) == x.ty().entry() => Some(own.clone().unbind()),
            _ => None,
        };
        if let Some(held) = held {
            DrjitArray::note(this, false)?;
            DrjitArray::part(this, place)?;
            if let Contents::Parts(_, parts) = &mut this.try_borrow_mut().map_err(PyErr::from)?.contents {
                parts[place] = held;
                return Ok(());
            }
        }
        let new = super::convert::arg(value)?;
        here(py, || x.set(place as i64, new))?;
        DrjitArray::set(this, x)
    }
}
