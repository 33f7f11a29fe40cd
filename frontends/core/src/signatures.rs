//! The signatures of the core's functions, as Python and rows call them: the standard's are data
//! (`signatures/standard.tsv`), as are those of Ivy's functions that stand for themselves (`signatures/ivy.tsv`); all
//! others come from descriptions.

use crate::host::{HostFunction, find_host};
use ivy_core::function::{Function, Role, find_function, functions};
use ivy_frontend_rows::{Default, Expr, Given, Parameter, Signature};
use once_cell::sync::Lazy;
use std::collections::HashMap;

/// The results of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoreResults {
    /// An array, or a value.
    One,
    /// A tuple.
    Tuple,
    /// One result by itself, several as a tuple.
    OneOrTuple,
    /// A tuple whose entries have names.
    Named(Vec<&'static str>),
}

/// A function of the core with its arguments in order.
#[derive(Debug)]
pub struct CoreSignature {
    /// `main`, `linalg` or `fft`.
    pub module: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Operands and parameters.
    pub signature: Signature,
    /// Its results.
    pub results: CoreResults,
    /// Its description; `None` for what takes or gives more than arrays and parameters.
    pub function: Option<&'static Function>,
    /// Arguments that have one value (`signatures/only.tsv`).
    pub only: Vec<OnlyValue>,
    pub(crate) host: Option<HostFunction>,
}

/// An argument of Ivy's that has one value here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnlyValue {
    /// Its name.
    pub argument: &'static str,
    /// The value, as Python writes it.
    pub value: &'static str,
    /// The function that gives what another value asks for, if there is one.
    pub instead: Option<&'static str>,
}

static SIGNATURES: Lazy<Vec<CoreSignature>> = Lazy::new(|| {
    let mut all: Vec<CoreSignature> = rows().filter_map(|row| standard(&row)).collect();
    let standard = texts()[0].lines().filter_map(|line| line.split('\t').nth(1)).collect::<Vec<_>>();
    for function in functions() {
        if !all.iter().any(|s| s.name == function.name) {
            all.push(derived(function));
        }
    }
    for core in &mut all {
        let described = core.function.filter(|_| standard.contains(&core.name));
        append(core, described);
    }
    all
});

/// Every function of the core's namespaces.
pub fn core_signatures() -> &'static [CoreSignature] {
    &SIGNATURES
}

/// What Python annotates the parameters of a described function with: operands by their roles, parameters by their types. Those
/// that may be left out as `None` say so.
///
/// ```
/// use ivy_frontend::{core_signature, parameter_types};
/// let types = parameter_types(core_signature("sum").expect("the standard has it"));
/// assert_eq!(types[0], ("x".into(), "ArrayLike".into()));
/// assert_eq!(types[1], ("axis".into(), "int | Sequence[int] | None".into()));
/// ```
pub fn parameter_types(core: &CoreSignature) -> Vec<(String, String)> {
    let Some(function) = core.function else { return Vec::new() };
    let fields = (function.params)().types();
    let optional = |text: &str, may: bool| match may && !text.ends_with("None") {
        true => format!("{text} | None"),
        false => text.into(),
    };
    let typed = |parameter: &Parameter| {
        let name = parameter.name.as_str();
        let text = match function.operands.iter().position(|o| o.name == name) {
            Some(0) if function.variadic => "Sequence[ArrayLike]".into(),
            Some(i) => {
                let info = &function.operands[i];
                let of = if info.role == Role::Value { "complex" } else { "ArrayLike" };
                optional(of, info.optional)
            }
            None => {
                let field = fields.iter().find(|field| field.0 == name)?;
                optional(field.1, field.2)
            }
        };
        Some((name.into(), text))
    };
    core.signature.parameters.iter().filter_map(typed).collect()
}

/// The function of a name; the modules `linalg.` and `fft.` may stand before it.
pub fn core_signature(name: &str) -> Option<&'static CoreSignature> {
    static BY_NAME: Lazy<HashMap<&'static str, &'static CoreSignature>> =
        Lazy::new(|| SIGNATURES.iter().rev().map(|s| (s.name, s)).collect());
    let plain = name.strip_prefix("linalg.").or_else(|| name.strip_prefix("fft.")).unwrap_or(name);
    BY_NAME.get(plain).copied()
}

/// The rows of the tables that name nothing that is there: module and name.
pub fn missing_signatures() -> Vec<(&'static str, &'static str)> {
    rows().filter(|row| standard(row).is_none()).map(|row| (row[0], row[1])).collect()
}

fn texts() -> [&'static str; 3] {
    [
        include_str!("signatures/standard.tsv"),
        include_str!("signatures/ivy.tsv"),
        include_str!("signatures/rows.tsv"),
    ]
}

fn rows() -> impl Iterator<Item = [&'static str; 4]> {
    let lines = texts().into_iter().flat_map(str::lines).filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let cells: Vec<_> = line.split('\t').collect();
        cells.try_into().expect("a row has four cells")
    })
}

fn standard(&[module, name, text, results]: &[&'static str; 4]) -> Option<CoreSignature> {
    let host = find_host(name);
    let function = match host {
        Some(_) => None,
        None => Some(find_function(name).ok()?),
    };
    let results = match results {
        "-" => CoreResults::One,
        "*" => CoreResults::Tuple,
        "+" => CoreResults::OneOrTuple,
        names => CoreResults::Named(names.split(", ").collect()),
    };
    let signature = Signature::parse(text).expect("the tables' signatures are Python's");
    Some(CoreSignature { module, name, signature, results, function, only: Vec::new(), host })
}

/// Appends what Ivy has beyond the standard, by name: the parameters of the description of one of the standard's functions
/// that its row does not name, and those that have no meaning here (`signatures/ignored.tsv`).
fn append(core: &mut CoreSignature, standard: Option<&'static Function>) {
    let described = standard.map(|function| (function.params)().fields()).unwrap_or_default();
    let mut more: Vec<Parameter> = described.iter().map(|(name, value)| named(name, value)).collect();
    for line in include_str!("signatures/ignored.tsv").lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<_> = line.split('\t').collect();
        let [name, default, functions] = cells[..] else { panic!("a row has three cells: {line}") };
        if functions.split(' ').any(|function| function == core.name) {
            let default = Some(Default { text: default.into(), value: Expr::None });
            more.push(Parameter { ignored: true, default, ..named(name, "None") });
        }
    }
    for line in include_str!("signatures/only.tsv").lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<_> = line.split('\t').collect();
        let [argument, value, function, instead] = cells[..] else { panic!("a row has four cells: {line}") };
        if function == core.name {
            let default = Some(Default { text: value.into(), value: Expr::None });
            more.push(Parameter { ignored: true, default, ..named(argument, "None") });
            core.only.push(OnlyValue { argument, value, instead: Some(instead).filter(|name| *name != "-") });
        }
    }
    let signature = &mut core.signature;
    for parameter in more {
        if signature.parameters.iter().any(|p| p.name == parameter.name) {
            continue;
        }
        let given_by_name =
            signature.parameters.iter().any(|p| matches!(p.given, Given::ByName | Given::Rest));
        let mark = if given_by_name { "" } else { "*, " };
        let default = parameter.default.as_ref().map_or("...", |d| d.text.as_str());
        signature.text += &format!(", {mark}{}={default}", parameter.name);
        signature.parameters.push(parameter);
    }
}

/// A parameter that is given by name, with a default as Rust prints it.
fn named(name: &str, value: &str) -> Parameter {
    Parameter {
        name: name.into(),
        given: Given::ByName,
        default: Some(Default { text: default_text(value), value: Expr::None }),
        ignored: false,
        aliases: Vec::new(),
    }
}

/// Operands by position, parameters by name.
fn derived(function: &'static Function) -> CoreSignature {
    let mut parameters = Vec::new();
    for operand in function.operands {
        let given = Given::ByPosition;
        let default = operand.optional.then(|| Default { text: "None".into(), value: Expr::None });
        parameters.push(Parameter {
            name: operand.name.into(),
            given,
            default,
            ignored: false,
            aliases: Vec::new(),
        });
    }
    for (name, value) in (function.params)().fields() {
        parameters.push(named(name, &value));
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
            text += &format!("={}", default.text);
        }
    }
    if parameters.len() == function.operands.len() && !parameters.is_empty() {
        text += ", /";
    }
    let results = if function.outputs.len() > 1 { CoreResults::Tuple } else { CoreResults::One };
    let signature = Signature { text, parameters };
    let (module, name, function) = ("main", function.name, Some(function));
    CoreSignature { module, name, signature, results, function, only: Vec::new(), host: None }
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
