//! Reading tables: rows of cells, each with the place that an error names.

use std::fs;

/// A line of a table that holds data.
pub struct Row {
    /// `FILE:LINE`, for errors.
    pub place: String,
    /// The cells, trimmed.
    pub cells: Vec<String>,
}

impl Row {
    /// The cells, of which there must be `N`.
    pub fn exactly<const N: usize>(&self) -> [&str; N] {
        match <[_; N]>::try_from(self.cells.iter().map(String::as_str).collect::<Vec<_>>()) {
            Ok(cells) => cells,
            Err(cells) => panic!("{}: {N} cells expected, {} found", self.place, cells.len()),
        }
    }
}

/// The lines of a table that hold data.
pub fn read_rows(file: &str) -> Vec<Row> {
    println!("cargo:rerun-if-changed={file}");
    let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{file}: {e}"));
    text.lines()
        .enumerate()
        .filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#'))
        .map(|(i, l)| Row {
            place: format!("{file}:{}", i + 1),
            cells: l.split('\t').map(|c| c.trim().to_string()).collect(),
        })
        .collect()
}

/// The lines of a table that need not be there. The caller watches its folder: cargo holds a watched file that is missing
/// for a change, every time.
pub fn read_rows_if_there(file: &str) -> Option<Vec<Row>> {
    fs::exists(file).unwrap_or(false).then(|| read_rows(file))
}
