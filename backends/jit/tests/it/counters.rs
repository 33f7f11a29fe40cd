//! Arrays of what their elements' numbers give: the bits of the reference kernels, counted in the kernels of
//! what they are for.

use crate::common::arrays;
use crate::common::both;

use arrays::{backends, reference, run, same};
use both::{ADD, Both, Side, each_way, permute, slice, step};
use ivy_backend_jit::engine::{Settings, Variable};
use ivy_backend_suite::edges;
use ivy_core::backend::{Backend, Support};
use ivy_core::{AxisPad, BinaryOp, Dims, Dtype, Kind, Op, ReduceOp, Scalar};
use proptest::prelude::*;

fn arange(start: impl Into<Scalar>, step: impl Into<Scalar>, len: usize, dtype: Dtype) -> Op {
    Op::Arange { start: start.into(), step: step.into(), len, dtype }
}

fn linspace(ends: (f64, f64), len: usize, endpoint: bool, dtype: Dtype) -> Op {
    Op::Linspace { start: ends.0.into(), stop: ends.1.into(), len, endpoint, dtype }
}

fn reduce(op: ReduceOp, axes: &[usize]) -> Op {
    Op::Reduce { op, axes: Dims::from_slice(axes), keepdims: false }
}

impl Side<'_> {
    fn make(&self, op: &Op) -> Both {
        self.apply(op, &[])
    }

    #[track_caller]
    fn equal(&self, x: &Both, what: &str) {
        same(&self.0.to_host(&x.ours).unwrap(), &x.theirs, &|| what.into());
    }
}

/// Ops of a dtype, and whether their elements are counted.
fn created(dtype: Dtype) -> Vec<(Op, bool)> {
    let mut all: Vec<(Op, bool)> = Vec::new();
    for (rows, cols, k) in
        [(5, 80, 3), (70, 70, 0), (3, 3, -1), (4, 2, i64::MAX), (2, 300, i64::MIN), (0, 3, 0)]
    {
        all.push((Op::Eye { rows, cols, k, dtype }, rows > 0));
    }
    if dtype.is_bool() {
        return all;
    }
    for len in [1, 5, 64, 100] {
        all.push((arange(1, 1, len, dtype), true));
        all.push((arange(100, -1, len, dtype), true));
        all.push((arange(0.75, 0.3, len, dtype), true));
        all.push((arange(30, -0.25, len, dtype), true));
    }
    all.push((arange(0, 1, 0, dtype), false));
    if dtype == Dtype::UINT64 {
        // Only the first half of them is counted.
        all.push((arange(u64::MAX - 99, 1, 100, dtype), false));
        all.push((arange(i64::MAX - 99, 1, 100, dtype), true));
    }
    if !matches!(dtype.kind(), Kind::Float | Kind::Complex) {
        return all;
    }
    let counted = !dtype.is_complex();
    all.push((arange(i64::MAX - 5, -3_000_000_000_000_001i64, 99, dtype), true));
    all.push((arange(-0.0, -0.0, 7, dtype), true));
    all.push((arange(f64::NAN, 1.0, 7, dtype), true));
    for endpoint in [true, false] {
        for len in [2, 7, 100] {
            for ends in [(0.0, 1.0), (-0.0, 3.0), (5.5, -2.25), (1e300, 1e-300), (2.0, 2.0), (-0.0, -0.0)] {
                all.push((linspace(ends, len, endpoint, dtype), counted));
            }
            // Beyond float64 on the way.
            all.push((linspace((-1e308, 1e308), len, endpoint, dtype), false));
            all.push((linspace((0.0, f64::INFINITY), len, endpoint, dtype), false));
        }
    }
    all.push((linspace((3.0, 4.0), 1, true, dtype), false));
    all
}

#[test]
fn every_dtype() {
    for (name, b) in backends() {
        for dtype in Dtype::all() {
            for (op, counted) in created(dtype) {
                same(&run(&b, &op, &[]), &reference(&op, &[]).remove(0), &|| format!("{op:?} by {name}"));
                let waits = b.execute(&op, &[]).unwrap()[0].data::<Variable>().unwrap().is_pending();
                assert_eq!(waits, counted, "{op:?} by {name}");
                assert_eq!(b.support(&op, &[]) == Support::Native, counted, "{op:?} by {name}");
            }
        }
    }
}

#[test]
fn counted_in_the_kernel_of_what_it_is_for() {
    for (name, b) in backends() {
        // What a kernel takes in, however often it is held.
        b.engine().set_settings(Settings { materialize: false, ..Settings::default() });
        let b = Side(&b);
        let (rows, columns) = (40, 170);
        let x = b.input(edges(Dtype::FLOAT32, [rows, columns], 0));
        let along = b.make(&arange(3, 2, columns, Dtype::FLOAT32));
        let column = |op: &Op| b.apply(&Op::Reshape { shape: [rows, 1].into() }, &[&b.make(op)]);
        let down = column(&arange(5, -1, rows, Dtype::FLOAT32));
        let sum = b.apply(&ADD, &[&b.apply(&ADD, &[&x, &along]), &down]);
        b.check(&sum, 1);
        // What takes longer than to read it is computed once.
        let slow = column(&arange(0.5, 0.25, rows, Dtype::FLOAT32));
        b.check(&b.apply(&ADD, &[&x, &slow]), 2);
        // What it is a view of is not in memory either; nor what is folded, in any direction.
        let back = b.apply(&slice(&[(columns - 1, -2, columns / 2)]), &[&along]);
        let wide = b.apply(&Op::BroadcastTo { shape: [3, columns / 2].into() }, &[&back]);
        b.check(&b.negative(&wide), 1);
        let grid = b.apply(&ADD, &[&along, &down]);
        let transposed = b.apply(&permute(&[1, 0]), &[&grid]);
        b.check(&b.negative(&transposed), 1);
        let flat = b.apply(&Op::Reshape { shape: [columns * rows].into() }, &[&b.negative(&grid)]);
        b.check(&b.negative(&flat), 2);
        for axes in [0, 1] {
            b.check(&b.apply(&reduce(ReduceOp::Sum, &[axes]), &[&b.apply(&ADD, &[&x, &grid])]), 1);
        }
        // A mask, and a border around what is counted.
        let eye = b.make(&Op::Eye { rows, cols: columns, k: 2, dtype: Dtype::FLOAT32 });
        b.check(&b.apply(&Op::Binary(BinaryOp::Multiply), &[&x, &eye]), 1);
        let border = Op::Pad {
            axes: Dims::from_slice(&[AxisPad { before: 3, after: 90 }]),
            value: Scalar::Float(-1.0),
        };
        b.check(&b.negative(&b.apply(&border, &[&along])), 1);
        // Equal ones are one node.
        let [a, c] = [(); 2].map(|()| b.make(&arange(0, 1, 99, Dtype::INT64)));
        let id = |x: &Both| x.ours.data::<Variable>().unwrap().id();
        assert_eq!(id(&a), id(&c), "{name}");
    }
}

/// Rows shorter than vectors of code: what stands beyond them counts for nothing.
#[test]
fn short_rows() {
    for (name, b) in backends() {
        let b = Side(&b);
        for columns in [1, 2, 3, 8, 15, 17, 31, 33, 63] {
            for rows in [1, 2, 9, 100] {
                let what = format!("({rows}, {columns}) by {name}");
                let x = b.input(edges(Dtype::INT32, [rows, columns], 0));
                let along = b.make(&arange(7, -1, columns, Dtype::INT32));
                let down = b.make(&arange(0, 3, rows, Dtype::INT32));
                let down = b.apply(&Op::Reshape { shape: [rows, 1].into() }, &[&down]);
                let all = b.apply(&ADD, &[&b.apply(&ADD, &[&x, &along]), &down]);
                b.equal(&all, &what);
                b.equal(&b.apply(&permute(&[1, 0]), &[&b.apply(&ADD, &[&along, &down])]), &what);
                for axes in [&[0][..], &[1], &[0, 1]] {
                    let grid = b.apply(&ADD, &[&along, &down]);
                    for op in [ReduceOp::Sum, ReduceOp::Max] {
                        b.equal(&b.apply(&reduce(op, axes), &[&b.apply(&ADD, &[&x, &grid])]), &what);
                        b.equal(&b.apply(&reduce(op, axes), &[&grid]), &what);
                    }
                }
                // An index that is counted is in range, whatever lanes there are.
                let places = b.make(&arange(columns as i64 - 1, -1, columns, Dtype::INT64));
                b.equal(&b.apply(&Op::Take { axis: 1 }, &[&x, &places]), &what);
                let run = Op::Scan { op: ivy_core::ScanOp::Sum, axis: 1, include_initial: false };
                b.equal(&b.apply(&run, &[&b.apply(&ADD, &[&x, &along])]), &what);
            }
        }
    }
}

/// Rows that are normalized by their own sums: a program over rows.
#[test]
fn programs_over_rows() {
    for (name, b) in backends() {
        let b = Side(&b);
        for columns in [20, 35, 100, 1000] {
            let x = b.input(edges(Dtype::FLOAT32, [40, columns], 0));
            let ways = b.make(&linspace((0.0, 1.0), columns, true, Dtype::FLOAT32));
            let sloped = b.apply(&ADD, &[&b.negative(&x), &ways]);
            let most = Op::Reduce { op: ReduceOp::Max, axes: Dims::from_slice(&[1]), keepdims: true };
            let got = b.apply(&ADD, &[&sloped, &b.apply(&most, &[&sloped])]);
            b.equal(&got, &format!("{columns} by {name}"));
        }
    }
}

#[test]
fn without_the_switches() {
    for (name, b) in backends() {
        for settings in each_way(|all, fusion, counters| Settings { fusion, counters, ..all }) {
            b.engine().set_settings(settings);
            let b = Side(&b);
            let x = b.input(edges(Dtype::FLOAT64, [9, 133], 0));
            let along = b.make(&arange(0.5, 2.5, 133, Dtype::FLOAT64));
            assert_eq!(
                along.ours.data::<Variable>().unwrap().is_pending(),
                settings.fusion && settings.counters
            );
            let sum = b.apply(&ADD, &[&x, &along]);
            b.equal(&sum, &format!("{settings:?} by {name}"));
        }
    }
}

/// Large enough to go past the caches, and to be computed by several threads.
#[test]
fn large_counts() {
    for (name, b) in backends().into_iter().filter(|(_, b)| b.engine().device().is_none()) {
        let b = Side(&b);
        let x = b.input(edges(Dtype::FLOAT32, [1100, 1301], 0));
        let along = b.make(&arange(5, 3, 1301, Dtype::FLOAT32));
        let down = b
            .apply(&Op::Reshape { shape: [1100, 1].into() }, &[&b.make(&arange(0, 1, 1100, Dtype::FLOAT32))]);
        b.equal(&b.apply(&ADD, &[&b.apply(&ADD, &[&x, &along]), &down]), name);
        b.equal(&b.make(&arange(0.1, 0.7, 1_200_001, Dtype::FLOAT32)), name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn views_of_what_is_counted(
        shape in prop::collection::vec(1usize..7, 1..4),
        long in 1usize..90,
        steps in prop::collection::vec((any::<u8>(), 0usize..100, 0usize..100), 1..10),
    ) {
        for (name, b) in backends() {
            let b = Side(&b);
            let shape: Vec<usize> = shape.iter().copied().chain([long]).collect();
            let count = shape.iter().product();
            let first = b.make(&arange(3, 2, count, Dtype::INT32));
            let mut all = vec![b.apply(&Op::Reshape { shape: shape.as_slice().into() }, &[&first])];
            for &(what, i, j) in &steps {
                let last = &all[all.len() - 1];
                let next = match (what % 5, last.theirs.shape().last()) {
                    (0, Some(&n)) if n > 0 => b.apply(&ADD, &[last, &b.make(&arange(1, j as i64 % 9, n, Dtype::INT32))]),
                    _ => step(&b, &all, (what, i, j)),
                };
                all.push(next);
            }
            for x in all.iter().rev() {
                b.equal(x, name);
            }
        }
    }
}
