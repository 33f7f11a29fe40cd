//! Every op on every dtype that it takes: the results have the dtype and shape that the op says,
//! and operands in any layout give the same bits as contiguous ones.

use ivy_backend_ndarray::NdarrayBackend;
use ivy_core::backend::{BackendRef, Support, Value};
use ivy_core::host::HostArray;
use ivy_core::*;
use smallvec::smallvec;
use std::slice::from_ref;

fn known() -> impl Iterator<Item = Dtype> + Clone {
    Dtype::all().take(15)
}

fn backend() -> BackendRef {
    BackendRef::new(NdarrayBackend)
}

fn host(backend: &BackendRef, value: &Value) -> HostArray {
    backend.to_host(value).unwrap()
}

/// Small values with fractions, negatives, zeros and NaN where the dtype has them.
fn sample(dtype: Dtype, shape: &[usize], seed: usize) -> HostArray {
    let size: usize = shape.iter().product();
    let number = |i: usize| [3.0, -1.5, 0.0, 7.25, f64::NAN, 2.0, -4.0, 1.0, 0.5][(i * 5 + seed) % 9];
    macro_rules! made {
        ($($dtype:ident $make:expr;)*) => {
            match dtype {
                $(Dtype::$dtype => HostArray::from_vec((0..size).map($make).collect(), shape.into()).unwrap(),)*
                other => panic!("{other}"),
            }
        };
    }
    made! {
        INT8 |i| number(i) as i8; INT16 |i| number(i) as i16;
        INT32 |i| number(i) as i32; INT64 |i| number(i) as i64;
        UINT8 |i| number(i) as u8; UINT16 |i| number(i) as u16;
        UINT32 |i| number(i) as u32; UINT64 |i| number(i) as u64;
        FLOAT16 |i| half::f16::from_f64(number(i)); BFLOAT16 |i| half::bf16::from_f64(number(i));
        FLOAT32 |i| number(i) as f32; FLOAT64 number;
        COMPLEX64 |i| num_complex::Complex32::new(number(i) as f32, number(i + 1) as f32);
        COMPLEX128 |i| num_complex::Complex64::new(number(i), number(i + 1));
        BOOL |i| number(i) > 0.0;
    }
}

/// The same elements in other places: axes in reverse order, the last one backwards.
fn scattered(x: &HostArray) -> HostArray {
    let ndim = x.shape().len();
    let axes: Vec<usize> = (0..ndim).rev().collect();
    let reversed: Dims<AxisSlice> = x
        .shape()
        .iter()
        .enumerate()
        .map(|(a, &len)| match a + 1 == ndim && len > 0 {
            true => AxisSlice { start: len - 1, step: -1, len },
            false => AxisSlice { start: 0, step: 1, len },
        })
        .collect();
    let transposed = |x: &HostArray| {
        let back = ivy_kernels::layout::slice(x, &reversed).unwrap();
        ivy_kernels::layout::permute_dims(&back, &axes).unwrap()
    };
    let copy = ivy_kernels::to_contiguous(transposed(x).view()).unwrap();
    let back = ivy_kernels::layout::permute_dims(&copy, &axes).unwrap();
    let out = ivy_kernels::layout::slice(&back, &reversed).unwrap();
    assert_same(&out, x, "the operand itself");
    out
}

fn assert_same(a: &HostArray, b: &HostArray, what: &str) {
    assert_eq!((a.dtype(), a.shape()), (b.dtype(), b.shape()), "{what}");
    let is_nan = |s: Scalar| match s {
        Scalar::Float(x) => x.is_nan(),
        Scalar::Complex(z) => z.re.is_nan() || z.im.is_nan(),
        _ => false,
    };
    for i in 0..a.shape().size() {
        let (x, y) = (a.scalar_at(i).unwrap(), b.scalar_at(i).unwrap());
        assert!(x == y || is_nan(x) && is_nan(y), "{what}: {x} and {y} at {i}");
    }
}

/// Runs an op on contiguous and on scattered operands; gives the first results.
fn check(op: &Op, operands: &[HostArray]) -> Vec<HostArray> {
    let backend = backend();
    let dtypes: Vec<Dtype> = operands.iter().map(HostArray::dtype).collect();
    assert_eq!(backend.support(op, &dtypes), Support::Native, "{op:?} {dtypes:?}");
    let run = |operands: Vec<HostArray>| -> Vec<HostArray> {
        let values: Vec<Value> = operands.into_iter().map(|x| backend.from_host(x).unwrap()).collect();
        let results = backend.execute(op, &values.iter().collect::<Vec<_>>()).unwrap();
        for value in &results {
            let host = host(&backend, value);
            assert_eq!((value.dtype, &value.shape), (host.dtype(), host.shape()));
        }
        results.iter().map(|v| host(&backend, v)).collect()
    };
    let what = format!("{op:?} {dtypes:?}");
    let results = run(operands.to_vec());
    let others = run(operands.iter().map(scattered).collect());
    let shapes: Vec<(Dtype, &Shape)> = operands.iter().map(|x| (x.dtype(), x.shape())).collect();
    let signature = op.result("test", &shapes).unwrap();
    assert_eq!(results.len(), signature.len(), "{what}");
    for ((a, b), (dtype, shape)) in results.iter().zip(&others).zip(signature) {
        assert_same(a, b, &what);
        assert_eq!(a.dtype(), dtype, "{what}");
        let counted = matches!(op, Op::Nonzero | Op::Unique);
        assert!(if counted { a.shape().size() <= shape.size() } else { *a.shape() == shape }, "{what}");
    }
    let views: Vec<_> = operands.iter().map(HostArray::view).collect();
    for (a, b) in results.iter().zip(ivy_kernels::execute_views(op, &views).unwrap()) {
        assert_same(a, &b, &what);
        assert!(operands.iter().all(|x| !x.buffer().same_block(b.buffer())), "{what}");
    }
    results
}

fn whole(shape: &[usize]) -> Dims<AxisSlice> {
    shape.iter().map(|&len| AxisSlice { start: 0, step: 1, len }).collect()
}

const SHAPES: [&[usize]; 4] = [&[], &[5], &[3, 4], &[2, 3, 4]];

#[test]
fn creation_ops() {
    for dtype in known() {
        let full = Op::Full { shape: [2, 2].into(), dtype, value: Scalar::Int(1) };
        assert_eq!(check(&full, &[])[0].scalar_at(3).unwrap().to_f64(), 1.0);
        let eye = check(&Op::Eye { rows: 2, cols: 3, k: 1, dtype }, &[]);
        let ones: Vec<f64> = (0..6).map(|i| eye[0].scalar_at(i).unwrap().to_f64()).collect();
        assert_eq!(ones, [0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        if !dtype.is_bool() {
            let arange = Op::Arange { start: Scalar::Int(2), step: Scalar::Int(3), len: 4, dtype };
            assert_eq!(check(&arange, &[])[0].scalar_at(3).unwrap().to_f64(), 11.0);
        }
        if dtype.is_float() || dtype.is_complex() {
            let (start, stop) = (Scalar::Float(0.0), Scalar::Float(8.0));
            let linspace = |endpoint| Op::Linspace { start, stop, len: 4, endpoint, dtype };
            assert_eq!(check(&linspace(false), &[])[0].scalar_at(1).unwrap().to_f64(), 2.0);
            assert_eq!(check(&linspace(true), &[])[0].scalar_at(3).unwrap().to_f64(), 8.0);
        }
    }
}

#[test]
fn elementwise_ops() {
    for dtype in known() {
        for shape in SHAPES {
            let (a, b) = (sample(dtype, shape, 0), sample(dtype, shape, 4));
            for &op in UnaryOp::ALL.iter().filter(|op| op.result(dtype).is_some()) {
                check(&Op::Unary(op), from_ref(&a));
            }
            for &op in BinaryOp::ALL.iter().filter(|op| op.result(dtype).is_some()) {
                check(&Op::Binary(op), &[a.clone(), b.clone()]);
            }
            let condition = sample(Dtype::BOOL, shape, 1);
            check(&Op::Where, &[condition, a.clone(), b.clone()]);
            for to in known() {
                let op = Op::Cast { dtype: to };
                if op.result_dtype(&[dtype]).is_some() {
                    check(&op, from_ref(&a));
                }
            }
        }
        // Broadcasting both ways.
        let (row, column) = (sample(dtype, &[1, 4], 0), sample(dtype, &[3, 1], 2));
        check(&Op::Binary(BinaryOp::Add), &[row.clone(), column.clone()]);
        check(&Op::Where, &[sample(Dtype::BOOL, &[], 0), row, column]);
    }
    let ints = |v: &[i32]| HostArray::from_vec(v.to_vec(), [v.len()].into()).unwrap();
    let difference = check(&Op::Binary(BinaryOp::Subtract), &[ints(&[5, 7]), ints(&[1, 9])]);
    assert_eq!(difference[0].to_vec::<i32>().unwrap(), [4, -2]);
    let yes = HostArray::from_vec(vec![true, false], [2].into()).unwrap();
    let chosen = check(&Op::Where, &[yes, ints(&[1, 2]), ints(&[3, 4])]);
    assert_eq!(chosen[0].to_vec::<i32>().unwrap(), [1, 4]);
}

#[test]
fn layout_and_movement_ops() {
    for dtype in known() {
        for shape in SHAPES {
            let x = sample(dtype, shape, 3);
            check(&Op::Reshape { shape: [x.shape().size(), 1].into() }, from_ref(&x));
            let wide: Shape = [&[2], shape].concat().into();
            check(&Op::BroadcastTo { shape: wide }, from_ref(&x));
            check(&Op::PermuteDims { axes: (0..shape.len()).rev().collect() }, from_ref(&x));
            let back = shape.iter().map(|&n| AxisSlice { start: n - 1, step: -2, len: n.div_ceil(2) });
            let back: Dims<AxisSlice> = back.collect();
            let part = check(&Op::Slice { axes: back.clone() }, from_ref(&x)).remove(0);
            check(&Op::SetSlice { axes: back }, &[x.clone(), part]);
            check(&Op::Nonzero, from_ref(&x));
            for axis in 0..shape.len() {
                check(&Op::Concat { axis }, &[x.clone(), x.clone(), x.clone()]);
                let picks = HostArray::from_vec(vec![-1i64, 0, 1], [3].into()).unwrap();
                check(&Op::Take { axis }, &[x.clone(), picks]);
                let mut ones = vec![1; shape.len()];
                ones[axis] = 3;
                let picks = HostArray::from_vec(vec![1i64, -1, 0], ones.as_slice().into()).unwrap();
                check(&Op::TakeAlongAxis { axis }, &[x.clone(), picks]);
            }
            for axes in 0..=shape.len() {
                let index = |a: usize| {
                    let lead: &[usize] = if a.is_multiple_of(2) { &[2, 1] } else { &[3] };
                    let n = lead.iter().product::<usize>() as i64;
                    HostArray::from_vec((0..n).map(|i| i % 2 - (a as i64)).collect(), lead.into()).unwrap()
                };
                let indices: Vec<HostArray> = (0..axes).map(index).collect();
                let operands = [vec![x.clone()], indices.clone()].concat();
                let updates = check(&Op::Gather { axes }, &operands).remove(0);
                for &op in ScatterOp::ALL.iter().filter(|op| op.takes(dtype)) {
                    let operands = [vec![x.clone(), updates.clone()], indices.clone()].concat();
                    check(&Op::Scatter { axes, op }, &operands);
                }
            }
        }
    }
}

#[test]
fn reductions_sorts_and_products() {
    for dtype in known() {
        for shape in SHAPES {
            let x = sample(dtype, shape, 5);
            let all: Dims = (0..shape.len()).collect();
            let mut choices: Vec<Dims> = vec![smallvec![], all];
            choices.extend((0..shape.len()).map(|a| smallvec![a]));
            let correction = 1f64.to_bits();
            for op in [
                ReduceOp::Sum,
                ReduceOp::Prod,
                ReduceOp::Max,
                ReduceOp::Min,
                ReduceOp::All,
                ReduceOp::Any,
                ReduceOp::Mean,
                ReduceOp::Var { correction },
            ] {
                for (axes, keepdims) in choices.iter().flat_map(|c| [(c, true), (c, false)]) {
                    try_check(Op::Reduce { op, axes: axes.clone(), keepdims }, from_ref(&x));
                }
            }
            for (max, keepdims) in [(true, true), (false, false)] {
                try_check(Op::ArgReduce { max, axis: None, keepdims }, from_ref(&x));
            }
            for axis in 0..shape.len() {
                try_check(Op::ArgReduce { max: true, axis: Some(axis), keepdims: false }, from_ref(&x));
                for include_initial in [false, true] {
                    for &op in ScanOp::ALL {
                        try_check(Op::Scan { op, axis, include_initial }, from_ref(&x));
                    }
                }
                for descending in [false, true] {
                    try_check(Op::Sort { axis, descending }, from_ref(&x));
                    try_check(Op::Argsort { axis, descending }, from_ref(&x));
                }
            }
            let (row, sort) = (sample(dtype, &[7], 1), Op::Sort { axis: 0, descending: false });
            if sort.result_dtype(&[dtype]).is_some() {
                let row = check(&sort, &[row]).remove(0);
                for right in [false, true] {
                    check(&Op::SearchSorted { right }, &[row.clone(), x.clone()]);
                }
            }
            check(&Op::Unique, &[x]);
        }
        for (a, b) in [(&[3, 4][..], &[4, 2][..]), (&[2, 1, 3, 4], &[3, 4, 2]), (&[4], &[4]), (&[4], &[4, 3])]
        {
            try_check(Op::Matmul, &[sample(dtype, a, 0), sample(dtype, b, 5)]);
        }
    }
}

fn try_check(op: Op, operands: &[HostArray]) {
    let dtypes: Vec<Dtype> = operands.iter().map(HostArray::dtype).collect();
    if op.result_dtype(&dtypes).is_some() {
        check(&op, operands);
    } else {
        assert!(matches!(backend().support(&op, &dtypes), Support::Unsupported(_)), "{op:?} {dtypes:?}");
    }
}

#[test]
fn arguments_arrive_in_order() {
    let f = |v: &[f32]| HostArray::from_vec(v.to_vec(), [v.len()].into()).unwrap();
    let x = HostArray::from_vec((0..6).collect::<Vec<i32>>(), [2, 3].into()).unwrap();
    let first = |op: Op, operands: &[HostArray]| check(&op, operands).remove(0);
    let places = first(Op::SearchSorted { right: true }, &[f(&[1.0, 2.0, 4.0]), f(&[2.0, 0.0, 9.0])]);
    assert_eq!(places.to_vec::<i64>().unwrap(), [2, 0, 3]);
    let sums = first(Op::Reduce { op: ReduceOp::Sum, axes: smallvec![1], keepdims: false }, from_ref(&x));
    assert_eq!(sums.to_vec::<i32>().unwrap(), [3, 12]);
    let least = first(Op::ArgReduce { max: false, axis: Some(1), keepdims: false }, from_ref(&x));
    assert_eq!(least.to_vec::<i64>().unwrap(), [0, 0]);
    let greatest = first(Op::ArgReduce { max: true, axis: None, keepdims: false }, from_ref(&x));
    assert_eq!(greatest.to_vec::<i64>().unwrap(), [5]);
    let running = first(Op::Scan { op: ScanOp::Sum, axis: 1, include_initial: true }, from_ref(&x));
    assert_eq!(running.to_vec::<i32>().unwrap(), [0, 0, 1, 3, 0, 3, 7, 12]);
    let falling = first(Op::Argsort { axis: 0, descending: true }, &[f(&[1.0, 3.0, 2.0])]);
    assert_eq!(falling.to_vec::<i64>().unwrap(), [1, 2, 0]);
    let product =
        first(Op::Matmul, &[x.clone(), first(Op::PermuteDims { axes: smallvec![1, 0] }, from_ref(&x))]);
    assert_eq!(product.to_vec::<i32>().unwrap(), [5, 14, 14, 50]);
    let distinct = check(&Op::Unique, &[f(&[2.0, 1.0, 2.0])]);
    assert_eq!(distinct[0].to_vec::<f32>().unwrap(), [1.0, 2.0]);
    let rest: Vec<Vec<i64>> = distinct[1..].iter().map(|x| x.to_vec().unwrap()).collect();
    assert_eq!(rest, [vec![1, 0], vec![1, 0, 1], vec![1, 2]]);
    let index = HostArray::from_vec(vec![1i64, 1], [2].into()).unwrap();
    let rows = HostArray::from_vec(vec![7, 7, 7, 8, 8, 8], [2, 3].into()).unwrap();
    let scatter = |op| first(Op::Scatter { axes: 1, op }, &[x.clone(), rows.clone(), index.clone()]);
    assert_eq!(scatter(ScatterOp::Set).to_vec::<i32>().unwrap(), [0, 1, 2, 8, 8, 8]);
    assert_eq!(scatter(ScatterOp::Add).to_vec::<i32>().unwrap(), [0, 1, 2, 18, 19, 20]);
}

#[test]
fn wrong_calls_are_errors() {
    let backend = backend();
    let x = backend.from_host(sample(Dtype::INT32, &[2, 2], 0)).unwrap();
    let bad = backend.from_host(HostArray::from_vec(vec![0i64, 2], [2].into()).unwrap()).unwrap();
    let error = backend.execute(&Op::Take { axis: 1 }, &[&x, &bad]).unwrap_err();
    assert!(matches!(
        error.kind(),
        ErrorKind::IndexOutOfRange { index: 2, axis: 1, length: 2, position: Some(1), .. }
    ));
    for (op, operands) in [
        (Op::Matmul, &[&x][..]),
        (Op::Nonzero, &[]),
        (Op::Gather { axes: 2 }, &[&x, &bad]),
        (Op::Slice { axes: whole(&[2, 2]) }, &[&x, &x]),
    ] {
        let error = backend.execute(&op, operands).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::InvalidArgument { .. }), "{error}");
    }
    let (mut x, op) = (x, Op::SetSlice { axes: whole(&[2, 2]) });
    let error = backend.execute_in_place(&op, &mut x, &[]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::InvalidArgument { .. }), "{error}");
}
