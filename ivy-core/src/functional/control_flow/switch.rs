//! Indexed conditionals, and error handling.

use crate::array::{Array, IntoOperand, Operand};
use crate::functional::control_flow::branch::{either, under, with_operands};
use crate::functional::control_flow::vars::{Vars, vars_of};
use crate::functional::{asarray, less, logical_not};
use crate::{Dtype, Error, ErrorKind, Op, Result, Scalar, primitive};
use std::borrow::Cow;
use std::ops::Range;

const SWITCH: &str = "switch";

/// A function that is one of several.
pub type Branch<'f, V, R> = &'f dyn Fn(&V) -> Result<R>;

/// Indexed conditional: what the branch of a number gives, for each element by itself where the index has several: the
/// first is 0, and numbers below it count from the end, as indices do. All are called once, on all elements, and give
/// as many arrays of the same dtypes and shapes; what stands in them holds for the elements that take the branch, as in
/// [`if_else`](crate::functional::if_else), of which this is a tree: where it is recorded, a branch that nobody takes
/// is not computed.
///
/// An index out of range is an error that comes when that of a [`gather`](crate::functional::gather) does, by which indices are
/// looked at. Of an index that is a host scalar only the one branch is called.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([4.0f32, 4.0, 4.0])?;
/// let which = Array::try_from([2i32, 0, 1])?;
/// let y = ivy::switch(&which, &[&|x| ivy::sqrt(x), &|x| ivy::negative(x), &|x| ivy::square(x)], x)?;
/// assert_eq!(y.to_vec::<f32>()?, [16.0, 2.0, -4.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of the branches; [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange);
/// [`DtypeMismatch`](crate::ErrorKind::DtypeMismatch) for an index that is no integer;
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for no branches;
/// [`VariableChanged`](crate::ErrorKind::VariableChanged) for a result whose dtype or shape differs in two of them;
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes) for one that does not broadcast with the index.
pub fn switch<'a, V: Vars, R: Vars>(
    index: impl IntoOperand<'a>,
    branches: &[Branch<'_, V, R>],
    vars: V,
) -> Result<R> {
    if branches.is_empty() {
        let rule = "one branch at least";
        let value = "none".into();
        return Err(ErrorKind::InvalidArgument { function: SWITCH, argument: "branches", value, rule }.into());
    }
    let index = match index.into_operand() {
        Operand::Array(index) => index,
        Operand::List(index) => Cow::Owned(index),
        Operand::Failed(error) => return Err(error),
        Operand::Scalar(Scalar::Int(index)) => return branches[number(index, branches.len())?](&vars),
        Operand::Scalar(scalar) => return Err(not_integer(asarray(scalar, ())?.dtype())),
        Operand::Absent => return Err(not_integer(Dtype::BOOL)),
    };
    let index = checked(&index, branches.len())?;
    if let [only] = branches {
        // Nothing else asks for the index.
        crate::functional::wait([&index])?;
        return only(&vars);
    }
    vars_of(SWITCH, chosen(&index, 0..branches.len(), branches, &vars)?)
}

fn not_integer(actual: Dtype) -> Error {
    ErrorKind::DtypeMismatch { function: SWITCH, argument: "index", expected: Dtype::INT64, actual }.into()
}

/// The place that an index means.
fn number(index: i128, length: usize) -> Result<usize> {
    let from_start = if index < 0 { index + length as i128 } else { index };
    match usize::try_from(from_start) {
        Ok(place) if place < length => Ok(place),
        _ => {
            let (function, axis, position) = (SWITCH, 0, None);
            Err(ErrorKind::IndexOutOfRange { function, index, axis, length, position }.into())
        }
    }
}

/// The places that indices mean, as int64: read in a list of them, which has an error for one that is none.
fn checked(index: &Array, length: usize) -> Result<Array> {
    if !index.dtype().is_int() {
        return Err(not_integer(index.dtype()));
    }
    let given = index;
    let index = primitive::indices(SWITCH, given)?;
    let backend = index.backend();
    let numbers =
        Op::Arange { start: Scalar::Int(0), step: Scalar::Int(1), len: length, dtype: Dtype::INT64 };
    primitive::check_support(SWITCH, backend, &numbers, &[])?;
    let numbers = Array::from_value(backend.clone(), backend.execute_one(&numbers, &[])?);
    let places = primitive::run(SWITCH, &Op::Gather { axes: 1 }, &[&numbers, &index]);
    places.map_err(|error| primitive::true_index(error, [given], false))
}

/// What some of the branches give, of which each element has one.
fn chosen<V: Vars, R: Vars>(
    index: &Array,
    of: Range<usize>,
    branches: &[Branch<'_, V, R>],
    vars: &V,
) -> Result<Vec<Array>> {
    if of.len() == 1 {
        return Ok(branches[of.start](vars)?.into_arrays());
    }
    // Each half sees the variables of the elements that take it.
    let half = |condition: &Array, of: Range<usize>| {
        under(SWITCH, condition, || with_operands(condition, vars, |vars| chosen(index, of, branches, vars)))
    };
    let middle = of.start + of.len() / 2;
    let below = less(index, middle as i64)?;
    let (then, otherwise) = (half(&below, of.start..middle)?, half(&logical_not(&below)?, middle..of.end)?);
    either(SWITCH, &below, vars.as_arrays(), then, otherwise)
}

/// Error handling: what `body_fn` gives, or `except_fn`, which gets the error, where there is one. What `body_fn` gives
/// is computed before, on every backend: so an index out of range is an error of it.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, 2.0])?;
/// let read = |i: i64| {
///     let i = Array::try_from([i])?;
///     ivy::try_except(|x: &Array| ivy::take(x, &i, ()), |_, _| ivy::asarray(0.0f32, ()), x.clone())
/// };
/// assert_eq!((read(1)?.item::<f32>()?, read(2)?.item::<f32>()?), (2.0, 0.0));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of `except_fn`.
pub fn try_except<V: Vars, R: Vars>(
    body_fn: impl FnOnce(&V) -> Result<R>,
    except_fn: impl FnOnce(&V, Error) -> Result<R>,
    vars: V,
) -> Result<R> {
    let done = body_fn(&vars).and_then(|results| {
        crate::functional::wait(results.as_arrays())?;
        Ok(results)
    });
    done.or_else(|error| except_fn(&vars, error))
}
