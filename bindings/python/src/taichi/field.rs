//! Fields.

use super::error::failure;
use crate::array::PyArray;
use crate::error::{Fallible, type_error};
use crate::{context, origin};
use ivy::Array;
use ivy_taichi::UntypedField;
use ivy_taichi::types::PrimitiveType;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A field, of a type that is known at run time.
#[pyclass(module = "ivyrs._ivyrs", frozen, weakref)]
pub(crate) struct TaichiField {
    pub(super) field: UntypedField,
    /// Whether its tree is its own, and goes with it.
    alone: bool,
}

impl TaichiField {
    /// A field with a tree of its own.
    pub(super) fn alone(field: UntypedField) -> TaichiField {
        TaichiField { field, alone: true }
    }

    /// A field of a tree that others have.
    pub(super) fn of_tree(field: UntypedField) -> TaichiField {
        TaichiField { field, alone: false }
    }
}

impl Drop for TaichiField {
    fn drop(&mut self) {
        if self.alone {
            self.field.tree().destroy();
        }
    }
}

/// The bits of a Python number as one of a type.
pub(super) fn bits(number: &Bound<'_, PyAny>, ty: PrimitiveType) -> Fallible<u64> {
    use PrimitiveType as T;
    if ty.is_real() {
        let x: f64 = number.extract()?;
        return Ok(match ty {
            T::F64 => x.to_bits(),
            T::F16 => u64::from(half::f16::from_f64(x).to_bits()),
            _ => u64::from((x as f32).to_bits()),
        });
    }
    if ty == T::U1 {
        return Ok(u64::from(number.is_truthy()?));
    }
    // A float is cut, as Taichi cuts it.
    let whole: i128 = match number.extract::<i128>() {
        Ok(whole) => whole,
        Err(_) => number.extract::<f64>()? as i128,
    };
    let mask = if ty.bits() == 64 { u64::MAX } else { (1 << ty.bits()) - 1 };
    Ok(whole as u64 & mask)
}

/// The Python number of bits.
pub(super) fn number(py: Python<'_>, bits: u64, ty: PrimitiveType) -> PyResult<Py<PyAny>> {
    use PrimitiveType as T;
    Ok(match ty {
        T::U1 => (bits & 1 == 1).into_pyobject(py)?.to_owned().into_any().unbind(),
        T::I8 => (bits as i8).into_pyobject(py)?.into_any().unbind(),
        T::I16 => (bits as i16).into_pyobject(py)?.into_any().unbind(),
        T::I32 => (bits as i32).into_pyobject(py)?.into_any().unbind(),
        T::I64 => (bits as i64).into_pyobject(py)?.into_any().unbind(),
        T::F16 => f64::from(half::f16::from_bits(bits as u16)).into_pyobject(py)?.into_any().unbind(),
        T::F32 => f64::from(f32::from_bits(bits as u32)).into_pyobject(py)?.into_any().unbind(),
        T::F64 => f64::from_bits(bits).into_pyobject(py)?.into_any().unbind(),
        _ => bits.into_pyobject(py)?.into_any().unbind(),
    })
}

pub(super) fn all_bits(numbers: &Bound<'_, PyAny>, ty: PrimitiveType) -> Fallible<Vec<u64>> {
    numbers.try_iter()?.map(|number| bits(&number?, ty)).collect()
}

#[pymethods]
impl TaichiField {
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.field.shape())
    }

    /// Rows and columns of an element; a vector has one column, a number is none.
    #[getter]
    fn form(&self) -> Option<(usize, usize)> {
        self.field.form()
    }

    /// The name of the type of its numbers.
    #[getter]
    fn dtype(&self) -> &'static str {
        self.field.number_type().name()
    }

    #[getter]
    fn name(&self) -> String {
        self.field.name().to_string()
    }

    /// Of a dynamic node, which of its indices counts the cells of its lists.
    #[getter]
    fn list_axis(&self) -> Option<usize> {
        self.field.list_axis()
    }

    /// The field of one number of each element.
    fn component(&self, number: usize) -> Fallible<TaichiField> {
        self.field.component(number).map(TaichiField::of_tree).map_err(failure)
    }

    /// The numbers of an element, by rows.
    fn get(&self, py: Python<'_>, indices: Vec<i64>) -> Fallible<Vec<Py<PyAny>>> {
        let ty = self.field.number_type();
        let numbers = self.field.get(&indices).map_err(failure)?;
        Ok(numbers.into_iter().map(|bits| number(py, bits, ty)).collect::<PyResult<_>>()?)
    }

    fn set(&self, indices: Vec<i64>, numbers: &Bound<'_, PyAny>) -> Fallible<()> {
        self.field.set(&indices, &all_bits(numbers, self.field.number_type())?).map_err(failure)
    }

    fn fill(&self, numbers: &Bound<'_, PyAny>) -> Fallible<()> {
        self.field.fill(&all_bits(numbers, self.field.number_type())?).map_err(failure)
    }

    /// All elements as an array of the current backend.
    fn to_array(&self, py: Python<'_>) -> Fallible<PyArray> {
        let host = origin::detached(py, || self.field.to_host()).map_err(failure)?;
        Ok(PyArray::new(Array::from_host(&context::backend(py, None)?, host)?))
    }

    /// Sets all elements to those of an array of the field's dtype.
    fn set_array(&self, py: Python<'_>, array: &Bound<'_, PyAny>) -> Fallible<()> {
        let Ok(array) = array.cast::<PyArray>() else { return type_error("an array stands here") };
        let host = array.borrow().array()?.to_host()?;
        origin::detached(py, || self.field.from_host(&host)).map_err(failure)
    }

    /// Gives the memory of its tree back.
    fn destroy(&self) {
        self.field.tree().destroy();
    }
}
