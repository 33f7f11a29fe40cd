//! The layout that all tables of this folder share: `#` comments, a header, cells between tabs.

use super::error::{Part, TableError};

/// One line of data.
pub(crate) struct Line<'a> {
    pub(crate) number: usize,
    pub(crate) cells: Vec<&'a str>,
}

/// Collects the errors of one file.
pub(crate) struct Errors<'f> {
    file: &'f str,
    pub(crate) list: Vec<TableError>,
}

impl<'f> Errors<'f> {
    pub(crate) fn new(file: &'f str) -> Self {
        Errors { file, list: Vec::new() }
    }

    pub(crate) fn add(&mut self, line: usize, part: Part, key: &str, rule: impl Into<String>) {
        // An empty cell is named, since the key is what people search for.
        let key = if key.is_empty() { "(empty)" } else { key };
        self.list.push(TableError { file: self.file.into(), line, key: key.into(), rule: rule.into(), part });
    }
}

/// The lines of data under a header that must be exactly `columns`. Lines that begin with `@`
/// are passed through whatever their number of cells.
pub(crate) fn lines<'a>(text: &'a str, columns: &[&str], errors: &mut Errors) -> Vec<Line<'a>> {
    let mut rows = text
        .lines()
        .enumerate()
        .filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#'))
        .map(|(i, l)| Line { number: i + 1, cells: l.split('\t').map(str::trim).collect() });
    let expected = columns.join(" ");
    match rows.next() {
        Some(header) if header.cells == columns => {}
        Some(header) => errors.add(
            header.number,
            Part::Layout,
            &header.cells.join(" "),
            format!("expected the header `{expected}`, separated by tabs"),
        ),
        None => errors.add(1, Part::Layout, "", format!("expected the header `{expected}`")),
    }
    let mut out = Vec::new();
    for row in rows {
        if row.cells.len() == columns.len() || row.cells[0].starts_with('@') {
            out.push(row);
        } else {
            let rule = format!("{} cells, {} columns", row.cells.len(), columns.len());
            errors.add(row.number, Part::Layout, row.cells[0], rule);
        }
    }
    out
}

/// What a comment line `# NAME: VALUE` above the header says.
pub(crate) fn comment<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines()
        .take_while(|l| l.trim().is_empty() || l.starts_with('#'))
        .find_map(|l| l.trim_start_matches('#').trim().strip_prefix(name)?.strip_prefix(':').map(str::trim))
}

/// The items of a cell that lists them with commas; `-` is the empty list.
pub(crate) fn list(cell: &str) -> impl Iterator<Item = &str> {
    cell.split(',').filter(move |_| cell != "-").map(str::trim)
}
