//! Ops that compute each element by itself.

use crate::{FLOATS, Near, Subject, difference, edges, grid, reference};
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Dtype, Op, UnaryOp};

/// Every unary op, on arrays with and without axes and elements.
pub fn unary_ops(subject: &Subject) {
    let mut seen = 0;
    for &unary in UnaryOp::ALL {
        for dtype in subject.dtypes() {
            let near = (subject.bounds.unary)(unary, dtype);
            if dtype.is_complex() {
                seen += subject.check(&Op::Unary(unary), &[&grid(dtype)], near);
            }
            for shape in [vec![], vec![1], vec![3, 11], vec![5, 2, 7], vec![0], vec![2, 0, 3], vec![1; 9]] {
                seen += subject.check(&Op::Unary(unary), &[&edges(dtype, shape, 0)], near);
            }
        }
    }
    assert!(seen > 1000);
}

/// Every binary op, with broadcasting.
pub fn binary_ops(subject: &Subject) {
    let mut seen = 0;
    for &binary in BinaryOp::ALL {
        for dtype in subject.dtypes() {
            let near = (subject.bounds.binary)(binary, dtype);
            let n = FLOATS.len();
            let shapes: [(Vec<usize>, Vec<usize>); 9] = [
                (vec![n, 1], vec![1, n]),
                (vec![n], vec![n]),
                (vec![], vec![n]),
                (vec![n], vec![]),
                (vec![], vec![]),
                (vec![3, 1, 2], vec![4, 1]),
                (vec![0], vec![1]),
                (vec![2, 0], vec![1, 1]),
                (vec![2, 1, 1, 1, 1, 1, 1, 1, 1], vec![3]),
            ];
            for (a, b) in shapes {
                let (a, b) = (edges(dtype, a, 0), edges(dtype, b, 3));
                seen += subject.check(&Op::Binary(binary), &[&a, &b], near);
            }
        }
    }
    assert!(seen > 1000);
}

/// Every float16 and bfloat16 through every unary op.
pub fn every_small_float_through_every_unary_op(subject: &Subject) {
    let bits: Vec<u16> = (0..=u16::MAX).collect();
    let halves = bits.iter().map(|&b| half::f16::from_bits(b)).collect();
    let brains = bits.iter().map(|&b| half::bf16::from_bits(b)).collect();
    let all = [
        HostArray::from_vec::<half::f16>(halves, bits.len().into()).unwrap(),
        HostArray::from_vec::<half::bf16>(brains, bits.len().into()).unwrap(),
    ];
    for array in &all {
        let value = subject.stored(array);
        for &unary in UnaryOp::ALL {
            let op = Op::Unary(unary);
            if op.result_dtype(&[array.dtype()]).is_none() {
                continue;
            }
            let (actual, expected) =
                (subject.run(&op, &[&value]).unwrap(), reference(&op, &[array]).unwrap());
            let near = (subject.bounds.unary)(unary, array.dtype());
            let wrong = difference(&actual[0], &expected[0], near);
            assert!(wrong.is_none(), "{op:?} on {}: {wrong:?}", array.dtype());
        }
    }
}

/// The choice between two arrays, with broadcasting.
pub fn where_chooses(subject: &Subject) {
    for dtype in subject.dtypes() {
        for shapes in [
            [vec![4, 1], vec![5], vec![]],
            [vec![], vec![3, 2], vec![2]],
            [vec![6], vec![6], vec![6]],
            [vec![0], vec![0], vec![1]],
        ] {
            let [c, a, b] = shapes;
            let c = edges(Dtype::BOOL, c, 0);
            assert_eq!(
                subject.check(&Op::Where, &[&c, &edges(dtype, a, 0), &edges(dtype, b, 9)], Near::Same),
                1
            );
        }
    }
}
