//! Reading support tables.

use super::{
    device::{Device, Devices},
    dtypes::{CLASSES, dtype_set},
    error::{Part, TableError},
    key::VersionKey,
    table::{Form, Row, Table},
    tsv::{Errors, comment, lines, list},
};

/// The columns of a support table.
pub const COLUMNS: [&str; 6] = ["functions", "form", "devices", "versions", "dtypes", "override"];

/// Reads a support table.
///
/// Lines that begin with `#` are comments; `# backend: NAME` above the header names the backend
/// (else the file's name does). Then a header of the columns below and rows, cells between tabs:
///
/// * `functions`: names joined by commas, or `*` for those of the block around the row. A block
///   begins with the line `@block`, tab, names, and ends with `@end` or the next `@block`.
/// * `form`: `supported` or `unsupported`; one form for all rows of a function.
/// * `devices`: `cpu`, `gpu`, `tpu` joined by commas, or `all`.
/// * `versions`: a [`VersionKey`].
/// * `dtypes`: dtypes and classes (`valid numeric float integer unsigned complex`) joined by
///   commas, or `-` for none. A row about devices alone lists `valid`.
/// * `override`: `yes`, or `-`.
///
/// Errors: all that is wrong, each with file, line and key.
///
/// ```
/// use ivy_dtype_tables::support::parse_table;
/// let errors = parse_table(
///     "mine.tsv",
///     "functions\tform\tdevices\tversions\tdtypes\toverride\n\
///      expm1\tunsupported\tall\t2.2 and bellow\tfloat16\t-\n",
/// )
/// .unwrap_err();
/// assert_eq!(
///     errors[0].to_string(),
///     "mine.tsv:2: 2.2 and bellow: expected `X`, `X and above`, `X and below` or `X to Y`"
/// );
/// ```
pub fn parse_table(file: &str, text: &str) -> Result<Table, Vec<TableError>> {
    let mut errors = Errors::new(file);
    let mut rows = Vec::new();
    let mut block: Option<Vec<String>> = None;
    for line in lines(text, &COLUMNS, &mut errors) {
        let (number, cells) = (line.number, &line.cells);
        match (cells[0], cells.len()) {
            ("@block", 2) => block = Some(functions(number, cells[1], &mut errors)),
            ("@end", 1) if block.is_some() => block = None,
            (at, _) if at.starts_with('@') => {
                let rule = "expected `@block`, a tab and names, or `@end` of a block";
                errors.add(number, Part::Layout, at, rule);
            }
            _ => {
                let functions = match (cells[0], &block) {
                    ("*", Some(names)) => names.clone(),
                    ("*", None) => {
                        errors.add(number, Part::Function, "*", "stands for a block, and there is none");
                        Vec::new()
                    }
                    (names, _) => functions(number, names, &mut errors),
                };
                let form = form(number, cells[1], &mut errors);
                let devices = devices(number, cells[2], &mut errors);
                let versions = key(number, cells[3], &mut errors);
                let dtypes = dtypes(number, list(cells[4]), &mut errors);
                let overrides = flag(number, cells[5], &mut errors);
                if let (Some(form), Some(versions)) = (form, versions) {
                    let written = cells[4].to_string();
                    let line = number;
                    rows.push(Row { line, functions, form, devices, versions, dtypes, written, overrides });
                }
            }
        }
    }
    let stem = file.rsplit(['/', '\\']).next().unwrap_or(file).trim_end_matches(".tsv");
    let table = Table::new(file, comment(text, "backend").unwrap_or(stem), rows);
    match (errors.list.is_empty(), table) {
        (true, table) => table,
        (false, Ok(_)) => Err(errors.list),
        (false, Err(more)) => {
            errors.list.extend(more);
            Err(errors.list)
        }
    }
}

/// Function names: letters, digits and `_`, and dots between the parts of a path, each once.
pub(crate) fn functions(line: usize, cell: &str, errors: &mut Errors) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in cell.split(',').map(str::trim) {
        let is_word = |part: &str| {
            let word = part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            word && !part.is_empty() && !part.starts_with(|c: char| c.is_ascii_digit())
        };
        if !name.split('.').all(is_word) {
            errors.add(line, Part::Function, name, "is no function name");
        } else if names.iter().any(|n| n == name) {
            errors.add(line, Part::Function, name, "is named twice");
        } else {
            names.push(name.to_string());
        }
    }
    names
}

fn form(line: usize, cell: &str, errors: &mut Errors) -> Option<Form> {
    let form = Form::from_name(cell);
    if form.is_none() {
        errors.add(line, Part::Form, cell, "expected `supported` or `unsupported`");
    }
    form
}

pub(crate) fn devices(line: usize, cell: &str, errors: &mut Errors) -> Devices {
    let mut set = Devices::default();
    for name in cell.split(',').map(str::trim) {
        let these = match (name, Device::from_name(name)) {
            ("all", _) => Devices::ALL,
            (_, Some(device)) => Devices::of(&[device]),
            _ => {
                errors.add(line, Part::Device, name, "is no device; expected cpu, gpu, tpu or all");
                continue;
            }
        };
        if !set.intersection(these).is_empty() {
            errors.add(line, Part::Device, name, "names a device twice");
        }
        set = set.union(these);
    }
    set
}

pub(crate) fn key(line: usize, cell: &str, errors: &mut Errors) -> Option<VersionKey> {
    cell.parse().map_err(|e: super::KeyError| errors.add(line, Part::Range, cell, e.rule)).ok()
}

pub(crate) fn dtypes<'a>(line: usize, names: impl Iterator<Item = &'a str>, errors: &mut Errors) -> u32 {
    let (mut set, mut seen) = (0, Vec::new());
    for name in names {
        match dtype_set(name) {
            Some(_) if seen.contains(&name) => errors.add(line, Part::Dtype, name, "is listed twice"),
            Some(bits) => set |= bits,
            None => {
                let rule = format!("is neither a dtype nor one of the classes {}", CLASSES.join(" "));
                errors.add(line, Part::Dtype, name, rule);
            }
        }
        seen.push(name);
    }
    set
}

fn flag(line: usize, cell: &str, errors: &mut Errors) -> bool {
    if cell != "yes" && cell != "-" {
        errors.add(line, Part::Cell, cell, "expected `yes` or `-`");
    }
    cell == "yes"
}
