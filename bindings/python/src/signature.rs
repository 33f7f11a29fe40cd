//! The signatures of the namespace: the standard's are data (`signatures.tsv`), as are those of Ivy's
//! functions that stand for themselves (`ivy_signatures.tsv`); all others come from descriptions.

use crate::error::{Fallible, type_error};
use crate::special::{self, Special};
use ivy::function::{Function, find_function, functions};
use once_cell::sync::Lazy;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use smallvec::SmallVec;
use std::borrow::Cow;

/// How an argument may be given.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Given {
    ByPosition,
    Either,
    ByName,
    /// All the positions that are left.
    Rest,
}

/// What an argument is to the function.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    Operand(usize),
    /// A list of arrays, or all the positions that are left.
    Operands,
    Parameter,
}

pub(crate) struct Parameter {
    pub(crate) name: Cow<'static, str>,
    given: Given,
    /// The default as Python writes it; `None` for an argument that is needed.
    pub(crate) default: Option<Cow<'static, str>>,
    pub(crate) target: Target,
}

/// What is called.
#[derive(Clone, Copy)]
pub(crate) enum Callee {
    Described(&'static Function),
    Special(Special),
}

/// The results of a function.
pub(crate) enum Results {
    One,
    Tuple,
    /// One result by itself, several as a tuple.
    OneOrTuple,
    Named(Vec<&'static str>),
}

pub(crate) struct Signature {
    /// `main`, `linalg` or `fft`.
    pub(crate) module: &'static str,
    pub(crate) name: &'static str,
    /// The parameters, as Python writes them.
    pub(crate) text: Cow<'static, str>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) results: Results,
    pub(crate) callee: Callee,
}

/// The arguments of a call, in the order of the signature.
pub(crate) type Arguments<'py> = SmallVec<[Option<Bound<'py, PyAny>>; 6]>;

static SIGNATURES: Lazy<Vec<Signature>> = Lazy::new(|| {
    let mut all: Vec<Signature> = rows().filter_map(|row| standard(&row)).collect();
    let known = |f: &Function, all: &[Signature]| all.iter().any(|s| s.name == f.name);
    for function in functions() {
        if !known(function, &all) {
            all.push(derived(function));
        }
    }
    all
});

/// Every function of the namespaces.
pub(crate) fn signatures() -> &'static [Signature] {
    &SIGNATURES
}

/// The rows of the signatures that name nothing that is there: module and name.
pub(crate) fn missing() -> Vec<(&'static str, &'static str)> {
    rows().filter(|row| standard(row).is_none()).map(|row| (row[0], row[1])).collect()
}

fn rows() -> impl Iterator<Item = [&'static str; 4]> {
    let texts = [include_str!("signatures.tsv"), include_str!("ivy_signatures.tsv")];
    let lines = texts.into_iter().flat_map(str::lines).filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let cells: Vec<_> = line.split('\t').collect();
        cells.try_into().expect("a row has four cells")
    })
}

fn standard(&[module, name, text, results]: &[&'static str; 4]) -> Option<Signature> {
    let callee = match special::find(name) {
        Some(special) => Callee::Special(special),
        None => Callee::Described(find_function(name).ok()?),
    };
    let results = match results {
        "-" => Results::One,
        "*" => Results::Tuple,
        "+" => Results::OneOrTuple,
        names => Results::Named(names.split(", ").collect()),
    };
    let parameters = parse(text, callee);
    Some(Signature { module, name, text: text.into(), parameters, results, callee })
}

fn parse(text: &'static str, callee: Callee) -> Vec<Parameter> {
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut given = Given::Either;
    for word in text.split(", ").filter(|word| !word.is_empty()) {
        match word {
            "/" => parameters.iter_mut().for_each(|p| p.given = Given::ByPosition),
            "*" => given = Given::ByName,
            _ => {
                let (name, default) = match word.split_once('=') {
                    Some((name, default)) => (name, Some(Cow::Borrowed(default))),
                    None => (word, None),
                };
                let rest = name.strip_prefix('*');
                let name = rest.unwrap_or(name);
                let own = if rest.is_some() { Given::Rest } else { given };
                if rest.is_some() {
                    given = Given::ByName;
                }
                let target = target(name, callee);
                parameters.push(Parameter { name: name.into(), given: own, default, target });
            }
        }
    }
    parameters
}

fn target(name: &str, callee: Callee) -> Target {
    let Callee::Described(function) = callee else { return Target::Parameter };
    match function.operands.iter().position(|o| o.name == name) {
        Some(0) if function.variadic => Target::Operands,
        Some(i) => Target::Operand(i),
        None => Target::Parameter,
    }
}

/// Operands by position, parameters by name.
fn derived(function: &'static Function) -> Signature {
    let mut parameters = Vec::new();
    for (i, operand) in function.operands.iter().enumerate() {
        let target = if function.variadic { Target::Operands } else { Target::Operand(i) };
        let default = operand.optional.then_some(Cow::Borrowed("None"));
        parameters.push(Parameter { name: operand.name.into(), given: Given::ByPosition, default, target });
    }
    for (name, value) in (function.params)().fields() {
        let default = Some(default_text(&value).into());
        let target = Target::Parameter;
        parameters.push(Parameter { name: name.into(), given: Given::ByName, default, target });
    }
    let mut text = String::new();
    for (i, parameter) in parameters.iter().enumerate() {
        let first_named = i == function.operands.len();
        text += match (i, first_named) {
            (0, true) => "*, ",
            (0, false) => "",
            (_, true) => ", /, *, ",
            (_, false) => ", ",
        };
        text += &parameter.name;
        if let Some(default) = &parameter.default {
            text += &format!("={default}");
        }
    }
    if parameters.len() == function.operands.len() && !parameters.is_empty() {
        text += ", /";
    }
    let results = if function.outputs.len() > 1 { Results::Tuple } else { Results::One };
    let (module, name, callee) = ("main", function.name, Callee::Described(function));
    Signature { module, name, text: text.into(), parameters, results, callee }
}

/// A default as Python writes it, from how Rust does; what Python has no form of is `...`.
fn default_text(value: &str) -> String {
    let inner = value.strip_prefix("Some(").and_then(|v| v.strip_suffix(')')).unwrap_or(value);
    match inner {
        "true" => "True".into(),
        "false" => "False".into(),
        "None" => "None".into(),
        number if number.parse::<f64>().is_ok() => number.into(),
        _ => "...".into(),
    }
}

impl Signature {
    /// The arguments in the order of the parameters, as Python binds them.
    pub(crate) fn bind<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> Fallible<Arguments<'py>> {
        let mut bound: Arguments<'py> = smallvec::smallvec![None; self.parameters.len()];
        let mut used = 0;
        for (slot, parameter) in bound.iter_mut().zip(&self.parameters) {
            match parameter.given {
                Given::Rest => {
                    *slot = Some(args.get_slice(used, args.len()).into_any());
                    used = args.len();
                }
                Given::ByPosition | Given::Either if used < args.len() => {
                    *slot = Some(args.get_item(used)?);
                    used += 1;
                }
                _ => {}
            }
        }
        if used < args.len() {
            return type_error(format!(
                "{}() takes {used} positional arguments, {} were given",
                self.name,
                args.len()
            ));
        }
        for (name, value) in kwargs.into_iter().flatten() {
            let name = name.cast::<PyString>()?.to_cow()?.into_owned();
            let by_name = |p: &Parameter| p.name == name && matches!(p.given, Given::Either | Given::ByName);
            let Some(at) = self.parameters.iter().position(by_name) else {
                let by_position = self.parameters.iter().any(|p| p.name == name);
                let why = if by_position { "takes by position only" } else { "does not have" };
                return type_error(format!("{}() got '{name}', which it {why}", self.name));
            };
            if bound[at].is_some() {
                return type_error(format!("{}() got '{name}' twice", self.name));
            }
            bound[at] = Some(value);
        }
        for (slot, parameter) in bound.iter().zip(&self.parameters) {
            if slot.is_none() && parameter.default.is_none() {
                return type_error(format!("{}() needs the argument '{}'", self.name, parameter.name));
            }
        }
        Ok(bound)
    }
}
