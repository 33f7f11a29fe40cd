//! Coordinate grids, and triangular parts of matrices.

use super::{Arange, Filled, arange, full};
use crate::array::{IntoOperand, Operand};
use crate::call::{call, call_one};
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{broadcast_to, greater_equal, less_equal, reshape, where_};
use crate::{Array, Dims, Dtype, ErrorKind, Result, Shape, params};
use smallvec::smallvec;

/// Which axes of a grid the first two coordinates run along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Indexing {
    /// Cartesian: the first coordinate along the second axis, the second along the first.
    #[default]
    Xy,
    /// Matrix: each coordinate along the axis of its own number.
    Ij,
}

param_words! { Indexing: "xy" => Xy, "ij" => Ij }

params! {
    /// Keyword arguments of [`meshgrid`].
    pub struct Meshgrid {
        /// Which axes the first two coordinates run along.
        indexing: Indexing = Indexing::Xy,
        /// Whether each result has length 1 along the axes of the others, which broadcast.
        flag sparse,
    }
}

describe! {
    MESHGRID = "meshgrid", Creation, Compositional, (arrays: Kept; variadic), LikeOperand -> [Compute],
    Bound::Exact, params: Meshgrid::new(), example: [&[2], &[2]], Body::Compose(compose_meshgrid)
}

fn compose_meshgrid(call: &Composition<'_>) -> Result<Outputs> {
    let n = call.arrays.len();
    let mut shape = Dims::new();
    for i in 0..n {
        let x = call.array(i);
        if x.ndim() != 1 {
            let (function, argument) = (call.function.name, "arrays");
            let (expected, actual) = ("one axis".into(), x.shape().clone());
            return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
        }
        shape.push(x.size());
    }
    let &Meshgrid { indexing, sparse } = call.params::<Meshgrid>();
    // The axis that each coordinate runs along.
    let mut along: Dims = (0..n).collect();
    if n > 1 && indexing == Indexing::Xy {
        along.swap(0, 1);
        shape.swap(0, 1);
    }
    let shape = Shape::from(shape);
    let grid = |i: usize| {
        let x = call.array(i);
        let mut own: Dims = smallvec![1; n];
        own[along[i]] = x.size();
        let x = reshape(x, Shape::from(own), ())?;
        if sparse { Ok(x) } else { broadcast_to(x, &shape) }
    };
    (0..n).map(grid).collect()
}

/// Coordinate grids: each one-dimensional array spread over the axes of the others, all results
/// of one shape. Each keeps its dtype; no arrays give no grids.
///
/// ```
/// use ivy::prelude::*;
/// let (x, y) = (Array::try_from([1i32, 2, 3])?, Array::try_from([0.0f32, 1.0])?);
/// let grids = ivy::meshgrid([&x, &y], ())?;
/// assert_eq!(grids[0].to_vec::<i32>()?, [1, 2, 3, 1, 2, 3]);
/// assert_eq!(grids[1].to_vec::<f32>()?, [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
/// let grids = ivy::meshgrid([&x, &y], Meshgrid::new().indexing(ivy::Indexing::Ij))?;
/// assert_eq!(grids[0].shape().to_string(), "(3, 2)");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for an array without exactly one axis,
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn meshgrid<'a, T: IntoOperand<'a>>(
    arrays: impl IntoIterator<Item = T>,
    params: impl Into<Meshgrid>,
) -> Result<Vec<Array>> {
    let operands: Vec<Operand<'a>> = arrays.into_iter().map(T::into_operand).collect();
    if operands.is_empty() {
        return Ok(Vec::new());
    }
    Ok(call(&MESHGRID, &operands, &params.into())?.into_vec())
}

params! {
    /// Keyword arguments of [`tril`] and [`triu`].
    pub struct Triangle {
        /// The diagonal that bounds the triangle, which is part of it: positive is above the
        /// main one, negative below.
        k: i64 = 0,
    }
}

fn compose_triangle(call: &Composition<'_>, lower: bool) -> Result<Outputs> {
    let (x, k) = (call.array(0), call.params::<Triangle>().k);
    let shape = x.shape();
    let &[.., rows, cols] = &shape[..] else {
        let (function, argument) = (call.function.name, "x");
        let (expected, actual) = ("at least two axes".into(), shape.clone());
        return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
    };
    // Beyond the corners nothing changes any more, and within them no sum overflows.
    let k = k.clamp(-(rows as i64), cols as i64);
    let int64 = Arange::new().dtype(Dtype::INT64);
    let bound = reshape(arange((k, k + rows as i64), int64.clone())?, [-1, 1], ())?;
    let column = arange(cols, int64)?;
    let kept = if lower { less_equal(&column, &bound)? } else { greater_equal(&column, &bound)? };
    Ok(smallvec![where_(&kept, x, full((), 0, Filled::new().dtype(x.dtype()))?)?])
}

macro_rules! triangles {
    ($($(#[$doc:meta])* $name:ident = $lower:literal;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for fewer than two axes.
            pub fn $name<'a>(x: impl IntoOperand<'a>, params: impl Into<Triangle>) -> Result<Array> {
                describe! {
                    FUNCTION = stringify!($name), Creation, Compositional, (x: Kept), LikeOperand -> [Compute],
                    Bound::Exact, params: Triangle::new(), example: [&[2, 2]],
                    Body::Compose(|call| compose_triangle(call, $lower))
                }
                call_one(&FUNCTION, &[x.into_operand()], &params.into())
            }
        )*
    };
}
triangles! {
    /// The lower triangle of each matrix, up to diagonal `k`; zeros above it.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([[1i32, 2], [3, 4]])?;
    /// assert_eq!(ivy::tril(&x, ())?.to_vec::<i32>()?, [1, 0, 3, 4]);
    /// assert_eq!(ivy::tril(&x, Triangle::new().k(-1))?.to_vec::<i32>()?, [0, 0, 3, 0]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    tril = true;
    /// The upper triangle of each matrix, from diagonal `k` on; zeros below it.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([[1i32, 2], [3, 4]])?;
    /// assert_eq!(ivy::triu(&x, ())?.to_vec::<i32>()?, [1, 2, 0, 4]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    triu = false;
}
