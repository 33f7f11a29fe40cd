//! Two arrays one after the other, as a roll has them: the bits of the reference kernels, in the kernels of what
//! they are for, by whatever way their elements are found.

use crate::common::arrays;
use crate::common::both;

use arrays::{fusing, run, same, transposed};
use both::{ADD, Both, Side, Step, each_way, permute, slice, walk};
use ivy_backend_jit::engine::{Settings, Variable};
use ivy_backend_suite::{edges, share};
use ivy_core::backend::Backend;
use ivy_core::{AxisPad, BinaryOp, Dims, Dtype, Op, ReduceOp, Scalar};
use proptest::prelude::*;

fn concat(b: &Side<'_>, axis: usize, parts: [&Both; 2]) -> Both {
    b.apply(&Op::Concat { axis }, &parts)
}

/// Some places of an axis.
fn part(b: &Side<'_>, x: &Both, axis: usize, (start, len): (usize, usize)) -> Both {
    let whole = x.theirs.shape().iter().enumerate();
    let axes: Vec<_> = whole.map(|(a, &n)| if a == axis { (start, 1, len) } else { (0, 1, n) }).collect();
    b.apply(&slice(&axes), &[x])
}

/// As `ivy::roll` has it.
fn roll(b: &Side<'_>, x: &Both, shift: isize, axis: usize) -> Both {
    let n = x.theirs.shape()[axis];
    let tail = if n == 0 { 0 } else { shift.rem_euclid(n as isize) as usize };
    match tail {
        0 => x.clone(),
        _ => concat(b, axis, [&part(b, x, axis, (n - tail, tail)), &part(b, x, axis, (0, n - tail))]),
    }
}

fn compare(b: &Side<'_>, x: &Both, what: &dyn Fn() -> String) {
    same(&b.0.to_host(&x.ours).unwrap(), &x.theirs, what);
}

fn reduce(op: ReduceOp, axes: &[usize]) -> Op {
    Op::Reduce { op, axes: Dims::from_slice(axes), keepdims: false }
}

/// A join, and what is made of it, of every dtype.
#[test]
fn every_dtype() {
    for (name, b) in fusing() {
        let b = Side(&b);
        for dtype in Dtype::all() {
            for (shape, other, axis) in [
                (&[300][..], &[17][..], 0),
                (&[5, 80], &[2, 80], 0),
                (&[5, 80], &[5, 91], 1),
                (&[3, 4, 64], &[3, 1, 64], 1),
                (&[7], &[1], 0),
                (&[5, 3], &[5, 2], 1),
                (&[0, 70], &[2, 70], 0),
            ] {
                let (x, y) = (edges(dtype, shape, 0), edges(dtype, other, 3));
                for (x, y) in [(x.clone(), y.clone()), (transposed(&x), transposed(&y))] {
                    let joined = concat(&b, axis, [&b.input(x.clone()), &b.input(y.clone())]);
                    let what = || format!("{shape:?} and {other:?} of {dtype} by {name}");
                    same(&run(b.0, &Op::Concat { axis }, &[&x, &y]), &joined.theirs, &what);
                    let both = b.apply(
                        &Op::Where,
                        &[&b.input(edges(Dtype::BOOL, joined.theirs.shape(), 0)), &joined, &joined],
                    );
                    compare(&b, &both, &what);
                }
            }
        }
    }
}

/// Every shift of some lengths, beyond them and back, of elements and of an expression.
#[test]
fn every_shift() {
    for (name, b) in fusing() {
        let b = Side(&b);
        for dtype in [Dtype::FLOAT32, Dtype::BOOL, Dtype::COMPLEX64] {
            for n in [1usize, 2, 3, 16, 33, 65, 130, 300] {
                let x = b.input(edges(dtype, [n], 0));
                let twice = if dtype.is_bool() { x.clone() } else { b.apply(&ADD, &[&x, &x]) };
                let far = n as isize;
                for shift in (-far - 2..=2 * far + 2).step_by(if n > 40 { 7 } else { 1 }) {
                    for x in [&x, &twice] {
                        let rolled = roll(&b, x, shift, 0);
                        let op = if dtype.is_bool() { Op::Binary(BinaryOp::LogicalXor) } else { ADD };
                        let sum = b.apply(&op, &[&rolled, &roll(&b, x, -shift, 0)]);
                        compare(&b, &b.apply(&op, &[&sum, x]), &|| {
                            format!("{dtype} {n} by {shift} by {name}")
                        });
                    }
                }
            }
        }
    }
}

/// How many nodes of a kind a value is made of.
fn count(b: &Side<'_>, x: &Both, kind: &str) -> usize {
    let x = x.ours.data::<Variable>().unwrap();
    b.0.engine().graphviz(&[x]).matches(&format!("{{{kind}|")).count()
}

#[test]
fn what_is_joined_is_in_the_kernel_of_what_it_is_for() {
    for (_, b) in fusing() {
        let b = Side(&b);
        let x = b.input(edges(Dtype::FLOAT32, [40, 170], 0));
        // Neighbours on a torus: of elements, and of an expression, of which a row alone would be repeated.
        for (x, kernels) in [(x.clone(), 1), (b.negative(&x), 2)] {
            let sides = [(1, 0), (-1, 0), (1, 1), (-1, 1)].map(|(shift, axis)| roll(&b, &x, shift, axis));
            let sum = sides.iter().fold(x.clone(), |sum, side| b.apply(&ADD, &[&sum, side]));
            assert_eq!(count(&b, &sum, "concat"), 4);
            b.check(&sum, kernels);
        }
        // Along both axes; of what is padded, and padded; transposed; a part of it, and what one part has all of.
        let both = roll(&b, &roll(&b, &x, 3, 0), -5, 1);
        b.check(&b.negative(&both), 1);
        let border = Op::Pad {
            axes: [AxisPad { before: 1, after: 1 }; 2].into_iter().collect(),
            value: Scalar::Float(2.0),
        };
        b.check(&b.negative(&roll(&b, &b.apply(&border, &[&x]), 2, 1)), 1);
        b.check(&b.negative(&b.apply(&border, &[&roll(&b, &x, 1, 1)])), 1);
        let tall = b.input(edges(Dtype::FLOAT32, [170, 80], 0));
        let transposed = b.apply(&permute(&[1, 0]), &[&roll(&b, &tall, 7, 0)]);
        b.check(&b.negative(&transposed), 1);
        let back = b.apply(&slice(&[(39, -1, 40), (169, -2, 85)]), &[&roll(&b, &x, 3, 1)]);
        b.check(&b.negative(&back), 1);
        for (start, len) in [(0, 3), (3, 167), (2, 100)] {
            let rolled = roll(&b, &b.negative(&x), 3, 1);
            b.check(&b.negative(&part(&b, &rolled, 1, (start, len))), 1);
        }
        // The same array twice; one value; as if it were flat.
        b.check(&b.negative(&concat(&b, 1, [&x, &x])), 1);
        let one = Op::Full { shape: [40, 1].into(), dtype: Dtype::FLOAT32, value: Scalar::Float(3.0) };
        let one = b.apply(&one, &[]);
        b.check(&b.negative(&concat(&b, 1, [&one, &x])), 1);
        let flat = b.apply(&Op::Reshape { shape: [6800].into() }, &[&x]);
        let flat = b.apply(&Op::Reshape { shape: [40, 170].into() }, &[&roll(&b, &flat, 9, 0)]);
        b.check(&b.apply(&ADD, &[&flat, &x]), 1);
    }
}

/// By itself it is a copy, which the reference kernels do; so it is in rows that are shorter than vectors.
#[test]
fn copies() {
    for (name, b) in fusing().into_iter().filter(|(_, b)| b.engine().device().is_none()) {
        let b = Side(&b);
        let x = b.input(edges(Dtype::FLOAT32, [40, 170], 0));
        b.check(&roll(&b, &x, 3, 1), 0);
        let short = b.input(edges(Dtype::FLOAT32, [50, 40], 0));
        let launches = if name == "llvm" { 1 } else { b.0.engine().take_history().len() };
        let rolled = b.negative(&roll(&b, &short, 3, 1));
        compare(&b, &rolled, &|| format!("short rows by {name}"));
        assert!(b.0.engine().take_history().len() <= launches.max(1));
    }
}

/// Joins of joins have ever more parts: after a few of them one is evaluated.
#[test]
fn chains_end() {
    for (name, b) in fusing() {
        let b = Side(&b);
        let mut x = b.input(edges(Dtype::INT32, [500], 0));
        for iteration in 0..12 {
            x = roll(&b, &x, 2 * iteration - 9, 0);
        }
        compare(&b, &b.apply(&ADD, &[&x, &x]), &|| format!("a chain by {name}"));
    }
}

#[test]
fn folds_of_what_is_joined() {
    for (name, b) in fusing() {
        let b = Side(&b);
        for dtype in [Dtype::FLOAT32, Dtype::INT64, Dtype::FLOAT16, Dtype::COMPLEX64] {
            for (rows, columns) in [(5, 270), (270, 3), (40, 70), (1, 3000)] {
                let x = b.input(edges(dtype, [rows, columns], 0));
                for op in [ReduceOp::Sum, ReduceOp::Max] {
                    if dtype.is_complex() && op == ReduceOp::Max {
                        continue;
                    }
                    for axes in [&[0][..], &[1], &[0, 1]] {
                        for (shift, axis) in [(1, 0), (-1, 1), (100, 1)] {
                            let rolled = b.apply(&ADD, &[&roll(&b, &x, shift, axis), &x]);
                            let got = b.apply(&reduce(op, axes), &[&rolled]);
                            compare(&b, &got, &|| {
                                format!("{op:?} {axes:?} of {dtype} ({rows}, {columns}), {shift} by {name}")
                            });
                        }
                    }
                }
            }
        }
    }
}

/// Rows that are normalized by their own folds; indices; running sums.
#[test]
fn where_fusion_stops() {
    for (name, b) in fusing() {
        let b = Side(&b);
        let x = b.input(edges(Dtype::FLOAT32, [90, 90], 0));
        let rolled = roll(&b, &b.negative(&x), 5, 1);
        let most = Op::Reduce { op: ReduceOp::Max, axes: Dims::from_slice(&[1]), keepdims: true };
        let most = b.apply(&most, &[&rolled]);
        compare(&b, &b.apply(&ADD, &[&rolled, &most]), &|| format!("rows by {name}"));
        let i: Vec<i64> = (0..80).map(|i| i * i % 90).collect();
        let i = b.input(ivy_core::host::HostArray::from_vec(i, [80].into()).unwrap());
        let taken = b.apply(&Op::Take { axis: 1 }, &[&roll(&b, &x, 4, 1), &roll(&b, &i, 9, 0)]);
        compare(&b, &roll(&b, &taken, 3, 1), &|| format!("what is taken by {name}"));
        let run = Op::Scan { op: ivy_core::ScanOp::Sum, axis: 1, include_initial: true };
        compare(&b, &b.apply(&run, &[&rolled]), &|| format!("a running sum by {name}"));
        let sum = b.apply(&reduce(ReduceOp::Sum, &[0]), &[&x]);
        compare(&b, &b.negative(&roll(&b, &sum, 4, 0)), &|| format!("of a fold by {name}"));
    }
}

#[test]
fn without_the_switches() {
    for (name, b) in fusing() {
        for settings in each_way(|all, fusion, joins| Settings { fusion, joins, small: false, ..all }) {
            b.engine().set_settings(settings);
            let b = Side(&b);
            let x = b.input(edges(Dtype::COMPLEX64, [9, 133], 0));
            let sum = b.apply(&ADD, &[&roll(&b, &x, 1, 1), &roll(&b, &x, -1, 1)]);
            let sum = b.apply(&ADD, &[&sum, &x]);
            b.0.engine().take_history();
            compare(&b, &sum, &|| format!("{settings:?} by {name}"));
            if settings.fusion && settings.joins && settings.views {
                assert_eq!(b.0.engine().take_history().len(), 1, "{settings:?} by {name}");
            }
        }
    }
}

/// Large enough to go past the caches, and to be computed by several threads.
#[test]
fn large_rolls() {
    for (name, b) in fusing().into_iter().filter(|(_, b)| b.engine().device().is_none()) {
        let b = Side(&b);
        for (shape, shift) in [(&[1_200_001][..], 17), (&[900, 1301], -1), (&[3, 700, 600], 599)] {
            let x = b.input(edges(Dtype::FLOAT32, shape, 0));
            for axis in 0..shape.len() {
                let sum = b.apply(&ADD, &[&roll(&b, &x, shift, axis), &roll(&b, &x, 2, axis)]);
                compare(&b, &sum, &|| format!("{shape:?} along {axis} by {name}"));
            }
        }
    }
}

/// A roll, a join with a part, or a pad, of what is small enough for it.
fn own(b: &Side<'_>, x: &Both, (what, i, j): Step) -> Option<Both> {
    let shape = x.theirs.shape().clone();
    match what % 12 {
        8 | 9 if !shape.is_empty() => {
            Some(roll(b, x, 3 * i as isize - 8 * j as isize, (i + j) % shape.len()))
        }
        10 if !shape.is_empty() && shape.size() < 20_000 => {
            let axis = j % shape.len();
            let some = part(b, x, axis, (0, shape[axis].min(1 + 9 * i)));
            Some(concat(b, axis, if j % 2 == 0 { [x, &some] } else { [&some, x] }))
        }
        11 if shape.size() < 20_000 => {
            let wide = |_: &usize| AxisPad { before: i % 3, after: j % 2 };
            let op = Op::Pad { axes: shape.iter().map(wide).collect(), value: Scalar::Int(1) };
            Some(b.apply(&op, &[x]))
        }
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(share(150)))]
    #[test]
    fn any_joins_of_anything(
        steps in prop::collection::vec((any::<u8>(), 0usize..7, 0usize..7), 1..14),
        rows in 0usize..5,
        columns in 1usize..150,
        (plain, views, joins) in (any::<bool>(), any::<bool>(), 0u8..8),
    ) {
        let settings = Settings { views, joins: joins > 0, small: joins > 6, ..Settings::default() };
        walk(&steps, [rows, columns], (plain, settings), own);
    }
}
