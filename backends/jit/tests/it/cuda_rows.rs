//! Programs over rows on a device, in one launch: the interpreter's bits, for rows of all kinds of lengths,
//! of every type, however they stand in memory. The device is as in `tests/cuda.rs`.

use crate::common::arrays;

use arrays::{device::device, reference, same};
use ivy_backend_jit::JitBackend;
use ivy_backend_jit::cache::Generator;
use ivy_backend_jit::engine::{Settings, Variable};
use ivy_backend_jit::runtime::cuda::Kept;
use ivy_core::backend::{Backend, Data, Value};
use ivy_core::host::HostArray;
use ivy_core::{AxisPad, AxisSlice, BinaryOp, Dims, Dtype, Op, ReduceOp, Scalar, Shape, UnaryOp};
use proptest::prelude::*;
use std::sync::Arc;

/// Both engines; the interpreter runs what is folded by itself.
fn engines() -> [JitBackend; 2] {
    let host = JitBackend::new(Generator::Interp);
    host.engine().set_settings(Settings { rows: false, ..Settings::default() });
    [host, JitBackend::on_device(Arc::new(Kept::new(device())))]
}

/// Numbers that add up without overflow, and not exactly; and zeros of both signs.
fn numbers(dtype: Dtype, shape: &[usize]) -> HostArray {
    let value = |i: usize| match i % 97 {
        5 => -0.0,
        6 => 0.0,
        _ => ((i * 37 + 11) % 101) as f32 * 0.17 - 8.0,
    };
    let shape = Shape::from(shape.to_vec());
    let array = HostArray::from_vec::<f32>((0..shape.size()).map(value).collect(), shape).unwrap();
    reference(&Op::Cast { dtype }, &[&array]).remove(0)
}

/// A backend, and short names for what it does.
struct On<'b>(&'b JitBackend);

impl On<'_> {
    fn apply(&self, op: Op, operands: &[&Value]) -> Value {
        self.0.execute(&op, operands).unwrap().remove(0)
    }

    fn binary(&self, op: BinaryOp, x: &Value, y: &Value) -> Value {
        self.apply(Op::Binary(op), &[x, y])
    }

    fn unary(&self, op: UnaryOp, x: &Value) -> Value {
        self.apply(Op::Unary(op), &[x])
    }

    fn fold(&self, op: ReduceOp, x: &Value) -> Value {
        let axes = Dims::from_slice(&[x.shape.len() - 1]);
        self.apply(Op::Reduce { op, axes, keepdims: true }, &[x])
    }

    fn made(&self, program: Made, x: &Value) -> Value {
        match program {
            Made::Softmax => {
                let off = self.binary(BinaryOp::Subtract, x, &self.fold(ReduceOp::Max, x));
                let e = self.unary(UnaryOp::Exp, &off);
                self.binary(BinaryOp::Divide, &e, &self.fold(ReduceOp::Sum, &e))
            }
            Made::Layer => {
                let off = self.binary(BinaryOp::Subtract, x, &self.fold(ReduceOp::Mean, x));
                let variance = self.fold(ReduceOp::Var { correction: 0f64.to_bits() }, x);
                self.binary(BinaryOp::Divide, &off, &self.unary(UnaryOp::Sqrt, &variance))
            }
            Made::Norm => {
                let squares = self.fold(ReduceOp::Sum, &self.binary(BinaryOp::Multiply, x, x));
                self.binary(BinaryOp::Multiply, x, &squares)
            }
            Made::Total => {
                let off = self.binary(BinaryOp::Subtract, x, &self.fold(ReduceOp::Min, x));
                self.fold(ReduceOp::Sum, &off)
            }
            Made::Spread => {
                let both =
                    self.binary(BinaryOp::Add, &self.fold(ReduceOp::Max, x), &self.fold(ReduceOp::Min, x));
                self.binary(BinaryOp::Less, x, &both)
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Made {
    Softmax,
    Layer,
    Norm,
    Total,
    Spread,
}

/// Runs a program on both, of what is made of an input there; says how many launches the device needed.
#[track_caller]
fn check(
    engines: &[JitBackend; 2],
    program: Made,
    array: &HostArray,
    view: impl Fn(&On<'_>, Value) -> Value,
) -> usize {
    let [host, device] = engines;
    let got = [host, device].map(|b| {
        let b = On(b);
        let x = view(&b, b.0.from_host(array.clone()).unwrap());
        b.0.engine().take_history();
        b.0.to_host(&b.made(program, &x)).unwrap()
    });
    let what = || format!("{program:?} of {} {:?}", array.dtype(), array.shape());
    same(&got[1], &got[0], &what);
    device.engine().take_history().len()
}

/// Rows of a part of a warp, of a warp, of several, and of more parts than a warp has threads; which end
/// within vectors, steps, blocks and parts; and fewer than there are teams.
#[test]
fn rows_of_every_length() {
    let engines = engines();
    for columns in [
        1, 2, 3, 4, 8, 9, 15, 16, 17, 31, 32, 33, 60, 64, 65, 96, 100, 101, 128, 250, 255, 256, 257, 260,
        512, 516, 767, 1000, 1023, 1024, 1025, 1028, 2048, 2052, 5000, 8193, 32_772,
    ] {
        let rows = if columns > 4000 { 2 } else { 7 };
        let x = numbers(Dtype::FLOAT32, &[rows, columns]);
        for program in [Made::Softmax, Made::Layer, Made::Norm, Made::Total] {
            let launches = check(&engines, program, &x, |_, x| x);
            assert!(launches == 1 || columns == 1, "{program:?} of {columns}: {launches}");
        }
    }
}

/// Elements that take the rare way of a function, one alone among others, and all of them.
#[test]
fn rows_with_rare_elements() {
    let engines = engines();
    for columns in [5, 20, 31, 64, 200, 300, 1100] {
        let value = |i: usize| match i % 41 {
            3 => -150.0,
            9 => f32::NEG_INFINITY,
            17 => -90.0,
            _ => (i % 13) as f32,
        };
        let mut values: Vec<f32> = (0..6 * columns).map(value).collect();
        values[columns..2 * columns].fill(f32::NEG_INFINITY);
        values[2 * columns] = f32::NAN;
        values[3 * columns..4 * columns]
            .iter_mut()
            .enumerate()
            .for_each(|(i, x)| *x = -300.0 * (i % 7) as f32);
        let x = HostArray::from_vec(values, Shape::from([6, columns])).unwrap();
        for program in [Made::Softmax, Made::Layer] {
            check(&engines, program, &x, |_, x| x);
        }
    }
}

/// Folds of many rows are as whole rows what they are in blocks.
#[test]
fn many_rows_are_folded_alike() {
    let engines = engines();
    let folds = |dtype: Dtype| match dtype {
        Dtype::BOOL => vec![ReduceOp::Any, ReduceOp::All],
        _ if dtype.is_complex() => vec![ReduceOp::Sum],
        _ => vec![ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Max, ReduceOp::Min],
    };
    for rows in [true, false] {
        engines[1].engine().set_settings(Settings { rows, ..Settings::default() });
        for (dtype, columns) in [
            (Dtype::FLOAT32, 3),
            (Dtype::FLOAT32, 64),
            (Dtype::FLOAT32, 77),
            (Dtype::FLOAT32, 300),
            (Dtype::FLOAT32, 1100),
            (Dtype::FLOAT64, 100),
            (Dtype::INT8, 260),
            (Dtype::COMPLEX64, 70),
            (Dtype::BOOL, 90),
        ] {
            let x = numbers(dtype, &[300, columns]);
            for op in folds(dtype) {
                let got = engines.each_ref().map(|b| {
                    let b = On(b);
                    b.0.to_host(&b.fold(op, &b.0.from_host(x.clone()).unwrap())).unwrap()
                });
                same(&got[1], &got[0], &|| format!("{op:?} of {dtype} {columns}, rows {rows}"));
            }
        }
    }
}

/// Rows of which a block's memory does not hold what is kept.
#[test]
fn rows_that_are_too_long() {
    let engines = engines();
    let x = numbers(Dtype::FLOAT64, &[2, 30_000]);
    assert!(check(&engines, Made::Softmax, &x, |_, x| x) > 1);
    // Nothing is kept but what may be read again.
    assert_eq!(check(&engines, Made::Layer, &x, |_, x| x), 1);
}

/// Without the switch each fold has a launch, and the numbers are the same.
#[test]
fn without_the_switch() {
    let engines = engines();
    let x = numbers(Dtype::FLOAT32, &[6, 300]);
    for (rows, merging, launches) in [(true, true, 1), (true, false, 1), (false, true, 3)] {
        engines[1].engine().set_settings(Settings { rows, merging, ..Settings::default() });
        assert_eq!(check(&engines, Made::Softmax, &x, |_, x| x), launches);
    }
}

#[test]
fn rows_of_every_dtype() {
    let engines = engines();
    let mut compared = 0;
    for dtype in Dtype::all() {
        for columns in [20, 31, 300, 1100, 1301] {
            let x = numbers(dtype, &[5, columns]);
            let programs: &[Made] = match dtype {
                Dtype::BOOL => &[],
                _ if dtype.is_complex() => &[Made::Norm],
                _ if dtype.is_float() => &[Made::Softmax, Made::Layer, Made::Spread],
                _ => &[Made::Norm, Made::Spread],
            };
            for &program in programs {
                assert_eq!(check(&engines, program, &x, |_, x| x), 1, "{program:?} of {dtype} {columns}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

/// Some of the last axis of 6 by 5 rows.
fn cut(start: usize, step: isize, len: usize) -> impl Fn(&On<'_>, Value) -> Value {
    let whole = |len| AxisSlice { start: 0, step: 1, len };
    let axes = [whole(6), whole(5), AxisSlice { start, step, len }];
    move |b, x| b.apply(Op::Slice { axes: axes.into_iter().collect() }, &[&x])
}

/// Rows with elements and other rows around them.
fn border(b: &On<'_>, x: Value) -> Value {
    let axes = [(0, 0), (1, 2), (3, 5)];
    let axes = axes.iter().map(|&(before, after)| AxisPad { before, after }).collect();
    b.apply(Op::Pad { axes, value: Scalar::Float(0.5) }, &[&x])
}

/// Rows that begin anywhere, go backwards or in steps, stand in columns or in several axes; and those that
/// are computed, padded and counted.
#[test]
fn rows_however_they_stand() {
    let engines = engines();
    let x = numbers(Dtype::FLOAT32, &[6, 5, 528]);
    for program in [Made::Softmax, Made::Layer, Made::Total] {
        let permute = |axes: [usize; 3]| {
            move |b: &On<'_>, x: Value| b.apply(Op::PermuteDims { axes: Dims::from_slice(&axes) }, &[&x])
        };
        let launches = [
            check(&engines, program, &x, cut(1, 1, 512)),
            check(&engines, program, &x, cut(4, 1, 512)),
            check(&engines, program, &x, cut(527, -1, 512)),
            check(&engines, program, &x, cut(0, 2, 264)),
            check(&engines, program, &x, permute([1, 0, 2])),
            check(&engines, program, &x, border),
        ];
        assert_eq!(launches, [1; 6], "{program:?}");
        // Rows down columns have a launch for each fold.
        assert!(check(&engines, program, &x, permute([0, 2, 1])) > 1);
    }
}

/// The same of rows whose threads have elements apart.
#[test]
fn short_rows_however_they_stand() {
    let engines = engines();
    for length in [20, 40, 60, 120] {
        let x = numbers(Dtype::FLOAT32, &[6, 5, length]);
        for program in [Made::Softmax, Made::Layer, Made::Total] {
            let launches = [
                check(&engines, program, &x, cut(1, 1, length - 3)),
                check(&engines, program, &x, cut(length - 1, -1, length)),
                check(&engines, program, &x, cut(0, 2, length / 2)),
                check(&engines, program, &x, border),
            ];
            assert_eq!(launches, [1; 4], "{program:?} of {length}");
        }
    }
}

/// A column for all rows, and one number for each, beside the elements.
#[test]
fn rows_beside_columns_and_numbers() {
    let engines = engines();
    let [x, weight, scale] = [&[9, 520][..], &[520], &[9, 1]].map(|shape| numbers(Dtype::FLOAT32, shape));
    let got = engines.each_ref().map(|b| {
        let b = On(b);
        let [x, weight, scale] = [&x, &weight, &scale].map(|a| b.0.from_host(a.clone()).unwrap());
        let scaled = b.binary(BinaryOp::Multiply, &x, &scale);
        let normal = b.made(Made::Layer, &scaled);
        let result = b.binary(BinaryOp::Add, &b.binary(BinaryOp::Multiply, &normal, &weight), &weight);
        b.0.engine().take_history();
        b.0.to_host(&result).unwrap()
    });
    same(&got[1], &got[0], &|| "a normalization".into());
    assert_eq!(engines[1].engine().take_history().len(), 1);
}

/// A compiled function launches the program again, with other rows.
#[test]
fn a_program_is_replayed() {
    let [host, device] = engines();
    let [first, second] = [0, 1].map(|i| {
        let x = numbers(Dtype::FLOAT32, &[7, 260]);
        if i == 0 { x } else { reference(&Op::Unary(UnaryOp::Negative), &[&x]).remove(0) }
    });
    let variable = |x: &Value| x.data::<Variable>().unwrap().clone();
    let value = |x: &Variable| {
        let (dtype, shape) = x.signature();
        Value { dtype, shape, data: Data::new(x.clone()) }
    };
    let inputs = [first, second.clone()].map(|x| variable(&device.from_host(x).unwrap()));
    let mut function = |x: &[Variable]| Ok(vec![variable(&On(&device).made(Made::Softmax, &value(&x[0])))]);
    let (_, replay) = device.engine().record(&inputs[..1], &mut function).unwrap();
    device.engine().take_history();
    let got = value(&replay.unwrap().run(&[&inputs[1]]).unwrap().unwrap()[0]);
    assert_eq!(device.engine().take_history().len(), 1);
    let want = On(&host).made(Made::Softmax, &host.from_host(second).unwrap());
    same(&device.to_host(&got).unwrap(), &host.to_host(&want).unwrap(), &|| "a replay".into());
}

/// Numbers of rows are there after the program; and nothing is launched for them.
#[test]
fn statistics_are_kept() {
    let [host, device] = engines();
    let x = numbers(Dtype::FLOAT64, &[40, 129]);
    let got = [&host, &device].map(|b| {
        let b = On(b);
        let x = b.0.from_host(x.clone()).unwrap();
        let most = b.fold(ReduceOp::Max, &x);
        let off = b.binary(BinaryOp::Subtract, &x, &most);
        let result = b.binary(BinaryOp::Multiply, &off, &b.fold(ReduceOp::Sum, &off));
        let result = b.0.to_host(&result).unwrap();
        b.0.engine().take_history();
        (result, b.0.to_host(&most).unwrap(), b.0.engine().take_history().len())
    });
    same(&got[1].0, &got[0].0, &|| "elements".into());
    same(&got[1].1, &got[0].1, &|| "a statistic".into());
    assert_eq!(got[1].2, 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn any_program(
        steps in prop::collection::vec((any::<u8>(), any::<u8>(), any::<u8>()), 2..9),
        shape in (1usize..5, 2usize..9, 1usize..1400),
        dtype in 0usize..5,
        switches in any::<u64>(),
    ) {
        let dtypes = [Dtype::FLOAT32, Dtype::INT16, Dtype::FLOAT64, Dtype::COMPLEX64, Dtype::FLOAT16];
        let dtype = dtypes[dtype];
        let engines = engines();
        engines[1].engine().set_settings(Settings { rows: true, fusion: true, folds: true, ..Settings::of(switches) });
        let x = numbers(dtype, &[shape.0, shape.1, shape.2]);
        let got = engines.each_ref().map(|b| {
            let b = On(b);
            let mut all = vec![b.0.from_host(x.clone()).unwrap()];
            for &(what, i, j) in &steps {
                let (x, y) = (&all[i as usize % all.len()], &all[j as usize % all.len()]);
                let new = match what % 5 {
                    0 if !dtype.is_complex() => b.fold(ReduceOp::Max, x),
                    0 | 1 => b.fold(ReduceOp::Sum, x),
                    2 if dtype.is_float() => b.unary(UnaryOp::Exp, x),
                    3 => b.binary(BinaryOp::Subtract, x, y),
                    _ => b.binary(BinaryOp::Add, x, y),
                };
                all.push(new);
            }
            let last = b.binary(BinaryOp::Add, &all[0], &all[all.len() - 1]);
            [&last, &all[all.len() - 2]].map(|x| b.0.to_host(x).unwrap())
        });
        for (ours, theirs) in got[1].iter().zip(&got[0]) {
            same(ours, theirs, &|| format!("{dtype} {shape:?} {steps:?}"));
        }
    }
}
