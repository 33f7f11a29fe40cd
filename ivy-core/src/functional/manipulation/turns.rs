//! Two axes exchanged, axes made one, and planes turned.

use super::{Flip, flip, permute_dims, reshape};
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Composition, Outputs, Request};
use crate::{Dims, ErrorKind, Op, Result, Shape, params, shape};
use smallvec::smallvec;

params! {
    /// The arguments of [`swapaxes`].
    pub struct Swapaxes {
        /// One of the axes.
        axis0: i64 = 0,
        /// The other one.
        axis1: i64 = 1,
    }
}

describe! {
    SWAPAXES = "swapaxes", Manipulation, Primary, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Swapaxes::new(), example: [&[2, 2]], Body::Op(lower_swapaxes)
}

fn lower_swapaxes(request: &Request<'_>) -> Result<Op> {
    let (function, ndim) = (request.function.name, request.shape(0).len());
    let params = request.params::<Swapaxes>();
    let (a, b) = (
        shape::normalize_axis(function, params.axis0, ndim)?,
        shape::normalize_axis(function, params.axis1, ndim)?,
    );
    let mut axes: Dims = (0..ndim).collect();
    axes.swap(a, b);
    Ok(Op::PermuteDims { axes })
}

/// The array with two axes exchanged; one axis with itself is the array as it is.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::zeros([2, 3, 4], ())?;
/// assert_eq!(ivy::swapaxes(&x, 0, -1)?.shape().to_string(), "(4, 3, 2)");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange).
pub fn swapaxes<'a>(x: impl IntoOperand<'a>, axis0: i64, axis1: i64) -> Result<Array> {
    call_one(&SWAPAXES, &[x.into_operand()], &Swapaxes { axis0, axis1 })
}

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
    let turned = permute_dims(x, axes.collect::<Vec<i64>>())?;
    Ok(smallvec![reshape(turned, result, ())?])
}

/// The array with the axes from `start_dim` to `end_dim` made one; all of them by default. In order `"F"` the first of
/// these axes is the fastest in the result. An array without axes becomes one of a single element.
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

params! {
    /// Keyword arguments of [`rot90`].
    pub struct Rot90 {
        /// By how many quarters of a turn; negative the other way round.
        k: i64 = 1,
        /// The two axes of the plane: the turn is from the first one towards the second.
        axes: Axes = Axes::from([0, 1]),
    }
}

describe! {
    ROT90 = "rot90", Manipulation, Compositional, (m: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Rot90::new(), example: [&[2, 2]], Body::Compose(compose_rot90)
}

fn compose_rot90(call: &Composition<'_>) -> Result<Outputs> {
    let (x, function, params) = (call.array(0), call.function.name, call.params::<Rot90>());
    let &[a, b] = &shape::normalize_axes(function, &params.axes.0, x.ndim())?[..] else {
        let (argument, value) = ("axes", format!("{:?}", params.axes.0.as_slice()));
        let rule = "two axes that differ";
        return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
    };
    let (a, b) = (a as i64, b as i64);
    let reversed = |x: &Array, axes: &[i64]| flip(x, Flip::new().axis(axes));
    Ok(smallvec![match params.k.rem_euclid(4) {
        0 => x.clone(),
        1 => swapaxes(reversed(x, &[b])?, a, b)?,
        2 => reversed(x, &[a, b])?,
        _ => reversed(&swapaxes(x, a, b)?, &[b])?,
    }])
}

/// The array turned by `k` quarters in the plane of two axes, from the first one towards the second: for `k` = 1
/// the last column becomes the first row.
///
/// ```
/// use ivy::{Rot90, prelude::*};
/// let x = Array::try_from([[1i32, 2], [3, 4]])?;
/// assert_eq!(ivy::rot90(&x, ())?.to_vec::<i32>()?, [2, 4, 1, 3]);
/// assert_eq!(ivy::rot90(&x, Rot90::new().k(-1))?.to_vec::<i32>()?, [3, 1, 4, 2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) unless two axes are named,
/// [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis) for one axis twice,
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange).
pub fn rot90<'a>(m: impl IntoOperand<'a>, params: impl Into<Rot90>) -> Result<Array> {
    call_one(&ROT90, &[m.into_operand()], &params.into())
}
