//! Laziness, fusion, sharing, folding, views, switches and long chains.

use crate::common::arrays;

use arrays::{backends, reference, run, same};
use ivy_backend_jit::JitBackend;
use ivy_backend_jit::cache::Generator;
use ivy_backend_jit::engine::{Engine, Settings};
use ivy_backend_suite::{Counted, edges};
use ivy_core::backend::{Backend, Value};
use ivy_core::host::HostArray;
use ivy_core::{AxisSlice, BinaryOp, Dims, Dtype, Op, Scalar, Shape, UnaryOp};
use proptest::prelude::*;

fn apply(b: &JitBackend, op: Op, operands: &[&Value]) -> Value {
    b.execute(&op, operands).unwrap().remove(0)
}

fn binary(b: &JitBackend, op: BinaryOp, x: &Value, y: &Value) -> Value {
    apply(b, Op::Binary(op), &[x, y])
}

fn scalar(b: &JitBackend, dtype: Dtype, value: Scalar) -> Value {
    apply(b, Op::Full { shape: Shape::default(), dtype, value }, &[])
}

fn floats(b: &JitBackend, n: usize) -> Value {
    let array = HostArray::from_vec((0..n).map(|i| i as f32 * 0.25).collect(), [n].into()).unwrap();
    b.from_host(array).unwrap()
}

#[test]
fn work_waits_and_is_fused() {
    for (_, b) in backends() {
        let (x, y) = (floats(&b, 1000), floats(&b, 1000));
        let two = scalar(&b, Dtype::FLOAT32, Scalar::Float(2.0));
        let product = binary(&b, BinaryOp::Multiply, &x, &y);
        let sum = binary(&b, BinaryOp::Add, &product, &two);
        let root = apply(&b, Op::Unary(UnaryOp::Sqrt), &[&sum]);
        assert_eq!(b.engine().counters().launches, 0);
        let got = b.to_host(&root).unwrap().to_vec::<f32>().unwrap();
        let want: Vec<f32> = (0..1000).map(|i| i as f32 * 0.25).map(|v| (v * v + 2.0).sqrt()).collect();
        assert_eq!(got, want);
        let history = b.engine().take_history();
        assert_eq!((history.len(), history[0].operations, history[0].inputs), (1, 3, 3));
        // What is computed stays: another read is no launch.
        b.to_host(&root).unwrap();
        assert_eq!(b.engine().counters().launches, 1);
    }
}

#[test]
fn another_literal_is_no_other_kernel() {
    for (_, b) in backends() {
        let x = floats(&b, 100);
        for i in 0..20 {
            let c = scalar(&b, Dtype::FLOAT32, Scalar::Float(f64::from(i) + 0.5));
            let sum = binary(&b, BinaryOp::Add, &x, &c);
            assert_eq!(b.to_host(&sum).unwrap().to_vec::<f32>().unwrap()[4], 1.0 + i as f32 + 0.5);
        }
        let counters = b.engine().counters();
        assert_eq!((counters.launches, counters.compiled, counters.kernels), (20, 1, 1));
    }
}

#[test]
fn equal_operations_are_one() {
    let b = JitBackend::new(Generator::Interp);
    let (x, y) = (floats(&b, 10), floats(&b, 10));
    let first = binary(&b, BinaryOp::Multiply, &x, &y);
    let again = binary(&b, BinaryOp::Multiply, &x, &y);
    let other = binary(&b, BinaryOp::Multiply, &y, &x);
    assert_eq!(b.engine().counters().shared, 1);
    let sum = binary(&b, BinaryOp::Add, &first, &again);
    b.to_host(&sum).unwrap();
    assert_eq!(b.engine().take_history()[0].operations, 2);
    // After it is computed and gone, an equal one is made anew.
    drop((first, again, other, sum));
    let live = b.engine().counters().live;
    assert_eq!(live, 2);
    assert_eq!(b.to_host(&binary(&b, BinaryOp::Multiply, &x, &y)).unwrap().to_vec::<f32>().unwrap()[2], 0.25);
}

#[test]
fn what_changes_nothing_is_not_done() {
    let b = JitBackend::new(Generator::Interp);
    let float = |v| scalar(&b, Dtype::FLOAT32, Scalar::Float(v));
    let x = b.from_host(edges(Dtype::FLOAT32, [40], 0)).unwrap();
    let mut y = x.clone();
    for (op, c) in
        [(BinaryOp::Multiply, 1.0), (BinaryOp::Divide, 1.0), (BinaryOp::Subtract, 0.0), (BinaryOp::Add, -0.0)]
    {
        y = binary(&b, op, &y, &float(c));
    }
    b.to_host(&y).unwrap();
    assert_eq!(b.engine().counters().launches, 0);
    // -0 + 0 is 0: that is work.
    let zero = binary(&b, BinaryOp::Add, &x, &float(0.0));
    assert_eq!(b.to_host(&zero).unwrap().to_vec::<f32>().unwrap()[1].to_bits(), 0);
    assert_eq!(b.engine().counters().launches, 1);
    // Literals fold, in their own width.
    let narrow = |i| scalar(&b, Dtype::INT8, Scalar::Int(i));
    let wrapped = binary(&b, BinaryOp::Add, &narrow(127), &narrow(1));
    assert!(b.engine().whos().contains("int8 () literal"), "{}", b.engine().whos());
    assert_eq!(b.to_host(&wrapped).unwrap().to_vec::<i8>().unwrap(), [-128]);
}

#[test]
fn views_are_walked_in_the_kernel() {
    for (_, b) in backends() {
        let t = floats(&b, 2000);
        let half = |start| Op::Slice { axes: Dims::from_slice(&[AxisSlice { start, step: 2, len: 1000 }]) };
        let (even, odd) = (apply(&b, half(0), &[&t]), apply(&b, half(1), &[&t]));
        let sum = binary(&b, BinaryOp::Add, &even, &odd);
        let got = b.to_host(&sum).unwrap().to_vec::<f32>().unwrap();
        assert_eq!(got[7], 14.0 * 0.25 + 15.0 * 0.25);
        assert_eq!(b.engine().take_history().len(), 1);
        // A transposed operand, a row and a column, in one kernel.
        let m = apply(&b, Op::Reshape { shape: [40, 50].into() }, &[&t]);
        let transposed = apply(&b, Op::PermuteDims { axes: Dims::from_slice(&[1, 0]) }, &[&m]);
        let (row, column) = (floats(&b, 40), floats(&b, 50));
        let column = apply(&b, Op::Reshape { shape: [50, 1].into() }, &[&column]);
        let x = binary(&b, BinaryOp::Add, &transposed, &row);
        let x = binary(&b, BinaryOp::Multiply, &x, &column);
        let got = b.to_host(&x).unwrap().to_vec::<f32>().unwrap();
        for (i, got) in got.iter().enumerate() {
            let (r, c) = (i / 40, i % 40);
            let want = ((c * 50 + r) as f32 * 0.25 + c as f32 * 0.25) * (r as f32 * 0.25);
            assert_eq!(*got, want);
        }
        assert_eq!(b.engine().take_history().len(), 1);
    }
}

#[test]
fn shapes_change_within_a_kernel_where_order_stays() {
    for (_, b) in backends() {
        let x = floats(&b, 24);
        let y = binary(&b, BinaryOp::Add, &x, &x);
        let m = apply(&b, Op::Reshape { shape: [4, 6].into() }, &[&y]);
        let transposed = b.from_host(arrays::transposed(&edges(Dtype::FLOAT32, [4, 6], 1))).unwrap();
        let z = binary(&b, BinaryOp::Maximum, &m, &transposed);
        let flat = apply(&b, Op::Reshape { shape: [24].into() }, &[&z]);
        let got = b.to_host(&flat).unwrap();
        let plain = arrays::reference(
            &Op::Binary(BinaryOp::Maximum),
            &[&b.to_host(&m).unwrap(), &edges(Dtype::FLOAT32, [4, 6], 1)],
        );
        let plain = ivy_kernels::layout::reshape(&plain[0], &[24].into()).unwrap();
        same(&got, &plain, &|| "reshaped".into());
    }
}

#[test]
fn chains_of_a_million() {
    for (_, b) in backends() {
        let mut x = floats(&b, 8);
        let one = scalar(&b, Dtype::FLOAT32, Scalar::Float(0.5));
        for _ in 0..1_000_000 {
            x = binary(&b, BinaryOp::Add, &x, &one);
        }
        assert_eq!(b.to_host(&x).unwrap().to_vec::<f32>().unwrap()[0], 500_000.0);
        // Equal pieces of the chain are one kernel, and what is left over another.
        assert!(b.engine().counters().compiled <= 3);
        drop(x);
    }
}

#[test]
fn doubling_graphs_are_weighed_by_their_nodes() {
    let b = JitBackend::new(Generator::Interp);
    let mut x = floats(&b, 4);
    for _ in 0..100 {
        x = binary(&b, BinaryOp::Subtract, &binary(&b, BinaryOp::Add, &x, &x), &x);
    }
    assert_eq!(b.engine().counters().launches, 0);
    assert_eq!(b.to_host(&x).unwrap().to_vec::<f32>().unwrap(), [0.0, 0.25, 0.5, 0.75]);
    assert_eq!(b.engine().take_history()[0].operations, 200);
}

#[test]
fn long_arrays_on_all_cores() {
    let n = (1 << 18) + 5;
    for (_, b) in backends() {
        let x = floats(&b, n);
        let y = binary(&b, BinaryOp::Multiply, &x, &x);
        let got = b.to_host(&y).unwrap().to_vec::<f32>().unwrap();
        assert!(got.iter().enumerate().all(|(i, &v)| v == (i as f32 * 0.25) * (i as f32 * 0.25)));
        let rows = b.from_host(HostArray::from_vec(vec![1f32, 2.0, 3.0], [3, 1].into()).unwrap()).unwrap();
        let z = binary(&b, BinaryOp::Add, &rows, &x);
        let got = b.to_host(&z).unwrap().to_vec::<f32>().unwrap();
        assert!(got.iter().enumerate().all(|(i, &v)| v == (i / n + 1) as f32 + (i % n) as f32 * 0.25));
    }
}

#[test]
fn threads_share_an_engine() {
    let (_, b) = backends().pop().unwrap();
    let x = floats(&b, 500);
    let y = binary(&b, BinaryOp::Add, &x, &x);
    std::thread::scope(|scope| {
        for t in 0..4 {
            let (b, x, y) = (&b, &x, &y);
            scope.spawn(move || {
                for i in 0..50 {
                    let c = scalar(b, Dtype::FLOAT32, Scalar::Float(f64::from(i * t)));
                    let z = binary(b, BinaryOp::Multiply, y, &binary(b, BinaryOp::Add, x, &c));
                    let got = b.to_host(&z).unwrap().to_vec::<f32>().unwrap();
                    assert_eq!(got[4], 2.0 * (1.0 + (i * t) as f32));
                }
            });
        }
    });
    drop((x, y));
    assert_eq!(b.engine().counters().live, 0);
}

#[test]
fn a_graph_as_text() {
    let b = JitBackend::new(Generator::Interp);
    let x = floats(&b, 3);
    let y = apply(&b, Op::Unary(UnaryOp::Sqrt), &[&binary(&b, BinaryOp::Add, &x, &x)]);
    let engine: &std::sync::Arc<Engine> = b.engine();
    insta::assert_snapshot!(
        "graph",
        engine.graphviz(&[y.data::<ivy_backend_jit::engine::Variable>().unwrap()])
    );
    insta::assert_snapshot!("whos", engine.whos());
}

#[test]
fn scalars_are_operands_without_nodes() {
    // The interpreter runs every form; one of them shows that LLVM's kernels take their literals alike.
    for (name, b) in backends() {
        let all = name == "interp";
        let dtypes = Dtype::all().filter(|&d| all || d == Dtype::FLOAT32 || d == Dtype::INT16);
        for (dtype, &op) in dtypes.flat_map(|d| BinaryOp::ALL.iter().map(move |op| (d, op))) {
            if op.result(dtype).is_none() || !all && !matches!(op, BinaryOp::Subtract | BinaryOp::Less) {
                continue;
            }
            let x = b.from_host(edges(dtype, [40], 0)).unwrap();
            let values = [Scalar::Int(3), Scalar::Int(1), Scalar::Int(0)];
            for (value, first) in values.into_iter().flat_map(|v| [(v, false), (v, true)]) {
                let value = match dtype.kind() {
                    ivy_core::Kind::Bool => Scalar::Bool(value != Scalar::Int(0)),
                    ivy_core::Kind::Int | ivy_core::Kind::Uint => value,
                    _ => Scalar::Float(value.to_f64() * 0.5),
                };
                let got = b.execute_scalar(op, &x, value, first).unwrap();
                let y = scalar(&b, dtype, value);
                let want = binary(&b, op, if first { &y } else { &x }, if first { &x } else { &y });
                let (got, want) = (b.to_host(&got).unwrap(), b.to_host(&want).unwrap());
                same(&got, &want, &|| format!("{name} {op:?} {dtype} {value} {first}"));
            }
        }
    }
    let b = JitBackend::new(Generator::Interp);
    let (x, before) = (floats(&b, 10), b.engine().counters());
    let by = |value, first| b.execute_scalar(BinaryOp::Subtract, &x, Scalar::Float(value), first).unwrap();
    // Equal ones are one node; what changes nothing is none; the order of operands counts.
    let all = [by(2.0, false), by(2.0, false), by(0.0, false), by(2.0, true), by(3.0, false)];
    let after = b.engine().counters();
    assert_eq!((after.nodes - before.nodes, after.shared - before.shared), (3, 1));
    let sum = all.iter().skip(1).fold(all[0].clone(), |sum, y| binary(&b, BinaryOp::Add, &sum, y));
    let got = b.to_host(&sum).unwrap().to_vec::<f32>().unwrap();
    assert_eq!(got[8], (2.0 - 2.0) + (2.0 - 2.0) + 2.0 + (2.0 - 2.0) + (2.0 - 3.0));
    // Two arrays and the two literals, of which one is needed three times.
    assert_eq!(b.engine().take_history()[0].inputs, 3);
    let pending = by(7.0, true);
    assert!(b.engine().graphviz(&[pending.data().unwrap()]).contains("0x40e00000 subtract"));
    // On a literal it is folded.
    let four =
        b.execute_scalar(BinaryOp::Add, &scalar(&b, Dtype::INT8, Scalar::Int(127)), Scalar::Int(1), true);
    assert_eq!(b.to_host(&four.unwrap()).unwrap().to_vec::<i8>().unwrap(), [-128]);
}

#[test]
fn long_blocks_have_the_same_bits_with_less_effort() {
    let mut all = Vec::new();
    for (name, b) in backends() {
        for quick in [true, false] {
            b.engine().set_settings(Settings { quick, ..Settings::default() });
            for dtype in [Dtype::FLOAT32, Dtype::FLOAT64, Dtype::INT32] {
                let (x, y) = (edges(dtype, [3, 37], 0), edges(dtype, [3, 37], 5));
                let (x, y) = (b.from_host(x).unwrap(), b.from_host(y).unwrap());
                let mut z = x.clone();
                for i in 0..150 {
                    z = match i % 4 {
                        0 => binary(&b, BinaryOp::Add, &z, &y),
                        1 => binary(&b, BinaryOp::Maximum, &z, &x),
                        2 => b
                            .execute_scalar(BinaryOp::Multiply, &z, Scalar::Int(i / 4 % 3 + 1), true)
                            .unwrap(),
                        _ => binary(&b, BinaryOp::Subtract, &z, &x),
                    };
                }
                all.push((format!("{name} {quick} {dtype}"), b.to_host(&z).unwrap()));
                assert_eq!(b.engine().take_history().len(), 1);
            }
        }
    }
    for (i, (name, got)) in all.iter().enumerate() {
        same(got, &all[i % 3].1, &|| name.clone());
    }
}

/// A random expression over three arrays: numbers of ops, each with two operands among what
/// there is so far.
fn expression(b: &JitBackend, inputs: &[HostArray], steps: &[(u8, usize, usize)]) -> HostArray {
    let mut values: Vec<Value> = inputs.iter().map(|a| b.from_host(a.clone()).unwrap()).collect();
    values.push(scalar(b, Dtype::FLOAT32, Scalar::Float(1.0)));
    values.push(scalar(b, Dtype::FLOAT32, Scalar::Float(-0.0)));
    for &(op, i, j) in steps {
        let (x, y) = (values[i % values.len()].clone(), values[j % values.len()].clone());
        use BinaryOp::*;
        // Not copysign: what sign a NaN has is not promised.
        const OPS: [BinaryOp; 8] = [Add, Subtract, Multiply, Divide, Maximum, Minimum, Subtract, Nextafter];
        values.push(match op % 11 {
            8 => apply(b, Op::Unary(UnaryOp::Round), &[&x]),
            9 => apply(b, Op::Unary(UnaryOp::Negative), &[&x]),
            10 => {
                let small = apply(b, Op::Cast { dtype: Dtype::FLOAT16 }, &[&x]);
                apply(b, Op::Cast { dtype: Dtype::FLOAT32 }, &[&small])
            }
            n => binary(b, OPS[n as usize], &x, &y),
        });
    }
    b.to_host(values.last().unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn switches_and_generators_change_no_bit(
        steps in prop::collection::vec((any::<u8>(), 0usize..30, 0usize..30), 1..25),
        n in 1usize..70,
        switches in prop::collection::vec(any::<u64>(), 8),
    ) {
        let inputs = [edges(Dtype::FLOAT32, [3, n], 0), edges(Dtype::FLOAT32, [n], 9), edges(Dtype::FLOAT32, [3, 1], 20)];
        let mut first: Option<HostArray> = None;
        for (name, b) in backends() {
            for &bits in &switches {
                let settings = Settings::of(bits);
                b.engine().set_settings(settings);
                let got = expression(&b, &inputs, &steps);
                match &first {
                    Some(want) => same(&got, want, &|| format!("{name} {settings:?} {steps:?}")),
                    None => first = Some(got),
                }
            }
        }
    }
}

#[test]
fn vectors_side_by_side_change_no_bit() {
    for dtype in [Dtype::FLOAT32, Dtype::FLOAT64] {
        for n in [1, 15, 31, 63, 64, 200] {
            let x = edges(dtype, [2, n], 0);
            let mut all = Vec::new();
            for (name, b) in backends() {
                for abreast in [true, false] {
                    b.engine().set_settings(Settings { abreast, ..Settings::default() });
                    let y = apply(&b, Op::Unary(UnaryOp::Exp), &[&b.from_host(x.clone()).unwrap()]);
                    let z = apply(&b, Op::Unary(UnaryOp::Tanh), &[&y]);
                    all.push((format!("{name} {dtype} {n} {abreast}"), b.to_host(&z).unwrap()));
                }
            }
            all.iter().for_each(|(what, got)| same(got, &all[0].1, &|| what.clone()));
        }
    }
}

/// An expression of arrays in order, of one element and of another shape, and of literals.
fn flat(b: &JitBackend, dtype: Dtype, shape: &[usize], seed: usize) -> Value {
    let of = |shape: &[usize], seed: usize| b.from_host(edges(dtype, shape, seed)).unwrap();
    let (x, y) = (of(shape, seed), of(&[shape.iter().product()], seed + 3));
    let (one, two) = (of(&[1], seed + 5), scalar(b, dtype, Scalar::Int(2)));
    let y = apply(b, Op::Reshape { shape: shape.into() }, &[&binary(b, BinaryOp::Multiply, &y, &y)]);
    let one = apply(b, Op::Reshape { shape: Shape::default() }, &[&binary(b, BinaryOp::Add, &one, &two)]);
    let sum = binary(b, BinaryOp::Add, &binary(b, BinaryOp::Subtract, &x, &one), &y);
    let less = apply(b, Op::Binary(BinaryOp::NotEqual), &[&sum, &two]);
    let chosen = apply(b, Op::Where, &[&less, &sum, &x]);
    b.execute_scalar(BinaryOp::Multiply, &chosen, Scalar::Int(3), seed.is_multiple_of(2)).unwrap()
}

#[test]
fn the_shortest_way_is_the_same_launch() {
    for (name, b) in backends() {
        for dtype in [Dtype::FLOAT32, Dtype::FLOAT16, Dtype::INT8, Dtype::UINT64, Dtype::COMPLEX128] {
            for shape in [&[][..], &[1], &[1, 1], &[5], &[3, 67], &[1, 300], &[40, 1, 9], &[0, 3]] {
                let mut first: Option<(HostArray, Vec<_>)> = None;
                for direct in [false, true, true, false] {
                    b.engine().set_settings(Settings { direct, ..Settings::default() });
                    b.engine().take_history();
                    // The kernel of the first is there for the second.
                    let all = [0, 2].map(|seed| b.to_host(&flat(&b, dtype, shape, seed)).unwrap());
                    let launch = |l: &ivy_backend_jit::engine::Launch| {
                        (l.hash, l.elements, l.operations, l.statements, l.inputs, l.outputs)
                    };
                    let history: Vec<_> = b.engine().take_history().iter().map(launch).collect();
                    let (want, launches) = first.get_or_insert((all[1].clone(), history.clone()));
                    let what = || format!("{name} {dtype} {shape:?} {direct}");
                    same(&all[1], want, &what);
                    assert_eq!(&history, launches, "{}", what());
                }
            }
        }
        // Nothing was compiled anew for it.
        let kernels = b.engine().counters().kernels;
        b.engine().set_settings(Settings { direct: false, ..Settings::default() });
        b.to_host(&flat(&b, Dtype::FLOAT32, &[3, 67], 0)).unwrap();
        assert_eq!(b.engine().counters().kernels, kernels, "{name}");
    }
}

/// Rows that are a little larger than a near cache, from their front and from their end.
#[test]
fn rows_that_are_walked_from_the_end() {
    for (name, b) in backends() {
        for (dtype, elements) in
            [(Dtype::FLOAT32, 100_003), (Dtype::FLOAT16, 300_000), (Dtype::UINT64, 70_001)]
        {
            b.engine().set_settings(Settings { direct: false, ..Settings::default() });
            let want = b.to_host(&flat(&b, dtype, &[elements], 1)).unwrap();
            for turning in [true, false] {
                b.engine().set_settings(Settings { turning, ..Settings::default() });
                for _ in 0..3 {
                    let got = b.to_host(&flat(&b, dtype, &[elements], 1)).unwrap();
                    same(&got, &want, &|| format!("{name} {dtype} {elements} {turning}"));
                }
            }
        }
    }
}

/// Elements that are not in order, in several places, or given by something else, are found all the same.
#[test]
fn what_is_not_flat_takes_the_general_way() {
    for (name, b) in backends() {
        for _ in 0..2 {
            let x = floats(&b, 120);
            let halves = apply(
                &b,
                Op::Slice { axes: smallvec::smallvec![AxisSlice { start: 119, step: -2, len: 60 }] },
                &[&x],
            );
            let row = apply(&b, Op::Reshape { shape: [1, 60].into() }, &[&halves]);
            let column = apply(&b, Op::Reshape { shape: [60, 1].into() }, &[&halves]);
            for (left, right) in [(&row, &halves), (&row, &column), (&halves, &halves)] {
                let sum = b.to_host(&binary(&b, BinaryOp::Add, left, right)).unwrap();
                let [left, right] = [left, right].map(|v| b.to_host(v).unwrap());
                let want = reference(&Op::Binary(BinaryOp::Add), &[&left, &right]).remove(0);
                same(&sum, &want, &|| name.to_string());
            }
        }
    }
}

/// Results that go past the caches begin where their inputs' lines do.
#[test]
fn large_results_of_inputs_at_any_address() {
    let mut cases = Counted::default();
    let n = (1 << 20) + 37;
    let numbers: Vec<i32> = (0..n + 20).map(|i| i % 1009 - 504).collect();
    let whole = HostArray::from_vec(numbers, (n as usize + 20).into()).unwrap();
    for (from, to) in [
        (Dtype::FLOAT32, Dtype::FLOAT64),
        (Dtype::FLOAT64, Dtype::INT32),
        (Dtype::UINT8, Dtype::FLOAT32),
        (Dtype::COMPLEX64, Dtype::COMPLEX64),
    ] {
        let all = reference(&Op::Cast { dtype: from }, &[&whole]).remove(0);
        for first in [1, 5].into_iter().filter(|_| cases.takes_next()) {
            let (buffer, strides) = (all.buffer().clone(), smallvec::smallvec![1]);
            let x = HostArray::from_parts(buffer, from, (n as usize).into(), strides, first).unwrap();
            let half = reference(&Op::Unary(UnaryOp::Negative), &[&x]).remove(0);
            let want = reference(&Op::Cast { dtype: to }, &[&half]).remove(0);
            for (name, b) in backends() {
                for (streams, placing) in [(true, true), (true, false), (false, false)] {
                    b.engine().set_settings(Settings { streams, placing, ..Settings::default() });
                    let x = b.from_host(x.clone()).unwrap();
                    let y =
                        apply(&b, Op::Cast { dtype: to }, &[&apply(&b, Op::Unary(UnaryOp::Negative), &[&x])]);
                    same(&b.to_host(&y).unwrap(), &want, &|| {
                        format!("{name} {from} {to} {first} {streams} {placing}")
                    });
                }
            }
        }
    }
}

#[test]
fn bad_input_is_an_error() {
    for (_, b) in backends() {
        let error = b.execute(&Op::Binary(BinaryOp::Add), &[&floats(&b, 3), &floats(&b, 4)]).unwrap_err();
        assert!(matches!(error.kind(), ivy_core::ErrorKind::BroadcastShapes { .. }), "{error}");
        let x = run(&b, &Op::Unary(UnaryOp::Exp), &[&edges(Dtype::FLOAT32, [3], 0)]);
        assert_eq!(x.to_vec::<f32>().unwrap()[0], 1.0);
    }
}
