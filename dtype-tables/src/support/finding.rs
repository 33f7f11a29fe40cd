//! What the linter finds.

use super::error::{Part, TableError};
use std::fmt;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Worth knowing; tables of the past are full of it.
    Note,
    /// The answer is defined, but hardly the one that was meant.
    Warning,
    /// The table is wrong.
    Error,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingKind {
    /// The table cannot be read: layout, form, device or another cell.
    Malformed,
    /// A version key cannot be read.
    MalformedRange,
    /// A name that is neither a dtype nor a class.
    UnknownDtype,
    /// Both forms on one function.
    BothForms,
    /// No function has this name.
    UnknownFunction,
    /// A function has two rows for one key and device.
    DeviceTwice,
    /// Two ranges of one function and device hold the same versions; the first is taken.
    Overlap,
    /// Keys before it, or exact keys, hold every version that a key holds.
    Unreachable,
    /// Versions between two keys, or before the first, take the last key.
    Gap,
    /// Versions above every key take the last key.
    FallAbove,
    /// The last key is older than the installed version.
    OlderThanInstalled,
}

impl FindingKind {
    /// How bad it is.
    pub fn level(self) -> Level {
        match self {
            FindingKind::Overlap | FindingKind::Unreachable | FindingKind::Gap => Level::Warning,
            FindingKind::FallAbove | FindingKind::OlderThanInstalled => Level::Note,
            _ => Level::Error,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        })
    }
}

/// One finding. Printed as `FILE:LINE: LEVEL: KEY: text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is; [`level`](FindingKind::level) says how bad.
    pub kind: FindingKind,
    /// The table's file.
    pub file: String,
    /// The line.
    pub line: usize,
    /// The version key, function, dtype or device that it is about.
    pub key: String,
    /// What is wrong.
    pub text: String,
}

impl Finding {
    /// How bad it is.
    pub fn level(&self) -> Level {
        self.kind.level()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}: {}", self.file, self.line, self.level(), self.key, self.text)
    }
}

impl From<TableError> for Finding {
    fn from(error: TableError) -> Self {
        let kind = match error.part {
            Part::Range => FindingKind::MalformedRange,
            Part::Dtype => FindingKind::UnknownDtype,
            Part::BothForms => FindingKind::BothForms,
            _ => FindingKind::Malformed,
        };
        Finding { kind, file: error.file, line: error.line, key: error.key, text: error.rule }
    }
}
