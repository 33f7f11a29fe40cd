//! The path for dense operands against the general one.

use crate::support::seeds;
use ivy_core::host::{Buffer, HostArray};
use ivy_core::{BinaryOp, Dtype, Result, Scalar, Shape, UnaryOp};
use ivy_kernels::elementwise::{binary, binary_dense, binary_dense_scalar, cast, full, unary, unary_dense};
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
fn scalars_are_arrays_of_one_element() {
    let scalars = [
        Scalar::Bool(true),
        Scalar::Int(-3),
        Scalar::Int(0),
        Scalar::Float(2.7),
        Scalar::Float(-0.0),
        Scalar::Complex(num_complex::Complex64::new(0.5, -2.0)),
    ];
    // Of complex128, more than two blocks of 8 KiB.
    for (dtype, n) in Dtype::all().flat_map(|dtype| [0, 1, FEW, FEW + 1, 67, 1100].map(|n| (dtype, n))) {
        let x = operand(dtype, n, 1);
        for scalar in scalars {
            let one = full(&Shape::default(), dtype, scalar).unwrap();
            for (&op, first) in BinaryOp::ALL.iter().flat_map(|op| [(op, false), (op, true)]) {
                let what = format!("{} of {n} {dtype} and {scalar}, {first}", op.name());
                let found = binary_dense_scalar(op, dtype, x.buffer(), scalar, first);
                let (a, b) = if first { (&one, &x) } else { (&x, &one) };
                assert_same(found, binary(op, a.view(), b.view()), &what);
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
    let plus = |x: &HostArray| {
        binary_dense_scalar(BinaryOp::Add, Dtype::FLOAT64, x.buffer(), Scalar::Int(1), false).is_some()
    };
    assert!(plus(&of(3)) && !plus(&of(PARALLEL)));
    // Neither whole elements nor aligned ones.
    let bytes: &'static [u8] = &[0; 32];
    let aligned = bytes.as_ptr().align_offset(8);
    // SAFETY: within bytes that are never changed nor freed.
    let odd = |from: usize, len| unsafe { Buffer::from_foreign(bytes[from..].as_ptr(), len, Box::new(())) };
    let double = |x: &Buffer| unary_dense(UnaryOp::Negative, Dtype::FLOAT64, x).is_some();
    assert!(double(&odd(aligned, 8)) && !double(&odd(aligned, 9)) && !double(&odd(aligned + 4, 8)));
}
