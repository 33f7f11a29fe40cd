//! Gathers of elements and slices, under Ivy's names.

use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::indexing::active_lanes::{kept, lanes, nowhere, zeros};
use crate::functional::{Arange, arange, reshape};
use crate::{AxisSlice, Dims, Dtype, Error, ErrorKind, Op, Operand, Result, Shape, params, primitive, shape};
use smallvec::{SmallVec, smallvec};
use std::{iter, mem};

params! {
    /// Keyword arguments of [`gather`].
    pub struct Gather {
        /// The axis to gather along.
        axis: i64 = -1,
        /// How many leading axes both arrays have in common: each of their entries is gathered from
        /// with indices of its own.
        batch_dims: usize = 0usize,
        /// Which places are looked at; it broadcasts to the shape of the places. Where it is false the result
        /// is 0, and the index is not looked at.
        operand mask,
    }
}

params! {
    /// Keyword arguments of [`gather_nd`].
    pub struct GatherNd {
        /// How many leading axes both arrays have in common: each of their entries is gathered from
        /// with indices of its own.
        batch_dims: usize = 0usize,
        /// Which places are looked at; it broadcasts to the shape of the places. Where it is false the result
        /// is 0, and the index is not looked at.
        operand mask,
    }
}

/// The error of an array whose shape does not fit.
pub(in crate::functional) fn mismatch(
    function: &'static str,
    argument: &'static str,
    expected: String,
    actual: &Shape,
) -> Error {
    ErrorKind::ShapeMismatch { function, argument, expected, actual: actual.clone() }.into()
}

/// An array for each entry of the last axis of `indices`: the places along the first axes of a shape.
pub(in crate::functional) fn index_arrays(
    function: &'static str,
    indices: &Array,
    shape: &[usize],
) -> Result<SmallVec<[Array; 2]>> {
    let own = indices.shape();
    let Some((&count, places)) = own.split_last().filter(|(n, _)| (1..=shape.len()).contains(*n)) else {
        let expected = format!("a last axis of an index for each axis, at most {},", shape.len());
        return Err(mismatch(function, "indices", expected, own));
    };
    let one = |k: usize| {
        let all = places.iter().map(|&len| AxisSlice { start: 0, step: 1, len });
        let axes = all.chain([AxisSlice { start: k, step: 1, len: 1 }]).collect();
        let column = primitive::run(function, &Op::Slice { axes }, &[indices])?;
        primitive::run(function, &Op::Reshape { shape: places.into() }, &[&column])
    };
    (0..count).map(one).collect()
}

/// Indices of each entry of the first axes, for results of so many axes.
fn batches(function: &'static str, shape: &[usize], axes: usize) -> Result<SmallVec<[Array; 2]>> {
    let one = |(axis, &length): (usize, &usize)| {
        let numbers = arange(length, Arange::new().dtype(Dtype::INT64))?;
        let mut own = Dims::from_elem(1, axes);
        own[axis] = length;
        primitive::run(function, &Op::Reshape { shape: own.into() }, &[&numbers])
    };
    shape.iter().enumerate().map(one).collect()
}

/// Refuses shapes that do not begin with the same axes.
fn check_batches(function: &'static str, count: usize, x: &Array, indices: &Array) -> Result<()> {
    let (x, own) = (x.shape(), indices.shape());
    if count > x.len() {
        let (value, rule) = (count.to_string(), "at most the number of axes of `params`");
        return Err(ErrorKind::InvalidArgument { function, argument: "batch_dims", value, rule }.into());
    }
    match own.get(..count) == Some(&x[..count]) {
        true => Ok(()),
        false => {
            let expected = format!("one that begins with {}", Shape::from(&x[..count]));
            Err(mismatch(function, "indices", expected, own))
        }
    }
}

describe! {
    GATHER = "gather", Indexing, Mixed,
    (params: Kept, indices: Index, mask: Condition optional), LikeOperand -> [Compute],
    Bound::Exact, params: Gather::new(), example: [&[2, 2], &[2]], Body::Compose(compose_gather)
}

fn compose_gather(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, indices) = (call.function.name, call.array(0), call.array(1));
    let &Gather { axis, batch_dims, .. } = call.params::<Gather>();
    let axis = shape::normalize_axis(function, axis, x.ndim())?;
    check_batches(function, batch_dims, x, indices)?;
    if axis < batch_dims {
        let (value, rule) = (axis.to_string(), "an axis behind those that `batch_dims` counts");
        return Err(ErrorKind::InvalidArgument { function, argument: "axis", value, rule }.into());
    }
    let Some(mask) = &call.arrays[2] else {
        return Ok(smallvec![gathered(function, x, indices, axis, batch_dims)?]);
    };
    let lanes = lanes(function, mask, indices.shape())?;
    let (both, own) = indices.shape().split_at(batch_dims);
    if nowhere(function, std::slice::from_ref(indices), axis, x.shape(), &lanes)? {
        let shape = [&x.shape()[..axis], own, &x.shape()[axis + 1..]].concat();
        return Ok(smallvec![zeros(shape.into(), call.compute)?]);
    }
    let result = gathered(function, x, &kept(indices, &lanes)?, axis, batch_dims)?;
    // The lanes' axes stand where the indices' do.
    let ones = |count| iter::repeat_n(1, count);
    let before = both.iter().copied().chain(ones(axis - batch_dims));
    let laid = before.chain(own.iter().copied()).chain(ones(x.ndim() - axis - 1));
    Ok(smallvec![kept(&result, &reshape(&lanes, laid.collect::<Shape>(), ())?)?])
}

fn gathered(
    function: &'static str,
    x: &Array,
    indices: &Array,
    axis: usize,
    batch_dims: usize,
) -> Result<Array> {
    if batch_dims == 0 && indices.ndim() == 1 {
        return primitive::run(function, &Op::Take { axis }, &[x, indices]);
    }
    if batch_dims == 0 && axis == 0 {
        return primitive::run(function, &Op::Gather { axes: 1 }, &[x, indices]);
    }
    if batch_dims == 0 {
        let flat = primitive::run(function, &Op::Reshape { shape: [indices.size()].into() }, &[indices])?;
        let taken = primitive::run(function, &Op::Take { axis }, &[x, &flat])?;
        let (before, behind) = (&x.shape()[..axis], &x.shape()[axis + 1..]);
        let shape = before.iter().chain(indices.shape().iter()).chain(behind).copied().collect();
        return primitive::run(function, &Op::Reshape { shape }, &[&taken]);
    }
    // The axis comes behind those in common, and what was between them behind the indices' axes.
    let front = (0..batch_dims).chain([axis]).chain(batch_dims..axis).chain(axis + 1..x.ndim());
    let fronted = primitive::run(function, &Op::PermuteDims { axes: front.collect() }, &[x])?;
    let mut all = batches(function, &x.shape()[..batch_dims], indices.ndim())?;
    all.push(indices.clone());
    let mut operands: SmallVec<[&Array; 4]> = smallvec![&fronted];
    operands.extend(&all);
    let gathered = primitive::run(function, &Op::Gather { axes: batch_dims + 1 }, &operands)?;
    let (rank, between) = (indices.ndim(), axis - batch_dims);
    let back = (0..batch_dims)
        .chain(rank..rank + between)
        .chain(batch_dims..rank)
        .chain(rank + between..gathered.ndim());
    primitive::run(function, &Op::PermuteDims { axes: back.collect() }, &[&gathered])
}

describe! {
    GATHER_ND = "gather_nd", Indexing, Mixed,
    (params: Kept, indices: Index, mask: Condition optional), LikeOperand -> [Compute],
    Bound::Exact, params: GatherNd::new(), example: [&[2, 2], &[2, 1]], Body::Compose(compose_gather_nd)
}

fn compose_gather_nd(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, indices) = (call.function.name, call.array(0), call.array(1));
    let count = call.params::<GatherNd>().batch_dims;
    check_batches(function, count, x, indices)?;
    if indices.ndim() <= count {
        let expected = format!("more than {count} axes");
        return Err(mismatch(function, "indices", expected, indices.shape()));
    }
    let mut all = batches(function, &x.shape()[..count], indices.ndim() - 1)?;
    let own = index_arrays(function, indices, &x.shape()[count..])?;
    let axes = count + own.len();
    let gathered = |all: &[Array]| {
        let operands: SmallVec<[&Array; 4]> = iter::once(x).chain(all).collect();
        primitive::run(function, &Op::Gather { axes }, &operands)
    };
    let Some(mask) = &call.arrays[2] else {
        all.extend(own);
        return Ok(smallvec![gathered(&all)?]);
    };
    let (places, behind) = (own[0].shape().clone(), &x.shape()[axes..]);
    let lanes = lanes(function, mask, &places)?;
    if nowhere(function, &own, count, x.shape(), &lanes)? {
        return Ok(smallvec![zeros([&places, behind].concat().into(), call.compute)?]);
    }
    for index in &own {
        all.push(kept(index, &lanes)?);
    }
    let laid: Shape = places.iter().copied().chain(iter::repeat_n(1, behind.len())).collect();
    Ok(smallvec![kept(&gathered(&all)?, &reshape(&lanes, laid, ())?)?])
}

/// Gather along an axis: the elements (or slices) at `indices` along an axis, in its place the axes of `indices`;
/// negative ones count from the end. [`take`](crate::functional::take) is that with indices of one axis.
///
/// ```
/// use ivy::{Gather, prelude::*};
/// let x = Array::try_from([[1i32, 2, 3], [4, 5, 6]])?;
/// let which = Array::try_from([[0i64, 2], [1, -1]])?;
/// assert_eq!(ivy::gather(&x, &which, ())?.shape().to_vec(), [2, 2, 2]);
/// let rows = ivy::gather(&x, &which, Gather::new().batch_dims(1usize))?;
/// assert_eq!(rows.to_vec::<i32>()?, [1, 3, 5, 6]);
/// // Index 9 is not looked at.
/// let some = Gather::new().mask(&Array::try_from([true, false])?);
/// let columns = ivy::gather(&x, &Array::try_from([2i64, 9])?, some)?;
/// assert_eq!(columns.to_vec::<i32>()?, [3, 0, 6, 0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange), with the first position;
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), and
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an axis among those in common;
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for arrays that do not begin with the same axes,
/// or a mask that does not fit.
pub fn gather<'a, 'b>(
    params: impl IntoOperand<'a>,
    indices: impl IntoOperand<'b>,
    keywords: impl Into<Gather>,
) -> Result<Array> {
    let mut keywords = keywords.into();
    let mask = mem::replace(&mut keywords.mask, Operand::Absent);
    call_one(&GATHER, &[params.into_operand(), indices.into_operand(), mask], &keywords)
}

/// N-D gather: the elements (or slices) at places: the last axis of `indices` has the place of each along the first
/// axes of the array, or those behind the axes in common; negative ones count from the end.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 2, 3], [4, 5, 6]])?;
/// let places = Array::try_from([[0i64, 2], [-1, 0]])?;
/// assert_eq!(ivy::gather_nd(&x, &places, ())?.to_vec::<i32>()?, [3, 4]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange), with the first position among the indices of
/// its axis; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch).
pub fn gather_nd<'a, 'b>(
    params: impl IntoOperand<'a>,
    indices: impl IntoOperand<'b>,
    keywords: impl Into<GatherNd>,
) -> Result<Array> {
    let mut keywords = keywords.into();
    let mask = mem::replace(&mut keywords.mask, Operand::Absent);
    call_one(&GATHER_ND, &[params.into_operand(), indices.into_operand(), mask], &keywords)
}
