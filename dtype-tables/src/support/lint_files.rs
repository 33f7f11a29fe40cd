//! The linter over files of any kind, and over all that are embedded.

use super::{
    bugs::{self, bugs_file, parse_bugs},
    data::{DECLARED, VALID, VALID_COLUMNS, ValidRow, parse_valid},
    device::Devices,
    error::TableError,
    finding::{Finding, FindingKind},
    frontends::{FOLDER, FRONTENDS},
    lint::lint,
    measured::{self, MeasuredTable, measured_files},
    parse::parse_table,
    table::{Form, Row, Table},
    version::Version,
};

type Known<'a> = &'a dyn Fn(&str) -> bool;
type Installed<'a> = &'a dyn Fn(&str) -> Option<Version>;
type Result = std::result::Result<Vec<Finding>, Vec<TableError>>;

/// Reads a table of any kind, which its header tells, and lints it; what cannot be read is a
/// finding too. `known` says which functions exist, `installed` the version of a backend that
/// runs or was measured, if there is one.
///
/// ```
/// use ivy_dtype_tables::support::{FindingKind, known_function, lint_file};
/// let text = "functions\tform\tdevices\tversions\tdtypes\toverride\n\
///             expm2\tunsupported\tall\t0 and above\tfloat16\t-\n";
/// let findings = lint_file("mine.tsv", text, &known_function, &|_| None);
/// assert_eq!(findings[0].kind, FindingKind::UnknownFunction);
/// assert_eq!(findings[0].to_string(), "mine.tsv:2: error: expm2: no function has this name");
/// ```
pub fn lint_file(file: &str, text: &str, known: Known, installed: Installed) -> Vec<Finding> {
    let header = text.lines().find(|l| !l.trim().is_empty() && !l.starts_with('#')).unwrap_or("");
    let columns: Vec<&str> = header.split('\t').map(str::trim).collect();
    let found = if columns == VALID_COLUMNS {
        lint_valid(file, text, installed)
    } else if columns == measured::COLUMNS {
        lint_measured(file, text, known)
    } else if columns == bugs::COLUMNS {
        lint_bugs(file, text, known)
    } else {
        // A frontend's functions are its framework's, and its versions those of no backend here.
        let frontend = file.replace('\\', "/").contains(FOLDER);
        parse_table(file, text).map(|t| match frontend {
            true => lint(&t, &|_| true, None),
            false => lint(&t, known, installed(&t.backend).as_ref()),
        })
    };
    found.unwrap_or_else(|errors| errors.into_iter().map(Finding::from).collect())
}

/// Lints all embedded tables: declared ones of backends and frontends, valid dtypes, measured and bugs.
///
/// ```
/// use ivy_dtype_tables::support::{Level, known_function, lint_embedded};
/// let findings = lint_embedded(&known_function, &|_| None);
/// assert!(findings.iter().all(|f| f.level() < Level::Error));
/// ```
pub fn lint_embedded(known: Known, installed: Installed) -> Vec<Finding> {
    let declared = DECLARED.iter().chain(FRONTENDS).map(|&(_, file, text)| (file, text));
    let measured = measured_files().iter().map(|&(_, _, file, text)| (file, text));
    let files = declared.chain([VALID]).chain(measured).chain(bugs_file());
    files.flat_map(|(file, text)| lint_file(file, text, known, installed)).collect()
}

/// A backend's rows are version keys like those of a function.
fn lint_valid(file: &str, text: &str, installed: Installed) -> Result {
    let rows = parse_valid(file, text)?;
    let mut backends: Vec<&str> = rows.iter().map(|r| r.backend.as_str()).collect();
    backends.sort_unstable();
    backends.dedup();
    let mut found = Vec::new();
    for backend in backends {
        let row = |r: &ValidRow| Row {
            line: r.line,
            functions: vec![backend.to_string()],
            form: Form::Supported,
            devices: Devices::ALL,
            versions: r.versions.clone(),
            dtypes: r.dtypes,
            written: String::new(),
            overrides: false,
        };
        let own = rows.iter().filter(|r| r.backend == backend).map(row).collect();
        found.extend(lint(&Table::new(file, backend, own)?, &|_| true, installed(backend).as_ref()));
    }
    found.sort_by_key(|f: &Finding| f.line);
    Ok(found)
}

fn lint_measured(file: &str, text: &str, known: Known) -> Result {
    let table = MeasuredTable::parse(file, text)?;
    let mut found: Vec<Finding> = Vec::new();
    for row in table.rows().iter().filter(|r| !known(&r.function)) {
        if found.last().is_none_or(|last| last.key != row.function) {
            found.push(unknown(file, row.line, &row.function));
        }
    }
    Ok(found)
}

fn lint_bugs(file: &str, text: &str, known: Known) -> Result {
    let bugs = parse_bugs(file, text)?;
    let names = bugs.iter().flat_map(|b| b.functions.iter().map(|f| (b.line, f)));
    Ok(names.filter(|(_, f)| !known(f)).map(|(line, f)| unknown(file, line, f)).collect())
}

fn unknown(file: &str, line: usize, function: &str) -> Finding {
    let (file, key) = (file.to_string(), function.to_string());
    Finding { kind: FindingKind::UnknownFunction, file, line, key, text: "no function has this name".into() }
}
