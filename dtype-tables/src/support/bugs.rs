//! Known bugs of backends: what is wrong, how to see it, and what it waits for.

use super::{
    error::{Part, TableError},
    key::VersionKey,
    parse::{dtypes, functions, key},
    tsv::{Errors, lines, list},
    version::Version,
};
use std::sync::LazyLock;

include!(concat!(env!("OUT_DIR"), "/support.rs"));

/// The embedded measured tables: backend, version, file, text.
pub(crate) static MEASURED_FILES: &[(&str, &str, &str, &str)] = MEASURED;

/// The columns of a table of bugs.
pub(crate) const COLUMNS: [&str; 7] =
    ["backend", "version", "functions", "dtypes", "what", "reproduction", "upstream"];

/// One known bug of a backend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug {
    /// Its line in the file.
    pub line: usize,
    /// The backend.
    pub backend: String,
    /// The versions that have it.
    pub versions: VersionKey,
    /// The functions that it touches.
    pub functions: Vec<String>,
    /// The dtypes that it touches.
    pub dtypes: u32,
    /// What happens, and what should.
    pub what: String,
    /// A short way to see it.
    pub reproduction: String,
    /// The issue of the backend that a repair waits for, where one is known.
    pub upstream: Option<String>,
}

/// Reads a table of bugs: columns `backend version functions dtypes what reproduction upstream`,
/// laid out as support tables are. `version` is a [`VersionKey`], `upstream` may be `-`.
///
/// ```
/// use ivy_dtype_tables::support::parse_bugs;
/// let bugs = parse_bugs(
///     "bugs.tsv",
///     "backend\tversion\tfunctions\tdtypes\twhat\treproduction\tupstream\n\
///      torch\t2.13.0\tremainder\tinteger\tdies on 0\tremainder(1, 0)\t-\n",
/// )
/// .unwrap();
/// assert_eq!((bugs[0].line, bugs[0].upstream.as_deref()), (2, None));
/// ```
pub fn parse_bugs(file: &str, text: &str) -> Result<Vec<Bug>, Vec<TableError>> {
    let mut errors = Errors::new(file);
    let mut bugs = Vec::new();
    for line in lines(text, &COLUMNS, &mut errors) {
        let (number, c) = (line.number, &line.cells);
        let versions = key(number, c[1], &mut errors);
        let functions = functions(number, c[2], &mut errors);
        let dtypes = dtypes(number, list(c[3]), &mut errors);
        for i in [4, 5] {
            if c[i].is_empty() || c[i] == "-" {
                errors.add(number, Part::Cell, c[i], format!("a bug has a `{}`", COLUMNS[i]));
            }
        }
        if let Some(versions) = versions {
            bugs.push(Bug {
                line: number,
                backend: c[0].into(),
                versions,
                functions,
                dtypes,
                what: c[4].into(),
                reproduction: c[5].into(),
                upstream: Some(c[6].to_string()).filter(|u| u != "-" && !u.is_empty()),
            });
        }
    }
    if errors.list.is_empty() { Ok(bugs) } else { Err(errors.list) }
}

/// The file of the embedded bugs and its text, if the project has one.
pub fn bugs_file() -> Option<(&'static str, &'static str)> {
    BUGS
}

/// The embedded bugs of a backend at a version.
pub fn bugs<'a>(backend: &'a str, version: &'a Version) -> impl Iterator<Item = &'static Bug> + 'a {
    static LIST: LazyLock<Vec<Bug>> =
        LazyLock::new(|| BUGS.and_then(|(file, text)| parse_bugs(file, text).ok()).unwrap_or_default());
    LIST.iter().filter(move |b| b.backend == backend && b.versions.contains(version))
}
