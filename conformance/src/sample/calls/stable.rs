//! Calls of quotients and powers away from zero.

use super::{CONTIGUOUS, Maker};
use crate::sample::{Layout, moderate};
use crate::truth::{Arg, Num};

impl Maker<'_> {
    pub(super) fn stable(&mut self, name: &'static str) {
        let shapes: [(&[usize], &[usize], Layout); 4] = [
            (&[2, 3], &[3], Layout::Transposed),
            (&[4], &[4], Layout::Reversed),
            (&[], &[2], CONTIGUOUS),
            (&[0], &[1], CONTIGUOUS),
        ];
        for (s, t, layout) in shapes {
            // What is added is of one element, or of the second operand's shape.
            for added in [&[][..], t] {
                let mut operands: Vec<Arg> = [s, t]
                    .into_iter()
                    .enumerate()
                    .map(|(i, shape)| self.away_from_zero(name, i, shape))
                    .collect();
                operands.push(match self.c.operands[2] {
                    Some(dtype) if dtype.is_int() || dtype.is_bool() => self.array(2, added, &[Num::Int(1)]),
                    Some(_) => self.array(2, added, &[Num::Float(0.25)]),
                    None => Arg::Absent,
                });
                self.push(operands, vec![], layout);
            }
        }
    }

    /// Bases of powers, and denominators that nothing cancels, are positive.
    fn away_from_zero(&mut self, name: &'static str, i: usize, shape: &[usize]) -> Arg {
        let count = shape.iter().product::<usize>().max(1);
        let mut values = moderate(self.dtype(i), &mut self.rng, count);
        for x in values.iter_mut().filter(|_| i == 1 || name == "stable_pow") {
            *x = match *x {
                Num::Float(x) => Num::Float(x.abs()),
                Num::Int(x) => Num::Int(x.unsigned_abs() as i128 % 5 + 1),
                other => other,
            };
        }
        self.array(i, shape, &values)
    }
}
