//! JAX's own answers, recorded, and the frontend's beside them.

use ivy_backend_ndarray as _;
use ivy_frontend_jax::JAX;
use std::path::Path;

mod training;
mod weak;

/// Replays the records of a folder in a version.
fn replay(folder: &str, version: &str) {
    let _version = JAX.version_scope(version).expect("the version is known");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let backend = ivy_core::backend::backend("ndarray").expect("the reference is there");
    let report = ivy_frontend_suite::replay(&JAX, &folder, &backend);
    println!("{version}: {report}");
    for (path, calls) in &report.missing {
        println!("no row: {path} ({calls} calls)");
    }
    assert!(report.failures.is_empty(), "{report}\n{}", report.failures.join("\n"));
}

#[test]
fn wrong_arguments_are_refused_by_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let backend = ivy_core::backend::backend("ndarray").expect("the reference is there");
    ivy_frontend_suite::check_wrong_arguments(&JAX, &folder, &backend);
}

#[test]
fn calls_by_the_short_way_are_those_without_it() {
    ivy_frontend_suite::check_direct_calls(&JAX);
}

#[test]
fn calls_of_host_values_by_the_short_way_too() {
    ivy_frontend_suite::check_host_calls(&JAX);
}

#[test]
fn recorded_calls() {
    replay("tests/data", "0.10");
}

#[test]
fn recorded_calls_with_64_bit_types() {
    replay("tests/data/x64", "0.10-x64");
}
