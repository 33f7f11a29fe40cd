//! Calls of what normalizes.

use super::conv::text;
use super::{CONTIGUOUS, Maker, ON, int, ints};
use crate::sample::Layout;
use crate::sample::values::moderate;
use crate::truth::{Arg, Keywords, Num};
use ivy_core::function::ParamValue;

fn float(name: &'static str, x: f64) -> (&'static str, ParamValue) {
    (name, ParamValue::Float(x))
}

impl Maker<'_> {
    pub(super) fn norms(&mut self, name: &'static str) -> bool {
        match name {
            "layer_norm" => self.layer_norm(),
            "batch_norm" | "instance_norm" => self.channel_norm(name),
            "group_norm" => self.group_norm(),
            "lp_normalize" | "l1_normalize" | "l2_normalize" => self.lengths(name),
            "rms_norm" => self.rms_norm(),
            "local_response_norm" => self.responses(),
            _ => return false,
        }
        true
    }

    /// Operand `i` of moderate floats or of few small integers, whose squares any float dtype adds; left out where the
    /// combination leaves it out.
    pub(super) fn tame(&mut self, i: usize, shape: &[usize]) -> Arg {
        match self.c.operands[i] {
            Some(dtype) if dtype.is_int() => {
                let low = dtype.int_range().map_or(0, |r| r.0.max(-4));
                let values: Vec<Num> = (0..7).map(|k| Num::Int(low + k * 5 % 9)).collect();
                self.array(i, shape, &values)
            }
            _ => self.mild(i, shape),
        }
    }

    /// The same without a sign.
    fn tame_size(&mut self, i: usize, shape: &[usize]) -> Arg {
        match self.tame(i, shape) {
            Arg::Array(mut t) => {
                for x in &mut t.data {
                    *x = match *x {
                        Num::Int(x) => Num::Int(x.abs()),
                        Num::Float(x) => Num::Float(x.abs()),
                        other => other,
                    };
                }
                Arg::Array(t)
            }
            other => other,
        }
    }

    fn layer_norm(&mut self) {
        let calls: Vec<(&[usize], &[usize], Keywords)> = vec![
            (&[3, 5], &[5], vec![]),
            (&[2, 3, 4], &[3, 4], vec![("normalized_idxs", ints(&[1, -1])), float("eps", 0.5)]),
            (&[2, 3, 4], &[1, 4], vec![("normalized_idxs", int(0)), float("new_std", 2.5)]),
            (&[7], &[], vec![("normalized_idxs", int(0))]),
            (&[0, 4], &[4], vec![]),
            (&[2, 1], &[1], vec![]),
        ];
        for (i, (x, beside, keywords)) in calls.into_iter().enumerate() {
            let operands = vec![self.tame(0, x), self.tame(1, beside), self.tame(2, beside)];
            self.push(operands, keywords, if i % 2 == 1 { Layout::Transposed } else { CONTIGUOUS });
        }
    }

    fn channel_norm(&mut self, name: &'static str) {
        let first = ("data_format", text("NCS"));
        let planes = ("data_format", text("NCHW"));
        let mut calls: Vec<(&[usize], usize, Keywords)> = vec![
            (&[3, 4, 2], 2, vec![]),
            (&[2, 3, 5], 3, vec![first.clone(), float("eps", 0.25)]),
            (&[3, 4, 2], 2, vec![("training", ON), float("eps", 1e-3)]),
            (&[2, 3, 2, 2], 3, vec![planes, ("training", ON), float("eps", 1e-3), float("momentum", 0.75)]),
            (&[0, 4, 2], 2, vec![]),
        ];
        if name == "batch_norm" {
            calls.push((&[4, 3], 3, vec![("training", ON), float("momentum", 1.0)]));
            calls.push((&[4, 3], 3, vec![first]));
        }
        for (i, (shape, count, keywords)) in calls.into_iter().enumerate() {
            let c = [count];
            let operands = vec![
                self.tame(0, shape),
                self.tame(1, &c),
                self.tame_size(2, &c),
                self.tame(3, &c),
                self.tame(4, &c),
            ];
            let mut keywords = keywords;
            // Without it, the variance of equal elements would be divided by.
            if !keywords.iter().any(|k| k.0 == "eps") {
                keywords.push(float("eps", 0.125));
            }
            self.push(operands, keywords, if i % 2 == 1 { Layout::Transposed } else { CONTIGUOUS });
        }
    }

    fn group_norm(&mut self) {
        let calls: Vec<(&[usize], usize, Keywords)> = vec![
            (&[2, 3, 4], 4, vec![]),
            (&[2, 3, 4], 4, vec![("num_groups", int(2))]),
            (&[2, 6, 3], 6, vec![("num_groups", int(3)), ("data_format", text("channel_first"))]),
            (&[2, 4], 4, vec![("num_groups", int(2)), float("eps", 0.5)]),
            (&[1, 2, 3, 2], 2, vec![("num_groups", int(2)), ("data_format", text("NHWC"))]),
            (&[0, 3, 2], 2, vec![]),
        ];
        for (i, (x, c, keywords)) in calls.into_iter().enumerate() {
            let operands = vec![self.tame(0, x), self.tame(1, &[c]), self.tame(2, &[c])];
            self.push(operands, keywords, if i % 2 == 1 { Layout::Transposed } else { CONTIGUOUS });
        }
    }

    fn lengths(&mut self, name: &'static str) {
        let mut calls: Vec<(&[usize], Keywords)> = vec![
            (&[5], vec![]),
            (&[3, 4], vec![("axis", int(-1))]),
            (&[2, 3, 4], vec![("axis", ints(&[0, 2]))]),
            (&[0, 3], vec![("axis", int(1))]),
            (&[], vec![]),
        ];
        if name == "lp_normalize" {
            for p in [1.0, 3.0, 0.5, f64::INFINITY] {
                calls.push((&[3, 4], vec![float("p", p), ("axis", int(0))]));
            }
        }
        for (i, (shape, keywords)) in calls.into_iter().enumerate() {
            let x = self.tame(0, shape);
            self.push(vec![x], keywords, if i % 2 == 1 { Layout::Transposed } else { CONTIGUOUS });
        }
        // A vector of zeros stays one.
        let values = moderate(self.dtype(0), &mut self.rng, 2);
        let zeros = [Num::Int(0), Num::Int(0)];
        let x = self.array(0, &[2, 2], &[&zeros[..], &values].concat());
        if !self.dtype(0).is_int() {
            self.push(vec![x], vec![("axis", int(1))], CONTIGUOUS);
        }
    }

    fn responses(&mut self) {
        let calls: Vec<(&[usize], i64, Keywords)> = vec![
            (&[2, 2, 2, 5], 3, vec![]),
            (&[1, 5, 2, 3], 4, vec![("data_format", text("NCHW")), float("beta", 0.75), float("alpha", 0.5)]),
            (&[1, 2, 1, 4], 9, vec![("average", ON), float("bias", 2.0)]),
            (&[3, 4], 1, vec![("data_format", text("NSC"))]),
            (&[0, 1, 2, 2], 2, vec![]),
        ];
        for (i, (shape, size, keywords)) in calls.into_iter().enumerate() {
            let x = self.tame(0, shape);
            let keywords = [vec![("size", int(size))], keywords].concat();
            self.push(vec![x], keywords, if i % 2 == 1 { Layout::Transposed } else { CONTIGUOUS });
        }
    }

    fn rms_norm(&mut self) {
        let calls: [(&[usize], &[usize], Keywords, Layout); 4] = [
            (&[3, 4], &[4], vec![], CONTIGUOUS),
            (
                &[2, 3, 2],
                &[3, 2],
                vec![("normalized_idxs", ints(&[1, 2])), float("eps", 0.5)],
                Layout::Transposed,
            ),
            (&[4, 2], &[4, 1], vec![("normalized_idxs", int(0))], Layout::Reversed),
            (&[0, 3], &[3], vec![], CONTIGUOUS),
        ];
        for (shape, of_scale, keywords, layout) in calls {
            let scale = if self.c.operands.len() > 1 { self.tame(1, of_scale) } else { Arg::Absent };
            let operands = vec![self.tame(0, shape), scale];
            self.push(operands, keywords, layout);
        }
    }
}
