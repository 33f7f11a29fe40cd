//! The rows of a frontend's specification: what each is, its tests, its state.

use crate::output::{Failure, Output};
use ivy::ErrorKind;
use serde_json::{Value, json};
use std::process::ExitCode;

/// The tables, by the frontend's name.
const TABLES: &[(&str, &str)] =
    &[("drjit", include_str!("drjit_spec.tsv")), ("taichi", include_str!("taichi_spec.tsv"))];

#[derive(clap::Args)]
pub struct Options {
    /// The frontend: drjit or taichi
    frontend: String,
    /// Only rows of a state: done, partial or later
    #[arg(long, value_name = "STATE", value_parser = ["done", "partial", "later"], hide_possible_values = true)]
    state: Option<String>,
    /// Print JSON for programs; an error is then a JSON object as well
    #[arg(long)]
    json: bool,
}

pub fn run(output: &Output, options: &Options) -> Result<ExitCode, Failure> {
    let Some((_, table)) = TABLES.iter().find(|(name, _)| *name == options.frontend) else {
        let (function, argument, rule) =
            ("spec", "frontend", "a frontend with a table of rows: drjit or taichi");
        return Err(ivy::Error::from(ErrorKind::InvalidArgument {
            function,
            argument,
            value: options.frontend.clone(),
            rule,
        })
        .into());
    };
    let all =
        table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect::<Vec<_>>());
    let chosen = |row: &Vec<&str>| options.state.as_deref().is_none_or(|state| row.get(3) == Some(&state));
    let rows: Vec<Vec<&str>> = all.filter(chosen).collect();
    if output.is_json() {
        let one = |row: &Vec<&str>| {
            let named = ["row", "what", "tests", "state", "missing"].iter().zip(row);
            Value::Object(named.map(|(name, text)| ((*name).to_owned(), json!(text))).collect())
        };
        output.json(&Value::Array(rows.iter().map(one).collect()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let line = |row: &Vec<&str>| {
        let tests = row.get(2).map_or(0, |tests| tests.split(' ').filter(|name| *name != "-").count());
        let cell = |i: usize| row.get(i).copied().unwrap_or_default().to_owned();
        vec![cell(0), cell(3), format!("{tests} tests"), cell(1), cell(4)]
    };
    output.columns(&rows.iter().map(line).collect::<Vec<_>>())?;
    Ok(ExitCode::SUCCESS)
}
