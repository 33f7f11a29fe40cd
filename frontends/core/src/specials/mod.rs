//! What the code of several frontends needs: calls of the core by name, and functions that frameworks have alike.

mod bessel;
mod derivatives;
mod distinct;
mod functions;
mod incomplete_gamma;
mod orders;
mod orthogonal;
mod resampling;
mod sampling;
mod series;
mod special_functions;
pub mod subgradients;

pub use derivatives::{
    cotangents, detach, grad_of, is_grad_enabled, is_leaf, listed_tensors, refused_walk, requires_grad,
    retain_grad, set_grad_enabled, written_in_place,
};
pub use distinct::distinct_parts;
pub use functions::{complex, complex_of, logarithm_of_sum, logsumexp, with_dtype};
pub use orders::{kth_least, lower_median, running_extremes};
pub use orthogonal::orthogonal_polynomial;
pub use resampling::{Taps, linear, resampled, taps};
pub use sampling::gumbel_softmax;
pub use special_functions::{bessel, error_function, float64_operand, incomplete_gamma, multivariate_lgamma};

use crate::{Call, Fault, Value, kw};
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Error, Index, Result};

/// What a [`Special`](crate::Special) gives.
pub type Out = Result<Value<'static>>;

/// Calls a function of the core by its name: operands, then parameters. Gives what it gives:
/// `invoke!(call, "nonzero", [&x])?`.
#[macro_export]
macro_rules! invoke {
    ($call:expr, $name:expr, [$($x:expr),* $(,)?] $(, $key:ident = $value:expr)* $(,)?) => {
        $call.core($name, &[$($crate::Value::from($x)),*], $crate::kw! { $($key: $value),* })
    };
}

/// Likewise, of a function that gives one array: `compute!(call, "sum", [&x], axis = 1)?`.
#[macro_export]
macro_rules! compute {
    ($call:expr, $($rest:tt)*) => {
        $crate::invoke!($call, $($rest)*).and_then(|value| $crate::specials::one($call, value))
    };
}

/// The array that a function gave; a host number becomes one.
///
/// # Errors
/// For several values.
pub fn one(call: &Call<'_>, value: Value<'static>) -> Result<Array> {
    match value {
        Value::Array(array) => Ok(array.into_owned()),
        other => call.make_array(&other, None),
    }
}

/// The arrays that a function gave.
///
/// # Errors
/// For what are no arrays.
pub fn several(call: &Call<'_>, value: Value<'static>) -> Result<Vec<Array>> {
    match value {
        Value::Tuple(list) | Value::List(list) => list.into_iter().map(|v| one(call, v)).collect(),
        single => Ok(vec![one(call, single)?]),
    }
}

/// Argument `i`, which has to be a tensor.
///
/// # Errors
/// For anything else.
pub fn tensor(call: &Call<'_>, i: usize) -> Result<Array> {
    match call.value(i).as_array() {
        Some(array) => Ok(array.clone()),
        None => {
            let rule = format!("must be Tensor, not {}", call.value(i).kind());
            Err(call.refuse(Fault::Type, call.name(i), Some(call.value(i)), rule))
        }
    }
}

/// A tuple of arrays.
pub fn tuple(arrays: impl IntoIterator<Item = Array>) -> Value<'static> {
    Value::Tuple(arrays.into_iter().map(Value::from).collect())
}

/// The lengths of an array's axes.
pub fn lengths(x: &Array) -> Vec<i64> {
    x.shape().iter().map(|&d| d as i64).collect()
}

/// An axis counted from the front.
///
/// # Errors
/// For one that is not there.
pub fn axis(call: &Call<'_>, axis: i64, ndim: usize) -> Result<usize> {
    let place = if axis < 0 { axis + ndim as i64 } else { axis };
    usize::try_from(place)
        .ok()
        .filter(|&place| place < ndim)
        .ok_or_else(|| call.refuse(Fault::Axis, "axis", Some(&axis.into()), format!("there are {ndim} axes")))
}

/// The error of an argument's value.
pub fn wrong(call: &Call<'_>, argument: &str, rule: impl Into<String>) -> Error {
    call.refuse(Fault::Value, argument, None, rule)
}

/// Refuses arrays with another number of axes.
///
/// # Errors
/// Then.
pub fn need_axes(
    call: &Call<'_>,
    argument: &str,
    x: &Array,
    axes: std::ops::RangeInclusive<usize>,
) -> Result<()> {
    if axes.contains(&x.ndim()) {
        return Ok(());
    }
    let expected = if axes.start() == axes.end() { axes.start().to_string() } else { format!("{axes:?}") };
    Err(wrong(call, argument, format!("{expected} axes are needed, there are {}", x.ndim())))
}

/// The elements from `start` to before `stop` of an axis, `step` apart.
///
/// # Errors
/// Those of [`Array::get`].
pub fn cut(x: &Array, axis: usize, start: i64, stop: i64, step: i64) -> Result<Array> {
    let mut key = vec![Index::Slice { start: None, stop: None, step: 1 }; x.ndim()];
    key[axis] = Index::Slice { start: Some(start), stop: Some(stop), step };
    x.get(key)
}

/// The pairs of an argument: of nested lists, or of an array `[n, 2]`.
///
/// # Errors
/// For what is none.
pub fn pairs(call: &Call<'_>, i: usize) -> Result<Vec<[i64; 2]>> {
    let array = call.make_array(call.value(i), None)?;
    if array.ndim() != 2 || array.shape()[1] != 2 || !array.dtype().is_int() {
        return Err(wrong(call, "paddings", "pairs of whole numbers are needed"));
    }
    let flat = f::reshape(f::astype(&array, Dtype::INT64)?, -1, ())?.to_vec::<i64>()?;
    Ok(flat.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect())
}

/// The axes of a convolution or pool in the order batch, channels, spatial axes: the word of a data format.
pub fn channels_first(format: &str) -> bool {
    format.starts_with("NC") || format == "channel_first"
}

/// Dict-like keywords that are the same in calls of the core: a number for each of `spatial` axes.
///
/// # Errors
/// For another number of them.
pub fn per_axis(call: &Call<'_>, i: usize, name: &str, spatial: usize, default: i64) -> Result<Vec<i64>> {
    let given = call.ints(i)?.unwrap_or_else(|| vec![default]);
    match given.len() {
        1 => Ok(vec![given[0]; spatial]),
        n if n == spatial => Ok(given),
        n => Err(wrong(call, name, format!("{n} numbers for {spatial} spatial axes"))),
    }
}

/// An array in another order of its axes.
///
/// # Errors
/// For what is no order.
pub fn ordered(call: &Call<'_>, x: &Array, axes: Vec<i64>) -> Result<Array> {
    call.core("permute_dims", &[Value::from(x)], kw! { axes: axes }).and_then(|value| one(call, value))
}
