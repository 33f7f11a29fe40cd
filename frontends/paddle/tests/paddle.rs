//! Paddle's own answers, recorded, and the frontend's beside them.

use ivy_backend_ndarray as _;
use ivy_core::Dtype;
use ivy_frontend_paddle::{Methods, PADDLE, Tensor, autograd, kw, to_tensor};
use ivy_frontend_suite::Gradients;
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

/// Calls that differences tell nothing of: the function, an argument that has to be given for that, and the reason.
const WITHOUT: &[(&str, Option<&str>, &str)] = &[
    ("bernoulli", None, "draws"),
    ("linalg.pinv", None, "of a symmetric matrix one half is read"),
    ("nextafter", None, "Paddle has no derivative of it"),
    ("to_tensor", None, "a new leaf"),
];

/// Functions of symmetric matrices, which read one half of their operand.
const SYMMETRIC: &[&str] = &["linalg.cholesky"];

#[test]
fn gradients_of_recorded_calls() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let checks = Gradients { frontend: &PADDLE, without: WITHOUT, symmetric: SYMMETRIC };
    checks.check(&folder, "ndarray", |_| true);
}

#[test]
fn gradients_from_rust() -> ivy_core::Result<()> {
    let x = to_tensor([1.0f32, 2.0], kw! { stop_gradient: false })?;
    x.square(())?.backward(())?;
    let gradient = || autograd::grad_of(x.ivy_array()).expect("backward gathers it").to_vec::<f32>();
    assert_eq!(gradient()?, [2.0, 4.0]);
    // Another walk adds to it.
    x.square(())?.backward(kw! { grad_tensor: Tensor::new([1.0f32, 10.0])? })?;
    assert_eq!(gradient()?, [4.0, 44.0]);
    x.clear_gradient(())?;
    assert_eq!(gradient()?, [0.0, 0.0]);
    let slopes = ivy_frontend_paddle::grad(&x.square(())?, &x, ())?;
    assert_eq!(slopes[0].to_vec::<f32>()?, [2.0, 4.0]);
    let error = to_tensor([1i64], kw! { stop_gradient: false }).unwrap_err().to_string();
    assert!(error.contains("paddle.to_tensor") && error.contains("floating point and complex"), "{error}");
    Ok(())
}
