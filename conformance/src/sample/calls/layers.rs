//! Attention, recurrent steps, tables, samples and transforms.

use super::conv::text;
use super::{CONTIGUOUS, Maker, ON, int, ints};
use crate::sample::Layout;
use crate::truth::{Arg, Keywords, Num};
use ivy_core::Scalar;
use ivy_core::function::ParamValue;

impl Maker<'_> {
    pub(super) fn attention(&mut self) {
        let calls: [([&[usize]; 3], &[usize]); 4] = [
            ([&[2, 3], &[4, 3], &[4, 2]], &[2, 4]),
            ([&[2, 3, 2], &[2, 3, 2], &[2, 3, 2]], &[3, 3]),
            ([&[2, 1, 2, 4], &[3, 5, 4], &[5, 1]], &[1, 2, 5]),
            ([&[0, 2, 2], &[0, 2, 2], &[0, 2, 2]], &[2, 1]),
        ];
        for (i, ([q, k, v], mask)) in calls.into_iter().enumerate() {
            let mut operands = vec![self.mild(0, q), self.mild(1, k), self.mild(2, v)];
            let mut keywords: Keywords = vec![];
            operands.push(match self.c.operands[3] {
                Some(_) => {
                    let seen = [true, false, true, true, false, true].map(Num::Bool);
                    self.array(3, mask, &seen)
                }
                None => {
                    keywords.extend((i % 2 == 1).then_some(("is_causal", ON)));
                    Arg::Absent
                }
            });
            keywords.extend((i == 2).then_some(("scale", ParamValue::Float(0.75))));
            let layout = if i == 1 { Layout::Transposed } else { CONTIGUOUS };
            self.push(operands.clone(), keywords.clone(), layout);
            // In training.
            keywords.extend([("dropout_p", ParamValue::Float(0.25)), ("training", ON)]);
            self.seeded(operands, keywords, CONTIGUOUS);
        }
    }

    /// Calls with some of the operands each, such that all dtypes of a combination are among them.
    pub(super) fn heads(&mut self) {
        let dtypes = |which: &dyn Fn(usize) -> bool, maker: &Self| {
            let mut all: Vec<_> = (0..16)
                .filter(|&i| i != 3 && i != 11 && which(i))
                .filter_map(|i| maker.c.operands[i])
                .map(|d| d.index())
                .collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let two = ("num_heads", int(2));
        let weights = || vec![two.clone(), ("return_attention_weights", ON)];
        let with = |mut k: Keywords, more: &[(&'static str, ParamValue)]| {
            k.extend_from_slice(more);
            k
        };
        let off = ParamValue::Bool(false);
        type Shapes<'a> = &'a [(usize, &'a [usize])];
        let calls: Vec<(Shapes<'_>, Keywords)> = vec![
            (&[(0, &[2, 3, 4])], with(weights(), &[("is_causal", ON)])),
            (
                &[(0, &[2, 3, 4])],
                with(weights(), &[("dropout", ParamValue::Float(0.3)), ("training", ON), ("seed", int(6))]),
            ),
            (&[(0, &[3, 4]), (1, &[2, 4]), (2, &[2, 4]), (8, &[5, 4]), (10, &[5])], vec![two.clone()]),
            (
                &[
                    (0, &[2, 3, 4]),
                    (3, &[3, 3]),
                    (4, &[12, 4]),
                    (9, &[12]),
                    (11, &[2, 3]),
                    (8, &[4, 4]),
                    (10, &[4]),
                ],
                with(weights(), &[("average_attention_weights", off.clone())]),
            ),
            (
                &[
                    (0, &[3, 2, 3]),
                    (1, &[2, 2, 5]),
                    (2, &[2, 2, 1]),
                    (5, &[4, 3]),
                    (6, &[4, 5]),
                    (7, &[4, 1]),
                    (9, &[12]),
                    (11, &[2, 2]),
                    (12, &[1, 1, 4]),
                    (13, &[1, 1, 4]),
                ],
                with(weights(), &[("batch_first", off), ("add_zero_attn", ON)]),
            ),
            (&[(0, &[1, 2, 4]), (3, &[2, 2, 3]), (14, &[2, 3, 2]), (15, &[2, 3, 2])], vec![two.clone()]),
        ];
        let everything = dtypes(&|_| true, self);
        for (shapes, keywords) in calls {
            let given = |i: usize| shapes.iter().any(|s| s.0 == i);
            if dtypes(&given, self) != everything && self.c.operands.iter().flatten().count() > 1 {
                continue;
            }
            if shapes.iter().any(|s| self.c.operands[s.0].is_none()) {
                continue;
            }
            let mut operands = vec![Arg::Absent; 16];
            for &(i, shape) in shapes {
                operands[i] = match (i, self.dtype(i).is_bool()) {
                    // Each query sees a key.
                    (3 | 11, true) => self.array(
                        i,
                        shape,
                        &[false, true, false].map(Num::Bool)[..shape[shape.len() - 1].min(3)],
                    ),
                    // Products of several large integers are beyond float32.
                    _ if self.dtype(i).is_int() => self.array(i, shape, &[2, 0, 1, 1, 3].map(Num::Int)),
                    _ => self.mild(i, shape),
                };
            }
            self.push(operands, keywords, CONTIGUOUS);
        }
    }

    pub(super) fn lstm(&mut self) {
        let calls: [(&[usize], &[usize], bool); 4] = [
            (&[2, 3, 2], &[2, 3], false),
            (&[3, 2], &[2], false),
            (&[3, 2, 1], &[2, 2], true),
            (&[2, 0, 1], &[2, 1], false),
        ];
        for (x, h, time_major) in calls {
            let (inputs, o) = (x[x.len() - 1], h[h.len() - 1]);
            let mut operands = vec![self.mild(0, x), self.mild(1, h), self.mild(2, h)];
            operands.extend([self.mild(3, &[inputs, 4 * o]), self.mild(4, &[o, 4 * o])]);
            operands.extend([self.mild(5, &[4 * o]), self.mild(6, &[4 * o])]);
            let keywords = vec![("time_major", ParamValue::Bool(time_major))];
            self.push(operands, keywords, if inputs == 2 { CONTIGUOUS } else { Layout::Transposed });
        }
    }

    pub(super) fn embeddings(&mut self) {
        for (shape, most) in [(&[3][..], None), (&[2, 2], Some(1.5)), (&[], None), (&[0, 2], Some(0.5))] {
            let operands = vec![self.mild(0, &[4, 3]), self.indices(1, shape, 4)];
            let keywords = most.map(|n| ("max_norm", ParamValue::Float(n))).into_iter().collect();
            self.push(operands, keywords, Layout::Transposed);
        }
    }

    pub(super) fn interpolated(&mut self) {
        let mode = |word: &str| ("mode", text(word));
        let by = |f: f64| ("scale_factor", ParamValue::Float(f));
        let size = |v: &[i64]| ("size", ints(v));
        let mut calls: Vec<(&[usize], Keywords)> = vec![
            (&[1, 2, 5], vec![size(&[8])]),
            (&[1, 2, 5], vec![size(&[3]), ("align_corners", ON)]),
            (&[2, 1, 4], vec![size(&[1]), ("align_corners", ON)]),
            (&[1, 1, 5], vec![by(1.5)]),
            (&[1, 1, 5], vec![by(1.5), ("recompute_scale_factor", ON)]),
            (&[1, 2, 3, 4], vec![mode("bilinear"), size(&[5, 3])]),
            (&[1, 1, 9, 7], vec![mode("bilinear"), size(&[4, 2]), ("antialias", ON)]),
            (&[1, 1, 12, 3], vec![mode("bicubic"), size(&[3, 5]), ("antialias", ON)]),
            (&[1, 2, 4, 3], vec![mode("bicubic"), size(&[6, 2])]),
            (&[1, 1, 4, 3], vec![mode("bicubic"), size(&[3, 5]), ("align_corners", ON)]),
            (&[1, 1, 2, 3, 2], vec![mode("trilinear"), size(&[3, 2, 4])]),
            (&[1, 1, 2, 3], vec![mode("nd"), size(&[4])]),
            (&[0, 1, 3], vec![size(&[5])]),
        ];
        for word in ["nearest", "nearest_exact", "area"] {
            calls.push((&[1, 2, 7], vec![mode(word), size(&[3])]));
            calls.push((&[2, 1, 3, 4], vec![mode(word), size(&[5, 2])]));
        }
        calls.push((
            &[1, 1, 4, 3],
            vec![
                mode("nearest"),
                ("scale_factor", ParamValue::Scalars(vec![Scalar::Float(1.5), Scalar::Float(2.0)])),
            ],
        ));
        for (i, (shape, mut keywords)) in calls.into_iter().enumerate() {
            if keywords.iter().any(|k| k.0 == "scale_factor") {
                keywords.push(("size", ParamValue::None));
            }
            let x = self.mild(0, shape);
            self.push(vec![x], keywords, if i % 2 == 1 { Layout::Transposed } else { CONTIGUOUS });
        }
    }

    pub(super) fn cosines(&mut self) {
        for kind in 1..=4 {
            let calls: [(&[usize], Keywords); 4] = [
                (&[6], vec![]),
                (&[3, 5], vec![("axis", int(0)), ("norm", text("ortho"))]),
                (&[2, 4], vec![("n", int(7))]),
                (&[2, 6], vec![("n", int(3)), ("norm", text("ortho"))]),
            ];
            for (shape, mut keywords) in calls {
                keywords.push(("type", int(kind)));
                let x = self.mild(0, shape);
                self.push(vec![x], keywords, Layout::Transposed);
            }
        }
    }

    pub(super) fn frames(&mut self) {
        let frame = |size: i64, step: i64| vec![("frame_length", int(size)), ("frame_step", int(step))];
        let mut calls: Vec<(&[usize], usize, Keywords)> = vec![
            (&[8], 4, frame(4, 2)),
            (&[2, 7], 3, frame(3, 2)),
            (&[2], 3, frame(3, 1)),
            (&[0, 5], 2, frame(2, 2)),
        ];
        let mut long = frame(3, 3);
        long.extend([("fft_length", int(6)), ("pad_end", ON)]);
        calls.push((&[2, 7], 3, long));
        let mut short = frame(4, 1);
        short.push(("fft_length", int(3)));
        calls.push((&[6], 4, short));
        for (shape, size, keywords) in calls {
            let operands = vec![self.mild(0, shape), self.mild(1, &[size])];
            self.push(operands, keywords, CONTIGUOUS);
        }
    }
}
