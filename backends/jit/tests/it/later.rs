//! What waits until it is read: updates put at places, and running sums and products along what is
//! pending. The bits, and the errors, of the reference kernels.

use crate::common::arrays;
use crate::common::both;

use arrays::{reference, same, transposed};
use both::{ADD, Both, Side, slice};
use ivy_backend_jit::JitBackend;
use ivy_backend_jit::engine::Settings;
use ivy_backend_suite::{Counted, edges};
use ivy_core::backend::Backend;
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Dims, Dtype, ErrorKind, Op, ReduceOp, Scalar, ScanOp, ScatterOp, Shape, UnaryOp};
use proptest::prelude::*;

const PUT: Op = Op::Scatter { axes: 1, op: ScatterOp::Add };

/// On a device, nothing of this goes over the host.
fn backends() -> Vec<(&'static str, JitBackend)> {
    let backends = arrays::backends();
    backends.iter().for_each(|(_, backend)| _ = backend.engine().set_transfers(false));
    backends
}

fn ints(values: &[i64]) -> HostArray {
    HostArray::from_vec(values.to_vec(), [values.len()].into()).unwrap()
}

fn scan(op: ScanOp, axis: usize, include_initial: bool) -> Op {
    Op::Scan { op, axis, include_initial }
}

fn check(b: &Side<'_>, x: &Both, what: &dyn Fn() -> String) {
    same(&b.0.to_host(&x.ours).unwrap(), &x.theirs, what);
}

/// Both switches on and off, and nothing that waits at all.
fn switches() -> [Settings; 4] {
    let all = Settings::default();
    [
        all,
        Settings { scans: false, ..all },
        Settings { deferred: false, ..all },
        Settings { fusion: false, ..all },
    ]
}

#[test]
fn every_reduction_of_every_dtype() {
    let mut cases = Counted::default();
    for (name, backend) in backends() {
        for settings in switches() {
            backend.engine().set_settings(settings);
            let b = Side(&backend);
            for dtype in Dtype::all() {
                for &op in ScatterOp::ALL.iter().filter(|op| op.takes(dtype) && cases.takes_next()) {
                    let x = b.input(edges(dtype, [5, 6], 0));
                    let updates = b.input(transposed(&edges(dtype, [4, 6], 7)));
                    let places = b.input(ints(&[1, -1, 1, 4]));
                    let put = b.apply(&Op::Scatter { axes: 1, op }, &[&x, &updates, &places]);
                    let again = b.apply(&Op::Scatter { axes: 1, op }, &[&put, &updates, &places]);
                    let what = || format!("{op:?} of {dtype} by {name}, {settings:?}");
                    check(&b, &again, &what);
                    check(&b, &put, &what);
                    check(&b, &x, &what);
                    let part = b.apply(&slice(&[(4, -2, 2), (1, 1, 3)]), &[&again]);
                    check(&b, &part, &what);
                    // Of a literal, whose memory nobody else has.
                    let value = if dtype.is_bool() { Scalar::Bool(true) } else { Scalar::Int(1) };
                    let full = b.apply(&Op::Full { shape: [5, 6].into(), dtype, value }, &[]);
                    check(&b, &b.apply(&Op::Scatter { axes: 1, op }, &[&full, &updates, &places]), &what);
                    check(&b, &full, &what);
                }
            }
        }
    }
}

/// Work that nobody asks for is not done, nor what it needs.
#[test]
fn what_nobody_reads_launches_nothing() {
    for (name, backend) in backends() {
        let b = Side(&backend);
        let x = b.input(edges(Dtype::FLOAT32, [100], 0));
        let places = b.input(ints(&[5, 7, 5]));
        let updates = b.input(edges(Dtype::FLOAT32, [3], 1));
        let before = backend.engine().counters().launches;
        let put = b.apply(&PUT, &[&b.negative(&x), &b.negative(&updates), &places]);
        let sums = b.apply(&scan(ScanOp::Sum, 0, false), &[&b.negative(&put)]);
        drop((put, sums));
        assert_eq!(backend.engine().counters().launches, before, "{name}");
        drop((x, places, updates));
        assert_eq!(backend.engine().counters().live, 0, "{name}");
    }
}

/// A gather, a write to its source and another gather are two gathers, of the old and the new elements.
#[test]
fn writes_stand_between_reads() {
    for (_, backend) in backends() {
        let b = Side(&backend);
        let x = b.input(edges(Dtype::INT32, [40], 0));
        let i = b.input(ints(&[3, -1, 3, 8]));
        let read = |x: &Both| b.apply(&Op::Gather { axes: 1 }, &[x, &i]);
        let before = read(&x);
        let written = b.apply(&PUT, &[&x, &before, &i]);
        let after = read(&written);
        let again = b.apply(&PUT, &[&x, &before, &i]);
        check(&b, &b.apply(&ADD, &[&before, &after]), &|| "old and new".into());
        check(&b, &read(&again), &|| "another write".into());
        check(&b, &before, &|| "old".into());
    }
}

/// Indices that are converted for a scatter alone are read as they are.
#[test]
fn indices_of_other_integers() {
    let cast = Op::Cast { dtype: Dtype::INT64 };
    for (name, backend) in backends() {
        let b = Side(&backend);
        let x = b.input(edges(Dtype::FLOAT32, [9], 0));
        let updates = b.input(edges(Dtype::FLOAT32, [3], 1));
        for dtype in [Dtype::INT8, Dtype::UINT16, Dtype::INT32, Dtype::UINT32, Dtype::UINT64] {
            let number = |i: i64| if dtype.int_range().is_some_and(|range| range.0 < 0) { i } else { i + 9 };
            let places = HostArray::from_vec([-1, -7, -1].map(number).to_vec(), [3].into()).unwrap();
            let places = b.input(reference(&Op::Cast { dtype }, &[&places]).remove(0));
            let wide = b.apply(&cast, &[&places]);
            backend.engine().take_history();
            let what = || format!("{dtype} by {name}");
            check(&b, &b.apply(&PUT, &[&x, &updates, &wide]), &what);
            let read = matches!(dtype, Dtype::INT32 | Dtype::UINT32) && backend.engine().settings().deferred;
            if name != "cuda" {
                assert_eq!(backend.engine().take_history().is_empty(), read, "{}", what());
            }
            // As they are, and computed.
            check(&b, &wide, &what);
            let sum = b.apply(&cast, &[&b.apply(&ADD, &[&places, &places])]);
            let zeros = b.apply(&Op::Binary(BinaryOp::Subtract), &[&sum, &sum]);
            check(&b, &b.apply(&PUT, &[&x, &updates, &zeros]), &what);
        }
        let far = HostArray::from_vec(vec![3u32, 9, u32::MAX], [3].into()).unwrap();
        let wide = b.apply(&cast, &[&b.input(far)]);
        let put = backend.execute(&PUT, &[&x.ours, &updates.ours, &wide.ours]).unwrap().remove(0);
        let error = backend.to_host(&put).unwrap_err();
        let first = matches!(error.kind(), ErrorKind::IndexOutOfRange { index: 9, position: Some(1), .. });
        assert!(first, "{error} by {name}");
    }
}

#[test]
fn an_index_out_of_range_is_told_by_whoever_reads() {
    for (name, backend) in backends() {
        let b = Side(&backend);
        let x = b.input(edges(Dtype::FLOAT64, [9], 0));
        let updates = b.input(edges(Dtype::FLOAT64, [4], 1));
        let bad = backend.from_host(ints(&[1, 8, 9, -10])).unwrap();
        let put = backend.execute(&PUT, &[&x.ours, &updates.ours, &bad]).unwrap().remove(0);
        let more = backend.execute(&Op::Unary(UnaryOp::Negative), &[&put]).unwrap().remove(0);
        let sums = backend.execute(&scan(ScanOp::Sum, 0, true), &[&more]).unwrap().remove(0);
        let first = ErrorKind::IndexOutOfRange {
            function: "scatter",
            index: 9,
            axis: 0,
            length: 9,
            position: Some(2),
        };
        for value in [&put, &sums, &more, &put] {
            let error = backend.to_host(value).unwrap_err();
            assert_eq!(format!("{:?}", error.kind()), format!("{first:?}"), "{name}");
        }
        // What does not fit is refused at the call.
        let good = backend.from_host(ints(&[1, 8, 2, 3])).unwrap();
        let wrong = backend.execute(&PUT, &[&x.ours, &x.ours, &good]);
        assert!(matches!(wrong.unwrap_err().kind(), ErrorKind::ShapeMismatch { .. }), "{name}");
        check(&b, &x, &|| "it is as it was".into());
        drop((x, updates, bad, good, put, more, sums));
        assert_eq!(backend.engine().counters().live, 0, "{name}");
        // A read at indices that are out of range, along which a sum runs.
        let (x, i) = (b.input(edges(Dtype::FLOAT64, [50], 0)), ints(&[60; 40]));
        let i = backend.from_host(i).unwrap();
        let taken = backend.execute(&Op::Take { axis: 0 }, &[&x.ours, &i]).unwrap().remove(0);
        let sums = backend.execute(&scan(ScanOp::Sum, 0, false), &[&taken]).unwrap().remove(0);
        let error = backend.to_host(&sums).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::IndexOutOfRange { index: 60, .. }), "{name}: {error}");
    }
}

#[test]
fn sums_along_what_is_pending() {
    let mut cases = Counted::default();
    for (name, backend) in backends() {
        for settings in switches() {
            backend.engine().set_settings(settings);
            let b = Side(&backend);
            let fused = settings.scans && settings.deferred && settings.fusion && name != "cuda";
            for dtype in Dtype::all().filter(|d| !d.is_bool()) {
                let lines = [([1, 3000], 1), ([3, 70], 1), ([300, 33], 1), ([3, 70], 0), ([5, 7], 1)];
                let others: Vec<ScanOp> =
                    ScanOp::ALL[1..].iter().copied().filter(|op| op.takes(dtype)).collect();
                for (i, (shape, axis)) in lines.into_iter().enumerate().filter(|_| cases.takes_next()) {
                    // Sums, and of the others one after the other.
                    for (op, initial) in [(ScanOp::Sum, true), (others[i % others.len()], i % 2 > 0)] {
                        let x = b.input(edges(dtype, shape, 0));
                        let y = b.input(transposed(&edges(dtype, [1, shape[1]], 3)));
                        let what =
                            || format!("{op:?} along {axis} of {shape:?} {dtype} by {name}, {settings:?}");
                        backend.engine().take_history();
                        let sum = b.apply(&scan(op, axis, initial), &[&b.apply(&ADD, &[&x, &y])]);
                        check(&b, &sum, &what);
                        // A device's own kernels run along what is there; few columns are rows first.
                        let kernels = match name {
                            "cuda" if axis == 0 && !dtype.is_int() => 3,
                            "cuda" => 2,
                            _ => 1,
                        };
                        assert_eq!(backend.engine().take_history().len(), kernels, "{}", what());
                        check(&b, &b.apply(&ADD, &[&sum, &sum]), &what);
                    }
                }
            }
            // The elements themselves are not written: two launches would be needed for both.
            let x = b.input(edges(Dtype::FLOAT32, [4096], 0));
            backend.engine().take_history();
            let twice = b.apply(&ADD, &[&x, &x]);
            let sums = b.apply(&scan(ScanOp::Sum, 0, false), &[&twice]);
            check(&b, &sums, &|| "the sums".into());
            check(&b, &twice, &|| "what they run along".into());
            let kernels = backend.engine().take_history().len();
            if settings.fusion {
                assert_eq!(kernels, if fused || name == "cuda" { 2 } else { 1 }, "{name} {settings:?}");
            }
        }
    }
}

/// Gathers, folds, views and other sums under a sum, and over it.
#[test]
fn sums_with_all_else() {
    for (name, backend) in backends() {
        let b = Side(&backend);
        let what = || format!("by {name}");
        let x = b.input(edges(Dtype::FLOAT32, [64, 50], 0));
        let i = b.input(
            HostArray::from_vec((0..99).map(|i| i * 7 % 50).collect::<Vec<i64>>(), [99].into()).unwrap(),
        );
        let taken = b.apply(&Op::Take { axis: 1 }, &[&x, &i]);
        let sum = |x: &Both, axis| b.apply(&scan(ScanOp::Sum, axis, false), &[x]);
        check(&b, &sum(&taken, 1), &what);
        let flipped = b.apply(&slice(&[(63, -1, 64), (49, -1, 50)]), &[&b.negative(&x)]);
        check(&b, &b.negative(&sum(&flipped, 1)), &what);
        let transposed = b.apply(&Op::PermuteDims { axes: Dims::from_slice(&[1, 0]) }, &[&b.negative(&x)]);
        check(&b, &sum(&transposed, 1), &what);
        let flat = b.apply(&Op::Reshape { shape: [3200].into() }, &[&b.negative(&x)]);
        check(&b, &sum(&flat, 0), &what);
        check(&b, &sum(&b.apply(&Op::Reshape { shape: [3200].into() }, &[&sum(&flipped, 0)]), 0), &what);
        let rows = Op::Reduce { op: ReduceOp::Max, axes: Dims::from_slice(&[1]), keepdims: false };
        check(&b, &sum(&b.apply(&rows, &[&b.negative(&x)]), 0), &what);
        check(&b, &b.apply(&rows, &[&sum(&b.negative(&x), 1)]), &what);
        let root = b.apply(&Op::Unary(UnaryOp::Sqrt), &[&b.apply(&Op::Unary(UnaryOp::Abs), &[&x])]);
        check(&b, &sum(&sum(&root, 1), 1), &what);
        let none = b.input(edges(Dtype::INT32, [0, 40], 0));
        check(&b, &sum(&b.negative(&none), 1), &what);
        let mask = b.apply(&Op::Binary(BinaryOp::Less), &[&x, &b.negative(&x)]);
        check(&b, &sum(&b.apply(&Op::Cast { dtype: Dtype::INT64 }, &[&mask]), 1), &what);
    }
}

/// More than a part of a row, on one thread and on several.
#[test]
fn long_rows_and_threads() {
    let mut cases = Counted::default();
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            for (name, backend) in backends().into_iter().filter(|(name, _)| *name != "interp") {
                let b = Side(&backend);
                for dtype in [Dtype::FLOAT32, Dtype::FLOAT64, Dtype::INT16] {
                    let shapes = [[1, 500_003], [7, 70_001], [3000, 90]];
                    for shape in shapes.into_iter().filter(|_| cases.takes_next()) {
                        let numbers =
                            (0..shape[0] * shape[1]).map(|i| (i as f64 * 0.7).sin() * 90.0).collect();
                        let numbers = HostArray::from_vec::<f64>(numbers, shape.into()).unwrap();
                        let x = b.input(reference(&Op::Cast { dtype }, &[&numbers]).remove(0));
                        let sums = b.apply(&scan(ScanOp::Sum, 1, true), &[&b.apply(&ADD, &[&x, &x])]);
                        check(&b, &sums, &|| format!("{shape:?} {dtype} by {name} on {threads} threads"));
                    }
                }
            }
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn any_shape(
        shape in prop::collection::vec(1usize..80, 1..4),
        axis in 0usize..3,
        (seed, transpose, initial, product) in (0usize..100, any::<bool>(), any::<bool>(), any::<bool>()),
    ) {
        let axis = axis % shape.len();
        let x = edges(Dtype::FLOAT32, Shape::from(shape.clone()), seed);
        let x = if transpose { transposed(&x) } else { x };
        let op = scan(if product { ScanOp::Prod } else { ScanOp::Sum }, axis, initial);
        for (name, backend) in backends() {
            let b = Side(&backend);
            let x = b.input(x.clone());
            check(&b, &b.apply(&op, &[&b.negative(&x)]), &|| format!("{op:?} of {shape:?} by {name}"));
        }
    }
}
