//! Several results at once: one kernel for those of one shape, with the bits that each has alone.

use crate::common::arrays;
use crate::common::both;

use arrays::{backends, same};
use both::{ADD, Both, Side, slice};
use ivy_backend_jit::JitBackend;
use ivy_backend_jit::engine::Settings;
use ivy_backend_jit::log::{self, Level};
use ivy_backend_suite::edges;
use ivy_core::backend::{Backend, Value};
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Dims, Dtype, Op, ReduceOp, UnaryOp};
use std::sync::{Arc, Mutex};

const MULTIPLY: Op = Op::Binary(BinaryOp::Multiply);

/// Evaluates them, and compares each; gives how many results each launch had.
#[track_caller]
fn evaluate(backend: &JitBackend, results: &[&Both]) -> Vec<usize> {
    let values: Vec<Value> = results.iter().map(|b| b.ours.clone()).collect();
    backend.evaluate(&values).unwrap();
    let launches = backend.engine().take_history().iter().map(|l| l.outputs).collect();
    for result in results {
        same(&backend.to_host(&result.ours).unwrap(), &result.theirs, &|| "together".into());
    }
    assert!(backend.engine().take_history().is_empty(), "all was there");
    launches
}

#[test]
fn results_of_one_shape_are_one_kernel() {
    for (_, backend) in backends() {
        let b = Side(&backend);
        let x = b.input(edges(Dtype::FLOAT32, [60, 70], 0));
        let common = b.apply(&Op::Unary(UnaryOp::Sqrt), &[&x]);
        let sum = b.apply(&ADD, &[&common, &x]);
        let product = b.apply(&MULTIPLY, &[&common, &sum]);
        let test = b.apply(&Op::Binary(BinaryOp::Less), &[&product, &x]);
        // Of another dtype, what others are made of, a view of pending work, the same one twice.
        let transposed = b.apply(&Op::PermuteDims { axes: Dims::from_slice(&[1, 0]) }, &[&b.negative(&x)]);
        let again = b.apply(&Op::PermuteDims { axes: Dims::from_slice(&[1, 0]) }, &[&transposed]);
        let all = [&test, &sum, &product, &common, &again, &sum];
        assert_eq!(evaluate(&backend, &all), [5]);
        // Nothing is left to do.
        assert_eq!(evaluate(&backend, &all), [0; 0]);
    }
}

#[test]
fn other_shapes_are_other_kernels_the_small_ones_first() {
    for (_, backend) in backends() {
        let b = Side(&backend);
        let x = b.input(edges(Dtype::INT32, [90], 0));
        let some = |n: usize| b.apply(&slice(&[(0, 1, n)]), &[&b.apply(&ADD, &[&x, &x])]);
        let [large, small, middle] = [80, 40, 60].map(some);
        let more = b.negative(&small);
        let sum = Op::Reduce { op: ReduceOp::Sum, axes: Dims::from_slice(&[0]), keepdims: false };
        let folded = b.apply(&sum, &[&large]);
        let values: Vec<Value> = [&large, &folded, &small, &middle, &more].map(|v| v.ours.clone()).into();
        backend.evaluate(&values).unwrap();
        let launches: Vec<(usize, usize)> =
            backend.engine().take_history().iter().map(|l| (l.elements, l.outputs)).collect();
        assert_eq!(launches, [(40, 2), (60, 1), (80, 1), (80, 1)]);
        for v in [&large, &folded, &small, &middle, &more] {
            same(&backend.to_host(&v.ours).unwrap(), &v.theirs, &|| "each".into());
        }
    }
}

#[test]
fn the_log_says_how_many() {
    let said: Arc<Mutex<Vec<String>>> = Arc::default();
    let (own, to) = (std::thread::current().id(), said.clone());
    let sink = move |_: Level, text: &str| {
        // Other tests are at work, too.
        if std::thread::current().id() == own && text.starts_with("launching") {
            to.lock().unwrap().push(text.into());
        }
    };
    log::set_callback(Some((Level::Info, Arc::new(sink))));
    let (_, backend) = backends().remove(0);
    let b = Side(&backend);
    let (x, y) = (b.input(edges(Dtype::FLOAT32, [8], 0)), b.input(edges(Dtype::FLOAT32, [9], 0)));
    let all = [b.negative(&x), b.negative(&y), b.apply(&ADD, &[&x, &x])].map(|v| v.ours);
    backend.evaluate(&all).unwrap();
    log::set_callback(None);
    assert_eq!(*said.lock().unwrap(), ["launching 2 kernels"]);
}

#[test]
fn one_s_fault_is_no_other_s() {
    for (_, backend) in backends() {
        let b = Side(&backend);
        let x = b.input(edges(Dtype::FLOAT64, [50], 0));
        let wrong = HostArray::from_vec((0..50).map(|i| i * 2).collect::<Vec<i64>>(), [50].into()).unwrap();
        let wrong = backend.from_host(wrong).unwrap();
        let bad = backend.execute(&Op::Take { axis: 0 }, &[&x.ours, &wrong]).unwrap().remove(0);
        let good = b.negative(&x);
        assert!(backend.evaluate(&[good.ours.clone(), bad.clone()]).is_err());
        same(&backend.to_host(&good.ours).unwrap(), &good.theirs, &|| "what is right".into());
        assert!(backend.to_host(&bad).is_err());
    }
}

#[test]
fn without_the_switch_each_has_its_own() {
    for (_, backend) in backends() {
        for (together, fusion) in [(false, true), (true, false), (true, true)] {
            let settings = Settings { together, fusion, ..Settings::default() };
            backend.engine().set_settings(settings);
            let b = Side(&backend);
            let x = b.input(edges(Dtype::COMPLEX128, [33], 0));
            let (y, z) = (b.negative(&x), b.apply(&ADD, &[&x, &x]));
            let before = backend.engine().take_history().len();
            let launches = evaluate(&backend, &[&y, &z]).len();
            assert_eq!(before + launches, if together && fusion { 1 } else { 2 });
        }
    }
}
