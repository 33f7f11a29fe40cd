//! Cells of rules as numbers, and tables of them.

use crate::dtypes::Dtypes;
use crate::tsv::{Row, read_rows};
use std::fmt::Write as _;

/// A cell as the expression of its number: a dtype (with `*`: weakly typed) or a word.
pub fn cell(dtypes: &Dtypes, text: &str, place: &str) -> String {
    let word = match text {
        "-" => "cell::REFUSED",
        "=" => "cell::SAME",
        "own" => "cell::OWN",
        "default int" => "cell::DEFAULT_INT",
        "default uint" => "cell::DEFAULT_UINT",
        "default float" => "cell::DEFAULT_FLOAT",
        "default complex" => "cell::DEFAULT_COMPLEX",
        "accumulate" => "cell::ACCUMULATE",
        _ => {
            let (name, weak) = text.strip_suffix('*').map_or((text, ""), |name| (name, " | cell::WEAK"));
            let index = dtypes
                .index(name)
                .unwrap_or_else(|| panic!("{place}: `{text}` is neither a dtype nor a word"));
            return format!("{index}{weak}");
        }
    };
    word.to_string()
}

/// What a pair table says of dtypes of arrays that it does not list; of others it says nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unlisted {
    /// Nothing.
    Refused,
    /// They promote with themselves.
    Itself,
    /// And with bool.
    ItselfAndBool,
}

impl Unlisted {
    /// The word of `defaults.tsv`.
    pub fn parse(text: &str, place: &str) -> Unlisted {
        match text {
            "refused" => Unlisted::Refused,
            "itself" => Unlisted::Itself,
            "itself and bool" => Unlisted::ItselfAndBool,
            _ => panic!("{place}: `{text}` is none of refused, itself, itself and bool"),
        }
    }
}

/// A square table: the first row names the columns, the first cell of each other row its own dtype.
pub fn read_pairs(dtypes: &Dtypes, file: &str, unlisted: Unlisted) -> Vec<Vec<String>> {
    let rows = read_rows(file);
    let n = dtypes.len();
    let mut table = vec![vec!["cell::REFUSED".to_string(); n]; n];
    let find = |name: &str, row: &Row| {
        dtypes.index(name).unwrap_or_else(|| panic!("{}: `{name}` is no dtype", row.place))
    };
    let columns: Vec<usize> = rows[0].cells[1..].iter().map(|name| find(name, &rows[0])).collect();
    for row in &rows[1..] {
        assert!(
            row.cells.len() == columns.len() + 1,
            "{}: {} cells, {} columns",
            row.place,
            row.cells.len() - 1,
            columns.len()
        );
        let first = find(&row.cells[0], row);
        for (&column, text) in columns.iter().zip(&row.cells[1..]) {
            table[first][column] = cell(dtypes, text, &row.place);
        }
    }
    let boolean = dtypes.index("bool").expect("dtypes.tsv has bool");
    for i in (0..dtypes.stored).filter(|i| !columns.contains(i) && unlisted != Unlisted::Refused) {
        table[i][i] = i.to_string();
        if unlisted == Unlisted::ItselfAndBool {
            table[i][boolean] = i.to_string();
            table[boolean][i] = i.to_string();
        }
    }
    table
}

/// Writes such a table as a constant array.
pub fn write_pairs(out: &mut String, name: &str, table: &[Vec<String>]) {
    writeln!(out, "static {name}: Pairs = [").unwrap();
    table.iter().for_each(|row| writeln!(out, "    [{}],", row.join(", ")).unwrap());
    writeln!(out, "];").unwrap();
}

/// The table in which a dtype promotes with itself alone.
pub fn write_same(out: &mut String, dtypes: &Dtypes) {
    let row = |i: usize| -> Vec<String> {
        (0..dtypes.len()).map(|j| if i == j { i.to_string() } else { "cell::REFUSED".into() }).collect()
    };
    write_pairs(out, "SAME_PAIRS", &(0..dtypes.len()).map(row).collect::<Vec<_>>());
}

/// A list with one number for each dtype.
pub fn list(cells: &[String]) -> String {
    format!("[{}]", cells.join(", "))
}
