//! The embedded tables of what Ivy declares, and the lists that go with them.

use super::{
    error::{Part, TableError},
    key::VersionKey,
    parse::{dtypes, key, parse_table},
    resolve::{Resolved, resolve},
    table::Table,
    tsv::{Errors, lines, list},
    version::Version,
};
use std::{collections::BTreeMap, sync::LazyLock};

macro_rules! embedded {
    ($path:literal) => {
        (concat!("dtype-tables/support/", $path), include_str!(concat!("../../support/", $path)))
    };
}

macro_rules! embedded_backends {
    ($($backend:literal)*) => { &[$((
        $backend,
        concat!("dtype-tables/support/declared/", $backend, ".tsv"),
        include_str!(concat!("../../support/declared/", $backend, ".tsv")),
    )),*] };
}

/// What Ivy 1.0.0.5 declares of its backends: backend, file, text.
pub static DECLARED: &[(&str, &str, &str)] =
    embedded_backends!["torch" "numpy" "jax" "tensorflow" "paddle" "mxnet"];

pub(crate) const VALID: (&str, &str) = embedded!("valid.tsv");
const VERSIONS: (&str, &str) = embedded!("versions.tsv");
const FUNCTIONS: (&str, &str) = embedded!("functions.tsv");
const OWN: (&str, &str) = embedded!("own.tsv");
const SURFACE: (&str, &str) = embedded!("surface.tsv");

/// The declared table of a backend: Ivy's own lists for the versions of its time. `None` for a
/// backend that Ivy does not have.
///
/// ```
/// use ivy_dtype_tables::support::{Device, declared, dtype_names};
/// let torch = declared("torch").unwrap();
/// let answer = torch.lookup("expm1", Device::Cpu, &"2.0.1".parse().unwrap()).unwrap();
/// assert_eq!(dtype_names(answer.dtypes), ["float16", "complex64", "complex128"]);
/// ```
pub fn declared(backend: &str) -> Option<&'static Table> {
    static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
        DECLARED.iter().filter_map(|(_, file, text)| parse_table(file, text).ok()).collect()
    });
    TABLES.iter().find(|t| t.backend == backend)
}

/// The backends with a declared table.
pub fn declared_backends() -> impl Iterator<Item = &'static str> {
    DECLARED.iter().map(|(backend, ..)| *backend)
}

/// One row of `support/valid.tsv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidRow {
    /// Its line.
    pub line: usize,
    /// The backend.
    pub backend: String,
    /// The versions that it is about.
    pub versions: VersionKey,
    /// The dtypes that the backend has then.
    pub dtypes: u32,
}

/// The columns of `support/valid.tsv`.
pub(crate) const VALID_COLUMNS: [&str; 3] = ["backend", "versions", "dtypes"];

/// Reads a table of the dtypes that backends have: columns `backend versions dtypes`.
pub fn parse_valid(file: &str, text: &str) -> Result<Vec<ValidRow>, Vec<TableError>> {
    let mut errors = Errors::new(file);
    let mut rows = Vec::new();
    for line in lines(text, &VALID_COLUMNS, &mut errors) {
        let versions = key(line.number, line.cells[1], &mut errors);
        let dtypes = dtypes(line.number, list(line.cells[2]), &mut errors);
        if let Some(versions) = versions {
            rows.push(ValidRow { line: line.number, backend: line.cells[0].into(), versions, dtypes });
        }
    }
    if errors.list.is_empty() { Ok(rows) } else { Err(errors.list) }
}

/// The dtypes that a backend had at a version, how the version was resolved (the index counts
/// the backend's own rows), and the line of [`VALID_FILE`]. `None` for a backend that Ivy does
/// not have. For an installed backend the backend itself is asked, not this (decision S27).
///
/// ```
/// use ivy_dtype_tables::support::{dtype_set, valid_dtypes};
/// let at = |backend: &str, version: &str| valid_dtypes(backend, &version.parse().unwrap());
/// let (torch, ..) = at("torch", "2.0.1").unwrap();
/// assert_eq!(torch & dtype_set("unsigned").unwrap(), dtype_set("uint8").unwrap());
/// let (paddle, _, line) = at("paddle", "2.6").unwrap();
/// assert!(paddle & dtype_set("bfloat16").unwrap() != 0 && line > 1);
/// assert!(at("abacus", "1").is_none());
/// ```
pub fn valid_dtypes(backend: &str, version: &Version) -> Option<(u32, Resolved, usize)> {
    static ROWS: LazyLock<Vec<ValidRow>> =
        LazyLock::new(|| parse_valid(VALID.0, VALID.1).unwrap_or_default());
    let rows: Vec<&ValidRow> = ROWS.iter().filter(|r| r.backend == backend).collect();
    let keys: Vec<VersionKey> = rows.iter().map(|r| r.versions.clone()).collect();
    let resolved = resolve(&keys, version)?;
    let row = rows[resolved.index];
    Some((row.dtypes, resolved, row.line))
}

/// The file that [`valid_dtypes`] reads.
pub const VALID_FILE: &str = VALID.0;

/// Reads a map of two columns or more to the rest of each line; every first cell once.
fn parse_map<'a>(
    (file, text): (&str, &'a str),
    columns: &[&str],
) -> Result<BTreeMap<&'a str, Vec<&'a str>>, Vec<TableError>> {
    let mut errors = Errors::new(file);
    let mut map = BTreeMap::new();
    for line in lines(text, columns, &mut errors) {
        if map.insert(line.cells[0], line.cells[1..].to_vec()).is_some() {
            errors.add(line.number, Part::Layout, line.cells[0], "has a second row");
        }
    }
    if errors.list.is_empty() { Ok(map) } else { Err(errors.list) }
}

fn functions() -> &'static BTreeMap<&'static str, Vec<&'static str>> {
    static MAP: LazyLock<BTreeMap<&str, Vec<&str>>> =
        LazyLock::new(|| parse_map(FUNCTIONS, &["function", "module", "standard"]).unwrap_or_default());
    &MAP
}

fn own() -> &'static BTreeMap<&'static str, Vec<&'static str>> {
    static MAP: LazyLock<BTreeMap<&str, Vec<&str>>> =
        LazyLock::new(|| parse_map(OWN, &["function", "like"]).unwrap_or_default());
    &MAP
}

/// Whether Ivy's API, the Array API standard or this library beyond them has a function of this name.
///
/// ```
/// use ivy_dtype_tables::support::known_function;
/// assert!(known_function("scaled_dot_product_attention") && known_function("hfft"));
/// assert!(known_function("scatter_inc") && !known_function("expm2"));
/// ```
pub fn known_function(name: &str) -> bool {
    functions().contains_key(name) || own().contains_key(name)
}

/// All names that [`known_function`] knows: Ivy's and the standard's, sorted, and then this library's own.
pub fn known_functions() -> impl Iterator<Item = &'static str> {
    functions().keys().chain(own().keys()).copied()
}

/// Where a function of Ivy's is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the registry of functions.
    Registry,
    /// A plain function of the Rust library.
    Rust,
    /// A function of the Python package alone.
    Python,
}

/// A row of `support/surface.tsv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceRow {
    /// The function.
    pub function: &'static str,
    /// Ivy's module of it.
    pub module: &'static str,
    /// Where it is.
    pub place: Place,
}

fn place(cell: &str) -> Option<Place> {
    match cell {
        "registry" => Some(Place::Registry),
        "rust" => Some(Place::Rust),
        "python" => Some(Place::Python),
        _ => None,
    }
}

/// The functions of Ivy's API that matter most beyond the standard, sorted by name.
///
/// ```
/// use ivy_dtype_tables::support::{Place, surface};
/// let of = |name: &str| surface().iter().find(|row| row.function == name).unwrap();
/// assert_eq!((surface().len(), of("gather").place, of("grad").module), (165, Place::Registry, "gradients"));
/// ```
pub fn surface() -> &'static [SurfaceRow] {
    static ROWS: LazyLock<Vec<SurfaceRow>> = LazyLock::new(|| {
        let map = parse_map(SURFACE, &["function", "module", "where"]).unwrap_or_default();
        let row = |(function, rest): (&&'static str, &Vec<&'static str>)| {
            Some(SurfaceRow { function, module: rest[0], place: place(rest[1])? })
        };
        map.iter().filter_map(row).collect()
    });
    &ROWS
}

/// The version that a frontend stands for where none is given, as Ivy's map writes it.
///
/// ```
/// use ivy_dtype_tables::support::default_version;
/// assert_eq!(default_version("torch"), Some("2.2"));
/// assert_eq!(default_version("torchvision"), Some("0.15.2."));
/// assert_eq!(default_version("abacus"), None);
/// ```
pub fn default_version(frontend: &str) -> Option<&'static str> {
    static MAP: LazyLock<BTreeMap<&str, Vec<&str>>> =
        LazyLock::new(|| parse_map(VERSIONS, &["frontend", "version"]).unwrap_or_default());
    MAP.get(frontend).map(|rest| rest[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_tables_read_without_errors() {
        for (backend, file, text) in DECLARED {
            assert_eq!(parse_table(file, text).map(|t| t.backend), Ok(backend.to_string()));
        }
        assert_eq!(parse_valid(VALID.0, VALID.1).map(|rows| rows.len()), Ok(7));
        let versions = parse_map(VERSIONS, &["frontend", "version"]).expect("versions.tsv");
        assert_eq!(versions.len(), 10);
        assert!(versions.values().all(|v| v[0].parse::<Version>().is_ok()));
        let functions = parse_map(FUNCTIONS, &["function", "module", "standard"]).expect("functions.tsv");
        let of = |column: usize, value: &str| functions.values().filter(|f| f[column] == value).count();
        // 619 names of Ivy's, 12 of the standard that it lacks; 170 names in the standard.
        assert_eq!((functions.len(), of(0, "-"), of(1, "yes")), (631, 12, 170));
        let own = parse_map(OWN, &["function", "like"]).expect("own.tsv");
        let surface = parse_map(SURFACE, &["function", "module", "where"]).expect("surface.tsv");
        assert!(surface.len() == 165 && surface.values().all(|row| super::place(row[1]).is_some()));
        assert!(surface.keys().all(|name| functions.contains_key(name)));
        assert!(own.len() > 4 && own.keys().all(|name| !functions.contains_key(name)));
    }
}
