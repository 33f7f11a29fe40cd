//! Parts and turns along axes that names stand for, shapes with lengths left open, and diagonals.

use super::{Flip, broadcast_to, flip, reshape, slice_axes, split::Splits, whole};
use crate::array::{Array, IntoOperand, Operand};
use crate::call::{call, call_one};
use crate::function::{Axes, Body, Bound, Composition, Outputs};
use crate::functional::{Arange, Filled, arange, equal, full, less, logical_and, remainder, where_};
use crate::promotion::check_scalar;
use crate::{Dims, Dtype, ErrorKind, Result, Scalar, Shape, params, shape};
use smallvec::smallvec;

/// Refuses an array with fewer axes.
fn check_rank(function: &'static str, x: &Array, rank: usize) -> Result<()> {
    if x.ndim() >= rank {
        return Ok(());
    }
    let (expected, actual) = (format!("at least {rank} axes"), x.shape().clone());
    Err(ErrorKind::ShapeMismatch { function, argument: "the array", expected, actual }.into())
}

params! {
    /// Arguments of [`vsplit`], [`hsplit`] and [`dsplit`].
    pub struct SplitAt {
        /// How many parts of one length there are, or the places at which each part but the first begins.
        indices_or_sections: Splits = Splits::Number(1),
    }
}

/// Parts along an axis. Places beyond the axis are its end, and negative ones count from there; a part that would end
/// before it begins is empty.
fn compose_split_at(call: &Composition<'_>, rank: usize, axis: fn(usize) -> usize) -> Result<Outputs> {
    let (x, function) = (call.array(0), call.function.name);
    check_rank(function, x, rank)?;
    let axis = axis(x.ndim());
    let len = x.shape()[axis];
    let places: Dims = match &call.params::<SplitAt>().indices_or_sections {
        Splits::Sizes(places) => places_within(places, len),
        Splits::Number(number) => match usize::try_from(*number) {
            // As many parts as there are elements at most, but for an axis without any.
            Ok(count) if count > 0 && len % count == 0 && count <= len.max(1) => {
                (1..count).map(|k| k * (len / count)).collect()
            }
            _ => {
                let (argument, value) = ("indices_or_sections", format!("{number} for {len} elements"));
                let rule = "a number of parts that divides the length of the axis";
                return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
            }
        },
    };
    parts_at(function, x, axis, &places)
}

/// Places within an axis of a length.
fn places_within(places: &[i64], len: usize) -> Dims {
    let place = |&p: &i64| {
        if p < 0 { len.saturating_sub(p.unsigned_abs() as usize) } else { len.min(p as usize) }
    };
    places.iter().map(place).collect()
}

/// The parts of an axis that begin at its first element and at some places.
fn parts_at(function: &'static str, x: &Array, axis: usize, places: &[usize]) -> Result<Outputs> {
    let len = x.shape()[axis];
    let begins = std::iter::once(0).chain(places.iter().copied());
    let ends = places.iter().copied().chain([len]);
    let part = |(begin, end): (usize, usize)| {
        let mut axes = whole(x.shape());
        axes[axis].len = end.saturating_sub(begin);
        axes[axis].start = if axes[axis].len == 0 { 0 } else { begin };
        slice_axes(function, x, axes)
    };
    begins.zip(ends).map(part).collect()
}

params! {
    /// Arguments of [`tensor_split`].
    pub struct TensorSplit {
        /// How many parts there are, or the places at which each part but the first begins.
        indices_or_sections: Splits = Splits::Number(1),
        /// The axis.
        axis: i64 = 0,
    }
}

describe! {
    TENSOR_SPLIT = "tensor_split", Manipulation, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: TensorSplit::new(), example: [&[2, 2]], Body::Compose(compose_tensor_split)
}

fn compose_tensor_split(call: &Composition<'_>) -> Result<Outputs> {
    let (x, function, p) = (call.array(0), call.function.name, call.params::<TensorSplit>());
    let axis = shape::normalize_axis(function, p.axis, x.ndim())?;
    let len = x.shape()[axis];
    let places = match &p.indices_or_sections {
        Splits::Sizes(places) => places_within(places, len),
        Splits::Number(number) => match usize::try_from(*number) {
            // More parts than elements are empty ones at the end; they take memory all the same.
            Ok(count) if count > 0 && count <= len.max(1 << 16) => {
                (1..count).map(|k| k * (len / count) + k.min(len % count)).collect()
            }
            _ => {
                let (argument, value) = ("indices_or_sections", format!("{number} for {len} elements"));
                let rule = "a number of parts, 1 or more, and not far more than there are elements";
                return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
            }
        },
    };
    parts_at(function, x, axis, &places)
}

/// The parts of an array along an axis: a number of them, of which the first ones are longer by one where it does not
/// divide the length, or those that begin at the given places. Places beyond the axis are its end, negative ones count
/// from there, and a part that would end before it begins is empty.
///
/// ```
/// use ivy::{TensorSplit, prelude::*};
/// let x = Array::try_from([1i32, 2, 3, 4, 5])?;
/// let parts = ivy::tensor_split(&x, 3, ())?;
/// let lengths: Vec<usize> = parts.iter().map(Array::size).collect();
/// assert_eq!((lengths, parts[2].to_vec::<i32>()?), (vec![2, 2, 1], vec![5]));
/// assert_eq!(ivy::tensor_split(&x, [1, 3], TensorSplit::new().axis(-1))?[1].to_vec::<i32>()?, [2, 3]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), also for an array without axes;
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for no parts, or more than 65536 and the axis's length.
pub fn tensor_split<'a>(
    x: impl IntoOperand<'a>,
    indices_or_sections: impl Into<Splits>,
    params: impl Into<TensorSplit>,
) -> Result<Vec<Array>> {
    let params = params.into().indices_or_sections(indices_or_sections);
    Ok(call(&TENSOR_SPLIT, &[x.into_operand()], &params)?.into_vec())
}

macro_rules! splits {
    ($($(#[$doc:meta])* $name:ident = $rank:literal, $axis:expr;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for an array with fewer axes,
            /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a number that does not divide the length.
            pub fn $name<'a>(
                ary: impl IntoOperand<'a>,
                indices_or_sections: impl Into<Splits>,
            ) -> Result<Vec<Array>> {
                describe! {
                    FUNCTION = stringify!($name), Manipulation, Compositional, (ary: Kept), LikeOperand -> [Compute],
                    Bound::Exact, params: SplitAt::new(), example: [&[2, 2, 2]],
                    Body::Compose(|call| compose_split_at(call, $rank, $axis))
                }
                let params = SplitAt::new().indices_or_sections(indices_or_sections);
                Ok(call(&FUNCTION, &[ary.into_operand()], &params)?.into_vec())
            }
        )*
    };
}
splits! {
    /// The parts of an array along its first axis: a number of equal ones, or those that begin at the given places.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([[1i32, 2], [3, 4], [5, 6]])?;
    /// let parts = ivy::vsplit(&x, [1])?;
    /// assert_eq!(parts[1].to_vec::<i32>()?, [3, 4, 5, 6]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    vsplit = 2, |_| 0;
    /// The parts of an array along its second axis, or its first one if it has no other: a number of equal ones, or those
    /// that begin at the given places.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([[1i32, 2], [3, 4]])?;
    /// assert_eq!(ivy::hsplit(&x, 2)?[1].to_vec::<i32>()?, [2, 4]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    hsplit = 1, |ndim| usize::from(ndim > 1);
    /// The parts of an array along its third axis: a number of equal ones, or those that begin at the given places.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = ivy::reshape(ivy::arange(4, ()), [1, 2, 2], ())?;
    /// assert_eq!(ivy::dsplit(&x, 2)?[0].to_vec::<i32>()?, [0, 2]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    dsplit = 3, |_| 2;
}

fn compose_flip(call: &Composition<'_>, axis: i64) -> Result<Outputs> {
    check_rank(call.function.name, call.array(0), axis as usize + 1)?;
    Ok(smallvec![flip(call.array(0), Flip::new().axis(axis))?])
}

macro_rules! flips {
    ($($(#[$doc:meta])* $name:ident = $axis:literal;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for an array without that axis.
            pub fn $name<'a>(m: impl IntoOperand<'a>) -> Result<Array> {
                describe! {
                    FUNCTION = stringify!($name), Manipulation, Compositional, (m: Kept), LikeOperand -> [Compute],
                    Bound::Exact, params: (), example: [&[2, 2]],
                    Body::Compose(|call| compose_flip(call, $axis))
                }
                call_one(&FUNCTION, &[m.into_operand()], &())
            }
        )*
    };
}
flips! {
    /// The elements in reverse order along the first axis.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([[1i32, 2], [3, 4]])?;
    /// assert_eq!(ivy::flipud(&x)?.to_vec::<i32>()?, [3, 4, 1, 2]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    flipud = 0;
    /// The elements in reverse order along the second axis.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([[1i32, 2], [3, 4]])?;
    /// assert_eq!(ivy::fliplr(&x)?.to_vec::<i32>()?, [2, 1, 4, 3]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    fliplr = 1;
}

params! {
    /// The arguments of [`expand`].
    pub struct Expand {
        /// The shape; a length of -1 is the array's own.
        shape: Axes = Axes::from([2, -1]),
    }
}

describe! {
    EXPAND = "expand", Manipulation, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Expand::new(), example: [&[1, 2]], Body::Compose(compose_expand)
}

fn compose_expand(call: &Composition<'_>) -> Result<Outputs> {
    let (x, function, asked) = (call.array(0), call.function.name, &call.params::<Expand>().shape.0);
    let more = asked.len().checked_sub(x.ndim());
    let length = |(a, &d): (usize, &i64)| match (d, more) {
        (-1, Some(more)) => a.checked_sub(more).map(|a| x.shape()[a]),
        _ => usize::try_from(d).ok(),
    };
    let Some(shape) = asked.iter().enumerate().map(length).collect::<Option<Dims>>() else {
        let (argument, value) = ("shape", format!("{:?} for {}", asked.as_slice(), x.shape()));
        let rule = "lengths are 0 or more, or -1 for an axis that the array has";
        return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
    };
    Ok(smallvec![broadcast_to(x, Shape::from(shape))?])
}

/// The array spread to a shape, as [`broadcast_to`](super::broadcast_to) does it, where a length of -1 is the array's own.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32], [2]])?;
/// assert_eq!(ivy::expand(&x, [-1, 3])?.to_vec::<i32>()?, [1, 1, 1, 2, 2, 2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for another negative length, or -1 of an axis that the array
/// does not have; else as [`broadcast_to`](super::broadcast_to).
pub fn expand<'a>(x: impl IntoOperand<'a>, shape: impl Into<Axes>) -> Result<Array> {
    call_one(&EXPAND, &[x.into_operand()], &Expand::new().shape(shape))
}

params! {
    /// Keyword arguments of [`fill_diagonal`].
    pub struct FillDiagonal {
        /// In a matrix with more rows than columns, the diagonal begins again below its end, after a row without it.
        flag wrap,
    }
}

describe! {
    FILL_DIAGONAL = "fill_diagonal", Manipulation, Compositional, (a: Kept, v: Value), LikeOperand -> [Compute],
    Bound::Exact, params: FillDiagonal::new(), example: [&[2, 2]], Body::Compose(compose_fill_diagonal)
}

fn compose_fill_diagonal(call: &Composition<'_>) -> Result<Outputs> {
    let (x, function) = (call.array(0), call.function.name);
    check_rank(function, x, 2)?;
    let own = x.shape();
    if own.len() > 2 && own.iter().any(|&d| d != own[0]) {
        let (argument, expected, actual) = ("a", "axes of one length, or two axes,".into(), own.clone());
        return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
    }
    let value = call.scalar(1).unwrap_or(Scalar::Int(0));
    check_scalar(function, value, call.compute)?;
    if own.size() == 0 {
        return Ok(smallvec![x.clone()]);
    }
    // From one element of the diagonal to the next, in row-major order.
    let step = own.iter().rev().scan(1usize, |product, &d| {
        let now = *product;
        *product *= d;
        Some(now)
    });
    let step = step.sum::<usize>() as i64;
    let places = reshape(arange(own.size(), Arange::new().dtype(Dtype::INT64))?, own, ())?;
    let mut on = equal(remainder(&places, step)?, 0)?;
    if own.len() == 2 && own[0] > own[1] && !call.params::<FillDiagonal>().wrap {
        on = logical_and(on, less(&places, (own[1] * own[1]) as i64)?)?;
    }
    Ok(smallvec![where_(on, full((), value, Filled::new().dtype(x.dtype()))?, x)?])
}

/// The array with a number on its main diagonal, the elements whose indices are all equal. With `wrap`, the diagonal of a
/// matrix with more rows than columns begins again below its end. The number becomes one of the array's dtype.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::zeros([2, 3], Dtype::INT32)?;
/// assert_eq!(ivy::fill_diagonal(&x, 7, ())?.to_vec::<i32>()?, [7, 0, 0, 0, 7, 0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for fewer than two axes, and for more unless they are of one length;
/// [`ScalarOutOfRange`](crate::ErrorKind::ScalarOutOfRange), [`CastRefused`](crate::ErrorKind::CastRefused) for a complex
/// number and a real dtype.
pub fn fill_diagonal<'a>(
    a: impl IntoOperand<'a>,
    v: impl Into<Scalar>,
    params: impl Into<FillDiagonal>,
) -> Result<Array> {
    call_one(&FILL_DIAGONAL, &[a.into_operand(), Operand::Scalar(v.into())], &params.into())
}
