//! Folds in kernels: the bits of the reference kernels, whatever is folded and however it stands
//! in memory.

use crate::common::arrays;
use crate::common::both;

use arrays::{backends, same, transposed};
use both::{ADD, Side};
use ivy_backend_jit::engine::Settings;
use ivy_backend_jit::ir::{Access, Builder, Code, Join, Param, Type, verify};
use ivy_backend_suite::{Counted, edges, least, share};
use ivy_core::backend::Backend;
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Dims, Dtype, Op, ReduceOp, UnaryOp};
use proptest::prelude::*;

fn reduce(op: ReduceOp, axes: &[usize], keepdims: bool) -> Op {
    Op::Reduce { op, axes: Dims::from_slice(axes), keepdims }
}

const OPS: [ReduceOp; 8] = [
    ReduceOp::Sum,
    ReduceOp::Prod,
    ReduceOp::Max,
    ReduceOp::Min,
    ReduceOp::All,
    ReduceOp::Any,
    ReduceOp::Mean,
    ReduceOp::Var { correction: 1f64.to_bits() },
];

/// Numbers that add up without overflow, and not exactly.
fn small(dtype: Dtype, shape: [usize; 2]) -> HostArray {
    let n = shape[0] * shape[1];
    let values = (0..n).map(|i| ((i * 37 + 11) % 101) as f32 * 0.37 - 17.0).collect();
    let array = HostArray::from_vec::<f32>(values, shape.into()).unwrap();
    arrays::reference(&Op::Cast { dtype }, &[&array]).remove(0)
}

#[test]
fn every_reduction_of_every_dtype() {
    let (mut compared, mut cases) = (0, Counted::default());
    for (name, b) in backends() {
        let b = Side(&b);
        for dtype in Dtype::all() {
            for op in OPS {
                if reduce(op, &[0], false).result_dtype(&[dtype]).is_none() {
                    continue;
                }
                let sizes = [(3, 1), (5, 31), (4, 300), (290, 140), (9, 64)];
                for (rows, columns) in sizes.into_iter().filter(|_| cases.takes_next()) {
                    let arrays = match dtype {
                        Dtype::BOOL => [edges(dtype, [rows, columns], 1), edges(dtype, [rows, columns], 0)],
                        _ => [small(dtype, [rows, columns]), edges(dtype, [rows, columns], 2)],
                    };
                    for array in arrays {
                        for array in [array.clone(), transposed(&array)] {
                            let x = b.input(array);
                            for axes in [&[0][..], &[1], &[0, 1]] {
                                let y = b.apply(&reduce(op, axes, columns == 64), &[&x]);
                                let got = b.0.to_host(&y.ours).unwrap();
                                same(&got, &y.theirs, &|| {
                                    format!("{name} {op:?} {axes:?} of {dtype} ({rows}, {columns})")
                                });
                                compared += 1;
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(compared > least(3000), "{compared}");
}

#[test]
fn expressions_are_folded_in_one_kernel() {
    for (_, b) in backends() {
        let b = Side(&b);
        let x = b.input(small(Dtype::FLOAT32, [700, 90]));
        for axes in [&[0][..], &[1], &[0, 1]] {
            let square = b.apply(&Op::Binary(BinaryOp::Multiply), &[&x, &x]);
            let root = b.apply(&Op::Unary(UnaryOp::Sqrt), &[&b.apply(&ADD, &[&square, &square])]);
            let sum = b.apply(&reduce(ReduceOp::Sum, axes, false), &[&root]);
            assert_eq!(b.0.engine().take_history().len(), 0);
            same(&b.0.to_host(&sum.ours).unwrap(), &sum.theirs, &|| "a sum".into());
            let history = b.0.engine().take_history();
            assert_eq!((history.len(), history[0].fold, history[0].operations), (1, Some("sum"), 3));
        }
    }
}

#[test]
fn rows_of_a_normalization_are_not_written() {
    for (_, b) in backends() {
        for rows in [true, false] {
            b.engine().set_settings(Settings { rows, ..Settings::default() });
            let b = Side(&b);
            let x = b.input(small(Dtype::FLOAT32, [40, 600]));
            let greatest = b.apply(&reduce(ReduceOp::Max, &[1], true), &[&x]);
            let off = b.apply(&Op::Binary(BinaryOp::Subtract), &[&x, &greatest]);
            let square = b.apply(&Op::Binary(BinaryOp::Multiply), &[&off, &off]);
            let sum = b.apply(&reduce(ReduceOp::Sum, &[1], true), &[&square]);
            let result = b.apply(&Op::Binary(BinaryOp::Divide), &[&square, &sum]);
            same(&b.0.to_host(&result.ours).unwrap(), &result.theirs, &|| "a row".into());
            // What was written: two statistics of each row, and the result.
            let launches: Vec<_> = b.0.engine().take_history().iter().map(|l| (l.fold, l.pieces)).collect();
            match rows {
                true => assert_eq!(launches, [(None, 3)]),
                false => assert_eq!(launches, [(Some("max"), 1), (Some("sum"), 1), (None, 1)]),
            }
            // The statistics are there, if somebody asks.
            same(&b.0.to_host(&sum.ours).unwrap(), &sum.theirs, &|| "a statistic".into());
            assert_eq!(b.0.engine().take_history().len(), 0);
        }
    }
}

/// Mean, variance and what is made of them, a number for each row at a time: one program, which writes
/// nothing of the rows but the result.
#[test]
fn rows_of_a_layer_norm_are_one_program() {
    for (name, b) in backends() {
        for dtype in [Dtype::FLOAT32, Dtype::FLOAT16, Dtype::FLOAT64] {
            for rows in [true, false] {
                b.engine().set_settings(Settings { rows, ..Settings::default() });
                let b = Side(&b);
                let x = b.input(small(dtype, [70, 900]));
                let mean = b.apply(&reduce(ReduceOp::Mean, &[1], true), &[&x]);
                let variance = reduce(ReduceOp::Var { correction: 0f64.to_bits() }, &[1], true);
                let variance = b.apply(&variance, &[&x]);
                let off = b.apply(&Op::Binary(BinaryOp::Subtract), &[&x, &mean]);
                let root = b.apply(&Op::Unary(UnaryOp::Sqrt), &[&b.apply(&ADD, &[&variance, &variance])]);
                let result = b.apply(&Op::Binary(BinaryOp::Divide), &[&off, &root]);
                same(&b.0.to_host(&result.ours).unwrap(), &result.theirs, &|| format!("{name} {dtype}"));
                let pieces: Vec<_> = b.0.engine().take_history().iter().map(|l| l.pieces).collect();
                // Wide rows are enough for the end to run beside the rows that follow.
                let behind = dtype == Dtype::FLOAT64 && b.0.engine().device().is_none();
                assert_eq!(pieces == [3 - usize::from(behind)], rows, "{name} {dtype} {pieces:?}");
            }
        }
    }
}

/// One NaN, wherever it stands in a row: in a vector, in its upper half, in what is left of a block.
#[test]
fn nan_is_the_greatest_and_the_least() {
    for (name, b) in backends() {
        let b = Side(&b);
        for dtype in [Dtype::FLOAT32, Dtype::FLOAT64, Dtype::FLOAT16] {
            let columns = 301;
            let value = |i: usize| match i % columns == i / columns {
                true => f32::NAN,
                false => (i * 37 % 101) as f32 - 50.0,
            };
            let values: Vec<f32> = (0..(columns + 2) * columns).map(value).collect();
            let array = HostArray::from_vec(values, [columns + 2, columns].into()).unwrap();
            let array = arrays::reference(&Op::Cast { dtype }, &[&array]).remove(0);
            let x = b.input(array);
            for (op, notes) in [(ReduceOp::Max, true), (ReduceOp::Max, false), (ReduceOp::Min, true)] {
                b.0.engine().set_settings(Settings { notes, ..Settings::default() });
                for axis in [0, 1] {
                    let y = b.apply(&reduce(op, &[axis], false), &[&x]);
                    let got = b.0.to_host(&y.ours).unwrap();
                    same(&got, &y.theirs, &|| format!("{name} {op:?} {dtype} {axis} {notes}"));
                    let wide = arrays::reference(&Op::Cast { dtype: Dtype::FLOAT64 }, &[&got]).remove(0);
                    let nans = wide.to_vec::<f64>().unwrap().iter().filter(|x| x.is_nan()).count();
                    assert_eq!(nans, columns);
                }
            }
        }
    }
}

/// Lines of memory that have fewer rows than are worked on together.
#[test]
fn rows_of_short_lines_on_all_cores() {
    for (name, b) in backends() {
        let b = Side(&b);
        let values = (0..6 * 3000 * 50).map(|i| ((i * 37 + 11) % 101) as f32 * 0.37).collect();
        let x = b.input(HostArray::from_vec::<f32>(values, [6, 3000, 50].into()).unwrap());
        let x = b.apply(&Op::PermuteDims { axes: Dims::from_slice(&[1, 0, 2]) }, &[&x]);
        let greatest = b.apply(&reduce(ReduceOp::Max, &[2], true), &[&x]);
        let result = b.apply(&Op::Binary(BinaryOp::Subtract), &[&x, &greatest]);
        same(&b.0.to_host(&result.ours).unwrap(), &result.theirs, &|| name.into());
    }
}

#[test]
fn rows_of_softmax_on_all_cores() {
    let mut cases = Counted::default();
    for (name, b) in backends() {
        // Rows that are many, odd, in blocks of lines, and too short or too long for it.
        for shape in [[600, 1024], [1001, 333], [20_000, 33], [30_000, 9], [3, 70_000], [40, 4096], [30, 64]]
        {
            for settings in programs().into_iter().filter(|_| cases.takes_next()) {
                b.engine().set_settings(settings);
                let b = Side(&b);
                let x = b.input(small(Dtype::FLOAT32, shape));
                let greatest = b.apply(&reduce(ReduceOp::Max, &[1], true), &[&x]);
                let off = b.apply(&Op::Binary(BinaryOp::Subtract), &[&x, &greatest]);
                // It takes long, and is needed twice: it is kept for the rows at hand.
                let e = b.apply(&Op::Unary(UnaryOp::Sqrt), &[&b.apply(&Op::Unary(UnaryOp::Abs), &[&off])]);
                let sum = b.apply(&reduce(ReduceOp::Sum, &[1], true), &[&e]);
                let result = b.apply(&Op::Binary(BinaryOp::Divide), &[&e, &sum]);
                let got = b.0.to_host(&result.ours).unwrap();
                same(&got, &result.theirs, &|| format!("{name} {shape:?} {settings:?}"));
                let pieces: Vec<_> = b.0.engine().take_history().iter().map(|l| l.pieces).collect();
                if b.0.engine().device().is_some() && shape[1] < 58_000 {
                    assert_eq!(pieces, [4 - usize::from(settings.merging)], "{name} {shape:?} {settings:?}");
                } else if b.0.engine().device().is_none() && (32..65_536).contains(&shape[1]) {
                    // The sum is beside what it sums, and the quotients beside the greatest of rows that
                    // follow, if they are many and have some vectors.
                    let beside = 1 + usize::from(settings.merging && shape[1] >= 64);
                    let behind = settings.overlap && shape[1] >= 64 && shape[0] > 30;
                    assert_eq!(pieces, [5 - beside - usize::from(behind)], "{name} {shape:?} {settings:?}");
                }
                // The numbers of rows are there as well, but of a few elements, which are computed by columns.
                for number in [&greatest, &sum] {
                    same(&b.0.to_host(&number.ours).unwrap(), &number.theirs, &|| {
                        format!("{name} {shape:?}")
                    });
                }
                let besides = b.0.engine().take_history().is_empty();
                let by_columns = name == "llvm" && shape[1] < 32;
                assert!(b.0.engine().device().is_some() || besides != by_columns, "{name} {shape:?}");
            }
        }
    }
}

/// The switches of programs over rows: all, each one off, and none.
fn programs() -> Vec<Settings> {
    let all = Settings::default();
    vec![
        all,
        Settings { ahead: false, ..all },
        Settings { merging: false, ..all },
        Settings { overlap: false, ..all },
        Settings { whole: false, ..all },
        Settings { merging: false, overlap: false, whole: false, ..all },
    ]
}

/// Numbers of rows beside the rows' elements, and then all of it folded: along the rows, down the columns,
/// and over all.
#[test]
fn folds_of_what_has_been_folded_along_other_axes() {
    for (name, b) in backends() {
        let b = Side(&b);
        for (shape, inner, outer) in [
            ([37, 33], &[1][..], &[&[0][..], &[1], &[0, 1]][..]),
            ([16, 300], &[1], &[&[0], &[1], &[0, 1]]),
            ([33, 37], &[0], &[&[0], &[1], &[0, 1]]),
            ([1, 50], &[1], &[&[0], &[0, 1]]),
        ] {
            for dtype in [Dtype::INT8, Dtype::FLOAT32, Dtype::FLOAT64] {
                for (op, keepdims) in [(ReduceOp::Sum, false), (ReduceOp::Max, true), (ReduceOp::Mean, false)]
                {
                    for axes in outer {
                        let fold = reduce(op, axes, keepdims);
                        if fold.result_dtype(&[dtype]).is_none() {
                            continue;
                        }
                        let x = b.input(small(dtype, shape));
                        let most = b.apply(&reduce(ReduceOp::Max, inner, true), &[&x]);
                        let result = b.apply(&fold, &[&b.apply(&ADD, &[&most, &x])]);
                        let got = b.0.to_host(&result.ours).unwrap();
                        let what = || format!("{fold:?} of {dtype} {shape:?} after {inner:?} by {name}");
                        same(&got, &result.theirs, &what);
                    }
                }
            }
        }
    }
}

#[test]
fn long_ones_on_all_cores() {
    let mut cases = Counted::default();
    for (_, b) in backends() {
        for whole in [true, false] {
            b.engine().set_settings(Settings { whole, ..Settings::default() });
            let b = Side(&b);
            for shape in [[1, (1 << 18) + 77], [(1 << 12) + 3, 70], [3, 1 << 17]] {
                let x = b.input(small(Dtype::FLOAT32, shape));
                for axes in [&[0][..], &[1], &[0, 1]].into_iter().filter(|_| cases.takes_next()) {
                    b.check(&b.apply(&reduce(ReduceOp::Sum, axes, false), &[&b.negative(&x)]), 1);
                }
            }
        }
    }
}

/// Lengths around blocks, and around what is folded at once of a row.
#[test]
fn long_rows_of_every_kind_of_fold() {
    for (name, b) in backends() {
        for [whole, twins] in [[true, true], [true, false], [false, true], [false, false]] {
            b.engine().set_settings(Settings { whole, twins, ..Settings::default() });
            let b = Side(&b);
            for shape in
                [[3, 32], [5, 256], [2, 257], [7, 1000], [2, 4096], [2, 32_768], [2, 33_100], [1, 98_600]]
            {
                for (op, dtype) in [
                    (ReduceOp::Sum, Dtype::FLOAT32),
                    (ReduceOp::Sum, Dtype::FLOAT16),
                    (ReduceOp::Sum, Dtype::COMPLEX64),
                    (ReduceOp::Sum, Dtype::INT16),
                    (ReduceOp::Prod, Dtype::INT64),
                    (ReduceOp::Max, Dtype::FLOAT64),
                    (ReduceOp::Min, Dtype::UINT8),
                    (ReduceOp::Mean, Dtype::FLOAT32),
                ] {
                    for array in [small(dtype, shape), edges(dtype, shape, 2)] {
                        let x = b.input(array);
                        let y = b.apply(&reduce(op, &[1], false), &[&b.apply(&ADD, &[&x, &x])]);
                        let of =
                            || format!("{name} {op:?} of {dtype} {shape:?}, whole {whole}, twins {twins}");
                        same(&b.0.to_host(&y.ours).unwrap(), &y.theirs, &of);
                    }
                }
            }
        }
    }
}

#[test]
fn nothing_to_reduce() {
    for (_, b) in backends() {
        let empty = b.from_host(edges(Dtype::FLOAT32, [3, 0], 0)).unwrap();
        let sum = b.execute(&reduce(ReduceOp::Sum, &[1], false), &[&empty]).unwrap().remove(0);
        assert_eq!(b.to_host(&sum).unwrap().to_vec::<f32>().unwrap(), [0.0; 3]);
        let error = b.execute(&reduce(ReduceOp::Max, &[1], false), &[&empty]).unwrap_err();
        assert!(matches!(error.kind(), ivy_core::ErrorKind::EmptyReduction { .. }), "{error}");
    }
}

#[test]
fn printed_folds() {
    let input = |ty, access| Param { ty, parts: 1, access };
    for (name, result) in [("along", Access::Along(Join::Add)), ("across", Access::Across(Join::Max))] {
        let mut b = Builder::new(vec![
            input(Type::F32, Access::Step(2)),
            input(Type::F32, Access::Uniform),
            input(Type::F32, result),
        ]);
        let (x, y) = (b.load(0, 0), b.load(1, 0));
        let product = b.binary(Code::Mul, x, y);
        b.store(2, &[product]);
        let kernel = b.finish();
        verify(&kernel).unwrap();
        insta::assert_snapshot!(name, kernel.to_string());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(share(60)))]
    #[test]
    fn any_rows_of_anything(
        steps in prop::collection::vec((any::<u8>(), any::<u8>(), any::<u8>()), 2..9),
        shape in (1usize..3, 2usize..40, 1usize..4, 1usize..300),
        order in 0usize..3,
        split in 1usize..4,
        dtype in 0usize..5,
        switches in any::<u64>(),
        rows in any::<bool>(),
    ) {
        let shape = [shape.0, shape.1, shape.2, shape.3];
        let dtypes = [Dtype::FLOAT32, Dtype::INT16, Dtype::FLOAT64, Dtype::COMPLEX64, Dtype::FLOAT16];
        let dtype = dtypes[dtype];
        let axes: Vec<usize> = (split..4).collect();
        let orders = [[0, 1, 2, 3], [1, 0, 2, 3], [0, 1, 3, 2]];
        for (name, b) in backends() {
            b.engine().set_settings(Settings { rows, ..Settings::of(switches) });
            let b = Side(&b);
            let first = b.input(edges(dtype, shape, 0));
            let first = b.apply(&Op::PermuteDims { axes: Dims::from_slice(&orders[order]) }, &[&first]);
            let column = b.input(edges(dtype, [1, 1, 1, first.theirs.shape()[3]], 5));
            let mut all = vec![first, column];
            for &(what, i, j) in &steps {
                let (x, y) = (all[i as usize % all.len()].clone(), all[j as usize % all.len()].clone());
                let op = match what % 4 {
                    0 if !dtype.is_complex() => reduce(ReduceOp::Max, &axes, true),
                    0 | 1 => reduce(ReduceOp::Sum, &axes, true),
                    2 if dtype.is_float() => Op::Unary(UnaryOp::Sqrt),
                    _ => ADD,
                };
                let new = if op == ADD { b.apply(&op, &[&x, &y]) } else { b.apply(&op, &[&x]) };
                all.push(new);
            }
            let (last, before) = (all[all.len() - 1].clone(), all[all.len() - 2].clone());
            let sum = b.apply(&ADD, &[&b.apply(&ADD, &[&all[0], &last]), &before]);
            for x in [&sum, &last, &before] {
                let got = b.0.to_host(&x.ours).unwrap();
                same(&got, &x.theirs, &|| format!("{name} {dtype} {shape:?} {steps:?}"));
            }
        }
    }

    #[test]
    fn any_axes_of_anything(
        a in 1usize..5, rows in 1usize..70, columns in 1usize..600,
        axes in 1usize..8,
        order in 0usize..6,
        op in 0usize..4,
        switches in any::<u64>(),
    ) {
        let axes: Vec<usize> = (0..3).filter(|i| axes >> i & 1 > 0).collect();
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        for (name, b) in backends() {
            b.engine().set_settings(Settings::of(switches));
            let b = Side(&b);
            for dtype in [Dtype::FLOAT32, Dtype::INT16, Dtype::COMPLEX64] {
                if dtype.is_complex() && op > 1 { continue }
                let x = b.input(edges(dtype, [a, rows, columns], op));
                let x = b.apply(&Op::PermuteDims { axes: Dims::from_slice(&orders[order]) }, &[&b.negative(&x)]);
                let y = b.apply(&reduce(OPS[op], &axes, false), &[&x]);
                same(&b.0.to_host(&y.ours).unwrap(), &y.theirs, &|| format!("{name} {dtype} {axes:?}"));
            }
        }
    }
}
