//! Multi-head attention.

use super::attention::{causal, masked_softmax};
use super::dropout::{check_probability, thinned};
use super::{Linear, downcast, invalid, linear, mismatch, upcast};
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call;
use crate::function::{Body, Bound, Coefficient, Composition, Outputs};
use crate::functional::manipulation::slice_along;
use crate::functional::random::bits::Draw;
use crate::functional::{
    Concat, Mean, Seed, add, broadcast_to, concat, expand_dims, logical_not, matmul, matrix_transpose, mean,
    multiply, permute_dims, reshape, softmax, squeeze, where_, zeros,
};
use crate::{Dims, Result, Shape, params};
use smallvec::smallvec;
use std::mem;

params! {
    /// Keyword arguments of [`multi_head_attention`].
    pub struct MultiHeadAttention {
        /// The batch is the first axis, and not the second.
        batch_first: bool = true,
        /// How many heads there are, which share the features evenly.
        num_heads: usize = 8usize,
        /// What products are multiplied by; `1 / sqrt(features of a head)` if not given.
        scale: Option<Coefficient> = None,
        /// Query `i` sees keys up to `i` only.
        flag is_causal,
        /// One more key and value of zeros for each head.
        flag add_zero_attn,
        /// Whether the weights are wanted as well; they are computed in any case.
        flag return_attention_weights,
        /// Weights are the means of those of all heads.
        average_attention_weights: bool = true,
        /// How likely a weight is left out in training; what stays is divided by `1 - dropout`.
        dropout: f64 = 0.0,
        /// Whether this is training, without which nothing is left out.
        flag training,
        /// Makes the call reproducible.
        seed: Option<Seed> = None,
        /// The keys, `[n, s, ke]`; the queries if not given.
        operand key,
        /// The values, `[n, s, ve]`; the keys if not given.
        operand value,
        /// What is added to the products, or true where a query does not see a key: `[l, s]` or `[n heads, l, s]`.
        operand attention_mask,
        /// The projections of queries, keys and values one below the other, `[3 e, e]`.
        operand in_proj_weights,
        /// That of queries, `[e, qe]`; with those of keys and values.
        operand q_proj_weights,
        /// That of keys, `[e, ke]`.
        operand k_proj_weights,
        /// That of values, `[e, ve]`.
        operand v_proj_weights,
        /// That of the result, `[o, e]`.
        operand out_proj_weights,
        /// What is added to projected queries, keys and values, `[3 e]`.
        operand in_proj_bias,
        /// What is added to the projected result, `[o]`.
        operand out_proj_bias,
        /// True for keys that no query sees, or what is added to their products: `[n, s]`.
        operand key_padding_mask,
        /// One more key, `[1, 1, e]`; with `bias_v`.
        operand bias_k,
        /// One more value, `[1, 1, e]`.
        operand bias_v,
        /// Keys as they are, in the place of projected ones: `[n heads, s, e / heads]`.
        operand static_k,
        /// Values as they are, in the place of projected ones: `[n heads, s, e / heads]`.
        operand static_v,
    }
}

describe! {
    MULTI_HEAD_ATTENTION = "multi_head_attention", Layer, Mixed,
    (query: Promoted, key: Promoted optional, value: Promoted optional, attention_mask: Kept optional,
        in_proj_weights: Promoted optional, q_proj_weights: Promoted optional, k_proj_weights: Promoted optional,
        v_proj_weights: Promoted optional, out_proj_weights: Promoted optional, in_proj_bias: Promoted optional,
        out_proj_bias: Promoted optional, key_padding_mask: Kept optional, bias_k: Promoted optional,
        bias_v: Promoted optional, static_k: Promoted optional, static_v: Promoted optional),
    PromoteFloat -> [Compute, Compute],
    Bound::Sum, params: MultiHeadAttention::new(), example: [&[1, 2, 8]], Body::Compose(compose)
}

/// The operands, in the order of the description.
struct Given<'a> {
    function: &'static str,
    arrays: &'a [Option<Array>],
}

impl Given<'_> {
    fn get(&self, i: usize) -> Result<Option<Array>> {
        self.arrays[i].as_ref().map(upcast).transpose()
    }

    /// The queries, keys and values, `[n, length, features]`, as they are projected.
    fn projected(&self, query: Array, key: Array, value: Array) -> Result<[Array; 3]> {
        let bias = self.get(9)?;
        let part = |x: &Array, i: usize, n: usize| slice_along(self.function, x, 0, i * n, 1, n);
        let [whole, q, k, v] = [self.get(4)?, self.get(5)?, self.get(6)?, self.get(7)?];
        let weights = match (whole, q, k, v) {
            (Some(whole), None, None, None) => {
                if whole.ndim() != 2 || !whole.shape()[0].is_multiple_of(3) {
                    return Err(mismatch(self.function, "in_proj_weights", "(3 e, e)".into(), &whole));
                }
                let n = whole.shape()[0] / 3;
                Some([part(&whole, 0, n)?, part(&whole, 1, n)?, part(&whole, 2, n)?])
            }
            (None, Some(q), Some(k), Some(v)) => Some([q, k, v]),
            (None, None, None, None) => None,
            _ => {
                let rule =
                    "in_proj_weights, or all of q_proj_weights, k_proj_weights and v_proj_weights, or none";
                return Err(invalid(self.function, "in_proj_weights", "some of them".into(), rule));
            }
        };
        let Some(weights) = weights else { return Ok([query, key, value]) };
        let widths = weights.each_ref().map(|w| w.shape().first().copied().unwrap_or(0));
        if let Some(bias) = bias.as_ref().filter(|b| b.shape()[..] != [widths.iter().sum::<usize>()]) {
            return Err(mismatch(
                self.function,
                "in_proj_bias",
                "as many as the projected features".into(),
                bias,
            ));
        }
        let mut start = 0;
        let mut results = [query, key, value];
        for (i, weight) in weights.iter().enumerate() {
            let mut params = Linear::new();
            if let Some(bias) = &bias {
                params = params.bias(slice_along(self.function, bias, 0, start, 1, widths[i])?);
            }
            start += widths[i];
            results[i] = linear(&results[i], weight, params)?;
        }
        Ok(results)
    }

    /// What is added to products where a mask says so: negative infinity for a key that is not seen.
    fn added(&self, i: usize, like: &Array) -> Result<Option<Array>> {
        let Some(mask) = &self.arrays[i] else { return Ok(None) };
        Ok(Some(match mask.dtype().is_bool() {
            true => hidden(&logical_not(mask)?, like)?,
            false => downcast(upcast(mask)?, like.dtype())?,
        }))
    }
}

/// Zeros where a query sees a key, and negative infinity elsewhere.
fn hidden(seen: &Array, like: &Array) -> Result<Array> {
    let zero = zeros(Shape::default(), like.dtype())?;
    where_(seen, &zero, f64::NEG_INFINITY)
}

/// The array with more along an axis, which has places for keys.
fn longer(x: Array, axis: usize, count: usize) -> Result<Array> {
    if count == 0 {
        return Ok(x);
    }
    let mut shape = Dims::from_slice(x.shape());
    shape[axis] = count;
    let rest = zeros(Shape::from(shape), x.dtype())?;
    concat([&x, &rest], Concat::new().axis(axis as i64))
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (function, p) = (call.function.name, call.params::<MultiHeadAttention>());
    check_probability(function, "dropout", p.dropout)?;
    let given = Given { function, arrays: call.arrays };
    let query = upcast(call.array(0))?;
    let alone = query.ndim() == 2;
    if !alone && query.ndim() != 3 {
        return Err(mismatch(function, "query", "2 or 3 axes".into(), &query));
    }
    // The batch first, in any case.
    let arranged = |x: Array, argument: &'static str| -> Result<Array> {
        match (x.ndim(), alone, p.batch_first) {
            (2, true, _) => expand_dims(&x, 0),
            (3, false, true) => Ok(x),
            (3, false, false) => permute_dims(&x, [1, 0, 2]),
            _ => Err(mismatch(function, argument, "as many axes as query".into(), &x)),
        }
    };
    let key = given.get(1)?;
    let value = given.get(2)?.or_else(|| key.clone()).unwrap_or_else(|| query.clone());
    let key = arranged(key.unwrap_or_else(|| query.clone()), "key")?;
    let (query, value) = (arranged(query, "query")?, arranged(value, "value")?);
    let (batch, queries) = (query.shape()[0], query.shape()[1]);
    for (argument, x) in [("key", &key), ("value", &value)] {
        if x.shape()[..2] != key.shape()[..2] || x.shape()[0] != batch {
            return Err(mismatch(
                function,
                argument,
                format!("a batch of {batch}, and as many keys as values"),
                x,
            ));
        }
    }
    let [q, mut k, mut v] = given.projected(query, key, value)?;
    let (features, heads) = (q.shape()[2], p.num_heads);
    if heads == 0 || !features.is_multiple_of(heads) {
        let value = format!("{heads} for {features} features");
        return Err(invalid(function, "num_heads", value, "heads share the features evenly"));
    }
    let width = features / heads;
    let [bias_k, bias_v] = [given.get(12)?, given.get(13)?];
    let [static_k, static_v] = [given.get(14)?, given.get(15)?];
    let mut more = 0;
    match (bias_k, bias_v) {
        (Some(one_k), Some(one_v)) if static_k.is_none() && static_v.is_none() => {
            for (argument, x, one) in [("bias_k", &mut k, one_k), ("bias_v", &mut v, one_v)] {
                let last = x.shape()[2];
                if one.shape()[..] != [1, 1, last] {
                    return Err(mismatch(function, argument, format!("(1, 1, {last})"), &one));
                }
                let each = broadcast_to(&one, [batch, 1, last])?;
                *x = concat([&*x, &each], Concat::new().axis(1))?;
            }
            more += 1;
        }
        (None, None) => {}
        _ => {
            let rule = "a key and a value, and no keys or values as they are";
            return Err(invalid(function, "bias_k", "given".into(), rule));
        }
    }
    // Heads as part of the batch.
    let of_heads = |x: &Array, argument: &'static str, given: Option<Array>| -> Result<Array> {
        if let Some(given) = given {
            if given.ndim() != 3 || given.shape()[0] != batch * heads || given.shape()[2] != width {
                return Err(mismatch(function, argument, format!("({}, s, {width})", batch * heads), &given));
            }
            return Ok(given);
        }
        let length = x.shape()[1];
        if x.shape()[2] != features {
            return Err(mismatch(function, argument, format!("{features} features"), x));
        }
        let apart = reshape(x, Shape::from([batch, length, heads, width]), ())?;
        reshape(permute_dims(&apart, [0, 2, 1, 3])?, Shape::from([batch * heads, length, width]), ())
    };
    let q = of_heads(&q, "query", None)?;
    let (mut k, mut v) = (of_heads(&k, "static_k", static_k)?, of_heads(&v, "static_v", static_v)?);
    if p.add_zero_attn {
        (k, v) = (longer(k, 1, 1)?, longer(v, 1, 1)?);
        more += 1;
    }
    let keys = k.shape()[1];
    if v.shape()[1] != keys || keys == 0 {
        return Err(mismatch(
            function,
            "value",
            format!("{keys} values, one for each key, and at least one"),
            &v,
        ));
    }
    let scale = p.scale.clone().unwrap_or((1.0 / (width.max(1) as f64).sqrt()).into());
    let mut scores = matmul(multiply(&q, scale.like(&q)?)?, matrix_transpose(&k)?)?;
    if let Some(mask) = given.added(3, &scores)? {
        let own = mask.shape()[mask.ndim().saturating_sub(1)..].first().copied().unwrap_or(1);
        let mask = if own + more == keys { longer(mask.clone(), mask.ndim() - 1, more)? } else { mask };
        let fits = match mask.shape()[..] {
            [l, s] => (l, s) == (queries, keys),
            [n, l, s] => (l, s) == (queries, keys) && (n == 1 || n == batch * heads),
            _ => false,
        };
        if !fits {
            let expected = format!("({queries}, {}) or ({}, ...)", keys - more, batch * heads);
            return Err(mismatch(function, "attention_mask", expected, &mask));
        }
        scores = add(&scores, &mask)?;
    }
    if let Some(mask) = given.added(11, &scores)? {
        let mask = match mask.ndim() {
            1 if alone => expand_dims(&mask, 0)?,
            _ => mask,
        };
        let own = mask.shape().last().copied().unwrap_or(0);
        let mask = if mask.ndim() == 2 && own + more == keys { longer(mask, 1, more)? } else { mask };
        if mask.shape()[..] != [batch, keys] {
            return Err(mismatch(function, "key_padding_mask", format!("({batch}, {})", keys - more), &mask));
        }
        let apart = reshape(&scores, Shape::from([batch, heads, queries, keys]), ())?;
        let mask = reshape(&mask, Shape::from([batch, 1, 1, keys]), ())?;
        scores = reshape(add(&apart, &mask)?, Shape::from([batch * heads, queries, keys]), ())?;
    }
    if p.is_causal {
        scores = add(&scores, hidden(&causal(queries, keys)?, &scores)?)?;
    }
    let is_masked = call.arrays[3].is_some() || call.arrays[11].is_some() || p.is_causal;
    let mut weights = if is_masked { masked_softmax(&scores)? } else { softmax(&scores, ())? };
    if p.training && p.dropout > 0.0 {
        let shape = weights.shape().clone();
        weights = thinned(&mut Draw::new(call, p.seed)?, &weights, &p.dropout.into(), &shape, true)?;
    }
    let y = reshape(matmul(&weights, &v)?, Shape::from([batch, heads, queries, width]), ())?;
    let mut y = reshape(permute_dims(&y, [0, 2, 1, 3])?, Shape::from([batch, queries, features]), ())?;
    match (given.get(8)?, given.get(10)?) {
        (Some(weight), bias) => {
            let params = bias.map_or(Linear::new(), |bias| Linear::new().bias(bias));
            y = linear(&y, &weight, params)?;
        }
        (None, None) => {}
        (None, Some(bias)) => {
            return Err(mismatch(
                function,
                "out_proj_bias",
                "nothing without out_proj_weights".into(),
                &bias,
            ));
        }
    }
    let mut weights = reshape(&weights, Shape::from([batch, heads, queries, keys]), ())?;
    if p.average_attention_weights {
        weights = mean(&weights, Mean::new().axis(1))?;
    }
    if alone {
        (y, weights) = (squeeze(&y, 0)?, squeeze(&weights, 0)?);
    } else if !p.batch_first {
        y = permute_dims(&y, [1, 0, 2])?;
    }
    let mut outputs: Outputs = smallvec![downcast(y, call.compute)?];
    if p.return_attention_weights {
        outputs.push(downcast(weights, call.compute)?);
    }
    Ok(outputs)
}

/// The results of [`multi_head_attention`].
#[derive(Clone, Debug)]
pub struct AttentionAndWeights {
    /// What the queries have got: `[n, l, o]`.
    pub output: Array,
    /// How much each query has of each value, if that was asked for: `[n, l, s]`, or `[n, heads, l, s]` where it is not
    /// averaged over the heads.
    pub weights: Option<Array>,
}

/// Multi-head attention: queries, keys and values are projected and split into heads, each head takes
/// `softmax(q k^T scale + masks) v`, and what comes out is put together and projected. `query` is `[n, l, e]`, keys and
/// values are `[n, s, ...]`; without `batch_first` their first two axes are exchanged, and all may be without the
/// batch. A mask of bool is true for what is not seen (the opposite of
/// [`scaled_dot_product_attention`](super::scaled_dot_product_attention)'s, as in PyTorch), one of numbers is added. A
/// query that sees no key gets 0. float16 and bfloat16 are computed in float32.
///
/// ```
/// use ivy::{MultiHeadAttention, prelude::*};
/// let x = Array::try_from([[1.0f32, 0.0], [0.0, 2.0]])?;
/// let heads = MultiHeadAttention::new().num_heads(2usize).is_causal().return_attention_weights();
/// let y = ivy::multi_head_attention(&x, heads)?;
/// assert_eq!(y.output.to_vec::<f32>()?[..2], [1.0, 0.0]);
/// assert_eq!(y.weights.map(|w| w.shape().to_string()), Some("(2, 2)".into()));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch);
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for heads that do not divide the features, for some of the
/// projections without the others, for one more key without a value or beside keys as they are, and for a `dropout`
/// that is no probability; [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn multi_head_attention<'a>(
    query: impl IntoOperand<'a>,
    params: impl Into<MultiHeadAttention>,
) -> Result<AttentionAndWeights> {
    let mut p = params.into();
    let mut own = |field: fn(&mut MultiHeadAttention) -> &mut Operand<'static>| {
        mem::replace(field(&mut p), Operand::Absent)
    };
    let operands = [
        query.into_operand(),
        own(|p| &mut p.key),
        own(|p| &mut p.value),
        own(|p| &mut p.attention_mask),
        own(|p| &mut p.in_proj_weights),
        own(|p| &mut p.q_proj_weights),
        own(|p| &mut p.k_proj_weights),
        own(|p| &mut p.v_proj_weights),
        own(|p| &mut p.out_proj_weights),
        own(|p| &mut p.in_proj_bias),
        own(|p| &mut p.out_proj_bias),
        own(|p| &mut p.key_padding_mask),
        own(|p| &mut p.bias_k),
        own(|p| &mut p.bias_v),
        own(|p| &mut p.static_k),
        own(|p| &mut p.static_v),
    ];
    let mut outputs = call(&MULTI_HEAD_ATTENTION, &operands, &p)?.into_iter();
    let output = outputs.next().expect("the function has a result");
    Ok(AttentionAndWeights { output, weights: outputs.next() })
}
