//! Turns the tables of this folder into constant arrays. A malformed line stops the build
//! with the file, the line and the cell.

#[path = "build/support.rs"]
mod support;

use std::{collections::BTreeMap, env, fmt::Write as _, fs, path::Path};

const RULES: [&str; 3] = ["precise", "non_precise", "array_api"];
const KINDS: [(&str, &str); 5] =
    [("int", "Int"), ("uint", "Uint"), ("float", "Float"), ("complex", "Complex"), ("bool", "Bool")];

/// The lines of a table that hold data: number (from 1) and cells.
fn read_rows(file: &str) -> Vec<(usize, Vec<String>)> {
    println!("cargo:rerun-if-changed={file}");
    let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{file}: {e}"));
    text.lines()
        .enumerate()
        .filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#'))
        .map(|(i, l)| (i + 1, l.split('\t').map(|c| c.trim().to_string()).collect()))
        .collect()
}

struct Dtypes {
    rows: Vec<Vec<String>>,
}

impl Dtypes {
    fn read(extra: bool) -> Self {
        let mut rows = Vec::new();
        for file in ["dtypes.tsv", "dtypes-extra.tsv"] {
            if file == "dtypes-extra.tsv" && !extra {
                println!("cargo:rerun-if-changed={file}");
                continue;
            }
            for (line, cells) in read_rows(file).into_iter().skip(1) {
                assert!(cells.len() == 9, "{file}:{line}: 9 cells expected, {} found", cells.len());
                rows.push(cells);
            }
        }
        Dtypes { rows }
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.rows.iter().position(|r| r[0] == name)
    }

    fn set(&self, test: impl Fn(&[String]) -> bool) -> u32 {
        self.rows.iter().enumerate().filter(|(_, r)| test(r)).fold(0, |s, (i, _)| s | 1 << i)
    }

    /// The set a domain names: dtype and class names joined by `+`.
    fn parse_set(&self, text: &str, place: &str) -> u32 {
        text.split('+').fold(0, |set, name| {
            let kind = |kinds: &[&str]| self.set(|r| kinds.contains(&r[1].as_str()));
            set | match name {
                "all" => self.set(|_| true),
                "bool" => kind(&["bool"]),
                "numeric" => kind(&["int", "uint", "float", "complex"]),
                "real" => kind(&["int", "uint", "float"]),
                "integer" => kind(&["int", "uint"]),
                "float" => kind(&["float"]),
                "complex" => kind(&["complex"]),
                _ => match self.index(name) {
                    Some(i) => 1 << i,
                    None => panic!("{place}: `{name}` is neither a dtype nor a class"),
                },
            }
        })
    }
}

fn write_dtypes(out: &mut String, dtypes: &Dtypes) {
    let n = dtypes.rows.len();
    writeln!(out, "/// The number of dtypes.\npub const COUNT: usize = {n};").unwrap();
    writeln!(out, "/// The rows of `dtypes.tsv`, in order.\npub static DTYPES: [DtypeRow; COUNT] = [")
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
        let aliases: Vec<String> = r[8].split(',').filter(|a| *a != "-").map(|a| format!("{a:?}")).collect();
        writeln!(
            out,
            "    DtypeRow {{ name: {:?}, kind: Kind::{kind}, bits: {}, bytes: {}, exponent_bits: {}, \
             mantissa_bits: {}, part: {part}, typestr: {:?}, aliases: &[{}] }},",
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

fn write_rules(out: &mut String, dtypes: &Dtypes, rules: &str) {
    let file = format!("promotion/{rules}.tsv");
    let rows = read_rows(&file);
    let columns = &rows[0].1;
    let mut cells: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (line, row) in &rows[1..] {
        assert!(row.len() == columns.len(), "{file}:{line}: {} cells, {} columns", row.len(), columns.len());
        let find =
            |name: &str| dtypes.index(name).unwrap_or_else(|| panic!("{file}:{line}: `{name}` is no dtype"));
        for (column, cell) in columns.iter().zip(row).skip(1) {
            if cell != "-" {
                cells.insert((find(&row[0]), find(column)), find(cell));
            }
        }
    }
    let n = dtypes.rows.len();
    let boolean = dtypes.index("bool").expect("dtypes.tsv has bool");
    let listed = |i: usize| rows[1..].iter().any(|(_, r)| r[0] == dtypes.rows[i][0]);
    for i in (0..n).filter(|&i| !listed(i)) {
        cells.insert((i, i), i);
        if rules != "array_api" {
            cells.insert((i, boolean), i);
            cells.insert((boolean, i), i);
        }
    }
    writeln!(
        out,
        "/// `promotion/{rules}.tsv`: row the first operand, column the second; [`NONE`] where refused."
    )
    .unwrap();
    writeln!(out, "pub static {}: [[u8; COUNT]; COUNT] = [", rules.to_uppercase()).unwrap();
    for a in 0..n {
        let row: Vec<String> =
            (0..n).map(|b| cells.get(&(a, b)).map_or("NONE".into(), |c| c.to_string())).collect();
        writeln!(out, "    [{}],", row.join(", ")).unwrap();
    }
    writeln!(out, "];").unwrap();
}

fn write_domains(out: &mut String, dtypes: &Dtypes) {
    let mut domains: BTreeMap<String, String> = BTreeMap::new();
    println!("cargo:rerun-if-changed=domains");
    let mut files: Vec<_> = fs::read_dir("domains").expect("domains/").map(|e| e.unwrap().path()).collect();
    files.sort();
    for path in files {
        let file = path.to_str().expect("a UTF-8 path").to_string();
        for (line, row) in read_rows(&file) {
            let place = format!("{file}:{line}");
            assert!(row.len() >= 2, "{place}: a function and at least one operand expected");
            let sets: Vec<String> = row[1..]
                .iter()
                .map(|cell| {
                    let (name, set) =
                        cell.split_once('=').unwrap_or_else(|| panic!("{place}: `{cell}` is not NAME=SET"));
                    format!("({name:?}, {})", dtypes.parse_set(set, &place))
                })
                .collect();
            let entry = format!(
                "    Domain {{ function: {:?}, place: {place:?}, operands: &[{}] }},",
                row[0],
                sets.join(", ")
            );
            if domains.insert(row[0].clone(), entry).is_some() {
                panic!("{place}: `{}` has a second row", row[0]);
            }
        }
    }
    writeln!(out, "/// The rows of `domains/`, sorted by function.\npub static DOMAINS: &[Domain] = &[")
        .unwrap();
    domains.values().for_each(|d| writeln!(out, "{d}").unwrap());
    writeln!(out, "];").unwrap();
}

fn main() {
    let dtypes = Dtypes::read(env::var_os("CARGO_FEATURE_EXTRA_DTYPE").is_some());
    let mut out = String::new();
    write_dtypes(&mut out, &dtypes);
    RULES.iter().for_each(|r| write_rules(&mut out, &dtypes, r));
    write_domains(&mut out, &dtypes);
    let dir = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&dir).join("tables.rs"), out).expect("OUT_DIR is writable");
    fs::write(Path::new(&dir).join("support.rs"), support::lists()).expect("OUT_DIR is writable");
}
