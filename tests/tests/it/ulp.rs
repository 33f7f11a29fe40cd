//! The engine's elementary functions: within their bounds on samples of all magnitudes and on all
//! edges, and the same bits by both generators.

use ivy::backend::{BackendRef, backend};
use ivy::function::{Bound, find_function};
use ivy::{Dtype, ErrorKind, Op, UnaryOp};
use ivy_backend_suite::in_part;
use ivy_conformance::ulp::{Arguments, BINARY, UNARY, measure, op};

fn ops() -> Vec<Op> {
    let unary = UNARY.iter().map(|&op| Op::Unary(op));
    unary.chain(BINARY.iter().map(|&op| Op::Binary(op))).collect()
}

fn check(backend: &BackendRef, dtype: Dtype) {
    for (_, op) in ops().into_iter().enumerate().filter(|&(i, _)| in_part(i)) {
        let bound = match find_function(op.name()).unwrap().bound {
            Bound::Ulp { float64, .. } if dtype == Dtype::FLOAT64 => float64,
            Bound::Ulp { float32, .. } => float32,
            _ => 0.5,
        };
        let found = measure(backend, &op, dtype, Arguments::Samples { seed: 7 }, &|_, _| {}).unwrap();
        assert!(found.arguments > 1 << 16);
        assert_eq!(found.wrong, (0, None), "{} of {dtype}", op.name());
        assert!(found.worst <= bound, "{} of {dtype}: {found:?}", op.name());
    }
}

#[test]
fn float32_is_within_bounds() {
    check(&backend("jit:llvm").unwrap(), Dtype::FLOAT32);
}

#[test]
fn float64_is_within_bounds() {
    check(&backend("jit:llvm").unwrap(), Dtype::FLOAT64);
}

#[test]
fn only_elementary_functions_are_measured() {
    let interp = backend("jit:interp").unwrap();
    let refused = |op: Op, dtype, arguments| {
        let error = measure(&interp, &op, dtype, arguments, &|_, _| {}).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::InvalidArgument { .. }), "{error}");
    };
    let samples = Arguments::Samples { seed: 1 };
    refused(Op::Unary(UnaryOp::Abs), Dtype::FLOAT32, samples);
    refused(Op::Unary(UnaryOp::Exp), Dtype::FLOAT16, samples);
    refused(Op::Unary(UnaryOp::Exp), Dtype::FLOAT64, Arguments::All);
    assert!(op("abs").is_none() && op("exp") == Some(Op::Unary(UnaryOp::Exp)));
}
