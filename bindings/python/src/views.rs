//! Array objects that are views of others: reads follow the array that they are views of, writes go through to it.
//!
//! A view holds the object that owns the elements, and its own array for as long as the owner is not written to. The
//! owner knows by weak references which views hold one: a write makes them forget it, so that storage that nobody else
//! reads is written in place, and they read it anew when they are asked. Objects of ivyrs itself are never views.

use crate::array::PyArray;
use crate::captured;
use crate::error::{Failure, Fallible};
use crate::frontends::PyTorchTensor;
use ivy::Array;
use ivy_frontend::autograd::{Began, Place, WeakTensor};
use ivy_frontend::{Frontend, View, autograd};
use pyo3::prelude::*;
use pyo3::types::{PyWeakrefMethods, PyWeakrefReference};
use smallvec::SmallVec;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What ties an array object to others.
pub(crate) enum Links {
    /// It owns elements that views read.
    Owner(Mutex<Readers>),
    /// It is a view.
    View(Box<Reader>),
}

/// The views of an owner that hold an array of their own.
#[derive(Default)]
pub(crate) struct Readers {
    references: Vec<(Py<PyWeakrefReference>, Option<WeakTensor>)>,
    /// How many there may be before those of objects that are gone are dropped.
    most: usize,
    /// The leaf of a graph whose gradient the elements are, and which one, as long as no other was set.
    gradient_of: Option<(Array, u64)>,
}

/// How a view reads.
pub(crate) struct Reader {
    owner: Py<PyArray>,
    view: View,
    frontend: &'static Frontend,
    /// Of the view itself, for its owner.
    reference: Py<PyWeakrefReference>,
    /// Where it is in the graph of derivatives, if it keeps that whatever is written to others.
    place: Option<Place>,
}

fn locked(readers: &Mutex<Readers>) -> MutexGuard<'_, Readers> {
    readers.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Readers {
    fn add(&mut self, py: Python<'_>, reference: &Py<PyWeakrefReference>, array: Option<WeakTensor>) {
        if self.references.len() >= self.most {
            let is_held = |array: &Option<WeakTensor>| array.as_ref().is_some_and(WeakTensor::is_there);
            self.references.retain(|(view, array)| is_held(array) || view.bind(py).upgrade().is_some());
            self.most = (2 * self.references.len()).max(16);
        }
        self.references.push((reference.clone_ref(py), array));
    }
}

impl Reader {
    /// The view's elements, of the owner's as they are now.
    pub(crate) fn read(&self) -> Fallible<Array> {
        Python::attach(|py| {
            let owner = self.owner.bind(py).borrow();
            // Where it is read for the first time does not change what the view is of the graph.
            let read = |base: &Array| self.view.read(base).map(autograd::as_result).map_err(Failure::from);
            let array = match &self.place {
                Some(place) => place.with(&read(&autograd::detached(owner.array()?))?),
                None => autograd::enable_grad(|| read(owner.array()?))?,
            };
            owner.has_reader(py, &self.reference, WeakTensor::of(&array));
            Ok(array)
        })
    }
}

impl PyArray {
    /// Notes where a view is in the graph of derivatives, ahead of what makes it read anew.
    fn keep_place(&mut self) {
        let Some(place) = self.held().map(Place::of) else { return };
        if let Some(Links::View(reader)) = self.links.get_mut()
            && reader.frontend.views_keep_graph()
        {
            reader.place = Some(place);
        }
    }

    /// Notes a view that reads an array of this one's elements, which nodes of a graph may outlive it with.
    fn has_reader(&self, py: Python<'_>, reference: &Py<PyWeakrefReference>, array: Option<WeakTensor>) {
        if let Links::Owner(readers) = self.links.get_or_init(|| Links::Owner(Mutex::default())) {
            locked(readers).add(py, reference, array);
        }
    }
}

/// The object that owns an array's elements, and which of them the array has.
pub(crate) fn view_of<'py>(object: &Bound<'py, PyArray>) -> Fallible<(Bound<'py, PyArray>, View)> {
    let this = object.borrow();
    Ok(match this.links.get() {
        Some(Links::View(reader)) => (reader.owner.bind(object.py()).clone(), reader.view.clone()),
        _ => (object.clone(), View::whole(this.array()?)),
    })
}

/// Makes a new object a view of what an owner has. One that has not been read is no reader of the owner yet.
pub(crate) fn attach(
    object: &Bound<'_, PyArray>,
    owner: &Bound<'_, PyArray>,
    view: View,
    frontend: &'static Frontend,
) -> Fallible<()> {
    let py = object.py();
    let reference = PyWeakrefReference::new(object.as_any())?.unbind();
    if object.borrow().is_read() {
        let array = WeakTensor::of(object.borrow().array()?);
        owner.borrow().has_reader(py, &reference, array);
    }
    let reader = Reader { owner: owner.clone().unbind(), view, frontend, reference, place: None };
    // A new object has no links.
    let _ = object.borrow().links.set(Links::View(Box::new(reader)));
    Ok(())
}

/// Makes an array what an object holds: of a view, its elements in the owner.
pub(crate) fn put(object: &Bound<'_, PyArray>, array: Array) -> Fallible<()> {
    let py = object.py();
    let found = match object.borrow().links.get() {
        Some(Links::View(reader)) => {
            let Reader { owner, view, frontend, .. } = &**reader;
            Some((owner.bind(py).clone(), view.clone(), *frontend))
        }
        _ => None,
    };
    match found {
        Some((owner, view, frontend)) if frontend.views_keep_graph() => {
            share(&owner, &view, frontend, &array)?;
            let place = Place::of(&array);
            let mut this = object.try_borrow_mut().map_err(PyErr::from)?;
            if let Some(Links::View(reader)) = this.links.get_mut() {
                reader.place = Some(place);
            }
            Ok(())
        }
        Some((owner, view, frontend)) => write(&owner, &view, frontend, array),
        None => {
            forget(object)?;
            captured::note(object)?;
            object.try_borrow_mut().map_err(PyErr::from)?.set(array);
            mirror(object)
        }
    }
}

/// Makes an object that of a leaf's gradient, as it was set last: what is written to it, and to its views, is the leaf's.
pub(crate) fn follow_gradient(object: &Bound<'_, PyArray>, leaf: &Array, gradient: Array) -> Fallible<()> {
    let Some((_, version)) = autograd::grad_version(leaf) else { return Ok(()) };
    let followed = match object.borrow().links.get() {
        Some(Links::Owner(readers)) => locked(readers).gradient_of.as_ref().map(|(_, version)| *version),
        _ => None,
    };
    if followed == Some(version) {
        return Ok(());
    }
    forget(object)?;
    object.try_borrow_mut().map_err(PyErr::from)?.set(gradient);
    if let Links::Owner(readers) = object.borrow().links.get_or_init(|| Links::Owner(Mutex::default())) {
        locked(readers).gradient_of = Some((leaf.clone(), version));
    }
    Ok(())
}

/// Has a leaf's gradient be what was written to its object.
fn mirror(object: &Bound<'_, PyArray>) -> Fallible<()> {
    let this = object.borrow();
    let Some(Links::Owner(readers)) = this.links.get() else { return Ok(()) };
    let mut readers = locked(readers);
    let Some((leaf, version)) = &mut readers.gradient_of else { return Ok(()) };
    let current = |leaf: &Array| autograd::grad_version(leaf).map(|(_, version)| version);
    if current(leaf) == Some(*version) {
        autograd::set_grad(leaf, Some(this.array()?.clone()))?;
        *version = current(leaf).unwrap_or_default();
    }
    Ok(())
}

/// Gives a view elements of its own: from here on neither sees what is written to the other.
pub(crate) fn own(object: &Bound<'_, PyArray>) -> Fallible<()> {
    if !matches!(object.borrow().links.get(), Some(Links::View(_))) {
        return Ok(());
    }
    let array = object.borrow().array()?.clone();
    let mut this = object.try_borrow_mut().map_err(PyErr::from)?;
    this.links.take();
    this.set(array);
    Ok(())
}

/// Does what replaces elements of an object in place: PyTorch refuses the gradients of what used them before it began. What
/// is written outside of the graph, to `x.data`, does not count.
pub(crate) fn in_place(
    object: &Bound<'_, PyArray>,
    began: Began,
    replace: impl FnOnce() -> Fallible<()>,
) -> Fallible<()> {
    let (owner, view) = view_of(object)?;
    if view.is_detached() {
        return replace();
    }
    let mut replaced: SmallVec<[WeakTensor; 2]> = SmallVec::new();
    if object.is_instance_of::<PyTorchTensor>() {
        let owner = owner.borrow();
        replaced.extend(WeakTensor::of(owner.array()?));
        if let Some(Links::Owner(readers)) = owner.links.get() {
            replaced.extend(locked(readers).references.iter().filter_map(|(_, array)| array.clone()));
        }
    }
    replace()?;
    owner.borrow().version.fetch_add(1, Ordering::Relaxed);
    replaced.iter().for_each(|array| array.overwritten(began));
    Ok(())
}

/// Writes to a part of what an owner holds.
pub(crate) fn write(
    owner: &Bound<'_, PyArray>,
    view: &View,
    frontend: &'static Frontend,
    array: Array,
) -> Fallible<()> {
    forget(owner)?;
    captured::note(owner)?;
    let mut own = owner.try_borrow_mut().map_err(PyErr::from)?;
    let result = view.write(frontend, own.array_mut()?, array);
    drop(own);
    result.map_err(|e| crate::frontends::failure(owner.py(), frontend, &e))?;
    mirror(owner)
}

/// Writes elements to a part of what an owner holds: the tensors that share them keep their places in the graph of derivatives.
fn share(
    owner: &Bound<'_, PyArray>,
    view: &View,
    frontend: &'static Frontend,
    array: &Array,
) -> Fallible<()> {
    forget(owner)?;
    captured::note(owner)?;
    let mut own = owner.try_borrow_mut().map_err(PyErr::from)?;
    let written = match autograd::requires_grad(own.array()?) {
        // In place, where nobody else reads the storage.
        false => view.write(frontend, own.array_mut()?, autograd::detached(array)).map(|()| None),
        true => {
            let (place, mut elements) = (Place::of(own.array()?), autograd::detached(own.array()?));
            let written = view.write(frontend, &mut elements, autograd::detached(array));
            written.map(|()| Some(place.with(&elements)))
        }
    };
    if let Some(array) = written.map_err(|e| crate::frontends::failure(owner.py(), frontend, &e))? {
        own.set(array);
    }
    drop(own);
    mirror(owner)
}

/// Makes the views of an owner read anew when they are asked the next time.
fn forget(owner: &Bound<'_, PyArray>) -> Fallible<()> {
    let py = owner.py();
    let references = match owner.borrow().links.get() {
        Some(Links::Owner(readers)) => std::mem::take(&mut locked(readers).references),
        _ => return Ok(()),
    };
    let mut left = references.into_iter();
    while let Some((reference, array)) = left.next() {
        let Some(object) = reference.bind(py).upgrade() else { continue };
        let view = object.cast::<PyArray>().map_err(PyErr::from)?;
        match view.try_borrow_mut() {
            Ok(mut view) => {
                view.keep_place();
                view.forget();
            }
            Err(error) => {
                // Nothing is written then: the others still read what the owner has.
                let owner = owner.borrow();
                let rest = std::iter::once((reference, array)).chain(left);
                rest.for_each(|(view, array)| owner.has_reader(py, &view, array));
                return Err(PyErr::from(error).into());
            }
        }
    }
    Ok(())
}

/// The object that an array is a view of; `None` for one with elements of its own.
#[pyfunction]
pub(crate) fn view_base<'py>(array: &Bound<'py, PyArray>) -> Fallible<Option<Bound<'py, PyArray>>> {
    let this = array.borrow();
    Ok(match this.links.get() {
        Some(Links::View(reader)) => Some(reader.owner.bind(array.py()).clone()),
        _ => None,
    })
}

/// How often operations in place have changed the elements, of an array and of its views together: PyTorch's `_version`.
#[pyfunction]
pub(crate) fn view_version(array: &Bound<'_, PyArray>) -> Fallible<u32> {
    let (owner, _) = view_of(array)?;
    let version = owner.borrow().version.load(Ordering::Relaxed);
    Ok(version)
}

/// The place of the first element and the strides, both in elements, whether it can be written to, and whether its
/// elements follow each other in row-major order.
#[pyfunction]
pub(crate) fn view_layout(array: &Bound<'_, PyArray>) -> Fallible<(usize, Vec<isize>, bool, bool)> {
    let (_, view) = view_of(array)?;
    Ok((view.offset(), view.strides().to_vec(), view.is_writable(), view.is_contiguous()))
}

/// Gives an array the shape of what reshaping it gave; false where that is a copy.
#[pyfunction]
pub(crate) fn view_reshape(array: &Bound<'_, PyArray>, reshaped: &Bound<'_, PyArray>) -> Fallible<bool> {
    let (owner, view) = view_of(reshaped)?;
    if owner.is(reshaped) {
        return Ok(false);
    }
    let elements = reshaped.borrow().array()?.clone();
    let mut this = array.try_borrow_mut().map_err(PyErr::from)?;
    if let Some(Links::View(reader)) = this.links.get_mut() {
        reader.view = view;
    }
    this.set(elements);
    Ok(true)
}

/// Makes an array the view that rearranging it gave: `x.t_()`. One that owns its elements has them rearranged; false where
/// views read these.
#[pyfunction]
pub(crate) fn view_rearrange(array: &Bound<'_, PyArray>, rearranged: &Bound<'_, PyArray>) -> Fallible<bool> {
    let (owner, view) = view_of(rearranged)?;
    if !owner.is(array) && !owner.is(rearranged) {
        let elements = rearranged.borrow().array()?.clone();
        let mut this = array.try_borrow_mut().map_err(PyErr::from)?;
        if let Some(Links::View(reader)) = this.links.get_mut() {
            reader.view = view;
            this.set(elements);
            return Ok(true);
        }
    }
    replaced(array, rearranged)
}

/// Gives an array the elements and the shape of another one; false where views read what it has.
#[pyfunction]
pub(crate) fn replace_elements(array: &Bound<'_, PyArray>, by: &Bound<'_, PyArray>) -> Fallible<bool> {
    replaced(array, by)
}

fn replaced(array: &Bound<'_, PyArray>, by: &Bound<'_, PyArray>) -> Fallible<bool> {
    let elements = by.borrow().array()?.clone();
    set_unread(array, elements, |view| !view.is(by))
}

/// Gives an array other elements, of any shape; false where it is a view or views read what it has.
pub(crate) fn replace_whole(array: &Bound<'_, PyArray>, elements: Array) -> Fallible<bool> {
    set_unread(array, elements, |_| true)
}

fn set_unread(
    array: &Bound<'_, PyArray>,
    elements: Array,
    counts: impl Fn(Bound<'_, PyAny>) -> bool,
) -> Fallible<bool> {
    let py = array.py();
    let is_read = match array.borrow().links.get() {
        Some(Links::Owner(readers)) => {
            locked(readers).references.iter().any(|(view, _)| view.bind(py).upgrade().is_some_and(&counts))
        }
        Some(Links::View(_)) => true,
        None => false,
    };
    if is_read {
        return Ok(false);
    }
    array.try_borrow_mut().map_err(PyErr::from)?.set(elements);
    Ok(true)
}

/// Whether two arrays have an element in common.
#[pyfunction]
pub(crate) fn views_overlap(a: &Bound<'_, PyArray>, b: &Bound<'_, PyArray>) -> Fallible<bool> {
    let ((a, of_a), (b, of_b)) = (view_of(a)?, view_of(b)?);
    Ok(a.is(&b) && of_a.overlaps(&of_b))
}
