//! Embedding lookups.

use super::mismatch;
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Coefficient, Composition, Outputs};
use crate::functional::linalg::{VectorNorm, vector_norm};
use crate::functional::{Take, divide, greater, multiply, reshape, take, where_};
use crate::{Result, Shape, params};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`embedding`].
    pub struct Embedding {
        /// Rows whose Euclidean norm is greater are scaled to this one.
        max_norm: Option<Coefficient> = None,
    }
}

describe! {
    EMBEDDING = "embedding", Layer, Mixed, (weights: Promoted, indices: Index), Promote -> [Compute],
    Bound::Composed(16.0), params: Embedding::new(), example: [&[2, 2], &[2]], Body::Compose(compose)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (weights, indices, params) = (call.array(0), call.array(1), call.params::<Embedding>());
    let &[_, width] = &weights.shape()[..] else {
        return Err(mismatch(call.function.name, "weights", "2 axes".into(), weights));
    };
    if let Some(most) = &params.max_norm {
        most.check(call.function.name, "max_norm", |norm| norm >= 0.0, "a norm is 0 or more")?;
    }
    let flat = match indices.ndim() {
        1 => indices.clone(),
        _ => reshape(indices, Shape::from([indices.size()]), ())?,
    };
    let rows = take(weights, &flat, Take::new().axis(0))?;
    let shape: Shape = indices.shape().iter().copied().chain([width]).collect();
    let rows = if *rows.shape() == shape { rows } else { reshape(&rows, shape, ())? };
    let Some(most) = &params.max_norm else { return Ok(smallvec![rows]) };
    let norms = vector_norm(&rows, VectorNorm::new().axis(-1).keepdims())?;
    // Divided by itself, a norm of zero is no number; it is not greater than any.
    let scaled = multiply(&rows, divide(most.like(&norms)?, &norms)?)?;
    Ok(smallvec![where_(greater(&norms, most.like(&norms)?)?, &scaled, &rows)?])
}

/// Embedding lookup: the rows of a table `weights: [n, width]` with the numbers `indices`, of any shape: the result has
/// the shape of `indices` and then `width`. Negative numbers count from the end.
///
/// ```
/// use ivy::{Embedding, prelude::*};
/// let table = Array::try_from([[1.0f32, 0.0], [3.0, 4.0]])?;
/// let rows = ivy::embedding(&table, Array::try_from([1i32, 0])?, ())?;
/// assert_eq!(rows.to_vec::<f32>()?, [3.0, 4.0, 1.0, 0.0]);
/// let short = ivy::embedding(&table, Array::try_from([1i32])?, Embedding::new().max_norm(2.5))?;
/// assert_eq!(short.to_vec::<f32>()?, [1.5, 2.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a table without two axes,
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a norm below 0,
/// [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange),
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for a table that is not of floats.
pub fn embedding<'a, 'b>(
    weights: impl IntoOperand<'a>,
    indices: impl IntoOperand<'b>,
    params: impl Into<Embedding>,
) -> Result<Array> {
    call_one(&EMBEDDING, &[weights.into_operand(), indices.into_operand()], &params.into())
}
