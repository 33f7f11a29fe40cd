//! Values that the engine and the reference kernels both have.
#![allow(dead_code)]

use super::arrays::{backends, reference, same, transposed};
use ivy_backend_jit::JitBackend;
use ivy_backend_jit::engine::Settings;
use ivy_backend_suite::edges;
use ivy_core::backend::{Backend, Value};
use ivy_core::host::HostArray;
use ivy_core::{AxisSlice, BinaryOp, Dims, Dtype, Op, Shape, UnaryOp};

/// A value as both sides have it: pending, and computed at once.
#[derive(Clone)]
pub struct Both {
    pub ours: Value,
    pub theirs: HostArray,
}

/// Makes values, each by both.
pub struct Side<'b>(pub &'b JitBackend);

impl Side<'_> {
    pub fn input(&self, array: HostArray) -> Both {
        Both { ours: self.0.from_host(array.clone()).unwrap(), theirs: array }
    }

    pub fn apply(&self, op: &Op, operands: &[&Both]) -> Both {
        let ours: Vec<&Value> = operands.iter().map(|b| &b.ours).collect();
        let theirs: Vec<&HostArray> = operands.iter().map(|b| &b.theirs).collect();
        Both { ours: self.0.execute(op, &ours).unwrap().remove(0), theirs: reference(op, &theirs).remove(0) }
    }

    pub fn negative(&self, x: &Both) -> Both {
        self.apply(&Op::Unary(UnaryOp::Negative), &[x])
    }

    #[track_caller]
    pub fn check(&self, x: &Both, kernels: usize) {
        let got = self.0.to_host(&x.ours).unwrap();
        same(&got, &x.theirs, &|| "by both".into());
        assert_eq!(self.0.engine().take_history().len(), kernels);
    }
}

/// All switches off and all on, each time with two that `with` sets in every way.
pub fn each_way(with: impl Fn(Settings, bool, bool) -> Settings) -> Vec<Settings> {
    let ways = [(false, false), (false, true), (true, false), (true, true)];
    let all = [0, u64::MAX].map(|bits| ways.map(|(a, b)| with(Settings::of(bits), a, b)));
    all.into_iter().flatten().collect()
}

/// A slice: start, step and length of each axis.
pub fn slice(axes: &[(usize, isize, usize)]) -> Op {
    Op::Slice { axes: axes.iter().map(|&(start, step, len)| AxisSlice { start, step, len }).collect() }
}

/// The sum of two.
pub const ADD: Op = Op::Binary(BinaryOp::Add);

/// Axes in another order.
pub fn permute(axes: &[usize]) -> Op {
    Op::PermuteDims { axes: Dims::from_slice(axes) }
}

/// What to do next: a number that chooses, and two that say how.
pub type Step = (u8, usize, usize);

/// What a step makes of the last of some values: its negative, a view of it, or the sum with an earlier
/// one of its shape.
pub fn step(b: &Side<'_>, all: &[Both], (what, i, j): Step) -> Both {
    let x = &all[all.len() - 1];
    let shape = x.theirs.shape();
    match what % 8 {
        0 | 1 => b.negative(x),
        2 if !shape.is_empty() => {
            let cut = |&n: &usize| match n {
                0 => (0, 1, 0),
                _ if i % 3 == 0 => (n - 1, -1, n),
                _ => {
                    let (start, step) = ((i + j) % n, 1 + j % 2);
                    (start, step as isize, (n - start).div_ceil(step))
                }
            };
            b.apply(&slice(&shape.iter().map(cut).collect::<Vec<_>>()), &[x])
        }
        3 => {
            let axes: Vec<usize> = (0..shape.len()).map(|a| (a + i) % shape.len()).collect();
            b.apply(&permute(&axes), &[x])
        }
        4 => {
            let n = shape.size();
            let divisor = (2..=n.min(7)).rev().find(|d| n.is_multiple_of(*d)).unwrap_or(1);
            let to: Shape = match j % 3 {
                0 => [n].into(),
                1 => [divisor, n / divisor].into(),
                _ => [n / divisor, 1, divisor].into(),
            };
            b.apply(&Op::Reshape { shape: to }, &[x])
        }
        5 if shape.size() < 1000 => {
            let mut to = vec![1 + i % 3];
            to.extend(shape.iter().map(|&n| if n == 1 { 1 + j % 4 } else { n }));
            b.apply(&Op::BroadcastTo { shape: to.as_slice().into() }, &[x])
        }
        _ => {
            let other = all.iter().rev().find(|y| y.theirs.shape() == shape).unwrap_or(x);
            b.apply(&ADD, &[x, other])
        }
    }
}

/// What random steps make of edges of this many rows and columns, as they are or transposed: of some dtypes, by
/// every backend with these settings. A step is one of its own, if `own` knows it, or one of [`step`].
pub fn walk(
    steps: &[Step],
    shape: [usize; 2],
    (plain, settings): (bool, Settings),
    own: impl Fn(&Side<'_>, &Both, Step) -> Option<Both>,
) {
    for (name, b) in backends() {
        b.engine().set_settings(settings);
        let b = Side(&b);
        for dtype in [Dtype::FLOAT32, Dtype::UINT8, Dtype::COMPLEX128] {
            let x = edges(dtype, shape, 0);
            let mut all = vec![b.input(if plain { x } else { transposed(&x) })];
            for &taken in steps {
                let next = own(&b, &all[all.len() - 1], taken).unwrap_or_else(|| step(&b, &all, taken));
                all.push(next);
            }
            let last = &all[all.len() - 1];
            same(&b.0.to_host(&last.ours).unwrap(), &last.theirs, &|| format!("{dtype} {steps:?} by {name}"));
        }
    }
}
