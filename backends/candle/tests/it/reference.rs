//! The suite of all backends, on candle.

use ivy_backend_candle::CandleBackend;
use ivy_backend_suite::{Bounds, Near, Subject, suite};
use ivy_core::backend::BackendRef;
use ivy_core::{Dtype, UnaryOp};

fn unary(op: UnaryOp, dtype: Dtype) -> Near {
    use UnaryOp::*;
    match op {
        Exp | Log | Sin | Cos | Tanh if dtype.bytes() == 2 => Near::Ulp(1),
        Exp | Log | Sin | Cos | Tanh => Near::Ulp(2),
        _ => Near::Same,
    }
}

fn subject() -> Subject {
    let bounds = Bounds { unary, binary: |_, _| Near::Same, exact_scans: true };
    Subject { backend: BackendRef::new(CandleBackend::new()), bounds }
}

suite!(subject());

#[cfg(feature = "extra-dtype")]
#[test]
fn a_sixteenth_dtype_has_no_storage() {
    ivy_backend_suite::a_sixteenth_dtype_has_no_storage(&subject());
}
