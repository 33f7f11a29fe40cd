//! Scatters and running sums on a device, with nothing over the host: the bits and the errors of the
//! reference kernels.

use crate::common::arrays;

use arrays::device::device;
use arrays::{reference, same, transposed};
use ivy_backend_jit::JitBackend;
use ivy_backend_jit::engine::Launch;
use ivy_backend_jit::runtime::cuda::Kept;
use ivy_backend_suite::{Counted, edges};
use ivy_core::backend::{Backend, Support, Value};
use ivy_core::host::HostArray;
use ivy_core::{Dtype, ErrorKind, ExchangeOp, Op, Result, ScanOp, ScatterOp, Shape};
use num_complex::Complex64;
use proptest::prelude::*;
use std::sync::Arc;

fn backend() -> JitBackend {
    let backend = JitBackend::on_device(Arc::new(Kept::new(device())));
    backend.engine().set_transfers(false);
    backend
}

fn of(b: &JitBackend, op: &Op, operands: &[&HostArray]) -> Result<HostArray> {
    let dtypes: Vec<Dtype> = operands.iter().map(|x| x.dtype()).collect();
    assert_eq!(b.support(op, &dtypes), Support::Native, "{op:?} {dtypes:?}");
    let values: Vec<Value> = operands.iter().map(|&x| b.from_host(x.clone()).unwrap()).collect();
    let result = b.execute(op, &values.iter().collect::<Vec<_>>())?.remove(0);
    b.to_host(&result)
}

fn check(b: &JitBackend, op: &Op, operands: &[&HostArray], what: &str) {
    let got = of(b, op, operands).unwrap_or_else(|error| panic!("{op:?} {what}: {error}"));
    same(&got, &reference(op, operands).remove(0), &|| format!("{op:?} {what}"));
}

fn indices(values: Vec<i64>, shape: &[usize]) -> HostArray {
    HostArray::from_vec(values, shape.into()).unwrap()
}

/// Some numbers that look like none in particular.
fn scattered(count: usize, below: i64) -> Vec<i64> {
    (0..count as i64).map(|i| (i * 7919 + i * i % 31) % below).collect()
}

#[test]
fn scatters_of_every_dtype() {
    let b = backend();
    for dtype in Dtype::all() {
        for &op in ScatterOp::ALL.iter().filter(|op| op.takes(dtype)) {
            let put = |axes| Op::Scatter { axes, op };
            let what = format!("{dtype}");
            // Most places several times, some from the end, some never.
            let (x, updates) = (edges(dtype, [50], 0), edges(dtype, [300], 3));
            let mut places = scattered(300, 40);
            places.iter_mut().step_by(3).for_each(|i| *i -= 50);
            check(&b, &put(1), &[&x, &updates, &indices(places, &[300])], &what);
            // Two axes, blocks of elements, and indices that are broadcast.
            let (x, updates) = (transposed(&edges(dtype, [5, 6, 3], 1)), edges(dtype, [4, 7, 3], 2));
            let (down, along) = (indices(vec![4, 0, -1, 2], &[4, 1]), indices(scattered(7, 6), &[7]));
            check(&b, &put(2), &[&x, &transposed(&updates), &down, &along], &what);
        }
    }
}

#[test]
fn scatters_of_many_and_of_none() {
    let b = backend();
    let add = |axes| Op::Scatter { axes, op: ScatterOp::Add };
    for dtype in [Dtype::FLOAT32, Dtype::COMPLEX64, Dtype::INT8] {
        let (count, room) = (20_000, 70_000);
        let (x, updates) = (edges(dtype, [room], 0), edges(dtype, [count], 3));
        let places = indices(scattered(count, room as i64), &[count]);
        check(&b, &add(1), &[&x, &updates, &places], "many places");
        check(&b, &add(1), &[&x, &updates, &indices(scattered(count, 3), &[count])], "few places");
        let none = indices(Vec::new(), &[0]);
        check(&b, &add(1), &[&x, &edges(dtype, [0], 0), &none], "no updates");
        check(&b, &add(1), &[&edges(dtype, [0], 0), &edges(dtype, [0], 0), &none], "no places");
        let some = indices(vec![1, 0], &[2]);
        check(&b, &add(1), &[&edges(dtype, [3, 0], 0), &edges(dtype, [2, 0], 0), &some], "empty blocks");
        let one = indices(vec![-2], &[]);
        check(&b, &add(1), &[&edges(dtype, [4], 0), &edges(dtype, [], 1), &one], "one place");
    }
}

#[test]
fn places_that_are_not_there() {
    let b = backend();
    let put = Op::Scatter { axes: 2, op: ScatterOp::Max };
    let (x, updates) = (edges(Dtype::INT16, [3, 4], 0), edges(Dtype::INT16, [3], 1));
    let good = indices(vec![0, 2, 1], &[3]);
    for (bad, axis, index, position) in [(vec![0, 4, -9], 1, 4, 1), (vec![1, 2, -5], 1, -5, 2)] {
        let error = of(&b, &put, &[&x, &updates, &good, &indices(bad, &[3])]).unwrap_err();
        let length = [3, 4][axis];
        let want =
            ErrorKind::IndexOutOfRange { function: "scatter", index, axis, length, position: Some(position) };
        assert_eq!(format!("{:?}", error.kind()), format!("{want:?}"));
    }
    let empty = edges(Dtype::INT16, [0, 4], 0);
    let error = of(&b, &put, &[&empty, &updates, &good, &good]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::IndexOutOfRange { axis: 0, length: 0, .. }), "{error}");
    let error = of(&b, &put, &[&x, &edges(Dtype::INT16, [2], 0), &good, &good]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::ShapeMismatch { argument: "updates", .. }), "{error}");
}

#[test]
fn running_sums_of_every_dtype() {
    let b = backend();
    // Rows, many of them, and a long one; columns, many, few and none; and what is taken in parts.
    let shapes: [(&[usize], usize); 8] = [
        (&[5, 40], 1),
        (&[1100, 37], 1),
        (&[2500], 0),
        (&[3, 70, 2], 1),
        (&[9, 4100], 0),
        (&[2, 700], 0),
        (&[3, 0, 2], 1),
        (&[2, 600, 3], 1),
    ];
    let mut cases = Counted::default();
    for dtype in Dtype::all().filter(|d| !d.is_bool()) {
        for (i, (shape, axis)) in shapes.into_iter().enumerate() {
            // The stand-in takes its time: the large ones once for each dtype.
            let large = shape.iter().product::<usize>() > 2000;
            let ops = ScanOp::ALL.iter().filter(|op| op.takes(dtype)).enumerate();
            for (k, &op) in ops.filter(|_| cases.takes_next()) {
                if large && (i + k + dtype.index()) % 3 > 0 {
                    continue;
                }
                let x = edges(dtype, Shape::from(shape.to_vec()), 5);
                let scan = Op::Scan { op, axis, include_initial: (i + k) % 2 > 0 };
                check(&b, &scan, &[&x], &format!("{dtype} {shape:?}"));
            }
        }
    }
}

#[test]
fn long_running_sums() {
    let b = backend();
    for (dtype, count) in [(Dtype::FLOAT32, 100_003), (Dtype::FLOAT64, 30_000), (Dtype::UINT8, 200_000)] {
        // A NaN among floats would hide every order.
        let x = if dtype.is_float() { near_one(dtype, &[count]) } else { edges(dtype, [count], 0) };
        for include_initial in [false, true] {
            check(&b, &Op::Scan { op: ScanOp::Sum, axis: 0, include_initial }, &[&x], "long");
        }
    }
}

/// Some finite numbers near one of which both sums and products show their order.
fn near_one(dtype: Dtype, shape: &[usize]) -> HostArray {
    let count = shape.iter().product::<usize>();
    let number = |i: usize| ((i * i + 7 * i) as f64 * 0.7).sin() * 0.03;
    let x = match dtype.is_complex() {
        true => HostArray::from_vec(
            (0..count).map(|i| Complex64::new(1.0 + number(i), number(i + 1))).collect(),
            shape.into(),
        ),
        false => HostArray::from_vec((0..count).map(|i| 1.0 + number(i)).collect::<Vec<f64>>(), shape.into()),
    };
    reference(&Op::Cast { dtype }, &[&x.unwrap()]).remove(0)
}

/// Lines of several blocks: rows, many and one, and columns.
#[test]
fn running_sums_and_products_in_blocks() {
    let b = backend();
    let shapes: [(&[usize], usize); 5] =
        [(&[5000], 0), (&[1030, 1041], 1), (&[3, 2048], 1), (&[2100, 2], 0), (&[1035, 4], 0)];
    let mut cases = Counted::default();
    for dtype in Dtype::all().filter(|d| d.is_float() || d.is_complex()) {
        for (shape, axis) in shapes {
            for (i, op) in [ScanOp::Sum, ScanOp::Prod].into_iter().enumerate().filter(|_| cases.takes_next())
            {
                let scan = Op::Scan { op, axis, include_initial: i == 0 };
                check(&b, &scan, &[&near_one(dtype, shape)], &format!("{dtype} {shape:?}"));
            }
        }
    }
}

/// What stood before an update: of all dtypes, without the host.
#[test]
fn exchanges_of_every_dtype() {
    let b = backend();
    for dtype in Dtype::all() {
        for (length, count, below) in [(40, 300, 40), (1, 9, 1), (70_000, 500, 70_000), (5, 1, 5), (5, 0, 5)]
        {
            let mut places = scattered(count, below);
            places.iter_mut().step_by(3).for_each(|i| *i -= below);
            let (x, updates) = (edges(dtype, [length], 0), edges(dtype, [count], 3));
            for &op in [ExchangeOp::Set, ExchangeOp::Add].iter().filter(|op| op.takes(dtype)) {
                let op = Op::Exchange { op };
                let operands = [&x, &indices(places.clone(), &[count]), &updates];
                let values = operands.map(|x| b.from_host(x.clone()).unwrap());
                let got = b.execute(&op, &values.each_ref()).unwrap();
                for (got, want) in got.iter().zip(reference(&op, &operands)) {
                    let got = b.to_host(got).unwrap();
                    same(&got, &want, &|| format!("{op:?} of {dtype}, {count} of {length}"));
                }
            }
        }
    }
    let far = indices(vec![0, 5, -9], &[3]);
    let (x, updates) = (edges(Dtype::INT32, [5], 0), edges(Dtype::INT32, [3], 0));
    let error = of(&b, &Op::Exchange { op: ExchangeOp::Set }, &[&x, &far, &updates]).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::IndexOutOfRange { index: 5, position: Some(1), length: 5, .. }),
        "{error}"
    );
}

/// What is compared goes over the host, which is said, or refused.
#[test]
fn compared_exchanges_go_over_the_host() {
    let b = backend();
    let op = Op::Exchange { op: ExchangeOp::Compare };
    let dtypes = [Dtype::INT32, Dtype::INT64, Dtype::INT32, Dtype::INT32];
    let x = edges(Dtype::INT32, [4], 0);
    let operands =
        [&x, &indices(vec![0, 0, -1], &[3]), &edges(Dtype::INT32, [3], 1), &edges(Dtype::INT32, [3], 0)];
    let values: Vec<Value> = operands.iter().map(|&x| b.from_host(x.clone()).unwrap()).collect();
    let values: Vec<&Value> = values.iter().collect();
    assert!(matches!(b.support(&op, &dtypes), Support::Unsupported(_)));
    let error = b.execute(&op, &values).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::BackendUnavailable { .. }), "{error}");
    b.engine().set_transfers(true);
    assert!(matches!(b.support(&op, &dtypes), Support::Host(how) if how.contains("copies")));
    let got = b.execute(&op, &values).unwrap();
    for (got, want) in got.iter().zip(reference(&op, &operands)) {
        same(&b.to_host(got).unwrap(), &want, &|| "compared".into());
    }
}

/// The host is faster at these, where copies are allowed, which is said.
#[test]
fn lone_lines_may_go_over_the_host() {
    let b = backend();
    let scan = Op::Scan { op: ScanOp::Sum, axis: 0, include_initial: false };
    for allowed in [true, false] {
        b.engine().set_transfers(allowed);
        let over = |dtype| matches!(b.support(&scan, &[dtype]), Support::Host(how) if how.contains("few long lines"));
        assert_eq!([over(Dtype::FLOAT32), over(Dtype::INT32)], [allowed, false]);
        let x = edges(Dtype::FLOAT32, [20_000], 0);
        let value = b.from_host(x.clone()).unwrap();
        let got = b.execute(&scan, &[&value]).unwrap().remove(0);
        same(&b.to_host(&got).unwrap(), &reference(&scan, &[&x]).remove(0), &|| format!("{allowed}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_shape(
        shape in prop::collection::vec(1usize..40, 1..4),
        axis in 0usize..3,
        (seed, transpose, initial, how, dtype) in (0usize..100, any::<bool>(), any::<bool>(), 0usize..4, 0usize..3),
    ) {
        let b = backend();
        let dtype = [Dtype::INT32, Dtype::BFLOAT16, Dtype::FLOAT64][dtype];
        let x = edges(dtype, Shape::from(shape.clone()), seed);
        let x = if transpose { transposed(&x) } else { x };
        let op = ScanOp::ALL[how];
        let scan = Op::Scan { op, axis: axis % shape.len(), include_initial: initial };
        check(&b, &scan, &[&x], &format!("{dtype} {shape:?}"));
        let rows = shape[0] as i64;
        let places = indices(scattered(11, 2 * rows).into_iter().map(|i| i - rows).collect(), &[11]);
        let updates = Shape::from([&[11], &shape[1..]].concat());
        let op = if how > 0 { ScatterOp::Mul } else { ScatterOp::Set };
        check(&b, &Op::Scatter { axes: 1, op }, &[&x, &edges(dtype, updates, seed), &places], "blocks");
    }
}

/// Reads and writes of nothing are done, or refused, as on the host, though nothing may be copied there.
#[test]
fn indices_of_nothing() {
    let b = backend();
    let shapes: [&[usize]; 6] = [&[0], &[3], &[0, 3], &[3, 0], &[2, 3], &[0, 0]];
    let picks: [(&[usize], &[i64]); 7] = [
        (&[0], &[]),
        (&[2], &[0, 1]),
        (&[2], &[1, -9]),
        (&[2, 0], &[]),
        (&[1, 1], &[0]),
        (&[], &[2]),
        (&[], &[7]),
    ];
    let mut errors = 0;
    let mut alike = |op: &Op, operands: &[&HostArray]| {
        let signature: Vec<(Dtype, &Shape)> = operands.iter().map(|x| (x.dtype(), x.shape())).collect();
        if op.result("test", &signature).is_err() {
            return;
        }
        let values: Vec<Value> = operands.iter().map(|&x| b.from_host(x.clone()).unwrap()).collect();
        let made = b.execute(op, &values.iter().collect::<Vec<_>>());
        let ours = made.and_then(|mut made| b.to_host(&made.remove(0)));
        let what = || format!("{op:?} {:?}", operands.iter().map(|x| x.shape()).collect::<Vec<_>>());
        match (ours, ivy_kernels::execute(op, operands)) {
            (Ok(ours), Ok(theirs)) => same(&ours, &theirs[0], &what),
            (Err(ours), Err(theirs)) => {
                errors += 1;
                assert_eq!(ours.to_string(), theirs.to_string(), "{}", what());
            }
            (ours, theirs) => panic!("{}: {ours:?}, by the reference {theirs:?}", what()),
        }
    };
    for dtype in [Dtype::FLOAT32, Dtype::BOOL] {
        for (shape, (of, values)) in shapes.iter().flat_map(|s| picks.iter().map(move |p| (s, p))) {
            let (x, index) = (edges(dtype, shape.to_vec(), 0), indices(values.to_vec(), of));
            for axis in 0..shape.len() {
                if of.len() == 1 {
                    alike(&Op::Take { axis }, &[&x, &index]);
                }
                if of.len() == shape.len() {
                    alike(&Op::TakeAlongAxis { axis }, &[&x, &index]);
                }
                let axes = axis + 1;
                let all: Vec<&HostArray> = std::iter::repeat_n(&index, axes).collect();
                let gathered: Vec<&HostArray> = std::iter::once(&x).chain(all.iter().copied()).collect();
                alike(&Op::Gather { axes }, &gathered);
                let block: Vec<usize> = of.iter().chain(&shape[axes..]).copied().collect();
                let updates = edges(dtype, block, 1);
                let put: Vec<&HostArray> = [&x, &updates].into_iter().chain(all.iter().copied()).collect();
                alike(&Op::Scatter { axes, op: ScatterOp::Set }, &put);
            }
        }
    }
    assert!(errors > 20, "{errors}");
}

/// The history has the launches of kernels that come from no trace.
#[test]
fn launches_are_in_the_history() {
    let b = backend();
    assert!(!b.engine().set_timed(true));
    let x = edges(Dtype::FLOAT32, [6, 50], 0);
    let (updates, places) = (edges(Dtype::FLOAT32, [9, 50], 1), indices(scattered(9, 6), &[9]));
    let [a, c] = [[40, 30], [30, 20]].map(|shape| edges(Dtype::FLOAT32, shape, 2));
    let work: [(Op, Vec<&HostArray>, [usize; 3], &str); 4] = [
        (Op::Scatter { axes: 1, op: ScatterOp::Add }, vec![&x, &updates, &places], [450, 3, 1], "scatter"),
        (Op::Scan { op: ScanOp::Sum, axis: 1, include_initial: false }, vec![&x], [300, 1, 1], "scan"),
        (Op::Matmul, vec![&a, &c], [800, 2, 1], "product"),
        (Op::Sort { axis: 1, descending: false }, vec![&x], [300, 1, 2], "order"),
    ];
    for (op, operands, [elements, inputs, outputs], what) in work {
        let mut hashes = Vec::new();
        for again in [false, true] {
            b.engine().take_history();
            of(&b, &op, &operands).unwrap();
            let history = b.engine().take_history();
            let own = |l: &&Launch| [l.elements, l.inputs, l.outputs] == [elements, inputs, outputs];
            let own: Vec<&Launch> = history.iter().filter(own).collect();
            assert!(!own.is_empty(), "{what}: {history:?}");
            for launch in own {
                assert!(launch.pieces > 0 && launch.statements > 0 && launch.operations == 1, "{launch:?}");
                assert!(launch.run > std::time::Duration::ZERO && launch.fold.is_none(), "{launch:?}");
                assert!(!again || launch.compile.is_none(), "{what}: {launch:?}");
                hashes.push((again, launch.hash));
            }
            assert!(again || history.iter().any(|l| l.compile.is_some()), "{what}: {history:?}");
        }
        let of = |again: bool| hashes.iter().filter(|h| h.0 == again).map(|h| h.1).collect::<Vec<_>>();
        assert_eq!(of(false), of(true), "{what}");
    }
}
