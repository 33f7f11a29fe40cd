//! The classes of arrays by their types.

use super::object::DrjitArray;
use super::types::{DrjitType, has_backend, type_names};
use ivy::hash::WordHash;
use ivy_drjit::{ArrayType, Size};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The attribute by which a class knows its type.
pub(super) const TYPE: &str = "_drjit_type";

/// By the packed number of a type: asked for every object that is made.
type Classes = HashMap<u64, Py<PyType>, WordHash>;

static CLASSES: Mutex<Option<Classes>> = Mutex::new(None);

/// A type as a number: how deep it is, its package, kind and elements, and its levels.
fn packed(ty: ArrayType) -> u64 {
    let package = ty.package();
    let head = (package.backend as u64) << 1 | u64::from(package.ad);
    let head = head << 8 | (ty.kind() as u64) << 4 | ty.dtype() as u64;
    let level = |size: &Size| if let Size::Fixed(n) = size { u64::from(*n) } else { 1 << 8 };
    let levels = ty.sizes().iter().fold(head, |all, size| all << 9 | level(size));
    (ty.depth() as u64) << 60 | levels
}

fn classes() -> MutexGuard<'static, Option<Classes>> {
    CLASSES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says which class a type's arrays are of.
#[pyfunction]
fn register_class(ty: &DrjitType, class: Bound<'_, PyType>) {
    classes().get_or_insert_default().insert(packed(ty.0), class.unbind());
    RECENT.with_borrow_mut(|recent| *recent = Default::default());
}

/// Classes that this thread asked for last, at places of their types' numbers: programs have arrays of a few types.
type Recent = [Option<(u64, Py<PyType>)>; 8];

thread_local! {
    static RECENT: RefCell<Recent> = RefCell::default();
}

/// Calls a function with the class of a type, which derives from [`DrjitArray`]'s.
///
/// # Errors
/// `TypeError` for types whose values are Python's own numbers.
pub(super) fn with_class<T>(
    py: Python<'_>,
    ty: ArrayType,
    f: impl FnOnce(&Bound<'_, PyType>) -> PyResult<T>,
) -> PyResult<T> {
    let number = packed(ty);
    let place = (WordHash::default().hash_one(number) >> 61) as usize;
    let known = RECENT.with_borrow(|recent| match &recent[place] {
        Some((of, class)) if *of == number => Some(class.clone_ref(py)),
        _ => None,
    });
    if let Some(class) = known {
        return f(class.bind(py));
    }
    let class = class_of(py, ty)?;
    if !class.is_subclass_of::<DrjitArray>()? {
        return Err(PyTypeError::new_err(format!("{} is no class of arrays", class.name()?)));
    }
    RECENT.with_borrow_mut(|recent| recent[place] = Some((number, class.clone().unbind())));
    f(&class)
}

/// The class of a type. Those that no package lists, of rare levels, are made when they are needed.
pub(super) fn class_of(py: Python<'_>, ty: ArrayType) -> PyResult<Bound<'_, PyType>> {
    let known = classes().get_or_insert_default().get(&packed(ty)).map(|class| class.bind(py).clone());
    match known {
        Some(class) => Ok(class),
        None => {
            static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
            let make = MAKE.get_or_try_init(py, || {
                py.import("ivyrs.drjit._classes")?.getattr("make_class").map(Bound::unbind)
            })?;
            Ok(make.bind(py).call1((DrjitType(ty),))?.cast_into::<PyType>()?)
        }
    }
}

/// The class of a type, as Python has it: numbers of Python's own are the single values.
#[pyfunction]
pub(super) fn class_of_type<'py>(py: Python<'py>, ty: &DrjitType) -> PyResult<Bound<'py, PyType>> {
    class_of(py, ty.0)
}

/// The type of a class.
pub(super) fn type_of(class: &Bound<'_, PyAny>) -> PyResult<ArrayType> {
    Ok(class.getattr(TYPE)?.cast::<DrjitType>()?.get().0)
}

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(register_class, module)?)?;
    module.add_function(wrap_pyfunction!(class_of_type, module)?)?;
    module.add_function(wrap_pyfunction!(type_names, module)?)?;
    module.add_function(wrap_pyfunction!(has_backend, module)?)
}
