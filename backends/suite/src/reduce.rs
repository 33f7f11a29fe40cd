//! Reductions, and products of matrices.

use crate::{Near, Subject, bound, difference, edges, mild, reference};
use ivy_core::{Dims, Dtype, Op, ReduceOp, Scalar};

/// Reductions over every combination of axes, and over axes without elements.
pub fn reductions(subject: &Subject) {
    use ReduceOp::*;
    let mut seen = 0;
    for dtype in subject.dtypes() {
        for axes in [vec![], vec![0], vec![1], vec![2], vec![0, 2], vec![0, 1, 2]] {
            for keepdims in [false, true] {
                let axes = Dims::from_slice(&axes);
                let reduce = |op| Op::Reduce { op, axes: axes.clone(), keepdims };
                let x = edges(dtype, [3, 4, 5], 0);
                for op in [Max, Min, All, Any] {
                    seen += subject.check(&reduce(op), &[&x], Near::SameButZeros);
                }
                let near = if dtype.is_int() { Near::Same } else { Near::Sum(bound(dtype, 60)) };
                let x = mild(dtype, [3, 4, 5], 0);
                for op in [Sum, Mean, Var { correction: 0f64.to_bits() }, Var { correction: 1f64.to_bits() }]
                {
                    seen += subject.check(&reduce(op), &[&x], near);
                }
                seen += subject.check(&reduce(Prod), &[&x], Near::Norm(60.0));
            }
        }
        for shape in [vec![0, 3], vec![3, 0], vec![1, 3], vec![1], vec![33, 2]] {
            let axes = Dims::from_slice(&[shape.len() - 1]);
            let empty = shape[shape.len() - 1] == 0;
            let x = edges(dtype, shape, 0);
            for op in [Sum, Prod, Mean] {
                let op = Op::Reduce { op, axes: axes.clone(), keepdims: false };
                seen += subject.check(&op, &[&x], Near::SameButZeros);
            }
            for op in [Max, Min].into_iter().filter(|_| !empty) {
                let op = Op::Reduce { op, axes: axes.clone(), keepdims: true };
                seen += subject.check(&op, &[&x], Near::SameButZeros);
            }
        }
    }
    assert!(seen > 1000);
}

/// Narrow floats are added up in a wider one.
pub fn a_sum_of_4096_ones_is_4096(subject: &Subject) {
    for (dtype, most) in [(Dtype::FLOAT16, 4096.0), (Dtype::BFLOAT16, 4096.0)] {
        let one = Op::Full { shape: [4096].into(), dtype, value: Scalar::Int(1) };
        let ones = subject.backend.execute(&one, &[]).unwrap().remove(0);
        let sum = Op::Reduce { op: ReduceOp::Sum, axes: Dims::from_slice(&[0]), keepdims: false };
        let sum = subject.run(&sum, &[&ones]).unwrap().remove(0);
        assert_eq!(sum.scalar_at(0).unwrap(), Scalar::Float(most), "{dtype}");
    }
}

/// Matrix products of every combination of ranks.
pub fn matrix_products(subject: &Subject) {
    let mut seen = 0;
    for dtype in subject.dtypes() {
        let shapes: [(&[usize], &[usize]); 13] = [
            (&[2, 1, 3, 3, 4], &[2, 1, 4, 2]),
            (&[5], &[2, 1, 3, 5, 2]),
            (&[3, 4], &[4, 2]),
            (&[1, 1], &[1, 1]),
            (&[4], &[4]),
            (&[4], &[4, 3]),
            (&[2, 3, 4], &[4]),
            (&[2, 1, 3, 4], &[5, 4, 2]),
            (&[2, 3, 4], &[4, 2]),
            (&[3, 4], &[2, 4, 2]),
            (&[3, 0], &[0, 2]),
            (&[0, 3], &[3, 2]),
            (&[17, 33], &[33, 19]),
        ];
        for (a, b) in shapes {
            let near = if dtype.is_int() { Near::Same } else { Near::Sum(100.0 * bound(dtype, 33)) };
            let operands = [&mild(dtype, a, 0), &mild(dtype, b, 5)];
            seen += subject.check(&Op::Matmul, &operands, near);
        }
    }
    assert_eq!(seen, 14 * 13);
}

/// Reductions of an operand whose elements are one in memory.
pub fn reductions_of_broadcast_operands(subject: &Subject) {
    let backend = &subject.backend;
    for dtype in subject.dtypes() {
        for shape in [[1, 5], [3, 5]] {
            let row = subject.stored(&edges(dtype, [5], 0));
            let spread =
                backend.execute(&Op::BroadcastTo { shape: shape.into() }, &[&row]).unwrap().remove(0);
            let dense = backend.to_host(&spread).unwrap();
            for axis in [0, 1] {
                let reduce = |op| Op::Reduce { op, axes: Dims::from_slice(&[axis]), keepdims: false };
                let ops = [
                    reduce(ReduceOp::Max),
                    reduce(ReduceOp::All),
                    reduce(ReduceOp::Sum),
                    Op::ArgReduce { max: true, axis: Some(axis), keepdims: false },
                    Op::Sort { axis, descending: true },
                ];
                for op in ops.iter().filter(|op| op.result_dtype(&[dtype]).is_some()) {
                    let expected = reference(op, &[&dense]).unwrap().remove(0);
                    let actual = subject.run(op, &[&spread]).unwrap().remove(0);
                    let wrong = difference(&actual, &expected, Near::SameButZeros);
                    assert!(wrong.is_none(), "{op:?} on {dtype} {shape:?}: {wrong:?}");
                }
            }
        }
    }
}
