//! Splits at positions or into parts of nearly equal length.

use super::{check_rank, slice_axes, split::Splits, whole};
use crate::array::{Array, IntoOperand};
use crate::call::call;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::{Dims, ErrorKind, Result, params, shape};

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
        Splits::Sizes(places) => split_points(places, len),
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
fn split_points(places: &[i64], len: usize) -> Dims {
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
        Splits::Sizes(places) => split_points(places, len),
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

/// Split into nearly equal parts: the parts of an array along an axis: a number of them, of which the first ones are
/// longer by one where it does not divide the length, or those that begin at the given places. Places beyond the axis
/// are its end, negative ones count from there, and a part that would end before it begins is empty.
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
    /// Vertical split: the parts of an array along its first axis: a number of equal ones, or those that begin at the
    /// given places.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([[1i32, 2], [3, 4], [5, 6]])?;
    /// let parts = ivy::vsplit(&x, [1])?;
    /// assert_eq!(parts[1].to_vec::<i32>()?, [3, 4, 5, 6]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    vsplit = 2, |_| 0;
    /// Horizontal split: the parts of an array along its second axis, or its first one if it has no other: a number of
    /// equal ones, or those that begin at the given places.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([[1i32, 2], [3, 4]])?;
    /// assert_eq!(ivy::hsplit(&x, 2)?[1].to_vec::<i32>()?, [2, 4]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    hsplit = 1, |ndim| usize::from(ndim > 1);
    /// Depth split: the parts of an array along its third axis: a number of equal ones, or those that begin at the
    /// given places.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = ivy::reshape(ivy::arange(4, ()), [1, 2, 2], ())?;
    /// assert_eq!(ivy::dsplit(&x, 2)?[0].to_vec::<i32>()?, [0, 2]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    dsplit = 3, |_| 2;
}
