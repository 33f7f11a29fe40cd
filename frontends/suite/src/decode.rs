//! Values from JSON.

use ivy_core::backend::BackendRef;
use ivy_core::functional::Generator;
use ivy_core::{Dtype, Scalar, Shape};
use ivy_frontend::{Value, from_scalars};
use num_complex::Complex64;
use serde_json::Value as Json;
use std::borrow::Cow;

/// Why a record cannot be read.
pub(crate) type Unreadable = String;

/// An array as it is recorded.
pub(crate) struct Recorded {
    pub(crate) dtype: Dtype,
    pub(crate) shape: Shape,
    pub(crate) data: Vec<Scalar>,
    /// Whether it is weakly typed (JAX's).
    pub(crate) weak: bool,
}

/// The array of an object that is one.
pub(crate) fn recorded(json: &Json) -> Option<Result<Recorded, Unreadable>> {
    let (dtype, shape, data) = (json.get("dtype")?, json.get("shape")?, json.get("data")?);
    Some(read(dtype, shape, data).map(|array| Recorded { weak: json["weak"] == true, ..array }))
}

fn read(dtype: &Json, shape: &Json, data: &Json) -> Result<Recorded, Unreadable> {
    let name = dtype.as_str().ok_or("a dtype is a text")?;
    let dtype: Dtype = name.parse().map_err(|error: ivy_core::Error| error.to_string())?;
    let lengths = shape.as_array().ok_or("a shape is a list")?;
    let length = |d: &Json| d.as_u64().and_then(|d| usize::try_from(d).ok()).ok_or("a length is a number");
    let shape = lengths.iter().map(length).collect::<Result<Vec<usize>, _>>()?;
    let elements = data.as_array().ok_or("the elements are a list")?;
    let data = elements.iter().map(element).collect::<Result<Vec<_>, _>>()?;
    Ok(Recorded { dtype, shape: Shape::from(shape), data, weak: false })
}

fn element(json: &Json) -> Result<Scalar, Unreadable> {
    match json {
        Json::Bool(b) => Ok(Scalar::Bool(*b)),
        Json::Array(parts) if parts.len() == 2 => {
            Ok(Scalar::Complex(Complex64::new(element(&parts[0])?.to_f64(), element(&parts[1])?.to_f64())))
        }
        Json::String(text) => real(text).map(Scalar::Float),
        other => match value(other, None)? {
            Value::Int(i) => Ok(Scalar::Int(i)),
            Value::Float(x) => Ok(Scalar::Float(x)),
            wrong => Err(format!("{} is no element", wrong.told())),
        },
    }
}

fn real(text: &str) -> Result<f64, Unreadable> {
    text.parse().map_err(|_| format!("{text} is no number"))
}

/// A recorded value; arrays are made on a backend.
///
/// # Errors
/// Why a record cannot be read.
pub fn value(json: &Json, backend: Option<&BackendRef>) -> Result<Value<'static>, Unreadable> {
    let all = |list: &Json| -> Result<Vec<Value<'static>>, Unreadable> {
        list.as_array().ok_or("a list is needed")?.iter().map(|item| value(item, backend)).collect()
    };
    Ok(match json {
        Json::Null => Value::None,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => match (n.as_i64(), n.as_u64()) {
            (Some(i), _) => Value::from(i),
            (None, Some(i)) => Value::from(i),
            _ => Value::Float(n.as_f64().ok_or("a number is needed")?),
        },
        Json::String(text) => Value::from(text.clone()),
        Json::Array(items) => Value::List(items.iter().map(|i| value(i, backend)).collect::<Result<_, _>>()?),
        Json::Object(object) => {
            if let Some(array) = recorded(json) {
                let array = array?;
                let backend = backend.ok_or("an array has no place here")?;
                let made = from_scalars(&array.data, array.shape, backend, array.dtype);
                let typed = if array.weak { Value::Weak } else { Value::Array };
                return made.map(|made| typed(Cow::Owned(made))).map_err(|error| error.to_string());
            }
            let Some((kind, inner)) = object.iter().next() else { return Err("an empty object".into()) };
            match kind.as_str() {
                "tuple" => Value::Tuple(all(inner)?),
                "list" => Value::List(all(inner)?),
                "float" => Value::Float(real(inner.as_str().ok_or("a text is needed")?)?),
                "int" => {
                    let text = inner.as_str().ok_or("a text is needed")?;
                    Value::Int(text.parse().map_err(|_| format!("{text} is no integer"))?)
                }
                "complex" => match element(inner)? {
                    Scalar::Complex(z) => Value::Complex(z),
                    _ => return Err("a complex number has two parts".into()),
                },
                "dtype_of" => {
                    let name = inner.as_str().ok_or("a text is needed")?;
                    Value::Dtype(name.parse().map_err(|error: ivy_core::Error| error.to_string())?)
                }
                "slice" => {
                    let bounds = inner.as_array().ok_or("a slice has three numbers")?;
                    let bound = |i: usize| bounds.get(i).and_then(Json::as_i64);
                    Value::Slice { start: bound(0), stop: bound(1), step: bound(2) }
                }
                "ellipsis" => Value::Ellipsis,
                "generator" => Generator::new(inner.as_u64().ok_or("a seed is a number")?).into(),
                "dict" => {
                    let entries = inner.as_object().ok_or("a dict has names")?;
                    let entry = |(k, v): (&String, &Json)| Ok((k.clone(), value(v, backend)?));
                    Value::Dict(entries.iter().map(entry).collect::<Result<_, Unreadable>>()?)
                }
                other => return Err(format!("`{other}` is no kind of value")),
            }
        }
    })
}
