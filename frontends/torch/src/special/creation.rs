//! New tensors, dtypes, and numbers at random.

use super::support::{Out, cast, inexact, optional, reshaped, runtime, tensor};
use crate::autograd;
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Result, Shape};
use ivy_frontend::specials::{complex_of, several};
use ivy_frontend::{Call, Fault, Value, compute, kw};

/// A new tensor, which begins a graph of derivatives if asked to.
pub(crate) fn leaf(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    Ok(if call.flag(1)? { autograd::require(call, &x)? } else { x }.into())
}

/// A tensor of numbers, lists of them, or of another tensor's elements.
pub(crate) fn made(call: &mut Call<'_>) -> Out {
    let x = match call.value(0) {
        Value::Array(x) => cast(&autograd::detached(x), call.dtype(1)?)?,
        data => call.make_array(data, call.dtype(1)?)?,
    };
    Ok(if call.flag(2)? { autograd::require(call, &x)? } else { x }.into())
}

/// The numbers from `start` to `end`, which is one of them if a step ends there.
pub(crate) fn range(call: &mut Call<'_>) -> Out {
    let (start, end, step) = (call.float(0)?, call.float(1)?, call.float(2)?);
    let count = ((end - start) / step).floor();
    if !count.is_finite() || count < 0.0 {
        return Err(runtime(call, "step", "must be nonzero, and go from start to end"));
    }
    let steps = compute!(call, "arange", [0, count as i64 + 1, 1], dtype = Dtype::FLOAT64)?;
    let numbers = f::add(f::multiply(&steps, step)?, start)?;
    let default = compute!(call, "zeros", [Vec::<i64>::new()])?.dtype();
    Ok(cast(&numbers, Some(call.dtype(3)?.unwrap_or(default)))?.into())
}

/// Complex numbers of their parts.
pub(crate) fn complex(call: &mut Call<'_>) -> Out {
    let (real, imag) = (tensor(call, 0)?, tensor(call, 1)?);
    if !matches!(
        (real.dtype(), imag.dtype()),
        (Dtype::FLOAT64, Dtype::FLOAT64) | (Dtype::FLOAT32, Dtype::FLOAT32)
    ) {
        let rule = "Expected both inputs to be Float or Double tensors of one dtype";
        return Err(runtime(call, "imag", rule));
    }
    Ok(complex_of(call, &real, &imag)?.into())
}

/// The triangular window of Bartlett.
pub(crate) fn bartlett(call: &mut Call<'_>) -> Out {
    let (length, periodic) = (call.int(0)?, call.flag(1)?);
    let dtype = call.dtype(2)?;
    let default = compute!(call, "zeros", [Vec::<i64>::new()])?.dtype();
    if length < 2 {
        let shape = vec![length.max(0)];
        return Ok(compute!(call, "ones", [shape], dtype = dtype.unwrap_or(default))?.into());
    }
    let points = if periodic { length } else { length - 1 } as f64;
    let steps = compute!(call, "arange", [0, length, 1], dtype = Dtype::FLOAT64)?;
    let ramp = f::divide(f::multiply(&steps, 2.0)?, points)?;
    let window = f::subtract(1.0, f::abs(f::subtract(&ramp, 1.0)?)?)?;
    Ok(cast(&window, Some(dtype.unwrap_or(default)))?.into())
}

/// Whether a tensor's dtype is of a kind.
pub(crate) fn is_kind(call: &mut Call<'_>) -> Out {
    let dtype = tensor(call, 0)?.dtype();
    Ok(match call.text(1)? {
        "complex" => dtype.is_complex(),
        "float" => dtype.is_float(),
        "bool" => dtype.is_bool(),
        _ => dtype.is_int(),
    }
    .into())
}

/// Whether numbers of a dtype have a sign.
pub(crate) fn is_signed(call: &mut Call<'_>) -> Out {
    let dtype = tensor(call, 0)?.dtype();
    Ok((!dtype.is_bool() && !dtype.is_uint()).into())
}

/// How many bytes an element takes.
pub(crate) fn element_size(call: &mut Call<'_>) -> Out {
    Ok(tensor(call, 0)?.dtype().bytes().into())
}

/// The dtype that two dtypes promote to.
pub(crate) fn promote_types(call: &mut Call<'_>) -> Out {
    let [a, b] = [call.dtype(0)?, call.dtype(1)?].map(|dtype| dtype.unwrap_or(Dtype::FLOAT32));
    let rules = ivy_core::context::current().settings.rules;
    Ok(ivy_core::promotion::promote(rules, a, b)?.into())
}

/// The dtype of two operands' sum.
pub(crate) fn result_type(call: &mut Call<'_>) -> Out {
    let sum = call.core("add", &[call.value(0).borrowed(), call.value(1).borrowed()], kw! {})?;
    Ok(sum.as_array().map(|x| x.dtype()).into())
}

/// Whether a cast loses no kind: from complex numbers to floats, from these to integers, and to bool it does.
pub(crate) fn can_cast(call: &mut Call<'_>) -> Out {
    let [from, to] = [call.dtype(0)?, call.dtype(1)?].map(|dtype| dtype.unwrap_or(Dtype::FLOAT32));
    let kinds = |d: Dtype| [d.is_complex(), d.is_complex() || d.is_float(), !d.is_bool()];
    let kept = kinds(from).iter().zip(kinds(to)).all(|(&from, to)| !from || to);
    Ok(kept.into())
}

/// The source of a call's random numbers: a generator, or a seed, where one is given.
pub(crate) fn generator(call: &mut Call<'_>) -> Out {
    source(call, 0)
}

/// Likewise, of an argument by its place.
fn source(call: &Call<'_>, i: usize) -> Out {
    match call.value(i) {
        Value::None => Ok(Value::None),
        Value::Int(seed) => Ok(Value::Int(*seed)),
        Value::Generator(generator) => Ok(Value::Generator(generator.clone())),
        other => Err(call.refuse(Fault::Type, "generator", Some(other), "a Generator is needed, or a seed")),
    }
}

/// Sets the seed of the context's generator.
pub(crate) fn manual_seed(call: &mut Call<'_>) -> Out {
    f::seed(call.int(0)?);
    Ok(Value::None)
}

/// Numbers of `random_uniform` or `random_normal`, of a shape and dtype. Complex ones have such parts: uniform from 0 to 1 each, or normal
/// with half of the variance each.
pub(crate) fn drawn(call: &mut Call<'_>) -> Out {
    let (normal, shape) = (call.text(0)? == "random_normal", call.ints(1)?.unwrap_or_default());
    let dtype = call.dtype(2)?.unwrap_or(Dtype::FLOAT32);
    let part = |dtype: Dtype, std: f64| match normal {
        true => {
            compute!(
                call,
                "random_normal",
                [],
                std = std,
                shape = shape.clone(),
                dtype = dtype,
                seed = source(call, 3)?
            )
        }
        false => compute!(
            call,
            "random_uniform",
            [],
            shape = shape.clone(),
            dtype = dtype,
            seed = source(call, 3)?
        ),
    };
    if !dtype.is_complex() {
        return Ok(part(dtype, 1.0)?.into());
    }
    let (real, imag) = (part(dtype.real_part(), 0.5f64.sqrt())?, part(dtype.real_part(), 0.5f64.sqrt())?);
    Ok(complex_of(call, &real, &imag)?.into())
}

/// Whole numbers from `low` to before `high`, or below `low`.
pub(crate) fn randint(call: &mut Call<'_>) -> Out {
    // `randint(high, size)` leaves the second place to the size.
    let (low, high, size) = match call.value(1).items() {
        Some(_) => (0, call.int(0)?, call.ints(1)?),
        None if call.value(1).is_none() => (0, call.int(0)?, call.ints(2)?),
        None => (call.int(0)?, call.int(1)?, call.ints(2)?),
    };
    whole_numbers(call, low, high, size.unwrap_or_default(), call.dtype(3)?.unwrap_or(Dtype::INT64), 4)
}

/// Likewise, in the shape and dtype of another tensor.
pub(crate) fn randint_like(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    let (low, high) = match call.value(2) {
        Value::None => (0, call.int(1)?),
        _ => (call.int(1)?, call.int(2)?),
    };
    let shape = x.shape().iter().map(|&n| n as i64).collect();
    whole_numbers(call, low, high, shape, call.dtype(3)?.unwrap_or(x.dtype()), 4)
}

fn whole_numbers(
    call: &Call<'_>,
    low: i64,
    high: i64,
    shape: Vec<i64>,
    dtype: Dtype,
    generator: usize,
) -> Out {
    if low >= high {
        return Err(runtime(
            call,
            "high",
            format!("random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"),
        ));
    }
    let drawn = compute!(
        call,
        "randint",
        [low, high],
        shape = shape,
        dtype = Dtype::INT64,
        seed = source(call, generator)?
    )?;
    Ok(cast(&drawn, Some(dtype))?.into())
}

/// In place: whole numbers that the dtype holds exactly.
pub(crate) fn random(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    let most = match x.dtype() {
        Dtype::FLOAT64 => 1 << 53,
        Dtype::FLOAT32 => 1 << 24,
        Dtype::FLOAT16 => 1 << 11,
        Dtype::BFLOAT16 => 1 << 8,
        dtype => dtype.int_range().map_or(2, |(_, most)| (most.min(i64::MAX as i128 - 1) + 1) as i64),
    };
    let high = if call.value(2).is_none() { most } else { call.int(2)? };
    let shape = x.shape().iter().map(|&n| n as i64).collect();
    whole_numbers(call, call.int(1)?, high, shape, x.dtype(), 3)
}

/// The numbers below `n` in any order.
pub(crate) fn randperm(call: &mut Call<'_>) -> Out {
    let n = call.int(0)?;
    if n < 0 {
        return Err(runtime(call, "n", format!("n must be non-negative, got {n}")));
    }
    let drawn = match n {
        0 => compute!(call, "zeros", [vec![0i64]], dtype = Dtype::INT64)?,
        _ => compute!(call, "permutation", [], n = n, seed = source(call, 2)?)?,
    };
    Ok(cast(&drawn, Some(call.dtype(1)?.unwrap_or(Dtype::INT64)))?.into())
}

/// Normal numbers, with a mean and a standard deviation each.
pub(crate) fn normal(call: &mut Call<'_>) -> Out {
    let (mean, std) = (call.array(0)?, call.array(1)?);
    if f::less(&std, 0.0)?.is_any_true()? {
        return Err(runtime(call, "std", "normal expects std >= 0.0"));
    }
    let of_tensor = call.value(0).as_array().or_else(|| call.value(1).as_array()).map(Array::dtype);
    let both = several(call, call.core("broadcast_arrays", &[(&mean).into(), (&std).into()], kw! {})?)?;
    let shape = call.ints(2)?.unwrap_or_else(|| both[0].shape().iter().map(|&n| n as i64).collect());
    let dtype = of_tensor.unwrap_or(compute!(call, "zeros", [Vec::<i64>::new()])?.dtype());
    let drawn = compute!(call, "random_normal", [], shape = shape, dtype = dtype, seed = source(call, 3)?)?;
    Ok(cast(&f::add(f::multiply(&drawn, &std)?, &mean)?, Some(dtype))?.into())
}

/// Ones with the probabilities that a tensor has.
pub(crate) fn bernoulli(call: &mut Call<'_>) -> Out {
    let p = tensor(call, 0)?;
    inexact(call, &p)?;
    let outside = f::logical_not(f::logical_and(f::greater_equal(&p, 0.0)?, f::less_equal(&p, 1.0)?)?)?;
    if outside.is_any_true()? {
        return Err(runtime(call, "input", "Expected p_in >= 0 && p_in <= 1 to be true"));
    }
    let shape: Vec<i64> = p.shape().iter().map(|&n| n as i64).collect();
    let drawn =
        compute!(call, "random_uniform", [], shape = shape, dtype = p.dtype(), seed = source(call, 1)?)?;
    Ok(f::astype(f::less(&drawn, &p)?, p.dtype())?.into())
}

/// In place: ones with a probability.
pub(crate) fn bernoulli_like(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    let p = f::broadcast_to(call.array(1)?, x.shape().clone())?;
    let shape: Vec<i64> = x.shape().iter().map(|&n| n as i64).collect();
    let drawn = compute!(call, "random_uniform", [], shape = shape, seed = source(call, 2)?)?;
    Ok(f::astype(f::less(&drawn, &p)?, x.dtype())?.into())
}

/// Cauchy's distribution in a tensor's shape, by its quantiles.
pub(crate) fn cauchy(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    inexact(call, &x)?;
    let (median, sigma) = (call.float(1)?, call.float(2)?);
    if sigma <= 0.0 {
        return Err(runtime(call, "sigma", format!("cauchy_ expects sigma > 0.0, but found sigma={sigma}")));
    }
    let angle = f::multiply(f::subtract(uniform_like(call, &x, 3)?, 0.5)?, std::f64::consts::PI)?;
    Ok(f::astype(f::add(f::multiply(f::tan(&angle)?, sigma)?, median)?, x.dtype())?.into())
}

/// How many trials it takes until one succeeds, in a tensor's shape, by the quantiles of the geometric distribution.
pub(crate) fn geometric(call: &mut Call<'_>) -> Out {
    let (x, p) = (tensor(call, 0)?, call.float(1)?);
    if !(0.0 < p && p < 1.0) {
        return Err(runtime(call, "p", format!("geometric_ expects p to be in (0, 1), but got p={p}")));
    }
    let failures = f::log1p(f::negative(uniform_like(call, &x, 2)?)?)?;
    let trials = f::ceil(f::divide(&failures, (-p).ln_1p())?)?;
    Ok(f::astype(f::maximum(&trials, 1)?, x.dtype())?.into())
}

/// Uniform numbers from 0 to 1 of float64 in a tensor's shape, by the generator of an argument.
fn uniform_like(call: &Call<'_>, x: &Array, generator: usize) -> Result<Array> {
    let shape: Vec<i64> = x.shape().iter().map(|&n| n as i64).collect();
    compute!(
        call,
        "random_uniform",
        [],
        shape = shape,
        dtype = Dtype::FLOAT64,
        seed = source(call, generator)?
    )
}

/// Places drawn by their weights.
pub(crate) fn multinomial(call: &mut Call<'_>) -> Out {
    let (weights, count, again) = (tensor(call, 0)?, call.int(1)?, call.flag(2)?);
    inexact(call, &weights)?;
    let Some(&kinds) = weights.shape().last() else {
        return Err(runtime(call, "input", "prob_dist must be 1 or 2 dim"));
    };
    if count < 1 || (!again && count as usize > kinds) {
        return Err(runtime(
            call,
            "num_samples",
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement",
        ));
    }
    let refused = f::logical_not(f::logical_and(f::isfinite(&weights)?, f::greater_equal(&weights, 0.0)?)?)?;
    if refused.is_any_true()? {
        let rule = "probability tensor contains either `inf`, `nan` or element < 0";
        return Err(runtime(call, "input", rule));
    }
    let sums = compute!(call, "sum", [&weights], axis = -1)?;
    if f::less_equal(sums, 0.0)?.is_any_true()? {
        return Err(runtime(call, "input", "invalid multinomial distribution (sum of probabilities <= 0)"));
    }
    let rows = weights.size() / kinds;
    let table = reshaped(&weights, [rows, kinds])?;
    // Exponential numbers over weights: the least ones are a draw without replacement (Efraimidis and Spirakis).
    let keys = |shape: Vec<i64>| {
        compute!(call, "exponential", [], shape = shape, dtype = Dtype::FLOAT64, seed = source(call, 3)?)
    };
    let places = match again {
        false => {
            let keys = f::divide(keys(vec![rows as i64, kinds as i64])?, &table)?;
            let order = compute!(call, "argsort", [&keys], axis = 1)?;
            super::support::sliced(&order, 1, 0, count as usize)?
        }
        true => {
            let keys = keys(vec![rows as i64, count, kinds as i64])?;
            compute!(call, "argmin", [&f::divide(&keys, reshaped(&table, [rows, 1, kinds])?)?], axis = 2)?
        }
    };
    match weights.ndim() {
        1 => Ok(reshaped(&places, [count as usize])?.into()),
        _ => Ok(places.into()),
    }
}

/// A tensor, and nothing else, of a single number.
pub(crate) fn scalar(call: &mut Call<'_>) -> Out {
    let default = compute!(call, "zeros", [Vec::<i64>::new()])?.dtype();
    let x = call.make_array(call.value(0), Some(call.dtype(1)?.unwrap_or(default)))?;
    let x = if x.ndim() == 0 { x } else { reshaped(&x, Shape::default())? };
    Ok(if call.flag(2)? { autograd::require(call, &x)? } else { x }.into())
}

/// What is needed of a tensor that a caller may leave out.
pub(crate) fn or_zeros(call: &Call<'_>, i: usize, length: usize, value: f64, dtype: Dtype) -> Result<Array> {
    match optional(call, i)? {
        Some(given) => Ok(given),
        None => compute!(call, "full", [vec![length as i64], value], dtype = dtype),
    }
}
