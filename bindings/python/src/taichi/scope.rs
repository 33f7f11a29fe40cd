//! The scope of a kernel that is being written, as Python's syntax trees are walked.
//!
//! Blocks are written by functions: while one of Rust's has the scope, Python's function has it lent, in the one slot that
//! both know.

use super::error::failure;
use super::program::TaichiSource;
use crate::error::{Failure, Fallible, type_error, value_error};
use ivy_taichi::front::{Scope, Tensor, Value};
use ivy_taichi::types::{AtomicOp, BinaryOp, Literal, UnaryOp};
use ivy_taichi::{Error, Span};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt};
use std::cell::RefCell;
use std::mem;
use std::rc::Rc;

/// What a function of Python's has raised, while an error of Rust's stands for it.
#[derive(Clone, Default)]
pub(super) struct Failed(Rc<RefCell<Option<PyErr>>>);

impl Failed {
    pub(super) fn keep(&self, error: PyErr) -> Error {
        *self.0.borrow_mut() = Some(error);
        Error::Arguments { kernel: "kernel", what: "what writes it has failed" }
    }

    pub(super) fn take(&self) -> Option<Failure> {
        self.0.borrow_mut().take().map(Failure::from)
    }
}

/// The slot that a scope is lent in.
#[derive(Clone)]
pub(super) struct Writing {
    slot: Rc<RefCell<Option<Scope>>>,
    failed: Failed,
}

impl Writing {
    pub(super) fn new(failed: Failed) -> Writing {
        Writing { slot: Rc::default(), failed }
    }

    /// Lends a scope for the time of a call.
    pub(super) fn lend(
        &self,
        scope: &mut Scope,
        call: impl FnOnce() -> PyResult<()>,
    ) -> ivy_taichi::Result<()> {
        *self.slot.borrow_mut() = Some(mem::take(scope));
        let done = call();
        if let Some(own) = self.slot.borrow_mut().take() {
            *scope = own;
        }
        done.map_err(|error| self.failed.keep(error))
    }

    /// Does something with the scope that is lent.
    fn with<R>(&self, f: impl FnOnce(&mut Scope) -> ivy_taichi::Result<R>) -> Fallible<R> {
        let Some(mut scope) = self.slot.borrow_mut().take() else {
            return type_error("this kernel is not being written");
        };
        let done = f(&mut scope);
        *self.slot.borrow_mut() = Some(scope);
        done.map_err(|error| self.failed.take().unwrap_or_else(|| failure(error)))
    }
}

/// What an expression of a kernel is.
#[pyclass(module = "ivyrs._ivyrs", frozen)]
pub(crate) struct TaichiValue(Value);

#[pymethods]
impl TaichiValue {
    /// Which kind of value it is.
    #[getter]
    fn kind(&self) -> &'static str {
        match &self.0 {
            Value::Number(_) => "number",
            Value::Place(_) => "place",
            Value::Tensor(_) => "tensor",
            Value::Field(_) => "field",
            Value::Nothing => "nothing",
            _ => "range",
        }
    }

    /// Of a vector or matrix, rows and columns.
    #[getter]
    fn form(&self) -> Option<(usize, Option<usize>)> {
        match &self.0 {
            Value::Tensor(tensor) => Some(tensor.form),
            _ => None,
        }
    }

    /// What it is is known while the kernel runs only.
    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err("the truth of a value of a kernel is known while it runs only"))
    }

    /// The numbers of a vector or matrix, by rows.
    fn entries(&self) -> Vec<TaichiValue> {
        match &self.0 {
            Value::Tensor(tensor) => tensor.entries.iter().cloned().map(TaichiValue).collect(),
            _ => Vec::new(),
        }
    }
}

/// A value, or a Python number that is a literal.
enum Known {
    Value(Value),
    Literal(Literal),
}

impl<'py> FromPyObject<'_, 'py> for Known {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Known> {
        if let Ok(value) = object.cast::<TaichiValue>() {
            return Ok(Known::Value(value.get().0.clone()));
        }
        if object.is_instance_of::<PyBool>() {
            return Ok(Known::Literal(Literal::Bool(object.extract()?)));
        }
        if object.is_instance_of::<PyInt>() {
            return Ok(Known::Literal(Literal::Int(object.extract()?)));
        }
        if object.is_instance_of::<PyFloat>() {
            return Ok(Known::Literal(Literal::Float(object.extract()?)));
        }
        if object.is_none() {
            return Ok(Known::Value(Value::Nothing));
        }
        let name = object.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "kernels compute with numbers, vectors and matrices, not with a {name}"
        )))
    }
}

impl Known {
    fn value(self, scope: &mut Scope) -> ivy_taichi::Result<Value> {
        match self {
            Known::Value(value) => Ok(value),
            Known::Literal(literal) => scope.literal(literal),
        }
    }
}

fn values(scope: &mut Scope, all: Vec<Known>) -> ivy_taichi::Result<Vec<Value>> {
    all.into_iter().map(|known| known.value(scope)).collect()
}

fn found<T: Copy>(all: &[T], name: &str, of: impl Fn(T) -> &'static str) -> Fallible<T> {
    match all.iter().copied().find(|&one| of(one) == name) {
        Some(one) => Ok(one),
        None => value_error(format!("there is no operation `{name}`")),
    }
}

/// The names of the functions that [`TaichiScope::call`] knows.
#[pyfunction]
pub(crate) fn taichi_functions() -> Vec<&'static str> {
    Scope::functions().collect()
}

/// The scope of a kernel that is being written.
#[pyclass(module = "ivyrs._ivyrs", unsendable, frozen)]
pub(crate) struct TaichiScope {
    writing: Writing,
}

impl TaichiScope {
    pub(super) fn new(writing: Writing) -> TaichiScope {
        TaichiScope { writing }
    }

    fn made(&self, f: impl FnOnce(&mut Scope) -> ivy_taichi::Result<Value>) -> Fallible<TaichiValue> {
        self.writing.with(f).map(TaichiValue)
    }
}

#[pymethods]
impl TaichiScope {
    /// Sets where in the source what comes next stands.
    fn at(&self, source: &TaichiSource, line: u32, column: u32, width: u32) -> Fallible<()> {
        let span = Span { source: source.source(), line, column, width };
        self.writing.with(|scope| {
            scope.set_span(Some(span));
            Ok(())
        })
    }

    fn parameter(&self, number: usize) -> Fallible<TaichiValue> {
        self.made(|scope| scope.parameter(number))
    }

    /// A literal of the default type.
    fn literal(&self, number: Known) -> Fallible<TaichiValue> {
        self.made(|scope| number.value(scope))
    }

    /// A number of a type of its own.
    fn suffixed(&self, number: Known, ty: &str) -> Fallible<TaichiValue> {
        self.made(|scope| match number {
            Known::Literal(literal) => scope.suffixed(literal, ty),
            Known::Value(value) => Ok(value),
        })
    }

    /// The type of a number, or of those of a vector or matrix.
    fn element_type(&self, of: Known) -> Fallible<String> {
        self.writing.with(|scope| {
            let value = of.value(scope)?;
            scope.element_type(&value).map(|ty| ty.to_string())
        })
    }

    fn declare(&self, value: Known) -> Fallible<TaichiValue> {
        self.made(|scope| {
            let value = value.value(scope)?;
            scope.declare(&value)
        })
    }

    fn cast(&self, value: Known, ty: &str) -> Fallible<TaichiValue> {
        self.made(|scope| {
            let value = value.value(scope)?;
            scope.cast(&value, ty)
        })
    }

    fn bit_cast(&self, value: Known, ty: &str) -> Fallible<TaichiValue> {
        self.made(|scope| {
            let value = value.value(scope)?;
            scope.bit_cast(&value, ty)
        })
    }

    fn unary(&self, op: &str, x: Known) -> Fallible<TaichiValue> {
        let op = found(&UnaryOp::ALL, op, UnaryOp::name)?;
        self.made(|scope| {
            let x = x.value(scope)?;
            scope.unary(op, &x)
        })
    }

    fn binary(&self, op: &str, x: Known, y: Known) -> Fallible<TaichiValue> {
        let op = found(&BinaryOp::ALL, op, BinaryOp::name)?;
        self.made(|scope| {
            let (x, y) = (x.value(scope)?, y.value(scope)?);
            scope.binary(op, &x, &y)
        })
    }

    /// `x and y` or `x or y`: the second is what a function gives, which is called once.
    fn logical(&self, py: Python<'_>, and: bool, x: Known, y: Py<PyAny>) -> Fallible<TaichiValue> {
        self.made(|scope| {
            let x = x.value(scope)?;
            scope.logical(and, &x, |scope| {
                let mut second = None;
                self.writing.lend(scope, || {
                    second = Some(y.call0(py)?.extract::<Known>(py)?);
                    Ok(())
                })?;
                second.unwrap_or(Known::Value(Value::Nothing)).value(scope)
            })
        })
    }

    fn select(&self, condition: Known, x: Known, y: Known) -> Fallible<TaichiValue> {
        self.made(|scope| {
            let (condition, x, y) = (condition.value(scope)?, x.value(scope)?, y.value(scope)?);
            scope.select(&condition, &x, &y)
        })
    }

    /// A function of Taichi's by its name.
    fn call(&self, name: &str, arguments: Vec<Known>, ty: Option<&str>) -> Fallible<TaichiValue> {
        self.made(|scope| {
            let arguments = values(scope, arguments)?;
            scope.call(name, &arguments, ty)
        })
    }

    fn index(&self, base: &TaichiValue, indices: Vec<Known>) -> Fallible<TaichiValue> {
        self.made(|scope| {
            let indices = values(scope, indices)?;
            scope.index(&base.0, &indices)
        })
    }

    fn member(&self, base: &TaichiValue, name: &str) -> Fallible<TaichiValue> {
        self.made(|scope| scope.member(&base.0, name))
    }

    fn method(&self, base: &TaichiValue, name: &str, arguments: Vec<Known>) -> Fallible<TaichiValue> {
        self.made(|scope| {
            let arguments = values(scope, arguments)?;
            scope.method(&base.0, name, &arguments)
        })
    }

    /// A vector of numbers, or a matrix of rows, in the type that all promote to.
    fn vector(&self, entries: Vec<Known>) -> Fallible<TaichiValue> {
        self.made(|scope| {
            let entries = values(scope, entries)?;
            scope.vector(&entries)
        })
    }

    /// A matrix of numbers by rows, or a vector, as they are.
    fn tensor(&self, form: (usize, Option<usize>), entries: Vec<Known>) -> Fallible<TaichiValue> {
        if form.0 * form.1.unwrap_or(1) != entries.len() || entries.is_empty() {
            return value_error(format!("{} numbers are no tensor of {form:?}", entries.len()));
        }
        self.made(|scope| Ok(Value::Tensor(Tensor { form, entries: values(scope, entries)? })))
    }

    fn assign(&self, to: &TaichiValue, value: Known) -> Fallible<()> {
        self.writing.with(|scope| {
            let value = value.value(scope)?;
            scope.assign(&to.0, &value)
        })
    }

    /// `to op= value`.
    fn assign_op(&self, op: &str, to: &TaichiValue, value: Known) -> Fallible<()> {
        let op = found(&BinaryOp::ALL, op, BinaryOp::name)?;
        self.writing.with(|scope| {
            let value = value.value(scope)?;
            scope.assign_op(op, &to.0, &value)
        })
    }

    fn atomic(&self, op: &str, to: &TaichiValue, value: Known) -> Fallible<TaichiValue> {
        let op = found(&AtomicOp::ALL, op, AtomicOp::name)?;
        self.made(|scope| {
            let value = value.value(scope)?;
            scope.atomic(op, &to.0, &value)
        })
    }

    fn branch(
        &self,
        py: Python<'_>,
        condition: Known,
        then: Py<PyAny>,
        otherwise: Py<PyAny>,
    ) -> Fallible<()> {
        self.writing.with(|scope| {
            let condition = condition.value(scope)?;
            let write = |f: &Py<PyAny>, scope: &mut Scope| self.writing.lend(scope, || f.call0(py).map(drop));
            scope.branch(&condition, &mut |scope| write(&then, scope), &mut |scope| write(&otherwise, scope))
        })
    }

    /// `while condition(): body()`.
    fn repeat(&self, py: Python<'_>, condition: Py<PyAny>, body: Py<PyAny>) -> Fallible<()> {
        self.writing.with(|scope| {
            let mut test = |scope: &mut Scope| {
                let mut given = None;
                self.writing.lend(scope, || {
                    given = Some(condition.call0(py)?.extract::<Known>(py)?);
                    Ok(())
                })?;
                given.unwrap_or(Known::Literal(Literal::Bool(false))).value(scope)
            };
            scope.repeat(&mut test, &mut |scope| self.writing.lend(scope, || body.call0(py).map(drop)))
        })
    }

    /// `for targets in iterable: body(targets)`.
    fn each_of(
        &self,
        py: Python<'_>,
        iterable: &TaichiValue,
        targets: usize,
        body: Py<PyAny>,
    ) -> Fallible<()> {
        self.writing.with(|scope| {
            scope.each_of(&iterable.0, targets, &mut |scope, indices| {
                let indices: Vec<TaichiValue> = indices.iter().cloned().map(TaichiValue).collect();
                self.writing.lend(scope, || body.call1(py, (indices,)).map(drop))
            })
        })
    }

    fn break_loop(&self) -> Fallible<()> {
        self.writing.with(Scope::break_loop)
    }

    fn continue_loop(&self) -> Fallible<()> {
        self.writing.with(Scope::continue_loop)
    }

    fn give(&self, value: Option<Known>) -> Fallible<()> {
        self.writing.with(|scope| {
            let value = value.map(|value| value.value(scope)).transpose()?;
            scope.give(value.as_ref())
        })
    }

    /// The body of a function, inlined: what it gives, in a named type if there is one. One with early returns is left
    /// by `give`.
    fn function(
        &self,
        py: Python<'_>,
        result: Option<&str>,
        early: bool,
        body: Py<PyAny>,
    ) -> Fallible<TaichiValue> {
        self.made(|scope| {
            scope.function(result, early, &mut |scope| {
                let mut given = None;
                self.writing.lend(scope, || {
                    let value = body.call0(py)?;
                    given = (!value.is_none(py)).then(|| value.extract::<Known>(py)).transpose()?;
                    Ok(())
                })?;
                given.map(|given| given.value(scope)).transpose()
            })
        })
    }

    fn print(&self, text: &str, end: &str, values: Vec<Known>) -> Fallible<()> {
        self.writing.with(|scope| {
            let values = self::values(scope, values)?;
            scope.print(text, end, &values)
        })
    }

    #[pyo3(name = "assert_")]
    fn assert(&self, condition: Known, text: &str, values: Vec<Known>) -> Fallible<()> {
        self.writing.with(|scope| {
            let (condition, values) = (condition.value(scope)?, self::values(scope, values)?);
            scope.assert(&condition, text, &values)
        })
    }
}
