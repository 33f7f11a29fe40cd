//! The signatures of the namespaces, and what is called by them: `ivy_frontend` has the tables, and binds arguments.

use crate::error::{Fallible, type_error};
use crate::special::{self, Special};
use ivy::function::Function;
use ivy_frontend::rows::{self, Given};
use ivy_frontend::{CoreResults, CoreSignature, OnlyValue, core_signatures};
use once_cell::sync::Lazy;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use smallvec::SmallVec;

/// What an argument is to the function.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    Operand(usize),
    /// A list of arrays, or all the positions that are left.
    Operands,
    Parameter,
    /// Nothing.
    Ignored,
    /// Nothing, as long as it has its one value.
    Only(&'static OnlyValue),
}

pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    /// The default as Python writes it; `None` for an argument that is needed.
    pub(crate) default: Option<&'static str>,
    pub(crate) target: Target,
}

/// What is called.
#[derive(Clone, Copy)]
pub(crate) enum Callee {
    Described(&'static Function),
    Special(Special),
}

pub(crate) struct Signature {
    /// `main`, `linalg` or `fft`.
    pub(crate) module: &'static str,
    pub(crate) name: &'static str,
    signature: &'static rows::Signature,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) results: &'static CoreResults,
    pub(crate) callee: Callee,
}

/// The arguments of a call, in the order of the signature.
pub(crate) type Arguments<'py> = SmallVec<[Option<Bound<'py, PyAny>>; 6]>;

static SIGNATURES: Lazy<Vec<Signature>> = Lazy::new(|| core_signatures().iter().filter_map(of).collect());

/// Every function of the namespaces.
pub(crate) fn signatures() -> &'static [Signature] {
    &SIGNATURES
}

fn of(core: &'static CoreSignature) -> Option<Signature> {
    let callee = match special::find(core.name) {
        Some(special) => Callee::Special(special),
        None => Callee::Described(core.function?),
    };
    let parameter = |p: &'static rows::Parameter| Parameter {
        name: &p.name,
        default: p.default.as_ref().map(|d| d.text.as_str()),
        target: match core.only.iter().find(|only| only.argument == p.name) {
            Some(only) => Target::Only(only),
            None if p.ignored => Target::Ignored,
            None => target(&p.name, callee),
        },
    };
    let parameters = core.signature.parameters.iter().map(parameter).collect();
    let (module, name, signature, results) = (core.module, core.name, &core.signature, &core.results);
    Some(Signature { module, name, signature, parameters, results, callee })
}

fn target(name: &str, callee: Callee) -> Target {
    let Callee::Described(function) = callee else { return Target::Parameter };
    match function.operands.iter().position(|o| o.name == name) {
        Some(0) if function.variadic => Target::Operands,
        Some(i) => Target::Operand(i),
        None => Target::Parameter,
    }
}

impl Signature {
    /// The parameters, as Python writes them.
    pub(crate) fn text(&self) -> &'static str {
        &self.signature.text
    }

    /// The arguments in the order of the parameters, as Python binds them.
    pub(crate) fn bind<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> Fallible<Arguments<'py>> {
        let (mut values, (rest, rest_by_name)) = bind(self.signature, self.name, args, kwargs)?;
        let parameters = self.signature.parameters.iter().enumerate();
        let (mut rest, mut rest_by_name) = (Some(rest), Some(rest_by_name));
        for (at, parameter) in parameters {
            match parameter.given {
                Given::Rest => {
                    values[at] = Some(PyTuple::new(args.py(), rest.take().unwrap_or_default())?.into_any());
                }
                Given::RestByName => {
                    let names = PyDict::new(args.py());
                    for (name, value) in rest_by_name.take().unwrap_or_default() {
                        names.set_item(name, value)?;
                    }
                    values[at] = Some(names.into_any());
                }
                _ => {}
            }
        }
        Ok(values)
    }
}

/// What is left by position, and by name.
type Left<'py> = (Vec<Bound<'py, PyAny>>, Vec<(String, Bound<'py, PyAny>)>);

/// The arguments of Python's call in the order of a signature, and what is left.
fn bind<'py>(
    signature: &rows::Signature,
    name: &str,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> Fallible<(Arguments<'py>, Left<'py>)> {
    let named = kwargs
        .into_iter()
        .flatten()
        .map(|(name, value)| Ok((name.cast::<PyString>()?.to_cow()?.into_owned(), value)));
    let named = named.collect::<PyResult<Vec<_>>>()?;
    match signature.bind(args.iter(), named) {
        Ok(bound) => Ok((bound.values, (bound.rest, bound.rest_by_name))),
        Err(error) => type_error(format!("{name}() {error}")),
    }
}
