//! The linter of support tables.

use crate::output::{Failure, Output, Style};
use ivy::ErrorKind;
use ivy::function::find_function;
use ivy::support::{code_tables, tables};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;
use tables::{Finding, Level, Version};

#[derive(clap::Args)]
pub struct Options {
    /// Tables to check; the project's own and those that linked crates declare if none is named
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print notes as well: keys that stand for all later versions, rows older than the installed
    /// backend, and what is odd in the lists of other versions, which are kept as they were
    #[arg(long)]
    notes: bool,
    /// Print JSON for programs; an error is then a JSON object as well
    #[arg(long)]
    json: bool,
}

/// Exit status 1 if a finding is an error or a warning.
pub fn run(output: &Output, options: &Options) -> Result<ExitCode, Failure> {
    let found = match options.files.is_empty() {
        true => own_tables(),
        false => files(&options.files)?,
    };
    let level = |f: &Finding| if options.files.is_empty() { own_level(f) } else { f.level() };
    let count = |wanted: Level| found.iter().filter(|f| level(f) == wanted).count();
    let (errors, warnings, notes) = (count(Level::Error), count(Level::Warning), count(Level::Note));
    if output.is_json() {
        let list: Vec<Value> = found
            .iter()
            .map(|f| {
                json!({"file": f.file, "line": f.line, "level": level(f).to_string(), "kind": format!("{:?}", f.kind),
                    "key": f.key, "text": f.text})
            })
            .collect();
        output.json(&json!({"errors": errors, "warnings": warnings, "notes": notes, "findings": list}))?;
    } else {
        for finding in found.iter().filter(|f| options.notes || level(f) != Level::Note) {
            output.text(&finding.to_string())?;
        }
        let verdict = format!("{errors} errors, {warnings} warnings, {notes} notes");
        let style = if errors + warnings == 0 { Style::Good } else { Style::Bad };
        output.text(&output.paint(style, &verdict))?;
    }
    Ok(if errors + warnings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The lists of other versions are facts of their time, kept as they were written: what would be
/// a warning about a table to be mended is a note about them.
fn own_level(finding: &Finding) -> Level {
    let historical = finding.file.contains("/declared/") || finding.file == tables::VALID_FILE;
    if historical && finding.level() == Level::Warning { Level::Note } else { finding.level() }
}

fn known(function: &str) -> bool {
    tables::known_function(function) || find_function(function).is_ok()
}

fn installed(backend: &str) -> Option<Version> {
    ivy::backend::backend(backend).ok()?.version_text().parse().ok()
}

fn own_tables() -> Vec<Finding> {
    let mut found = tables::lint_embedded(&known, &installed);
    for table in code_tables() {
        match table {
            Ok(table) => found.extend(tables::lint(&table, &known, installed(&table.backend).as_ref())),
            Err(error) => found.extend(malformed(error.kind())),
        }
    }
    found
}

/// A table in code that cannot be read.
fn malformed(error: &ErrorKind) -> Option<Finding> {
    let ErrorKind::MalformedTable { file, line, key, rule } = error else { return None };
    let (file, key, text) = (file.clone(), key.clone(), rule.clone());
    Some(Finding { kind: tables::FindingKind::Malformed, file, line: *line, key, text })
}

fn files(paths: &[PathBuf]) -> Result<Vec<Finding>, ivy::Error> {
    let mut found = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        let text =
            std::fs::read_to_string(path).map_err(|source| ErrorKind::Io { path: name.clone(), source })?;
        found.extend(tables::lint_file(&name, &text, &known, &installed));
    }
    Ok(found)
}
