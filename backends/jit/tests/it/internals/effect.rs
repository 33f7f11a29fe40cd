//! What scatters take.

use ivy_backend_jit::lower::*;
use ivy_core::{Dtype, ScatterOp};

/// Effects are those of scatters, and of none whose order is seen.
#[test]
fn effects_are_of_what_a_scatter_takes() {
    for &op in ScatterOp::ALL {
        for dtype in Dtype::all().filter(|&dtype| effect(op, dtype).is_some()) {
            assert!(op.takes(dtype), "{op:?} of {dtype}");
            assert_ne!(op, ScatterOp::Set);
            assert!(!is_rounded(dtype) || op == ScatterOp::Add);
        }
    }
}
