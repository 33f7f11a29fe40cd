//! The main diagonal filled with a number.

use super::{check_rank, reshape};
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{Arange, Filled, arange, equal, full, less, logical_and, remainder, where_};
use crate::promotion::check_scalar;
use crate::{Dtype, ErrorKind, Result, Scalar, params};
use smallvec::smallvec;

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

/// Filled diagonal: the array with a number on its main diagonal, the elements whose indices are all equal. With
/// `wrap`, the diagonal of a matrix with more rows than columns begins again below its end. The number becomes one of
/// the array's dtype.
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
