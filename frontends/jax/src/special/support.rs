//! What the code of several functions needs: calls of the core on values, shapes, axes, dtypes.

use ivy_core::context::current;
use ivy_core::{Array, Dtype, Error, Result};
use ivy_frontend::{Call, Fault, Value};

/// What a special gives.
pub(crate) type Out = Result<Value<'static>>;

/// Calls a function of the core: operands by position, parameters by name. `core!(call, "sum", &x; axis: 1)`.
macro_rules! core {
    ($call:expr, $name:literal $(, $x:expr)* $(; $($key:ident: $value:expr),* $(,)?)?) => {
        $call.core($name, &[$(ivy_frontend::Value::from($x)),*], ivy_frontend::kw! { $($($key: $value),*)? })
    };
}
pub(crate) use core;

/// The array of a value; numbers become one.
pub(crate) fn array(call: &Call<'_>, value: &Value<'_>) -> Result<Array> {
    call.to_array(value)
}

/// Argument `i` as an array, weakly typed where JAX has that of it: of host numbers, and of arrays that are so.
pub(crate) fn operand(call: &Call<'_>, i: usize) -> Out {
    call.typed(call.value(i))
}

/// Whether a value is weakly typed: host numbers, and arrays that are so.
pub(crate) fn is_weak(value: &Value<'_>) -> bool {
    matches!(value, Value::Weak(_) | Value::Int(_) | Value::Float(_) | Value::Complex(_))
}

/// An array as a weakly typed one, if `weak` is true.
pub(crate) fn weakly(value: Value<'static>, weak: bool) -> Value<'static> {
    match value {
        Value::Array(array) if weak => Value::Weak(array),
        other => other,
    }
}

/// The entries of a tuple or list; those along the first axis of an array.
pub(crate) fn entries(call: &Call<'_>, i: usize, name: &str) -> Result<Vec<Value<'static>>> {
    let value = call.value(i);
    if value.as_array().is_none() {
        return Ok(items(call, i, name)?.iter().map(|v| v.clone().into_owned()).collect());
    }
    Ok(match core!(call, "unstack", value)? {
        Value::Tuple(rows) => rows,
        one => vec![one],
    })
}

/// As many elements of one axis as asked for: they go round.
pub(crate) fn repeated(call: &Call<'_>, x: &Value<'_>, count: i64) -> Out {
    let have = shape(call, x)?[0].max(1);
    cut(call, &core!(call, "tile", x, ints([(count + have - 1) / have]))?, 0, 0, count)
}

/// The dtype that a value has as an array.
pub(crate) fn dtype(call: &Call<'_>, value: &Value<'_>) -> Result<Dtype> {
    match value.as_array() {
        Some(array) => Ok(array.dtype()),
        None => Ok(array(call, value)?.dtype()),
    }
}

/// The lengths of a value's axes.
pub(crate) fn shape(call: &Call<'_>, value: &Value<'_>) -> Result<Vec<i64>> {
    let of = |array: &Array| array.shape().iter().map(|&d| d as i64).collect();
    match value.as_array() {
        Some(array) => Ok(of(array)),
        None if value.as_scalar().is_some() => Ok(Vec::new()),
        None => Ok(of(&array(call, value)?)),
    }
}

/// How many elements a shape has.
pub(crate) fn product(lengths: &[i64]) -> i64 {
    lengths.iter().product()
}

/// An axis counted from the front.
pub(crate) fn axis(call: &Call<'_>, axis: i64, ndim: usize) -> Result<usize> {
    let counted = if axis < 0 { axis + ndim as i64 } else { axis };
    match usize::try_from(counted) {
        Ok(axis) if axis < ndim => Ok(axis),
        _ => {
            let rule = format!("axis {axis} is out of bounds for array of dimension {ndim}");
            Err(call.refuse(Fault::Axis, "axis", None, rule))
        }
    }
}

/// The axes of argument `i`, counted from the front; all of them for `None`.
pub(crate) fn axes(call: &Call<'_>, i: usize, ndim: usize) -> Result<Vec<usize>> {
    match call.ints(i)? {
        None => Ok((0..ndim).collect()),
        Some(given) => given.into_iter().map(|a| axis(call, a, ndim)).collect(),
    }
}

/// Whole numbers as a value.
pub(crate) fn ints(list: impl IntoIterator<Item = impl Into<Value<'static>>>) -> Value<'static> {
    Value::Tuple(list.into_iter().map(Into::into).collect())
}

/// The default float dtype.
pub(crate) fn default_float() -> Dtype {
    current().settings.defaults.float()
}

/// The default integer dtype: that of indices.
pub(crate) fn default_int() -> Dtype {
    current().settings.defaults.int()
}

/// The float dtype that integers and truth values become: the default one for those of 64 bits.
pub(crate) fn float_of(dtype: Dtype) -> Dtype {
    match dtype {
        Dtype::INT64 | Dtype::UINT64 => default_float(),
        _ => Dtype::FLOAT32,
    }
}

/// A value as floats or complex numbers: integers and truth values in the float dtype of theirs, weakly typed ones in the
/// default one.
pub(crate) fn inexact(call: &Call<'_>, value: &Value<'_>) -> Out {
    match value {
        Value::Bool(b) => Ok(Value::Float(f64::from(u8::from(*b)))),
        Value::Int(i) => Ok(Value::Float(*i as f64)),
        Value::Array(array) | Value::Weak(array)
            if array.dtype().is_float() || array.dtype().is_complex() =>
        {
            Ok(value.clone().into_owned())
        }
        Value::Array(array) => core!(call, "astype", value, float_of(array.dtype())),
        Value::Weak(_) => Ok(weakly(core!(call, "astype", value, default_float())?, true)),
        other if other.as_scalar().is_some() => Ok(other.clone().into_owned()),
        other => Err(no_array(call, other)),
    }
}

/// The error for a value that stands where an array is needed.
pub(crate) fn no_array(call: &Call<'_>, value: &Value<'_>) -> Error {
    call.refuse(
        Fault::Type,
        call.name_of(value),
        Some(value),
        format!("requires an array or a number, got {}", value.kind()),
    )
}

/// The dtype of the dtype's kind in which sums of short floats are computed.
pub(crate) fn is_short_float(dtype: Dtype) -> bool {
    dtype == Dtype::FLOAT16 || dtype == Dtype::BFLOAT16
}

/// Indices in the default integer dtype.
pub(crate) fn places(call: &Call<'_>, value: Value<'_>) -> Out {
    core!(call, "astype", &value, default_int())
}

/// A value without axes of length 1, of one axis.
pub(crate) fn raveled(call: &Call<'_>, value: &Value<'_>) -> Out {
    core!(call, "reshape", value, [-1i64])
}

/// The entries of a tuple or list as they are.
pub(crate) fn items<'c, 'v>(call: &'c Call<'v>, i: usize, name: &str) -> Result<&'c [Value<'v>]> {
    let value = call.value(i);
    value.items().ok_or_else(|| call.refuse(Fault::Type, name, Some(value), "a tuple or list is needed"))
}

/// The elements from `start` to before `stop` of an axis.
pub(crate) fn cut(call: &Call<'_>, x: &Value<'_>, axis: usize, start: i64, stop: i64) -> Out {
    let mut key = vec![full_slice(); axis];
    key.push(Value::Slice { start: Some(start), stop: Some(stop), step: None });
    get(call, x, Value::Tuple(key))
}

/// A slice of a whole axis.
pub(crate) fn full_slice() -> Value<'static> {
    Value::Slice { start: None, stop: None, step: None }
}

/// The elements at an index expression.
pub(crate) fn get(call: &Call<'_>, x: &Value<'_>, key: Value<'_>) -> Out {
    let entries = ivy_frontend::indices(call.entry, &key)?;
    let part = ivy_core::functional::get_item(&array(call, x)?, entries)?;
    Ok(weakly(part.into(), is_weak(x)))
}

/// An array with other elements at an index expression.
pub(crate) fn set(call: &Call<'_>, x: &Value<'_>, key: Value<'_>, value: &Value<'_>) -> Out {
    let (entries, value) = (ivy_frontend::indices(call.entry, &key)?, array(call, value)?);
    Ok(ivy_core::functional::set_item(&array(call, x)?, entries, &value)?.into())
}
