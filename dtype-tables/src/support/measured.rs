//! Measured tables: what an installed backend does with each function and dtype.

use super::{
    bugs::MEASURED_FILES,
    error::{Part, TableError},
    tsv::{Errors, comment, lines, list},
};
use crate::{COUNT, DTYPES};
use std::{fmt, sync::LazyLock};

/// The columns of a measured table.
pub(crate) const COLUMNS: [&str; 5] = ["function", "dtype", "state", "result", "how"];
const HEADER: [&str; 4] = ["backend", "version", "crate", "cpu"];

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The backend's own function.
    Native,
    /// Several functions of the backend.
    Composed,
    /// The backend, in another dtype or form, with the same result.
    Emulated,
    /// Computed in the host's memory.
    Host,
    /// An error.
    Refused,
}

impl State {
    /// All states, in order.
    pub const ALL: [State; 5] =
        [State::Native, State::Composed, State::Emulated, State::Host, State::Refused];

    /// The word in tables.
    pub fn name(self) -> &'static str {
        ["native", "composed", "emulated", "host", "refused"][self as usize]
    }

    /// The state of a table's word.
    pub fn from_name(name: &str) -> Option<State> {
        State::ALL.into_iter().find(|s| s.name() == name)
    }

    /// Whether the call gave a result.
    pub fn runs(self) -> bool {
        self != State::Refused
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What one function did with one dtype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredRow {
    /// Its line in the file.
    pub line: usize,
    /// The function.
    pub function: String,
    /// The dtype of its operands, by name.
    pub dtype: &'static str,
    /// What became of the call.
    pub state: State,
    /// The dtypes of the results, by name; none if refused or if no array came back.
    pub result: Vec<&'static str>,
    /// How it was emulated or composed, or why refused.
    pub how: Option<String>,
}

impl MeasuredRow {
    /// A row; its line is set when a table is made of it. `None` if a name is no dtype's.
    pub fn new(
        function: &str,
        dtype: &str,
        state: State,
        result: &[&str],
        how: Option<&str>,
    ) -> Option<MeasuredRow> {
        Some(MeasuredRow {
            line: 0,
            function: function.to_string(),
            dtype: dtype_name(dtype)?,
            state,
            result: result.iter().map(|r| dtype_name(r)).collect::<Option<_>>()?,
            // Cells are between tabs and rows are lines.
            how: how
                .map(|h| h.split_whitespace().collect::<Vec<_>>().join(" "))
                .filter(|h| !h.is_empty() && h != "-"),
        })
    }
}

fn dtype_name(name: &str) -> Option<&'static str> {
    DTYPES[..COUNT].iter().map(|d| d.name).find(|n| *n == name)
}

pub(crate) fn dtype_index(name: &str) -> usize {
    DTYPES.iter().position(|d| d.name == name).unwrap_or(DTYPES.len())
}

/// A measured table, sorted by function, then by dtype in the order of [`DTYPES`].
///
/// ```
/// use ivy_dtype_tables::support::{MeasuredRow, MeasuredTable, State};
/// let row = |dtype, state, result: &[_]| MeasuredRow::new("sqrt", dtype, state, result, None).unwrap();
/// let table = MeasuredTable::new(
///     "torch@2.13.0.tsv",
///     ["torch", "2.13.0", "tch 0.26.0", "x86_64 avx2"],
///     vec![row("float16", State::Native, &["float16"]), row("int8", State::Refused, &[])],
/// )
/// .unwrap();
/// assert_eq!(MeasuredTable::parse("torch@2.13.0.tsv", &table.write()).unwrap(), table);
/// assert_eq!(table.lookup("sqrt", "float16").unwrap().line, 7);
/// assert!(table.compare(&table).is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredTable {
    /// The file, as errors and `explain` name it.
    pub file: String,
    /// The backend.
    pub backend: String,
    /// The version that was measured.
    pub version: String,
    /// The crate that reached it, with its version.
    pub krate: String,
    /// The processor's features that results may depend on.
    pub cpu: String,
    rows: Vec<MeasuredRow>,
}

impl MeasuredTable {
    /// Puts rows together and sorts them. `header` is backend, version, crate and CPU features.
    /// Errors: a function and dtype twice.
    pub fn new(
        file: &str,
        header: [&str; 4],
        mut rows: Vec<MeasuredRow>,
    ) -> Result<MeasuredTable, Vec<TableError>> {
        rows.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
        // The rows follow the comments and the header line.
        rows.iter_mut().enumerate().for_each(|(i, r)| r.line = HEADER.len() + 2 + i);
        let mut errors = Errors::new(file);
        for pair in rows.windows(2).filter(|p| sort_key(&p[0]) == sort_key(&p[1])) {
            let key = format!("{} {}", pair[1].function, pair[1].dtype);
            errors.add(pair[1].line, Part::Layout, &key, "has a second row");
        }
        let [backend, version, krate, cpu] = header.map(|h| h.trim().to_string());
        let file = file.to_string();
        if !errors.list.is_empty() {
            return Err(errors.list);
        }
        Ok(MeasuredTable { file, backend, version, krate, cpu, rows })
    }

    /// Reads a measured table: the comments `# backend: `, `# version: `, `# crate: ` and
    /// `# cpu: `, the header line `function dtype state result how` and sorted rows. `result` is
    /// dtypes joined by commas or `-`, `how` is text or `-`. Errors: all that is wrong.
    pub fn parse(file: &str, text: &str) -> Result<MeasuredTable, Vec<TableError>> {
        let mut errors = Errors::new(file);
        let header = HEADER.map(|name| match comment(text, name) {
            Some(value) => value.to_string(),
            None => {
                errors.add(1, Part::Layout, name, format!("expected a comment `# {name}: ...`"));
                String::new()
            }
        });
        let mut rows: Vec<MeasuredRow> = Vec::new();
        for line in lines(text, &COLUMNS, &mut errors) {
            let (number, c) = (line.number, &line.cells);
            let mut dtype = |name: &str| {
                let found = dtype_name(name);
                if found.is_none() {
                    errors.add(number, Part::Dtype, name, "is no dtype");
                }
                found
            };
            let operand = dtype(c[1]);
            let result: Option<Vec<&'static str>> = list(c[3]).map(&mut dtype).collect();
            let state = State::from_name(c[2]);
            if state.is_none() {
                let words = State::ALL.map(State::name).join(", ");
                errors.add(number, Part::Cell, c[2], format!("is no state; expected one of {words}"));
            }
            let (Some(dtype), Some(result), Some(state)) = (operand, result, state) else { continue };
            let how = Some(c[4].to_string()).filter(|h| h != "-");
            let row = MeasuredRow { line: number, function: c[0].into(), dtype, state, result, how };
            if rows.last().is_some_and(|last| sort_key(last) >= sort_key(&row)) {
                let key = format!("{} {}", row.function, row.dtype);
                errors.add(number, Part::Layout, &key, "comes after a row that it should precede, or twice");
            }
            rows.push(row);
        }
        if !errors.list.is_empty() {
            return Err(errors.list);
        }
        let [backend, version, krate, cpu] = header;
        Ok(MeasuredTable { file: file.to_string(), backend, version, krate, cpu, rows })
    }

    /// The text of the table, which [`parse`](Self::parse) reads back.
    pub fn write(&self) -> String {
        let values = [&self.backend, &self.version, &self.krate, &self.cpu];
        let mut out: String =
            HEADER.iter().zip(values).map(|(name, value)| format!("# {name}: {value}\n")).collect();
        out += &COLUMNS.join("\t");
        out.push('\n');
        for r in &self.rows {
            let result = if r.result.is_empty() { "-".to_string() } else { r.result.join(",") };
            let how = r.how.as_deref().unwrap_or("-");
            out += &format!("{}\t{}\t{}\t{result}\t{how}\n", r.function, r.dtype, r.state);
        }
        out
    }

    /// All rows, sorted.
    pub fn rows(&self) -> &[MeasuredRow] {
        &self.rows
    }

    /// The row of a function and dtype, with its line.
    pub fn lookup(&self, function: &str, dtype: &str) -> Option<&MeasuredRow> {
        let wanted = (function, dtype_index(dtype));
        self.rows.binary_search_by(|r| sort_key(r).cmp(&wanted)).ok().map(|i| &self.rows[i])
    }
}

fn sort_key(row: &MeasuredRow) -> (&str, usize) {
    (&row.function, dtype_index(row.dtype))
}

/// The embedded measured tables: backend, version, file, text.
pub fn measured_files() -> &'static [(&'static str, &'static str, &'static str, &'static str)] {
    MEASURED_FILES
}

/// The embedded measured table of a backend at a version (`support/measured/BACKEND@VERSION.tsv`,
/// versions compared by meaning), or `None` if it was not measured.
///
/// ```
/// use ivy_dtype_tables::support::measured;
/// assert!(measured("abacus", "1.0").is_none());
/// ```
pub fn measured(backend: &str, version: &str) -> Option<&'static MeasuredTable> {
    static TABLES: LazyLock<Vec<(&str, &str, MeasuredTable)>> = LazyLock::new(|| {
        let read = |&(backend, version, file, text): &(&'static str, &'static str, &str, &str)| {
            Some((backend, version, MeasuredTable::parse(file, text).ok()?))
        };
        MEASURED_FILES.iter().filter_map(read).collect()
    });
    let asked = version.parse::<super::Version>().ok();
    let same = |text: &str| text == version || asked.is_some() && text.parse().ok() == asked;
    TABLES.iter().find(|(b, v, _)| *b == backend && same(v)).map(|(.., table)| table)
}
