//! Elements at indices, read in the kernel of what they are for: the bits, and the errors, of the
//! reference kernels.

use crate::common::arrays;
use crate::common::both;
use crate::common::kernels;

use arrays::{backends, reference, run, same, transposed};
use both::{ADD, Both, Side, slice};
use ivy_backend_jit::engine::Settings;
use ivy_backend_jit::ir::verify;
use ivy_backend_suite::edges;
use ivy_core::backend::{Backend, Support, Value};
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Dims, Dtype, ErrorKind, Op, ReduceOp, Scalar, ScatterOp, Shape, UnaryOp};
use proptest::prelude::*;

const MULTIPLY: Op = Op::Binary(BinaryOp::Multiply);

/// Indices into an axis of a length, of both signs.
fn indices(shape: impl Into<Shape>, length: usize, seed: usize) -> HostArray {
    let (shape, length) = (shape.into(), length as i64);
    let index = |i: usize| ((i * 7 + i * i * 3 + seed) as i64 % (2 * length)) - length;
    HostArray::from_vec((0..shape.size()).map(index).collect(), shape).unwrap()
}

fn sum(axes: &[usize]) -> Op {
    Op::Reduce { op: ReduceOp::Sum, axes: Dims::from_slice(axes), keepdims: false }
}

#[test]
fn every_dtype_by_every_op() {
    let backends = backends();
    for dtype in Dtype::all() {
        let (long, short) = (edges(dtype, [5, 4, 70], 3), edges(dtype, [6, 9, 3], 1));
        let mut cases: Vec<(Op, Vec<HostArray>)> = Vec::new();
        for x in [long.clone(), transposed(&long), short.clone(), transposed(&short)] {
            for axis in 0..3 {
                let length = x.shape()[axis];
                cases.push((Op::Take { axis }, vec![x.clone(), indices([37], length, axis)]));
                let mut whole = Dims::from_slice(x.shape());
                whole[axis] = 20;
                let whole = indices(Shape::from(whole.clone()), length, 5);
                cases.push((Op::TakeAlongAxis { axis }, vec![x.clone(), whole]));
                // Broadcast along another axis, on either side.
                let mut one = Dims::from_elem(1, 3);
                one[axis] = 8;
                cases.push((
                    Op::TakeAlongAxis { axis },
                    vec![x.clone(), indices(Shape::from(one), length, 2)],
                ));
            }
            let [a, b, c] = [0, 1, 2].map(|axis| x.shape()[axis]);
            cases.push((Op::Gather { axes: 1 }, vec![x.clone(), indices([2, 3], a, 1)]));
            let two = vec![x.clone(), indices([4, 1], a, 0), indices([3], b, 9)];
            cases.push((Op::Gather { axes: 2 }, two));
            let three = vec![x, indices([4, 1, 50], a, 0), indices([3, 1], b, 9), indices([], c, 4)];
            cases.push((Op::Gather { axes: 3 }, three));
        }
        let flat = edges(dtype, [100], 0);
        cases.push((Op::Take { axis: 0 }, vec![flat.clone(), indices([1000], 100, 0)]));
        cases.push((Op::Take { axis: 0 }, vec![transposed(&flat), indices([5], 100, 0)]));
        cases.push((Op::Gather { axes: 1 }, vec![flat.clone(), indices([], 100, 3)]));
        cases.push((Op::Take { axis: 0 }, vec![flat, transposed(&indices([33], 100, 3))]));
        for (op, operands) in cases {
            let operands: Vec<&HostArray> = operands.iter().collect();
            let want = reference(&op, &operands).remove(0);
            for (name, backend) in &backends {
                let what = || format!("{op:?} of {dtype} {} by {name}", operands[0].shape());
                same(&run(backend, &op, &operands), &want, &what);
                assert_eq!(
                    backend.engine().take_history().iter().map(|l| l.outputs).max(),
                    Some(1),
                    "{}",
                    what()
                );
            }
        }
    }
}

#[test]
fn indices_are_computed_where_they_are_used() {
    for (name, backend) in backends() {
        // What a kernel takes in, however often it is held.
        backend.engine().set_settings(Settings { materialize: false, ..backend.engine().settings() });
        let b = Side(&backend);
        let x = b.input(edges(Dtype::FLOAT32, [50], 0));
        let i = b.input(indices([40, 60], 25, 3));
        // An index of an index, and work on both sides.
        let twice = b.apply(&ADD, &[&i, &i]);
        let y = b.apply(&Op::Gather { axes: 1 }, &[&x, &twice]);
        let z = b.apply(&Op::Gather { axes: 1 }, &[&x, &i]);
        b.check(&b.apply(&MULTIPLY, &[&b.negative(&y), &z]), 1);
        let table = b.input(indices([100], 40, 1));
        let inner = b.apply(&Op::Gather { axes: 1 }, &[&table, &twice]);
        let outer = b.apply(&Op::Gather { axes: 1 }, &[&x, &inner]);
        b.check(&outer, 1);
        // Views of what is gathered are views of the indices.
        let outer = b.apply(&Op::Gather { axes: 1 }, &[&x, &inner]);
        let view = b.apply(&slice(&[(39, -3, 12), (1, 2, 29)]), &[&outer]);
        let view = b.apply(&Op::PermuteDims { axes: Dims::from_slice(&[1, 0]) }, &[&view]);
        b.check(&view, 1);
        let pending = b.apply(&Op::Gather { axes: 1 }, &[&x, &twice]);
        let flat = b.apply(&Op::Reshape { shape: [2400].into() }, &[&pending]);
        b.check(&b.negative(&flat), 1);
        let transposed = b.apply(&Op::PermuteDims { axes: Dims::from_slice(&[1, 0]) }, &[&pending]);
        b.check(&b.negative(&transposed), 1);
        // Folded along rows, along columns, and all.
        for axes in [&[1][..], &[0], &[0, 1]] {
            let folded = b.apply(&sum(axes), &[&b.apply(&Op::Gather { axes: 1 }, &[&x, &twice])]);
            b.check(&folded, 1);
        }
        // What is read at computed places is evaluated first.
        let source = b.negative(&x);
        b.check(&b.apply(&Op::Take { axis: 0 }, &[&source, &b.input(indices([9], 50, 0))]), 2);
        // A literal has nothing to look for; on a device it is read as all else.
        let zeros = Op::Full { shape: [50].into(), dtype: Dtype::FLOAT32, value: Scalar::Float(2.5) };
        let zeros = b.apply(&zeros, &[]);
        b.check(
            &b.apply(&Op::Take { axis: 0 }, &[&zeros, &b.input(indices([9], 50, 0))]),
            usize::from(name == "cuda"),
        );
    }
}

/// Rows of a table, whole and in part, and columns.
#[test]
fn rows_and_columns() {
    for (name, backend) in backends() {
        let b = Side(&backend);
        for width in [1, 3, 31, 33, 64, 70, 300] {
            let x = b.input(edges(Dtype::FLOAT64, [11, width], 0));
            let rows = b.input(indices([50], 11, 4));
            let taken = b.apply(&Op::Take { axis: 0 }, &[&x, &rows]);
            b.check(&b.apply(&ADD, &[&taken, &taken]), 1);
            for axes in [&[0][..], &[1], &[0, 1]] {
                // Over both, there is no one stride: a device writes the elements first.
                let kernels = 1 + usize::from(axes.len() == 2 && width > 1 && name == "cuda");
                b.check(&b.apply(&sum(axes), &[&b.apply(&Op::Take { axis: 0 }, &[&x, &rows])]), kernels);
            }
            let columns = b.input(indices([40], width, 1));
            b.check(&b.apply(&Op::Take { axis: 1 }, &[&x, &columns]), 1);
            let part = b.apply(&slice(&[(10, -2, 5), (width - 1, -1, width)]), &[&x]);
            let few = b.input(indices([17], 5, 0));
            b.check(&b.apply(&Op::Take { axis: 0 }, &[&part, &few]), 1);
        }
        // Long enough to go past the caches, and to be split.
        let x = b.input(edges(Dtype::FLOAT32, [300, 4097], 0));
        let rows = b.input(indices([400], 300, 4));
        b.check(&b.apply(&Op::Take { axis: 0 }, &[&x, &rows]), 1);
        let any = b.input(indices([1_100_003], 4097, 4));
        let line = b.apply(&slice(&[(7, 1, 1), (0, 1, 4097)]), &[&x]);
        let line = b.apply(&Op::Reshape { shape: [4097].into() }, &[&line]);
        b.check(&b.negative(&b.apply(&Op::Take { axis: 0 }, &[&line, &any])), 1);
    }
}

/// The error of a result.
fn error(backend: &dyn Backend, op: &Op, operands: &[&HostArray]) -> String {
    let values: Vec<Value> = operands.iter().map(|&a| backend.from_host(a.clone()).unwrap()).collect();
    let values: Vec<&Value> = values.iter().collect();
    let result = backend.execute(op, &values).and_then(|r| backend.to_host(&r[0]));
    format!("{:?}", result.unwrap_err().kind())
}

#[test]
fn an_index_out_of_range_is_the_reference_s_error() {
    let x = edges(Dtype::FLOAT32, [4, 5, 60], 0);
    let bad = |shape: &[usize], at: usize, index: i64| {
        let mut values = indices(Shape::from(shape.to_vec()), 4, 0).to_vec::<i64>().unwrap();
        values[at] = index;
        HostArray::from_vec(values, Shape::from(shape.to_vec())).unwrap()
    };
    let good = indices([2, 3], 4, 0);
    let mut cases: Vec<(Op, Vec<HostArray>)> = Vec::new();
    for index in [4, -5, i64::MAX, i64::MIN, i64::MIN + 3] {
        cases.push((Op::Take { axis: 0 }, vec![x.clone(), bad(&[50], 20, index)]));
        cases.push((
            Op::Gather { axes: 2 },
            vec![x.clone(), good.clone(), bad(&[3], 1, if index < 0 { -6 } else { 5 })],
        ));
        cases.push((Op::Gather { axes: 1 }, vec![x.clone(), bad(&[], 0, index)]));
        let along = bad(&[40, 5, 1], 33, index);
        cases.push((Op::TakeAlongAxis { axis: 0 }, vec![x.clone(), along]));
    }
    // Nothing to take from, and nothing that is taken.
    cases.push((Op::Take { axis: 0 }, vec![edges(Dtype::INT8, [0, 3], 0), bad(&[2], 0, 0)]));
    cases.push((Op::Take { axis: 0 }, vec![edges(Dtype::INT8, [4, 0], 0), bad(&[2], 1, 9)]));
    for (op, operands) in &cases {
        let operands: Vec<&HostArray> = operands.iter().collect();
        let want = ivy_kernels::execute(op, &operands).unwrap_err();
        let want = format!("{:?}", want.kind());
        assert!(want.starts_with("IndexOutOfRange"), "{want}");
        for (name, backend) in backends() {
            assert_eq!(error(&backend, op, &operands), want, "{op:?} by {name}");
        }
    }
}

#[test]
fn after_an_index_out_of_range_all_else_goes_on() {
    for (_, backend) in backends() {
        let b = Side(&backend);
        let x = b.input(edges(Dtype::INT32, [100], 0));
        let wrong = HostArray::from_vec(vec![5i64, 7, 100, -101], [4].into()).unwrap();
        let wrong = backend.from_host(wrong).unwrap();
        let bad = backend.execute(&Op::Take { axis: 0 }, &[&x.ours, &wrong]).unwrap().remove(0);
        let more = backend.execute(&Op::Unary(UnaryOp::Negative), &[&bad]).unwrap().remove(0);
        let good = b.apply(&Op::Take { axis: 0 }, &[&x, &b.input(indices([4], 100, 0))]);
        for _ in 0..2 {
            for value in [&more, &bad] {
                let error = backend.to_host(value).unwrap_err();
                let first = ErrorKind::IndexOutOfRange {
                    function: "take",
                    index: 100,
                    axis: 0,
                    length: 100,
                    position: Some(2),
                };
                assert_eq!(format!("{:?}", error.kind()), format!("{first:?}"));
            }
        }
        same(&backend.to_host(&good.ours).unwrap(), &good.theirs, &|| "what is right".into());
        same(&backend.to_host(&x.ours).unwrap(), &x.theirs, &|| "what it was taken from".into());
        drop((x, wrong, bad, more, good));
        assert_eq!(backend.engine().counters().live, 0);
    }
}

/// A write between two reads makes other elements of it: no read stands for another.
#[test]
fn reads_before_and_after_a_write() {
    for (_, backend) in backends() {
        let b = Side(&backend);
        let x = b.input(edges(Dtype::FLOAT32, [40], 0));
        let i = b.input(indices([70], 40, 0));
        let read = |x: &Both| b.apply(&Op::Gather { axes: 1 }, &[x, &i]);
        let before = read(&x);
        let scatter = Op::Scatter { axes: 1, op: ScatterOp::Add };
        let written = b.apply(&scatter, &[&x, &b.input(edges(Dtype::FLOAT32, [70], 5)), &i]);
        let after = read(&written);
        let graph = |v: &Both| {
            let v = v.ours.data::<ivy_backend_jit::engine::Variable>().unwrap();
            backend.engine().graphviz(&[v]).matches("{gather|").count()
        };
        assert_eq!((graph(&before), graph(&after)), (1, 1));
        let both = b.apply(&ADD, &[&before, &after]);
        assert_eq!(graph(&both), 2);
        // A device's own kernels write.
        b.check(&both, 1 + usize::from(backend.engine().device().is_some()));
    }
}

#[test]
fn without_the_switch_the_reference_kernels_do_it() {
    for (_, backend) in backends() {
        for bits in [0, u64::MAX] {
            for fusion in [false, true] {
                let mut settings = Settings::of(bits);
                settings.fusion = fusion;
                backend.engine().set_settings(settings);
                let b = Side(&backend);
                let x = b.input(edges(Dtype::COMPLEX64, [9, 33], 0));
                let i = b.input(indices([21], 9, 0));
                let taken = b.apply(&Op::Take { axis: 0 }, &[&x, &i]);
                let twice = b.apply(&ADD, &[&taken, &taken]);
                same(&backend.to_host(&twice.ours).unwrap(), &twice.theirs, &|| format!("{settings:?}"));
                let kernels = backend.engine().take_history();
                assert_eq!(kernels.iter().any(|k| k.inputs > 2), settings.gathers, "{settings:?}");
            }
        }
        let support = backend.support(&Op::Take { axis: 0 }, &[Dtype::COMPLEX64, Dtype::INT64]);
        assert_eq!(support, Support::Native);
    }
}

#[test]
fn printed_gathers() {
    let list = kernels::gathers();
    list.iter().for_each(|kernel| verify(kernel).unwrap());
    insta::assert_snapshot!("a_gather", list[1].to_string());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_shape(
        shape in prop::collection::vec(1usize..9, 1..4),
        lengths in prop::collection::vec(1usize..80, 1..3),
        axis in 0usize..3,
        (seed, transpose, along) in (0usize..100, any::<bool>(), any::<bool>()),
    ) {
        let axis = axis % shape.len();
        let x = edges(Dtype::UINT16, Shape::from(shape.clone()), seed);
        let x = if transpose { transposed(&x) } else { x };
        let (op, index) = if along {
            let mut whole = shape.clone();
            whole[axis] = lengths[0];
            (Op::TakeAlongAxis { axis }, indices(Shape::from(whole), shape[axis], seed))
        } else if axis == 0 {
            (Op::Gather { axes: 1 }, indices(Shape::from(lengths), shape[0], seed))
        } else {
            (Op::Take { axis }, indices([lengths[0]], shape[axis], seed))
        };
        let want = reference(&op, &[&x, &index]).remove(0);
        for (name, backend) in backends() {
            same(&run(&backend, &op, &[&x, &index]), &want, &|| format!("{op:?} by {name}"));
        }
    }
}
