//! `gradcheck` and `gradgradcheck` of every recorded call.

use ivy_backend_jit as _;
use ivy_backend_suite::in_part;
use ivy_frontend_suite::Gradients;
use ivy_frontend_torch::TORCH;
use std::path::Path;

/// Calls that differences tell nothing of: the function, an argument that has to be given for that, and the reason.
const WITHOUT: &[(&str, Option<&str>, &str)] = &[
    ("Tensor.detach", None, "ends the graph"),
    ("Tensor.histogram", None, "counts: PyTorch has no derivative by the ends of bins"),
    ("bernoulli", None, "draws"),
    ("detach_", None, "ends the graph"),
    ("histogram", None, "counts: PyTorch has no derivative by the ends of bins"),
    ("nextafter", None, "PyTorch has no derivative of it"),
    ("nn.functional.embedding", Some("padding_idx"), "the row of the padding has no gradient"),
];

/// Functions of symmetric matrices, which read one half of their operand.
const SYMMETRIC: &[&str] = &["cholesky", "linalg.cholesky", "linalg.cholesky_ex"];

fn check(backend: &str, taken: impl Fn(usize) -> bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    Gradients { frontend: &TORCH, without: WITHOUT, symmetric: SYMMETRIC }.check(&folder, backend, taken);
}

#[test]
fn every_recorded_call_on_ndarray() {
    check("ndarray", |_| true);
}

#[test]
fn every_recorded_call_on_jit() {
    check("jit", in_part);
}
