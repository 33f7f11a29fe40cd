//! The table of the specification's rows.

use std::collections::BTreeSet;

const SOURCES: [&str; 9] = [
    include_str!("errors.rs"),
    include_str!("examples.rs"),
    include_str!("fields.rs"),
    include_str!("ir.rs"),
    include_str!("kernels.rs"),
    include_str!("loops.rs"),
    include_str!("programs.rs"),
    include_str!("quant.rs"),
    include_str!("sparse.rs"),
];

/// The files of Python's tests.
const PYTHON: [(&str, &str); 5] = [
    ("test_taichi.py", include_str!("../../../../bindings/python/tests/test_taichi.py")),
    ("test_taichi_debug.py", include_str!("../../../../bindings/python/tests/test_taichi_debug.py")),
    ("test_taichi_sparse.py", include_str!("../../../../bindings/python/tests/test_taichi_sparse.py")),
    ("test_taichi_quant.py", include_str!("../../../../bindings/python/tests/test_taichi_quant.py")),
    ("test_taichi_language.py", include_str!("../../../../bindings/python/tests/test_taichi_language.py")),
];

/// The names of the tests whose names begin with the number of a row.
fn tests() -> BTreeSet<String> {
    let text = SOURCES.join("\n");
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let numbered = |word: &&str| {
        let number = word.strip_prefix("t_").and_then(|rest| rest.split_once('_'));
        number.is_some_and(|(number, _)| number.len() == 2 && number.chars().all(|c| c.is_ascii_digit()))
    };
    words.filter(numbered).map(str::to_owned).collect()
}

/// The table is also that of the tests of types, so that it has names that are not of these.
#[test]
fn every_test_is_in_its_row() {
    let mut named = BTreeSet::new();
    for row in include_str!("../../spec.tsv").lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [number, _, own, _, _] = cells[..] else { panic!("{row}: row, what, tests, state, note") };
        for name in own.split(' ').filter(|name| *name != "-") {
            if let Some((file, python)) = name.split_once("::") {
                let text = PYTHON.iter().find(|(known, _)| *known == file).map_or("", |(_, text)| text);
                let defined = text.contains(&format!("\ndef {python}("));
                assert!(defined, "{number}: there is no test {python} in {file}");
                continue;
            }
            assert!(name.starts_with(&format!("t_{}_", &number[2..])), "{number}: {name} is of another row");
            named.insert(name.to_owned());
        }
    }
    let own = tests();
    let missing: Vec<&String> = own.difference(&named).collect();
    assert!(missing.is_empty(), "tests that the table lacks: {missing:?}");
}
