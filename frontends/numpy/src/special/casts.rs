//! Casts, and dtypes from names.

use super::help::{Out, floats, operand, type_error, value_error};
use ivy_core::functional as f;
use ivy_core::plan::OperandSpec;
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::{Call, Fault, Value};

const RULES: [&str; 5] = ["no", "equiv", "safe", "same_kind", "unsafe"];

/// Whether a rule allows a cast.
fn casts(call: &Call<'_>, from: Dtype, to: Dtype, rule: &str) -> Result<bool> {
    if !RULES.contains(&rule) {
        return Err(value_error(call, "casting", format!("casting must be one of {}", RULES.join(", "))));
    }
    call.frontend().version().rules.can_cast(from, to, Some(rule))
}

/// The array in another dtype, as NumPy's casts without bounds: of a complex number the real part.
pub(super) fn unsafely(x: &Array, dtype: Dtype) -> Result<Array> {
    if x.dtype() == dtype {
        return Ok(x.clone());
    }
    if x.dtype().is_complex() && !dtype.is_complex() && !dtype.is_bool() {
        return f::astype(f::real(x), dtype);
    }
    f::astype(x, dtype)
}

/// The array in another dtype, if a rule allows the cast.
pub(super) fn by_rule(call: &Call<'_>, x: &Array, dtype: Dtype, rule: &str) -> Result<Array> {
    if !casts(call, x.dtype(), dtype, rule)? {
        let told =
            format!("Cannot cast array data from {} to {dtype} according to the rule '{rule}'", x.dtype());
        return Err(call.refuse(Fault::Casting, "casting", None, told));
    }
    unsafely(x, dtype)
}

/// An array, a dtype and the rule of a cast.
pub fn cast(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let dtype = call.dtype(1)?.unwrap_or(Dtype::FLOAT64);
    Ok(by_rule(call, &x, dtype, call.text(2)?)?.into())
}

/// Several arrays, each in a dtype if one is given, or in the one that they promote to; and whether along one axis.
pub fn cast_each(call: &mut Call<'_>) -> Out {
    let values: Vec<Array> = match call.value(0) {
        // The entries along the first axis.
        Value::Array(x) => f::unstack(x.as_ref(), ())?,
        _ => call.arrays(0)?,
    };
    let first = values
        .first()
        .ok_or_else(|| value_error(call, "arrays", "need at least one array to concatenate"))?;
    let dtype = match call.dtype(1)? {
        Some(dtype) => dtype,
        None => values[1..].iter().try_fold(first.dtype(), |dtype, x| f::result_type([dtype, x.dtype()]))?,
    };
    let rule = call.text(2)?;
    let flattens = call.flag(3)?;
    let form = |x: Array| if flattens { f::reshape(&x, -1, ()) } else { Ok(x) };
    let all = values.iter().map(|x| form(by_rule(call, x, dtype, rule)?).map(Value::from));
    Ok(Value::List(all.collect::<Result<_>>()?))
}

/// Arrays, and the array that they are joined in, whose dtype they get by a rule: `arrays dtype casting flattens out`.
pub fn cast_into(call: &mut Call<'_>) -> Out {
    if call.value(4).is_none() {
        return cast_each(call);
    }
    if !call.value(1).is_none() {
        let rule = "only takes `out` or `dtype` as an argument, but both were provided.";
        return Err(type_error(call, "dtype", rule));
    }
    call.positional[1] = Value::Dtype(call.array(4)?.dtype());
    cast_each(call)
}

/// The array for a function of floats: integers and truth values become float64.
pub fn inexact(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    if x.dtype() == Dtype::FLOAT16 {
        return Err(type_error(call, "a", "array type float16 is unsupported in linalg"));
    }
    Ok(floats(x)?.into())
}

/// The array in double precision, in which NumPy computes its linear algebra: of two axes at least.
pub fn matrices(call: &mut Call<'_>) -> Out {
    let x = in_double(&floats(call.array(0)?)?)?;
    if call.array(0)?.dtype() == Dtype::FLOAT16 {
        return Err(type_error(call, "a", "array type float16 is unsupported in linalg"));
    }
    if x.ndim() < 2 {
        let rule = format!("{}-dimensional array given. Array must be at least two-dimensional", x.ndim());
        return Err(call.refuse(Fault::Matrix, "a", None, rule));
    }
    Ok(x.into())
}

/// Likewise, of square matrices.
pub fn squares(call: &mut Call<'_>) -> Out {
    let x = matrices(call)?;
    match x.as_array().map(|x| x.shape().as_ref().to_vec()).as_deref() {
        Some([.., rows, columns]) if rows != columns => {
            Err(call.refuse(Fault::Matrix, "a", None, "Last 2 dimensions of the array must be square"))
        }
        _ => Ok(x),
    }
}

/// The dtype of double precision for one of single.
pub(super) fn in_double_of(dtype: Dtype) -> Dtype {
    match dtype {
        Dtype::FLOAT32 => Dtype::FLOAT64,
        Dtype::COMPLEX64 => Dtype::COMPLEX128,
        other => other,
    }
}

/// An array in double precision, if it is of single.
pub(super) fn in_double(x: &Array) -> Result<Array> {
    f::astype(x, in_double_of(x.dtype()))
}

/// A result of double precision in the precision of the arrays that it is of: single, where all of these are.
pub(super) fn rounded(x: &Array, single: bool) -> Result<Array> {
    match x.dtype() {
        Dtype::FLOAT64 if single => f::astype(x, Dtype::FLOAT32),
        Dtype::COMPLEX128 if single => f::astype(x, Dtype::COMPLEX64),
        _ => Ok(x.clone()),
    }
}

/// Likewise, for each of several results.
pub(super) fn all_rounded(value: Value<'static>, single: bool) -> Out {
    Ok(match value {
        Value::Array(x) => rounded(&x, single)?.into(),
        Value::Tuple(all) => {
            Value::Tuple(all.into_iter().map(|x| all_rounded(x, single)).collect::<Result<_>>()?)
        }
        other => other,
    })
}

/// Results, and the arrays that they are of, as [`all_rounded`] takes them.
pub fn as_given(call: &mut Call<'_>) -> Out {
    let single = |x: &Value<'_>| x.as_array().is_some_and(|x| in_double_of(x.dtype()) != x.dtype());
    let all = call.positional[1..].iter().all(single);
    all_rounded(call.value(0).clone().into_owned(), all)
}

/// A result in the dtype of the array that it is written to, if there is one: reductions cast to it whatever it is.
pub fn in_dtype_of(call: &mut Call<'_>) -> Out {
    let target = match call.value(1) {
        Value::Tuple(only) if only.len() == 1 => &only[0],
        target => target,
    };
    match target.as_array() {
        Some(target) => {
            let result = call.array(0)?;
            if result.shape() != target.shape() {
                let rule = format!("the result has shape {}, the target {}", result.shape(), target.shape());
                return Err(call.refuse(Fault::Runtime, "out", None, rule));
            }
            Ok(unsafely(&result, target.dtype())?.into())
        }
        None => Ok(call.value(0).clone().into_owned()),
    }
}

/// Whether each element is not 0.
pub fn truths(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    Ok(if x.dtype().is_bool() { x } else { f::not_equal(x, 0)? }.into())
}

/// The dtype of a name, a dtype, or an array.
pub fn as_dtype(call: &mut Call<'_>) -> Out {
    match call.value(0) {
        Value::Array(x) => Ok(x.dtype().into()),
        _ => Ok(call.dtype(0)?.unwrap_or(Dtype::FLOAT64).into()),
    }
}

/// Whether a cast is allowed by a rule.
pub fn can_cast(call: &mut Call<'_>) -> Out {
    let to = call.dtype(1)?.unwrap_or(Dtype::FLOAT64);
    let rules = call.frontend().version().rules;
    let from = match call.value(0) {
        // Before version 2 a value is of the least dtype that holds it.
        Value::Array(_) | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Complex(_)
            if rules.count_values() =>
        {
            match operand(call, 0)?.spec(&ivy_core::Defaults::of(rules)) {
                OperandSpec::Valued { signed, .. } if to.is_int() && !to.is_uint() => signed,
                OperandSpec::Valued { least, .. } => least,
                spec => spec.dtype().unwrap_or(Dtype::FLOAT64),
            }
        }
        Value::Array(x) => x.dtype(),
        number if number.as_scalar().is_some() => {
            let rule = "can_cast() does not support Python ints, floats, and complex because the result used to depend on the value.";
            return Err(type_error(call, "from_", rule));
        }
        _ => call.dtype(0)?.unwrap_or(Dtype::FLOAT64),
    };
    Ok(casts(call, from, to, call.text(2)?)?.into())
}
