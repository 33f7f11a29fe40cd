//! Calls of numbers of further distributions, each with a seed.

use super::random::{Shapes, number};
use super::{CONTIGUOUS, Maker, int, ints};
use crate::sample::Layout;
use crate::truth::{Arg, Keywords, Num};
use ivy_core::function::ParamValue;

const SHAPES: [Shapes<'static>; 5] = [
    (&[], &[], Some(&[2, 3])),
    (&[3, 1], &[2], None),
    (&[4], &[], Some(&[3, 4])),
    (&[0], &[1], None),
    (&[1], &[30], None),
];

impl Maker<'_> {
    /// An operand of numbers above 0; left out or a number where the combination says so.
    fn positive(&mut self, i: usize, shape: &[usize], otherwise: Arg) -> Arg {
        let values: &[f64] = match self.dtype(i).is_float() {
            true => &[0.75, 3.0, 1.0, 0.25, 12.5],
            false => &[1.0, 3.0, 2.0],
        };
        self.array_or(i, shape, values, otherwise)
    }

    /// Calls of two shape parameters.
    pub(super) fn gammas(&mut self) {
        for (k, (alpha, beta, shape)) in SHAPES.into_iter().enumerate() {
            let keywords: Keywords = shape.map(|s| ("shape", ints(s))).into_iter().collect();
            let alpha = self.positive(0, alpha, Arg::Absent);
            let beta = self.positive(1, beta, if k % 2 == 0 { Arg::Absent } else { number(2.5) });
            self.seeded(vec![alpha, beta], keywords, if k == 1 { Layout::Transposed } else { CONTIGUOUS });
        }
    }

    /// Calls of one parameter.
    pub(super) fn one_parameter(&mut self, values: &[f64]) {
        for (k, (_, shape, drawn)) in SHAPES.into_iter().enumerate() {
            let keywords: Keywords = drawn.map(|s| ("shape", ints(s))).into_iter().collect();
            let x = self.array_or(0, shape, values, if k % 2 == 0 { Arg::Absent } else { number(2.5) });
            self.seeded(vec![x], keywords, if k == 1 { Layout::Transposed } else { CONTIGUOUS });
        }
    }

    pub(super) fn parts_of_one(&mut self) {
        let shapes: [(&[usize], Option<&[i64]>); 5] =
            [(&[3], None), (&[2, 3], Some(&[4])), (&[1], Some(&[2, 2])), (&[0, 2], None), (&[5], Some(&[0]))];
        for (shape, size) in shapes {
            for layout in [CONTIGUOUS, Layout::Reversed] {
                let alpha = self.positive(0, shape, Arg::Absent);
                self.seeded(vec![alpha], size.map(|s| ("size", ints(s))).into_iter().collect(), layout);
            }
        }
    }

    pub(super) fn chosen(&mut self) {
        let weights = [2.0, 0.0, 1.0, 4.0, 1.0].map(Num::Float);
        let calls: [(&[usize], i64, &[i64]); 7] = [
            (&[5], 0, &[]),
            (&[7], 0, &[2, 3]),
            (&[2, 6], -1, &[4]),
            (&[3, 2, 2], 0, &[2, 1]),
            (&[4, 0], 0, &[3]),
            (&[0, 2], 0, &[0]),
            (&[2, 9, 3], 1, &[9]),
        ];
        for (shape, axis, size) in calls {
            for replace in [true, false] {
                let along = if axis < 0 { shape[shape.len() - 1] } else { shape[axis as usize] };
                let a = self.some(0, shape);
                let p = match self.c.operands[1] {
                    Some(_) => self.array(1, &[along], &weights),
                    None => Arg::Absent,
                };
                let keywords: Keywords =
                    vec![("size", ints(size)), ("axis", int(axis)), ("replace", ParamValue::Bool(replace))];
                self.seeded(vec![a, p], keywords, if replace { CONTIGUOUS } else { Layout::Transposed });
            }
        }
    }
}
