//! The path for dense operands against the general one.

use crate::support::seeds;
use ivy_core::host::{Buffer, HostArray};
use ivy_core::{BinaryOp, Dtype, Result, UnaryOp};
use ivy_kernels::elementwise::{binary, binary_dense, cast, unary, unary_dense};
use ivy_kernels::internals::ELEMENTWISE_PARALLEL as PARALLEL;

/// Up to this many elements no vector is used.
const FEW: usize = 4;

fn operand(dtype: Dtype, n: usize, seed: u64) -> HostArray {
    let small = seeds(n, seed).into_iter().map(|s| (s >> 40) as i8 / 8).collect();
    let small = HostArray::from_vec::<i8>(small, n.into()).unwrap();
    // A cast makes a buffer of our own.
    cast(small.view(), dtype).unwrap()
}

fn assert_same(found: Option<(Dtype, Buffer)>, general: Result<HostArray>, what: &str) {
    match (found, general) {
        (Some((dtype, buffer)), Ok(array)) => {
            assert_eq!(dtype, array.dtype(), "{what}");
            assert_eq!(buffer.bytes(), array.buffer().bytes(), "{what}");
        }
        (None, Err(_)) => {}
        (found, general) => panic!("{what}: {found:?}, {general:?}"),
    }
}

#[test]
fn every_op_gives_what_the_general_way_gives() {
    for dtype in Dtype::all() {
        for n in [0, 1, FEW, FEW + 1, 67] {
            let (a, b) = (operand(dtype, n, 1), operand(dtype, n, 2));
            for &op in BinaryOp::ALL {
                let what = format!("{} of {n} {dtype}", op.name());
                let found = binary_dense(op, dtype, a.buffer(), b.buffer());
                assert_same(found, binary(op, a.view(), b.view()), &what);
            }
            for &op in UnaryOp::ALL {
                let what = format!("{} of {n} {dtype}", op.name());
                assert_same(unary_dense(op, dtype, a.buffer()), unary(op, a.view()), &what);
            }
        }
    }
}

#[test]
fn what_does_not_fit_goes_the_general_way() {
    let add = |a: &HostArray, b: &HostArray| {
        binary_dense(BinaryOp::Add, Dtype::FLOAT64, a.buffer(), b.buffer()).is_some()
    };
    let of = |n| operand(Dtype::FLOAT64, n, 3);
    assert!(add(&of(3), &of(3)) && !add(&of(3), &of(2)) && !add(&of(PARALLEL), &of(PARALLEL)));
    // Neither whole elements nor aligned ones.
    let bytes: &'static [u8] = &[0; 32];
    let aligned = bytes.as_ptr().align_offset(8);
    // SAFETY: within bytes that are never changed nor freed.
    let odd = |from: usize, len| unsafe { Buffer::from_foreign(bytes[from..].as_ptr(), len, Box::new(())) };
    let double = |x: &Buffer| unary_dense(UnaryOp::Negative, Dtype::FLOAT64, x).is_some();
    assert!(double(&odd(aligned, 8)) && !double(&odd(aligned, 9)) && !double(&odd(aligned + 4, 8)));
}
