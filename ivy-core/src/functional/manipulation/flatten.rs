//! Arrays flattened along a range of axes, in row-major or column-major order.

use super::{permute_dims, reshape};
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::{ErrorKind, Result, Shape, params, shape};
use smallvec::smallvec;

/// In which order elements follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MemoryOrder {
    /// `"C"`: the last axis is the fastest.
    #[default]
    C,
    /// `"F"`: the first axis is the fastest.
    F,
}

param_words! { MemoryOrder: "C" => C, "F" => F }

params! {
    /// Keyword arguments of [`flatten`].
    pub struct Flatten {
        /// The first of the axes that become one.
        start_dim: i64 = 0,
        /// The last one of them.
        end_dim: i64 = -1,
        /// In which order their elements follow each other.
        order: MemoryOrder = MemoryOrder::C,
    }
}

describe! {
    FLATTEN = "flatten", Manipulation, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Flatten::new(), example: [&[2, 2]], Body::Compose(compose_flatten)
}

fn compose_flatten(call: &Composition<'_>) -> Result<Outputs> {
    let (x, function, params) = (call.array(0), call.function.name, call.params::<Flatten>());
    if x.ndim() == 0 {
        // An array without axes counts as one of a single axis.
        shape::normalize_axis(function, params.start_dim, 1)?;
        shape::normalize_axis(function, params.end_dim, 1)?;
        return Ok(smallvec![reshape(x, Shape::from([1]), ())?]);
    }
    let first = shape::normalize_axis(function, params.start_dim, x.ndim())?;
    let last = shape::normalize_axis(function, params.end_dim, x.ndim())?;
    if first > last {
        let (argument, rule) = ("start_dim", "not behind `end_dim`");
        let value = format!("{} with end_dim {}", params.start_dim, params.end_dim);
        return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
    }
    let own = x.shape();
    let count = own[first..=last].iter().product::<usize>();
    let result: Shape = own[..first].iter().chain([&count]).chain(&own[last + 1..]).copied().collect();
    if params.order == MemoryOrder::C || first == last {
        return Ok(smallvec![reshape(x, result, ())?]);
    }
    let axes = (0..first).chain((first..=last).rev()).chain(last + 1..x.ndim()).map(|a| a as i64);
    let permuted = permute_dims(x, axes.collect::<Vec<i64>>())?;
    Ok(smallvec![reshape(permuted, result, ())?])
}

/// Flattened axes: the array with the axes from `start_dim` to `end_dim` made one; all of them by default. In order
/// `"F"` the first of these axes is the fastest in the result. An array without axes becomes one of a single element.
///
/// ```
/// use ivy::{Flatten, MemoryOrder, prelude::*};
/// let x = Array::try_from([[1i32, 2], [3, 4]])?;
/// assert_eq!(ivy::flatten(&x, ())?.to_vec::<i32>()?, [1, 2, 3, 4]);
/// let columns = ivy::flatten(&x, Flatten::new().order(MemoryOrder::F))?;
/// assert_eq!(columns.to_vec::<i32>()?, [1, 3, 2, 4]);
/// let x = ivy::zeros([2, 3, 4], ())?;
/// assert_eq!(ivy::flatten(&x, Flatten::new().start_dim(1))?.shape().to_string(), "(2, 12)");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange);
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for axes that end before they begin.
#[doc(alias = "ravel")]
pub fn flatten<'a>(x: impl IntoOperand<'a>, params: impl Into<Flatten>) -> Result<Array> {
    call_one(&FLATTEN, &[x.into_operand()], &params.into())
}
