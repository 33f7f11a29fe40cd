//! The dtypes: those that arrays may have, then those that are only asked about.

use crate::tsv::read_rows;
use std::fmt::Write as _;

const KINDS: [(&str, &str); 5] =
    [("int", "Int"), ("uint", "Uint"), ("float", "Float"), ("complex", "Complex"), ("bool", "Bool")];
/// The most rows there can be: sets of dtypes are 32 bits, and a cell of a rule keeps 5 bits for a dtype.
const MOST: usize = 31;

/// The rows, in order.
pub struct Dtypes {
    rows: Vec<Vec<String>>,
    /// How many of them arrays may have.
    pub stored: usize,
}

impl Dtypes {
    /// Reads the tables; with `extra`, the rows of `dtypes-extra.tsv` are among the dtypes of arrays.
    pub fn read(extra: bool) -> Dtypes {
        let read = |file: &str| -> Vec<Vec<String>> {
            let rows = read_rows(file);
            rows[1..]
                .iter()
                .map(|row| match row.cells.len() {
                    9 => row.cells.iter().cloned().chain(["-".into(), "-".into(), "-".into()]).collect(),
                    12 => row.cells.clone(),
                    n => panic!("{}: 9 or 12 cells expected, {n} found", row.place),
                })
                .collect()
        };
        let mut rows = read("dtypes.tsv");
        let more = read("dtypes-extra.tsv");
        if extra {
            rows.extend(more);
        }
        let stored = rows.len();
        for row in read("dtypes-unstored.tsv") {
            if rows.iter().all(|r| r[0] != row[0]) {
                rows.push(row);
            }
        }
        assert!(rows.len() <= MOST, "the tables have place for {MOST} dtypes");
        Dtypes { rows, stored }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The row of a name.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.rows.iter().position(|r| r[0] == name)
    }

    fn of_kinds(&self, among: usize, kinds: &[&str]) -> u32 {
        let rows = self.rows[..among].iter().enumerate();
        rows.filter(|(_, r)| kinds.contains(&r[1].as_str())).fold(0, |s, (i, _)| s | 1 << i)
    }

    /// The set a domain names: dtype and class names joined by `+`; classes are of the dtypes that arrays may have.
    pub fn parse_set(&self, text: &str, place: &str) -> u32 {
        self.parse(self.stored, text, place)
    }

    /// The same where classes are of all dtypes that there are.
    pub fn parse_known_set(&self, text: &str, place: &str) -> u32 {
        self.parse(self.len(), text, place)
    }

    fn parse(&self, among: usize, text: &str, place: &str) -> u32 {
        text.split('+').fold(0, |set, name| {
            set | match name {
                "all" => self.of_kinds(among, &["bool", "int", "uint", "float", "complex"]),
                "bool" => self.of_kinds(among, &["bool"]),
                "numeric" => self.of_kinds(among, &["int", "uint", "float", "complex"]),
                "real" => self.of_kinds(among, &["int", "uint", "float"]),
                "integer" => self.of_kinds(among, &["int", "uint"]),
                "signed" => self.of_kinds(among, &["int"]),
                "unsigned" => self.of_kinds(among, &["uint"]),
                "float" => self.of_kinds(among, &["float"]),
                "complex" => self.of_kinds(among, &["complex"]),
                _ => match self.index(name) {
                    Some(i) => 1 << i,
                    None => panic!("{place}: `{name}` is neither a dtype nor a class"),
                },
            }
        })
    }
}

/// The dtypes as constants, and the macro with one entry for each.
pub fn write(out: &mut String, dtypes: &Dtypes) {
    let (stored, known) = (dtypes.stored, dtypes.len());
    writeln!(out, "/// The number of dtypes that arrays may have.\npub const COUNT: usize = {stored};")
        .unwrap();
    writeln!(out, "/// The number of dtypes that there are.\npub const KNOWN: usize = {known};").unwrap();
    writeln!(
        out,
        "/// The dtypes: the first [`COUNT`] are those of arrays.\npub static DTYPES: [DtypeRow; KNOWN] = ["
    )
    .unwrap();
    for r in &dtypes.rows {
        let kind =
            KINDS.iter().find(|k| k.0 == r[1]).unwrap_or_else(|| panic!("dtypes.tsv: kind `{}`", r[1])).1;
        let number = |c: &str| if c == "-" { "0".to_string() } else { c.to_string() };
        let part = if r[6] == "-" {
            "None".into()
        } else {
            format!("Some({})", dtypes.index(&r[6]).unwrap_or_else(|| panic!("dtypes.tsv: part `{}`", r[6])))
        };
        let limits = if r[9] == "-" {
            "None".into()
        } else {
            let limit =
                |i: usize| -> f64 { r[i].parse().unwrap_or_else(|e| panic!("dtypes: `{}`: {e}", r[i])) };
            format!("Some([{:e}, {:e}, {:e}])", limit(9), limit(10), limit(11))
        };
        let aliases: Vec<String> = r[8].split(',').filter(|a| *a != "-").map(|a| format!("{a:?}")).collect();
        writeln!(
            out,
            "    DtypeRow {{ name: {:?}, kind: Kind::{kind}, bits: {}, bytes: {}, exponent_bits: {}, \
             mantissa_bits: {}, part: {part}, typestr: {:?}, aliases: &[{}], limits: {limits} }},",
            r[0],
            r[2],
            r[3],
            number(&r[4]),
            number(&r[5]),
            r[7],
            aliases.join(", ")
        )
        .unwrap();
    }
    writeln!(out, "];").unwrap();
    writeln!(out, "/// Calls a macro with one `(CONSTANT, name, index)` for each dtype.\n#[macro_export]")
        .unwrap();
    writeln!(out, "macro_rules! for_each_dtype {{ ($callback:ident) => {{ $callback! {{").unwrap();
    for (i, r) in dtypes.rows.iter().enumerate() {
        writeln!(out, "    ({}, {}, {i})", r[0].to_uppercase(), r[0]).unwrap();
    }
    writeln!(out, "}} }} }}").unwrap();
}
