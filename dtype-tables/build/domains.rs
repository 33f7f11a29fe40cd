//! The dtypes that each function takes, and the category of its rule.

use crate::dtypes::Dtypes;
use crate::tsv::read_rows;
use std::{collections::BTreeMap, fmt::Write as _, fs};

/// The category that functions belong to, by `rules/categories.tsv`.
pub struct Categories {
    /// The names, in order.
    pub names: Vec<String>,
    of: BTreeMap<String, usize>,
}

impl Categories {
    /// Reads the table.
    pub fn read() -> Categories {
        let (mut names, mut of) = (Vec::new(), BTreeMap::new());
        for row in &read_rows("rules/categories.tsv")[1..] {
            let [name, _, functions] = row.exactly();
            for function in functions.split(' ').filter(|f| *f != "-") {
                if of.insert(function.to_string(), names.len()).is_some() {
                    panic!("{}: `{function}` has a category already", row.place);
                }
            }
            names.push(name.to_string());
        }
        Categories { names, of }
    }

    /// What the table says of a category, for its docs.
    pub fn docs() -> Vec<String> {
        read_rows("rules/categories.tsv")[1..].iter().map(|row| row.exactly::<3>()[1].to_string()).collect()
    }
}

/// The rows of `domains/`.
pub fn write(out: &mut String, dtypes: &Dtypes, categories: &Categories) {
    let mut domains: BTreeMap<String, String> = BTreeMap::new();
    println!("cargo:rerun-if-changed=domains");
    let mut files: Vec<_> = fs::read_dir("domains").expect("domains/").map(|e| e.unwrap().path()).collect();
    files.sort();
    for path in files {
        for row in read_rows(path.to_str().expect("a UTF-8 path")) {
            let place = &row.place;
            assert!(row.cells.len() >= 2, "{place}: a function and at least one operand expected");
            let function = &row.cells[0];
            let sets: Vec<String> = row.cells[1..]
                .iter()
                .map(|cell| {
                    let (name, set) =
                        cell.split_once('=').unwrap_or_else(|| panic!("{place}: `{cell}` is not NAME=SET"));
                    format!("({name:?}, {})", dtypes.parse_set(set, place))
                })
                .collect();
            let category = categories
                .of
                .get(function)
                .map_or("None".into(), |c| format!("Some(Category::{})", variant(&categories.names[*c])));
            let entry = format!(
                "    Domain {{ function: {function:?}, place: {place:?}, category: {category}, operands: &[{}] }},",
                sets.join(", ")
            );
            if domains.insert(function.clone(), entry).is_some() {
                panic!("{place}: `{function}` has a second row");
            }
        }
    }
    let without = categories.of.keys().find(|f| !domains.contains_key(*f));
    assert!(without.is_none(), "rules/categories.tsv: {without:?} has no row in domains/");
    writeln!(out, "/// The rows of `domains/`, sorted by function.\npub static DOMAINS: &[Domain] = &[")
        .unwrap();
    domains.values().for_each(|d| writeln!(out, "{d}").unwrap());
    writeln!(out, "];").unwrap();
}

/// The name of a variant: `array-api` is ArrayApi, `numpy-1.26` is Numpy126.
pub fn variant(name: &str) -> String {
    let word = |w: &str| w[..1].to_uppercase() + &w[1..].replace('.', "");
    name.split(['-', '_', ' ']).map(word).collect()
}
