//! Which casts a framework makes by itself where a result is written to an array that is there.

use crate::bind::Arguments;
use crate::{Entry, Fault, Value, refuse};
use ivy_core::functional::{astype, broadcast_to};
use ivy_core::{Array, Dtype, Result};
use ivy_frontend_rows::Kind;

/// The kind of casting by which results are written to what is there.
pub(crate) const SAME_KIND: &str = "same_kind";

/// Whether a cast is one that a framework makes by itself: by a kind of casting of its rules, or, where they have none of
/// the name, by their default.
pub(crate) fn may_cast(entry: &Entry, from: Dtype, to: Dtype, kind: &str) -> Result<bool> {
    let rules = entry.frontend.version().rules;
    let known = rules.castings().find(|name| *name == kind);
    rules.can_cast(from, to, known)
}

/// A result in the dtype of an array that it is written to.
pub(crate) fn into_array(
    entry: &Entry,
    argument: &str,
    target: &Array,
    result: &Value<'_>,
    casting: &str,
) -> Result<Value<'static>> {
    let array = crate::arrays::array(entry, "result", result, None, crate::ArrayLikes::All)?;
    let (from, to) = (array.dtype(), target.dtype());
    if !may_cast(entry, from, to, casting)? {
        let rule = format!("the result is {from}, and is not cast to {to} by itself");
        return Err(refuse(entry, Fault::Casting, argument, None, rule));
    }
    let array = if from == to { array } else { astype(&array, to)? };
    if array.shape() == target.shape() {
        return Ok(array.into());
    }
    // NumPy's element-wise functions fill a larger target.
    if entry.row.kind == Kind::Ufunc
        && let Ok(whole) = broadcast_to(&array, target.shape().clone())
    {
        return Ok(whole.into());
    }
    let rule = format!("the result has shape {}, the target {}", array.shape(), target.shape());
    Err(refuse(entry, Fault::Runtime, argument, None, rule))
}

/// The result of a function that writes to its first argument.
pub(crate) fn into_first(
    entry: &'static Entry,
    arguments: &Arguments<'_>,
    value: Value<'static>,
) -> Result<Value<'static>> {
    let name = &entry.row.signature.parameters[0].name;
    match arguments.first() {
        Some(Some(Value::Array(target) | Value::Weak(target))) => {
            into_array(entry, name, target, &value, SAME_KIND)
        }
        Some(Some(other)) => Err(refuse(entry, Fault::Type, name, Some(other), "an array is needed")),
        _ => Ok(value),
    }
}

/// The result as it is written to `out`, where that is given.
pub(crate) fn into_out(
    entry: &'static Entry,
    arguments: &Arguments<'_>,
    value: Value<'static>,
) -> Result<Value<'static>> {
    let Some(Some(out)) = entry.out.map(|at| &arguments[at]) else { return Ok(value) };
    into_target(entry, out, value, SAME_KIND)
}

/// The result as it is written to an array, or several to a tuple of arrays, in which `None` is a new one.
pub(crate) fn into_target(
    entry: &'static Entry,
    out: &Value<'_>,
    value: Value<'static>,
    casting: &str,
) -> Result<Value<'static>> {
    match (out, value) {
        (Value::None, value) => Ok(value),
        (
            Value::Array(target),
            value @ (Value::Array(_) | Value::Weak(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_)),
        ) => into_array(entry, "out", target, &value, casting),
        (Value::Tuple(only), value @ Value::Array(_)) if only.len() == 1 => {
            into_target(entry, &only[0], value, casting)
        }
        (Value::Tuple(targets), Value::Tuple(values)) if targets.len() == values.len() => {
            let each = targets.iter().zip(values).map(|(out, value)| into_target(entry, out, value, casting));
            Ok(Value::Tuple(each.collect::<Result<_>>()?))
        }
        (out, _) => {
            let rule = "an array is needed, or a tuple with one for each result";
            Err(refuse(entry, Fault::Type, "out", Some(out), rule))
        }
    }
}
