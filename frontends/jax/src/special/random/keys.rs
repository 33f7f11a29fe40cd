//! Keys, their words, and what shapes and dtypes draws may have.

use crate::special::support::{Out, core, default_float, get, ints, shape};
use ivy_core::{Dtype, Result};
use ivy_frontend::{Call, Fault, Value};

/// What a draw is for: the last word of its counter. Draws of one key for different purposes share no word.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    /// Numbers.
    Draw(u32),
    /// New keys.
    Split,
    /// The key of a number.
    Fold,
}

impl Purpose {
    fn word(self) -> u32 {
        match self {
            Purpose::Draw(part) => part,
            Purpose::Split => u32::MAX,
            Purpose::Fold => u32::MAX - 1,
        }
    }
}

/// `key(seed)`: the two words of an integer; its high one is 0 without 64-bit integers.
pub(crate) fn key(call: &mut Call<'_>) -> Out {
    let wide = crate::special::support::default_int() == Dtype::INT64;
    let seed = match call.value(0) {
        Value::Int(_) | Value::Bool(_) => call.value(0).as_scalar().map_or(0, |s| s.to_i128()),
        Value::Array(a) | Value::Weak(a) if a.dtype().is_int() && a.ndim() == 0 => a.to_scalar()?.to_i128(),
        other => {
            return Err(call.refuse(Fault::Type, "seed", Some(other), "PRNG key seed must be an integer"));
        }
    };
    let high = if wide { (seed >> 32) as u32 } else { 0 };
    core!(call, "asarray", ints([high, seed as u32]); dtype: Dtype::UINT32)
}

/// The key of argument `i`.
pub(super) fn key_of(call: &Call<'_>, i: usize) -> Out {
    let key = call.array(i)?;
    if key.dtype() != Dtype::UINT32 || key.shape().last() != Some(&2) {
        let rule = "a key is needed: an array of two uint32 words";
        return Err(call.refuse(Fault::Type, "key", Some(&(&key).into()), rule));
    }
    Ok(key.into())
}

/// `key_data(keys)`: a key as it is.
pub(crate) fn key_data(call: &mut Call<'_>) -> Out {
    key_of(call, 0)
}

/// The state of a draw: the key's words, low one first, and a counter of two words.
pub(super) fn state(call: &Call<'_>, key: &Value<'_>, counter: &Value<'_>, purpose: Purpose) -> Out {
    let last = |i: i64| {
        let part = Value::Slice { start: Some(i), stop: Some(i + 1), step: None };
        get(call, key, Value::Tuple(vec![Value::Ellipsis, part]))
    };
    let mut lengths = shape(call, key)?;
    if let Some(last) = lengths.last_mut() {
        *last = 1;
    }
    let word = |value: &Value<'_>| {
        let word = core!(call, "asarray", value; dtype: Dtype::UINT32)?;
        core!(call, "broadcast_to", &word, ints(lengths.clone()))
    };
    let words = vec![last(1)?, last(0)?, word(counter)?, word(&Value::from(purpose.word()))?];
    core!(call, "concat", words; axis: -1)
}

/// Words of a key.
pub(super) fn words(call: &Call<'_>, key: &Value<'_>, part: u32, lengths: &[i64], dtype: Dtype) -> Out {
    let state = state(call, key, &Value::Int(0), Purpose::Draw(part))?;
    core!(call, "random_bits", &state; shape: ints(lengths.iter().copied()), dtype: dtype)
}

/// `split(key, num)`: as many keys, along new axes.
pub(crate) fn split_keys(call: &mut Call<'_>) -> Out {
    let key = key_of(call, 0)?;
    let mut lengths = call.ints(1)?.unwrap_or_default();
    lengths.push(2);
    let state = state(call, &key, &Value::Int(0), Purpose::Split)?;
    core!(call, "random_bits", &state; shape: ints(lengths), dtype: Dtype::UINT32)
}

/// `fold_in(key, data)`: the key of a key and a number.
pub(crate) fn fold_in(call: &mut Call<'_>) -> Out {
    let key = key_of(call, 0)?;
    let data = call.array(1)?;
    if data.ndim() != 0 || !data.dtype().is_int() {
        let rule = "fold_in accepts one whole number";
        return Err(call.refuse(Fault::Type, "data", Some(&(&data).into()), rule));
    }
    let counter = core!(call, "astype", &data, Dtype::UINT32)?;
    let state = state(call, &key, &counter, Purpose::Fold)?;
    core!(call, "random_bits", &state; shape: ints([2i64]), dtype: Dtype::UINT32)
}

/// The lengths of argument `i`, else those to which operands broadcast.
pub(super) fn lengths(call: &Call<'_>, i: usize, operands: &[&Value<'_>]) -> Result<Vec<i64>> {
    let shapes = operands.iter().map(|v| shape(call, v).map(ints)).collect::<Result<Vec<_>>>()?;
    let common = call.core("broadcast_shapes", &shapes, ivy_frontend::kw! {})?;
    let common: Vec<i64> = whole(&common);
    let Some(given) = call.ints(i)? else { return Ok(common) };
    reached(call, Fault::Type, i, &given, &common)?;
    Ok(given)
}

/// Refuses the lengths of argument `i` if others do not broadcast to them.
pub(super) fn reached(call: &Call<'_>, fault: Fault, i: usize, given: &[i64], others: &[i64]) -> Result<()> {
    let pair = [ints(given.to_vec()), ints(others.to_vec())];
    let both = call.core("broadcast_shapes", &pair, ivy_frontend::kw! {}).map(|v| whole(&v));
    if both.is_ok_and(|both| both == given) {
        return Ok(());
    }
    let rule = format!("shape must be one to which ({}) broadcasts", listed(others));
    Err(call.refuse(fault, "shape", Some(call.value(i)), rule))
}

fn whole(value: &Value<'_>) -> Vec<i64> {
    value
        .items()
        .unwrap_or_default()
        .iter()
        .filter_map(Value::as_scalar)
        .map(|s| s.to_i128() as i64)
        .collect()
}

fn listed(lengths: &[i64]) -> String {
    lengths.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}

/// The float dtype of argument `i`, else the default one.
pub(super) fn float(call: &Call<'_>, i: usize) -> Result<Dtype> {
    match call.dtype(i)? {
        None => Ok(default_float()),
        Some(dtype) if dtype.is_float() => Ok(dtype),
        Some(_) => Err(call.refuse(Fault::Value, "dtype", Some(call.value(i)), "must be a float dtype")),
    }
}

/// A seed of the core's generators, for what draws until it accepts.
pub(super) fn seed(call: &Call<'_>, part: u32) -> Result<i64> {
    let key = key_of(call, 0)?;
    let drawn = words(call, &key, part, &[], Dtype::UINT64)?;
    let number = crate::special::support::array(call, &drawn)?.to_scalar()?.to_i128();
    Ok((number >> 1) as i64)
}
