//! What the specials have in common: operands, calls of the core, refusals.

use ivy_core::{Array, Dtype, Error, Index, Result, Shape};
use ivy_frontend::{Call, Fault, Value, compute};

pub(super) use ivy_frontend::specials::{Out, tensor};

/// Argument `i` where `None` is allowed.
pub(super) fn optional(call: &Call<'_>, i: usize) -> Result<Option<Array>> {
    match call.value(i) {
        Value::None => Ok(None),
        _ => tensor(call, i).map(Some),
    }
}

/// The error that PyTorch raises as a RuntimeError.
pub(super) fn runtime(call: &Call<'_>, argument: &str, rule: impl Into<String>) -> Error {
    call.refuse(Fault::Runtime, argument, None, rule)
}

/// Refuses integers and truth values where PyTorch computes with floats only.
pub(super) fn inexact(call: &Call<'_>, x: &Array) -> Result<()> {
    match x.dtype().is_float() || x.dtype().is_complex() {
        true => Ok(()),
        false => Err(runtime(
            call,
            "input",
            format!("a floating point or complex dtype is needed, not {}", x.dtype()),
        )),
    }
}

/// Refuses all but real floats, for which alone PyTorch has a kernel.
pub(super) fn floating(call: &Call<'_>, x: &Array) -> Result<()> {
    match x.dtype().is_float() {
        true => Ok(()),
        false => {
            let rule = format!("real floats are needed, not {}", x.dtype());
            Err(call.refuse(Fault::Dtype, "input", None, rule))
        }
    }
}

/// An axis counted from the front, of an array of so many axes; 0 and -1 are taken for one without axes.
pub(super) fn axis(call: &Call<'_>, dim: i64, ndim: usize) -> Result<usize> {
    let count = ndim.max(1) as i64;
    match dim {
        d if (0..count).contains(&d) => Ok(d as usize),
        d if (-count..0).contains(&d) => Ok((d + count) as usize),
        d => {
            let rule =
                format!("Dimension out of range (expected to be in range of [{}, {}])", -count, count - 1);
            Err(call.refuse(Fault::Index, "dim", Some(&Value::from(d)), rule))
        }
    }
}

/// Refuses a tensor without axes where one of its axes is cut or counted.
pub(super) fn has_axes(call: &Call<'_>, i: usize, x: &Array) -> Result<()> {
    match x.ndim() {
        0 => Err(runtime(call, call.name(i), "expected a tensor of at least one dimension, got one of none")),
        _ => Ok(()),
    }
}

/// The array in a dtype.
pub(super) fn cast(x: &Array, dtype: Option<Dtype>) -> Result<Array> {
    match dtype {
        Some(dtype) if dtype != x.dtype() => ivy_core::functional::astype(x, dtype),
        _ => Ok(x.clone()),
    }
}

/// The array in a shape.
pub(super) fn reshaped(x: &Array, shape: impl Into<Shape>) -> Result<Array> {
    ivy_core::functional::reshape(x, shape.into(), ())
}

/// An index expression that takes all of each axis but one.
pub(super) fn along(ndim: usize, axis: usize, index: Index) -> Vec<Index> {
    let mut all = vec![Index::Slice { start: None, stop: None, step: 1 }; ndim];
    all[axis] = index;
    all
}

/// A range of positions along an axis.
pub(super) fn range(start: usize, stop: usize, step: usize) -> Index {
    Index::Slice { start: Some(start as i64), stop: Some(stop as i64), step: step as i64 }
}

/// The elements from `start` to before `stop` along an axis.
pub(super) fn sliced(x: &Array, axis: usize, start: usize, stop: usize) -> Result<Array> {
    x.get(along(x.ndim(), axis, range(start, stop, 1)))
}

/// The integers below a number, on an array's backend.
pub(super) fn iota(call: &Call<'_>, count: usize) -> Result<Array> {
    compute!(call, "arange", [0, count as i64, 1], dtype = Dtype::INT64)
}
