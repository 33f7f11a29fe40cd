//! Arrays with at least some number of axes, and arrays joined along such axes.

use super::join::joined;
use super::reshape;
use crate::array::{Array, IntoOperand, Operand};
use crate::call::{call, call_one};
use crate::function::{Body, Bound, Composition, Outputs};
use crate::{Dims, Result, Shape};
use smallvec::smallvec;

/// The shape with at least `rank` axes, of 1 to 3.
fn raised(shape: &[usize], rank: usize) -> Shape {
    match (shape, rank) {
        (&[], _) => Shape::from(Dims::from_elem(1, rank)),
        (&[n], 2) => Shape::from([1, n]),
        (&[n], 3) => Shape::from([1, n, 1]),
        (&[n, m], 3) => Shape::from([n, m, 1]),
        _ => Shape::from(shape),
    }
}

fn raise(x: &Array, rank: usize) -> Result<Array> {
    match x.ndim() < rank {
        true => reshape(x, raised(x.shape(), rank), ()),
        false => Ok(x.clone()),
    }
}

fn compose_raised(call: &Composition<'_>, rank: usize) -> Result<Outputs> {
    (0..call.arrays.len()).map(|i| raise(call.array(i), rank)).collect()
}

macro_rules! raised {
    ($($(#[$doc:meta])* $name:ident = $rank:literal;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// The backend's.
            pub fn $name<'a, T: IntoOperand<'a>>(arys: impl IntoIterator<Item = T>) -> Result<Vec<Array>> {
                describe! {
                    FUNCTION = stringify!($name), Manipulation, Compositional, (arys: Kept; variadic),
                    LikeOperand -> [Compute], Bound::Exact, params: (), example: [&[2], &[2, 2]],
                    Body::Compose(|call| compose_raised(call, $rank))
                }
                let operands: Vec<Operand<'a>> = arys.into_iter().map(T::into_operand).collect();
                if operands.is_empty() {
                    return Ok(Vec::new());
                }
                Ok(call(&FUNCTION, &operands, &())?.into_vec())
            }
        )*
    };
}
raised! {
    /// Each array with at least one axis: one without axes becomes one of a single element, others stay as they are.
    /// Each keeps its dtype.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let arrays = ivy::atleast_1d([&ivy::asarray(7, ())?, &ivy::zeros([2, 3], ())?])?;
    /// assert_eq!((arrays[0].shape().to_string(), arrays[1].shape().to_string()), ("(1,)".into(), "(2, 3)".into()));
    /// # Ok::<(), ivy::Error>(())
    /// ```
    atleast_1d = 1;
    /// Each array with at least two axes: one of `n` elements becomes a row of shape `(1, n)`. Each keeps its dtype.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let row = ivy::atleast_2d([&Array::try_from([1i32, 2])?])?.remove(0);
    /// assert_eq!(row.shape().to_string(), "(1, 2)");
    /// # Ok::<(), ivy::Error>(())
    /// ```
    atleast_2d = 2;
    /// Each array with at least three axes: one of shape `(n)` becomes `(1, n, 1)`, one of shape `(n, m)` becomes
    /// `(n, m, 1)`. Each keeps its dtype.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = ivy::atleast_3d([&ivy::zeros([2, 3], ())?])?.remove(0);
    /// assert_eq!(x.shape().to_string(), "(2, 3, 1)");
    /// # Ok::<(), ivy::Error>(())
    /// ```
    atleast_3d = 3;
}

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
    /// Arrays one below the other: those without two axes become rows, as [`atleast_2d`] makes them, and all are
    /// joined along the first axis, promoted to one dtype.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let (a, b) = (Array::try_from([1i32, 2])?, Array::try_from([[3i32, 4], [5, 6]])?);
    /// let x = ivy::vstack([&a, &b])?;
    /// assert_eq!((x.shape().to_string(), x.to_vec::<i32>()?), ("(3, 2)".into(), vec![1, 2, 3, 4, 5, 6]));
    /// # Ok::<(), ivy::Error>(())
    /// ```
    vstack = |call| compose_joined(call, 2, |_| 0);
    /// Arrays beside each other: joined along the second axis, or along the first one if they have no other,
    /// promoted to one dtype. What has no axes is one element.
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
    /// Arrays one behind the other: those without three axes get them as [`atleast_3d`] gives them, and all are
    /// joined along the third axis, promoted to one dtype.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let (a, b) = (Array::try_from([1i32, 2])?, Array::try_from([3i32, 4])?);
    /// let x = ivy::dstack([&a, &b])?;
    /// assert_eq!((x.shape().to_string(), x.to_vec::<i32>()?), ("(1, 2, 2)".into(), vec![1, 3, 2, 4]));
    /// # Ok::<(), ivy::Error>(())
    /// ```
    dstack = |call| compose_joined(call, 3, |_| 2);
    /// Columns beside each other: arrays of one axis are columns, others are joined as they are along the second
    /// axis, promoted to one dtype.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let (a, b) = (Array::try_from([1i32, 2])?, Array::try_from([[3i32, 4], [5, 6]])?);
    /// assert_eq!(ivy::column_stack([&a, &b])?.to_vec::<i32>()?, [1, 3, 4, 2, 5, 6]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    column_stack = compose_columns;
}
