//! Functions of `jax.nn`: masked sums of exponentials, attention, activations that no row can say.

use super::support::{Out, array, axis, core, dtype, inexact, ints, operand, shape};
use ivy_core::{Dtype, Result};
use ivy_frontend::{Call, Fault, Value};

/// `gelu(x, approximate)`
pub(crate) fn gelu(call: &mut Call<'_>) -> Out {
    let x = Value::from(array(call, &inexact(call, call.value(0))?)?);
    if call.flag(1)? {
        let cube = core!(call, "multiply", &core!(call, "pow", &x, 3)?, 0.044715)?;
        let root = (2.0 / std::f64::consts::PI).sqrt();
        let inner = core!(call, "multiply", &core!(call, "add", &x, &cube)?, root)?;
        let cdf = core!(call, "multiply", &core!(call, "add", &core!(call, "tanh", &inner)?, 1.0)?, 0.5)?;
        return core!(call, "multiply", &x, &cdf);
    }
    let below = core!(call, "erfc", &core!(call, "multiply", &x, -std::f64::consts::FRAC_1_SQRT_2)?)?;
    core!(call, "multiply", &core!(call, "multiply", &x, 0.5)?, &below)
}

/// `glu(x, axis)`
pub(crate) fn glu(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    let lengths = shape(call, &x)?;
    let along = axis(call, call.int(1)?, lengths.len())?;
    if lengths[along] % 2 != 0 {
        return Err(call.refuse(Fault::Value, "axis", Some(&x), "axis size must be divisible by 2"));
    }
    let half = lengths[along] / 2;
    let value = super::support::cut(call, &x, along, 0, half)?;
    let gate = core!(call, "sigmoid", &super::support::cut(call, &x, along, half, 2 * half)?)?;
    core!(call, "multiply", &value, &gate)
}

/// `sparse_plus(x)`: 0 up to -1, `x` from 1 on, a parabola between.
pub(crate) fn sparse_plus(call: &mut Call<'_>) -> Out {
    let x = operand(call, 0)?;
    let between = core!(call, "divide", &core!(call, "square", &core!(call, "add", &x, 1.0)?)?, 4.0)?;
    let above = core!(call, "where", &core!(call, "greater_equal", &x, 1.0)?, &x, &between)?;
    core!(call, "where", &core!(call, "less_equal", &x, -1.0)?, 0.0, &above)
}

/// `log1mexp(x)`: `log(1 - exp(-x))`, by the form that keeps its digits.
pub(crate) fn log1mexp(call: &mut Call<'_>) -> Out {
    let x = inexact(call, call.value(0))?;
    let turned = core!(call, "negative", &x)?;
    let near = core!(call, "log", &core!(call, "negative", &core!(call, "expm1", &turned)?)?)?;
    let far = core!(call, "log1p", &core!(call, "negative", &core!(call, "exp", &turned)?)?)?;
    core!(call, "where", &core!(call, "less", &x, std::f64::consts::LN_2)?, &near, &far)
}

/// The array, and where it counts; elsewhere it has another value.
fn masked(call: &Call<'_>, x: &Value<'_>, mask: &Value<'_>, value: f64) -> Out {
    if mask.is_none() { Ok(x.clone().into_owned()) } else { core!(call, "where", mask, x, value) }
}

/// The axes of argument `i`; all for `None`.
fn along(call: &Call<'_>, i: usize) -> Value<'static> {
    match call.value(i) {
        Value::List(all) => Value::Tuple(all.iter().map(|v| v.clone().into_owned()).collect()),
        given => given.clone().into_owned(),
    }
}

/// The differences from the greatest element that counts, whose exponentials cannot be too great.
fn from_greatest(call: &Call<'_>, x: &Value<'_>, axes: &Value<'_>, mask: &Value<'_>) -> Out {
    let counted = masked(call, x, mask, f64::NEG_INFINITY)?;
    let greatest = core!(call, "max", &counted; axis: axes, keepdims: true)?;
    core!(
        call,
        "subtract",
        &masked(call, x, mask, f64::NEG_INFINITY)?,
        &core!(call, "stop_gradient", &greatest)?
    )
}

/// `softmax(x, axis, where)`
pub(crate) fn softmax(call: &mut Call<'_>) -> Out {
    let (x, axes) = (inexact(call, &call.array(0)?.into())?, along(call, 1));
    let powers = core!(call, "exp", &from_greatest(call, &x, &axes, call.value(2))?)?;
    let result = core!(call, "divide", &powers, &core!(call, "sum", &powers; axis: &axes, keepdims: true)?)?;
    masked(call, &result, call.value(2), 0.0)
}

/// `log_softmax(x, axis, where)`
pub(crate) fn log_softmax(call: &mut Call<'_>) -> Out {
    let (x, axes) = (inexact(call, &call.array(0)?.into())?, along(call, 1));
    let apart = from_greatest(call, &x, &axes, call.value(2))?;
    let total = core!(call, "sum", &core!(call, "exp", &apart)?; axis: &axes, keepdims: true)?;
    let result = core!(call, "subtract", &apart, &core!(call, "log", &total)?)?;
    masked(call, &result, call.value(2), f64::NEG_INFINITY)
}

/// `logsumexp(a, axis, b, keepdims, return_sign, where)`: the logarithm of the sum of `b exp(a)`.
pub(crate) fn logsumexp(call: &mut Call<'_>) -> Out {
    let a = inexact(call, &call.array(0)?.into())?;
    let axes = along(call, 1);
    let (keepdims, signed) = (call.flag(3)?, call.flag(4)?);
    let (a, factors) = match call.value(2) {
        Value::None => (a, None),
        given => {
            let b = inexact(call, &array(call, given)?.into())?;
            let zero = core!(call, "equal", &b, 0)?;
            let a = core!(call, "where", &zero, f64::NEG_INFINITY, &a)?;
            (a, Some(b))
        }
    };
    let a = masked(call, &a, call.value(5), f64::NEG_INFINITY)?;
    let greatest = core!(call, "max", &a; axis: &axes, keepdims: true)?;
    let finite = core!(call, "isfinite", &greatest)?;
    let base = core!(call, "stop_gradient", &core!(call, "where", &finite, &greatest, 0.0)?)?;
    let powers = core!(call, "exp", &core!(call, "subtract", &a, &base)?)?;
    let terms = match &factors {
        None => powers,
        Some(b) => core!(call, "multiply", &powers, b)?,
    };
    let total = core!(call, "sum", &terms; axis: &axes, keepdims: keepdims)?;
    let sign = core!(call, "sign", &total)?;
    let size = if signed { core!(call, "abs", &total)? } else { total };
    let base = if keepdims { base } else { core!(call, "reshape", &base, ints(shape(call, &size)?))? };
    let result = core!(call, "add", &core!(call, "log", &size)?, &base)?;
    Ok(if signed { Value::Tuple(vec![result, sign]) } else { result })
}

/// `standardize(x, axis, mean, variance, epsilon, where)`
pub(crate) fn standardize(call: &mut Call<'_>) -> Out {
    let (x, axes) = (inexact(call, &call.array(0)?.into())?, along(call, 1));
    let mask = call.value(5);
    let mean_of = |v: &Value<'_>| {
        call.row(
            "numpy.mean",
            &[v.borrowed()],
            ivy_frontend::kw! { axis: &axes, keepdims: true, r#where: mask },
        )
    };
    let mean = match call.value(2) {
        Value::None => mean_of(&x)?,
        given => given.clone().into_owned(),
    };
    let variance = match call.value(3) {
        Value::None => {
            // The mean of squares less the square of the mean, which is not below 0.
            let squares = mean_of(&core!(call, "square", &x)?)?;
            core!(call, "maximum", &core!(call, "subtract", &squares, &core!(call, "square", &mean)?)?, 0)?
        }
        given => given.clone().into_owned(),
    };
    let apart = core!(call, "subtract", &x, &mean)?;
    let spread = core!(call, "add", &variance, call.value(4))?;
    core!(call, "multiply", &apart, &core!(call, "reciprocal", &core!(call, "sqrt", &spread)?)?)
}

/// `one_hot(x, num_classes, dtype, axis)`: what is no class has zeros alone.
pub(crate) fn one_hot(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    let (classes, to) = (call.int(1)?, call.dtype(2)?.unwrap_or_else(super::support::default_float));
    let ndim = shape(call, &x)?.len();
    let along = axis(call, call.int(3)?, ndim + 1)?;
    let column = core!(call, "expand_dims", &x, along)?;
    let numbers = core!(call, "arange", classes; dtype: dtype(call, &x)?)?;
    let numbers =
        core!(call, "reshape", &numbers, ints((0..=ndim).map(|a| if a == along { -1i64 } else { 1 })))?;
    core!(call, "astype", &core!(call, "equal", &column, &numbers)?, to)
}

/// `attention(query, key, value, bias, mask, scale, is_causal, query_seq_lengths, key_value_seq_lengths)`: of arrays
/// (batch, length, heads, size), the batch may be left out.
pub(crate) fn attention(call: &mut Call<'_>) -> Out {
    let (q, k, v) = (call.array(0)?, call.array(1)?, call.array(2)?);
    let own = q.dtype();
    let single = q.ndim() == 3;
    let batch = |x: ivy_core::Array| if single { core!(call, "expand_dims", x, 0) } else { Ok(x.into()) };
    let (q, k, v) = (batch(q)?, batch(k)?, batch(v)?);
    let (lengths, others) = (shape(call, &q)?, shape(call, &k)?);
    let (&[b, t, n, h], &[_, s, groups, _]) = (&lengths[..], &others[..]) else {
        return Err(call.refuse(Fault::Value, "query", Some(&q), "(batch, length, heads, size) is needed"));
    };
    let values = shape(call, &v)?;
    if groups == 0 || n % groups != 0 || values.len() != 4 || values[..3] != others[..3] {
        return Err(call.refuse(Fault::Value, "key", Some(&k), "its heads divide those of the query"));
    }
    let wide = |x: Value<'static>| {
        let x = if n == groups { x } else { core!(call, "repeat", &x, n / groups; axis: 2)? };
        core!(call, "permute_dims", &x, ints([0i64, 2, 1, 3]))
    };
    let (q, k, v) = (core!(call, "permute_dims", &q, ints([0i64, 2, 1, 3]))?, wide(k)?, wide(v)?);
    let computed = if super::support::is_short_float(own) { Dtype::FLOAT32 } else { own };
    let cast = |x: &Value<'_>| core!(call, "astype", x, computed);
    let scale = match call.value(5) {
        Value::None => Value::Float(1.0 / (h as f64).sqrt()),
        given => given.clone().into_owned(),
    };
    let turned = core!(call, "matrix_transpose", &cast(&k)?)?;
    let mut scores = core!(call, "multiply", &core!(call, "matmul", &cast(&q)?, &turned)?, &scale)?;
    if !call.value(3).is_none() {
        scores = core!(call, "add", &scores, &core!(call, "astype", &call.array(3)?, computed)?)?;
    }
    for mask in attention_masks(call, [b, t, s])? {
        // What is masked is so small that it has no weight, where anything else is left.
        scores = core!(call, "where", &mask, &scores, -0.7 * ivy_core::finfo(computed)?.max)?;
    }
    let weights = core!(call, "astype", &core!(call, "softmax", &scores; axis: -1)?, own)?;
    let out = core!(call, "permute_dims", &core!(call, "matmul", &weights, &v)?, ints([0i64, 2, 1, 3]))?;
    if single { core!(call, "squeeze", &out, 0) } else { Ok(out) }
}

/// The masks of an attention over (batch, heads, length, length of the keys).
fn attention_masks(call: &Call<'_>, [b, t, s]: [i64; 3]) -> Result<Vec<Value<'static>>> {
    let mut masks = Vec::new();
    if !call.value(4).is_none() {
        masks.push(call.array(4)?.into());
    }
    if call.flag(6)? {
        masks.push(core!(call, "tril", &core!(call, "ones", ints([t, s]); dtype: Dtype::BOOL)?)?);
    }
    for (i, count, rows) in [(7, t, true), (8, s, false)] {
        if call.value(i).is_none() {
            continue;
        }
        let limits = core!(call, "reshape", &call.array(i)?, ints([b, 1, 1, 1]))?;
        let numbers = core!(call, "arange", count; dtype: dtype(call, &limits)?)?;
        let numbers =
            core!(call, "reshape", &numbers, if rows { ints([-1i64, 1]) } else { ints([1i64, -1]) })?;
        masks.push(core!(call, "less", &numbers, &limits)?);
    }
    Ok(masks)
}

/// `logmeanexp(x, axis, where, keepdims)`
pub(crate) fn logmeanexp(call: &mut Call<'_>) -> Out {
    let x = inexact(call, &call.array(0)?.into())?;
    let axes = along(call, 1);
    let (mask, keepdims) = (call.value(2), call.flag(3)?);
    let sum = ivy_frontend::kw! { axis: &axes, keepdims: keepdims, r#where: mask };
    let sum = call.row("nn.logsumexp", &[x.borrowed()], sum)?;
    let ones = core!(call, "ones_like", &x)?;
    let count = ivy_frontend::kw! { axis: &axes, keepdims: keepdims, r#where: mask };
    let count = call.row("numpy.sum", &[ones], count)?;
    core!(call, "subtract", &sum, &core!(call, "log", &count)?)
}
