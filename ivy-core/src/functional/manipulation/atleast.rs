//! Arrays with at least one, two or three axes.

use super::reshape;
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::{Dims, Result, Shape};

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

pub(super) fn raise(x: &Array, rank: usize) -> Result<Array> {
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
    /// Promotion to one axis: each array with at least one axis: one without axes becomes one of a single element,
    /// others stay as they are. Each keeps its dtype.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let arrays = ivy::atleast_1d([&ivy::asarray(7, ())?, &ivy::zeros([2, 3], ())?])?;
    /// assert_eq!((arrays[0].shape().to_string(), arrays[1].shape().to_string()), ("(1,)".into(), "(2, 3)".into()));
    /// # Ok::<(), ivy::Error>(())
    /// ```
    atleast_1d = 1;
    /// Promotion to two axes: each array with at least two axes: one of `n` elements becomes a row of shape `(1, n)`.
    /// Each keeps its dtype.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let row = ivy::atleast_2d([&Array::try_from([1i32, 2])?])?.remove(0);
    /// assert_eq!(row.shape().to_string(), "(1, 2)");
    /// # Ok::<(), ivy::Error>(())
    /// ```
    atleast_2d = 2;
    /// Promotion to three axes: each array with at least three axes: one of shape `(n)` becomes `(1, n, 1)`, one of
    /// shape `(n, m)` becomes `(n, m, 1)`. Each keeps its dtype.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = ivy::atleast_3d([&ivy::zeros([2, 3], ())?])?.remove(0);
    /// assert_eq!(x.shape().to_string(), "(2, 3, 1)");
    /// # Ok::<(), ivy::Error>(())
    /// ```
    atleast_3d = 3;
}
