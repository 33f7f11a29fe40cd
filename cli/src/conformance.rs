//! The conformance check: a progress bar, a summary, and reports as files.

use crate::output::{Failure, Output, Style};
use indicatif::{ProgressBar, ProgressStyle};
use ivy::backend::BackendRef;
use ivy::function::{find_function, functions};
use ivy::{ErrorKind, Rules};
use ivy_conformance::{CellState, Report, report};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// How many failures the summary lists.
const LISTED: usize = 20;

#[derive(clap::Args)]
pub struct Options {
    /// A backend to check; all that are available if none is named (may be repeated)
    #[arg(long, value_name = "B")]
    backend: Vec<String>,
    /// A function to check; all if none is named (may be repeated)
    #[arg(long, value_name = "F")]
    function: Vec<String>,
    /// A set of rules to check; all if none is named (may be repeated). Values are checked with the precise rules, the dtypes
    /// of results with every other
    #[arg(long, value_name = "R")]
    rules: Vec<Rules>,
    /// Write the cells as JSON to a file, or to standard output if none is named, or `-`
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    json: Option<Option<PathBuf>>,
    /// Write the report as one self-contained HTML page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Check this fraction of the dtype combinations, chosen by the seed; under every set of rules but precise, where it
    /// is below one, a tenth of it
    #[arg(long, value_name = "FRACTION", default_value_t = 1.0)]
    sample: f64,
    /// The seed of values and samples
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Check only the Kth of N parts of the functions, for N processes side by side
    #[arg(long, value_name = "K/N", value_parser = part)]
    part: Option<(usize, usize)>,
}

/// A number, and of how many.
fn part(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    numbers.filter(|&(k, n)| (1..=n).contains(&k)).ok_or_else(|| "not K/N with 1 <= K <= N".into())
}

/// The functions that are asked for: of these, or of all if none is, every Nth from the Kth on.
fn chosen_functions(options: &Options) -> Result<Vec<String>, ivy::Error> {
    options.function.iter().try_for_each(|name| find_function(name).map(drop))?;
    let Some((k, n)) = options.part else { return Ok(options.function.clone()) };
    let all = || functions().into_iter().map(|f| f.name.to_string()).collect();
    let names = if options.function.is_empty() { all() } else { options.function.clone() };
    let chosen: Vec<String> = names.into_iter().skip(k - 1).step_by(n).collect();
    // None would be all.
    if chosen.is_empty() {
        let (value, rule) = (format!("{k}/{n}"), "there are no more parts than functions");
        return Err(
            ErrorKind::InvalidArgument { function: "conformance", argument: "part", value, rule }.into()
        );
    }
    Ok(chosen)
}

pub fn run(output: &Output, options: &Options) -> Result<ExitCode, Failure> {
    let backends = chosen_backends(options)?;
    let functions = chosen_functions(options)?;
    if !(0.0..=1.0).contains(&options.sample) {
        let (value, rule) = (options.sample.to_string(), "a fraction from 0 to 1");
        return Err(ivy::Error::from(ErrorKind::InvalidArgument {
            function: "conformance",
            argument: "sample",
            value,
            rule,
        })
        .into());
    }
    // A name of - is standard output, as no name is.
    let json = options.json.as_ref().map(|file| file.as_deref().filter(|file| *file != Path::new("-")));
    // Opened first, so that a file that cannot be written is known before the long run.
    for path in [json.flatten(), options.html.as_deref()].into_iter().flatten() {
        write(path, "")?;
    }
    let style =
        ProgressStyle::with_template("{bar:40} {pos:>3}/{len} {elapsed} {msg}").expect("a valid template");
    let bar = ProgressBar::new(1).with_style(style);
    let run = ivy_conformance::Options {
        backends,
        functions,
        rules: if options.rules.is_empty() { Rules::ALL.to_vec() } else { options.rules.clone() },
        seed: options.seed,
        fraction: options.sample,
        threads: 0,
    };
    let found = ivy_conformance::run(&run, &|progress| {
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
        bar.set_message(match progress.failed {
            0 => progress.function.to_string(),
            n => format!("{}  ({n} failed)", progress.function),
        });
    });
    bar.finish_and_clear();
    if let Some(Some(path)) = json {
        write(path, &report::json(&found).to_string())?;
    }
    if let Some(path) = &options.html {
        write(path, &report::html(&found))?;
    }
    match json {
        Some(None) => output.json(&report::json(&found))?,
        _ => summary(output, &found)?,
    }
    Ok(if found.passed() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn chosen_backends(options: &Options) -> Result<Vec<BackendRef>, ivy::Error> {
    if options.backend.is_empty() {
        return Ok(ivy::backend::backends().into_iter().filter_map(|b| b.instance.ok()).collect());
    }
    options.backend.iter().map(|name| ivy::backend::backend(name)).collect()
}

fn write(path: &Path, text: &str) -> Result<(), ivy::Error> {
    std::fs::write(path, text)
        .map_err(|source| ErrorKind::Io { path: path.display().to_string(), source }.into())
}

fn summary(output: &Output, found: &Report) -> Result<(), Failure> {
    let heading = ["BACKEND", "VERSION", "DEVICE"].into_iter().map(String::from);
    let mut rows = vec![heading.chain(CellState::ALL.map(|s| s.name().to_uppercase())).collect::<Vec<_>>()];
    for (name, version, device) in &found.backends {
        let counts = CellState::ALL.map(|state| found.count(Some(name), state).to_string());
        rows.push([name, version, device].into_iter().cloned().chain(counts).collect());
    }
    output.columns(&rows)?;
    for cell in found.failures().take(LISTED) {
        let call = format!(
            "{}({}) on {}, {} rules",
            cell.function,
            cell.dtypes.join(", "),
            cell.backend,
            cell.rules
        );
        output.text(&format!("{} {call}: {}", output.paint(Style::Bad, "failed"), cell.reason))?;
    }
    let failed = found.failures().count();
    if failed > LISTED {
        output.text(&format!("... and {} more; --html or --json FILE lists all", failed - LISTED))?;
    }
    let sampled = match found.fraction {
        f if f < 1.0 => format!("; a sample of {:.0} % with seed {}", f * 100.0, found.seed),
        _ => String::new(),
    };
    let verdict = match failed {
        0 => output.paint(Style::Good, "conforms"),
        _ => output.paint(Style::Bad, &format!("{failed} cells failed")),
    };
    output.text(&format!(
        "{} cells under {} from {} calls, {} calls outside the domains refused, {:.1} s{sampled}: {verdict}",
        found.cells.len(),
        match found.rules[..] {
            [only] => format!("the {only} rules"),
            _ => format!("{} sets of rules", found.rules.len()),
        },
        found.calls,
        found.outside,
        found.seconds
    ))
}
