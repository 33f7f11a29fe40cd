//! Functions of the core that take or give more than arrays and parameters: conversions and questions about dtypes.

use crate::arrays::{array, integers, is_weak, typed_like};
use crate::{ArrayLikes, Entry, Fault, Value, dtypes, refuse};
use ivy_core::functional::{DtypeArg, broadcast_shapes, can_cast, isdtype, result_type, stop_gradient};
use ivy_core::host::HostArray;
use ivy_core::{Dtype, Result, Scalar, Shape, finfo, iinfo};
use num_complex::Complex64;

/// A function of the core that has no description.
pub(crate) type HostFunction =
    fn(&'static Entry, &[Value<'_>], &[(&str, Value<'_>)]) -> Result<Value<'static>>;

/// The function of a name.
pub(crate) fn find_host(name: &str) -> Option<HostFunction> {
    Some(match name {
        "asarray" | "native_array" => as_array,
        "astype" => as_type,
        "can_cast" => casts,
        "finfo" => float_info,
        "iinfo" => int_info,
        "isdtype" => is_dtype,
        "result_type" => common_dtype,
        "broadcast_shapes" => common_shape,
        "from_dlpack" => as_array,
        "stop_gradient" => constant,
        "to_list" => nested,
        _ => return None,
    })
}

fn given<'a, 'v>(
    positional: &'a [Value<'v>],
    named: &'a [(&str, Value<'v>)],
    place: usize,
    name: &str,
) -> &'a Value<'v> {
    let by_name = named.iter().find(|(known, _)| *known == name).map(|(_, value)| value);
    positional.get(place).or(by_name).unwrap_or(&Value::None)
}

fn as_array(entry: &'static Entry, p: &[Value<'_>], n: &[(&str, Value<'_>)]) -> Result<Value<'static>> {
    let dtype = given(p, n, 1, "dtype");
    let dtype = if dtype.is_none() { None } else { Some(dtypes::dtype_of(entry, "dtype", dtype)?) };
    Ok(array(entry, "obj", given(p, n, 0, "obj"), dtype, ArrayLikes::All)?.into())
}

fn constant(entry: &'static Entry, p: &[Value<'_>], n: &[(&str, Value<'_>)]) -> Result<Value<'static>> {
    let given = given(p, n, 0, "x");
    let x = array(entry, "x", given, None, entry.frontend.array_likes())?;
    Ok(typed_like(stop_gradient(&x)?, is_weak(entry.frontend, given)))
}

fn nested(entry: &'static Entry, p: &[Value<'_>], n: &[(&str, Value<'_>)]) -> Result<Value<'static>> {
    /// The elements from place `at` on, along the axes that are left.
    fn level(host: &HostArray, axes: &[usize], at: &mut usize) -> Result<Value<'static>> {
        let Some((&length, inner)) = axes.split_first() else {
            let element = host.scalar_at(*at)?;
            *at += 1;
            return Ok(element.into());
        };
        let entries = (0..length).map(|_| level(host, inner, at));
        Ok(Value::List(entries.collect::<Result<_>>()?))
    }
    let host = array(entry, "x", given(p, n, 0, "x"), None, entry.frontend.array_likes())?.to_host()?;
    level(&host, host.shape(), &mut 0)
}

fn as_type(entry: &'static Entry, p: &[Value<'_>], n: &[(&str, Value<'_>)]) -> Result<Value<'static>> {
    let dtype = dtypes::dtype_of(entry, "dtype", given(p, n, 1, "dtype"))?;
    Ok(array(entry, "x", given(p, n, 0, "x"), Some(dtype), entry.frontend.array_likes())?.into())
}

fn casts(entry: &'static Entry, p: &[Value<'_>], n: &[(&str, Value<'_>)]) -> Result<Value<'static>> {
    let from = dtypes::dtype_of(entry, "from_", given(p, n, 0, "from_"))?;
    let to = dtypes::dtype_of(entry, "to", given(p, n, 1, "to"))?;
    Ok(can_cast(from, to)?.into())
}

fn float_info(entry: &'static Entry, p: &[Value<'_>], n: &[(&str, Value<'_>)]) -> Result<Value<'static>> {
    let info = finfo(dtypes::dtype_of(entry, "type", given(p, n, 0, "type"))?)?;
    let fields = [
        ("bits", Value::from(info.bits)),
        ("eps", info.eps.into()),
        ("max", info.max.into()),
        ("min", info.min.into()),
        ("smallest_normal", info.smallest_normal.into()),
        ("tiny", info.smallest_normal.into()),
        ("dtype", info.dtype.into()),
    ];
    Ok(Value::Dict(fields.map(|(name, value)| (name.into(), value)).into()))
}

fn int_info(entry: &'static Entry, p: &[Value<'_>], n: &[(&str, Value<'_>)]) -> Result<Value<'static>> {
    let info = iinfo(dtypes::dtype_of(entry, "type", given(p, n, 0, "type"))?)?;
    let fields = [
        ("bits", Value::from(info.bits)),
        ("max", info.max.into()),
        ("min", info.min.into()),
        ("dtype", info.dtype.into()),
    ];
    Ok(Value::Dict(fields.map(|(name, value)| (name.into(), value)).into()))
}

fn is_dtype(entry: &'static Entry, p: &[Value<'_>], n: &[(&str, Value<'_>)]) -> Result<Value<'static>> {
    fn is(entry: &'static Entry, dtype: Dtype, kind: &Value<'_>) -> Result<bool> {
        match kind {
            Value::Text(kind) => isdtype(dtype, kind.as_ref()),
            Value::Tuple(kinds) => {
                kinds.iter().try_fold(false, |found, kind| Ok(is(entry, dtype, kind)? || found))
            }
            other => Ok(dtypes::dtype_of(entry, "kind", other)? == dtype),
        }
    }
    let dtype = dtypes::dtype_of(entry, "dtype", given(p, n, 0, "dtype"))?;
    Ok(is(entry, dtype, given(p, n, 1, "kind"))?.into())
}

fn common_dtype(entry: &'static Entry, p: &[Value<'_>], _: &[(&str, Value<'_>)]) -> Result<Value<'static>> {
    let items = match p {
        [only] => only.items().unwrap_or(p),
        _ => p,
    };
    let leaf = |value: &Value<'_>| match (value, value.as_scalar()) {
        (_, Some(scalar)) => Ok(DtypeArg::Scalar(scalar)),
        (Value::Array(array), _) => Ok(array.as_ref().into()),
        // What is weakly typed counts as a host number of its kind.
        (Value::Weak(array), _) => Ok(match array.dtype() {
            dtype if dtype.is_complex() => DtypeArg::Scalar(Scalar::Complex(Complex64::new(0.0, 0.0))),
            dtype if dtype.is_float() => DtypeArg::Scalar(Scalar::Float(0.0)),
            dtype if dtype.is_int() => DtypeArg::Scalar(Scalar::Int(0)),
            dtype => DtypeArg::Dtype(dtype),
        }),
        _ => dtypes::dtype_of(entry, "arrays_and_dtypes", value).map(DtypeArg::Dtype),
    };
    let leaves = items.iter().map(leaf).collect::<Result<Vec<_>>>()?;
    Ok(result_type(leaves)?.into())
}

fn common_shape(entry: &'static Entry, p: &[Value<'_>], _: &[(&str, Value<'_>)]) -> Result<Value<'static>> {
    let shapes = match p {
        [Value::Tuple(only) | Value::List(only)] if only.iter().all(|v| v.items().is_some()) => only,
        _ => p,
    };
    let shape = |value: &Value<'_>| {
        let lengths = integers(value)?.and_then(|list| {
            list.into_iter().map(|d| usize::try_from(d).ok()).collect::<Option<Vec<usize>>>()
        });
        lengths.map(Shape::from).ok_or_else(|| {
            refuse(
                entry,
                Fault::Type,
                "shapes",
                Some(value),
                "a shape is needed: lengths, none of them negative",
            )
        })
    };
    let shapes = shapes.iter().map(shape).collect::<Result<Vec<_>>>()?;
    Ok(Value::from(&broadcast_shapes(&shapes)?))
}
