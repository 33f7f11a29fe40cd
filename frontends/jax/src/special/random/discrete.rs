//! Random integers, truth values, orders and choices.

use super::keys::{key_of, lengths, reached, seed, words};
use super::real::{gumbels, unit};
use crate::special::support::{
    Out, array, axis, core, default_float, default_int, dtype, ints, places, product, shape,
};
use ivy_core::{Dtype, Result};
use ivy_frontend::{Call, Fault, Value};

/// `bits(key, shape, dtype)`
pub(crate) fn bits(call: &mut Call<'_>) -> Out {
    let key = key_of(call, 0)?;
    let to =
        call.dtype(2)?.unwrap_or(if default_int() == Dtype::INT64 { Dtype::UINT64 } else { Dtype::UINT32 });
    if !matches!(to, Dtype::UINT8 | Dtype::UINT16 | Dtype::UINT32 | Dtype::UINT64) {
        return Err(call.refuse(Fault::Value, "dtype", Some(call.value(2)), "an unsigned dtype is needed"));
    }
    let word = if to == Dtype::UINT64 { to } else { Dtype::UINT32 };
    let drawn = words(call, &key, 0, &call.ints(1)?.unwrap_or_default(), word)?;
    if word == to { Ok(drawn) } else { core!(call, "astype", &drawn, to) }
}

/// `randint(key, shape, minval, maxval, dtype)`: remainders of 64-bit words.
pub(crate) fn randint(call: &mut Call<'_>) -> Out {
    let key = key_of(call, 0)?;
    let to = call.dtype(4)?.unwrap_or_else(default_int);
    if !to.is_int() {
        return Err(call.refuse(Fault::Type, "dtype", Some(call.value(4)), "an integer dtype is needed"));
    }
    let bound = |i: usize| core!(call, "astype", &call.array(i)?, Dtype::INT64);
    let (low, high) = (bound(2)?, bound(3)?);
    let lengths = lengths(call, 1, &[&low, &high])?;
    let drawn = words(call, &key, 0, &lengths, Dtype::UINT64)?;
    let span = core!(call, "maximum", &core!(call, "subtract", &high, &low)?, 1)?;
    let turn = core!(call, "remainder", &drawn, &core!(call, "astype", &span, Dtype::UINT64)?)?;
    let moved = core!(call, "add", &core!(call, "astype", &turn, Dtype::INT64)?, &low)?;
    core!(call, "astype", &moved, to)
}

/// `bernoulli(key, p, shape)`
pub(crate) fn bernoulli(call: &mut Call<'_>) -> Out {
    let key = key_of(call, 0)?;
    let p = Value::from(call.array(1)?);
    let lengths = lengths(call, 2, &[&p])?;
    let own = dtype(call, &p)?;
    let computed = if own.is_float() { own } else { default_float() };
    core!(call, "less", &unit(call, &key, 0, &lengths, computed)?, &p)
}

/// `rademacher(key, shape, dtype)`: 1 or -1.
pub(crate) fn rademacher(call: &mut Call<'_>) -> Out {
    let key = key_of(call, 0)?;
    let to = call.dtype(2)?.unwrap_or_else(default_int);
    let drawn = words(call, &key, 0, &call.ints(1)?.unwrap_or_default(), Dtype::UINT32)?;
    let bit = core!(call, "bitwise_right_shift", &drawn, 31)?;
    core!(call, "subtract", &core!(call, "multiply", &core!(call, "astype", &bit, to)?, 2)?, 1)
}

/// A random order of `n` things.
fn order(call: &Call<'_>, key: &Value<'_>, n: i64) -> Out {
    core!(call, "argsort", &words(call, key, 0, &[n], Dtype::UINT64)?)
}

/// `permutation(key, x, axis, independent)`: of the numbers below one, or along an axis.
pub(crate) fn permutation(call: &mut Call<'_>) -> Out {
    let key = key_of(call, 0)?;
    let x = call.array(1)?;
    if x.ndim() == 0 {
        if !x.dtype().is_int() {
            return Err(call.refuse(
                Fault::Type,
                "x",
                Some(call.value(1)),
                "x must be an integer or at least 1-dimensional",
            ));
        }
        return places(call, order(call, &key, call.int(1)?)?);
    }
    let lengths: Vec<i64> = x.shape().iter().map(|&d| d as i64).collect();
    let along = axis(call, call.int(2)?, lengths.len())?;
    if call.flag(3)? {
        let drawn = words(call, &key, 0, &lengths, Dtype::UINT64)?;
        let order = core!(call, "argsort", &drawn; axis: along)?;
        return core!(call, "take_along_axis", &x, &order; axis: along);
    }
    core!(call, "take", &x, &order(call, &key, lengths[along])?; axis: along)
}

/// `choice(key, a, shape, replace, p, axis)`
pub(crate) fn choice(call: &mut Call<'_>) -> Out {
    let key = key_of(call, 0)?;
    let (a, lengths) = (call.array(1)?, call.ints(2)?.unwrap_or_default());
    let (n, along) = match a.ndim() {
        0 => (call.int(1)?, 0),
        ndim => {
            let along = axis(call, call.int(5)?, ndim)?;
            (a.shape()[along] as i64, along)
        }
    };
    let (count, replace) = (product(&lengths), call.flag(3)?);
    if n <= 0 && count > 0 {
        return Err(call.refuse(Fault::Value, "a", Some(call.value(1)), "must not be empty"));
    }
    if !replace && count > n {
        let rule = "a larger sample than population is not there when replace is False";
        return Err(call.refuse(Fault::Value, "shape", Some(call.value(2)), rule));
    }
    let drawn = match (call.value(4), replace) {
        (Value::None, true) => {
            let words = words(call, &key, 0, &[count], Dtype::UINT64)?;
            core!(call, "astype", &core!(call, "remainder", &words, n)?, Dtype::INT64)?
        }
        (Value::None, false) => {
            let order = order(call, &key, n)?;
            crate::special::support::cut(call, &order, 0, 0, count)?
        }
        (p, true) => {
            let p = Value::from(array(call, p)?);
            let running = core!(call, "cumsum", &p; axis: 0)?;
            let last = crate::special::support::get(call, &running, Value::Int(-1))?;
            let u = unit(call, &key, 0, &[count], dtype(call, &running)?)?;
            let mark = core!(call, "multiply", &last, &core!(call, "subtract", 1, &u)?)?;
            core!(call, "searchsorted", &running, &mark)?
        }
        (p, false) => {
            // The greatest of logarithms with Gumbel numbers added, as often as each is likely.
            let logits = core!(call, "log", &array(call, p)?)?;
            let noise = gumbels(call, &key, &[n], dtype(call, &logits)?)?;
            let order = core!(call, "argsort", &core!(call, "add", &noise, &logits)?; descending: true)?;
            crate::special::support::cut(call, &order, 0, 0, count)?
        }
    };
    if a.ndim() == 0 {
        return places(call, core!(call, "reshape", &drawn, ints(lengths))?);
    }
    let own: Vec<i64> = a.shape().iter().map(|&d| d as i64).collect();
    let taken = core!(call, "take", &a, &drawn; axis: along)?;
    let result = own[..along].iter().chain(&lengths).chain(&own[along + 1..]);
    core!(call, "reshape", &taken, ints(result.copied()))
}

/// `categorical(key, logits, axis, shape, replace)`
pub(crate) fn categorical(call: &mut Call<'_>) -> Out {
    let key = key_of(call, 0)?;
    let logits = crate::special::support::inexact(call, &call.array(1)?.into())?;
    let own = shape(call, &logits)?;
    let along = axis(call, call.int(2)?, own.len())?;
    let mut batch = own.clone();
    let classes = batch.remove(along);
    let lengths = call.ints(3)?.unwrap_or_else(|| batch.clone());
    let front = core!(call, "moveaxis", &logits, along, -1)?;
    if call.flag(4)? {
        reached(call, Fault::Value, 3, &lengths, &batch)?;
        let mut wide = lengths;
        wide.push(classes);
        let noise = gumbels(call, &key, &wide, dtype(call, &logits)?)?;
        return places(call, core!(call, "argmax", &core!(call, "add", &noise, &front)?; axis: -1)?);
    }
    if !lengths.ends_with(&batch) {
        let rule = "shape ends with the shape of the logits without their axis";
        return Err(call.refuse(Fault::Value, "shape", Some(call.value(3)), rule));
    }
    let count = product(&lengths[..lengths.len() - batch.len()]);
    if count > classes {
        let rule = "more draws than classes are not there when replace is False";
        return Err(call.refuse(Fault::Value, "shape", Some(call.value(3)), rule));
    }
    let mut wide = batch.clone();
    wide.push(classes);
    let noise = gumbels(call, &key, &wide, dtype(call, &logits)?)?;
    let order = core!(call, "argsort", &core!(call, "add", &noise, &front)?; axis: -1, descending: true)?;
    let first = crate::special::support::cut(call, &order, batch.len(), 0, count)?;
    let first = core!(call, "moveaxis", &first, -1, 0)?;
    places(call, core!(call, "reshape", &first, ints(lengths))?)
}

/// `geometric(key, p, shape, dtype)`: `floor(log u / log(1 - p)) + 1`.
pub(crate) fn geometric(call: &mut Call<'_>) -> Out {
    let key = key_of(call, 0)?;
    let to = call.dtype(3)?.unwrap_or_else(default_int);
    let p = crate::special::support::inexact(call, &call.array(1)?.into())?;
    let lengths = lengths(call, 2, &[&p])?;
    let u = core!(call, "subtract", 1, &unit(call, &key, 0, &lengths, dtype(call, &p)?)?)?;
    let turns = core!(
        call,
        "divide",
        &core!(call, "log", &u)?,
        &core!(call, "log1p", &core!(call, "negative", &p)?)?
    )?;
    core!(call, "astype", &core!(call, "add", &core!(call, "floor", &turns)?, 1)?, to)
}

/// `poisson(key, lam, shape, dtype)`: of the core's generator, which draws until it accepts.
pub(crate) fn poisson(call: &mut Call<'_>) -> Out {
    key_of(call, 0)?;
    let to = call.dtype(3)?.unwrap_or_else(default_int);
    let rate = core!(call, "astype", &call.array(1)?, default_float())?;
    let lengths = lengths(call, 2, &[&rate])?;
    let drawn: Result<_> = core!(call, "poisson", &rate; shape: ints(lengths), seed: seed(call, 0)?);
    core!(call, "astype", &drawn?, to)
}
