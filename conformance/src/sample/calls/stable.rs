//! Calls of quotients and powers away from zero.

use super::{CONTIGUOUS, Maker};
use crate::sample::{Layout, moderate};
use crate::truth::{Keywords, Num};
use ivy_core::function::ParamValue;

impl Maker<'_> {
    pub(super) fn stable(&mut self, name: &'static str) {
        let keyword = if name == "stable_pow" { "min_base" } else { "min_denominator" };
        let given: [Keywords; 2] = [vec![], vec![(keyword, ParamValue::Float(0.25))]];
        let shapes: [(&[usize], &[usize], Layout); 4] = [
            (&[2, 3], &[3], Layout::Transposed),
            (&[4], &[4], Layout::Reversed),
            (&[], &[2], CONTIGUOUS),
            (&[0], &[1], CONTIGUOUS),
        ];
        for keywords in given {
            for (s, t, layout) in shapes {
                let operands = [s, t].into_iter().enumerate().map(|(i, shape)| {
                    let mut values =
                        moderate(self.dtype(i), &mut self.rng, shape.iter().product::<usize>().max(1));
                    // Bases of powers, and denominators that nothing cancels.
                    for x in values.iter_mut().filter(|_| i == 1 || name == "stable_pow") {
                        *x = match *x {
                            Num::Float(x) => Num::Float(x.abs()),
                            Num::Int(x) => Num::Int(x.unsigned_abs() as i128 % 5 + 1),
                            other => other,
                        };
                    }
                    self.array(i, shape, &values)
                });
                let operands = operands.collect();
                self.push(operands, keywords.clone(), layout);
            }
        }
    }
}
