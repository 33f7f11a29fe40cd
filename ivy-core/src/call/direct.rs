//! The shortest way of calls whose plan is known to put nothing between their operands and the op.

use super::{call, call_one, execute_one};
use crate::array::{Array, IntoOperand, Operand};
use crate::context;
use crate::function::Body;
use crate::plan::{Key, is_direct};
use crate::{BinaryOp, ErrorKind, Function, Op, Result, Scalar};
use std::borrow::Cow;

/// Calls a function of one result on arrays alone, without parameters: [`call`] by the shortest way, for bindings.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, 2.0])?;
/// let add = ivy::function::find_function("add")?;
/// assert_eq!(ivy::call_arrays(add, [&x, &x])?.to_vec::<f32>()?, [2.0, 4.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`call`]; [`ErrorKind::InvalidArgument`] for a function of several results.
#[inline]
pub fn call_arrays<const N: usize>(function: &'static Function, arrays: [&Array; N]) -> Result<Array> {
    if let Some(result) = direct(function, arrays) {
        return result;
    }
    one(function, &arrays.map(|x| Operand::Array(Cow::Borrowed(x))))
}

/// Calls a function of one result on an array and a host scalar, which comes first if `first`, without parameters: [`call`] by
/// the shortest way, for bindings.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, 2.0])?;
/// let subtract = ivy::function::find_function("subtract")?;
/// assert_eq!(ivy::call_scalar(subtract, &x, 1.0.into(), true)?.to_vec::<f32>()?, [0.0, -1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`call_arrays`].
#[inline]
pub fn call_scalar(function: &'static Function, x: &Array, scalar: Scalar, first: bool) -> Result<Array> {
    if let Some(result) = direct_scalar(function, x, scalar, first) {
        return result;
    }
    let (x, scalar) = (Operand::Array(Cow::Borrowed(x)), Operand::Scalar(scalar));
    one(function, &if first { [scalar, x] } else { [x, scalar] })
}

/// The result of a call by the general way, of which there is to be one.
fn one(function: &'static Function, operands: &[Operand<'_>]) -> Result<Array> {
    let mut outputs = call(function, operands, &())?;
    match (outputs.pop(), outputs.is_empty()) {
        (Some(only), true) => Ok(only),
        _ => {
            let (argument, value) = ("function", function.name.to_string());
            let rule = "a function of one result is needed";
            Err(ErrorKind::InvalidArgument { function: function.name, argument, value, rule }.into())
        }
    }
}

/// Calls a function of one operand without parameters.
#[inline]
pub(crate) fn unary<'a>(function: &'static Function, x: impl IntoOperand<'a>) -> Result<Array> {
    if let Some(array) = x.as_array()
        && let Some(result) = direct(function, [array])
    {
        return result;
    }
    call_one(function, &[x.into_operand()], &())
}

/// Calls a function of two operands without parameters.
#[inline]
pub(crate) fn binary<'a, 'b>(
    function: &'static Function,
    a: impl IntoOperand<'a>,
    b: impl IntoOperand<'b>,
) -> Result<Array> {
    if let (Some(x), Some(y)) = (a.as_array(), b.as_array())
        && let Some(result) = direct(function, [x, y])
    {
        return result;
    }
    let with_scalar = match (a.as_array(), b.as_array()) {
        (Some(x), None) => b.as_scalar().and_then(|scalar| direct_scalar(function, x, scalar, false)),
        (None, Some(x)) => a.as_scalar().and_then(|scalar| direct_scalar(function, x, scalar, true)),
        _ => None,
    };
    match with_scalar {
        Some(result) => result,
        None => call_one(function, &[a.into_operand(), b.into_operand()], &()),
    }
}

/// The result of a call on arrays whose plan is known to put nothing between them and the op.
/// `None` for all else: the general way makes the plan, and has every check and error.
fn direct<const N: usize>(function: &'static Function, arrays: [&Array; N]) -> Option<Result<Array>> {
    let Body::Fixed(op) = function.body else { return None };
    let (backend, interned) = (arrays[0].backend(), context::settings());
    // Only results without a limit need no look at their size.
    if interned.settings.memory_limit != isize::MAX as u64
        || arrays[1..].iter().any(|x| x.backend() != backend)
        || !is_direct(Key::of_arrays(function, interned.id, backend.id(), arrays))
    {
        return None;
    }
    Some(execute_one(backend, op, &arrays.map(Array::value)))
}

/// Likewise, of a call on an array and a host scalar, which comes first if `first`.
fn direct_scalar(
    function: &'static Function,
    x: &Array,
    scalar: Scalar,
    first: bool,
) -> Option<Result<Array>> {
    let Body::Fixed(Op::Binary(op)) = function.body else { return None };
    let (backend, interned) = (x.backend(), context::settings());
    // An exponent has rules of its own, and so has an integer that the dtype does not hold.
    if op == &BinaryOp::Pow
        || interned.settings.memory_limit != isize::MAX as u64
        || !scalar.fits(x.dtype())
        || !is_direct(Key::of_scalar(function, interned, backend.id(), x, scalar, first))
    {
        return None;
    }
    let value = backend.execute_scalar(*op, x.value(), scalar, first);
    Some(value.map(|value| Array::from_value(backend.clone(), value)))
}
