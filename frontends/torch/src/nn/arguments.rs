//! The keyword arguments of modules.

use crate::{Keywords, Value};
use ivy_core::{Dtype, Error, ErrorKind, Result};
use ivy_frontend::Fault;

/// An error of PyTorch's, in the name of a class or method.
pub(crate) fn refuse(
    function: &'static str,
    argument: &str,
    value: String,
    rule: impl Into<String>,
    fault: Fault,
) -> Error {
    let (argument, rule, remedy, fault) = (argument.into(), rule.into(), String::new(), fault.name());
    ErrorKind::FrontendCall { function, frontend: "torch", argument, value, rule, remedy, fault }.into()
}

/// The keyword arguments that a class is made with.
pub(super) struct Arguments<'a> {
    class: &'static str,
    given: Keywords<'a>,
    known: Vec<&'static str>,
}

impl<'a> Arguments<'a> {
    pub(super) fn new(class: &'static str, given: impl Into<Keywords<'a>>) -> Arguments<'a> {
        Arguments { class, given: given.into(), known: Vec::new() }
    }

    /// The argument of a name, if it is given.
    pub(super) fn take(&mut self, name: &'static str) -> Option<Value<'a>> {
        self.known.push(name);
        self.given.take(name)
    }

    fn typed<T>(
        &mut self,
        name: &'static str,
        usual: T,
        what: &str,
        of: impl Fn(&Value<'_>) -> Option<T>,
    ) -> Result<T> {
        match self.take(name) {
            None => Ok(usual),
            Some(value) => of(&value).ok_or_else(|| {
                refuse(self.class, name, value.told(), format!("{what} is needed"), Fault::Type)
            }),
        }
    }

    pub(super) fn bool(&mut self, name: &'static str, usual: bool) -> Result<bool> {
        self.typed(
            name,
            usual,
            "a truth value",
            |value| if let Value::Bool(b) = value { Some(*b) } else { None },
        )
    }

    pub(super) fn float(&mut self, name: &'static str, usual: f64) -> Result<f64> {
        self.typed(name, usual, "a number", number)
    }

    /// A number, or `None`.
    pub(super) fn optional_float(&mut self, name: &'static str, usual: Option<f64>) -> Result<Option<f64>> {
        self.typed(name, usual, "a number or None", |value| {
            if value.is_none() { Some(None) } else { number(value).map(Some) }
        })
    }

    pub(super) fn size(&mut self, name: &'static str, usual: usize) -> Result<usize> {
        self.typed(name, usual, "an integer from 0 on", size)
    }

    pub(super) fn text(&mut self, name: &'static str, usual: &str) -> Result<String> {
        self.typed(name, usual.to_owned(), "a text", |value| value.as_text().map(str::to_owned))
    }

    /// The dtype of parameters; the default float dtype if none is given.
    pub(super) fn dtype(&mut self) -> Result<Option<Dtype>> {
        self.typed("dtype", None, "a dtype", |value| match value {
            Value::None => Some(None),
            Value::Dtype(dtype) => Some(Some(*dtype)),
            Value::Text(name) => name.parse().ok().map(Some),
            _ => None,
        })
    }

    /// A size for each of `N` axes: one for all of them, or a tuple.
    pub(super) fn sizes<const N: usize>(&mut self, name: &'static str, usual: usize) -> Result<[usize; N]> {
        match self.take(name) {
            None => Ok([usual; N]),
            Some(value) => sizes(self.class, name, &value),
        }
    }

    /// The end of the arguments.
    ///
    /// # Errors
    /// For names that the class has not.
    pub(super) fn end(self) -> Result<()> {
        let Some((name, value)) = self.given.iter().next() else { return Ok(()) };
        let rule = format!("there is no such argument; there are: {}", self.known.join(", "));
        Err(refuse(self.class, name, value.told(), rule, Fault::Type))
    }
}

fn number(value: &Value<'_>) -> Option<f64> {
    match value {
        Value::Float(x) => Some(*x),
        Value::Int(i) => Some(*i as f64),
        _ => None,
    }
}

fn size(value: &Value<'_>) -> Option<usize> {
    match value {
        Value::Int(i) => usize::try_from(*i).ok(),
        _ => None,
    }
}

/// A size for each of `N` axes: one for all of them, or a tuple.
pub(super) fn sizes<const N: usize>(
    class: &'static str,
    name: &str,
    value: &Value<'_>,
) -> Result<[usize; N]> {
    let found = match (size(value), value.items()) {
        (Some(one), _) => Some([one; N]),
        (None, Some(items)) => {
            items.iter().map(size).collect::<Option<Vec<_>>>().and_then(|list| list.try_into().ok())
        }
        _ => None,
    };
    found.ok_or_else(|| {
        refuse(class, name, value.told(), format!("an integer from 0 on or {N} of them"), Fault::Type)
    })
}
