//! The rule sets: `rules/NAME/*.tsv`, in the order of `rules/sets.tsv`.

mod cells;
mod set;

use crate::domains::{Categories, variant};
use crate::dtypes::Dtypes;
use crate::tsv::read_rows;
use std::fmt::Write as _;

/// What `sets.tsv` says of a set.
pub struct Listed {
    /// Its name, and its folder's.
    pub name: String,
    /// The folder of the files that its own lacks.
    pub base: Option<String>,
    /// What it is, for docs and lists.
    pub about: String,
    /// The package and version that answer the same.
    pub source: String,
}

/// Writes all of them, and the macro with one entry for each; with `extra`, those of `sets-extra.tsv` as well.
pub fn write(out: &mut String, dtypes: &Dtypes, categories: &Categories, extra: bool) {
    println!("cargo:rerun-if-changed=rules");
    let files = ["rules/sets.tsv", "rules/sets-extra.tsv"];
    let sets: Vec<Listed> = files[..if extra { 2 } else { 1 }]
        .iter()
        .flat_map(|file| read_rows(file).into_iter().skip(1))
        .map(|row| {
            let [name, base, about, source] = row.exactly();
            let base = (base != "-").then(|| base.to_string());
            Listed { name: name.into(), base, about: about.into(), source: source.into() }
        })
        .collect();
    write_categories(out, categories);
    cells::write_same(out, dtypes);
    for listed in &sets {
        set::write(out, dtypes, categories, &sets, listed);
    }
    writeln!(
        out,
        "/// Every set of rules, in the order of `rules/sets.tsv`.\npub static RULE_SETS: [RuleSet; {}] = [",
        sets.len()
    )
    .unwrap();
    sets.iter().for_each(|s| writeln!(out, "    {},", set::constant(&s.name)).unwrap());
    writeln!(out, "];").unwrap();
    writeln!(
        out,
        "/// Calls a macro with one `(Variant, index, docs)` for each set of rules.\n#[macro_export]"
    )
    .unwrap();
    writeln!(out, "macro_rules! for_each_rules {{ ($callback:ident) => {{ $callback! {{").unwrap();
    for (i, s) in sets.iter().enumerate() {
        writeln!(out, "    ({}, {i}, {:?})", variant(&s.name), format!("{} ({}).", s.about, s.source))
            .unwrap();
    }
    writeln!(out, "}} }} }}").unwrap();
}

fn write_categories(out: &mut String, categories: &Categories) {
    writeln!(
        out,
        "/// What a rule set may have a rule of its own about: the rows of `rules/categories.tsv`."
    )
    .unwrap();
    writeln!(
        out,
        "#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\n#[non_exhaustive]\npub enum Category {{"
    )
    .unwrap();
    let docs = Categories::docs();
    for (name, doc) in categories.names.iter().zip(&docs) {
        writeln!(out, "    /// {doc}.\n    {},", variant(name)).unwrap();
    }
    writeln!(
        out,
        "}}\n/// The number of categories.\npub const CATEGORIES: usize = {};",
        categories.names.len()
    )
    .unwrap();
    writeln!(out, "impl Category {{\n    /// Every category.\n    pub const ALL: [Category; CATEGORIES] = [")
        .unwrap();
    categories.names.iter().for_each(|n| writeln!(out, "        Category::{},", variant(n)).unwrap());
    writeln!(out, "    ];\n    /// Its name in the tables.\n    pub const fn name(self) -> &'static str {{\n        match self {{").unwrap();
    categories
        .names
        .iter()
        .for_each(|n| writeln!(out, "            Category::{} => {n:?},", variant(n)).unwrap());
    writeln!(out, "        }}\n    }}\n    /// What it holds, in words.\n    pub const fn about(self) -> &'static str {{\n        match self {{").unwrap();
    for (name, doc) in categories.names.iter().zip(&docs) {
        writeln!(out, "            Category::{} => {doc:?},", variant(name)).unwrap();
    }
    writeln!(out, "        }}\n    }}\n}}").unwrap();
}
