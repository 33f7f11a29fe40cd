//! The object of an array: what the classes of all types derive from.
//!
//! Dr.Jit's objects are changed in place, and the components of a nested array are objects of their own: what is written to
//! `v.x` is seen in `v`. The arrays within are values; an object says which one it holds now.

use super::classes::type_of;
use super::construct::construct;
use super::contents::Contents;
use super::convert::{array, evaluated, object};
use super::error::failure;
use super::indexing;
use super::operators::{Binary, binary, one, reflected, two};
use super::types::DrjitType;
use crate::array::PyArray;
use crate::error::{Fallible, type_error};
use ivy_drjit::{AnyArray, Kind};
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};

/// An array of any type.
#[pyclass(name = "ArrayBase", module = "ivyrs.drjit", subclass, weakref)]
pub(crate) struct DrjitArray {
    pub(super) contents: Contents,
    /// Greater than that of every older object of the thread.
    pub(super) serial: u64,
}

type Objects = Fallible<Py<PyAny>>;

/// The place of a component in a type that has one of the name.
fn place_of(this: &Bound<'_, DrjitArray>, name: &'static str) -> Fallible<usize> {
    let x = this.borrow().value(this.py())?;
    let place = match (name, x.ty().kind()) {
        ("real", Kind::Complex) => Some(0),
        ("imag", Kind::Complex) => Some(1),
        ("real", Kind::Quaternion) => Some(3),
        (_, Kind::Array) if x.ty().size() == Some(ivy_drjit::Size::Dynamic) => None,
        (_, Kind::Array | Kind::Quaternion) => ["x", "y", "z", "w"].iter().position(|own| *own == name),
        _ => None,
    };
    let missing = || ivy_drjit::Error::NoComponent { ty: x.ty(), name: name.into() };
    place.filter(|&place| place < x.len()).ok_or_else(|| failure(missing()))
}

fn component(this: &Bound<'_, DrjitArray>, name: &'static str) -> Objects {
    DrjitArray::part(this, place_of(this, name)?)
}

fn set_component(this: &Bound<'_, DrjitArray>, name: &'static str, value: &Bound<'_, PyAny>) -> Fallible<()> {
    DrjitArray::set_part(this, place_of(this, name)?, value)
}

#[pymethods]
impl DrjitArray {
    #[new]
    #[classmethod]
    #[pyo3(signature = (*args, **kwargs))]
    fn new(
        class: &Bound<'_, PyType>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> Fallible<DrjitArray> {
        let py = class.py();
        let ty = match type_of(class) {
            Ok(ty) => ty,
            Err(_) => return type_error(format!("{} is no type of arrays", class.name()?)),
        };
        let mut args = args.clone();
        let mut shape = None;
        for (name, value) in kwargs.iter().flat_map(|kwargs| kwargs.iter()) {
            let name: String = name.extract()?;
            match (name.as_str(), ty.kind()) {
                ("shape", Kind::Tensor) if shape.is_none() => shape = Some(value.extract::<Vec<usize>>()?),
                ("array", Kind::Tensor) if args.is_empty() => args = PyTuple::new(py, [value])?,
                _ => return type_error(format!("{ty}.__init__(): Unknown keyword argument `{name}`.")),
            }
        }
        if shape.is_some() && args.is_empty() {
            return type_error(format!("{ty}.__init__(): Input array must be specified."));
        }
        if ty.kind() == Kind::Tensor && args.len() == 2 && shape.is_none() {
            shape = Some(args.get_item(1)?.extract::<Vec<usize>>()?);
            args = PyTuple::new(py, [args.get_item(0)?])?;
        }
        Ok(DrjitArray::new_whole(construct(py, ty, &args, shape)?))
    }

    fn __repr__(&self, py: Python<'_>) -> Fallible<String> {
        let x = self.value(py)?;
        evaluated(py, || {
            ivy_drjit::eval(&x)?;
            ivy_drjit::format("{}", &[("", x.into())])
        })
    }

    fn __hash__(slf: &Bound<'_, Self>) -> isize {
        (slf.as_ptr() as isize) >> 4
    }

    fn __bool__(&self, py: Python<'_>) -> Fallible<bool> {
        let x = self.value(py)?;
        evaluated(py, || x.to_bool())
    }

    fn __len__(&self, py: Python<'_>) -> Fallible<usize> {
        Ok(match &self.contents {
            Contents::Whole(x)
                if x.ty().kind() == Kind::Tensor && x.shape().is_some_and(|s| s.is_empty()) =>
            {
                return type_error(format!("{}: a tensor without axes has no length", self.ty()));
            }
            Contents::Whole(x) => x.len(),
            Contents::Parts(_, parts) => parts.len(),
            Contents::Shaped(..) => self.value(py)?.len(),
        })
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> Fallible<Bound<'py, PyAny>> {
        let entries = indexing::entries(slf)?;
        Ok(PyList::new(slf.py(), entries)?.try_iter()?.into_any())
    }

    fn __getitem__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> Objects {
        indexing::get(slf, key)
    }

    fn __setitem__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> Fallible<()> {
        indexing::set(slf, key, value)
    }

    fn __richcmp__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>, op: CompareOp) -> Objects {
        let f: Binary = match op {
            CompareOp::Lt => binary!(ivy_drjit::lt),
            CompareOp::Le => binary!(ivy_drjit::le),
            CompareOp::Eq => binary!(ivy_drjit::eq),
            CompareOp::Ne => binary!(ivy_drjit::neq),
            CompareOp::Gt => binary!(ivy_drjit::gt),
            CompareOp::Ge => binary!(ivy_drjit::ge),
        };
        two(slf, other, f)
    }

    fn __neg__(slf: &Bound<'_, Self>) -> Objects {
        one(slf, ivy_drjit::negative)
    }

    fn __pos__(slf: &Bound<'_, Self>) -> Objects {
        one(slf, Ok)
    }

    fn __invert__(slf: &Bound<'_, Self>) -> Objects {
        one(slf, ivy_drjit::invert)
    }

    fn __abs__(slf: &Bound<'_, Self>) -> Objects {
        one(slf, ivy_drjit::abs)
    }

    fn __add__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        two(slf, other, binary!(ivy_drjit::add))
    }

    fn __radd__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        reflected(slf, other, binary!(ivy_drjit::add))
    }

    fn __sub__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        two(slf, other, binary!(ivy_drjit::subtract))
    }

    fn __rsub__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        reflected(slf, other, binary!(ivy_drjit::subtract))
    }

    fn __mul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        two(slf, other, binary!(ivy_drjit::multiply))
    }

    fn __rmul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        reflected(slf, other, binary!(ivy_drjit::multiply))
    }

    fn __truediv__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        two(slf, other, binary!(ivy_drjit::divide))
    }

    fn __rtruediv__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        reflected(slf, other, binary!(ivy_drjit::divide))
    }

    fn __floordiv__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        two(slf, other, binary!(ivy_drjit::floor_divide))
    }

    fn __rfloordiv__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        reflected(slf, other, binary!(ivy_drjit::floor_divide))
    }

    fn __mod__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        two(slf, other, binary!(ivy_drjit::remainder))
    }

    fn __rmod__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        reflected(slf, other, binary!(ivy_drjit::remainder))
    }

    fn __pow__(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> Objects {
        if modulo.is_some() {
            return Ok(slf.py().NotImplemented());
        }
        two(slf, other, binary!(ivy_drjit::power))
    }

    fn __rpow__(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> Objects {
        if modulo.is_some() {
            return Ok(slf.py().NotImplemented());
        }
        reflected(slf, other, binary!(super::functions::power_of))
    }

    fn __matmul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        two(slf, other, binary!(ivy_drjit::matmul))
    }

    fn __rmatmul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        reflected(slf, other, binary!(ivy_drjit::matmul))
    }

    fn __and__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        two(slf, other, binary!(ivy_drjit::bitwise_and))
    }

    fn __rand__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        reflected(slf, other, binary!(ivy_drjit::bitwise_and))
    }

    fn __or__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        two(slf, other, binary!(ivy_drjit::bitwise_or))
    }

    fn __ror__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        reflected(slf, other, binary!(ivy_drjit::bitwise_or))
    }

    fn __xor__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        two(slf, other, binary!(ivy_drjit::bitwise_xor))
    }

    fn __rxor__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        reflected(slf, other, binary!(ivy_drjit::bitwise_xor))
    }

    fn __lshift__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        two(slf, other, binary!(ivy_drjit::left_shift))
    }

    fn __rlshift__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        reflected(slf, other, binary!(ivy_drjit::left_shift))
    }

    fn __rshift__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        two(slf, other, binary!(ivy_drjit::right_shift))
    }

    fn __rrshift__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Objects {
        reflected(slf, other, binary!(ivy_drjit::right_shift))
    }

    /// Components in any order, such as `zyx`.
    fn __getattr__(slf: &Bound<'_, Self>, name: &str) -> Objects {
        let nested = slf.borrow().ty().depth() > 0;
        if nested && name.len() > 1 && name.bytes().all(|letter| b"xyzw".contains(&letter)) {
            let x = slf.borrow().value(slf.py())?;
            return object(slf.py(), x.swizzle(name).map_err(failure)?);
        }
        if ["x", "y", "z", "w", "real", "imag"].contains(&name) {
            let ty = slf.borrow().ty();
            return Err(failure(ivy_drjit::Error::NoComponent { ty, name: name.into() }));
        }
        let class = slf.get_type();
        let text = format!("'{}' object has no attribute '{name}'", class.name()?);
        Err(PyAttributeError::new_err(text).into())
    }

    /// The first component.
    #[getter]
    fn get_x(slf: &Bound<'_, Self>) -> Objects {
        component(slf, "x")
    }

    #[setter]
    fn set_x(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> Fallible<()> {
        set_component(slf, "x", value)
    }

    /// The second component.
    #[getter]
    fn get_y(slf: &Bound<'_, Self>) -> Objects {
        component(slf, "y")
    }

    #[setter]
    fn set_y(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> Fallible<()> {
        set_component(slf, "y", value)
    }

    /// The third component.
    #[getter]
    fn get_z(slf: &Bound<'_, Self>) -> Objects {
        component(slf, "z")
    }

    #[setter]
    fn set_z(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> Fallible<()> {
        set_component(slf, "z", value)
    }

    /// The fourth component.
    #[getter]
    fn get_w(slf: &Bound<'_, Self>) -> Objects {
        component(slf, "w")
    }

    #[setter]
    fn set_w(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> Fallible<()> {
        set_component(slf, "w", value)
    }

    /// The real part.
    #[getter]
    fn get_real(slf: &Bound<'_, Self>) -> Objects {
        let kind = slf.borrow().ty().kind();
        match kind {
            Kind::Complex | Kind::Quaternion => component(slf, "real"),
            _ => one(slf, Ok),
        }
    }

    #[setter]
    fn set_real(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> Fallible<()> {
        set_component(slf, "real", value)
    }

    /// The imaginary part; of a quaternion its three parts.
    #[getter]
    fn get_imag(slf: &Bound<'_, Self>) -> Objects {
        let kind = slf.borrow().ty().kind();
        match kind {
            Kind::Complex => component(slf, "imag"),
            _ => one(slf, |x| x.imag()),
        }
    }

    #[setter]
    fn set_imag(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> Fallible<()> {
        set_component(slf, "imag", value)
    }

    /// The plain array: of a matrix, a complex number or a quaternion one of the same levels, of a tensor its flat array.
    #[getter]
    fn array(slf: &Bound<'_, Self>) -> Objects {
        let kind = slf.borrow().ty().kind();
        if kind == Kind::Tensor {
            return DrjitArray::elements(slf);
        }
        one(slf, |x| match x.ty().kind() {
            Kind::Flat => Ok(x),
            _ => x.cast_to(x.ty().array_t()),
        })
    }

    /// The lengths of all levels, -1 for one of several lengths.
    #[getter]
    fn shape(slf: &Bound<'_, Self>) -> Fallible<Py<PyTuple>> {
        let x = slf.borrow().value(slf.py())?;
        match x.shape() {
            Some(shape) => Ok(PyTuple::new(slf.py(), shape)?.unbind()),
            None => Err(failure(ivy_drjit::Error::Ragged { function: "shape", ty: x.ty() })),
        }
    }

    /// How many levels there are; the axes of a tensor.
    #[getter]
    fn ndim(slf: &Bound<'_, Self>) -> Fallible<usize> {
        let x = slf.borrow().value(slf.py())?;
        Ok(match x.ty().kind() {
            Kind::Tensor => x.shape().map_or(0, |shape| shape.len()),
            _ => x.ty().depth_v(),
        })
    }

    /// The type, as data.
    #[getter]
    fn _type(&self) -> DrjitType {
        DrjitType(self.ty())
    }

    /// The core's array of a flat array or tensor.
    fn _core(&self, py: Python<'_>) -> Fallible<PyArray> {
        let x = self.value(py)?;
        match x.to_core() {
            Some(array) => Ok(PyArray::new(array.clone())),
            None => type_error(format!("{} has no one array", self.ty())),
        }
    }

    /// Makes it hold another array of its type.
    fn _assign(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Fallible<()> {
        let (ty, x) = (slf.borrow().ty(), array(other)?);
        match x.ty() == ty {
            true => DrjitArray::set(slf, x),
            false => type_error(format!("an array of the type {ty} is needed, not {}", x.ty())),
        }
    }

    /// The number of the array's variable in the engine; 0 where none computes it.
    fn _index(&self, py: Python<'_>) -> Fallible<u64> {
        Ok(ivy_drjit::variable_number(&self.value(py)?))
    }

    /// An object of its own with the same array.
    fn _copied(&self, py: Python<'_>) -> Objects {
        object(py, self.value(py)?)
    }

    /// The elements of a flat array or tensor as Python numbers, in order.
    fn _numbers(&self, py: Python<'_>) -> Fallible<Py<PyList>> {
        let x = self.value(py)?;
        let numbers = evaluated(py, || x.to_scalars())?;
        let numbers = numbers.into_iter().map(|number| crate::value::to_python(py, number));
        Ok(PyList::new(py, numbers.collect::<PyResult<Vec<_>>>()?)?.unbind())
    }
}
