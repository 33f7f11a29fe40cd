//! Host values as arrays.

use crate::{ArrayLikes, Entry, Fault, Frontend, Value, refuse};
use half::{bf16, f16};
use ivy_core::backend::BackendRef;
use ivy_core::context::{current, current_backend};
use ivy_core::host::HostArray;
use ivy_core::{Array, Dtype, ErrorKind, Result, Scalar, ScalarKind, Shape, functional};
use num_complex::{Complex32, Complex64};
use std::borrow::Cow;

/// A value as an array, of a dtype if one is given: an array as it is, numbers in the default dtype of their kind, and
/// lists where the frontend takes them.
pub(crate) fn array(
    entry: &Entry,
    argument: &str,
    value: &Value<'_>,
    dtype: Option<Dtype>,
    likes: ArrayLikes,
) -> Result<Array> {
    let made = match value.items() {
        Some(_) if likes == ArrayLikes::Numbers => None,
        _ => made(value, dtype)?,
    };
    made.ok_or_else(|| {
        let rule = format!("an array or a number is needed, not {}", value.kind());
        refuse(entry, Fault::Type, argument, Some(value), rule)
    })
}

/// Likewise in its own dtype, weakly typed where the rules in force have that of it: of host numbers, and of arrays that
/// are so.
pub(crate) fn typed(
    entry: &Entry,
    argument: &str,
    value: &Value<'_>,
    likes: ArrayLikes,
) -> Result<Value<'static>> {
    let made = array(entry, argument, value, None, likes)?;
    Ok(typed_like(made, is_weak(entry.frontend, value)))
}

/// Whether a value is weakly typed by a frontend's rules: host numbers, and arrays that are so. A truth value has no kind
/// below it.
pub(crate) fn is_weak(frontend: &Frontend, value: &Value<'_>) -> bool {
    match value {
        Value::Weak(_) => true,
        Value::Int(_) | Value::Float(_) | Value::Complex(_) => frontend.version().rules.weak_types(),
        _ => false,
    }
}

/// An array as a value, weakly typed or not.
pub(crate) fn typed_like(array: Array, weak: bool) -> Value<'static> {
    if weak { Value::Weak(Cow::Owned(array)) } else { Value::Array(Cow::Owned(array)) }
}

/// A number, an array, or nested lists of them as an array; `None` for all else.
pub(crate) fn made(value: &Value<'_>, dtype: Option<Dtype>) -> Result<Option<Array>> {
    if let Some(array) = value.as_array() {
        return cast(array, dtype).map(Some);
    }
    let mut numbers = Vec::new();
    if let Some(shape) = walk(value, &mut numbers)? {
        let dtype = dtype.unwrap_or_else(|| default_of(&numbers));
        return from_scalars(&numbers, shape, &current_backend()?, dtype).map(Some);
    }
    let rows = value.items().unwrap_or_default().iter().map(|item| made(item, None));
    match rows.collect::<Result<Option<Vec<Array>>>>()? {
        // In one dtype, which `stack` finds by the rules in force.
        Some(rows) if !rows.is_empty() => cast(&functional::stack(rows.iter(), ())?, dtype).map(Some),
        _ => Ok(None),
    }
}

fn cast(array: &Array, dtype: Option<Dtype>) -> Result<Array> {
    match dtype {
        Some(dtype) if dtype != array.dtype() => functional::astype(array, dtype),
        _ => Ok(array.clone()),
    }
}

/// The default dtype of numbers: a kind's own, wider only for integers that it does not hold.
fn default_of(values: &[Scalar]) -> Dtype {
    let defaults = current().settings.defaults;
    match values.iter().map(|v| v.kind()).max() {
        Some(ScalarKind::Int) => {
            // Truth values among integers are 0 and 1.
            let whole: Vec<Scalar> = values.iter().map(|v| Scalar::Int(v.to_i128())).collect();
            defaults.of_values(&whole)
        }
        Some(kind) => defaults.of_scalar(kind),
        None => defaults.float(),
    }
}

/// The numbers in nested lists, and their shape; `None` where something else stands among them.
fn walk(value: &Value<'_>, numbers: &mut Vec<Scalar>) -> Result<Option<Shape>> {
    if let Some(scalar) = value.as_scalar() {
        numbers.push(scalar);
        return Ok(Some(Shape::default()));
    }
    let Some(items) = value.items() else { return Ok(None) };
    let mut inner: Option<Shape> = None;
    for item in items {
        let Some(shape) = walk(item, numbers)? else { return Ok(None) };
        match &inner {
            Some(first) if *first != shape => return Err(ErrorKind::ragged(first, &shape).into()),
            _ => inner = Some(shape),
        }
    }
    let inner = inner.unwrap_or_default();
    Ok(Some(std::iter::once(items.len()).chain(inner.iter().copied()).collect()))
}

/// Host numbers as an array of a dtype: each rounds once; integers have to fit.
///
/// # Errors
/// [`ErrorKind::ScalarOutOfRange`], [`ErrorKind::CastRefused`] of a complex number to a real dtype,
/// [`ErrorKind::DtypeNotStored`], or no memory.
pub fn from_scalars(scalars: &[Scalar], shape: Shape, backend: &BackendRef, dtype: Dtype) -> Result<Array> {
    for &value in scalars {
        if let (false, Some((min, max))) = (value.fits(dtype), dtype.int_range()) {
            return Err(ErrorKind::ScalarOutOfRange { function: "asarray", value, dtype, min, max }.into());
        }
        if value.kind() == ScalarKind::Complex && !dtype.is_complex() && !dtype.is_bool() {
            let (from, rule) = (Dtype::COMPLEX128, "a complex number has an imaginary part");
            let (function, to, remedy) = ("asarray", dtype, "Take its real part, or give a complex dtype");
            return Err(ErrorKind::CastRefused { function, from, to, rule, remedy }.into());
        }
    }
    macro_rules! of {
        ($convert:expr) => {
            HostArray::from_vec(scalars.iter().map($convert).collect::<Vec<_>>(), shape)
        };
    }
    // A float saturates where an integer is asked for, as everywhere.
    let host = match dtype {
        Dtype::BOOL => of!(|s| s.to_bool()),
        Dtype::INT8 => of!(|s| s.to_i128().clamp(i8::MIN.into(), i8::MAX.into()) as i8),
        Dtype::INT16 => of!(|s| s.to_i128().clamp(i16::MIN.into(), i16::MAX.into()) as i16),
        Dtype::INT32 => of!(|s| s.to_i128().clamp(i32::MIN.into(), i32::MAX.into()) as i32),
        Dtype::INT64 => of!(|s| s.to_i128().clamp(i64::MIN.into(), i64::MAX.into()) as i64),
        Dtype::UINT8 => of!(|s| s.to_i128().clamp(0, u8::MAX.into()) as u8),
        Dtype::UINT16 => of!(|s| s.to_i128().clamp(0, u16::MAX.into()) as u16),
        Dtype::UINT32 => of!(|s| s.to_i128().clamp(0, u32::MAX.into()) as u32),
        Dtype::UINT64 => of!(|s| s.to_i128().clamp(0, u64::MAX.into()) as u64),
        Dtype::FLOAT16 => of!(|s| f16::from_f64(s.to_f64())),
        Dtype::BFLOAT16 => of!(|s| bf16::from_f64(s.to_f64())),
        Dtype::FLOAT32 => of!(|s| s.to_f64() as f32),
        Dtype::FLOAT64 => of!(|s| s.to_f64()),
        Dtype::COMPLEX64 => of!(|s| {
            let Complex64 { re, im } = s.to_complex();
            Complex32::new(re as f32, im as f32)
        }),
        Dtype::COMPLEX128 => of!(|s| s.to_complex()),
        other => {
            let (function, expected) = ("asarray", "storable");
            return Err(ErrorKind::WrongDtypeKind { function, dtype: other, expected }.into());
        }
    };
    let needs = scalars.len() as u128 * dtype.bytes() as u128;
    Array::from_host(backend, host.ok_or_else(|| ErrorKind::no_memory("asarray", needs))?)
}

/// The integer that a value is, if it is one: of the host, or in an array with one element.
pub(crate) fn integer(value: &Value<'_>) -> Result<Option<i64>> {
    let scalar = match value {
        Value::Array(array) | Value::Weak(array) if array.size() == 1 && !array.dtype().is_float() => {
            Some(array.to_scalar()?)
        }
        other => other.as_scalar(),
    };
    Ok(match scalar {
        Some(Scalar::Int(i)) => i64::try_from(i).ok(),
        Some(Scalar::Bool(b)) => Some(b.into()),
        _ => None,
    })
}

/// The integers of a value: one, those of a tuple or list, or of an array of one axis.
pub(crate) fn integers(value: &Value<'_>) -> Result<Option<Vec<i64>>> {
    if let Some(items) = value.items() {
        return items.iter().map(integer).collect();
    }
    match value {
        Value::Array(array) | Value::Weak(array) if array.ndim() == 1 && array.dtype().is_int() => {
            let host = array.to_host()?;
            let scalars = (0..array.size()).map(|i| host.scalar_at(i)).collect::<Result<Vec<_>>>()?;
            Ok(scalars.into_iter().map(|s| i64::try_from(s.to_i128()).ok()).collect())
        }
        other => Ok(integer(other)?.map(|i| vec![i])),
    }
}
