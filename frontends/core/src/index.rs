//! Index expressions, as Python's frameworks have them.

use crate::{ArrayLikes, Entry, Fault, Value, arrays, refuse};
use ivy_core::{Error, ErrorKind, Index, Result};

/// What errors call an index that is no parameter of a row by itself.
pub(crate) const INDEX: &str = "index";

/// The entries of an index expression: of a tuple its entries, else one.
///
/// # Errors
/// For what is no index: a text, a real number.
pub fn indices(entry: &Entry, key: &Value<'_>) -> Result<Vec<Index>> {
    match key {
        Value::Tuple(items) => items.iter().map(|item| index(entry, item)).collect(),
        one => Ok(vec![index(entry, one)?]),
    }
}

fn index(entry: &Entry, key: &Value<'_>) -> Result<Index> {
    Ok(match key {
        Value::Int(i) => Index::Int(i64::try_from(*i).unwrap_or(if *i < 0 { i64::MIN } else { i64::MAX })),
        Value::None => Index::NewAxis,
        Value::Ellipsis => Index::Ellipsis,
        Value::Slice { start, stop, step } => {
            let step = step.unwrap_or(1);
            let refused = match step {
                ..=0 if !entry.frontend.steps_back() => Some("step must be greater than zero"),
                0 => Some("slice step cannot be zero"),
                _ => None,
            };
            if let Some(rule) = refused {
                return Err(refuse(entry, Fault::Value, name_of(entry), Some(key), rule));
            }
            Index::Slice { start: *start, stop: *stop, step }
        }
        Value::Bool(_) => Index::Array(arrays::array(entry, INDEX, key, None, ArrayLikes::All)?),
        Value::Array(array) | Value::Weak(array) => Index::Array(array.as_ref().clone()),
        Value::List(items) | Value::Tuple(items) => {
            // No positions are still positions, though no list says so.
            let dtype = items.is_empty().then_some(ivy_core::Dtype::INT64);
            let found = arrays::array(entry, INDEX, key, dtype, ArrayLikes::All);
            Index::Array(found.map_err(|_| no_index(entry, key))?)
        }
        other => return Err(no_index(entry, other)),
    })
}

/// Whether a row is `x[key]` or `x[key] = value`.
fn is_expression(entry: &Entry) -> bool {
    entry.path.ends_with("__getitem__") || entry.path.ends_with("__setitem__")
}

/// The name of an index expression among a row's parameters: the second of `x[key]`.
fn name_of(entry: &Entry) -> &str {
    match entry.row.signature.parameters.get(1) {
        Some(key) if is_expression(entry) => &key.name,
        _ => INDEX,
    }
}

fn no_index(entry: &Entry, key: &Value<'_>) -> Error {
    let rule =
        "an index is a whole number, a slice, None, ..., an array or a list of whole numbers or truth values";
    refuse(entry, Fault::Index, name_of(entry), Some(key), rule)
}

/// An error of a read at an index expression as one of the index: too many entries, shapes that do not broadcast, a mask
/// of another shape, numbers that are no positions.
pub fn error_of_index(entry: &Entry, error: Error) -> Error {
    let is_of_index = matches!(
        error.kind(),
        ErrorKind::BroadcastShapes { .. }
            | ErrorKind::ShapeMismatch { .. }
            | ErrorKind::OutsideDomain { .. }
            | ErrorKind::InvalidArgument { .. }
    );
    if !is_of_index || !is_expression(entry) {
        return error;
    }
    let text = error.with_function(entry.function).to_string();
    let rule = text.strip_prefix(&format!("{}: ", entry.function)).unwrap_or(&text);
    refuse(entry, Fault::Index, name_of(entry), None, rule)
}
