//! Choices, indexing and searching.

use super::{CONTIGUOUS, Maker, int};
use crate::sample::Layout;
use crate::sample::values::{edges, random, repeated};
use crate::truth::{Arg, Num, Tensor};
use ivy_core::function::ParamValue;

impl Maker<'_> {
    pub(super) fn choice(&mut self, name: &'static str) {
        let shapes: [[&[usize]; 3]; 4] =
            [[&[3, 1], &[4], &[3, 4]], [&[], &[2], &[]], [&[5], &[5], &[5]], [&[0], &[1], &[0]]];
        for (k, shapes) in shapes.into_iter().enumerate() {
            let mut operands = Vec::new();
            for (i, shape) in shapes.into_iter().enumerate() {
                if self.c.operands[i].is_none() {
                    operands.push(Arg::Absent);
                    continue;
                }
                let dtype = self.dtype(i);
                let mut values = if k == 0 { edges(dtype) } else { vec![] };
                values.extend(random(dtype, &mut self.rng, 12));
                let turn = self.rng.below(values.len());
                values.rotate_left(turn);
                operands.push(self.array(i, shape, &values));
            }
            // A lower bound above the upper one has no answer: the bounds are kept apart.
            if name == "clip" && self.c.operands[1].is_some() && self.c.operands[2].is_some() {
                let bound = |i: usize, x: i128| match &operands[i] {
                    Arg::Array(t) => {
                        Arg::Array(Tensor::new(t.dtype, &t.shape, vec![Num::Int(x); t.data.len()]))
                    }
                    other => other.clone(),
                };
                operands = vec![operands[0].clone(), bound(1, 2), bound(2, 90)];
            }
            let layout = if k == 2 { Layout::Reversed } else { CONTIGUOUS };
            self.push(operands, vec![], layout);
        }
    }

    pub(super) fn indexing(&mut self, name: &'static str) {
        if name == "take" {
            let calls: [(&[usize], i64, usize, Layout); 4] = [
                (&[5], 0, 7, CONTIGUOUS),
                (&[3, 4], 1, 3, Layout::Transposed),
                (&[3, 4], -2, 2, CONTIGUOUS),
                (&[4, 2], 0, 0, CONTIGUOUS),
            ];
            for (shape, axis, count, layout) in calls {
                let n = shape[if axis < 0 { (axis + shape.len() as i64) as usize } else { axis as usize }];
                let operands = vec![self.some(0, shape), self.indices(1, &[count], n)];
                self.push(operands, vec![("axis", int(axis))], layout);
            }
            return;
        }
        let calls: [(&[usize], &[usize], i64, usize); 3] =
            [(&[3, 4], &[3, 2], -1, 4), (&[3, 4], &[5, 4], 0, 3), (&[4], &[6], 0, 4)];
        for (shape, which, axis, n) in calls {
            let operands = vec![self.some(0, shape), self.indices(1, which, n)];
            self.push(operands, vec![("axis", int(axis))], Layout::Transposed);
        }
    }

    pub(super) fn searchsorted(&mut self) {
        let (a, b) = (self.dtype(0), self.dtype(1));
        for side in ["left", "right"] {
            for n in [7, 0] {
                let mut sorted = repeated(a, &mut self.rng, 7, true);
                // Sorted in the dtype that both promote to, where rounding keeps the order.
                sorted.retain(|x| !x.is_nan());
                sorted.sort_by(|x, y| match (x, y) {
                    (Num::Int(i), Num::Int(j)) => i.cmp(j),
                    _ => x.re().total_cmp(&y.re()),
                });
                sorted.truncate(n);
                let n = sorted.len();
                let wanted = repeated(b, &mut self.rng, 6, true);
                let mut operands = vec![self.array(0, &[n], &sorted), self.array(1, &[2, 3], &wanted)];
                let sorter = match self.c.operands[2] {
                    None => Arg::Absent,
                    Some(_) => {
                        // The array reversed, and the order that undoes it.
                        let mut reversed = sorted.clone();
                        reversed.reverse();
                        operands[0] = self.array(0, &[n], &reversed);
                        let back: Vec<Num> = (0..n as i128).rev().map(Num::Int).collect();
                        self.array(2, &[n], &back)
                    }
                };
                operands.push(sorter);
                self.push(operands, vec![("side", ParamValue::Text(side.into()))], CONTIGUOUS);
            }
        }
    }

    pub(super) fn isin(&mut self) {
        let (a, b) = (self.dtype(0), self.dtype(1));
        for (shape, other, invert) in
            [(&[4, 3][..], &[6][..], false), (&[5], &[2, 3], true), (&[3], &[0], false)]
        {
            let x = repeated(a, &mut self.rng, 12, true);
            let y = repeated(b, &mut self.rng, 6, true);
            let operands = vec![self.array(0, shape, &x), self.array(1, other, &y)];
            self.push(operands, vec![("invert", ParamValue::Bool(invert))], CONTIGUOUS);
        }
    }
}
