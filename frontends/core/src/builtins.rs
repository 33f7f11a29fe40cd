//! The functions of the machine that bodies call.

use crate::core_call::call_core;
use crate::eval::{number_order, truth};
use crate::{ArrayLikes, Entry, Fault, Value, arrays, dtypes, index, names, refuse};
use ivy_core::context::current;
use ivy_core::functional::astype;
use ivy_core::{Array, Dtype, Error, Operand, Result, Scalar, Shape, finfo, iinfo};
use ivy_frontend_rows::{Builtin, Call};

/// An array without axes as its host number; `None` for all else.
pub(crate) fn host(value: &Value<'_>) -> Result<Option<Value<'static>>> {
    match value {
        Value::Array(array) | Value::Weak(array) if array.ndim() == 0 => Ok(Some(array.to_scalar()?.into())),
        _ => Ok(None),
    }
}

/// Calls a function of the machine. The parser has counted the arguments, but for spread ones.
pub(crate) fn run<'v>(
    entry: &'static Entry,
    call: &Call,
    builtin: Builtin,
    mut given: Vec<Value<'v>>,
) -> Result<Value<'v>> {
    if given.is_empty() && !matches!(builtin, Builtin::Tuple | Builtin::List) {
        given.push(Value::None);
    }
    let name = |value: &Value<'_>| {
        let place = given.iter().position(|one| std::ptr::addr_eq(one, value)).unwrap_or(0);
        names::at(entry, call, place).unwrap_or_default()
    };
    let wrong = |value: &Value<'_>, rule: &str| refuse(entry, Fault::Type, name(value), Some(value), rule);
    let whole =
        |value: &Value<'_>| arrays::integer(value)?.ok_or_else(|| wrong(value, "a whole number is needed"));
    let real = |value: &Value<'_>| match (value, number(value)?) {
        (Value::Text(text), _) => text.trim().parse().map_err(|_| wrong(value, "it is no number")),
        (_, Some(scalar)) => Ok(scalar.to_f64()),
        _ => Err(wrong(value, "a number is needed")),
    };
    let dtype = |value: &Value<'_>| dtypes::dtype_of(entry, name(value), value);
    let defaults = || current().settings.defaults;
    Ok(match (builtin, given.as_slice()) {
        (Builtin::Shape, [x, ..]) => Value::from(&shape(entry, name(x), x)?),
        (Builtin::Ndim, [x, ..]) => Value::from(shape(entry, name(x), x)?.len()),
        (Builtin::Size, [x, ..]) => Value::from(shape(entry, name(x), x)?.size()),
        (Builtin::Dtype, [x, ..]) => Value::Dtype(match x {
            Value::Dtype(dtype) => *dtype,
            other => arrays::array(entry, name(other), other, None, ArrayLikes::All)?.dtype(),
        }),
        (Builtin::Len, [x, ..]) => Value::from(match x {
            Value::Text(text) => text.chars().count(),
            Value::Dict(entries) => entries.len(),
            Value::Array(array) | Value::Weak(array) => {
                *array.shape().first().ok_or_else(|| wrong(x, "it has no axis"))?
            }
            other => other.items().ok_or_else(|| wrong(x, "it has no length"))?.len(),
        }),
        (Builtin::Tuple, _) => Value::Tuple(entries(given)?),
        (Builtin::List, _) => Value::List(entries(given)?),
        (Builtin::AsArray | Builtin::Array, [x, rest @ ..]) => {
            let dtype = rest.first().filter(|d| !d.is_none()).map(dtype).transpose()?;
            let likes =
                if builtin == Builtin::Array { ArrayLikes::All } else { entry.frontend.array_likes() };
            match dtype {
                None => arrays::typed(entry, name(x), x, likes)?,
                dtype => arrays::array(entry, name(x), x, dtype, likes)?.into(),
            }
        }
        (Builtin::Weak, [x, ..]) => host(x)?.unwrap_or_else(|| x.clone()),
        (Builtin::Range, bounds) => {
            let bounds = bounds.iter().map(whole).collect::<Result<Vec<i64>>>()?;
            let (start, stop, step) = match bounds[..] {
                [stop] => (0, stop, 1),
                [start, stop] => (start, stop, 1),
                _ => (bounds[0], bounds[1], bounds[2]),
            };
            Value::Tuple(counted(start, stop, step).map(Value::from).collect())
        }
        (Builtin::Prod, [x, ..]) => match x.items() {
            Some(items) => {
                let whole = items.iter().map(whole).collect::<Result<Vec<i64>>>()?;
                let product = whole.iter().try_fold(1i128, |p, &i| p.checked_mul(i.into()));
                Value::Int(product.ok_or_else(|| wrong(x, "the product is beyond 128 bits"))?)
            }
            None => return call_core(entry, "prod", &given, &[]),
        },
        (Builtin::IsArray, [x, ..]) => Value::Bool(x.as_array().is_some()),
        (Builtin::IsNumber, [x, ..]) => Value::Bool(x.as_scalar().is_some()),
        (Builtin::IsInt, [x, ..]) => Value::Bool(matches!(x, Value::Int(_))),
        (Builtin::IsFloat, [x, ..]) => Value::Bool(matches!(x, Value::Float(_))),
        (Builtin::IsBool, [x, ..]) => Value::Bool(matches!(x, Value::Bool(_))),
        (Builtin::IsText, [x, ..]) => Value::Bool(x.as_text().is_some()),
        (Builtin::IsDtype, [x, ..]) => Value::Bool(matches!(x, Value::Dtype(_))),
        (Builtin::IsList, [x, ..]) => Value::Bool(x.items().is_some()),
        (Builtin::IsInts, [x, ..]) => {
            let are_ints = |all: &[Value<'_>]| all.iter().all(|x| matches!(x, Value::Int(_)));
            Value::Bool(x.items().is_some_and(are_ints))
        }
        (Builtin::IsArrays, [x, ..]) => {
            let are_arrays =
                |all: &[Value<'_>]| !all.is_empty() && all.iter().all(|x| x.as_array().is_some());
            Value::Bool(x.items().is_some_and(are_arrays))
        }
        (Builtin::DefaultFloat, _) => Value::Dtype(defaults().float()),
        (Builtin::DefaultInt, _) => Value::Dtype(defaults().int()),
        (Builtin::DefaultComplex, _) => Value::Dtype(defaults().complex()),
        (Builtin::FinfoEps, [d, ..]) => finfo(dtype(d)?)?.eps.into(),
        (Builtin::FinfoMax, [d, ..]) => finfo(dtype(d)?)?.max.into(),
        (Builtin::FinfoMin, [d, ..]) => finfo(dtype(d)?)?.min.into(),
        (Builtin::FinfoTiny, [d, ..]) => finfo(dtype(d)?)?.smallest_normal.into(),
        (Builtin::IinfoMax, [d, ..]) => iinfo(dtype(d)?)?.max.into(),
        (Builtin::IinfoMin, [d, ..]) => iinfo(dtype(d)?)?.min.into(),
        (Builtin::Int, [x, ..]) => Value::Int(match (x, number(x)?) {
            (Value::Text(text), _) => text.trim().parse().map_err(|_| wrong(x, "it is no whole number"))?,
            (_, Some(scalar)) => scalar.to_i128(),
            _ => return Err(wrong(x, "a number is needed")),
        }),
        (Builtin::Float, [x, ..]) => Value::Float(real(x)?),
        (Builtin::Float32, [x, ..]) => Value::Float(f64::from(real(x)? as f32)),
        (Builtin::Bool, [x, ..]) => Value::Bool(truth(entry, || name(x), x)?),
        (Builtin::GetItem, [x, key]) => get_item(entry, [name(x), name(key)], x, key)?,
        (Builtin::SetItem, [x, key, value]) => set_item(entry, [x, key, value].map(name), x, key, value)?,
        (Builtin::Slice, bounds) => {
            let bound = |i: usize| match bounds.get(i) {
                None | Some(Value::None) => Ok(None),
                Some(value) => whole(value).map(Some),
            };
            match bounds.len() {
                1 => Value::Slice { start: None, stop: bound(0)?, step: None },
                _ => Value::Slice { start: bound(0)?, stop: bound(1)?, step: bound(2)? },
            }
        }
        (Builtin::Ellipsis, _) => Value::Ellipsis,
        (Builtin::Least | Builtin::Greatest, values) => {
            let items = match values {
                [only] => only.items().unwrap_or(values),
                _ => values,
            };
            extreme(items, builtin == Builtin::Greatest)
                .ok_or_else(|| wrong(&given[0], "numbers are needed"))?
        }
        (Builtin::Reversed, [x, ..]) => Value::Tuple(
            x.items().ok_or_else(|| wrong(x, "a tuple or list is needed"))?.iter().rev().cloned().collect(),
        ),
        (Builtin::Sorted, [x, ..]) => {
            let mut list = arrays::integers(x)?.ok_or_else(|| wrong(x, "whole numbers are needed"))?;
            list.sort_unstable();
            Value::Tuple(list.into_iter().map(Value::from).collect())
        }
        (Builtin::Refuse, [fault, rule]) => {
            let kind = fault
                .as_text()
                .and_then(Fault::find)
                .ok_or_else(|| wrong(fault, "a kind of fault is needed"))?;
            return Err(refuse(entry, kind, "", None, rule.as_text().unwrap_or_default()));
        }
        (_, values) => {
            return Err(wrong(values.first().unwrap_or(&Value::None), "the arguments are too few"));
        }
    })
}

fn number(value: &Value<'_>) -> Result<Option<Scalar>> {
    match value {
        Value::Array(array) | Value::Weak(array) if array.size() == 1 => array.to_scalar().map(Some),
        other => Ok(other.as_scalar()),
    }
}

/// The shape of an operand; that of nested lists is what they have as an array.
fn shape(entry: &'static Entry, argument: &str, value: &Value<'_>) -> Result<Shape> {
    match value {
        Value::Array(array) | Value::Weak(array) => Ok(array.shape().clone()),
        other if other.as_scalar().is_some() => Ok(Shape::default()),
        other => {
            Ok(arrays::array(entry, argument, other, None, entry.frontend.array_likes())?.shape().clone())
        }
    }
}

/// The arguments as entries: those of the only one, if it has some.
fn entries(mut given: Vec<Value<'_>>) -> Result<Vec<Value<'_>>> {
    if given.len() != 1 {
        return Ok(given);
    }
    match given.pop() {
        Some(Value::Tuple(items) | Value::List(items)) => Ok(items),
        Some(Value::None) | None => Ok(Vec::new()),
        Some(array @ (Value::Array(_) | Value::Weak(_))) => match arrays::integers(&array)? {
            Some(list) => Ok(list.into_iter().map(Value::from).collect()),
            None => Ok(vec![array]),
        },
        Some(one) => Ok(vec![one]),
    }
}

fn counted(start: i64, stop: i64, step: i64) -> impl Iterator<Item = i64> {
    let goes_on = move |at: &i64| if step > 0 { *at < stop } else { step < 0 && *at > stop };
    std::iter::successors(Some(start), move |at| at.checked_add(step)).take_while(goes_on)
}

fn extreme<'v>(values: &[Value<'v>], greatest: bool) -> Option<Value<'v>> {
    let mut best = values.first()?;
    for value in &values[1..] {
        let order = number_order(value.as_scalar()?, best.as_scalar()?)?;
        if order.is_gt() == greatest && order.is_ne() {
            best = value;
        }
    }
    Some(best.clone())
}

/// The elements at an index expression.
pub(crate) fn get_item(
    entry: &'static Entry,
    names: [&'static str; 2],
    value: &Value<'_>,
    key: &Value<'_>,
) -> Result<Value<'static>> {
    let array = arrays::array(entry, names[0], value, None, entry.frontend.array_likes())?;
    let indices = index::indices(entry, key).map_err(|error| of_key(error, names[1]))?;
    let found = array.get(indices).map_err(|error| index::error_of_index(entry, error))?;
    Ok(arrays::typed_like(found, arrays::is_weak(entry.frontend, value)))
}

/// An error of an index expression, by the name of the row's parameter.
fn of_key(error: Error, name: &'static str) -> Error {
    error.with_argument(|theirs| (theirs == index::INDEX).then_some(name))
}

/// An array with other elements at an index expression, which are cast to its dtype as frameworks do.
pub(crate) fn set_item(
    entry: &'static Entry,
    names: [&'static str; 3],
    value: &Value<'_>,
    key: &Value<'_>,
    elements: &Value<'_>,
) -> Result<Value<'static>> {
    let mut array = arrays::array(entry, names[0], value, None, entry.frontend.array_likes())?;
    let indices = index::indices(entry, key).map_err(|error| of_key(error, names[1]))?;
    let elements = fitted(entry, names[2], elements, array.dtype())?;
    if let Err(error) = array.set(indices.clone(), elements) {
        // What cannot be read at either is the index's fault, and else the elements do not fit.
        array.get(indices).map_err(|error| index::error_of_index(entry, error))?;
        return Err(error);
    }
    Ok(array.into())
}

fn fitted(entry: &'static Entry, name: &str, elements: &Value<'_>, dtype: Dtype) -> Result<Operand<'static>> {
    let array: Array = arrays::array(entry, name, elements, None, ArrayLikes::All)?;
    let array = if array.dtype() == dtype { array } else { astype(&array, dtype)? };
    Ok(Operand::Array(std::borrow::Cow::Owned(array)))
}
