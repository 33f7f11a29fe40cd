//! Calls that read elements at places, and that put updates there.

use super::{CONTIGUOUS, Maker, int, ints};
use crate::sample::Layout;
use crate::sample::values::{moderate, repeated};
use crate::truth::num::cast;
use crate::truth::{Arg, Num};
use ivy_core::function::ParamValue;
use ivy_core::promotion::promote_all;
use ivy_core::{Dtype, Rules, ScatterOp};

impl Maker<'_> {
    pub(super) fn gathering(&mut self, name: &'static str) {
        // Shapes of both, the axis, the axes in common, and how long the indexed axes are.
        type Call = (&'static [usize], &'static [usize], i64, i64, usize, Layout);
        let calls: &[Call] = match name {
            "gather" => &[
                (&[5], &[7], -1, 0, 5, CONTIGUOUS),
                (&[3, 4], &[2, 3], 0, 0, 3, Layout::Transposed),
                (&[3, 4], &[], -1, 0, 4, CONTIGUOUS),
                (&[2, 3, 4], &[2, 5], 2, 1, 4, Layout::Reversed),
                (&[2, 3], &[2, 0], 1, 1, 3, CONTIGUOUS),
            ],
            _ => &[
                (&[5], &[7, 1], 0, 0, 5, CONTIGUOUS),
                (&[3, 3], &[2, 3, 2], 0, 0, 3, Layout::Transposed),
                (&[3, 4], &[1], 0, 0, 3, CONTIGUOUS),
                (&[2, 3, 4], &[2, 5, 1], 0, 1, 3, Layout::Reversed),
                (&[2, 2], &[0, 2], 0, 0, 2, CONTIGUOUS),
            ],
        };
        for &(shape, which, axis, batches, n, layout) in calls {
            let x = self.some(0, shape);
            let lanes = if name == "gather" { which } else { &which[..which.len() - 1] };
            let (index, mask) = self.masked(1, which, n, 2, lanes);
            let operands = vec![x, index, mask];
            let mut keywords = vec![("batch_dims", int(batches))];
            if name == "gather" {
                keywords.push(("axis", int(axis)));
            }
            self.push(operands, keywords, layout);
        }
    }

    /// Indices as operand `i` and a mask as operand `at`, if the combination has one, of lanes; those that it
    /// leaves out are far.
    fn masked(&mut self, i: usize, shape: &[usize], n: usize, at: usize, lanes: &[usize]) -> (Arg, Arg) {
        let mut indices = self.indices(i, shape, n);
        if self.c.operands[at].is_none() {
            return (indices, Arg::Absent);
        }
        let count = lanes.iter().product::<usize>();
        let on: Vec<bool> = (0..count).map(|_| self.rng.bits() & 3 > 0).collect();
        if let Arg::Array(indices) = &mut indices {
            let each = indices.data.len() / count.max(1);
            for (lane, _) in on.iter().enumerate().filter(|(_, on)| !**on) {
                indices.data[lane * each..][..each].fill(Num::Int(99));
            }
        }
        let mask: Vec<Num> = on.into_iter().map(|on| cast(Num::Bool(on), self.dtype(at))).collect();
        (indices, self.array(at, lanes, &mask))
    }

    pub(super) fn exchanging(&mut self, name: &'static str) {
        let count = self.c.operands.len();
        let calls: [(usize, &[usize], Layout); 4] = [
            (4, &[9], CONTIGUOUS),
            (3, &[2, 3], Layout::Transposed),
            (1, &[3], Layout::Reversed),
            (2, &[0], CONTIGUOUS),
        ];
        for (length, shape, layout) in calls {
            let mut operands = Vec::new();
            for i in 0..count - 2 {
                // Few values, so that some are what is expected.
                let (dims, n) =
                    if i == 0 { (&[length][..], length) } else { (shape, shape.iter().product()) };
                let values = repeated(self.dtype(i), &mut self.rng, n.max(1), name == "scatter_cas");
                operands.push(self.array(i, dims, &values));
            }
            let (index, mask) = self.masked(count - 2, shape, length, count - 1, shape);
            operands.extend([index, mask]);
            self.push(operands, vec![], layout);
        }
    }

    pub(super) fn scattering(&mut self, name: &'static str) {
        // Shapes of the result, the indices and the updates, and how long the indexed axes are.
        type Call = (&'static [usize], &'static [usize], &'static [usize], usize, Layout);
        let calls: &[Call] = match name {
            "scatter_flat" => &[
                (&[4], &[7], &[7], 4, CONTIGUOUS),
                (&[6], &[4], &[1], 6, Layout::Reversed),
                (&[3], &[0], &[0], 3, CONTIGUOUS),
            ],
            _ => &[
                (&[3], &[7, 1], &[7], 3, CONTIGUOUS),
                (&[3, 3], &[5, 2], &[5], 3, Layout::Transposed),
                (&[3, 2], &[2, 3, 1], &[2, 3, 2], 3, Layout::Reversed),
                (&[2, 4], &[3, 1], &[4], 2, CONTIGUOUS),
                (&[2, 3], &[0, 1], &[0, 3], 2, CONTIGUOUS),
            ],
        };
        let (out, masks) = (self.c.operands[2], self.c.operands[3].is_some());
        let Some(updates) = self.c.operands[1] else { return };
        let both: Vec<Dtype> = [Some(updates), out].into_iter().flatten().collect();
        // Reductions that the common dtype does not have are refused.
        let Ok(Some(common)) = promote_all(name, Rules::Precise, &both) else { return };
        let words = [
            ("sum", ScatterOp::Add),
            ("replace", ScatterOp::Set),
            ("min", ScatterOp::Min),
            ("max", ScatterOp::Max),
            ("mul", ScatterOp::Mul),
            ("and", ScatterOp::And),
            ("or", ScatterOp::Or),
        ];
        for (word, op) in words.into_iter().filter(|&(_, op)| op.takes(common)) {
            for &(shape, which, given, n, layout) in calls {
                let count = given.iter().product::<usize>();
                let values = match op {
                    ScatterOp::Min | ScatterOp::Max => repeated(updates, &mut self.rng, count, count > 4),
                    _ => moderate(updates, &mut self.rng, count.max(1)),
                };
                let given = self.array(1, given, &values);
                let mut keywords = vec![("reduction", ParamValue::Text(word.into()))];
                let onto = match out {
                    Some(dtype) => {
                        let values = moderate(dtype, &mut self.rng, shape.iter().product());
                        self.array(2, shape, &values)
                    }
                    None => {
                        let lengths: Vec<i64> = shape.iter().map(|&n| n as i64).collect();
                        let (name, value) = match name {
                            "scatter_flat" => ("size", int(lengths[0])),
                            _ => ("shape", ints(&lengths)),
                        };
                        keywords.push((name, value));
                        Arg::Absent
                    }
                };
                if masks {
                    keywords.push(("mode", ParamValue::Text("permute".into())));
                }
                let lanes = if name == "scatter_nd" { &which[..which.len() - 1] } else { which };
                let (index, mask) = self.masked(0, which, n, 3, lanes);
                self.push(vec![index, given, onto, mask], keywords, layout);
            }
        }
    }
}
