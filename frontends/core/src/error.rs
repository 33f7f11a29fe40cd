//! The errors of a frontend's calls.

use crate::{Entry, Value};
use ivy_core::{Error, ErrorKind};

/// What kind of fault a call has: which of the framework's classes of errors it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An argument of a wrong type, too many, too few, or of an unknown name.
    Type,
    /// An argument of a value that the function does not take.
    Value,
    /// An index.
    Index,
    /// An axis.
    Axis,
    /// A cast that the framework refuses.
    Casting,
    /// A dtype that the framework's function does not take.
    Dtype,
    /// A division by zero.
    Division,
    /// A result that does not fit where it is to be written, and what else the framework finds while it runs.
    Runtime,
    /// A matrix that has not the form that is needed: square, with elements.
    Matrix,
    /// What the framework has, and this library lacks.
    Missing,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 10] = [
        Fault::Type,
        Fault::Value,
        Fault::Index,
        Fault::Axis,
        Fault::Casting,
        Fault::Dtype,
        Fault::Division,
        Fault::Runtime,
        Fault::Matrix,
        Fault::Missing,
    ];

    /// The name, as tables write it.
    pub const fn name(self) -> &'static str {
        match self {
            Fault::Type => "type",
            Fault::Value => "value",
            Fault::Division => "division",
            Fault::Index => "index",
            Fault::Axis => "axis",
            Fault::Casting => "casting",
            Fault::Dtype => "dtype",
            Fault::Runtime => "runtime",
            Fault::Matrix => "matrix",
            Fault::Missing => "missing",
        }
    }

    /// The fault of a name.
    pub fn find(name: &str) -> Option<Fault> {
        Fault::ALL.into_iter().find(|fault| fault.name() == name)
    }
}

/// The error of an argument: its name, what was given, and the rule that this breaks.
pub fn refuse(
    entry: &Entry,
    fault: Fault,
    argument: &str,
    value: Option<&Value<'_>>,
    rule: impl Into<String>,
) -> Error {
    let remedy = match fault {
        Fault::Missing => "Leave it out, or call ivy's own functions",
        _ => "",
    };
    ErrorKind::FrontendCall {
        function: entry.function,
        frontend: entry.frontend.name(),
        argument: argument.into(),
        value: value.map_or(String::new(), Value::told),
        rule: rule.into(),
        remedy: remedy.into(),
        fault: fault.name(),
    }
    .into()
}
