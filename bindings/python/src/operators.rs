//! Python's operators, with their reflected and in-place forms.

use crate::array::{PyArray, detached, is_large};
use crate::error::{Fallible, type_error};
use crate::{context, value};
use ivy::Array;
use ivy::function::{Function, find_function};
use once_cell::sync::Lazy;
use pyo3::prelude::*;

/// The result of an operator; `None` where the other operand is nothing that it knows.
fn apply(
    function: &'static Function,
    this: &Bound<'_, PyArray>,
    other: &Bound<'_, PyAny>,
    reflected: bool,
) -> Fallible<Option<Array>> {
    let py = this.py();
    let _scope = context::enter(py, None)?;
    if let Ok(other) = other.cast::<PyArray>() {
        let (x, y) = (this.borrow(), other.borrow());
        let (x, y) = if reflected { (y.array()?, x.array()?) } else { (x.array()?, y.array()?) };
        if is_large(x) || is_large(y) {
            let (x, y) = (x.clone(), y.clone());
            return Ok(Some(detached(py, move || ivy::call_arrays(function, [&x, &y]))?));
        }
        return Ok(Some(ivy::call_arrays(function, [x, y])?));
    }
    let Some(scalar) = value::scalar(other)? else { return Ok(None) };
    let x = this.borrow();
    let x = x.array()?;
    if is_large(x) {
        let x = x.clone();
        return Ok(Some(detached(py, move || ivy::call_scalar(function, &x, scalar, reflected))?));
    }
    Ok(Some(ivy::call_scalar(function, x, scalar, reflected)?))
}

/// `x op= y`: the result takes the place of the elements, of whose dtype and shape it must be.
fn replace(
    function: &'static Function,
    symbol: &str,
    this: &Bound<'_, PyArray>,
    other: &Bound<'_, PyAny>,
) -> Fallible<()> {
    let Some(result) = apply(function, this, other, false)? else {
        return type_error(format!(
            "{symbol}: the right side is {}; an ivyrs.Array or a Python number is needed",
            other.get_type().fully_qualified_name()?
        ));
    };
    PyArray::change(this, |array| ivy::out(array, result))?;
    Ok(())
}

macro_rules! described {
    ($($function:ident = $name:literal;)*) => {
        $(static $function: Lazy<&'static Function> =
            Lazy::new(|| find_function($name).expect("the operator's function is registered"));)*
    };
}
described! {
    ADD = "add";
    SUBTRACT = "subtract";
    MULTIPLY = "multiply";
    DIVIDE = "divide";
    FLOOR_DIVIDE = "floor_divide";
    REMAINDER = "remainder";
    MATMUL = "matmul";
    BITWISE_AND = "bitwise_and";
    BITWISE_OR = "bitwise_or";
    BITWISE_XOR = "bitwise_xor";
    BITWISE_LEFT_SHIFT = "bitwise_left_shift";
    BITWISE_RIGHT_SHIFT = "bitwise_right_shift";
    EQUAL = "equal";
    NOT_EQUAL = "not_equal";
    LESS = "less";
    LESS_EQUAL = "less_equal";
    GREATER = "greater";
    GREATER_EQUAL = "greater_equal";
    POW = "pow";
}

/// The result of an operator for Python.
fn operate(
    function: &'static Function,
    this: &Bound<'_, PyArray>,
    other: &Bound<'_, PyAny>,
    reflected: bool,
) -> Fallible<Py<PyAny>> {
    let py = this.py();
    match apply(function, this, other, reflected)? {
        Some(array) => Ok(Py::new(py, PyArray::new(array))?.into_any()),
        None => Ok(py.NotImplemented()),
    }
}

fn no_modulo(modulo: Option<&Bound<'_, PyAny>>) -> Fallible<()> {
    match modulo {
        Some(_) => type_error("pow() of arrays has no modulo"),
        None => Ok(()),
    }
}

#[pymethods]
impl PyArray {
    fn __add__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*ADD, slf, other, false)
    }

    fn __radd__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*ADD, slf, other, true)
    }

    fn __iadd__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<()> {
        replace(*ADD, "+=", slf, other)
    }

    fn __sub__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*SUBTRACT, slf, other, false)
    }

    fn __rsub__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*SUBTRACT, slf, other, true)
    }

    fn __isub__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<()> {
        replace(*SUBTRACT, "-=", slf, other)
    }

    fn __mul__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*MULTIPLY, slf, other, false)
    }

    fn __rmul__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*MULTIPLY, slf, other, true)
    }

    fn __imul__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<()> {
        replace(*MULTIPLY, "*=", slf, other)
    }

    fn __truediv__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*DIVIDE, slf, other, false)
    }

    fn __rtruediv__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*DIVIDE, slf, other, true)
    }

    fn __itruediv__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<()> {
        replace(*DIVIDE, "/=", slf, other)
    }

    fn __floordiv__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*FLOOR_DIVIDE, slf, other, false)
    }

    fn __rfloordiv__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*FLOOR_DIVIDE, slf, other, true)
    }

    fn __ifloordiv__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<()> {
        replace(*FLOOR_DIVIDE, "//=", slf, other)
    }

    fn __mod__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*REMAINDER, slf, other, false)
    }

    fn __rmod__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*REMAINDER, slf, other, true)
    }

    fn __imod__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<()> {
        replace(*REMAINDER, "%=", slf, other)
    }

    fn __matmul__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*MATMUL, slf, other, false)
    }

    fn __rmatmul__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*MATMUL, slf, other, true)
    }

    fn __imatmul__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<()> {
        replace(*MATMUL, "@=", slf, other)
    }

    fn __and__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*BITWISE_AND, slf, other, false)
    }

    fn __rand__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*BITWISE_AND, slf, other, true)
    }

    fn __iand__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<()> {
        replace(*BITWISE_AND, "&=", slf, other)
    }

    fn __or__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*BITWISE_OR, slf, other, false)
    }

    fn __ror__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*BITWISE_OR, slf, other, true)
    }

    fn __ior__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<()> {
        replace(*BITWISE_OR, "|=", slf, other)
    }

    fn __xor__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*BITWISE_XOR, slf, other, false)
    }

    fn __rxor__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*BITWISE_XOR, slf, other, true)
    }

    fn __ixor__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<()> {
        replace(*BITWISE_XOR, "^=", slf, other)
    }

    fn __lshift__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*BITWISE_LEFT_SHIFT, slf, other, false)
    }

    fn __rlshift__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*BITWISE_LEFT_SHIFT, slf, other, true)
    }

    fn __ilshift__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<()> {
        replace(*BITWISE_LEFT_SHIFT, "<<=", slf, other)
    }

    fn __rshift__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*BITWISE_RIGHT_SHIFT, slf, other, false)
    }

    fn __rrshift__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*BITWISE_RIGHT_SHIFT, slf, other, true)
    }

    fn __irshift__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<()> {
        replace(*BITWISE_RIGHT_SHIFT, ">>=", slf, other)
    }

    fn __pow__(
        slf: &Bound<'_, PyArray>,
        other: &Bound<'_, PyAny>,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> Fallible<Py<PyAny>> {
        no_modulo(modulo)?;
        operate(*POW, slf, other, false)
    }

    fn __rpow__(
        slf: &Bound<'_, PyArray>,
        other: &Bound<'_, PyAny>,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> Fallible<Py<PyAny>> {
        no_modulo(modulo)?;
        operate(*POW, slf, other, true)
    }

    fn __ipow__(
        slf: &Bound<'_, PyArray>,
        other: &Bound<'_, PyAny>,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> Fallible<()> {
        no_modulo(modulo)?;
        replace(*POW, "**=", slf, other)
    }

    fn __eq__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*EQUAL, slf, other, false)
    }

    fn __ne__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*NOT_EQUAL, slf, other, false)
    }

    fn __lt__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*LESS, slf, other, false)
    }

    fn __le__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*LESS_EQUAL, slf, other, false)
    }

    fn __gt__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*GREATER, slf, other, false)
    }

    fn __ge__(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        operate(*GREATER_EQUAL, slf, other, false)
    }
}
