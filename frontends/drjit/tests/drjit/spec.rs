//! The table of the specification's rows.

use super::rows;
use std::collections::BTreeSet;

const SOURCES: [&str; 13] = [
    include_str!("answers.rs"),
    include_str!("calls.rs"),
    include_str!("differentiation.rs"),
    include_str!("errors.rs"),
    include_str!("flow.rs"),
    include_str!("freezing.rs"),
    include_str!("literals.rs"),
    include_str!("observation.rs"),
    include_str!("memory.rs"),
    include_str!("operands.rs"),
    include_str!("programs.rs"),
    include_str!("textures.rs"),
    include_str!("types.rs"),
];

const PYTHON: &str = include_str!("../../../../bindings/python/tests/test_drjit.py");

/// The names of the tests whose names begin with the number of a row.
fn tests() -> BTreeSet<String> {
    let text = SOURCES.join("\n") + include_str!("random.rs");
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let numbered = |word: &&str| {
        let number = word.strip_prefix("d_").and_then(|rest| rest.split_once('_'));
        number.is_some_and(|(number, _)| number.len() == 2 && number.chars().all(|c| c.is_ascii_digit()))
    };
    words.filter(numbered).map(str::to_owned).collect()
}

#[test]
fn every_row_is_in_the_table_and_every_test_in_its_row() {
    let table = include_str!("../../spec.tsv");
    let tests = tests();
    let (mut named, mut numbers) = (BTreeSet::new(), Vec::new());
    for row in rows(table) {
        let [number, what, own, state, _] = row[..] else { panic!("{row:?}: row, what, tests, state, note") };
        assert!(!what.is_empty() && matches!(state, "done" | "partial" | "later"), "{number}: {state}");
        let own: Vec<&str> = own.split(' ').filter(|name| *name != "-").collect();
        assert_eq!(own.is_empty(), state == "later", "{number}: a row has tests unless it comes later");
        let prefix = format!("d_{}_", &number[2..]);
        for name in own {
            if let Some(python) = name.strip_prefix("test_drjit.py::") {
                let defined = PYTHON.contains(&format!("\ndef {python}("));
                assert!(defined, "{number}: there is no test {python} of Python");
                continue;
            }
            assert!(tests.contains(name), "{number}: there is no test {name}");
            assert!(name.starts_with(&prefix), "{number}: {name} is of another row");
            named.insert(name.to_owned());
        }
        numbers.push(number.to_owned());
    }
    assert_eq!(numbers, (1..=58).map(|n| format!("D-{n:02}")).collect::<Vec<_>>());
    let missing: Vec<&String> = tests.difference(&named).collect();
    assert!(missing.is_empty(), "the table lacks the tests {missing:?}");
}
