//! Support tables: which dtypes a function takes on a backend, by version and device.

use super::{
    device::{Device, Devices},
    error::{Part, TableError},
    key::VersionKey,
    resolve::{How, resolve},
    version::Version,
};
use std::{collections::BTreeMap, fmt};

/// Whether a row lists what works or what does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// The dtypes listed work, on the devices listed; nothing else does.
    Supported,
    /// The dtypes listed do not work, on the devices listed; all else does.
    Unsupported,
}

impl Form {
    /// The word in tables: `supported`, `unsupported`.
    pub fn name(self) -> &'static str {
        match self {
            Form::Supported => "supported",
            Form::Unsupported => "unsupported",
        }
    }

    /// The form of a table's word.
    pub fn from_name(name: &str) -> Option<Form> {
        [Form::Supported, Form::Unsupported].into_iter().find(|f| f.name() == name)
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One row of a support table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its line in the file, from 1; the number of the block for a table given in code.
    pub line: usize,
    /// The functions that it is about.
    pub functions: Vec<String>,
    /// Whether it lists what works or what does not.
    pub form: Form,
    /// The devices that it is about.
    pub devices: Devices,
    /// The versions that it is about.
    pub versions: VersionKey,
    /// The dtypes, classes expanded: bit `i` is row `i` of [`DTYPES`](crate::DTYPES).
    pub dtypes: u32,
    /// The dtypes and classes as written, joined by commas; `-` for none.
    pub written: String,
    /// Whether it replaces what following a composition finds, instead of adding to it.
    pub overrides: bool,
}

/// The support rows of one backend. Rows of one function keep their written order.
///
/// A function has one form only (spec I-45); a table with both is refused where it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The file, as errors and `explain` name it.
    pub file: String,
    /// The backend's name.
    pub backend: String,
    rows: Vec<Row>,
    by_function: BTreeMap<String, Vec<usize>>,
}

/// What a table says of one function on one device at one version.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'t> {
    /// The row that says so; where no row is about the device, the first of the chosen key.
    pub row: &'t Row,
    /// Whether [`dtypes`](Self::dtypes) are those that work or those that do not.
    pub form: Form,
    /// The dtypes. None where no row of the chosen key is about the device: then all work there
    /// ([`Form::Unsupported`]), or none ([`Form::Supported`]).
    pub dtypes: u32,
    /// Why this version key was chosen.
    pub how: How,
}

impl Answer<'_> {
    /// Which of the dtypes that the backend has do work.
    pub fn supported(&self, valid: u32) -> u32 {
        match self.form {
            Form::Supported => valid & self.dtypes,
            Form::Unsupported => valid & !self.dtypes,
        }
    }
}

impl Table {
    /// Puts rows together. Errors: both forms on one function.
    pub fn new(file: &str, backend: &str, rows: Vec<Row>) -> Result<Table, Vec<TableError>> {
        let mut by_function: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut errors = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            for function in &row.functions {
                let of = by_function.entry(function.clone()).or_default();
                if let Some(first) = of.first().map(|&j| &rows[j]).filter(|r| r.form != row.form) {
                    errors.push(TableError {
                        file: file.to_string(),
                        line: row.line,
                        key: function.clone(),
                        rule: format!(
                            "{} here and {} at {file}:{}; a function has one form",
                            row.form, first.form, first.line
                        ),
                        part: Part::BothForms,
                    });
                }
                of.push(i);
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(Table { file: file.to_string(), backend: backend.to_string(), rows, by_function })
    }

    /// All rows, as written.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The functions that the table is about, sorted.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        self.by_function.keys().map(String::as_str)
    }

    /// The rows of one function, in written order.
    pub fn rows_of(&self, function: &str) -> impl Iterator<Item = &Row> {
        self.by_function.get(function).into_iter().flatten().map(|&i| &self.rows[i])
    }

    /// What the table says of a function, or `None` if it has no row of it.
    ///
    /// The version key is chosen among all keys of the function ([`resolve`]), then the device
    /// under that key, as in Ivy, where a version maps to devices.
    ///
    /// ```
    /// use ivy_dtype_tables::support::{Device, dtype_names, parse_table};
    /// let table = parse_table(
    ///     "mine.tsv",
    ///     "functions\tform\tdevices\tversions\tdtypes\toverride\n\
    ///      expm1\tunsupported\tcpu\t2.2 and below\tfloat16,complex\t-\n",
    /// )
    /// .unwrap();
    /// let at = "2.0.1".parse().unwrap();
    /// let answer = table.lookup("expm1", Device::Cpu, &at).unwrap();
    /// assert_eq!(dtype_names(answer.dtypes), ["float16", "complex64", "complex128"]);
    /// assert_eq!(answer.row.line, 2);
    /// assert_eq!(table.lookup("expm1", Device::Gpu, &at).unwrap().dtypes, 0);
    /// assert!(table.lookup("add", Device::Cpu, &at).is_none());
    /// ```
    pub fn lookup(&self, function: &str, device: Device, version: &Version) -> Option<Answer<'_>> {
        let rows: Vec<&Row> = self.rows_of(function).collect();
        let keys: Vec<VersionKey> = rows.iter().map(|r| r.versions.clone()).collect();
        let resolved = resolve(&keys, version)?;
        let chosen = rows.iter().filter(|r| r.versions == keys[resolved.index]);
        let here: Vec<&&Row> = chosen.filter(|r| r.devices.contains(device)).collect();
        let first = rows.iter().find(|r| r.versions == keys[resolved.index]);
        Some(Answer {
            row: here.first().copied().or(first)?,
            form: rows[0].form,
            dtypes: here.iter().fold(0, |set, r| set | r.dtypes),
            how: resolved.how,
        })
    }
}
