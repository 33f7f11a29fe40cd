//! Names of a row's parameters for the arguments of the calls that its body makes: what errors say.

use crate::bind::Arguments;
use crate::signatures::core_signature;
use crate::{Entry, Value};
use ivy_core::{Array, Error, ErrorKind};
use ivy_frontend_rows::{Call, Expr, Signature};

/// The parameter that an expression hands on, as it is or changed.
fn parameter_of(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Parameter(place) => Some(*place),
        Expr::If { then, otherwise, .. } => parameter_of(then).or_else(|| parameter_of(otherwise)),
        Expr::Call(call) => call.positional.first().and_then(parameter_of),
        Expr::Item(value, _) | Expr::Spread(value) | Expr::Negate(value) => parameter_of(value),
        Expr::List(list) | Expr::Tuple(list) => list.first().and_then(parameter_of),
        Expr::Or(a, b) | Expr::And(a, b) | Expr::Arithmetic(_, a, b) => {
            parameter_of(a).or_else(|| parameter_of(b))
        }
        _ => None,
    }
}

/// The name of the parameter that an expression hands on.
pub(crate) fn of(entry: &'static Entry, expr: &Expr) -> Option<&'static str> {
    Some(&entry.row.signature.parameters.get(parameter_of(expr)?)?.name)
}

/// The name of the parameter that a call hands on by position; what is spread has all places from its own on.
pub(crate) fn at(entry: &'static Entry, call: &Call, place: usize) -> Option<&'static str> {
    let spread = call.positional.iter().take(place).find(|e| matches!(e, Expr::Spread(_)));
    of(entry, spread.or_else(|| call.positional.get(place))?)
}

/// The name of the parameter that a call hands on for a parameter of the function called.
pub(crate) fn of_callee(
    entry: &'static Entry,
    call: &Call,
    callee: &Signature,
    theirs: &str,
) -> Option<&'static str> {
    match call.named.iter().find(|n| n.name == theirs) {
        Some(named) => of(entry, &named.value),
        None => at(entry, call, callee.position(theirs)?),
    }
}

/// The error of code that a row calls, where it comes from a function of the core or another row: an array there is one
/// that the row was given. Of several it is that of the same place, if the error says its shape or dtype.
pub(crate) fn of_special<'v>(
    entry: &'static Entry,
    call: &Call,
    argument: impl Fn(usize) -> Value<'v>,
    error: Error,
) -> Error {
    let fields = error.kind().fields();
    let field = |name: &str| fields.iter().find(|(field, _)| *field == name).map(|(_, text)| text.as_str());
    let Some(function) = field("function") else { return error };
    let says = |array: &Array| {
        field("actual").is_some_and(|actual| actual == array.shape().to_string())
            || field("dtype").is_some_and(|dtype| dtype == array.dtype().name())
    };
    let function = function.to_string();
    let found = |theirs: &str| {
        if entry.row.signature.parameters.iter().any(|p| p.name == theirs) {
            return None;
        }
        let operand = operand(entry, &function, theirs)?;
        let parameters = || call.positional.iter().filter_map(parameter_of);
        let mut arrays = parameters().filter(|&place| argument(place).as_array().is_some());
        let place = match (arrays.next(), arrays.next()) {
            (Some(only), None) => only,
            // Of numbers and lists the first is the one that stands for an array.
            (None, _) => parameters().next()?,
            (Some(first), Some(second)) => {
                let place = [first, second].into_iter().chain(arrays).nth(operand)?;
                argument(place).as_array().filter(|array| says(array))?;
                place
            }
        };
        Some(place)
    };
    let argument_named = ["argument", "operand"].into_iter().find_map(field);
    let place = argument_named.and_then(found);
    error.with_argument(|_| Some(&entry.row.signature.parameters.get(place?)?.name))
}

/// The error of a row, whose argument is one of its parameters, or has no name: names of what a body computes are none that
/// the caller knows, and a shape that is said of an argument is the one that it has.
pub(crate) fn own(entry: &'static Entry, arguments: &Arguments<'_>, error: Error) -> Error {
    let unnamed = match error.kind() {
        ErrorKind::FrontendCall { .. } => "",
        ErrorKind::DtypeMismatch { .. }
        | ErrorKind::InvalidArgument { .. }
        | ErrorKind::TracedRead { .. } => "an argument",
        ErrorKind::ShapeMismatch { .. }
        | ErrorKind::OutsideDomain { .. }
        | ErrorKind::ImplicitCast { .. } => "an operand",
        _ => return error,
    };
    let actual = match error.kind() {
        ErrorKind::ShapeMismatch { actual, .. } => Some(actual.clone()),
        _ => None,
    };
    let parameters = &entry.row.signature.parameters;
    let array = |place: usize| arguments.get(place)?.as_ref()?.as_array();
    error.with_argument(|name| {
        // Words such as `one of the arrays` are no name.
        if name.is_empty() || name.contains(' ') {
            return None;
        }
        let stem = name.split(['[', '.']).next().unwrap_or(name);
        let known = parameters.iter().position(|p| p.name == stem);
        let Some(actual) = actual else { return known.is_none().then_some(unnamed) };
        match known {
            Some(place) if array(place).is_none_or(|array| *array.shape() == actual) => None,
            _ => {
                let has_it = |place: &usize| array(*place).is_some_and(|array| *array.shape() == actual);
                let mut fitting = (0..parameters.len()).filter(has_it);
                match (fitting.next(), fitting.next()) {
                    (Some(only), None) => Some(&parameters[only].name),
                    _ => Some(unnamed),
                }
            }
        }
    })
}

/// The place of an array among the operands of a function of the core, or the parameters of a row.
fn operand(entry: &Entry, function: &str, name: &str) -> Option<usize> {
    if name == "the array" {
        return Some(0);
    }
    if let Some(core) = core_signature(function) {
        return match core.function {
            Some(function) => function.operands.iter().position(|operand| operand.name == name),
            None => core.signature.position(name).filter(|&place| place == 0),
        };
    }
    let path = function.split_once('.').map_or(function, |(_, path)| path);
    entry.frontend.find(path).ok()?.row.signature.position(name).filter(|&place| place == 0)
}
