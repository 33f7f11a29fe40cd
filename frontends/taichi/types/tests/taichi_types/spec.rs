//! The table of the specification's rows.

use super::rows;
use std::collections::BTreeSet;

const SOURCES: [&str; 10] = [
    include_str!("casts.rs"),
    include_str!("compound.rs"),
    include_str!("drawings.rs"),
    include_str!("layouts.rs"),
    include_str!("memory.rs"),
    include_str!("nodes.rs"),
    include_str!("rules.rs"),
    include_str!("trees.rs"),
    include_str!("types.rs"),
    include_str!("words.rs"),
];

/// The names of the tests whose names begin with the number of a row.
fn tests() -> BTreeSet<String> {
    let text = SOURCES.join("\n") + include_str!("typing.rs");
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let numbered = |word: &&str| {
        let number = word.strip_prefix("t_").and_then(|rest| rest.split_once('_'));
        number.is_some_and(|(number, _)| number.len() == 2 && number.chars().all(|c| c.is_ascii_digit()))
    };
    words.filter(numbered).map(str::to_owned).collect()
}

/// The table is also that of the frontend's own tests, so that it has names that are not of these.
#[test]
fn every_row_is_in_the_table_and_every_test_in_its_row() {
    let table = include_str!("../../../spec.tsv");
    let (mut named, mut numbers) = (BTreeSet::new(), Vec::new());
    for row in rows(table) {
        let [number, what, own, state, note] = row[..] else {
            panic!("{row:?}: row, what, tests, state, note")
        };
        assert!(
            !what.is_empty() && !note.is_empty() && matches!(state, "done" | "partial" | "later"),
            "{number}"
        );
        let own: Vec<&str> = own.split(' ').filter(|name| *name != "-").collect();
        assert_eq!(own.is_empty(), state == "later", "{number}: a row has tests unless it comes later");
        let prefix = format!("t_{}_", &number[2..]);
        // Those of Python are the frontend's.
        for name in own.into_iter().filter(|name| !name.contains("::")) {
            assert!(name.starts_with(&prefix), "{number}: {name} is of another row");
            named.insert(name.to_owned());
        }
        numbers.push(number.to_owned());
    }
    assert_eq!(numbers, (1..=56).map(|n| format!("T-{n:02}")).collect::<Vec<_>>());
    let missing: Vec<String> = tests().difference(&named).cloned().collect();
    assert_eq!(missing, Vec::<String>::new(), "tests that the table lacks");
}
