//! The recorded answers of the packages: `data/rules/NAME.tsv`, in the form of `dtype-tables/tools/rules/common.py`.

use ivy::prelude::*;
use ivy_core::Scalar;

/// A cell: nothing was asked, the package refused, or a dtype (weakly typed or not) was the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    NotAsked,
    Refused,
    Gives(Dtype, bool),
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cell::NotAsked => f.write_str("."),
            Cell::Refused => f.write_str("-"),
            Cell::Gives(dtype, weak) => write!(f, "{dtype}{}", if *weak { "*" } else { "" }),
        }
    }
}

/// A line: KIND, OP, ROW, and cells with what heads their columns.
pub struct Line {
    pub kind: String,
    pub op: String,
    pub row: String,
    pub cells: Vec<(String, String)>,
}

/// A dtype by its short name.
pub fn dtype(short: &str) -> Dtype {
    let name = match short {
        "b" => "bool",
        "bf" => "bfloat16",
        other => other,
    };
    name.parse().unwrap_or_else(|e| panic!("{short}: {e}"))
}

/// A cell of a line that is about dtypes. Truth values have no weak type of their own.
pub fn cell(text: &str) -> Cell {
    match (text, text.strip_suffix('*')) {
        (".", _) => Cell::NotAsked,
        ("-", _) => Cell::Refused,
        (_, Some("b")) => Cell::Gives(Dtype::BOOL, false),
        (_, Some(weak)) => Cell::Gives(dtype(weak), true),
        (text, None) => Cell::Gives(dtype(text), false),
    }
}

/// A host value as Python writes it.
pub fn scalar(text: &str) -> Scalar {
    let imaginary = |re: &str| num_complex::Complex64::new(0.0, re.parse().expect("a number"));
    match (text, text.split_once("**")) {
        ("True", _) => Scalar::Bool(true),
        (_, Some((base, power))) => {
            Scalar::Int(base.parse::<i128>().expect("a base").pow(power.parse().expect("a power")))
        }
        (text, None) => match (text.strip_suffix('j'), text.parse::<i128>()) {
            (Some(re), _) => Scalar::Complex(imaginary(re)),
            (None, Ok(i)) => Scalar::Int(i),
            (None, Err(_)) => Scalar::Float(text.parse().expect("a number")),
        },
    }
}

/// The lines of a file.
pub fn read(name: &str) -> Vec<Line> {
    let path = format!("{}/tests/data/rules/{name}.tsv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let (mut order, mut scalars) = (Vec::new(), Vec::new());
    let mut lines = Vec::new();
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let [kind, op, row, cells] =
            <[&str; 4]>::try_from(line.split('\t').collect::<Vec<_>>()).expect("four cells");
        let cells: Vec<String> = cells.split(' ').map(String::from).collect();
        match kind {
            "order" => order = cells,
            "scalars" => scalars = cells,
            _ => {
                let weak = ["int", "float", "complex"].map(String::from);
                let heads: &[String] = match kind {
                    "scalar" | "scalar-left" => &scalars,
                    "weak" => &weak,
                    "literal" => std::slice::from_ref(&order[0]),
                    _ => &order,
                };
                assert_eq!(heads.len(), cells.len(), "{name}: {line}");
                let cells = heads.iter().cloned().zip(cells).collect();
                lines.push(Line { kind: kind.into(), op: op.into(), row: row.into(), cells });
            }
        }
    }
    lines
}
