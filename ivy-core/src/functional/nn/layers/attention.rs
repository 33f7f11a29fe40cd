//! Scaled dot-product attention.

use super::dropout::{check_probability, thinned};
use super::{downcast, invalid, mismatch, upcast};
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Coefficient, Composition, Outputs};
use crate::functional::random::bits::Draw;
use crate::functional::{
    Max, Seed, Triangle, equal, matmul, matrix_transpose, max, multiply, ones, softmax, tril, where_,
};
use crate::{Dtype, Result, params, shape};
use smallvec::smallvec;
use std::mem;

params! {
    /// Keyword arguments of [`scaled_dot_product_attention`].
    pub struct Attention {
        /// What products are multiplied by; `1 / sqrt(e)` for queries of length `e` if not given.
        scale: Option<Coefficient> = None,
        /// How likely a weight is left out in training; what stays is divided by `1 - dropout_p`.
        dropout_p: f64 = 0.0,
        /// Query `i` sees keys up to `i` only; not together with a mask.
        flag is_causal,
        /// Whether this is training, without which nothing is left out.
        flag training,
        /// Makes the call reproducible.
        seed: Option<Seed> = None,
        /// Which keys a query sees: true, or a number that is not 0, where it does; broadcast to `[..., queries, keys]`.
        operand mask,
    }
}

describe! {
    SCALED_DOT_PRODUCT_ATTENTION = "scaled_dot_product_attention", Layer, Mixed,
    (query: Promoted, key: Promoted, value: Promoted, mask: Condition optional), PromoteFloat -> [Compute],
    Bound::Sum, params: Attention::new(), example: [&[2, 3], &[2, 3], &[2, 2], &[2, 2]],
    Body::Compose(compose)
}

/// Which of `keys` each of some queries sees that has nothing after it.
pub(super) fn causal(queries: usize, keys: usize) -> Result<Array> {
    tril(ones([queries, keys], Dtype::BOOL)?, Triangle::new())
}

/// Softmax along the last axis of scores that are negative infinity for keys which a query does not see. One that sees
/// none has the weights 0, and no part in derivatives.
pub(super) fn masked_softmax(scores: &Array) -> Result<Array> {
    let none = equal(max(scores, Max::new().axis(-1).keepdims())?, f64::NEG_INFINITY)?;
    where_(&none, 0, softmax(where_(&none, 0, scores)?, ())?)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (function, p) = (call.function.name, call.params::<Attention>());
    check_probability(function, "dropout_p", p.dropout_p)?;
    let (query, key, value) = (upcast(call.array(0))?, upcast(call.array(1))?, upcast(call.array(2))?);
    for (argument, x) in [("query", &query), ("key", &key), ("value", &value)] {
        if x.ndim() < 2 {
            return Err(mismatch(function, argument, "at least 2 axes".into(), x));
        }
    }
    let last = |x: &Array| (x.shape()[x.ndim() - 2], x.shape()[x.ndim() - 1]);
    let ((queries, width), (keys, key_width)) = (last(&query), last(&key));
    if key_width != width {
        return Err(mismatch(function, "key", format!("(..., {keys}, {width})"), &key));
    }
    if last(&value).0 != keys {
        return Err(mismatch(function, "value", format!("(..., {keys}, n)"), &value));
    }
    let lead = |x: &Array| crate::Shape::from(&x.shape()[..x.ndim() - 2]);
    let both = shape::broadcast(function, &[lead(&query), lead(&key), lead(&value)])?;
    let all: crate::Shape = both.iter().copied().chain([queries, keys]).collect();
    let mask = call.arrays[3].as_ref();
    if let Some(mask) = mask {
        if p.is_causal {
            return Err(invalid(function, "is_causal", "true".into(), "not together with a mask"));
        }
        if shape::broadcast(function, &[&all[..], &mask.shape()[..]])? != all {
            return Err(mismatch(function, "mask", format!("a shape that broadcasts to {all}"), mask));
        }
    }
    if keys == 0 {
        return Err(mismatch(function, "key", "at least one key".into(), &key));
    }
    let scale = p.scale.clone().unwrap_or((1.0 / (width.max(1) as f64).sqrt()).into());
    let scores = matmul(multiply(&query, scale.like(&query)?)?, matrix_transpose(&key)?)?;
    let seen = match mask {
        Some(mask) => Some(mask.clone()),
        None if p.is_causal => Some(causal(queries, keys)?),
        None => None,
    };
    let mut weights = match seen {
        Some(seen) => masked_softmax(&where_(&seen, &scores, f64::NEG_INFINITY)?)?,
        None => softmax(&scores, ())?,
    };
    if p.training && p.dropout_p > 0.0 {
        weights = thinned(&mut Draw::new(call, p.seed)?, &weights, &p.dropout_p.into(), &all, true)?;
    }
    let y = matmul(weights, &value)?;
    Ok(smallvec![downcast(y, call.compute)?])
}

/// Scaled dot-product attention: for each query the mean of the values, weighted by the softmax of its products with
/// the keys: `softmax(query key^T scale) value` for `query: [..., l, e]`, `key: [..., s, e]` and `value: [..., s, n]`;
/// leading axes broadcast. A query that the mask lets see no key gets 0. float16 and bfloat16 are computed in float32.
///
/// ```
/// use ivy::{Attention, prelude::*};
/// let q = Array::try_from([[0.0f32, 0.0], [1.0, 0.0]])?;
/// let v = Array::try_from([[1.0f32], [3.0]])?;
/// let y = ivy::scaled_dot_product_attention(&q, &q, &v, Attention::new().is_causal())?;
/// assert_eq!(y.to_vec::<f32>()?[0], 1.0);
/// let mask = Array::try_from([[true, true], [false, true]])?;
/// let y = ivy::scaled_dot_product_attention(&q, &q, &v, Attention::new().mask(&mask))?;
/// assert_eq!(y.to_vec::<f32>()?, [2.0, 3.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch),
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes) of the leading axes and of the mask,
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a mask and `is_causal` together and for a `dropout_p`
/// that is no probability, [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn scaled_dot_product_attention<'a, 'b, 'c>(
    query: impl IntoOperand<'a>,
    key: impl IntoOperand<'b>,
    value: impl IntoOperand<'c>,
    params: impl Into<Attention>,
) -> Result<Array> {
    let mut params = params.into();
    let mask = mem::replace(&mut params.mask, Operand::Absent);
    let operands = [query.into_operand(), key.into_operand(), value.into_operand(), mask];
    call_one(&SCALED_DOT_PRODUCT_ATTENTION, &operands, &params)
}
