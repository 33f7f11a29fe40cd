//! TensorFlow's own answers, recorded, and the frontend's beside them.

use ivy_backend_ndarray as _;
use ivy_frontend_tensorflow::TENSORFLOW;
use std::path::Path;

mod curve;
#[path = "../examples/gradient_tape.rs"]
mod gradient_tape;
mod tape;

#[test]
fn wrong_arguments_are_refused_by_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let backend = ivy_core::backend::backend("ndarray").expect("the reference is there");
    ivy_frontend_suite::check_wrong_arguments(&TENSORFLOW, &folder, &backend);
}

#[test]
fn calls_by_the_short_way_are_those_without_it() {
    ivy_frontend_suite::check_direct_calls(&TENSORFLOW);
}

#[test]
fn calls_of_host_values_by_the_short_way_too() {
    ivy_frontend_suite::check_host_calls(&TENSORFLOW);
}

#[test]
fn recorded_calls() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let backend = ivy_core::backend::backend("ndarray").expect("the reference is there");
    let report = ivy_frontend_suite::replay(&TENSORFLOW, &folder, &backend);
    println!("{report}");
    for (path, calls) in &report.missing {
        println!("no row: {path} ({calls} calls)");
    }
    assert!(report.failures.is_empty(), "{report}\n{}", report.failures.join("\n"));
}
