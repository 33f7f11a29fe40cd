//! Tensors from host values, and of other dtypes.

use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Result, Scalar};
use ivy_frontend::specials::{Out, axis, wrong};
use ivy_frontend::{Call, Fault, Value, compute};

/// Whether a real number stands among host values.
fn has_floats(value: &Value<'_>) -> bool {
    match value {
        Value::Float(_) => true,
        other => other.items().is_some_and(|items| items.iter().any(has_floats)),
    }
}

/// Whether an integer that a dtype does not hold stands among host values.
fn is_beyond(value: &Value<'_>, dtype: Dtype) -> bool {
    match (value, dtype.int_range()) {
        (Value::Int(i), Some((least, most))) => !(least..=most).contains(i),
        (other, _) => other.items().is_some_and(|items| items.iter().any(|item| is_beyond(item, dtype))),
    }
}

/// A host value or tensor in a dtype: real numbers become no integers by themselves, and integers wrap that int64 holds.
fn made(call: &Call<'_>, value: &Value<'_>, dtype: Option<Dtype>) -> Result<Array> {
    if let Some(dtype) = dtype.filter(|d| d.is_int() || d.is_bool())
        && has_floats(value)
    {
        return Err(call.refuse(Fault::Type, "value", Some(value), format!("real numbers are no {dtype}")));
    }
    match dtype.filter(|dtype| dtype.bytes() < 8 && is_beyond(value, *dtype)) {
        Some(dtype) => f::astype(call.make_array(value, Some(Dtype::INT64))?, dtype),
        None => call.make_array(value, dtype),
    }
}

/// `constant(value, dtype, shape)`: one number fills the shape.
pub(crate) fn constant(call: &mut Call<'_>) -> Out {
    let array = made(call, call.value(0), call.dtype(1)?)?;
    Ok(match call.ints(2)? {
        None => array,
        Some(shape) if array.size() == 1 => {
            let flat = compute!(call, "reshape", [&array], shape = Vec::<i64>::new())?;
            compute!(call, "broadcast_to", [&flat], shape = shape)?
        }
        Some(shape) => compute!(call, "reshape", [&array], shape = shape)?,
    }
    .into())
}

/// `convert(value, dtype, dtype_hint)`: a tensor keeps its dtype, or is refused.
pub(crate) fn convert(call: &mut Call<'_>) -> Out {
    let (dtype, hint) = (call.dtype(1)?, call.dtype(2)?);
    if let Some(array) = call.value(0).as_array() {
        if let Some(dtype) = dtype.filter(|d| *d != array.dtype()) {
            let rule = format!("a tensor of {} is asked for as {dtype}", array.dtype());
            return Err(call.refuse(Fault::Value, "dtype", None, rule));
        }
        return Ok(array.clone().into());
    }
    let hinted = match (dtype, hint) {
        (None, Some(hint)) => made(call, call.value(0), Some(hint)).ok(),
        _ => None,
    };
    Ok(match hinted {
        Some(array) => array,
        None => made(call, call.value(0), dtype)?,
    }
    .into())
}

/// `saturate_cast(value, dtype)`: what is beyond the dtype's range becomes its end.
pub(crate) fn saturate_cast(call: &mut Call<'_>) -> Out {
    let (x, dtype) = (call.array(0)?, call.dtype(1)?.unwrap_or(Dtype::FLOAT32));
    let limits = match (x.dtype().int_range(), dtype.int_range()) {
        (Some((least, most)), Some((low, high))) => {
            Some((Scalar::Int(low.max(least)), Scalar::Int(high.min(most))))
        }
        // A float that becomes an integer saturates as it is.
        (None, Some(_)) => None,
        _ if dtype.is_float() && x.dtype().is_float() && dtype.bytes() < x.dtype().bytes() => {
            let info = ivy_core::finfo(dtype)?;
            Some((Scalar::Float(info.min), Scalar::Float(info.max)))
        }
        _ => None,
    };
    let x = match limits {
        Some((low, high)) => compute!(call, "clip", [&x], min = low, max = high)?,
        None => x,
    };
    Ok(compute!(call, "astype", [&x, dtype])?.into())
}

/// `range(start, limit, delta, dtype)`.
pub(crate) fn range(call: &mut Call<'_>) -> Out {
    let zero = Value::Int(0);
    let given = if call.value(1).is_none() { [&zero, call.value(0)] } else { [call.value(0), call.value(1)] };
    let given = [given[0], given[1], call.value(2)];
    let host = |value: &Value<'_>| match value {
        Value::Array(array) => array.to_scalar(),
        other => other
            .as_scalar()
            .ok_or_else(|| call.refuse(Fault::Type, "limit", Some(other), "a number is needed")),
    };
    let [start, limit, delta] = [host(given[0])?, host(given[1])?, host(given[2])?];
    // The greatest dtype among those that TensorFlow orders so.
    const ORDER: [Dtype; 6] =
        [Dtype::INT32, Dtype::INT64, Dtype::FLOAT16, Dtype::BFLOAT16, Dtype::FLOAT32, Dtype::FLOAT64];
    let rank = |value: &Value<'_>| -> Result<usize> {
        let dtype = call.make_array(value, None)?.dtype();
        ORDER
            .iter()
            .position(|d| *d == dtype)
            .ok_or_else(|| wrong(call, "start", format!("{dtype} has no range")))
    };
    let greatest = [rank(given[0])?, rank(given[1])?, rank(given[2])?].into_iter().max().unwrap_or(0);
    let dtype = call.dtype(3)?.unwrap_or(ORDER[greatest]);
    let step = delta.to_f64();
    if step == 0.0 || (limit.to_f64() - start.to_f64()) * step < 0.0 {
        return Err(wrong(call, "delta", "it leads from start to limit, and is not 0"));
    }
    Ok(compute!(call, "arange", [start, limit, delta], dtype = dtype)?.into())
}

/// `linspace(start, stop, num, axis)`: the numbers stand along a new axis; integers give float64.
pub(crate) fn linspace(call: &mut Call<'_>) -> Out {
    let num = call.int(2)?;
    let float = |i: usize| -> Result<Array> {
        let x = call.array(i)?;
        if x.dtype().is_int() { compute!(call, "astype", [&x, Dtype::FLOAT64]) } else { Ok(x) }
    };
    let (start, stop) = (float(0)?, float(1)?);
    let place = axis(call, call.int(3)?, start.ndim() + 1)? as i64;
    let (start, stop) = (
        compute!(call, "expand_dims", [&start], axis = place)?,
        compute!(call, "expand_dims", [&stop], axis = place)?,
    );
    let mut column = vec![1i64; start.ndim()];
    column[place as usize] = num.max(0);
    let turns = compute!(call, "arange", [0, num.max(0), 1], dtype = start.dtype())?;
    let part = compute!(call, "divide", [&turns, (num - 1).max(1) as f64])?;
    let part = compute!(call, "reshape", [&part], shape = column)?;
    Ok(compute!(call, "lerp", [&start, &stop, &part])?.into())
}

/// `set_seed(seed)`: that of the generator which calls without a seed draw from.
pub(crate) fn set_seed(call: &mut Call<'_>) -> Out {
    f::seed(call.int(0)? as u64);
    Ok(Value::None)
}

/// `stateless_seed(seed)`: one number for the two of a seed.
pub(crate) fn stateless_seed(call: &mut Call<'_>) -> Out {
    match call.ints(0)?.as_deref() {
        // The golden ratio's bits, so that neither number is lost in the other.
        Some(&[first, second]) => {
            let mixed = (first as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(second as u64);
            Ok(Value::from((mixed >> 1) as i64))
        }
        _ => Err(wrong(call, "seed", "a seed has two numbers")),
    }
}

/// `ensure_shape(x, shape)`: the tensor, or the error of one that does not fit; `None` fits any length.
pub(crate) fn ensure_shape(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let Some(wanted) = call.value(1).items() else { return Ok(x.into()) };
    let fits = |(&length, wanted): (&usize, &Value<'_>)| {
        wanted.is_none() || wanted.as_scalar().is_some_and(|s| s.to_i128() == length as i128)
    };
    if wanted.len() == x.ndim() && x.shape().iter().zip(wanted).all(fits) {
        return Ok(x.into());
    }
    let rule = format!("the tensor has shape {}", x.shape());
    Err(call.refuse(Fault::Value, "shape", Some(call.value(1)), rule))
}
