//! The functions of a frontend: its rows, and which of a list are missing.

use crate::output::{Failure, Output};
use ivy::frontends::core::Frontend;
use ivy::frontends::core::rows::Kind;
use ivy::frontends::find;
use ivy::{ErrorKind, Rules};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

/// The frontend of a name.
fn named(function: &'static str, name: &str) -> Result<&'static Frontend, ivy::Error> {
    find(name).ok_or_else(|| {
        let rule = "the frontends are numpy, torch, jax, tensorflow and paddle";
        ErrorKind::InvalidArgument { function, argument: "frontend", value: name.into(), rule }.into()
    })
}

/// What a question about a frontend's function asks the core: the rules of a version, as NAME[@VERSION], and the function
/// that the row calls.
pub fn asked_of(frontend: &str, path: &str) -> Result<(Rules, String), ivy::Error> {
    let (name, version) = frontend.split_once('@').unwrap_or((frontend, ""));
    let frontend = named("explain", name)?;
    let _scope = if version.is_empty() { None } else { Some(frontend.version_scope(version)?) };
    match frontend.find(path)?.core_function() {
        Some(function) => Ok((frontend.version().rules, function.into())),
        None => {
            let rule = "a function is needed that comes to one of ivy's own (`ivy functions --frontend` lists what each comes to)";
            let (function, argument, value) = ("explain", "function", path.into());
            Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into())
        }
    }
}

/// Lists the rows of a frontend, or the names of a file that no row has.
pub fn run(output: &Output, name: &str, missing_from: Option<&Path>) -> Result<ExitCode, Failure> {
    let frontend = named("functions", name)?;
    match missing_from {
        Some(file) => missing(output, frontend, file),
        None => present(output, frontend),
    }
}

/// How many rows there are of each kind; those of the machine's own kinds of names, operators, are counted apart.
fn counts(frontend: &Frontend) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for row in &frontend.table().rows {
        let kind = match row.kind {
            _ if is_operator(&row.path) => "operator",
            kind => kind.name(),
        };
        *counts.entry(kind).or_insert(0) += 1;
    }
    counts
}

fn is_operator(path: &str) -> bool {
    path.rsplit('.').next().is_some_and(|name| name.starts_with("__"))
}

fn present(output: &Output, frontend: &Frontend) -> Result<ExitCode, Failure> {
    let rows = &frontend.table().rows;
    let counts = counts(frontend);
    // What a program can call, operators aside: other names count, as they do in the framework's own lists.
    let total: usize = counts.iter().filter(|(kind, _)| **kind != "operator").map(|(_, n)| n).sum();
    if output.is_json() {
        let entry = |row: &ivy::frontends::core::rows::Row| {
            json!({
                "name": row.path, "kind": row.kind.name(), "signature": row.text[0], "body": row.text[1],
            })
        };
        let list: Vec<Value> = rows.iter().map(entry).collect();
        let version = frontend.version();
        output.json(&json!({
            "frontend": frontend.name(), "version": version.name, "rules": version.rules.name(), "counts": counts,
            "total": total, "functions": list,
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut lines = vec![["FUNCTION", "KIND", "SIGNATURE", "COMES TO"].map(String::from).to_vec()];
    for row in rows {
        let text =
            |i: usize| if row.kind == Kind::Alias && i == 0 { String::new() } else { row.text[i].clone() };
        lines.push(vec![row.path.clone(), row.kind.name().into(), text(0), text(1)]);
    }
    output.columns(&lines)?;
    let told = counts.iter().map(|(kind, n)| format!("{n} {kind}")).collect::<Vec<_>>().join(", ");
    output.text(&format!("{} {}: {total} functions ({told})", frontend.name(), frontend.version().name))?;
    Ok(ExitCode::SUCCESS)
}

/// The names of a file, one a line, that no row has.
fn missing(output: &Output, frontend: &Frontend, file: &Path) -> Result<ExitCode, Failure> {
    let text = std::fs::read_to_string(file)
        .map_err(|source| ivy::Error::from(ErrorKind::Io { path: file.display().to_string(), source }))?;
    let names = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let absent: Vec<&str> = names.filter(|name| frontend.table().position(name).is_none()).collect();
    if output.is_json() {
        output.json(&json!({ "frontend": frontend.name(), "missing": absent }))?;
        return Ok(ExitCode::SUCCESS);
    }
    for name in absent {
        output.text(name)?;
    }
    Ok(ExitCode::SUCCESS)
}
