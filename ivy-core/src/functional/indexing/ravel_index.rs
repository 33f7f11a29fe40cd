//! Flat indices of multi-indices, and back.

use crate::array::{Array, IntoOperand, Operand};
use crate::call::{call, call_one};
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::Filled;
use crate::functional::{
    MemoryOrder, add, broadcast_to, clip, floor_divide, full, less, multiply, remainder, where_,
};
use crate::{Dtype, ErrorKind, Op, Result, Shape, params, primitive, shape};
use smallvec::smallvec;

/// What becomes of an index that is out of range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IndexMode {
    /// It is an error.
    #[default]
    Raise,
    /// Indices begin anew behind the end and before the first one.
    Wrap,
    /// It is the nearest one that is in range.
    Clip,
}

param_words! { IndexMode: "raise" => Raise, "wrap" => Wrap, "clip" => Clip }

/// Indices from 0 on of indices into an axis, of which negative ones count from its end.
///
/// # Errors
/// [`ErrorKind::IndexOutOfRange`], where reading at the indices gives it.
fn in_range(function: &'static str, index: &Array, length: usize) -> Result<Array> {
    // Reading is what looks at the indices: of zeros, which are there once.
    let zeros = broadcast_to(full([], 0, Filled::new().dtype(Dtype::INT64))?, Shape::from([length]))?;
    let zero = primitive::run(function, &Op::Gather { axes: 1 }, &[&zeros, index])?;
    add(where_(less(index, 0)?, add(index, length as i64)?, index)?, zero)
}

/// The axes from the one that is the slowest to that which is the fastest.
fn ordered(dims: &[usize], order: MemoryOrder) -> Vec<usize> {
    match order {
        MemoryOrder::C => (0..dims.len()).collect(),
        MemoryOrder::F => (0..dims.len()).rev().collect(),
    }
}

params! {
    /// Arguments of [`ravel_multi_index`].
    pub struct RavelMultiIndex {
        /// The lengths of the axes.
        dims: Shape = Shape::from([2, 2]),
        /// What becomes of an index that is out of range.
        mode: IndexMode = IndexMode::Raise,
        /// Which axis is the fastest.
        order: MemoryOrder = MemoryOrder::C,
    }
}

describe! {
    RAVEL_MULTI_INDEX = "ravel_multi_index", Indexing, Compositional, (multi_index: Index; variadic),
    Count -> [Index], Bound::Exact, params: RavelMultiIndex::new(), example: [&[2], &[2]],
    Body::Compose(compose_ravel)
}

fn compose_ravel(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params) = (call.function.name, call.params::<RavelMultiIndex>());
    let dims = &params.dims;
    dims.checked_size(function, Dtype::INT64)?;
    let count = call.arrays.len();
    if count != dims.len() {
        let value = format!("{count} arrays of indices");
        let rule = "one for each of the dims";
        return Err(ErrorKind::InvalidArgument { function, argument: "multi_index", value, rule }.into());
    }
    let shapes: Vec<&Shape> = (0..count).map(|i| call.array(i).shape()).collect();
    let lanes = shape::broadcast(function, &shapes)?.size();
    if params.mode != IndexMode::Raise && lanes > 0 && dims.contains(&0) {
        let (value, rule) = (dims.to_string(), "an axis without elements has no index");
        return Err(ErrorKind::InvalidArgument { function, argument: "dims", value, rule }.into());
    }
    let mut place: Option<Array> = None;
    for axis in ordered(dims, params.order) {
        let (index, length) = (call.array(axis), dims[axis] as i64);
        let index = match params.mode {
            IndexMode::Raise => in_range(function, index, dims[axis])?,
            IndexMode::Wrap => remainder(index, length)?,
            IndexMode::Clip => clip(index, 0, (length - 1).max(0))?,
        };
        place = Some(match place {
            None => index,
            Some(slower) => add(multiply(slower, length)?, index)?,
        });
    }
    Ok(smallvec![place.expect("a call has an operand at least")])
}

/// Flat indices of multi-indices: the places, in row-major order, of the elements at indices, of which there is an
/// array for each axis; int64, in the shape to which those broadcast. Negative indices count from the end. With `order`
/// F the first axis is the fastest.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::{IndexMode, RavelMultiIndex};
/// let (rows, columns) = (Array::try_from([3i32, 6, -1])?, Array::try_from([4i32, 5, 1])?);
/// assert_eq!(ivy::ravel_multi_index([&rows, &columns], [7, 6], ())?.to_vec::<i64>()?, [22, 41, 37]);
/// let clipped = RavelMultiIndex::new().mode(IndexMode::Clip);
/// assert_eq!(ivy::ravel_multi_index([&rows, &columns], [4, 4], clipped)?.to_vec::<i64>()?, [15, 15, 1]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`IndexOutOfRange`](ErrorKind::IndexOutOfRange), [`InvalidArgument`](ErrorKind::InvalidArgument) for as many arrays
/// as there are not `dims`, [`BroadcastShapes`](ErrorKind::BroadcastShapes),
/// [`OutsideDomain`](ErrorKind::OutsideDomain) for what are no integers, [`SizeOverflow`](ErrorKind::SizeOverflow).
pub fn ravel_multi_index<'a, T: IntoOperand<'a>>(
    multi_index: impl IntoIterator<Item = T>,
    dims: impl Into<Shape>,
    params: impl Into<RavelMultiIndex>,
) -> Result<Array> {
    let operands: Vec<Operand<'a>> = multi_index.into_iter().map(T::into_operand).collect();
    call_one(&RAVEL_MULTI_INDEX, &operands, &params.into().dims(dims))
}

params! {
    /// Arguments of [`unravel_index`].
    pub struct UnravelIndex {
        /// The lengths of the axes.
        shape: Shape = Shape::from([2, 2]),
        /// Which axis is the fastest.
        order: MemoryOrder = MemoryOrder::C,
    }
}

describe! {
    UNRAVEL_INDEX = "unravel_index", Indexing, Compositional, (indices: Index), Count -> [Index],
    Bound::Exact, params: UnravelIndex::new(), example: [&[2]], Body::Compose(compose_unravel)
}

fn compose_unravel(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params) = (call.function.name, call.params::<UnravelIndex>());
    let size = params.shape.checked_size(function, Dtype::INT64)?;
    let mut left = in_range(function, call.array(0), size)?;
    let mut found: Outputs = (0..params.shape.len()).map(|_| left.clone()).collect();
    let order = ordered(&params.shape, params.order);
    for (k, &axis) in order.iter().enumerate().rev() {
        let length = params.shape[axis] as i64;
        found[axis] = if k == 0 { left.clone() } else { remainder(&left, length)? };
        if k > 0 {
            left = floor_divide(left, length)?;
        }
    }
    Ok(found)
}

/// Multi-indices of flat indices: the indices along each axis of the elements at places in row-major order: an int64
/// array for each axis, in the shape of `indices`. Negative places count from the end. With `order` F the first axis is
/// the fastest.
///
/// ```
/// use ivy::prelude::*;
/// let places = Array::try_from([22i32, 41, -1])?;
/// let found = ivy::unravel_index(&places, [7, 6], ())?;
/// assert_eq!(found[0].to_vec::<i64>()?, [3, 6, 6]);
/// assert_eq!(found[1].to_vec::<i64>()?, [4, 5, 5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`IndexOutOfRange`](ErrorKind::IndexOutOfRange), [`OutsideDomain`](ErrorKind::OutsideDomain) for what are no
/// integers, [`SizeOverflow`](ErrorKind::SizeOverflow).
pub fn unravel_index<'a>(
    indices: impl IntoOperand<'a>,
    shape: impl Into<Shape>,
    params: impl Into<UnravelIndex>,
) -> Result<Vec<Array>> {
    Ok(call(&UNRAVEL_INDEX, &[indices.into_operand()], &params.into().shape(shape))?.into_vec())
}
