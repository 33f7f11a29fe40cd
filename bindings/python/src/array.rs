//! The array object: a handle to an ivy array, with the attributes and methods of the standard.

use crate::captured;
use crate::error::{Fallible, type_error};
use crate::views::{self, Links};
use crate::{context, dtype, index, origin, signals, special, value};
use ivy::host::HostArray;
use ivy::{Array, Scalar};
use pyo3::exceptions::{PyNotImplementedError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// How many array objects live: what the leak tests count.
static LIVE: AtomicUsize = AtomicUsize::new(0);

/// How many array objects live.
#[pyfunction]
pub(crate) fn live_arrays() -> usize {
    LIVE.load(Ordering::Relaxed)
}

/// Work on this many elements is done without the interpreter's lock; below it, giving the lock away and
/// taking it back would cost more than the work.
const LARGE: usize = 1 << 14;

/// An n-dimensional array of one dtype on one backend.
///
/// Indexing gives values, never views: a write to an array is seen through that object only. Arrays of frontends, which
/// derive from this class, have the views of their frameworks.
#[pyclass(name = "Array", module = "ivyrs", weakref, subclass)]
pub(crate) struct PyArray {
    /// What it holds; of a view, nothing from a write to its owner until it is read.
    inner: OnceLock<Array>,
    /// Of an array that is a view, or has views.
    pub(crate) links: OnceLock<Links>,
    /// How often operations in place have changed its elements; of a view, its owner's counts.
    pub(crate) version: AtomicU32,
}

impl PyArray {
    #[inline]
    pub(crate) fn new(inner: Array) -> PyArray {
        LIVE.fetch_add(1, Ordering::Relaxed);
        PyArray { inner: OnceLock::from(inner), links: OnceLock::new(), version: AtomicU32::new(0) }
    }

    /// A view that has not been read; its links are to be set before anything else sees it.
    pub(crate) fn unread() -> PyArray {
        LIVE.fetch_add(1, Ordering::Relaxed);
        PyArray { inner: OnceLock::new(), links: OnceLock::new(), version: AtomicU32::new(0) }
    }

    /// The array; of a view, its owner's elements as they are now.
    #[inline]
    pub(crate) fn array(&self) -> Fallible<&Array> {
        match self.inner.get() {
            Some(array) => Ok(array),
            None => self.read(),
        }
    }

    /// Whether it holds elements.
    pub(crate) fn is_read(&self) -> bool {
        self.inner.get().is_some()
    }

    /// The array, if it has been read.
    pub(crate) fn held(&self) -> Option<&Array> {
        self.inner.get()
    }

    #[cold]
    fn read(&self) -> Fallible<&Array> {
        let Some(Links::View(reader)) = self.links.get() else {
            return Err(PyRuntimeError::new_err("an array without elements").into());
        };
        let array = reader.read()?;
        Ok(self.inner.get_or_init(|| array))
    }

    /// The array of an object that is no view, to be written to.
    pub(crate) fn array_mut(&mut self) -> Fallible<&mut Array> {
        self.array()?;
        match self.inner.get_mut() {
            Some(array) => Ok(array),
            None => Err(PyRuntimeError::new_err("an array without elements").into()),
        }
    }

    /// Makes an array what this holds.
    pub(crate) fn set(&mut self, array: Array) {
        self.inner = OnceLock::from(array);
    }

    /// Makes a view read anew when it is asked the next time.
    pub(crate) fn forget(&mut self) {
        if matches!(self.links.get(), Some(Links::View(_))) {
            self.inner.take();
        }
    }

    /// Changes what an object holds: in place where nothing else has to do with it.
    pub(crate) fn change(
        object: &Bound<'_, PyArray>,
        change: impl FnOnce(&mut Array) -> ivy::Result<()>,
    ) -> Fallible<()> {
        if object.borrow().links.get().is_none() {
            captured::note(object)?;
            return Ok(change(object.try_borrow_mut().map_err(PyErr::from)?.array_mut()?)?);
        }
        let mut array = object.borrow().array()?.clone();
        change(&mut array)?;
        views::put(object, array)
    }

    /// The elements in host memory, for a function that errors name; what is pending is evaluated without the
    /// interpreter's lock.
    pub(crate) fn host(&self, py: Python<'_>, function: &'static str) -> Fallible<HostArray> {
        const ARGUMENT: &str = "the array";
        if !self.array()?.backend().is_lazy() {
            return Ok(self.array()?.read_for(function, ARGUMENT)?);
        }
        let array = self.array()?.clone();
        Ok(detached(py, move || array.read_for(function, ARGUMENT))?)
    }

    /// The array as text.
    fn text(&self, py: Python<'_>, repr: bool) -> Fallible<String> {
        let options = Self::print_options(py)?;
        let array = self.array()?;
        Ok(unlocked(py, if array.backend().is_lazy() { usize::MAX } else { 0 }, || {
            array.to_text(repr, &options)
        })?)
    }

    /// How elements are written in the scope that is open.
    fn print_options(py: Python<'_>) -> PyResult<ivy::print::PrintOptions> {
        let precision = context::settings(py)?.modes.array_significant_figures;
        Ok(ivy::print::PrintOptions { precision, ..Default::default() })
    }

    /// The one element of an array without axes, for what takes it as it is: a truth value, a whole number, a text.
    fn number(&self, py: Python<'_>, what: &'static str) -> Fallible<Scalar> {
        self.check_one(what)?;
        let constant = ivy::stop_gradient(self.array()?)?;
        Ok(PyArray::new(constant).host(py, what)?.scalar_at(0)?)
    }

    /// The one element of an array without axes.
    fn real_number(&self, py: Python<'_>, what: &'static str) -> Fallible<Scalar> {
        self.check_one(what)?;
        Ok(self.host(py, what)?.scalar_at(0)?)
    }

    fn check_one(&self, what: &'static str) -> Fallible<()> {
        if self.array()?.ndim() != 0 {
            let (shape, size) = (self.array()?.shape(), self.array()?.size());
            let text = format!("{what}() needs an array without axes, this one has shape {shape}");
            // The truth of several elements is a wrong question; one element in axes a wrong type.
            return match what == "bool" && size != 1 {
                true => Err(PyValueError::new_err(format!("{text}; use any() or all()")).into()),
                false => type_error(text),
            };
        }
        Ok(())
    }
}

impl Drop for PyArray {
    #[inline]
    fn drop(&mut self) {
        LIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Runs work on arrays of so many elements: if it is long, without the interpreter's lock, and so that Ctrl-C ends it.
#[inline]
pub(crate) fn unlocked<T: Send, E: Send + From<ivy::Error>>(
    py: Python<'_>,
    size: usize,
    work: impl FnOnce() -> Result<T, E> + Send,
) -> Result<T, E> {
    if size < LARGE { work() } else { detached(py, work) }
}

/// Runs long work.
pub(crate) fn detached<T: Send, E: Send + From<ivy::Error>>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, E> + Send,
) -> Result<T, E> {
    signals::during(|| origin::detached(py, work))
}

/// True if work on an array is worth giving the lock away.
#[inline]
pub(crate) fn is_large(array: &Array) -> bool {
    array.size() >= LARGE
}

#[pymethods]
impl PyArray {
    /// The dtype of the elements.
    #[getter]
    fn dtype(&self, py: Python<'_>) -> Fallible<Py<dtype::PyDtype>> {
        Ok(dtype::object(py, self.array()?.dtype()).clone_ref(py))
    }

    /// The device that holds the elements.
    #[getter]
    fn device(&self) -> Fallible<String> {
        Ok(special::device_of(self.array()?.backend()))
    }

    /// The backend that holds the array, by its name.
    #[getter]
    fn backend(&self) -> Fallible<String> {
        Ok(self.array()?.backend().name().to_string())
    }

    /// How many axes there are.
    #[getter]
    fn ndim(&self) -> Fallible<usize> {
        Ok(self.array()?.ndim())
    }

    /// The lengths of the axes.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> Fallible<Bound<'py, PyTuple>> {
        Ok(PyTuple::new(py, self.array()?.shape().iter())?)
    }

    /// How many elements there are.
    #[getter]
    fn size(&self) -> Fallible<usize> {
        Ok(self.array()?.size())
    }

    /// How many bytes the elements take in memory.
    #[getter]
    fn nbytes(&self) -> Fallible<usize> {
        Ok(self.array()?.size() * self.array()?.dtype().bytes())
    }

    /// The width of an element in memory, in bytes.
    #[getter]
    fn itemsize(&self) -> Fallible<usize> {
        Ok(self.array()?.dtype().bytes())
    }

    /// The transpose of a matrix.
    #[getter(T)]
    fn transpose(&self) -> Fallible<PyArray> {
        if self.array()?.ndim() != 2 {
            let text = format!(
                "T needs two axes, this array has shape {}; use mT or permute_dims",
                self.array()?.shape()
            );
            return Err(PyValueError::new_err(text).into());
        }
        Ok(PyArray::new(ivy::matrix_transpose(self.array()?)?))
    }

    /// Each matrix transposed: the last two axes change places.
    #[getter(mT)]
    fn matrix_transpose(&self) -> Fallible<PyArray> {
        Ok(PyArray::new(ivy::matrix_transpose(self.array()?)?))
    }

    #[pyo3(signature = (*, api_version=None))]
    fn __array_namespace__<'py>(
        &self,
        py: Python<'py>,
        api_version: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let module = py.import("ivyrs._namespace")?;
        module.call_method1(
            "of_array",
            (crate::Backend(crate::context::root(self.array()?.backend())), api_version),
        )
    }

    /// The array on a device of its backend; `to_backend` moves to another backend.
    #[pyo3(signature = (device, /, *, stream=None))]
    fn to_device(
        slf: Bound<'_, PyArray>,
        device: &str,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> Fallible<Py<PyAny>> {
        if stream.is_some() {
            return type_error("to_device(): the devices of ivyrs have no streams");
        }
        special::check_device(slf.borrow().array()?.backend(), device)?;
        Ok(slf.into_any().unbind())
    }

    /// The array on another backend, by its name, such as "jit:llvm".
    #[pyo3(signature = (backend, /))]
    fn to_backend(&self, py: Python<'_>, backend: &str) -> Fallible<PyArray> {
        let to = ivy::backend::backend(backend)?;
        let array = self.array()?.clone();
        Ok(PyArray::new(detached(py, move || array.to_backend(&to))?))
    }

    /// Computes the elements if that was put off, and waits until they are there.
    fn wait(&self, py: Python<'_>) -> Fallible<()> {
        let array = self.array()?.clone();
        Ok(detached(py, move || ivy::wait([&array]))?)
    }

    /// The elements as nested lists of Python numbers.
    fn tolist<'py>(&self, py: Python<'py>) -> Fallible<Bound<'py, PyAny>> {
        value::to_list(py, &self.host(py, "tolist")?)
    }

    /// The only element as a Python number.
    fn item<'py>(&self, py: Python<'py>) -> Fallible<Bound<'py, PyAny>> {
        if self.array()?.size() != 1 {
            let text =
                format!("item() needs exactly one element, this array has shape {}", self.array()?.shape());
            return Err(PyValueError::new_err(text).into());
        }
        Ok(value::to_python(py, self.host(py, "item")?.scalar_at(0)?)?)
    }

    fn __bool__(&self, py: Python<'_>) -> Fallible<bool> {
        Ok(self.number(py, "bool")?.to_bool())
    }

    fn __int__<'py>(&self, py: Python<'py>) -> Fallible<Bound<'py, PyAny>> {
        match self.number(py, "int")? {
            Scalar::Complex(_) => type_error("int() of a complex array: take real() first"),
            // Python's own rules for NaN and infinities.
            Scalar::Float(x) => Ok(value::to_python(py, Scalar::Float(x))?.call_method0("__int__")?),
            other => Ok(value::to_python(py, Scalar::Int(other.to_i128()))?),
        }
    }

    fn __float__(&self, py: Python<'_>) -> Fallible<f64> {
        match self.real_number(py, "float")? {
            Scalar::Complex(_) => type_error("float() of a complex array: take real() first"),
            other => Ok(other.to_f64()),
        }
    }

    fn __complex__<'py>(&self, py: Python<'py>) -> Fallible<Bound<'py, PyAny>> {
        Ok(value::to_python(py, Scalar::Complex(self.real_number(py, "complex")?.to_complex()))?)
    }

    fn __index__<'py>(&self, py: Python<'py>) -> Fallible<Bound<'py, PyAny>> {
        if !self.array()?.dtype().is_int() {
            return type_error(format!(
                "an index has an integer dtype, this array's is {}",
                self.array()?.dtype()
            ));
        }
        Ok(value::to_python(py, self.number(py, "index")?)?)
    }

    fn __len__(&self) -> Fallible<usize> {
        match self.array()?.shape().first() {
            Some(&len) => Ok(len),
            None => type_error("an array without axes has no length"),
        }
    }

    fn __iter__(slf: &Bound<'_, PyArray>) -> Fallible<Py<PyAny>> {
        let parts = {
            let this = slf.borrow();
            if this.array()?.ndim() == 0 {
                return type_error("an array without axes cannot be walked along");
            }
            ivy::unstack(this.array()?, ())?
        };
        let parts = PyTuple::new(slf.py(), parts.into_iter().map(PyArray::new))?;
        Ok(parts.try_iter()?.into_any().unbind())
    }

    fn __contains__(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> Fallible<bool> {
        let value = value::operand(Some(value), "__contains__", "value")?;
        let found = ivy::any(ivy::equal(self.array()?, value)?, ())?;
        PyArray::new(found).__bool__(py)
    }

    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> Fallible<PyArray> {
        let indices = index::parse(key, self.array()?.backend())?;
        let array = self.array()?;
        Ok(PyArray::new(unlocked(py, array.size(), || array.get(&indices[..]))?))
    }

    fn __setitem__(
        slf: &Bound<'_, PyArray>,
        key: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
    ) -> Fallible<()> {
        let backend = slf.borrow().array()?.backend().clone();
        let indices = index::parse(key, &backend)?;
        let value = match value::operand(Some(value), "__setitem__", "value") {
            Ok(operand) if !value.is_none() => operand,
            _ => ivy::Operand::Array(std::borrow::Cow::Owned(special::to_array(value, &backend)?)),
        };
        PyArray::change(slf, |array| array.set(&indices[..], value))
    }

    fn __delitem__(&self, _key: &Bound<'_, PyAny>) -> Fallible<()> {
        Err(PyTypeError::new_err("elements of an array cannot be deleted").into())
    }

    fn __repr__(&self, py: Python<'_>) -> Fallible<String> {
        Ok(self.text(py, true)?.replacen("array(", "Array(", 1))
    }

    fn __str__(&self, py: Python<'_>) -> Fallible<String> {
        self.text(py, false)
    }

    fn __format__(slf: &Bound<'_, PyArray>, spec: &str) -> Fallible<String> {
        let this = slf.borrow();
        if spec.is_empty() {
            return this.__str__(slf.py());
        }
        let number = this.number(slf.py(), "format")?;
        Ok(value::to_python(slf.py(), number)?.call_method1("__format__", (spec,))?.extract()?)
    }

    /// Copies share the elements until one is written to.
    fn __copy__(&self) -> Fallible<PyArray> {
        Ok(PyArray::new(self.array()?.clone()))
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Fallible<PyArray> {
        Ok(PyArray::new(self.array()?.clone()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Fallible<Bound<'py, PyTuple>> {
        let host = self.host(py, "__reduce__")?;
        let bytes = pyo3::types::PyBytes::new(py, &special::row_major_bytes(&host)?);
        let backend = special::place_of(self.array()?.backend());
        let state = (backend, self.array()?.dtype().name(), self.shape(py)?, bytes);
        Ok((py.import("ivyrs._ivyrs")?.getattr("rebuild")?, state).into_pyobject(py)?)
    }

    /// NumPy's functions and operators leave these arrays alone; `numpy.asarray` converts without a copy.
    #[classattr]
    fn __array_ufunc__() -> Option<Py<PyAny>> {
        None
    }

    /// What NumPy has no dtype for comes here; all else goes through the buffer protocol.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        slf: &Bound<'py, PyArray>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> Fallible<Bound<'py, PyAny>> {
        let py = slf.py();
        if slf.borrow().array()?.dtype() == ivy::Dtype::BFLOAT16 {
            return type_error("NumPy has no bfloat16; astype float32 first");
        }
        let keywords = pyo3::types::PyDict::new(py);
        if let Some(dtype) = dtype {
            keywords.set_item("dtype", dtype)?;
        }
        if copy == Some(true) {
            keywords.set_item("copy", true)?;
        }
        // NumPy forgets why there is no buffer: what is to say is said here.
        slf.borrow().host(py, "__array__")?;
        let view = pyo3::types::PyMemoryView::from(slf.as_any())?;
        Ok(py.import("numpy")?.call_method("array", (view,), Some(&keywords))?)
    }

    fn __invert__(&self) -> Fallible<PyArray> {
        Ok(PyArray::new(ivy::bitwise_invert(self.array()?)?))
    }

    fn __neg__(&self, py: Python<'_>) -> Fallible<PyArray> {
        let _scope = context::enter(py, None)?;
        Ok(PyArray::new(ivy::negative(self.array()?)?))
    }

    fn __pos__(&self, py: Python<'_>) -> Fallible<PyArray> {
        let _scope = context::enter(py, None)?;
        Ok(PyArray::new(ivy::positive(self.array()?)?))
    }

    fn __abs__(&self, py: Python<'_>) -> Fallible<PyArray> {
        let _scope = context::enter(py, None)?;
        Ok(PyArray::new(ivy::abs(self.array()?)?))
    }

    fn __round__(&self) -> PyResult<()> {
        Err(PyNotImplementedError::new_err("round() of an array: use the function round of its namespace"))
    }
}
