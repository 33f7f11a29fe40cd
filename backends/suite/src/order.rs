//! Ops along an axis whose order counts.

use crate::{Near, Subject, bound, edges, mild, reference};
use ivy_core::{Op, ScanOp};

/// Sorting, searching and scans.
pub fn order(subject: &Subject) {
    let mut seen = 0;
    for dtype in subject.dtypes() {
        for shape in [vec![6, 5], vec![1, 4], vec![2, 0], vec![33]] {
            let x = edges(dtype, shape.clone(), 0);
            for (axis, &length) in shape.iter().enumerate() {
                for flag in [false, true] {
                    for op in [Op::Sort { axis, descending: flag }, Op::Argsort { axis, descending: flag }] {
                        seen += subject.check(&op, &[&x], Near::SameButZeros);
                    }
                    let exact = |op: &&ScanOp| {
                        op.takes(dtype)
                            && (subject.bounds.exact_scans || !matches!(op, ScanOp::Sum | ScanOp::Prod))
                    };
                    for &op in ScanOp::ALL.iter().filter(exact) {
                        let op = Op::Scan { op, axis, include_initial: flag };
                        seen += subject.check(&op, &[&x], Near::SameButZeros);
                    }
                    let near = if dtype.is_int() { Near::Same } else { Near::Sum(bound(dtype, length)) };
                    let tame = mild(dtype, shape.clone(), 0);
                    let sum = Op::Scan { op: ScanOp::Sum, axis, include_initial: flag };
                    seen += subject.check(&sum, &[&tame], near);
                    let product = Op::Scan { op: ScanOp::Prod, axis, include_initial: flag };
                    seen += subject.check(&product, &[&tame], Near::Norm(2.0 * length as f64));
                    if length > 0 {
                        for max in [false, true] {
                            let op = Op::ArgReduce { max, axis: Some(axis), keepdims: flag };
                            seen += subject.check(&op, &[&x], Near::Same);
                        }
                    }
                }
            }
            if !shape.contains(&0) {
                let op = Op::ArgReduce { max: true, axis: None, keepdims: shape.len() > 1 };
                seen += subject.check(&op, &[&x], Near::Same);
            }
            seen += subject.check(&Op::Unique, &[&x], Near::SameButZeros);
        }
        let sorted = mild(dtype, [9], 0);
        let sort = Op::Sort { axis: 0, descending: false };
        if sort.result_dtype(&[dtype]).is_some() {
            let sorted = reference(&sort, &[&sorted]).unwrap().remove(0);
            for right in [false, true] {
                seen += subject.check(
                    &Op::SearchSorted { right },
                    &[&sorted, &edges(dtype, [5, 4], 0)],
                    Near::Same,
                );
            }
        }
    }
    assert!(seen > 500);
}
