//! Stacks along rows, columns and depth.

use super::atleast::raise;
use super::join::joined;
use super::reshape;
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::{Dims, Result, Shape};
use smallvec::smallvec;

/// Joins arrays with at least some axes along the axis that the first one's number of axes says.
fn compose_joined(call: &Composition<'_>, rank: usize, axis: fn(usize) -> usize) -> Result<Outputs> {
    let arrays: Dims<Array> =
        (0..call.arrays.len()).map(|i| raise(call.array(i), rank)).collect::<Result<_>>()?;
    Ok(smallvec![joined(call.function.name, &arrays, axis(arrays[0].ndim()))?])
}

/// Vectors become columns, and what has no axes a column of one element.
fn compose_columns(call: &Composition<'_>) -> Result<Outputs> {
    let column = |i: usize| match call.array(i) {
        x if x.ndim() < 2 => reshape(x, Shape::from([x.size(), 1]), ()),
        x => Ok(x.clone()),
    };
    let arrays: Dims<Array> = (0..call.arrays.len()).map(column).collect::<Result<_>>()?;
    Ok(smallvec![joined(call.function.name, &arrays, 1)?])
}

macro_rules! joins {
    ($($(#[$doc:meta])* $name:ident = $body:expr;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) if another axis differs,
            /// [`NoPromotion`](crate::ErrorKind::NoPromotion), [`SizeOverflow`](crate::ErrorKind::SizeOverflow), and
            /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for no arrays.
            pub fn $name<'a, T: IntoOperand<'a>>(arrays: impl IntoIterator<Item = T>) -> Result<Array> {
                describe! {
                    FUNCTION = stringify!($name), Manipulation, Compositional, (arrays: Promoted; variadic),
                    Promote -> [Compute], Bound::Exact, params: (), example: [&[2], &[2]],
                    Body::Compose($body)
                }
                let operands: Vec<Operand<'a>> = arrays.into_iter().map(T::into_operand).collect();
                call_one(&FUNCTION, &operands, &())
            }
        )*
    };
}

joins! {
    /// Vertical stack: arrays one below the other: those without two axes become rows, as [`atleast_2d`](super::atleast_2d) makes them,
    /// and all are joined along the first axis, promoted to one dtype.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let (a, b) = (Array::try_from([1i32, 2])?, Array::try_from([[3i32, 4], [5, 6]])?);
    /// let x = ivy::vstack([&a, &b])?;
    /// assert_eq!((x.shape().to_string(), x.to_vec::<i32>()?), ("(3, 2)".into(), vec![1, 2, 3, 4, 5, 6]));
    /// # Ok::<(), ivy::Error>(())
    /// ```
    vstack = |call| compose_joined(call, 2, |_| 0);
    /// Horizontal stack: arrays beside each other: joined along the second axis, or along the first one if they have no
    /// other, promoted to one dtype. What has no axes is one element.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let (a, b) = (Array::try_from([[1i32], [2]])?, Array::try_from([[3i32, 4], [5, 6]])?);
    /// assert_eq!(ivy::hstack([&a, &b])?.to_vec::<i32>()?, [1, 3, 4, 2, 5, 6]);
    /// let (a, b) = (Array::try_from([1i32])?, Array::try_from([2i32, 3])?);
    /// assert_eq!(ivy::hstack([&a, &b])?.to_vec::<i32>()?, [1, 2, 3]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    hstack = |call| compose_joined(call, 1, |ndim| usize::from(ndim > 1));
    /// Depth stack: arrays one behind the other: those without three axes get them as [`atleast_3d`](super::atleast_3d) gives them, and
    /// all are joined along the third axis, promoted to one dtype.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let (a, b) = (Array::try_from([1i32, 2])?, Array::try_from([3i32, 4])?);
    /// let x = ivy::dstack([&a, &b])?;
    /// assert_eq!((x.shape().to_string(), x.to_vec::<i32>()?), ("(1, 2, 2)".into(), vec![1, 3, 2, 4]));
    /// # Ok::<(), ivy::Error>(())
    /// ```
    dstack = |call| compose_joined(call, 3, |_| 2);
    /// Column stack: arrays of one axis are columns, others are joined as they are along the second axis, promoted to
    /// one dtype.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let (a, b) = (Array::try_from([1i32, 2])?, Array::try_from([[3i32, 4], [5, 6]])?);
    /// assert_eq!(ivy::column_stack([&a, &b])?.to_vec::<i32>()?, [1, 3, 4, 2, 5, 6]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    column_stack = compose_columns;
}
