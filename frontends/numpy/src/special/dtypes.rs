//! Questions about dtypes.

use super::help::{Out, type_error, value_error};
use ivy_core::functional as f;
use ivy_core::{Dtype, Result, Scalar};
use ivy_frontend::{Call, Keywords, Value};

/// The dtype of a value that is one, or names one.
fn dtype_of(call: &Call<'_>, value: &Value<'_>) -> Result<Dtype> {
    Ok(call.to_dtype(value)?.unwrap_or(Dtype::FLOAT64))
}

/// The dtype that arrays, dtypes and host numbers promote to.
pub fn result_type(call: &mut Call<'_>) -> Out {
    let items = call.value(0).items().unwrap_or_default();
    if items.is_empty() {
        return Err(value_error(call, "arrays_and_dtypes", "at least one array or dtype is required"));
    }
    let operand = |value: &Value<'_>| match value {
        Value::Text(_) | Value::Dtype(_) => dtype_of(call, value).map(Value::from),
        Value::Tuple(_) | Value::List(_) => call.to_array(value).map(Value::from),
        other => Ok(other.borrowed().into_owned()),
    };
    let operands = items.iter().map(operand).collect::<Result<Vec<_>>>()?;
    call.core("result_type", &operands, Keywords::new())
}

/// The dtype that holds a number in the fewest bits; of an array its own.
pub fn min_scalar_type(call: &mut Call<'_>) -> Out {
    let scalar = match call.value(0) {
        Value::Array(x) if x.ndim() > 0 => return Ok(x.dtype().into()),
        Value::Array(x) => x.to_scalar()?,
        other => match other.as_scalar() {
            Some(scalar) => scalar,
            None => return Ok(call.array(0)?.dtype().into()),
        },
    };
    let fits = |x: f64, most: f64| !x.is_finite() || x.abs() <= most;
    Ok(match scalar {
        Scalar::Bool(_) => Dtype::BOOL,
        Scalar::Int(i) => {
            let unsigned = [Dtype::UINT8, Dtype::UINT16, Dtype::UINT32, Dtype::UINT64];
            let signed = [Dtype::INT8, Dtype::INT16, Dtype::INT32, Dtype::INT64];
            let holds = |d: &Dtype| d.int_range().is_some_and(|(low, high)| (low..=high).contains(&i));
            let found = if i < 0 { signed.into_iter().find(holds) } else { unsigned.into_iter().find(holds) };
            found.ok_or_else(|| value_error(call, "a", "no dtype holds the number"))?
        }
        Scalar::Float(x) if fits(x, 65000.0) => Dtype::FLOAT16,
        Scalar::Float(x) if fits(x, 3.4e38) => Dtype::FLOAT32,
        Scalar::Float(_) => Dtype::FLOAT64,
        Scalar::Complex(z) if fits(z.re, 3.4e38) && fits(z.im, 3.4e38) => Dtype::COMPLEX64,
        Scalar::Complex(_) => Dtype::COMPLEX128,
    }
    .into())
}

/// The float dtype that arrays share.
pub fn common_type(call: &mut Call<'_>) -> Out {
    let arrays = call.arrays(0)?;
    let mut found = Dtype::FLOAT16;
    for x in &arrays {
        let own = match x.dtype() {
            d if d.is_int() => Dtype::FLOAT64,
            d if d.is_float() || d.is_complex() => d,
            _ => return Err(type_error(call, "arrays", "can't get common type for non-numeric array")),
        };
        found = f::result_type([found, own])?;
    }
    Ok(found.into())
}

/// `dtype kind`
pub fn isdtype(call: &mut Call<'_>) -> Out {
    let dtype = dtype_of(call, call.value(0))?;
    let one = |kind: &Value<'_>| -> Result<bool> {
        Ok(match kind.as_text() {
            Some("bool") => dtype.is_bool(),
            Some("signed integer") => dtype.is_int() && !dtype.is_uint(),
            Some("unsigned integer") => dtype.is_uint(),
            Some("integral") => dtype.is_int(),
            Some("real floating") => dtype.is_float(),
            Some("complex floating") => dtype.is_complex(),
            Some("numeric") => !dtype.is_bool(),
            Some(other) => {
                return Err(value_error(
                    call,
                    "kind",
                    format!("kind argument is a string, but '{other}' is not a known kind name."),
                ));
            }
            None => dtype_of(call, kind)? == dtype,
        })
    };
    match call.value(1).items() {
        Some(kinds) => Ok(kinds.iter().map(one).collect::<Result<Vec<_>>>()?.contains(&true).into()),
        None => Ok(one(call.value(1))?.into()),
    }
}

/// Whether a value is of a complex dtype.
pub fn is_complex(call: &mut Call<'_>) -> Out {
    Ok(call.array(0)?.dtype().is_complex().into())
}

/// The letters of dtypes, and what they are called.
const NAMES: [(&str, &str); 19] = [
    ("S1", "character"),
    ("?", "bool"),
    ("B", "unsigned char"),
    ("D", "complex double precision"),
    ("G", "complex long double precision"),
    ("F", "complex single precision"),
    ("I", "unsigned integer"),
    ("H", "unsigned short"),
    ("L", "unsigned long integer"),
    ("O", "object"),
    ("Q", "unsigned long long integer"),
    ("b", "signed char"),
    ("d", "double precision"),
    ("g", "long precision"),
    ("f", "single precision"),
    ("i", "integer"),
    ("h", "short"),
    ("l", "long integer"),
    ("q", "long long integer"),
];

/// What a letter stands for.
pub fn typename(call: &mut Call<'_>) -> Out {
    let letter = call.text(0)?;
    match NAMES.iter().find(|(known, _)| *known == letter) {
        Some((_, name)) => Ok((*name).into()),
        None => Err(value_error(call, "char", format!("'{letter}' is no letter of a dtype"))),
    }
}

/// `typechars typeset default`: the least letter of a set to which all in a list can be cast.
pub fn mintypecode(call: &mut Call<'_>) -> Out {
    let letters: Vec<String> = match call.value(0) {
        Value::Text(text) => text.chars().map(String::from).collect(),
        other => {
            let items = other.items().ok_or_else(|| type_error(call, "typechars", "letters are needed"))?;
            let letter = |item: &Value<'_>| item.as_text().map(String::from);
            items
                .iter()
                .map(letter)
                .collect::<Option<_>>()
                .ok_or_else(|| type_error(call, "typechars", "letters are needed"))?
        }
    };
    let set = call.text(1)?;
    let inside: Vec<&str> = letters.iter().map(String::as_str).filter(|c| set.contains(c)).collect();
    if inside.is_empty() {
        return Ok(call.text(2)?.to_string().into());
    }
    if inside.contains(&"F") && inside.contains(&"d") {
        return Ok("D".into());
    }
    const ORDER: &str = "GDFgdfhilqHILQbB?";
    let place = |c: &&str| ORDER.find(*c).unwrap_or(ORDER.len());
    let best = inside.into_iter().min_by_key(place).unwrap_or_default().to_string();
    Ok(best.into())
}
