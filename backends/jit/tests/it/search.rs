//! Where the greatest and least elements of pending work stand, found in its kernel: as by the
//! reference kernels, the first of equal ones, and the first NaN.

use crate::common::arrays;
use crate::common::both;

use arrays::{backends, reference, same};
use both::Side;
use ivy_backend_suite::{Counted, edges, least};
use ivy_core::backend::{Backend, Support};
use ivy_core::host::HostArray;
use ivy_core::{Dtype, Op, Shape};
use proptest::prelude::*;

fn search(max: bool, axis: Option<usize>, keepdims: bool) -> Op {
    Op::ArgReduce { max, axis, keepdims }
}

/// A value that is pending, and has the array's elements.
fn pending(b: &Side<'_>, x: &HostArray) -> both::Both {
    let zero = HostArray::from_vec(vec![false], [].into()).unwrap();
    b.apply(&Op::Where, &[&b.input(zero), &b.input(x.clone()), &b.input(x.clone())])
}

#[test]
fn every_dtype_along_every_axis() {
    let mut cases = Counted::default();
    for (name, backend) in backends() {
        let mut seen = 0;
        let b = Side(&backend);
        for dtype in Dtype::all().filter(|d| !d.is_complex()) {
            let shapes = [vec![7], vec![5, 33], vec![40, 3, 70], vec![1, 1], vec![300, 2]];
            for shape in shapes.into_iter().filter(|_| cases.takes_next()) {
                let edges = edges(dtype, Shape::from(shape.clone()), 3);
                // Equal ones, of both signs, without a NaN.
                let equal = HostArray::from_vec(
                    (0..edges.shape().size()).map(|i| [0.0f32, -0.0, 1.0, 1.0, 0.0][i * i % 5]).collect(),
                    Shape::from(shape.clone()),
                );
                let equal = reference(&Op::Cast { dtype }, &[&equal.unwrap()]).remove(0);
                for x in [edges, equal] {
                    for axis in (0..shape.len()).map(Some).chain([None]) {
                        let op = search(seen % 2 == 0, axis, seen % 3 == 0);
                        let found = b.apply(&op, &[&pending(&b, &x)]);
                        let got = backend.to_host(&found.ours).unwrap();
                        same(&got, &found.theirs, &|| format!("{op:?} of {dtype} {shape:?} by {name}"));
                        seen += 1;
                    }
                }
            }
            let support = backend.support(&search(true, None, false), &[dtype]);
            let looked_for = search(true, None, false).result_dtype(&[dtype]).is_some();
            assert_eq!(support == Support::Native, looked_for, "{dtype} by {name}");
        }
        assert!(seen > least(300), "{seen} by {name}");
    }
}

#[test]
fn what_is_looked_through_is_not_written() {
    for (_, backend) in backends() {
        let b = Side(&backend);
        let x = b.input(edges(Dtype::FLOAT32, [50, 90], 0));
        b.check(&b.apply(&search(true, Some(1), false), &[&b.negative(&x)]), 2);
        let launches = |op: &Op| {
            let found = b.apply(op, &[&b.negative(&x)]);
            backend.to_host(&found.ours).unwrap();
            backend.engine().take_history().iter().map(|l| (l.fold, l.elements)).collect::<Vec<_>>()
        };
        // Many that are there, and few.
        let many = b.input(edges(Dtype::INT16, [300, 90], 1));
        b.check(&b.apply(&search(true, Some(1), false), &[&many]), 2);
        let on_host = backend.engine().device().is_none();
        b.check(&b.apply(&search(true, Some(0), false), &[&x]), if on_host { 0 } else { 2 });
        assert_eq!(launches(&search(false, Some(1), true))[0], (Some("max"), 4500));
        // Down columns, what is pending is evaluated first.
        let fold = if on_host { None } else { Some("max") };
        assert_eq!(launches(&search(false, Some(0), true))[0], (fold, 4500));
        assert_eq!(launches(&search(false, None, false))[0], (Some("max"), 4500));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn any_shape(shape in prop::collection::vec(1usize..60, 1..4), seed in 0usize..50, max in any::<bool>()) {
        let dtype = [Dtype::FLOAT16, Dtype::FLOAT64, Dtype::INT64, Dtype::UINT64][seed % 4];
        let x = edges(dtype, Shape::from(shape.clone()), seed);
        for (name, backend) in backends() {
            let b = Side(&backend);
            for axis in (0..shape.len()).map(Some).chain([None]) {
                let found = b.apply(&search(max, axis, false), &[&pending(&b, &x)]);
                let got = backend.to_host(&found.ours).unwrap();
                same(&got, &found.theirs, &|| format!("{axis:?} of {dtype} {shape:?} by {name}"));
            }
        }
    }
}
