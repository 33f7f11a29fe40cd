//! The suite of all backends, on libtorch.
#![cfg(feature = "libtorch")]

use ivy_backend_suite::{Bounds, Near, Subject, suite};
use ivy_backend_torch::TorchBackend;
use ivy_core::backend::BackendRef;
use ivy_core::{BinaryOp, Dtype, UnaryOp};

/// The bound of most functions that round: 1 unit, 2 of float64, 4 of the norm of complex.
fn within_bound(dtype: Dtype) -> Near {
    match dtype {
        Dtype::FLOAT64 => Near::Ulp(2),
        d if d.is_complex() => Near::Norm(4.0),
        _ => Near::Ulp(1),
    }
}

fn unary(op: UnaryOp, dtype: Dtype) -> Near {
    use UnaryOp::*;
    match op {
        Acos | Acosh | Asin | Asinh | Atan | Atanh | Cos | Cosh | Exp | Expm1 | Log | Log1p | Log2
        | Log10 | Sin | Sinh | Tan | Tanh => within_bound(dtype),
        Abs | Reciprocal | Sign | Sqrt | Square if dtype.is_complex() => within_bound(dtype),
        _ => Near::Same,
    }
}

fn binary(op: BinaryOp, dtype: Dtype) -> Near {
    use BinaryOp::*;
    match op {
        Atan2 | Hypot | Logaddexp | Pow => within_bound(dtype),
        Multiply | Divide if dtype.is_complex() => within_bound(dtype),
        Maximum | Minimum => Near::SameButZeros,
        _ => Near::Same,
    }
}

fn subject() -> Subject {
    let backend = BackendRef::new(TorchBackend::new().expect("there is a libtorch"));
    Subject { backend, bounds: Bounds { unary, binary, exact_scans: false } }
}

suite!(subject());

#[cfg(feature = "extra-dtype")]
#[test]
fn a_sixteenth_dtype_has_no_storage() {
    ivy_backend_suite::a_sixteenth_dtype_has_no_storage(&subject());
}
