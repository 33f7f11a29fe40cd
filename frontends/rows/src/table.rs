//! Rows, and the tables that hold those of a frontend.

use crate::check;
use crate::{Expr, Fault, Signature, parse_expr};
use std::collections::HashMap;
use std::fmt;

/// What `@ufunc` stands for in a signature.
pub const UFUNC_KEYWORDS: &str =
    "/, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True";

/// A mistake in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The file.
    pub file: String,
    /// The line, from 1 on.
    pub line: usize,
    /// The character of the line, from 1 on.
    pub column: usize,
    /// What is wrong.
    pub rule: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.rule)
    }
}

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A function.
    Function,
    /// One of NumPy's element-wise functions, with its keywords and methods.
    Ufunc,
    /// A method of the array type.
    Method,
    /// A property of the array type.
    Property,
    /// A function whose result is written to its first argument.
    Inplace,
    /// Another name of a row.
    Alias,
}

impl Kind {
    const ALL: [(Kind, &'static str); 6] = [
        (Kind::Function, "function"),
        (Kind::Ufunc, "ufunc"),
        (Kind::Method, "method"),
        (Kind::Property, "property"),
        (Kind::Inplace, "inplace"),
        (Kind::Alias, "alias"),
    ];

    /// The name, as rows write it.
    pub fn name(self) -> &'static str {
        Kind::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }
}

/// What a row gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Results {
    /// An array.
    One,
    /// A tuple of arrays.
    Tuple,
    /// An array or a tuple.
    OneOrTuple,
    /// A tuple of arrays with names.
    Named(Vec<String>),
    /// An array, or a tuple of arrays with names.
    OneOrNamed(Vec<String>),
    /// A host value.
    Value,
    /// A list of arrays.
    List,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The name below the framework's namespace.
    pub path: String,
    /// What it is.
    pub kind: Kind,
    /// Its arguments; empty for an alias.
    pub signature: Signature,
    /// What it comes to; `None` for an alias.
    pub body: Option<Expr>,
    /// The path that an alias stands for.
    pub target: Option<String>,
    /// What it gives.
    pub results: Results,
    /// Which parameters the body uses.
    pub mentions: Vec<bool>,
    /// Its text: the signature and the body as the table has them.
    pub text: [String; 2],
    /// Its file, among those of the table.
    pub file: usize,
    /// Its line, from 1 on.
    pub line: usize,
}

/// The rows of a frontend.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The rows, in the order of the files.
    pub rows: Vec<Row>,
    by_path: HashMap<String, usize>,
}

impl Table {
    /// Reads files: their names and texts.
    ///
    /// # Errors
    /// Every mistake in them.
    pub fn parse(files: &[(&str, &str)]) -> Result<Table, Vec<Mistake>> {
        let (mut table, mut mistakes) = (Table::default(), Vec::new());
        for (file, (name, text)) in files.iter().enumerate() {
            for (line, content) in text.lines().enumerate() {
                if content.is_empty() || content.starts_with('#') {
                    continue;
                }
                match row(content, file, line + 1) {
                    Ok(row) => table.add(row, files, &mut mistakes),
                    Err(fault) => mistakes.push(mistake(name, line + 1, content, &fault)),
                }
            }
        }
        check::check(&table, |row, cell, fault| {
            let (name, text) = files[row.file];
            let content = text.lines().nth(row.line - 1).unwrap_or_default();
            let at = cell_start(content, cell) + fault.at;
            mistakes.push(mistake(name, row.line, content, &Fault { at, ..fault }));
        });
        if mistakes.is_empty() { Ok(table) } else { Err(mistakes) }
    }

    fn add(&mut self, row: Row, files: &[(&str, &str)], mistakes: &mut Vec<Mistake>) {
        if let Some(&first) = self.by_path.get(&row.path) {
            let first = &self.rows[first];
            let rule = format!("`{}` stands in {}:{} already", row.path, files[first.file].0, first.line);
            mistakes.push(Mistake { file: files[row.file].0.into(), line: row.line, column: 1, rule });
            return;
        }
        self.by_path.insert(row.path.clone(), self.rows.len());
        self.rows.push(row);
    }

    /// The place of a row.
    pub fn position(&self, path: &str) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    /// The row of a path, or the one that it is another name of.
    pub fn resolve(&self, path: &str) -> Option<&Row> {
        let mut row = &self.rows[self.position(path)?];
        // A ring of aliases is a mistake; it ends here all the same.
        for _ in 0..self.rows.len() {
            let Some(target) = &row.target else { return Some(row) };
            row = &self.rows[self.position(target)?];
        }
        None
    }
}

fn mistake(file: &str, line: usize, content: &str, fault: &Fault) -> Mistake {
    let column = content.get(..fault.at.min(content.len())).map_or(0, |before| before.chars().count()) + 1;
    Mistake { file: file.into(), line, column, rule: fault.rule.clone() }
}

/// The bytes before a cell.
fn cell_start(content: &str, cell: usize) -> usize {
    content.split('\t').take(cell).map(|c| c.len() + 1).sum()
}

fn row(content: &str, file: usize, line: usize) -> Result<Row, Fault> {
    let cells: Vec<&str> = content.split('\t').collect();
    let [path, kind, signature, body, results] = cells[..] else {
        let rule =
            format!("a row has five cells (path, kind, signature, body, results), this one {}", cells.len());
        return Err(Fault::new(0, rule));
    };
    let at = |cell: usize, fault: Fault| Fault { at: fault.at + cell_start(content, cell), ..fault };
    let is_path = |p: &str| {
        let part = |p: &str| {
            p.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && p.chars().all(|c| c.is_alphanumeric() || c == '_')
        };
        p.split('.').all(part)
    };
    if !is_path(path) {
        return Err(Fault::new(0, format!("`{path}` is no name")));
    }
    let named = Kind::ALL.iter().find(|(_, name)| *name == kind);
    let &(kind, _) = named.ok_or_else(|| {
        let known = Kind::ALL.map(|(_, name)| name).join(", ");
        at(1, Fault::new(0, format!("`{kind}` is none of {known}")))
    })?;
    let text = [signature.to_string(), body.to_string()];
    if kind == Kind::Alias {
        if signature != "-" {
            return Err(at(2, Fault::new(0, "the signature of an alias is `-`")));
        }
        let signature = Signature { text: String::new(), parameters: Vec::new() };
        let (body, target) = (None, Some(body.to_string()));
        let (path, results, mentions) = (path.into(), Results::One, Vec::new());
        return Ok(Row { path, kind, signature, body, target, results, mentions, text, file, line });
    }
    let signature = Signature::parse(signature).map_err(|f| at(2, f))?;
    let body = parse_expr(body, &signature).map_err(|f| at(3, f))?;
    let results = self::results(results).map_err(|f| at(4, f))?;
    let mut mentions = vec![false; signature.parameters.len()];
    body.walk(&mut |e| {
        if let Expr::Parameter(place) = e {
            mentions[*place] = true;
        }
    });
    let (body, target) = (Some(body), None);
    Ok(Row { path: path.into(), kind, signature, body, target, results, mentions, text, file, line })
}

fn results(cell: &str) -> Result<Results, Fault> {
    Ok(match cell {
        "-" => Results::One,
        "*" => Results::Tuple,
        "+" => Results::OneOrTuple,
        "value" => Results::Value,
        "[*]" => Results::List,
        names if names.contains(',') => match names.strip_prefix('+') {
            Some(names) => Results::OneOrNamed(listed(names)),
            None => Results::Named(listed(names)),
        },
        _ => {
            return Err(Fault::new(
                0,
                "results are `-`, `*`, `+`, `value`, `[*]`, or names with commas, after a `+` if it may be one array",
            ));
        }
    })
}

fn listed(names: &str) -> Vec<String> {
    names.split(',').map(|name| name.trim().into()).collect()
}
