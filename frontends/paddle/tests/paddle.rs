//! Paddle's own answers, recorded, and the frontend's beside them.

use ivy_backend_ndarray as _;
use ivy_core::Dtype;
use ivy_frontend_paddle::PADDLE;
use std::path::Path;

#[test]
fn wrong_arguments_are_refused_by_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let backend = ivy_core::backend::backend("ndarray").expect("the reference is there");
    ivy_frontend_suite::check_wrong_arguments(&PADDLE, &folder, &backend);
}

#[test]
fn calls_by_the_short_way_are_those_without_it() {
    ivy_frontend_suite::check_direct_calls(&PADDLE);
}

#[test]
fn calls_of_host_values_by_the_short_way_too() {
    ivy_frontend_suite::check_host_calls(&PADDLE);
}

#[test]
fn recorded_calls() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let backend = ivy_core::backend::backend("ndarray").expect("the reference is there");
    let report = ivy_frontend_suite::replay(&PADDLE, &folder, &backend);
    println!("{report}");
    for (path, calls) in &report.missing {
        println!("no row: {path} ({calls} calls)");
    }
    assert!(report.failures.is_empty(), "{report}\n{}", report.failures.join("\n"));
}

#[test]
fn dtypes_that_are_taken_go_the_short_way() -> ivy_core::Result<()> {
    let is_short = |path: &str, dtype| -> ivy_core::Result<bool> {
        let x = ivy_core::functional::ones([2], dtype)?;
        Ok(PADDLE.call_arrays(PADDLE.find(path)?, [&x]).is_some())
    };
    for path in ["max", "amin"] {
        let taken = [Dtype::INT32, Dtype::INT64, Dtype::FLOAT32, Dtype::FLOAT64];
        for dtype in taken {
            assert!(is_short(path, dtype)?, "{path} of {dtype}");
        }
        for dtype in [Dtype::BOOL, Dtype::UINT8, Dtype::COMPLEX64] {
            assert!(!is_short(path, dtype)?, "{path} of {dtype}");
        }
    }
    Ok(())
}
