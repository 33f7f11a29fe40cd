//! Measuring a backend: a guarded child process for each function, and the table that comes out.

use crate::output::{Failure, Output, Style};
use indicatif::{ProgressBar, ProgressStyle};
use ivy::backend::BackendRef;
use ivy::function::{find_function, functions};
use ivy::support::tables::{self, MeasuredTable, State};
use ivy::{ErrorKind, Place};
use ivy_conformance::probe;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Duration;

/// How long a child may say nothing about one function and dtype.
const PATIENCE: Duration = Duration::from_secs(120);

#[derive(clap::Args)]
pub struct Options {
    /// The backend to measure, as BACKEND[:PLACE]
    #[arg(long, value_name = "B")]
    backend: String,
    /// A function to measure; all if none is named (may be repeated)
    #[arg(long, value_name = "F")]
    function: Vec<String>,
    /// Write the table to a file; it goes to standard output if none is named
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Compare with the table of the project instead of printing one; exit status 1 if they differ
    #[arg(long, conflicts_with = "out")]
    check: bool,
    /// Print JSON for programs; an error is then a JSON object as well
    #[arg(long)]
    json: bool,
    /// Measure in this process, from the dtype of this number on, and speak to the parent
    #[arg(long, hide = true, value_name = "DTYPE")]
    child_from: Option<usize>,
}

pub fn run(output: &Output, options: &Options) -> Result<ExitCode, Failure> {
    let backend = ivy::backend::backend(&options.backend)?;
    let chosen = options.function.iter().map(|name| find_function(name)).collect::<Result<Vec<_>, _>>()?;
    let chosen = if chosen.is_empty() { functions() } else { chosen };
    if let Some(from) = options.child_from {
        let mut out = std::io::stdout().lock();
        let mut said = Ok(());
        for function in chosen {
            probe::measure(function, &backend, from, &mut |dtype, row| {
                if said.is_ok() {
                    said = probe::speak(&mut out, dtype, row.as_ref());
                }
            });
        }
        said?;
        return Ok(ExitCode::SUCCESS);
    }
    let names: Vec<&'static str> = chosen.iter().map(|f| f.name).collect();
    let table = measure_in_children(options, &backend, &names)?;
    match options.check {
        true => compare(output, &backend, &table, &names),
        false => report(output, options, &table),
    }
}

fn measure_in_children(
    options: &Options,
    backend: &BackendRef,
    names: &[&'static str],
) -> Result<MeasuredTable, Failure> {
    let program = std::env::current_exe()?;
    let place = Place { version: None, ..options.backend.parse()? }.to_string();
    let child = |function: &str, from: usize| {
        let mut command = Command::new(&program);
        command.args([
            "probe",
            "--backend",
            &place,
            "--function",
            function,
            "--child-from",
            &from.to_string(),
        ]);
        command
    };
    let style =
        ProgressStyle::with_template("{bar:40} {pos:>3}/{len} {elapsed} {msg}").expect("a valid template");
    let bar = ProgressBar::new(names.len() as u64).with_style(style);
    let rows = probe::drive(names, &child, PATIENCE, &|function| {
        bar.set_message(function.to_string());
        bar.inc(1);
    });
    bar.finish_and_clear();
    Ok(probe::table(backend, rows?))
}

/// Crashes and wrong values, which a table of rows buries.
fn findings(table: &MeasuredTable) -> Vec<String> {
    let is_finding =
        |how: &str| ["crash:", "panic:", "wrong values:"].iter().any(|word| how.starts_with(word));
    let rows = table.rows().iter().filter_map(|row| Some((row, row.how.as_deref()?)));
    rows.filter(|(_, how)| is_finding(how))
        .map(|(r, how)| format!("{} {}: {how}", r.function, r.dtype))
        .collect()
}

fn counts(table: &MeasuredTable) -> Vec<(State, usize)> {
    let count = |state| table.rows().iter().filter(|r| r.state == state).count();
    State::ALL.into_iter().map(|state| (state, count(state))).collect()
}

fn report(output: &Output, options: &Options, table: &MeasuredTable) -> Result<ExitCode, Failure> {
    let text = table.write();
    if let Some(path) = &options.out {
        let io = |source| ErrorKind::Io { path: path.display().to_string(), source };
        std::fs::write(path, &text).map_err(|e| ivy::Error::from(io(e)))?;
    }
    if output.is_json() {
        let rows: Vec<Value> = table
            .rows()
            .iter()
            .map(|r| {
                json!({"function": r.function, "dtype": r.dtype, "state": r.state.name(), "results": r.result,
                    "how": r.how})
            })
            .collect();
        output.json(&json!({"backend": table.backend, "version": table.version, "cpu": table.cpu,
            "findings": findings(table), "rows": rows}))?;
        return Ok(ExitCode::SUCCESS);
    }
    if options.out.is_none() {
        output.text(text.trim_end())?;
        return Ok(ExitCode::SUCCESS);
    }
    let said: Vec<String> = counts(table).iter().map(|(state, n)| format!("{n} {state}")).collect();
    output.text(&format!("{} {}: {}", table.backend, table.version, said.join(", ")))?;
    findings(table)
        .iter()
        .try_for_each(|f| output.text(&format!("{} {f}", output.paint(Style::Bad, "finding"))))?;
    Ok(ExitCode::SUCCESS)
}

/// Compares with the committed table: whether each call runs and what comes out always, how it
/// runs on equal processors only.
fn compare(
    output: &Output,
    backend: &BackendRef,
    table: &MeasuredTable,
    names: &[&'static str],
) -> Result<ExitCode, Failure> {
    let version = backend.version_text();
    let Some(committed) = tables::measured(backend.name(), &version) else {
        let reason = format!("no table of {} {version} is in the project", backend.name());
        let remedy = format!("Write one with `ivy probe --backend {} --out FILE`", backend.name());
        return Err(ivy::Error::from(ErrorKind::BackendUnavailable {
            name: backend.name().into(),
            reason,
            remedy,
        })
        .into());
    };
    let differences: Vec<String> = committed
        .compare(table)
        .iter()
        .filter(|d| names.contains(&d.function.as_str()) || d.first.is_none())
        .map(ToString::to_string)
        .collect();
    if output.is_json() {
        output.json(&json!({"backend": backend.name(), "version": version, "rows": table.rows().len(),
            "differences": differences}))?;
    } else {
        differences.iter().try_for_each(|d| output.text(d))?;
        let verdict = match differences.len() {
            0 => output.paint(Style::Good, "as committed"),
            n => output.paint(Style::Bad, &format!("{n} differences")),
        };
        output.text(&format!(
            "{} {version}: {} rows measured: {verdict}",
            backend.name(),
            table.rows().len()
        ))?;
    }
    Ok(if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
