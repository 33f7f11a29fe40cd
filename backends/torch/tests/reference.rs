//! Every op on every dtype that it takes, on torch, against the reference kernels: edge
#![cfg(feature = "libtorch")]
//! values, broadcasting, strided and empty operands, and arrays without axes.

mod common;

use common::{Near, difference, edges, grid, inner, mild, on_torch, reference, stored, transposed};
use ivy_backend_torch::TorchBackend;
use ivy_core::backend::{Backend, Support, Value};
use ivy_core::host::HostArray;
use ivy_core::{AxisSlice, BinaryOp, Dims, Dtype, Op, ReduceOp, Scalar, ScanOp, ScatterOp, Shape, UnaryOp};

/// The dtypes that the backend stores, in a build with more dtypes as well.
fn dtypes() -> impl Iterator<Item = Dtype> {
    Dtype::all().filter(|&d| TorchBackend::new().unwrap().storage(d) != ivy_core::backend::Storage::None)
}

/// Runs one op on torch in several memory layouts and compares each with the reference.
/// Returns 1 for a case that the op takes.
fn check(op: &Op, operands: &[&HostArray], near: Near) -> usize {
    let dtypes: Vec<Dtype> = operands.iter().map(|a| a.dtype()).collect();
    if op.result_dtype(&dtypes).is_none() {
        return 0;
    }
    let support = TorchBackend::new().unwrap().support(op, &dtypes);
    assert!(!matches!(support, Support::Unsupported(_)), "{op:?} on {dtypes:?}: {support:?}");
    let expected = reference(op, operands).unwrap_or_else(|e| panic!("{op:?} on {dtypes:?}: {e}"));
    type Place = fn(&HostArray) -> Value;
    let layouts = [("row-major", stored as Place), ("transposed", transposed), ("inner", inner)];
    for (layout, place) in layouts {
        let values: Vec<Value> = operands.iter().map(|a| place(a)).collect();
        let context = || format!("{op:?} on {layout} {dtypes:?} ({support:?})");
        let actual = on_torch(op, &values.iter().collect::<Vec<_>>());
        let actual = actual.unwrap_or_else(|e| panic!("{}: {e}", context()));
        assert_eq!(actual.len(), expected.len(), "{}", context());
        for (a, e) in actual.iter().zip(&expected) {
            if let Some(wrong) = difference(a, e, near) {
                panic!("{}: {wrong}\n{a:?}\n{e:?}", context());
            }
        }
    }
    1
}

/// The bound of most functions that round: 1 unit, 2 of float64, 4 of the norm of complex.
fn within_bound(dtype: Dtype) -> Near {
    match dtype {
        Dtype::FLOAT64 => Near::Ulp(2),
        d if d.is_complex() => Near::Norm(4.0),
        _ => Near::Ulp(1),
    }
}

#[test]
fn unary_ops() {
    let mut seen = 0;
    for &unary in UnaryOp::ALL {
        use UnaryOp::*;
        for dtype in dtypes() {
            let near = match unary {
                Acos | Acosh | Asin | Asinh | Atan | Atanh | Cos | Cosh | Exp | Expm1 | Log | Log1p
                | Log2 | Log10 | Sin | Sinh | Tan | Tanh => within_bound(dtype),
                Abs | Reciprocal | Sign | Sqrt | Square if dtype.is_complex() => within_bound(dtype),
                _ => Near::Same,
            };
            if dtype.is_complex() {
                seen += check(&Op::Unary(unary), &[&grid(dtype)], near);
            }
            for shape in [vec![], vec![1], vec![3, 11], vec![5, 2, 7], vec![0], vec![2, 0, 3], vec![1; 9]] {
                seen += check(&Op::Unary(unary), &[&edges(dtype, shape, 0)], near);
            }
        }
    }
    assert!(seen > 1000);
}

#[test]
fn binary_ops() {
    let mut seen = 0;
    use BinaryOp::*;
    for &binary in BinaryOp::ALL {
        for dtype in dtypes() {
            let n = common::FLOATS.len();
            let shapes: [(Vec<usize>, Vec<usize>); 9] = [
                (vec![n, 1], vec![1, n]),
                (vec![n], vec![n]),
                (vec![], vec![n]),
                (vec![n], vec![]),
                (vec![], vec![]),
                (vec![3, 1, 2], vec![4, 1]),
                (vec![0], vec![1]),
                (vec![2, 0], vec![1, 1]),
                (vec![2, 1, 1, 1, 1, 1, 1, 1, 1], vec![3]),
            ];
            for (a, b) in shapes {
                let (a, b) = (edges(dtype, a, 0), edges(dtype, b, 3));
                let near = match binary {
                    Atan2 | Hypot | Logaddexp | Pow => within_bound(dtype),
                    Multiply | Divide if dtype.is_complex() => within_bound(dtype),
                    Maximum | Minimum => Near::SameButZeros,
                    _ => Near::Same,
                };
                seen += check(&Op::Binary(binary), &[&a, &b], near);
            }
        }
    }
    assert!(seen > 1000);
}

#[test]
fn casts_between_all_dtypes() {
    let mut seen = 0;
    for from in dtypes() {
        for to in dtypes() {
            for shape in [vec![], vec![7, 9], vec![0, 2]] {
                seen += check(&Op::Cast { dtype: to }, &[&edges(from, shape, 0)], Near::Same);
            }
        }
    }
    assert_eq!(seen, 3 * (15 * 15 - 2 * 12));
}

#[test]
fn float64_rounds_once() {
    // Halfway cases of the narrow float in float32, and just beside them in float64.
    let values: Vec<f64> = (0..2000)
        .flat_map(|i| {
            let x = 1.0 + f64::from(i) * 2f64.powi(-11);
            [x, x + 2f64.powi(-40), x - 2f64.powi(-40), x * 2f64.powi(-20), -x * 2f64.powi(-134)]
        })
        .collect();
    let array = HostArray::from_vec(values, 10_000.into()).unwrap();
    for to in [Dtype::FLOAT16, Dtype::BFLOAT16, Dtype::FLOAT32] {
        assert_eq!(check(&Op::Cast { dtype: to }, &[&array], Near::Same), 1);
    }
}

#[test]
fn integers_round_once() {
    // About the halfway points of bfloat16 where float32 has no more room for the last bits,
    // and about the end of float16.
    let near = |x: i64| [x - 1, x, x + 1, -x - 1, -x, 1 - x];
    let halfway = (25..31).flat_map(|e| [1, 3, 5].map(|i| (1i64 << e) + i * (1 << (e - 8))));
    let values: Vec<i64> = halfway.chain([65504, 65519, 65520, 65535, 1 << 24]).flat_map(near).collect();
    for from in [Dtype::INT32, Dtype::INT64, Dtype::UINT32, Dtype::UINT64, Dtype::UINT16] {
        let wide = HostArray::from_vec(values.clone(), values.len().into()).unwrap();
        let array = reference(&Op::Cast { dtype: from }, &[&wide]).unwrap().remove(0);
        for to in [Dtype::FLOAT16, Dtype::BFLOAT16, Dtype::FLOAT32] {
            assert_eq!(check(&Op::Cast { dtype: to }, &[&array], Near::Same), 1);
        }
    }
}

#[test]
fn every_small_float_through_every_unary_op() {
    let bits: Vec<u16> = (0..=u16::MAX).collect();
    let halves = bits.iter().map(|&b| half::f16::from_bits(b)).collect();
    let brains = bits.iter().map(|&b| half::bf16::from_bits(b)).collect();
    let all = [
        HostArray::from_vec::<half::f16>(halves, bits.len().into()).unwrap(),
        HostArray::from_vec::<half::bf16>(brains, bits.len().into()).unwrap(),
    ];
    for array in &all {
        let value = stored(array);
        for &unary in UnaryOp::ALL {
            let op = Op::Unary(unary);
            if op.result_dtype(&[array.dtype()]).is_none() {
                continue;
            }
            let (actual, expected) = (on_torch(&op, &[&value]).unwrap(), reference(&op, &[array]).unwrap());
            let near = if unary == UnaryOp::Sqrt { Near::Same } else { Near::Ulp(1) };
            let wrong = difference(&actual[0], &expected[0], near);
            assert!(wrong.is_none(), "{op:?} on {}: {wrong:?}", array.dtype());
        }
    }
}

#[test]
fn where_chooses() {
    for dtype in dtypes() {
        for shapes in [
            [vec![4, 1], vec![5], vec![]],
            [vec![], vec![3, 2], vec![2]],
            [vec![6], vec![6], vec![6]],
            [vec![0], vec![0], vec![1]],
        ] {
            let [c, a, b] = shapes;
            let c = edges(Dtype::BOOL, c, 0);
            assert_eq!(check(&Op::Where, &[&c, &edges(dtype, a, 0), &edges(dtype, b, 9)], Near::Same), 1);
        }
    }
}

#[test]
fn creation() {
    let int = Scalar::Int;
    for dtype in dtypes() {
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
            let (actual, expected) = (on_torch(&op, &[]).unwrap(), reference(&op, &[]).unwrap());
            let wrong = difference(&actual[0], &expected[0], Near::Same);
            assert!(wrong.is_none(), "{op:?}: {wrong:?}");
        }
    }
}

fn axis(start: usize, step: isize, len: usize) -> AxisSlice {
    AxisSlice { start, step, len }
}

#[test]
fn layout_and_movement() {
    let index = |values: &[i64], shape: &[usize]| HostArray::from_vec(values.to_vec(), shape.into()).unwrap();
    let mut seen = 0;
    for dtype in dtypes() {
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
            seen += check(&op, &[&x], Near::Same);
        }
        let axes = Dims::from_slice(&[axis(1, 2, 2), axis(2, -1, 3), axis(0, 1, 2)]);
        seen += check(&Op::SetSlice { axes }, &[&x, &edges(dtype, [2, 3, 2], 7)], Near::Same);
        for a in 0..3 {
            seen += check(&Op::Concat { axis: a }, &[&x, &edges(dtype, [4, 3, 5], 8), &x], Near::Same);
            let indices = index(&[0, -1, 2, -3, 0], &[5]);
            seen += check(&Op::Take { axis: a }, &[&x, &indices], Near::Same);
            seen += check(&Op::Take { axis: a }, &[&x, &index(&[], &[0])], Near::Same);
        }
        seen += check(&Op::Concat { axis: 0 }, &[&flat, &edges(dtype, [0], 0), &flat], Near::Same);
        seen += check(&Op::Concat { axis: 0 }, &[&flat], Near::Same);
        let along = index(&[1, -1, 0, 2, 2, -3], &[1, 6, 1]);
        seen += check(&Op::TakeAlongAxis { axis: 1 }, &[&x, &along], Near::Same);
        let along = index(&(0..12).map(|i| i % 5 - 2).collect::<Vec<_>>(), &[4, 3, 1]);
        seen += check(&Op::TakeAlongAxis { axis: 2 }, &[&x, &along], Near::Same);
        let (i, j) = (index(&[0, -1, 3], &[3]), index(&[2, 0], &[2, 1]));
        seen += check(&Op::Gather { axes: 2 }, &[&x, &i, &j], Near::Same);
        let updates = edges(dtype, [2, 3, 5], 4);
        for op in [ScatterOp::Set, ScatterOp::Add] {
            seen += check(&Op::Scatter { axes: 2, op }, &[&x, &updates, &i, &j], Near::Same);
        }
        seen += check(&Op::Nonzero, &[&x], Near::Same);
        for shape in [vec![], vec![0, 3]] {
            let small = edges(dtype, shape.clone(), 1);
            let target: Vec<usize> = [2].iter().chain(&shape).copied().collect();
            seen += check(&Op::BroadcastTo { shape: target.into() }, &[&small], Near::Same);
            seen += check(&Op::Reshape { shape: [small.shape().size()].into() }, &[&small], Near::Same);
        }
        let many = edges(dtype, vec![2, 1, 1, 1, 1, 1, 1, 1, 3], 0);
        seen += check(&Op::Take { axis: 8 }, &[&many, &index(&[2, 0], &[2])], Near::Same);
    }
    assert!(seen > 400);
}

#[test]
fn reductions() {
    use ReduceOp::*;
    let mut seen = 0;
    for dtype in dtypes() {
        for axes in [vec![], vec![0], vec![1], vec![2], vec![0, 2], vec![0, 1, 2]] {
            for keepdims in [false, true] {
                let axes = Dims::from_slice(&axes);
                let reduce = |op| Op::Reduce { op, axes: axes.clone(), keepdims };
                let x = edges(dtype, [3, 4, 5], 0);
                for op in [Max, Min, All, Any] {
                    seen += check(&reduce(op), &[&x], Near::SameButZeros);
                }
                let near = if dtype.is_int() { Near::Same } else { Near::Sum(bound(dtype, 60)) };
                let x = mild(dtype, [3, 4, 5], 0);
                for op in [Sum, Mean, Var { correction: 0f64.to_bits() }, Var { correction: 1f64.to_bits() }]
                {
                    seen += check(&reduce(op), &[&x], near);
                }
                seen += check(&reduce(Prod), &[&x], Near::Norm(60.0));
            }
        }
        for shape in [vec![0, 3], vec![3, 0], vec![1, 3], vec![1], vec![33, 2]] {
            let axes = Dims::from_slice(&[shape.len() - 1]);
            let empty = shape[shape.len() - 1] == 0;
            let x = edges(dtype, shape, 0);
            for op in [Sum, Prod, Mean] {
                let op = Op::Reduce { op, axes: axes.clone(), keepdims: false };
                seen += check(&op, &[&x], Near::SameButZeros);
            }
            for op in [Max, Min].into_iter().filter(|_| !empty) {
                let op = Op::Reduce { op, axes: axes.clone(), keepdims: true };
                seen += check(&op, &[&x], Near::SameButZeros);
            }
        }
    }
    assert!(seen > 1000);
}

/// How far a sum of `n` mild values may be off, on either side.
fn bound(dtype: Dtype, n: usize) -> f64 {
    if dtype.is_bool() || dtype.is_int() {
        return 0.0;
    }
    let eps = ivy_core::finfo(dtype).unwrap().eps;
    2.0 * eps * n as f64 * common::MILD.iter().map(|x| x.abs()).sum::<f64>()
}

#[test]
fn a_sum_of_4096_float16_ones_is_4096() {
    for (dtype, most) in [(Dtype::FLOAT16, 4096.0), (Dtype::BFLOAT16, 4096.0)] {
        let one = Op::Full { shape: [4096].into(), dtype, value: Scalar::Int(1) };
        let ones = TorchBackend::new().unwrap().execute(&one, &[]).unwrap().remove(0);
        let sum = Op::Reduce { op: ReduceOp::Sum, axes: Dims::from_slice(&[0]), keepdims: false };
        let sum = on_torch(&sum, &[&ones]).unwrap().remove(0);
        assert_eq!(sum.scalar_at(0).unwrap(), Scalar::Float(most), "{dtype}");
    }
}

#[test]
fn order() {
    let mut seen = 0;
    for dtype in dtypes() {
        for shape in [vec![6, 5], vec![1, 4], vec![2, 0], vec![33]] {
            let x = edges(dtype, shape.clone(), 0);
            for (axis, &length) in shape.iter().enumerate() {
                for flag in [false, true] {
                    for op in [Op::Sort { axis, descending: flag }, Op::Argsort { axis, descending: flag }] {
                        seen += check(&op, &[&x], Near::SameButZeros);
                    }
                    let near = if dtype.is_int() { Near::Same } else { Near::Sum(bound(dtype, length)) };
                    let x = mild(dtype, shape.clone(), 0);
                    let sum = Op::Scan { op: ScanOp::Sum, axis, include_initial: flag };
                    seen += check(&sum, &[&x], near);
                    let product = Op::Scan { op: ScanOp::Prod, axis, include_initial: flag };
                    seen += check(&product, &[&x], Near::Norm(2.0 * length as f64));
                    if length > 0 {
                        for max in [false, true] {
                            let op = Op::ArgReduce { max, axis: Some(axis), keepdims: flag };
                            seen += check(&op, &[&x], Near::Same);
                        }
                    }
                }
            }
            if !shape.contains(&0) {
                let op = Op::ArgReduce { max: true, axis: None, keepdims: shape.len() > 1 };
                seen += check(&op, &[&x], Near::Same);
            }
            seen += check(&Op::Unique, &[&x], Near::SameButZeros);
        }
        let sorted = mild(dtype, [9], 0);
        let sort = Op::Sort { axis: 0, descending: false };
        if sort.result_dtype(&[dtype]).is_some() {
            let sorted = reference(&sort, &[&sorted]).unwrap().remove(0);
            for right in [false, true] {
                seen += check(&Op::SearchSorted { right }, &[&sorted, &edges(dtype, [5, 4], 0)], Near::Same);
            }
        }
    }
    assert!(seen > 500);
}

#[test]
fn matrix_products() {
    let mut seen = 0;
    for dtype in dtypes() {
        let shapes: [(&[usize], &[usize]); 13] = [
            (&[2, 1, 3, 3, 4], &[2, 1, 4, 2]),
            (&[5], &[2, 1, 3, 5, 2]),
            (&[3, 4], &[4, 2]),
            (&[1, 1], &[1, 1]),
            (&[4], &[4]),
            (&[4], &[4, 3]),
            (&[2, 3, 4], &[4]),
            (&[2, 1, 3, 4], &[5, 4, 2]),
            (&[2, 3, 4], &[4, 2]),
            (&[3, 4], &[2, 4, 2]),
            (&[3, 0], &[0, 2]),
            (&[0, 3], &[3, 2]),
            (&[17, 33], &[33, 19]),
        ];
        for (a, b) in shapes {
            let near = if dtype.is_int() { Near::Same } else { Near::Sum(100.0 * bound(dtype, 33)) };
            let operands = [&mild(dtype, a, 0), &mild(dtype, b, 5)];
            seen += check(&Op::Matmul, &operands, near);
        }
    }
    assert_eq!(seen, 14 * 13);
}

#[test]
fn reductions_of_broadcast_operands() {
    let backend = TorchBackend::new().unwrap();
    for dtype in dtypes() {
        for shape in [[1, 5], [3, 5]] {
            let row = stored(&edges(dtype, [5], 0));
            let spread =
                backend.execute(&Op::BroadcastTo { shape: shape.into() }, &[&row]).unwrap().remove(0);
            let dense = backend.to_host(&spread).unwrap();
            for axis in [0, 1] {
                let reduce = |op| Op::Reduce { op, axes: Dims::from_slice(&[axis]), keepdims: false };
                let ops = [
                    reduce(ReduceOp::Max),
                    reduce(ReduceOp::All),
                    reduce(ReduceOp::Sum),
                    Op::ArgReduce { max: true, axis: Some(axis), keepdims: false },
                    Op::Sort { axis, descending: true },
                ];
                for op in ops.iter().filter(|op| op.result_dtype(&[dtype]).is_some()) {
                    let expected = reference(op, &[&dense]).unwrap().remove(0);
                    let actual = on_torch(op, &[&spread]).unwrap().remove(0);
                    let wrong = difference(&actual, &expected, Near::SameButZeros);
                    assert!(wrong.is_none(), "{op:?} on {dtype} {shape:?}: {wrong:?}");
                }
            }
        }
    }
}
