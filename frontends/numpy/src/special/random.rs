//! Sources of random numbers, and draws from distributions.

use super::distributions::{Distribution, find};
use super::help::{Out, shape_of, type_error, value_error};
use ivy_core::functional as f;
use ivy_core::functional::{Generator, Seed};
use ivy_core::{Array, Dtype, Result, Scalar, Shape};
use ivy_frontend::{Call, SharedGenerator, Value};
use std::sync::PoisonError;

/// What a call draws from: a generator, or that of the context.
pub(super) struct Source<'a>(Option<&'a SharedGenerator>);

impl<'a> Source<'a> {
    /// Of argument `i`; the context's where that is `None`.
    pub(super) fn of(call: &'a Call<'_>, i: usize) -> Result<Source<'a>> {
        match call.value(i) {
            Value::Generator(generator) => Ok(Source(Some(generator))),
            Value::None => Ok(Source(None)),
            _ => Err(type_error(call, "self", "a Generator is needed")),
        }
    }

    /// The next draw; nothing for the context's, which the core's functions take by themselves.
    pub(super) fn draw(&self) -> Option<Seed> {
        let generator = self.0?;
        Some(generator.lock().unwrap_or_else(PoisonError::into_inner).draw())
    }
}

/// A seed as a generator: of a whole number, or, of nothing, another one each time.
pub fn default_rng(call: &mut Call<'_>) -> Out {
    Ok(match call.value(0) {
        Value::None => Generator::from_entropy().into(),
        generator @ Value::Generator(_) => generator.clone().into_owned(),
        Value::Tuple(_) | Value::List(_) | Value::Array(_) => {
            // Each number makes another generator of the one before.
            let words = call.ints(0)?.unwrap_or_default();
            let fold = |g: Generator, &word: &i64| g.fold_in(word as u64);
            words.iter().fold(Generator::new(0), fold).into()
        }
        _ => match u64::try_from(call.int(0)?) {
            Ok(seed) => Generator::new(seed).into(),
            Err(_) => return Err(value_error(call, "seed", "expected non-negative integer")),
        },
    })
}

/// A generator, and how many others are made of it.
pub fn spawn(call: &mut Call<'_>) -> Out {
    let count = usize::try_from(call.int(1)?)
        .map_err(|_| value_error(call, "n_children", "expected non-negative integer"))?;
    let Value::Generator(generator) = call.value(0) else {
        return Err(type_error(call, "self", "a Generator is needed"));
    };
    let children = generator.lock().unwrap_or_else(PoisonError::into_inner).split(count);
    Ok(Value::List(children.into_iter().map(Value::from).collect()))
}

/// Begins anew with the numbers of the functions without a generator.
pub fn seed(call: &mut Call<'_>) -> Out {
    match call.value(0) {
        Value::None => f::seed(Generator::from_entropy().draw()),
        _ => match u32::try_from(call.int(0)?) {
            Ok(seed) => f::seed(u64::from(seed)),
            Err(_) => return Err(value_error(call, "seed", "Seed must be between 0 and 2**32 - 1")),
        },
    }
    Ok(Value::None)
}

/// A size as a shape: of a number or of several; nothing for `None`.
pub(super) fn size_of(call: &Call<'_>, i: usize) -> Result<Option<Shape>> {
    match call.value(i) {
        Value::Float(_) => {
            Err(type_error(call, "size", "expected a sequence of integers or a single integer"))
        }
        _ => call.ints(i)?.map(|numbers| shape_of(call, &numbers)).transpose(),
    }
}

/// A size, or the shape of an array that the draws are written to.
pub fn size_or(call: &mut Call<'_>) -> Out {
    match (call.value(0), call.value(1)) {
        (Value::None, Value::Array(out)) => Ok(Value::from(out.shape())),
        (size, _) => Ok(size.borrowed().into_owned()),
    }
}

/// The dtype of draws: float64 or float32.
fn float_of(call: &Call<'_>, i: usize) -> Result<Dtype> {
    match call.dtype(i)? {
        None | Some(Dtype::FLOAT64) => Ok(Dtype::FLOAT64),
        Some(Dtype::FLOAT32) => Ok(Dtype::FLOAT32),
        Some(other) => Err(type_error(call, "dtype", format!("Unsupported dtype {other} for this function"))),
    }
}

/// A generator, the name of a distribution, size, dtype, and the distribution's parameters.
pub fn draw(call: &mut Call<'_>) -> Out {
    let source = Source::of(call, 0)?;
    let name = call.text(1)?;
    let distribution: &Distribution =
        find(name).ok_or_else(|| value_error(call, "name", format!("no distribution is called {name}")))?;
    let size = size_of(call, 2)?;
    let dtype = float_of(call, 3)?;
    let given = (4..4 + distribution.domains.len()).map(|i| f::astype(call.array(i)?, Dtype::FLOAT64));
    let given = given.collect::<Result<Vec<Array>>>()?;
    for (domain, parameter) in distribution.domains.iter().zip(&given) {
        if !domain.holds(parameter)? {
            return Err(value_error(call, domain.name, domain.rule));
        }
    }
    if let Some(rule) = distribution.together.map(|check| check(&given)).transpose()?.flatten() {
        return Err(value_error(call, "parameters", rule));
    }
    let common = common_shape(call, &given)?;
    let shape = match size {
        None => common,
        Some(size) => {
            let fits = f::broadcast_to(f::zeros(common, ())?, size.clone()).is_ok();
            if !fits {
                return Err(value_error(
                    call,
                    "size",
                    "Output size is not compatible with broadcast dimensions of inputs.",
                ));
            }
            size
        }
    };
    let found = (distribution.draw)(&source, &shape, dtype, &given)?;
    let dtype = if distribution.whole { Dtype::INT64 } else { dtype };
    Ok(f::astype(found, dtype)?.into())
}

/// The shape that parameters broadcast to.
fn common_shape(call: &Call<'_>, given: &[Array]) -> Result<Shape> {
    if given.is_empty() {
        return Ok(Shape::default());
    }
    let all = f::broadcast_arrays(given).map_err(|_| {
        value_error(call, "parameters", "shape mismatch: objects cannot be broadcast to a single shape")
    })?;
    Ok(all[0].shape().clone())
}

/// Whether all of an array holds, for parameters that a distribution takes.
pub(super) fn all(x: Result<Array>) -> Result<bool> {
    f::all(x?, ())?.to_scalar().map(Scalar::to_bool)
}
