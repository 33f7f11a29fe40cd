//! NumPy's own answers, recorded, and the frontend's beside them; and what no recorded value can say.

mod distributions;
#[path = "../examples/filter/main.rs"]
mod filter;
mod host_numbers;
mod pictures;
mod views;

use ivy_backend_ndarray as _;
use ivy_frontend_numpy::NUMPY;
use std::path::Path;

#[test]
fn recorded_calls() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let backend = ivy_core::backend::backend("ndarray").expect("the reference is there");
    let report = ivy_frontend_suite::replay(&NUMPY, &folder, &backend);
    println!("{report}");
    for (path, calls) in &report.missing {
        println!("no row: {path} ({calls} calls)");
    }
    assert!(report.failures.is_empty(), "{report}\n{}", report.failures.join("\n"));
    assert!(report.passed >= 4000, "{report}");
}

#[test]
fn names_of_the_namespace() {
    let is_own = |path: &str| !path.contains("__");
    let rows = &NUMPY.table().rows;
    let methods = rows.iter().filter(|row| row.path.starts_with("ndarray.") && is_own(&row.path)).count();
    let functions = rows.iter().filter(|row| !row.path.starts_with("ndarray.")).count();
    println!("{functions} functions, {methods} methods and properties of ndarray");
    assert!(functions >= 300 && methods >= 50);
}
