//! Which functions there are, by chapter, and which of Ivy's are not there yet.

use crate::output::{Failure, Output};
use ivy::backend::{BackendRef, question_backend};
use ivy::function::{Function, FunctionKind, functions};
use ivy::plan::State;
use ivy::support::function_support;
use ivy::support::tables::{Place, SurfaceRow, dtype_names, surface};
use ivy::{Dtype, ErrorKind};
use serde_json::{Value, json};
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Options {
    /// List the functions of Ivy's surface that are not there
    #[arg(long, conflicts_with = "composed")]
    missing: bool,
    /// Only those of a chapter, such as elementwise or linear_algebra
    #[arg(long, value_name = "C")]
    category: Option<String>,
    /// Only those that this backend has no form of its own of: they are composed of others there
    #[arg(long, value_name = "BACKEND")]
    composed: Option<String>,
    /// The functions of a frontend, such as torch, and how many there are
    #[arg(long, value_name = "F", conflicts_with_all = ["missing", "category", "composed"])]
    frontend: Option<String>,
    /// Of the names in this file, one a line, those that the frontend does not have
    #[arg(long, value_name = "FILE", requires = "frontend")]
    missing_from: Option<std::path::PathBuf>,
    /// Print JSON for programs; an error is then a JSON object as well
    #[arg(long)]
    json: bool,
}

pub fn run(output: &Output, options: &Options) -> Result<ExitCode, Failure> {
    if let Some(frontend) = &options.frontend {
        return crate::frontends::run(output, frontend, options.missing_from.as_deref());
    }
    if options.missing { missing(output, options) } else { present(output, options) }
}

/// A chapter's name as Ivy writes its modules: `LinearAlgebra` is `linear_algebra`.
fn chapter(function: &Function) -> String {
    let mut name = String::new();
    for c in format!("{:?}", function.category).chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    name
}

fn kind(function: &Function) -> &'static str {
    match function.kind {
        FunctionKind::Primary => "primary",
        FunctionKind::Compositional => "compositional",
        FunctionKind::Mixed => "mixed",
    }
}

/// The chapter that was asked for, if it is one.
fn chosen<'a>(options: &'a Options, known: &[String]) -> Result<Option<&'a str>, ivy::Error> {
    match options.category.as_deref() {
        Some(name) if !known.iter().any(|k| k == name) => {
            let rule = "a chapter; `ivy functions` lists them, and `ivy functions --missing` those of Ivy";
            let (function, argument) = ("functions", "category");
            Err(ErrorKind::InvalidArgument { function, argument, value: name.into(), rule }.into())
        }
        name => Ok(name),
    }
}

/// Whether a backend composes a function of others for some dtype.
fn is_composed(function: &Function, backend: &BackendRef) -> Result<bool, ivy::Error> {
    let support = function_support(function.name, backend)?;
    Ok(support.dtypes.iter().any(|d| matches!(d.state(), Some(State::Composed))))
}

fn present(output: &Output, options: &Options) -> Result<ExitCode, Failure> {
    let mut all = functions();
    all.sort_by_key(|f| (f.category, f.name));
    let known: Vec<String> = all.iter().map(|f| chapter(f)).collect();
    if let Some(category) = chosen(options, &known)? {
        all.retain(|f| chapter(f) == category);
    }
    if let Some(name) = options.composed.as_deref() {
        let backend = question_backend(name)?;
        let mut composed = Vec::new();
        for function in all {
            if is_composed(function, &backend)? {
                composed.push(function);
            }
        }
        all = composed;
    }
    if output.is_json() {
        let list: Vec<Value> = all.iter().map(|f| entry(f)).collect();
        output.json(&json!({ "functions": list }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut rows = vec![["CHAPTER", "FUNCTION", "KIND", "DOMAIN"].map(String::from).to_vec()];
    for f in all {
        let domain: Vec<String> = operands(f).map(|(name, set)| format!("{name}: {}", short(set))).collect();
        rows.push(vec![chapter(f), f.name.into(), kind(f).into(), domain.join("; ")]);
    }
    output.columns(&rows)?;
    Ok(ExitCode::SUCCESS)
}

fn operands(function: &Function) -> impl Iterator<Item = (&'static str, u32)> + '_ {
    function.domain.operands.iter().copied()
}

/// A set of dtypes: all of them, or their names.
fn short(set: u32) -> String {
    let names = dtype_names(set);
    if names.len() == Dtype::all().count() { "all".into() } else { names.join(" ") }
}

fn entry(function: &Function) -> Value {
    let domain: serde_json::Map<String, Value> =
        operands(function).map(|(name, set)| (name.into(), json!(dtype_names(set)))).collect();
    json!({"name": function.name, "category": chapter(function), "kind": kind(function), "domain": domain})
}

fn missing(output: &Output, options: &Options) -> Result<ExitCode, Failure> {
    let here = functions();
    let modules: Vec<String> = surface().iter().map(|row| row.module.to_string()).collect();
    let category = chosen(options, &modules)?;
    let is_absent = |row: &&SurfaceRow| {
        let there = match row.place {
            Place::Registry => here.iter().any(|f| f.name == row.function),
            // That they are there is tested.
            Place::Rust | Place::Python => true,
        };
        !there && category.is_none_or(|c| row.module == c)
    };
    let mut absent: Vec<&SurfaceRow> = surface().iter().filter(is_absent).collect();
    absent.sort_by_key(|row| (row.module, row.function));
    if output.is_json() {
        let list: Vec<Value> =
            absent.iter().map(|row| json!({"name": row.function, "category": row.module})).collect();
        output.json(&json!({ "missing": list }))?;
        return Ok(ExitCode::SUCCESS);
    }
    for row in absent {
        output.text(&format!("{}\t{}", row.module, row.function))?;
    }
    Ok(ExitCode::SUCCESS)
}
