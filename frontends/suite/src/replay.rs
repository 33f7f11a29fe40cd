//! The replay of a crate's records.

use crate::compare::{Tolerance, difference, form};
use crate::decode::{Unreadable, value};
use ivy_core::backend::BackendRef;
use ivy_frontend::{Frontend, Keywords, Value, error_class};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

/// What became of the recorded calls.
#[derive(Debug, Default)]
pub struct Report {
    /// Calls with the package's result, or an error where it has one.
    pub passed: usize,
    /// Of those, errors of the package's class.
    pub same_class: usize,
    /// Calls that end in an error as the package's do.
    pub refused: usize,
    /// Calls of functions that have no row yet, by path.
    pub missing: BTreeMap<String, usize>,
    /// Differences that are listed with a reason.
    pub known: usize,
    /// Differences that are not, and listed ones that are gone.
    pub failures: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let missing: usize = self.missing.values().sum();
        write!(
            f,
            "{} calls as recorded ({} errors, {} of the same class), {} known differences, {} failures, {missing} calls of \
             {} functions without a row",
            self.passed,
            self.refused,
            self.same_class,
            self.known,
            self.failures.len(),
            self.missing.len(),
        )
    }
}

/// The rows of a list beside the records, without comments.
fn list(folder: &Path, name: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split('\t').map(String::from).collect()).collect()
}

/// The records of a folder, each with its file and line.
///
/// # Panics
/// Where a file cannot be read.
pub(crate) fn records(folder: &Path) -> impl Iterator<Item = (String, serde_json::Result<Json>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .map(|all| all.filter_map(|entry| Some(entry.ok()?.path())).collect())
        .unwrap_or_default();
    files.retain(|path: &std::path::PathBuf| path.extension().is_some_and(|e| e == "jsonl"));
    files.sort();
    files.into_iter().flat_map(|file| {
        let text = std::fs::read_to_string(&file).expect("the records can be read");
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let line = |(i, line): (usize, &str)| (format!("{name}:{}", i + 1), serde_json::from_str(line));
        text.lines().enumerate().skip(1).map(line).collect::<Vec<_>>()
    })
}

/// A number of a call that stays the same when others are recorded anew.
fn number(line: &Json) -> String {
    let text = format!("{}{}{}", line["f"], line["a"], line["k"]);
    let hash =
        text.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    format!("{:08x}", hash >> 32)
}

/// Replays every record of a crate's folder on a backend.
///
/// # Panics
/// Where a file cannot be read: a test is to fail then.
pub fn replay(frontend: &'static Frontend, folder: &Path, backend: &BackendRef) -> Report {
    let known: BTreeMap<(String, String), bool> = list(folder, "known.tsv")
        .into_iter()
        .filter_map(|cells| Some(((cells.first()?.clone(), cells.get(1)?.clone()), false)))
        .collect();
    let mut replay =
        Replay { frontend, backend, known, tolerances: tolerances(folder), report: Report::default() };
    for (place, json) in records(folder) {
        match json {
            Ok(json) => replay.line(&place, &json),
            Err(error) => replay.report.failures.push(format!("{place}: {error}")),
        }
    }
    let gone: BTreeSet<_> =
        replay.known.iter().filter(|(_, used)| !**used).map(|(key, _)| key.clone()).collect();
    for (path, number) in gone {
        if frontend.find(&path).is_ok() {
            replay.report.failures.push(format!("known.tsv: {path} {number} has no difference any more"));
        }
    }
    replay.report
}

fn tolerances(folder: &Path) -> BTreeMap<String, Tolerance> {
    let rows = list(folder, "tolerances.tsv").into_iter();
    let row = |cells: Vec<String>| {
        let (float64, float32) = (cells.get(1)?.parse().ok()?, cells.get(2)?.parse().ok()?);
        Some((cells.first()?.clone(), Tolerance { float64, float32 }))
    };
    rows.filter_map(row).collect()
}

struct Replay<'a> {
    frontend: &'static Frontend,
    backend: &'a BackendRef,
    known: BTreeMap<(String, String), bool>,
    tolerances: BTreeMap<String, Tolerance>,
    report: Report,
}

impl Replay<'_> {
    fn line(&mut self, place: &str, json: &Json) {
        let Some(path) = json["f"].as_str() else {
            self.report.failures.push(format!("{place}: a record has no function"));
            return;
        };
        let owner = path.rsplit_once('.').map_or(path, |(owner, _)| owner);
        let is_there = self.frontend.find(path).is_ok()
            || ["reduce", "accumulate", "outer", "at"].iter().any(|m| path.ends_with(&format!(".{m}")))
                && self.frontend.find(owner).is_ok();
        if !is_there {
            *self.report.missing.entry(path.into()).or_default() += 1;
            return;
        }
        match self.call(path, json) {
            Ok(None) => self.report.passed += 1,
            Ok(Some(text)) | Err(text) => {
                let number = number(json);
                for key in [(path.to_string(), number.clone()), (path.to_string(), "*".into())] {
                    if let Some(used) = self.known.get_mut(&key) {
                        *used = true;
                        self.report.known += 1;
                        return;
                    }
                }
                self.report.failures.push(format!("{place}: {path} {number}: {text}"));
            }
        }
    }

    /// Makes a recorded call, and tells what is different.
    fn call(&mut self, path: &str, json: &Json) -> Result<Option<String>, Unreadable> {
        let arguments = json["a"].as_array().map_or(&[][..], Vec::as_slice);
        let positional: Vec<Value<'_>> =
            arguments.iter().map(|a| value(a, Some(self.backend))).collect::<Result<_, _>>()?;
        let mut keywords = Keywords::new();
        for (name, given) in json["k"].as_object().into_iter().flatten() {
            keywords = keywords.with(name, value(given, Some(self.backend))?);
        }
        let result = self.frontend.call(path, &positional, keywords);
        let mut tolerance = self.tolerances.get(path).copied().unwrap_or_default();
        if let Some(own) = json["tolerance"][0].as_f64() {
            tolerance = Tolerance { float64: own, float32: own };
        }
        Ok(match (json.get("e"), result) {
            (Some(class), Err(error)) => {
                self.report.refused += 1;
                let own = error_class(self.frontend.name(), error.kind());
                self.report.same_class += usize::from(class.as_str() == Some(own));
                None
            }
            (Some(class), Ok(result)) => {
                let text = result.told();
                Some(format!("{class} is expected, got {text}"))
            }
            (None, Err(error)) => Some(format!("refused: {error}")),
            (None, Ok(result)) if json["compare"] == "shape" => form(&json["r"], &result),
            (None, Ok(result)) => difference(&json["r"], &result, tolerance),
        })
    }
}
