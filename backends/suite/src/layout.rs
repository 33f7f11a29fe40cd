//! Ops that make and move elements and compute nothing.

use crate::{Near, Subject, difference, edges, reference};
use ivy_core::host::HostArray;
use ivy_core::{AxisPad, AxisSlice, Dims, ExchangeOp, Op, Scalar, ScatterOp, Shape};

/// The ops without operands.
pub fn creation(subject: &Subject) {
    let int = Scalar::Int;
    for dtype in subject.dtypes() {
        let mut ops = vec![];
        for shape in [Shape::from([]), [3].into(), [2, 0].into(), [2, 3].into(), vec![1; 9].into()] {
            for value in [int(0), int(1), int(100), Scalar::Bool(true)] {
                ops.push(Op::Full { shape: shape.clone(), dtype, value });
            }
            if dtype.is_float() || dtype.is_complex() {
                for x in [0.1, -0.0, f64::NAN, f64::INFINITY, 1.0 + 2f64.powi(-11) + 2f64.powi(-40), 1e-320] {
                    ops.push(Op::Full { shape: shape.clone(), dtype, value: Scalar::Float(x) });
                }
            }
            if let Some((min, max)) = dtype.int_range() {
                ops.extend([min, max].map(|i| Op::Full { shape: shape.clone(), dtype, value: int(i) }));
            }
        }
        if !dtype.is_bool() {
            ops.push(Op::Arange { start: int(3), step: int(2), len: 20, dtype });
            ops.push(Op::Linspace { start: int(0), stop: int(10), len: 7, endpoint: true, dtype });
        }
        ops.push(Op::Eye { rows: 3, cols: 4, k: 1, dtype });
        for op in ops {
            let (actual, expected) = (subject.run(&op, &[]).unwrap(), reference(&op, &[]).unwrap());
            let wrong = difference(&actual[0], &expected[0], Near::Same);
            assert!(wrong.is_none(), "{op:?}: {wrong:?}");
        }
    }
}

/// Shapes, slices, indices and scatters.
pub fn layout_and_movement(subject: &Subject) {
    let index = |values: &[i64], shape: &[usize]| HostArray::from_vec(values.to_vec(), shape.into()).unwrap();
    let mut seen = 0;
    for dtype in subject.dtypes() {
        let x = edges(dtype, [4, 3, 5], 0);
        let flat = edges(dtype, [12], 2);
        for op in [
            Op::Reshape { shape: [5, 12].into() },
            Op::Reshape { shape: [3, 2, 10].into() },
            Op::BroadcastTo { shape: [2, 4, 3, 5].into() },
            Op::PermuteDims { axes: Dims::from_slice(&[2, 0, 1]) },
            Op::Slice { axes: Dims::from_slice(&[axis(1, 1, 2), axis(0, 1, 3), axis(2, 1, 2)]) },
            Op::Slice { axes: Dims::from_slice(&[axis(3, -1, 4), axis(0, 2, 2), axis(1, 1, 3)]) },
            Op::Slice { axes: Dims::from_slice(&[axis(3, -2, 2), axis(2, -1, 1), axis(4, -4, 2)]) },
            Op::Slice { axes: Dims::from_slice(&[axis(0, 1, 0), axis(0, 1, 3), axis(4, -4, 2)]) },
        ] {
            seen += subject.check(&op, &[&x], Near::Same);
        }
        for (value, widths) in [
            (Scalar::Int(0), [(0, 0), (0, 0), (0, 0)]),
            (Scalar::Int(1), [(1, 2), (0, 0), (3, 1)]),
            (Scalar::Int(100), [(0, 1), (2, 0), (0, 0)]),
            (Scalar::Bool(true), [(0, 0), (1, 1), (0, 40)]),
        ] {
            let axes: Dims<AxisPad> =
                widths.iter().map(|&(before, after)| AxisPad { before, after }).collect();
            seen += subject.check(&Op::Pad { axes: axes.clone(), value }, &[&x], Near::Same);
            // Of nothing, there is the border only.
            seen += subject.check(&Op::Pad { axes, value }, &[&edges(dtype, [2, 0, 3], 0)], Near::Same);
        }
        if dtype.is_float() || dtype.is_complex() {
            let axes = Dims::from_slice(&[AxisPad { before: 2, after: 1 }]);
            for value in [-0.0, f64::NAN, f64::NEG_INFINITY, 0.1, 1e-320] {
                let op = Op::Pad { axes: axes.clone(), value: Scalar::Float(value) };
                seen += subject.check(&op, &[&flat], Near::Same);
            }
        }
        let op = Op::Pad { axes: Dims::new(), value: Scalar::Int(1) };
        seen += subject.check(&op, &[&edges(dtype, [0; 0], 0)], Near::Same);
        let axes = Dims::from_slice(&[axis(1, 2, 2), axis(2, -1, 3), axis(0, 1, 2)]);
        seen += subject.check(&Op::SetSlice { axes }, &[&x, &edges(dtype, [2, 3, 2], 7)], Near::Same);
        for a in 0..3 {
            seen +=
                subject.check(&Op::Concat { axis: a }, &[&x, &edges(dtype, [4, 3, 5], 8), &x], Near::Same);
            let indices = index(&[0, -1, 2, -3, 0], &[5]);
            seen += subject.check(&Op::Take { axis: a }, &[&x, &indices], Near::Same);
            seen += subject.check(&Op::Take { axis: a }, &[&x, &index(&[], &[0])], Near::Same);
        }
        seen += subject.check(&Op::Concat { axis: 0 }, &[&flat, &edges(dtype, [0], 0), &flat], Near::Same);
        seen += subject.check(&Op::Concat { axis: 0 }, &[&flat], Near::Same);
        let along = index(&[1, -1, 0, 2, 2, -3], &[1, 6, 1]);
        seen += subject.check(&Op::TakeAlongAxis { axis: 1 }, &[&x, &along], Near::Same);
        let along = index(&(0..12).map(|i| i % 5 - 2).collect::<Vec<_>>(), &[4, 3, 1]);
        seen += subject.check(&Op::TakeAlongAxis { axis: 2 }, &[&x, &along], Near::Same);
        let (i, j) = (index(&[0, -1, 3], &[3]), index(&[2, 0], &[2, 1]));
        seen += subject.check(&Op::Gather { axes: 2 }, &[&x, &i, &j], Near::Same);
        let updates = edges(dtype, [2, 3, 5], 4);
        for &op in ScatterOp::ALL.iter().filter(|op| op.takes(dtype)) {
            seen += subject.check(&Op::Scatter { axes: 2, op }, &[&x, &updates, &i, &j], Near::Same);
        }
        let (places, some) = (index(&[0, -1, 3, 0, 2, -1], &[2, 3]), |seed| edges(dtype, [2, 3], seed));
        for &op in ExchangeOp::ALL.iter().filter(|op| op.takes(dtype)) {
            let (target, updates, expected) = (edges(dtype, [4], 0), some(2), some(0));
            let operands = [&target, &places, &updates, &expected];
            let count = if op == ExchangeOp::Compare { 4 } else { 3 };
            seen += subject.check(&Op::Exchange { op }, &operands[..count], Near::Same);
        }
        seen += subject.check(&Op::Nonzero, &[&x], Near::Same);
        for shape in [vec![], vec![0, 3]] {
            let small = edges(dtype, shape.clone(), 1);
            let target: Vec<usize> = [2].iter().chain(&shape).copied().collect();
            seen += subject.check(&Op::BroadcastTo { shape: target.into() }, &[&small], Near::Same);
            seen +=
                subject.check(&Op::Reshape { shape: [small.shape().size()].into() }, &[&small], Near::Same);
        }
        let many = edges(dtype, vec![2, 1, 1, 1, 1, 1, 1, 1, 3], 0);
        seen += subject.check(&Op::Take { axis: 8 }, &[&many, &index(&[2, 0], &[2])], Near::Same);
    }
    assert!(seen > 400);
}

fn axis(start: usize, step: isize, len: usize) -> AxisSlice {
    AxisSlice { start, step, len }
}
