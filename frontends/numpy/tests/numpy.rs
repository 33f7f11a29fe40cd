//! NumPy's own answers, recorded, and the frontend's beside them; and what no recorded value can say.

mod distributions;
#[path = "../examples/filter/main.rs"]
mod filter;
mod host_numbers;
mod pictures;
mod views;

use ivy_backend_ndarray as _;
use ivy_frontend_numpy::{NUMPY, Value};
use std::path::Path;

#[test]
fn wrong_arguments_are_refused_by_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let backend = ivy_core::backend::backend("ndarray").expect("the reference is there");
    ivy_frontend_suite::check_wrong_arguments(&NUMPY, &folder, &backend);
}

#[test]
fn calls_by_the_short_way_are_those_without_it() {
    ivy_frontend_suite::check_direct_calls(&NUMPY);
}

#[test]
fn calls_of_host_values_by_the_short_way_too() {
    ivy_frontend_suite::check_host_calls(&NUMPY);
}

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
    assert!(report.passed >= 8000, "{report}");
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

#[test]
fn names_that_a_version_lacks_or_has_dropped_say_so() {
    let ones = [Value::from([1.0, 2.0])];
    let refused = |path: &str| NUMPY.call(path, &ones, ().into()).expect_err(path).to_string();
    let dropped = refused("product");
    assert!(dropped.contains("`product`") && dropped.contains("2.0 has dropped it"), "{dropped}");
    assert!(refused("in1d").contains("version 2.4 is in force"));
    let _scope = NUMPY.version_scope("1.26").expect("it is known");
    assert!(NUMPY.call("product", &ones, ().into()).is_ok());
    let Ok(Value::Array(found)) = NUMPY.call("in1d", &[[1.0, 5.0].into(), [5.0].into()], ().into()) else {
        panic!("an array")
    };
    assert_eq!(found.to_vec::<bool>().expect("truth values"), [false, true]);
    let later = refused("acos");
    assert!(later.contains("it came with 2.0") && later.contains("version 1.26"), "{later}");
    // What it stands for is there, and so are rows that call it.
    assert!(NUMPY.call("arccos", &[0.5.into()], ().into()).is_ok());
    let x = ivy_frontend_numpy::NdArray::new([0.5]).expect("an array");
    assert!(ivy_frontend_numpy::acos(&x, ()).is_err() && ivy_frontend_numpy::arccos(&x, ()).is_ok());
}
