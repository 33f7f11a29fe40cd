//! One set of rules: the files of its folder, and of the folder that it is based on.

use super::Listed;
use super::cells::{Unlisted, cell, list, read_pairs, write_pairs};
use crate::domains::Categories;
use crate::dtypes::Dtypes;
use crate::tsv::{Row, read_rows, read_rows_if_there};
use std::{collections::BTreeMap, fmt::Write as _, fs};

/// The name of a set's constants: `numpy-1.26` is NUMPY_1_26.
pub fn constant(name: &str) -> String {
    name.to_uppercase().replace(['-', '.'], "_")
}

struct Set<'a> {
    listed: &'a Listed,
    /// All sets, for those that this one is based on.
    sets: &'a [Listed],
    dtypes: &'a Dtypes,
    /// The pair tables that are written already, by file, with their constants.
    tables: BTreeMap<String, String>,
    unlisted: Unlisted,
}

/// Writes a set.
pub fn write(out: &mut String, dtypes: &Dtypes, categories: &Categories, sets: &[Listed], listed: &Listed) {
    let mut set = Set { listed, sets, dtypes, tables: BTreeMap::new(), unlisted: Unlisted::Refused };
    let defaults = Defaults::read(&set);
    set.unlisted = defaults.unlisted;
    let pairs = set.pairs(out, "pairs.tsv").unwrap_or_else(|| panic!("rules/{}: no pairs.tsv", listed.name));
    let zero = set.pairs(out, "pairs-array-zero.tsv").unwrap_or_else(|| pairs.clone());
    let zeros = set.pairs(out, "pairs-zero.tsv").unwrap_or_else(|| pairs.clone());
    let scalars = set.scalars();
    let rows = set.categories(out, categories);
    let casting = set.casting();
    let name = constant(&listed.name);
    let place = |file: &str| format!("{:?}", set.file(file));
    writeln!(
        out,
        "const {name}: RuleSet = RuleSet {{ name: {:?}, about: {:?}, source: {:?}, files: Files {{ pairs: {}, \
         scalars: {}, categories: {} }}, pairs: &{pairs}, array_zero: &{zero}, zero: &{zeros}, scalars: &{scalars}, \
         categories: &{rows}, casting: &{casting}, {} }};",
        listed.name,
        listed.about,
        listed.source,
        place("pairs.tsv"),
        place("scalars.tsv"),
        place("categories.tsv"),
        defaults.expression
    )
    .unwrap();
}

impl Set<'_> {
    /// The file of the set's own folder, else of the nearest one that it is based on.
    fn file(&self, name: &str) -> String {
        let mut set = self.listed;
        loop {
            let own = format!("rules/{}/{name}", set.name);
            let base = set.base.as_ref().and_then(|base| self.sets.iter().find(|s| s.name == *base));
            match base {
                Some(base) if !fs::exists(&own).unwrap_or(false) => set = base,
                _ => return own,
            }
        }
    }

    fn rows(&self, name: &str) -> Option<Vec<Row>> {
        read_rows_if_there(&self.file(name))
    }

    /// The constant of a pair table, written where it was not yet.
    fn pairs(&mut self, out: &mut String, name: &str) -> Option<String> {
        let file = self.file(name);
        if let Some(known) = self.tables.get(&file) {
            return Some(known.clone());
        }
        if !fs::exists(&file).unwrap_or(false) {
            return None;
        }
        let table = read_pairs(self.dtypes, &file, self.unlisted);
        let constant = format!("{}_{}", constant(&self.listed.name), constant(name.trim_end_matches(".tsv")));
        write_pairs(out, &constant, &table);
        self.tables.insert(file, constant.clone());
        Some(constant)
    }

    /// What an array's dtype and a host scalar's kind give; without a file every scalar is refused.
    fn scalars(&self) -> String {
        let mut cells = vec![["cell::REFUSED"; 4].map(String::from); self.dtypes.len()];
        for row in self.rows("scalars.tsv").unwrap_or_default().iter().skip(1) {
            let [dtypes, kinds @ ..] = row.exactly::<5>();
            let set = self.dtypes.parse_known_set(dtypes, &row.place);
            for (i, of_dtype) in cells.iter_mut().enumerate().filter(|(i, _)| set >> i & 1 == 1) {
                *of_dtype = kinds.map(|text| match text {
                    "=" => i.to_string(),
                    text => cell(self.dtypes, text, &row.place),
                });
            }
        }
        list(&cells.iter().map(|c| list(c)).collect::<Vec<_>>())
    }

    /// The rules of the categories; later rows stand above earlier ones.
    fn categories(&mut self, out: &mut String, categories: &Categories) -> String {
        let n = self.dtypes.len();
        let same = vec!["cell::SAME".to_string(); n];
        let mut rows =
            vec![
                ("None".to_string(), "false", [same.clone(), same, vec!["cell::OWN".to_string(); n]]);
                categories.names.len()
            ];
        for row in self.rows("categories.tsv").unwrap_or_default().iter().skip(1) {
            let [names, verb, dtypes, value] = row.exactly();
            for name in names.split(' ') {
                let index = categories.names.iter().position(|c| c == name);
                let index = index.unwrap_or_else(|| panic!("{}: no category `{name}`", row.place));
                let (pairs, strong, maps) = &mut rows[index];
                let map = match verb {
                    "pairs" if value == "same" => {
                        *pairs = "Some(&SAME_PAIRS)".into();
                        continue;
                    }
                    "pairs" => {
                        let table = self.pairs(out, value);
                        *pairs = table.map_or_else(
                            || panic!("{}: no table `{value}`", row.place),
                            |table| format!("Some(&{table})"),
                        );
                        continue;
                    }
                    "strong" => {
                        *strong = "true";
                        continue;
                    }
                    "each" => &mut maps[0],
                    "computes" => &mut maps[1],
                    "gives" => &mut maps[2],
                    _ => panic!("{}: `{verb}` is none of pairs, strong, each, computes, gives", row.place),
                };
                let set = self.dtypes.parse_known_set(dtypes, &row.place);
                for (_, of_dtype) in map.iter_mut().enumerate().filter(|(i, _)| set >> i & 1 == 1) {
                    *of_dtype = cell(self.dtypes, value, &row.place);
                }
            }
        }
        let row = |(pairs, strong, [each, computes, gives]): &(String, &str, [Vec<String>; 3])| {
            format!(
                "CategoryRule {{ pairs: {pairs}, strong: {strong}, each: {}, computes: {}, gives: {} }}",
                list(each),
                list(computes),
                list(gives)
            )
        };
        list(&rows.iter().map(row).collect::<Vec<_>>())
    }

    /// Which casts each kind of casting allows.
    fn casting(&self) -> String {
        let mut kinds: Vec<(String, Vec<u32>)> = Vec::new();
        for row in self.rows("casting.tsv").unwrap_or_default().iter().skip(1) {
            let [kind, from, to] = row.exactly();
            if kinds.iter().all(|k| k.0 != kind) {
                kinds.push((kind.to_string(), vec![0; self.dtypes.len()]));
            }
            let sets = &mut kinds.iter_mut().find(|k| k.0 == kind).expect("it was put there").1;
            let from = self.dtypes.parse_known_set(from, &row.place);
            for (i, set) in sets.iter_mut().enumerate().filter(|(i, _)| from >> i & 1 == 1) {
                *set |= match to {
                    "itself" => 1 << i,
                    "-" => 0,
                    _ => self.dtypes.parse_known_set(to, &row.place),
                };
            }
        }
        let row = |(name, sets): &(String, Vec<u32>)| {
            format!(
                "CastingRule {{ name: {name:?}, to: {} }}",
                list(&sets.iter().map(u32::to_string).collect::<Vec<_>>())
            )
        };
        list(&kinds.iter().map(row).collect::<Vec<_>>())
    }
}

/// What `defaults.tsv` says.
struct Defaults {
    unlisted: Unlisted,
    expression: String,
}

impl Defaults {
    fn read(set: &Set<'_>) -> Defaults {
        let (mut unlisted, mut values) = (Unlisted::Refused, BTreeMap::new());
        let mut canonical: Vec<usize> = (0..set.dtypes.len()).collect();
        let file = set.file("defaults.tsv");
        let index = |name: &str, place: &str| {
            set.dtypes.index(name).unwrap_or_else(|| panic!("{place}: `{name}` is no dtype"))
        };
        for row in &read_rows(&file)[1..] {
            let [key, value] = row.exactly();
            let place = &row.place;
            let word = |words: &[(&str, &str)]| -> String {
                let found = words.iter().find(|w| w.0 == value);
                found.unwrap_or_else(|| panic!("{place}: `{value}` is no value of {key}")).1.to_string()
            };
            let truth = || word(&[("yes", "true"), ("no", "false")]);
            let (field, text) = match key {
                "int" | "uint" | "float" | "complex" | "index" => (key, index(value, place).to_string()),
                "bool" => ("truth", index(value, place).to_string()),
                "unlisted" => {
                    unlisted = Unlisted::parse(value, place);
                    continue;
                }
                "several" => (
                    key,
                    word(&[
                        ("by kind", "Several::ByKind"),
                        ("highest first", "Several::HighestFirst"),
                        ("in order", "Several::InOrder"),
                    ]),
                ),
                "scalars" => (
                    "scalars_are",
                    word(&[
                        ("weak", "Scalars::Weak"),
                        ("by value", "Scalars::ByValue"),
                        ("strong", "Scalars::Strong"),
                    ]),
                ),
                "out of range" => ("wraps", word(&[("refused", "false"), ("wraps", "true")])),
                "values widen" => ("widens", truth()),
                "weak arrays" => ("weak_arrays", truth()),
                _ => match key.strip_prefix("canonical ") {
                    Some(name) => {
                        canonical[index(name, place)] = index(value, place);
                        continue;
                    }
                    None => panic!("{place}: unknown key `{key}`"),
                },
            };
            values.insert(field.to_string(), text);
        }
        let fields = [
            "truth",
            "int",
            "uint",
            "float",
            "complex",
            "index",
            "several",
            "scalars_are",
            "weak_arrays",
            "wraps",
            "widens",
        ];
        let mut expression: Vec<String> = fields
            .iter()
            .map(|f| format!("{f}: {}", values.get(*f).unwrap_or_else(|| panic!("{file}: no row for {f}"))))
            .collect();
        let canonical = list(&canonical.iter().map(usize::to_string).collect::<Vec<_>>());
        expression.push(format!("canonical: {canonical}"));
        Defaults { unlisted, expression: expression.join(", ") }
    }
}
