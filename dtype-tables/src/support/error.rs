//! What is wrong with a table.

use std::fmt;

/// The part of a table that an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The columns, the number of cells, a header, the order of rows.
    Layout,
    /// A version key or version.
    Range,
    /// A dtype or class name.
    Dtype,
    /// A device name.
    Device,
    /// `supported` or `unsupported`.
    Form,
    /// Both forms on one function.
    BothForms,
    /// A function's name.
    Function,
    /// Another cell.
    Cell,
}

/// One error of a table. Printed as `FILE:LINE: KEY: rule`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// The table's file, or `code of BACKEND`.
    pub file: String,
    /// The line, from 1; the number of the block for code.
    pub line: usize,
    /// What the error is about, as written.
    pub key: String,
    /// What is wrong with it.
    pub rule: String,
    /// The part of the table.
    pub part: Part,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.file, self.line, self.key, self.rule)
    }
}

impl std::error::Error for TableError {}
