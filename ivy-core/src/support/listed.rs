//! What the tables say of one function on one backend.

use super::code::code_table;
use super::tables::{self, Form, How, MeasuredTable, Table, Version};
use crate::backend::{BackendRef, Device, declared_of, table_device};
use crate::plan::State;
use crate::{Dtype, DtypeSet, Result};
use std::fmt::Write as _;

/// True if tables or code describe a backend of this name.
pub(crate) fn is_described(backend: &str) -> bool {
    tables::declared(backend).is_some()
        || tables::measured_files().iter().any(|(name, ..)| *name == backend)
        || code_table(backend).map_or(true, |table| table.is_some())
}

/// The tables' word on a function.
pub(crate) struct Listed {
    function: String,
    source: Source,
}

enum Source {
    /// What code or a file declares: the dtypes that work, and the row in words.
    Declared {
        supported: DtypeSet,
        row: String,
        older: Option<String>,
        /// Whether it replaces what following a composition finds.
        whole: bool,
    },
    Measured(&'static MeasuredTable),
}

/// The tables' word on a function and a dtype.
pub(crate) struct Answer {
    /// How it runs; `None` if it is refused.
    pub(crate) state: Option<State>,
    /// The row that says so.
    pub(crate) row: String,
}

/// What the tables say of a function; `None` if they say nothing. Of an installed backend only
/// what its crate declares counts: it answers for itself.
pub(crate) fn listed(backend: &BackendRef, function: &str) -> Result<Option<Listed>> {
    let name = backend.name();
    let declared = declared_of(backend);
    let source = match code_table(name)? {
        Some(table) if table.rows_of(function).next().is_some() => {
            let version = backend.version_text().parse().ok();
            version.and_then(|v| of_table(&table, function, backend, &v, false))
        }
        _ => None,
    };
    let source = source.or_else(|| {
        let version = declared?.asked_version();
        match tables::measured(name, version.as_str()) {
            Some(measured) => {
                let row = measured.rows().iter().any(|r| r.function == function);
                row.then_some(Source::Measured(measured))
            }
            // A function that the files list was the backend's own.
            None => of_table(tables::declared(name)?, function, backend, version, true),
        }
    });
    Ok(source.map(|source| Listed { function: function.into(), source }))
}

fn of_table(
    table: &Table,
    function: &str,
    backend: &BackendRef,
    version: &Version,
    whole: bool,
) -> Option<Source> {
    let device = backend.devices().first().copied().unwrap_or(Device::CPU);
    let answer = table.lookup(function, table_device(device), version)?;
    let supported = DtypeSet::from_bits(answer.supported(tables::ALL_DTYPES));
    let row = answer.row;
    let mut text = format!("{}:{}: {} {}", table.file, row.line, row.form, row.written);
    let (form, versions) = (if row.form == Form::Supported { "only for" } else { "for" }, &row.versions);
    // Writing to a string does not fail.
    let _ = write!(text, " ({form} {versions})");
    let older = matches!(answer.how, How::LastKey { older: true }).then(|| {
        format!("the row is older than {} {version}: the last known version's is taken", table.backend)
    });
    Some(Source::Declared { supported, row: text, older, whole: whole || row.overrides })
}

impl Listed {
    /// How a dtype runs, and the row.
    pub(crate) fn answer(&self, dtype: Dtype) -> Answer {
        match &self.source {
            Source::Declared { supported, row, .. } => {
                Answer { state: supported.contains(dtype).then_some(State::Native), row: row.clone() }
            }
            Source::Measured(table) => match table.lookup(&self.function, dtype.name()) {
                None => Answer { state: None, row: format!("{}: no row for it", table.file) },
                Some(row) => {
                    let how = row.how.as_deref().map_or(String::new(), |how| format!(": {how}"));
                    let text = format!("{}:{}: {}{how}", table.file, row.line, row.state);
                    Answer { state: state(row), row: text }
                }
            },
        }
    }

    /// Whether this is the answer about a composition as well, of a backend that is not here.
    /// One that is here runs the composition, whatever a list says of it.
    pub(crate) fn is_whole(&self) -> bool {
        match &self.source {
            Source::Declared { whole, .. } => *whole,
            Source::Measured(_) => true,
        }
    }

    /// The dtypes that work.
    pub(crate) fn supported(&self) -> DtypeSet {
        Dtype::all().filter(|&d| self.answer(d).state.is_some()).collect()
    }

    /// A warning where the row is older than the version asked about (decision S24).
    pub(crate) fn older(&self) -> Option<String> {
        match &self.source {
            Source::Declared { older, .. } => older.clone(),
            Source::Measured(_) => None,
        }
    }
}

/// A measured row's state as a plan has it.
fn state(row: &'static tables::MeasuredRow) -> Option<State> {
    let how = row.how.as_deref().unwrap_or("");
    match row.state {
        tables::State::Native => Some(State::Native),
        tables::State::Composed => Some(State::Composed),
        tables::State::Emulated => Some(State::Emulated(how)),
        tables::State::Host => Some(State::Host(how)),
        tables::State::Refused => None,
    }
}
