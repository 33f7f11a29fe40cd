//! Properties and methods of arrays.

use super::bits::swapped;
use super::casts::unsafely;
use super::creation::zeros;
use super::help::{Out, flat, lengths, shape_of, type_error, value_error};
use ivy_core::functional as f;
use ivy_core::functional::Concat;
use ivy_core::{Array, Scalar};
use ivy_frontend::{Call, Fault, Value, error_of_index, indices};

/// How many bytes an element takes: a truth value one.
fn width(x: &Array) -> usize {
    x.dtype().bytes()
}

/// The bytes of an element.
pub fn itemsize(call: &mut Call<'_>) -> Out {
    Ok(width(&call.array(0)?).into())
}

/// The bytes from one element to the next along each axis, as the elements would lie in memory in their order.
pub fn strides(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let mut step = width(&x);
    let mut all: Vec<Value<'static>> = Vec::with_capacity(x.ndim());
    for &d in x.shape().iter().rev() {
        all.push(step.into());
        step *= d;
    }
    all.reverse();
    Ok(Value::Tuple(all))
}

/// The name of the device, as NumPy has it.
pub fn device_name(_: &mut Call<'_>) -> Out {
    Ok("cpu".into())
}

/// An array and a device, which is the processor.
pub fn to_device(call: &mut Call<'_>) -> Out {
    match call.value(1).as_text() {
        Some("cpu") => Ok(call.array(0)?.into()),
        _ => Err(value_error(call, "device", "Unsupported device. Only 'cpu' is accepted.")),
    }
}

/// The arguments of a method that takes numbers or one tuple of them.
pub fn spread(call: &mut Call<'_>) -> Out {
    let items = call.value(0).items().unwrap_or_default();
    Ok(match items {
        [only] if only.items().is_some() => only.borrowed().into_owned(),
        [Value::None] => Value::Tuple(Vec::new()),
        _ => call.value(0).borrowed().into_owned(),
    })
}

/// The elements in a new shape, with zeros after them.
pub fn resize_zeros(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let shape = shape_of(call, &call.ints(1)?.unwrap_or_default())?;
    let size = shape.checked_size("resize", x.dtype())?;
    let mut elements = flat(&x)?;
    if size > x.size() {
        let rest = zeros(&[size - x.size()].into(), x.dtype())?;
        elements = f::concat([elements, rest], Concat::new().axis(0))?;
    } else {
        elements = super::help::cut(&elements, 0, None, Some(size as i64))?;
    }
    Ok(f::reshape(elements, lengths(&shape), ())?.into())
}

/// An array, and the place of an element: a number, as many as there are axes, or nothing.
pub fn item(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let given = call.value(1).items().unwrap_or_default();
    let given = match given {
        [only] => only.items().unwrap_or(given),
        _ => given,
    };
    let one = call.inner(&["args"], vec![Value::List(given.to_vec())]);
    let places = one.ints(0)?.unwrap_or_default();
    let out = |at: i64, length: usize| {
        let rule = format!("index {at} is out of bounds for size {length}");
        call.refuse(Fault::Index, "args", Some(&Value::from(at)), rule)
    };
    let placed = |at: i64, length: usize| {
        let place = if at < 0 { at + length as i64 } else { at };
        usize::try_from(place).ok().filter(|&p| p < length).ok_or_else(|| out(at, length))
    };
    let position = match places[..] {
        [] if x.size() == 1 => 0,
        [] => {
            return Err(value_error(call, "args", "can only convert an array of size 1 to a Python scalar"));
        }
        [at] => placed(at, x.size())?,
        _ if places.len() == x.ndim() => {
            let mut position = 0;
            for (&at, &length) in places.iter().zip(x.shape().iter()) {
                position = position * length + placed(at, length)?;
            }
            position
        }
        _ => return Err(value_error(call, "args", "incorrect number of indices for array")),
    };
    let element = super::help::at(&flat(&x)?, 0, position as i64)?;
    Ok(element.to_scalar()?.into())
}

/// The elements as nested lists of numbers of the host.
pub fn tolist(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let host = f::copy_array(&x)?.to_host()?;
    let elements =
        (0..x.size()).map(|i| host.scalar_at(i).map(Value::from)).collect::<ivy_core::Result<Vec<_>>>()?;
    Ok(nested(&mut elements.into_iter(), x.shape()))
}

fn nested(elements: &mut impl Iterator<Item = Value<'static>>, shape: &[usize]) -> Value<'static> {
    match shape.split_first() {
        None => elements.next().unwrap_or(Value::None),
        Some((&length, rest)) => Value::List((0..length).map(|_| nested(elements, rest)).collect()),
    }
}

/// The same bytes as elements of another dtype.
pub fn view(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let Some(dtype) = call.dtype(1)? else { return Ok(x.into()) };
    let is_spaced =
        |view: &ivy_frontend::View| view.strides().last() != Some(&1) && view.shape().last() != Some(&1);
    if dtype.bytes() != x.dtype().bytes() && ivy_frontend::views::tracked_view(&x).is_some_and(is_spaced) {
        let rule = "To change to a dtype of a different size, the last axis must be contiguous";
        return Err(value_error(call, "dtype", rule));
    }
    match ivy_frontend::views::reinterpreted(&x, dtype)? {
        Some(found) => Ok(found.into()),
        None => {
            let rule = "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis of the array.";
            Err(value_error(call, "dtype", rule))
        }
    }
}

/// The elements with their bytes in turned order.
pub fn byteswap(call: &mut Call<'_>) -> Out {
    Ok(swapped(&call.array(0)?)?.into())
}

/// An array of one element as a number of the host: `int`, `float`, `complex` or `index`.
pub fn to_number(call: &mut Call<'_>) -> Out {
    let (x, kind) = (call.array(0)?, call.text(1)?);
    if x.size() != 1 || x.ndim() > 0 {
        return Err(type_error(call, "self", "only 0-dimensional arrays can be converted to Python scalars"));
    }
    let scalar = x.to_scalar()?;
    match (kind, scalar) {
        ("complex", scalar) => Ok(Value::Complex(scalar.to_complex())),
        (_, Scalar::Complex(_)) => {
            Err(type_error(call, "self", format!("{kind}() of a complex number is not defined")))
        }
        ("index", scalar @ Scalar::Int(_)) => Ok(scalar.into()),
        ("index", _) => {
            Err(type_error(call, "self", "only integer scalar arrays can be converted to a scalar index"))
        }
        ("int", scalar) => Ok(Value::Int(scalar.to_i128())),
        (_, scalar) => Ok(Value::Float(scalar.to_f64())),
    }
}

/// An array and an index expression.
pub fn getitem(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let places = indices(call.entry, call.value(1))?;
    Ok(x.get(places).map_err(|error| error_of_index(call.entry, error))?.into())
}

/// An array, an index expression, and what is written there, in the array's dtype.
pub fn setitem(call: &mut Call<'_>) -> Out {
    let mut x = call.array(0)?;
    let places = indices(call.entry, call.value(1))?;
    let value = match call.value(2) {
        // A whole number has to fit.
        number @ Value::Int(_) => call.make_array(number, Some(x.dtype()))?,
        Value::Complex(_) if !x.dtype().is_complex() => {
            return Err(type_error(call, "value", "a complex number is not written to real ones"));
        }
        value => unsafely(&call.to_array(value)?, x.dtype())?,
    };
    // Axes of length 1 that the place does not have are dropped, but of one element.
    let wanted = x.get(&places).map_err(|error| error_of_index(call.entry, error))?.ndim();
    let mut value = value;
    if wanted == 0 && value.ndim() > 0 {
        return Err(value_error(call, "value", "setting an array element with a sequence."));
    }
    while value.ndim() > wanted && value.shape()[0] == 1 {
        value = f::squeeze(&value, 0)?;
    }
    x.set(&places, value)?;
    Ok(x.into())
}
