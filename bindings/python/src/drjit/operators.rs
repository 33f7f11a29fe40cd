//! Operators: functions of an object and of another operand, whose arrays are read where they are.

use super::contents::Contents;
use super::convert::{maybe_arg, object};
use super::error::failure;
use super::object::DrjitArray;
use crate::error::Fallible;
use crate::value;
use ivy::Scalar;
use ivy_drjit::{AnyArray, Arg, Borrowed, IntoArg};
use pyo3::prelude::*;

type Objects = Fallible<Py<PyAny>>;

/// An operand, which stays where it is if it can.
pub(super) enum Operand<'a> {
    /// The array that an object holds.
    Held(&'a AnyArray),
    /// A number of Python's.
    Number(Scalar),
    /// What has been made of a value.
    Made(Arg),
}

impl IntoArg for Operand<'_> {
    fn into_arg(self) -> Arg {
        match self {
            Operand::Held(x) => x.into_arg(),
            Operand::Number(x) => Arg::Scalar(x),
            Operand::Made(arg) => arg,
        }
    }

    fn borrowed(&self) -> Borrowed<'_> {
        match self {
            Operand::Held(x) => Borrowed::Array(x),
            Operand::Number(x) => Borrowed::Scalar(*x),
            Operand::Made(arg) => arg.borrowed(),
        }
    }
}

impl DrjitArray {
    /// The array, as an operand.
    pub(super) fn operand(&self, py: Python<'_>) -> Fallible<Operand<'_>> {
        match &self.contents {
            Contents::Whole(x) => Ok(Operand::Held(x)),
            _ => self.value(py).map(|x| Operand::Made(Arg::Array(x))),
        }
    }
}

/// What two operands are put into.
pub(super) type Binary = fn(Operand<'_>, Operand<'_>) -> ivy_drjit::Result<AnyArray>;

/// A function of two operands, for any lifetimes of theirs.
macro_rules! binary {
    ($name:path) => {{
        fn function(
            left: $crate::drjit::operators::Operand<'_>,
            right: $crate::drjit::operators::Operand<'_>,
        ) -> ivy_drjit::Result<AnyArray> {
            $name(left, right)
        }
        function
    }};
}
pub(super) use binary;

/// Calls a function of an array and another operand; `NotImplemented` for one that is none.
pub(super) fn two(left: &Bound<'_, DrjitArray>, right: &Bound<'_, PyAny>, f: Binary) -> Objects {
    with_other(left, right, f)
}

/// [`two`], with the array as the second operand.
pub(super) fn reflected(right: &Bound<'_, DrjitArray>, left: &Bound<'_, PyAny>, f: Binary) -> Objects {
    with_other(right, left, |own, other| f(other, own))
}

fn with_other(
    own: &Bound<'_, DrjitArray>,
    other: &Bound<'_, PyAny>,
    f: impl FnOnce(Operand<'_>, Operand<'_>) -> ivy_drjit::Result<AnyArray>,
) -> Objects {
    let py = own.py();
    let made = match other.cast::<DrjitArray>() {
        Ok(other) => {
            let (own, other) = (own.borrow(), other.borrow());
            f(own.operand(py)?, other.operand(py)?)
        }
        Err(_) => {
            let other = match value::scalar(other)? {
                Some(number) if !matches!(number, Scalar::Complex(_)) => Operand::Number(number),
                _ => match maybe_arg(other)? {
                    Some(other) => Operand::Made(other),
                    None => return Ok(py.NotImplemented()),
                },
            };
            f(own.borrow().operand(py)?, other)
        }
    };
    object(py, made.map_err(failure)?)
}

/// Calls a function of an array.
pub(super) fn one(x: &Bound<'_, DrjitArray>, f: fn(AnyArray) -> ivy_drjit::Result<AnyArray>) -> Objects {
    let value = x.borrow().value(x.py())?;
    object(x.py(), f(value).map_err(failure)?)
}
