//! The backend on a device: what runs there, what goes to the host and back, and what is said where
//! there is no device.

use crate::common::arrays;

use arrays::device::{device, is_real};
use arrays::{reference, run, same};
use ivy_backend_jit::engine::Settings;
use ivy_backend_jit::runtime::cuda::{Kept, driver};
use ivy_backend_jit::{FACTORY, JitBackend};
use ivy_backend_suite::edges;
use ivy_core::backend::{Backend, DeviceKind, Support, Value};
use ivy_core::host::HostArray;
use ivy_core::{AxisSlice, BinaryOp, Device, Dims, Dtype, ErrorKind, Op, ReduceOp, ScanOp, Shape};
use std::sync::Arc;

fn backend() -> JitBackend {
    JitBackend::on_device(Arc::new(Kept::new(device())))
}

/// Products of integers are the reference kernels'.
const PRODUCT: Op = Op::Matmul;

#[test]
fn host_kernels_are_round_trips_that_may_be_forbidden() {
    let b = backend();
    let x = edges(Dtype::INT32, [40], 0);
    let both = [Dtype::INT32; 2];
    assert!(matches!(b.support(&PRODUCT, &both), Support::Host(how) if how.contains("there and back")));
    same(&run(&b, &PRODUCT, &[&x, &x]), &reference(&PRODUCT, &[&x, &x]).remove(0), &|| "product".into());
    assert!(b.engine().set_transfers(false));
    assert!(matches!(b.support(&PRODUCT, &both), Support::Unsupported(why) if why.contains("not allowed")));
    let value = b.from_host(x.clone()).unwrap();
    let error = b.execute(&PRODUCT, &[&value, &value]).unwrap_err();
    let ErrorKind::BackendUnavailable { name, remedy, .. } = error.kind() else { panic!("{error}") };
    assert!(name.starts_with("jit:cuda:0") && remedy.contains("set_transfers"), "{error}");
    // What is asked for still moves, and what has a kernel still runs.
    let op = Op::Binary(BinaryOp::Add);
    same(&run(&b, &op, &[&x, &x]), &reference(&op, &[&x, &x]).remove(0), &|| "added".into());
    assert!(!b.engine().set_transfers(true));
}

/// Joins, replaced slices, orders, places, running sums of integers and sets are composed of what the
/// device does: nothing goes to the host.
#[test]
fn what_has_no_node_is_composed_on_the_device() {
    let b = backend();
    b.engine().set_transfers(false);
    let slice = |start, step, len| AxisSlice { start, step, len };
    let check = |op: &Op, operands: &[&HostArray]| {
        let dtypes: Vec<Dtype> = operands.iter().map(|x| x.dtype()).collect();
        assert_eq!(b.support(op, &dtypes), Support::Native, "{op:?} {dtypes:?}");
        let values: Vec<Value> = operands.iter().map(|x| b.from_host((*x).clone()).unwrap()).collect();
        let results = b.execute(op, &values.iter().collect::<Vec<_>>()).unwrap();
        let theirs = reference(op, operands);
        assert_eq!(results.len(), theirs.len(), "{op:?}");
        for (i, (value, theirs)) in results.iter().zip(&theirs).enumerate() {
            assert_eq!((value.dtype, &value.shape), (theirs.dtype(), theirs.shape()), "{op:?} {i}");
            same(&b.to_host(value).unwrap(), theirs, &|| format!("result {i} of {op:?} of {dtypes:?}"));
        }
    };
    for dtype in Dtype::all() {
        let x = edges(dtype, [3, 7, 2], 1);
        let y = edges(dtype, [3, 4, 2], 2);
        check(&Op::Concat { axis: 1 }, &[&x, &y, &edges(dtype, [3, 0, 2], 0), &x]);
        let axes = [slice(2, -1, 2), slice(1, 3, 2), slice(0, 1, 2)];
        let value = edges(dtype, [2, 2, 2], 3);
        check(&Op::SetSlice { axes: axes.into_iter().collect() }, &[&x, &value]);
        check(&Op::Nonzero, &[&x]);
        let empty = edges(dtype, [2, 0], 0);
        check(&Op::Nonzero, &[&empty]);
        check(&Op::Unique, &[&edges(dtype, [6, 7], 4)]);
        check(&Op::Unique, &[&empty]);
        if dtype.is_complex() {
            continue;
        }
        for descending in [false, true] {
            check(&Op::Sort { axis: 1, descending }, &[&x]);
            check(&Op::Argsort { axis: 0, descending }, &[&edges(dtype, [45], 5)]);
            check(&Op::Argsort { axis: 1, descending }, &[&empty]);
        }
        let sorted = reference(&Op::Sort { axis: 0, descending: false }, &[&edges(dtype, [45], 6)]).remove(0);
        for right in [false, true] {
            check(&Op::SearchSorted { right }, &[&sorted, &edges(dtype, [3, 11], 7)]);
        }
        if dtype.is_int() {
            for (op, include_initial) in [(ScanOp::Sum, false), (ScanOp::Prod, true)] {
                check(&Op::Scan { op, axis: 1, include_initial }, &[&x]);
                check(&Op::Scan { op, axis: 1, include_initial }, &[&empty]);
            }
        }
    }
}

/// More elements than a block takes at once, and than one block takes; of few values, and in short rows.
#[test]
fn orders_of_many_elements() {
    let b = backend();
    b.engine().set_transfers(false);
    for (dtype, shape, axis) in [
        (Dtype::FLOAT32, &[50_001][..], 0),
        (Dtype::INT64, &[9000], 0),
        (Dtype::BOOL, &[70_000], 0),
        (Dtype::FLOAT16, &[300, 40], 1),
        (Dtype::UINT8, &[70, 90], 0),
        (Dtype::FLOAT64, &[20, 3, 300], 1),
    ] {
        let x = edges(dtype, Shape::from(shape.to_vec()), 3);
        for descending in [false, true] {
            for op in [Op::Argsort { axis, descending }, Op::Sort { axis, descending }] {
                same(&run(&b, &op, &[&x]), &reference(&op, &[&x]).remove(0), &|| format!("{op:?} {dtype}"));
            }
        }
    }
    // Nothing is given twice, and nothing is left out.
    let complex = edges(Dtype::COMPLEX64, [6000], 1);
    let value = b.from_host(complex.clone()).unwrap();
    let results = b.execute(&Op::Unique, &[&value]).unwrap();
    for (i, (value, theirs)) in results.iter().zip(&reference(&Op::Unique, &[&complex])).enumerate() {
        same(&b.to_host(value).unwrap(), theirs, &|| format!("result {i}"));
    }
}

/// More than have a list of their indices.
#[test]
fn the_greatest_of_many() {
    let b = backend();
    b.engine().set_transfers(false);
    for (dtype, shape) in [(Dtype::FLOAT32, [2, 70_000]), (Dtype::FLOAT64, [1, 66_000])] {
        let x = edges(dtype, shape, 1);
        for axis in [None, Some(1)] {
            let op = Op::ArgReduce { max: true, axis, keepdims: false };
            same(&run(&b, &op, &[&x]), &reference(&op, &[&x]).remove(0), &|| format!("{op:?} {dtype}"));
        }
    }
}

/// Single elements, and none, need no host either.
#[test]
fn of_one_element_and_of_none() {
    let b = backend();
    b.engine().set_transfers(false);
    let check = |op: &Op, operands: &[&HostArray]| {
        same(&run(&b, op, operands), &reference(op, operands).remove(0), &|| format!("{op:?}"));
    };
    let indices = HostArray::from_vec(Vec::<i64>::new(), [0, 2].into()).unwrap();
    for dtype in Dtype::all().filter(|d| !d.is_bool() && !d.is_complex()) {
        for op in [ReduceOp::Sum, ReduceOp::Max] {
            (0..40).for_each(|i| {
                check(&Op::Reduce { op, axes: Dims::new(), keepdims: i % 2 > 0 }, &[&edges(dtype, [], i)]);
            });
        }
        check(
            &Op::Reduce { op: ReduceOp::Sum, axes: Dims::new(), keepdims: true },
            &[&edges(dtype, [9, 7], 2)],
        );
        let sum = Op::Reduce { op: ReduceOp::Sum, axes: Dims::from_slice(&[0]), keepdims: false };
        check(&sum, &[&edges(dtype, [0, 3], 0)]);
        check(&Op::ArgReduce { max: true, axis: None, keepdims: false }, &[&edges(dtype, [], 3)]);
        check(
            &Op::Take { axis: 1 },
            &[
                &edges(dtype, [4, 2], 0),
                &reference(&Op::Reshape { shape: [0].into() }, &[&indices]).remove(0),
            ],
        );
        check(&Op::Gather { axes: 1 }, &[&edges(dtype, [4, 2], 0), &indices]);
    }
}

#[test]
fn folds_over_axes_that_are_apart() {
    let b = backend();
    let x = edges(Dtype::INT32, [3, 5, 4, 7], 0);
    for axes in [&[0usize, 2][..], &[1, 3], &[0, 1, 3], &[0, 1, 2, 3]] {
        let op = Op::Reduce { op: ReduceOp::Sum, axes: axes.iter().copied().collect(), keepdims: false };
        same(&run(&b, &op, &[&x]), &reference(&op, &[&x]).remove(0), &|| format!("{axes:?}"));
    }
}

/// Enough elements for all threads to have several, in one ragged row that begins anywhere, and in rows.
#[test]
fn elements_side_by_side_change_no_bit() {
    let b = backend();
    for dtype in Dtype::all() {
        let op = if dtype == Dtype::BOOL { BinaryOp::LogicalXor } else { BinaryOp::Add };
        let x = edges(dtype, [33_003], 0);
        let row = edges(dtype, [16], 1);
        let part = Op::Slice { axes: [AxisSlice { start: 3, step: 1, len: 33_000 }].into_iter().collect() };
        let rows = Op::Reshape { shape: [2062, 16].into() };
        let ours = |abreast| {
            b.engine().set_settings(Settings { abreast, ..Settings::default() });
            let [x, row] = [&x, &row].map(|a| b.from_host(a.clone()).unwrap());
            let one = |op: &Op, operands: &[&Value]| b.execute(op, operands).unwrap().remove(0);
            let sum = one(&Op::Binary(op), &[&one(&part, &[&x]), &one(&part, &[&x])]);
            let few =
                Op::Slice { axes: [AxisSlice { start: 1, step: 1, len: 32_992 }].into_iter().collect() };
            let rows = one(&rows, &[&one(&few, &[&x])]);
            [sum, one(&Op::Binary(op), &[&rows, &row])].map(|value| b.to_host(&value).unwrap())
        };
        let apart = reference(&part, &[&x]).remove(0);
        let want = reference(&Op::Binary(op), &[&apart, &apart]).remove(0);
        let ([sum, wide], [single, narrow]) = (ours(true), ours(false));
        same(&sum, &want, &|| format!("{dtype}"));
        same(&single, &want, &|| format!("{dtype}, one at a time"));
        same(&wide, &narrow, &|| format!("{dtype}, in rows"));
    }
    b.engine().set_settings(Settings::default());
}

#[test]
fn it_says_what_it_runs_on() {
    let b = backend();
    assert_eq!(b.devices(), [Device { kind: DeviceKind::Cuda, index: 0 }]);
    let note = b.note().unwrap();
    assert!(note.contains("driver for CUDA") && note.contains("sm_"), "{note}");
    if !is_real() {
        assert!(note.starts_with("PTX machine, sm_90, "), "{note}");
    }
}

#[test]
fn launches_are_timed_by_the_device_if_wanted() {
    let b = backend();
    assert!(!b.engine().set_timed(true));
    let x = edges(Dtype::FLOAT32, [300], 0);
    run(&b, &Op::Binary(BinaryOp::Multiply), &[&x, &x]);
    let history = b.engine().take_history();
    assert_eq!((history.len(), history[0].elements), (1, 300));
    assert!(history[0].run > std::time::Duration::ZERO && history[0].compile.is_some());
}

#[test]
fn a_machine_without_a_device_says_so() {
    for place in ["cuda", "cuda:0", "cuda:7", "gpu"] {
        match ((FACTORY.create)(Some(place)), driver()) {
            (Ok(made), Ok(_)) => assert_eq!(made.devices()[0].kind, DeviceKind::Cuda),
            (Err(error), found) => {
                let ErrorKind::BackendUnavailable { name, reason, remedy } = error.kind() else {
                    panic!("{error}")
                };
                assert_eq!(name, &format!("jit:{place}"));
                assert!(!reason.is_empty() && remedy.contains("driver"), "{error}");
                // With a driver, only a number that is too large is refused.
                assert!(found.is_err() || place == "cuda:7", "{error}");
            }
            (Ok(_), Err(absent)) => panic!("{absent}"),
        }
    }
}
