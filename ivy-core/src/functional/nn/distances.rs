//! Distances and similarities of vectors.

use super::{check, check_not_negative, downcast, mismatch, upcast};
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{
    Reduce, Sum, abs, add, astype, broadcast_to, divide, equal, expand_dims, max, maximum, multiply,
    not_equal, pow, sqrt, square, subtract, sum, where_,
};
use crate::{Dims, Result, Shape, params, shape};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`cosine_similarity`].
    pub struct CosineSimilarity {
        /// The axis of the vectors.
        axis: i64 = 1,
        /// Lengths that are less count as this one.
        eps: f64 = 1e-8,
    }
}

params! {
    /// Keyword arguments of [`pairwise_distance`].
    pub struct PairwiseDistance {
        /// The order of the norm, above 0; infinity for the greatest magnitude.
        p: f64 = 2.0,
        /// What is added to each difference.
        eps: f64 = 1e-6,
        /// The axis of the vectors stays, with length 1.
        flag keepdims,
    }
}

params! {
    /// Keyword arguments of [`cdist`].
    pub struct Cdist {
        /// The order of the norm, 0 or more: of order 0 how many differences are not 0, of infinity the greatest one.
        p: f64 = 2.0,
    }
}

/// Norms of the vectors of the last axis, with a derivative of 0 where all elements are 0.
fn norms(x: &Array, p: f64, keepdims: bool) -> Result<Array> {
    let total = |x: Array| sum(x, Sum { axis: Some((-1).into()), keepdims, dtype: None });
    if p == 0.0 {
        return total(astype(not_equal(x, 0)?, x.dtype())?);
    }
    if p == f64::INFINITY {
        return match x.shape().last() {
            // Nothing differs by nothing.
            Some(0) => total(abs(x)?),
            _ => max(abs(x)?, Reduce { axis: Some((-1).into()), keepdims }),
        };
    }
    if p == 1.0 {
        return total(abs(x)?);
    }
    let powers = total(if p == 2.0 { square(x)? } else { pow(abs(x)?, p)? })?;
    let none = equal(&powers, 0)?;
    let some = where_(&none, 1.0, &powers)?;
    where_(none, 0.0, if p == 2.0 { sqrt(some)? } else { pow(some, 1.0 / p)? })
}

describe! {
    COSINE_SIMILARITY = "cosine_similarity", Layer, Mixed, (x1: Promoted, x2: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: CosineSimilarity::new(), example: [&[2, 3], &[2, 3]],
    Body::Compose(compose_cosine)
}

fn compose_cosine(call: &Composition<'_>) -> Result<Outputs> {
    let (function, p) = (call.function.name, call.params::<CosineSimilarity>());
    check_not_negative(function, "eps", p.eps)?;
    let both = shape::broadcast(function, &[call.array(0).shape(), call.array(1).shape()])?;
    let axis = shape::normalize_axis(function, p.axis, both.len())?;
    let spread = |i: usize| match call.array(i).shape() == &both {
        true => upcast(call.array(i)),
        false => broadcast_to(upcast(call.array(i))?, &both),
    };
    let (a, b) = (spread(0)?, spread(1)?);
    let total = |x: Array| sum(x, Sum::new().axis(axis as i64));
    // The bound stands below the root, whose derivative at 0 is infinite.
    let length = |x: &Array| sqrt(maximum(total(square(x)?)?, p.eps * p.eps)?);
    let lengths = multiply(length(&a)?, length(&b)?)?;
    Ok(smallvec![downcast(divide(total(multiply(&a, &b)?)?, lengths)?, call.compute)?])
}

/// Cosine similarity: the cosines of the angles between vectors along an axis: their product over the product of their
/// lengths, of which those below `eps` count as `eps`. The arrays broadcast.
///
/// ```
/// use ivy::prelude::*;
/// let (x1, x2) = (Array::try_from([[3.0f32, 4.0], [1.0, 0.0]])?, Array::try_from([[4.0f32, 3.0], [0.0, 2.0]])?);
/// let y = ivy::cosine_similarity(&x1, &x2, ())?.to_vec::<f32>()?;
/// assert!((y[0] - 0.96).abs() < 1e-6 && y[1] == 0.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes), [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an `eps` below 0.
pub fn cosine_similarity<'a, 'b>(
    x1: impl IntoOperand<'a>,
    x2: impl IntoOperand<'b>,
    params: impl Into<CosineSimilarity>,
) -> Result<Array> {
    call_one(&COSINE_SIMILARITY, &[x1.into_operand(), x2.into_operand()], &params.into())
}

describe! {
    PAIRWISE_DISTANCE = "pairwise_distance", Layer, Mixed, (x1: Promoted, x2: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(32.0), params: PairwiseDistance::new(), example: [&[2, 3], &[2, 3]],
    Body::Compose(compose_pairwise)
}

fn compose_pairwise(call: &Composition<'_>) -> Result<Outputs> {
    let (function, p) = (call.function.name, call.params::<PairwiseDistance>());
    check(function, "p", p.p, p.p > 0.0, "a number above 0 is needed")?;
    check_not_negative(function, "eps", p.eps)?;
    let both = shape::broadcast(function, &[call.array(0).shape(), call.array(1).shape()])?;
    shape::normalize_axis(function, -1, both.len())?;
    let apart = add(subtract(upcast(call.array(0))?, upcast(call.array(1))?)?, p.eps)?;
    Ok(smallvec![downcast(norms(&apart, p.p, p.keepdims)?, call.compute)?])
}

/// Pairwise distance: the distances between vectors of the last axes: the norms of order `p` of `x1 - x2 + eps`. The
/// arrays broadcast.
///
/// ```
/// use ivy::{PairwiseDistance, prelude::*};
/// let (x1, x2) = (Array::try_from([[3.0f64, 4.0], [1.0, 1.0]])?, Array::try_from([0.0f64, 0.0])?);
/// let y = ivy::pairwise_distance(&x1, &x2, PairwiseDistance::new().eps(0.0))?;
/// assert_eq!(y.to_vec::<f64>()?, [5.0, 2f64.sqrt()]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes), [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange) for
/// arrays without axes, [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an order that is not above 0 and an
/// `eps` below 0.
pub fn pairwise_distance<'a, 'b>(
    x1: impl IntoOperand<'a>,
    x2: impl IntoOperand<'b>,
    params: impl Into<PairwiseDistance>,
) -> Result<Array> {
    call_one(&PAIRWISE_DISTANCE, &[x1.into_operand(), x2.into_operand()], &params.into())
}

describe! {
    CDIST = "cdist", Layer, Mixed, (x1: Promoted, x2: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(32.0), params: Cdist::new(), example: [&[2, 3], &[4, 3]], Body::Compose(compose_cdist)
}

fn compose_cdist(call: &Composition<'_>) -> Result<Outputs> {
    let (function, &Cdist { p }) = (call.function.name, call.params::<Cdist>());
    check(function, "p", p, p >= 0.0, "a number of 0 or more is needed")?;
    let (a, b) = (call.array(0), call.array(1));
    for (argument, x) in [("x1", a), ("x2", b)] {
        if x.ndim() < 2 || x.shape().last() != a.shape().last() {
            let expected = "rows of vectors, of one length in both arrays,".into();
            return Err(mismatch(function, argument, expected, x));
        }
    }
    let lead = |x: &Array| Shape::from(&x.shape()[..x.ndim() - 2]);
    let mut apart = Dims::from_slice(&shape::broadcast(function, &[lead(a), lead(b)])?);
    apart.extend([a.shape()[a.ndim() - 2], b.shape()[b.ndim() - 2], a.shape()[a.ndim() - 1]]);
    Shape::from(apart).checked_size(function, call.compute)?;
    let (a, b) = (expand_dims(upcast(a)?, -2)?, expand_dims(upcast(b)?, -3)?);
    Ok(smallvec![downcast(norms(&subtract(a, b)?, p, false)?, call.compute)?])
}

/// Distance matrix: the distances between all rows of two arrays `[..., n, k]` and `[..., m, k]`: `[..., n, m]`, the
/// norms of order `p` of their differences. They are those of the differences themselves, which equal rows have exactly
/// 0 of; the derivative of such a distance is 0.
///
/// ```
/// use ivy::{Cdist, prelude::*};
/// let (x1, x2) = (Array::try_from([[0.0f64, 0.0], [3.0, 0.0]])?, Array::try_from([[3.0f64, 4.0]])?);
/// assert_eq!(ivy::cdist(&x1, &x2, ())?.to_vec::<f64>()?, [5.0, 4.0]);
/// assert_eq!(ivy::cdist(&x1, &x2, Cdist::new().p(1.0))?.to_vec::<f64>()?, [7.0, 4.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for arrays with fewer than two axes or rows of different lengths,
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes), [`SizeOverflow`](crate::ErrorKind::SizeOverflow),
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an order below 0.
pub fn cdist<'a, 'b>(
    x1: impl IntoOperand<'a>,
    x2: impl IntoOperand<'b>,
    params: impl Into<Cdist>,
) -> Result<Array> {
    call_one(&CDIST, &[x1.into_operand(), x2.into_operand()], &params.into())
}
