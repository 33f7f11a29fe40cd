//! Arguments by the framework's signature.

use crate::entry::Unused;
use crate::{Entry, Fault, Keywords, Value, refuse};
use ivy_core::Result;
use ivy_frontend_rows::{BindError, Given};
use smallvec::SmallVec;

/// The arguments of a call, in the order of the parameters; `None` where the default stands.
pub(crate) type Arguments<'a> = SmallVec<[Option<Value<'a>>; 6]>;

/// Binds the arguments of a call. What the row's body does not use may only have its default.
pub(crate) fn bind<'a>(
    entry: &'static Entry,
    positional: Vec<Value<'a>>,
    keywords: Keywords<'a>,
) -> Result<Arguments<'a>> {
    let bound = entry.row.signature.bind(positional, keywords.0).map_err(|error| {
        let argument = match &error {
            BindError::Unknown { name, .. } | BindError::Twice(name) | BindError::ByPosition(name) => {
                name.as_str()
            }
            BindError::Missing(_) | BindError::TooMany { .. } => "",
        };
        refuse(entry, Fault::Type, argument, None, error.to_string())
    })?;
    let mut arguments = bound.values;
    if let Some(at) = entry.taking(Given::Rest) {
        arguments[at] = Some(Value::Tuple(bound.rest));
    }
    if let Some(at) = entry.taking(Given::RestByName) {
        arguments[at] = Some(Value::Dict(bound.rest_by_name));
    }
    for (at, argument) in arguments.iter().enumerate() {
        let (Some(value), Unused::DefaultOnly) = (argument, entry.unused[at]) else { continue };
        if !is_default(value, entry.defaults[at].as_ref()) {
            let name = &entry.row.signature.parameters[at].name;
            let rule = match &entry.row.signature.parameters[at].default {
                Some(default) => format!("only the default, {}, is there yet", default.text),
                None => "it is not there yet".into(),
            };
            return Err(refuse(entry, Fault::Missing, name, Some(value), rule));
        }
    }
    Ok(arguments)
}

/// Whether a value is the default, or nothing where that is what is left by position or by name.
fn is_default(value: &Value<'_>, default: Option<&Value<'_>>) -> bool {
    match (value, default) {
        (Value::Tuple(rest), None) => rest.is_empty(),
        (Value::Dict(rest), None) => rest.is_empty(),
        (value, Some(default)) => value.equals(default),
        (_, None) => false,
    }
}
