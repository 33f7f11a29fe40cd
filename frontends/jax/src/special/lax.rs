//! Functions of `jax.lax`, which ask for operands of one dtype and, but for host numbers, of one shape.

use super::support::{
    Out, array, axes, axis, core, cut, default_int, dtype, ints, is_weak, items, operand, product, shape,
    weakly,
};
use ivy_core::host::{Buffer, HostArray};
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::{Call, Fault, Value};

/// Arguments `i` and `j`, which have one dtype, and one shape where they are arrays. A host number has the default dtype
/// of its kind.
pub(crate) fn same(call: &Call<'_>, name: &str, i: usize, j: usize) -> Result<Vec<Value<'static>>> {
    let pair = [call.value(i), call.value(j)];
    one_dtype(call, name, &pair)?;
    if let (Some(a), Some(b)) = (pair[0].as_array(), pair[1].as_array()) {
        if a.shape() != b.shape() && a.ndim() > 0 && b.ndim() > 0 {
            let rule = format!("{name} got incompatible shapes: {}, {}", a.shape(), b.shape());
            return Err(call.refuse(Fault::Type, "", None, rule));
        }
        if a.ndim() != b.ndim() {
            let rule = format!("{name} got arrays of different rank: {}, {}", a.shape(), b.shape());
            return Err(call.refuse(Fault::Type, "", None, rule));
        }
    }
    Ok(pair.iter().map(|v| (*v).clone().into_owned()).collect())
}

/// Refuses values of several dtypes.
pub(crate) fn one_dtype(call: &Call<'_>, name: &str, values: &[&Value<'_>]) -> Result<()> {
    let dtypes = values.iter().map(|v| dtype(call, v)).collect::<Result<Vec<_>>>()?;
    if dtypes.windows(2).all(|pair| pair[0] == pair[1]) {
        return Ok(());
    }
    let listed: Vec<String> = dtypes.iter().map(ToString::to_string).collect();
    let rule = format!("{name} requires arguments to have the same dtypes, got {}", listed.join(", "));
    Err(call.refuse(Fault::Type, "", None, rule))
}

/// `same(name, x, y)`: the operands as a list.
pub(crate) fn same_operands(call: &mut Call<'_>) -> Out {
    let name = call.text(0)?.to_string();
    same(call, &name, 1, 2).map(Value::List)
}

/// `floating(x, name)`: floats and complex numbers as they are, all else is refused.
pub(crate) fn floating(call: &mut Call<'_>) -> Out {
    let x = call.value(0);
    let own = dtype(call, x)?;
    if own.is_float() || own.is_complex() {
        return Ok(x.clone().into_owned());
    }
    let rule =
        format!("{} does not accept dtype {own}. Accepted dtypes are subtypes of inexact", call.text(1)?);
    Err(call.refuse(Fault::Type, "x", Some(x), rule))
}

/// `bessel(name, x)`, weakly typed where the operand is.
pub(crate) fn bessel(call: &mut Call<'_>) -> Out {
    let weak = is_weak(call.value(1));
    Ok(weakly(ivy_frontend::specials::bessel(call)?, weak))
}

/// `error_function(name, x)`, weakly typed where the operand is.
pub(crate) fn error_function(call: &mut Call<'_>) -> Out {
    let weak = is_weak(call.value(1));
    Ok(weakly(ivy_frontend::specials::error_function(call)?, weak))
}

/// `incomplete_gamma(part, a, x)`, weakly typed where both operands are.
pub(crate) fn incomplete_gamma(call: &mut Call<'_>) -> Out {
    let weak = is_weak(call.value(1)) && is_weak(call.value(2));
    Ok(weakly(ivy_frontend::specials::incomplete_gamma(call)?, weak))
}

/// `integral(x, y)`: whether the operands are integers.
pub(crate) fn integral(call: &mut Call<'_>) -> Out {
    let whole = |v: &Value<'_>| dtype(call, v).map(|d| d.is_int());
    Ok(Value::Bool(whole(call.value(0))? && whole(call.value(1))?))
}

/// `round(x, rounding_method)`: halves away from zero for 0, to even for 1.
pub(crate) fn round_away(call: &mut Call<'_>) -> Out {
    let x = call.value(0);
    if !dtype(call, x)?.is_float() {
        return Err(call.refuse(Fault::Type, "x", Some(x), "round does not accept integers"));
    }
    match call.int(1)? {
        1 => core!(call, "round", x),
        0 => {
            // What is cut off decides: half a unit goes up.
            let whole = core!(call, "trunc", x)?;
            let rest = core!(call, "abs", &core!(call, "subtract", x, &whole)?)?;
            let up = core!(call, "add", &whole, &core!(call, "sign", x)?)?;
            let away = core!(call, "where", &core!(call, "greater_equal", &rest, 0.5)?, &up, &whole)?;
            core!(call, "copysign", &away, x)
        }
        _ => Err(call.refuse(Fault::Value, "rounding_method", Some(call.value(1)), "0 or 1 is needed")),
    }
}

/// `pow(x, y)`: floats by floats or integers.
pub(crate) fn lax_pow(call: &mut Call<'_>) -> Out {
    let (x, y) = (call.value(0), call.value(1));
    let own = dtype(call, x)?;
    if !own.is_float() && !own.is_complex() {
        let rule = format!("pow does not accept dtype {own} at position 0");
        return Err(call.refuse(Fault::Type, "x", Some(x), rule));
    }
    if !dtype(call, y)?.is_int() {
        one_dtype(call, "pow", &[x, y])?;
    }
    if let (Some(a), Some(b)) = (x.as_array(), y.as_array())
        && a.shape() != b.shape()
        && a.ndim() > 0
        && b.ndim() > 0
    {
        return Err(call.refuse(Fault::Type, "y", Some(y), "pow got incompatible shapes"));
    }
    core!(call, "pow", x, y)
}

/// `polygamma(m, x)`: `(-1)^(m + 1) m! zeta(m + 1, x)`, the digamma function where `m` is 0.
pub(crate) fn polygamma(call: &mut Call<'_>) -> Out {
    let pair = same(call, "polygamma", 0, 1)?;
    let (m, x) = (call.typed(&pair[0])?, call.typed(&pair[1])?);
    if !dtype(call, &x)?.is_float() {
        return Err(call.refuse(Fault::Type, "x", Some(&x), "polygamma does not accept integers"));
    }
    let next = core!(call, "add", &m, 1)?;
    let factorial = core!(call, "exp", &core!(call, "lgamma", &next)?)?;
    let sign = core!(call, "subtract", &core!(call, "multiply", &core!(call, "remainder", &m, 2)?, 2)?, 1)?;
    let size = core!(call, "multiply", &factorial, &core!(call, "zeta", &next, &x)?)?;
    let first = core!(call, "equal", &m, 0)?;
    core!(call, "where", &first, &core!(call, "digamma", &x)?, &core!(call, "multiply", &sign, &size)?)
}

/// `clamp(min, x, max)`
pub(crate) fn clamp(call: &mut Call<'_>) -> Out {
    one_dtype(call, "clamp", &[call.value(0), call.value(1), call.value(2)])?;
    let x = operand(call, 1)?;
    let lengths = shape(call, &x)?;
    let bound = |i: usize| {
        let own = shape(call, call.value(i))?;
        if !own.is_empty() && own != lengths {
            let rule = "bounds are scalars or of the shape of x";
            return Err(call.refuse(Fault::Type, "", Some(call.value(i)), rule));
        }
        operand(call, i)
    };
    core!(call, "minimum", &core!(call, "maximum", &x, &bound(0)?)?, &bound(2)?)
}

/// `select_n(which, cases)`: the predicate is without axes or of the cases' shape.
pub(crate) fn select_n(call: &mut Call<'_>) -> Out {
    let which = Value::from(call.array(0)?);
    let cases = items(call, 1, "cases")?.iter().map(|v| call.typed(v)).collect::<Result<Vec<_>>>()?;
    let Some(first) = cases.first() else {
        return Err(call.refuse(Fault::Value, "cases", None, "at least one case is needed"));
    };
    one_dtype(call, "select", &cases.iter().collect::<Vec<_>>())?;
    let own = shape(call, first)?;
    let alike = cases.iter().map(|c| shape(call, c)).collect::<Result<Vec<_>>>()?.iter().all(|c| *c == own);
    let lengths = shape(call, &which)?;
    let fits = lengths.is_empty() || lengths == own;
    if !alike || !fits {
        let rule = "cases of one shape, and a predicate without axes or of their shape, are needed";
        return Err(call.refuse(Fault::Type, "cases", None, rule));
    }
    let which =
        if dtype(call, &which)?.is_bool() { core!(call, "astype", &which, Dtype::INT32)? } else { which };
    let mut out = first.clone();
    for (i, case) in cases.iter().enumerate().skip(1) {
        out = core!(call, "where", &core!(call, "equal", &which, i)?, case, &out)?;
    }
    Ok(out)
}

/// `complex(x, y)`
pub(crate) fn complex(call: &mut Call<'_>) -> Out {
    let pair = same(call, "complex", 0, 1)?;
    let own = dtype(call, &pair[0])?;
    let to = match own {
        Dtype::FLOAT32 => Dtype::COMPLEX64,
        Dtype::FLOAT64 => Dtype::COMPLEX128,
        _ => return Err(call.refuse(Fault::Type, "x", Some(&pair[0]), "float32 or float64 is needed")),
    };
    let part = |v: &Value<'_>| core!(call, "astype", &array(call, v)?, to);
    let turned = core!(call, "multiply", &part(&pair[1])?, Value::Complex(num_complex::Complex64::I))?;
    core!(call, "add", &part(&pair[0])?, &turned)
}

/// `convert(operand, new_dtype)`: integers wrap, floats are cut and saturate.
pub(crate) fn convert(call: &mut Call<'_>) -> Out {
    let to = call.dtype(1)?.unwrap_or_else(default_int);
    core!(call, "astype", &call.array(0)?, to)
}

/// `bitcast(operand, new_dtype)`: the same bits as another dtype of the width.
pub(crate) fn bitcast(call: &mut Call<'_>) -> Out {
    let (x, to) = (call.array(0)?, call.dtype(1)?.unwrap_or_else(default_int));
    if x.dtype().bits() != to.bits()
        || x.dtype().is_complex()
        || to.is_complex()
        || to.is_bool()
        || x.dtype().is_bool()
    {
        let rule = format!("{} has other bits than {to}", x.dtype());
        return Err(call.refuse(Fault::Missing, "new_dtype", Some(call.value(1)), rule));
    }
    let host = ivy_core::functional::copy_array(&x)?.to_host()?;
    let buffer = host.view().contiguous_bytes().and_then(Buffer::copy_from);
    match buffer.and_then(|buffer| HostArray::new(buffer, to, host.shape().clone())) {
        Some(made) => Ok(Array::from_host(x.backend(), made)?.into()),
        None => {
            Err(call.refuse(Fault::Runtime, "operand", Some(&(&x).into()), "there is no memory for its bits"))
        }
    }
}

/// `reduce_precision(operand, exponent_bits, mantissa_bits)`: rounded to the float format with these bits.
pub(crate) fn reduce_precision(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    match (call.int(1)?, call.int(2)?) {
        (5, 10) => core!(call, "astype", &core!(call, "astype", &x, Dtype::FLOAT16)?, dtype(call, &x)?),
        (8, 7) => core!(call, "astype", &core!(call, "astype", &x, Dtype::BFLOAT16)?, dtype(call, &x)?),
        (8, 23) => core!(call, "astype", &core!(call, "astype", &x, Dtype::FLOAT32)?, dtype(call, &x)?),
        (11, 52) => Ok(x),
        _ => {
            let rule = "the formats of float16, bfloat16, float32 and float64 are there";
            Err(call.refuse(Fault::Missing, "exponent_bits", Some(call.value(1)), rule))
        }
    }
}

/// `broadcast_in_dim(operand, shape, broadcast_dimensions)`: the axes of the operand go to those named.
pub(crate) fn broadcast_in_dim(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    let (to, places) = (call.ints(1)?.unwrap_or_default(), axes(call, 2, shape_len(call, 1)?)?);
    let own = shape(call, &x)?;
    let wrong = || {
        call.refuse(
            Fault::Type,
            "broadcast_dimensions",
            Some(call.value(2)),
            "an axis for each of the operand's",
        )
    };
    if own.len() != places.len() || places.windows(2).any(|w| w[0] >= w[1]) {
        return Err(wrong());
    }
    let mut column = vec![1i64; to.len()];
    for (&place, &length) in places.iter().zip(&own) {
        column[place] = length;
    }
    core!(call, "broadcast_to", &core!(call, "reshape", &x, ints(column))?, ints(to))
}

fn shape_len(call: &Call<'_>, i: usize) -> Result<usize> {
    Ok(call.ints(i)?.unwrap_or_default().len())
}

/// `broadcast_to_rank(x, rank)`
pub(crate) fn broadcast_to_rank(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    let (own, rank) = (shape(call, &x)?, call.int(1)?);
    let missing = usize::try_from(rank).unwrap_or(0).saturating_sub(own.len());
    core!(call, "reshape", &x, ints([1i64].repeat(missing).into_iter().chain(own)))
}

/// `collapse(operand, start_dimension, stop_dimension)`
pub(crate) fn collapse(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    let own = shape(call, &x)?;
    let bound = |i: usize, default: usize| -> Result<usize> {
        if call.value(i).is_none() {
            return Ok(default);
        }
        let given = call.int(i)?;
        let counted = if given < 0 { given + own.len() as i64 } else { given };
        let fits = usize::try_from(counted).ok().filter(|&d| d <= own.len());
        fits.ok_or_else(|| call.refuse(Fault::Value, "dimension", Some(call.value(i)), "is out of range"))
    };
    let (start, stop) = (bound(1, 0)?, bound(2, own.len())?);
    if stop < start {
        return Err(call.refuse(Fault::Value, "stop_dimension", Some(call.value(2)), "is before the start"));
    }
    let joined = [product(&own[start..stop])];
    core!(call, "reshape", &x, ints(own[..start].iter().chain(&joined).chain(&own[stop..]).copied()))
}

/// `concatenate(operands, dimension)`
pub(crate) fn concatenate_alike(call: &mut Call<'_>) -> Out {
    let given = items(call, 0, "operands")?;
    let parts = given.iter().map(|v| call.typed(v)).collect::<Result<Vec<_>>>()?;
    one_dtype(call, "concatenate", &parts.iter().collect::<Vec<_>>())?;
    core!(call, "concat", parts; axis: call.int(1)?)
}

/// `pad(operand, padding_value, ((low, high, interior), ...))`: negative amounts cut off.
pub(crate) fn pad_within(call: &mut Call<'_>) -> Out {
    let mut x = operand(call, 0)?;
    one_dtype(call, "pad", &[call.value(0), call.value(1)])?;
    let value = operand(call, 1)?;
    let config = items(call, 2, "padding_config")?;
    let ndim = shape(call, &x)?.len();
    if config.len() != ndim {
        let rule = "a triple for each axis is needed";
        return Err(call.refuse(Fault::Type, "padding_config", Some(call.value(2)), rule));
    }
    for (along, entry) in config.iter().enumerate() {
        let numbers = entry.items().unwrap_or_default().iter().filter_map(Value::as_scalar);
        let numbers: Vec<i64> = numbers.map(|s| s.to_i128() as i64).collect();
        let [low, high, interior] = numbers[..] else {
            return Err(call.refuse(Fault::Type, "padding_config", Some(entry), "a triple is needed"));
        };
        x = padded(call, x, along, [low, high, interior], &value)?;
    }
    Ok(x)
}

fn padded(call: &Call<'_>, x: Value<'static>, along: usize, by: [i64; 3], value: &Value<'_>) -> Out {
    let [low, high, interior] = by;
    let block = |x: &Value<'_>, along: usize, length: i64| {
        let mut lengths = shape(call, x)?;
        lengths[along] = length;
        core!(call, "broadcast_to", value, ints(lengths))
    };
    let mut x = x;
    let length = shape(call, &x)?[along];
    if interior > 0 && length > 1 {
        let column = core!(call, "expand_dims", &x, along + 1)?;
        let between = block(&column, along + 1, interior)?;
        let joined = core!(call, "concat", vec![column, between]; axis: along + 1)?;
        let mut lengths = shape(call, &x)?;
        lengths[along] = length * (interior + 1);
        let flat = core!(call, "reshape", &joined, ints(lengths))?;
        x = cut(call, &flat, along, 0, (length - 1) * (interior + 1) + 1)?;
    }
    let length = shape(call, &x)?[along];
    x = cut(call, &x, along, (-low).max(0), length + high.min(0))?;
    let mut parts = vec![x];
    if low > 0 {
        let before = block(&parts[0], along, low)?;
        parts.insert(0, before);
    }
    if high > 0 {
        let after = block(&parts[0], along, high)?;
        parts.push(after);
    }
    if parts.len() == 1 { Ok(parts.remove(0)) } else { core!(call, "concat", parts; axis: along) }
}

/// `split(operand, sizes, axis)`
pub(crate) fn split_sizes(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    let lengths = shape(call, &x)?;
    let (sizes, along) = (call.ints(1)?.unwrap_or_default(), axis(call, call.int(2)?, lengths.len())?);
    if sizes.iter().sum::<i64>() != lengths[along] || sizes.iter().any(|&s| s < 0) {
        let rule = format!("sizes must sum to the length {}", lengths[along]);
        return Err(call.refuse(Fault::Value, "sizes", Some(call.value(1)), rule));
    }
    let mut start = 0;
    let part = |size: i64| {
        start += size;
        cut(call, &x, along, start - size, start)
    };
    sizes.into_iter().map(part).collect::<Result<_>>().map(Value::List)
}

/// `reduce_bits(name, operand, axes)`: and, or, xor of all elements along axes, by halves.
pub(crate) fn reduce_bits(call: &mut Call<'_>) -> Out {
    let name = call.text(0)?.to_string();
    let mut x = Value::from(call.array(1)?);
    let own = dtype(call, &x)?;
    if !own.is_int() && !own.is_bool() {
        return Err(call.refuse(Fault::Type, "operand", Some(&x), "integers or truth values are needed"));
    }
    let along = axes(call, 2, shape(call, &x)?.len())?;
    let join = |a: &Value<'_>, b: &Value<'_>| match name.as_str() {
        "and" => core!(call, "bitwise_and", a, b),
        "or" => core!(call, "bitwise_or", a, b),
        _ => core!(call, "bitwise_xor", a, b),
    };
    for &along in &along {
        loop {
            let length = shape(call, &x)?[along];
            match length {
                0 => {
                    let neutral = if name == "and" {
                        core!(call, "bitwise_invert", &core!(call, "zeros", ints([1i64]); dtype: own)?)?
                    } else {
                        core!(call, "zeros", ints([1i64]); dtype: own)?
                    };
                    let mut lengths = shape(call, &x)?;
                    lengths[along] = 1;
                    x = core!(call, "broadcast_to", &neutral, ints(lengths))?;
                }
                1 => break,
                _ => {
                    let half = length / 2;
                    let both = join(&cut(call, &x, along, 0, half)?, &cut(call, &x, along, half, 2 * half)?)?;
                    x = if length % 2 == 0 {
                        both
                    } else {
                        core!(call, "concat", vec![both, cut(call, &x, along, 2 * half, length)?]; axis: along)?
                    };
                }
            }
        }
    }
    core!(call, "squeeze", &x, ints(along))
}

/// `cumlogsumexp(operand, axis, reverse)`
pub(crate) fn cumlogsumexp(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    if !x.dtype().is_float() {
        return Err(call.refuse(Fault::Type, "operand", Some(&(&x).into()), "floats are needed"));
    }
    let along = axis(call, call.int(1)?, x.ndim())?;
    if !call.flag(2)? {
        return core!(call, "logcumsumexp", &x, along);
    }
    let turned = core!(call, "flip", &x; axis: along)?;
    core!(call, "flip", &core!(call, "logcumsumexp", &turned, along)?; axis: along)
}
