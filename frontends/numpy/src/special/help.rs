//! What several chapters need: operands, errors, slices, numbers on the host.

use ivy_core::function::Axes;
use ivy_core::functional as f;
use ivy_core::functional::{Reduce, Sum};
use ivy_core::host::HostArray;
use ivy_core::{Array, Dtype, Error, ErrorKind, Index, Operand, Result, Shape};
use ivy_frontend::{Call, Fault, Value};
use std::borrow::Cow;

/// What a special gives.
pub(crate) type Out = Result<Value<'static>>;

/// Argument `i` as an operand: a host number stays one.
pub(crate) fn operand<'a>(call: &'a Call<'_>, i: usize) -> Result<Operand<'a>> {
    operand_of(call, call.value(i))
}

/// A value as an operand: a host number stays one.
pub(crate) fn operand_of<'a>(call: &Call<'_>, value: &'a Value<'_>) -> Result<Operand<'a>> {
    Ok(match (value.as_scalar(), value.as_array()) {
        (Some(scalar), _) => Operand::Scalar(scalar),
        (None, Some(array)) => Operand::Array(Cow::Borrowed(array)),
        (None, None) => Operand::Array(Cow::Owned(call.to_array(value)?)),
    })
}

/// An argument of a value that NumPy does not take.
pub(crate) fn value_error(call: &Call<'_>, argument: &str, rule: impl Into<String>) -> Error {
    call.refuse(Fault::Value, argument, None, rule)
}

/// An argument of a type that NumPy does not take.
pub(crate) fn type_error(call: &Call<'_>, argument: &str, rule: impl Into<String>) -> Error {
    call.refuse(Fault::Type, argument, None, rule)
}

/// The place of an axis that may count from the end.
pub(crate) fn axis_in(call: &Call<'_>, axis: i64, ndim: usize) -> Result<usize> {
    let place = if axis < 0 { axis + ndim as i64 } else { axis };
    match usize::try_from(place) {
        Ok(place) if place < ndim => Ok(place),
        _ => {
            let rule = format!("axis {axis} is out of bounds for array of dimension {ndim}");
            Err(call.refuse(Fault::Axis, "axis", Some(&Value::from(axis)), rule))
        }
    }
}

/// Axes by their places, each once; all of them for `None`.
pub(crate) fn axes_in(call: &Call<'_>, axes: Option<Vec<i64>>, ndim: usize) -> Result<Vec<usize>> {
    let Some(axes) = axes else { return Ok((0..ndim).collect()) };
    let mut places = Vec::with_capacity(axes.len());
    for axis in axes {
        let place = axis_in(call, axis, ndim)?;
        if places.contains(&place) {
            return Err(value_error(call, "axis", "duplicate value in 'axis'"));
        }
        places.push(place);
    }
    Ok(places)
}

/// Axes of the core from places.
pub(crate) fn axes(places: &[usize]) -> Axes {
    places.iter().map(|&place| place as i64).collect::<Vec<i64>>().into()
}

/// The argument as axes of the core.
pub(crate) fn core_axes(call: &Call<'_>, i: usize) -> Result<Option<Axes>> {
    Ok(call.ints(i)?.map(Axes::from))
}

/// Parameters of a reduction over axes.
pub(crate) fn over(axis: Option<Axes>, keepdims: bool) -> Reduce {
    let mut params = Reduce::new();
    (params.axis, params.keepdims) = (axis, keepdims);
    params
}

/// Parameters of a sum over axes.
pub(crate) fn sum_over(axis: Option<Axes>, dtype: Option<Dtype>, keepdims: bool) -> Sum {
    let mut params = Sum::new();
    (params.axis, params.dtype, params.keepdims) = (axis, dtype, keepdims);
    params
}

/// The elements along one axis.
pub(crate) fn flat(x: &Array) -> Result<Array> {
    if x.ndim() == 1 { Ok(x.clone()) } else { f::reshape(x, -1, ()) }
}

/// The array with one axis at least.
pub(crate) fn at_least_one(x: Array) -> Result<Array> {
    if x.ndim() == 0 { f::reshape(x, 1, ()) } else { Ok(x) }
}

/// The elements at a slice of an axis: Python's `start:stop`.
pub(crate) fn cut(x: &Array, axis: usize, start: Option<i64>, stop: Option<i64>) -> Result<Array> {
    strided(x, axis, start, stop, 1)
}

/// The elements at a slice of an axis: Python's `start:stop:step`.
pub(crate) fn strided(
    x: &Array,
    axis: usize,
    start: Option<i64>,
    stop: Option<i64>,
    step: i64,
) -> Result<Array> {
    let all = || Index::Slice { start: None, stop: None, step: 1 };
    let mut indices: Vec<Index> = (0..axis).map(|_| all()).collect();
    indices.push(Index::Slice { start, stop, step });
    x.get(indices)
}

/// The elements at one place of an axis, which is dropped.
pub(crate) fn at(x: &Array, axis: usize, place: i64) -> Result<Array> {
    let all = || Index::Slice { start: None, stop: None, step: 1 };
    let mut indices: Vec<Index> = (0..axis).map(|_| all()).collect();
    indices.push(Index::Int(place));
    x.get(indices)
}

/// Host numbers as an array of a shape, on the backend of another one.
pub(crate) fn beside<T: ivy_core::host::Element>(
    of: &Array,
    list: Vec<T>,
    shape: impl Into<Shape>,
) -> Result<Array> {
    let host = HostArray::from_vec(list, shape.into()).ok_or_else(|| ErrorKind::no_memory("asarray", 0))?;
    Array::from_host(of.backend(), host)
}

/// Integers as an array of one axis, on the backend of another one.
pub(crate) fn ints_beside(of: &Array, list: Vec<i64>) -> Result<Array> {
    let length = list.len();
    beside(of, list, [length])
}

/// The elements as real numbers of the host.
pub(crate) fn reals(x: &Array) -> Result<Vec<f64>> {
    f::astype(x, Dtype::FLOAT64)?.to_vec()
}

/// The elements as integers of the host.
pub(crate) fn integers(x: &Array) -> Result<Vec<i64>> {
    f::astype(x, Dtype::INT64)?.to_vec()
}

/// Whether all elements hold.
pub(crate) fn holds(x: Result<Array>) -> Result<bool> {
    f::all(x, ())?.item()
}

/// Whether any element holds.
pub(crate) fn occurs(x: Result<Array>) -> Result<bool> {
    f::any(x, ())?.item()
}

/// The array as floats: integers and truth values become float64.
pub(crate) fn floats(x: Array) -> Result<Array> {
    if x.dtype().is_float() || x.dtype().is_complex() { Ok(x) } else { f::astype(x, Dtype::FLOAT64) }
}

/// The dtype to which NumPy promotes arrays of two.
pub(crate) fn promoted(x: &Array, y: &Array) -> Result<Dtype> {
    f::result_type([x.dtype(), y.dtype()])
}

/// The argument as a flag; `None` is false.
pub(crate) fn flag(call: &Call<'_>, i: usize) -> Result<bool> {
    call.flag(i)
}

/// The lengths as numbers.
pub(crate) fn lengths(shape: &Shape) -> Vec<i64> {
    shape.iter().map(|&d| d as i64).collect()
}

/// A shape from numbers that are none below 0.
pub(crate) fn shape_of(call: &Call<'_>, numbers: &[i64]) -> Result<Shape> {
    let length = |&n: &i64| {
        usize::try_from(n).map_err(|_| value_error(call, "shape", "negative dimensions are not allowed"))
    };
    numbers.iter().map(length).collect()
}

/// The tuple of arrays.
pub(crate) fn tuple(arrays: impl IntoIterator<Item = Array>) -> Value<'static> {
    Value::Tuple(arrays.into_iter().map(Value::from).collect())
}
