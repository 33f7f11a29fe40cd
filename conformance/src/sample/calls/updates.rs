//! Calls of what updates parts and elements at places, of running logarithms and of limited norms.

use super::conv::text;
use super::{CONTIGUOUS, Maker, int, ints};
use crate::sample::Layout;
use crate::sample::values::{moderate, repeated};
use crate::truth::{Arg, Keywords, Num};
use ivy_core::function::ParamValue;
use ivy_core::promotion::promote_all;
use ivy_core::{Dtype, Rules, Scalar, ScatterOp};

impl Maker<'_> {
    pub(super) fn updates(&mut self, name: &'static str) {
        match name {
            "index_add" | "index_copy" | "index_fill" => self.parts_updated(name),
            "scatter_reduce" => self.reduced_at_places(),
            "masked_fill" | "masked_scatter" => self.masks(name),
            "tensor_split" => self.uneven(),
            "logcumsumexp" => self.logarithms(),
            _ => self.limited(),
        }
    }

    fn common(&self, name: &'static str, a: usize, b: usize) -> Option<Dtype> {
        let both: Vec<Dtype> = [a, b].into_iter().filter_map(|i| self.c.operands[i]).collect();
        promote_all(name, Rules::Precise, &both).ok().flatten()
    }

    fn parts_updated(&mut self, name: &'static str) {
        type Call = (&'static [usize], i64, &'static [usize], &'static [usize], Layout);
        let calls: [Call; 6] = [
            (&[5], 0, &[7], &[7], CONTIGUOUS),
            (&[3, 4], -1, &[2], &[3, 2], Layout::Transposed),
            (&[3, 4], 0, &[5], &[4], Layout::Reversed),
            (&[2, 3, 2], 1, &[4], &[2, 4, 2], CONTIGUOUS),
            (&[3, 2], 0, &[], &[1, 2], CONTIGUOUS),
            (&[0, 3], 1, &[0], &[0, 0], CONTIGUOUS),
        ];
        let plain = self.common(name, 0, 2).is_none_or(|d| d.is_bool());
        for (k, (shape, axis, which, given, layout)) in calls.into_iter().enumerate() {
            let at = if axis < 0 { shape.len() - 1 } else { axis as usize };
            let x = self.mild(0, shape);
            let index = self.indices(1, which, shape[at].max(1));
            let mut keywords = vec![("axis", int(axis))];
            let source = match name {
                "index_fill" => {
                    Arg::Scalar(if self.dtype(0).is_bool() { Scalar::Bool(true) } else { Scalar::Int(7) })
                }
                _ => self.mild(2, given),
            };
            if name == "index_add" && k % 2 == 1 && !plain {
                keywords.push(("alpha", ParamValue::Float(2.0)));
            }
            self.push(vec![x, index, source], keywords, layout);
        }
    }

    fn reduced_at_places(&mut self) {
        type Call = (&'static [usize], i64, &'static [usize], &'static [usize], Layout);
        let calls: [Call; 4] = [
            (&[5], 0, &[7], &[7], CONTIGUOUS),
            (&[3, 4], -1, &[2, 6], &[3, 6], Layout::Transposed),
            (&[4, 2, 2], 0, &[5, 2, 1], &[5, 2, 2], Layout::Reversed),
            (&[3, 2], 0, &[0, 2], &[0, 2], CONTIGUOUS),
        ];
        let Some(common) = self.common("scatter_reduce", 0, 2) else { return };
        let words = [
            ("sum", ScatterOp::Add),
            ("prod", ScatterOp::Mul),
            ("mean", ScatterOp::Add),
            ("amax", ScatterOp::Max),
            ("amin", ScatterOp::Min),
        ];
        for (k, (word, op)) in words.into_iter().enumerate() {
            if !op.takes(common) || (word == "mean" && common.is_bool()) {
                continue;
            }
            let ordered = matches!(op, ScatterOp::Max | ScatterOp::Min);
            for (i, &(shape, axis, which, given, layout)) in calls.iter().enumerate() {
                let some = |maker: &mut Self, operand: usize, shape: &[usize]| {
                    let (dtype, count) = (maker.dtype(operand), shape.iter().product::<usize>().max(1));
                    let values: Vec<Num> = match (ordered, word == "mean" && common.is_int()) {
                        (true, _) => repeated(dtype, &mut maker.rng, count, count > 4),
                        // Sums that do not wrap: their quotients would say nothing.
                        (_, true) => (0..count).map(|_| Num::Int(maker.rng.below(15) as i128)).collect(),
                        _ => moderate(dtype, &mut maker.rng, count),
                    };
                    maker.array(operand, shape, &values)
                };
                let (x, source) = (some(self, 0, shape), some(self, 2, given));
                let at = if axis < 0 { shape.len() - 1 } else { axis as usize };
                let index = self.indices(1, which, shape[at]);
                let mut keywords = vec![("axis", int(axis)), ("reduction", text(word))];
                if (i + k) % 2 == 1 {
                    keywords.push(("include_self", ParamValue::Bool(false)));
                }
                self.push(vec![x, index, source], keywords, layout);
            }
        }
    }

    fn masks(&mut self, name: &'static str) {
        type Call = (&'static [usize], &'static [usize], &'static [usize], Layout);
        let calls: [Call; 6] = [
            (&[5], &[5], &[5], CONTIGUOUS),
            (&[3, 4], &[4], &[3, 4], Layout::Transposed),
            (&[4], &[2, 1], &[9], Layout::Reversed),
            (&[2, 3], &[], &[7], CONTIGUOUS),
            (&[], &[3], &[3], CONTIGUOUS),
            (&[0, 3], &[3], &[0], CONTIGUOUS),
        ];
        for (k, (shape, mask, given, layout)) in calls.into_iter().enumerate() {
            let x = self.some(0, shape);
            let on: Vec<Num> = (0..5).map(|i| Num::Bool((i + k) % 3 > 0)).collect();
            let mask = self.array(1, mask, &on);
            let third = match name {
                "masked_fill" => {
                    Arg::Scalar(if self.dtype(0).is_bool() { Scalar::Bool(true) } else { Scalar::Int(7) })
                }
                _ => self.some(2, given),
            };
            self.push(vec![x, mask, third], vec![], layout);
        }
    }

    fn uneven(&mut self) {
        let at = |places: ParamValue, axis: i64| vec![("indices_or_sections", places), ("axis", int(axis))];
        let calls: [(&[usize], Keywords, Layout); 6] = [
            (&[7], at(int(3), 0), CONTIGUOUS),
            (&[2, 5], at(int(2), -1), Layout::Transposed),
            (&[3, 2], at(int(5), 0), Layout::Reversed),
            (&[6], at(ints(&[1, 4, 9]), 0), CONTIGUOUS),
            (&[2, 6], at(ints(&[-2, 3]), 1), CONTIGUOUS),
            (&[0, 2], at(int(2), 0), CONTIGUOUS),
        ];
        for (shape, keywords, layout) in calls {
            let x = self.some(0, shape);
            self.push(vec![x], keywords, layout);
        }
    }

    fn logarithms(&mut self) {
        let calls: [(&[usize], i64, Layout); 6] = [
            (&[9], 0, CONTIGUOUS),
            (&[3, 4], -1, Layout::Transposed),
            (&[5, 2], 0, Layout::Reversed),
            (&[1], 0, CONTIGUOUS),
            (&[0, 3], 1, CONTIGUOUS),
            (&[2, 0], 1, CONTIGUOUS),
        ];
        for (shape, axis, layout) in calls {
            let x = self.tame(0, shape);
            self.push(vec![x], vec![("axis", int(axis))], layout);
        }
        if self.dtype(0).is_float() {
            let far = [-1000.0, 3.0, -40.0, 800.0, 800.0, f64::NEG_INFINITY].map(Num::Float);
            let open = [f64::NEG_INFINITY, f64::NEG_INFINITY, 2.0, f64::INFINITY, 1.0, f64::NAN, 0.0]
                .map(Num::Float);
            for values in [&far[..], &open[..]] {
                let x = self.array(0, &[values.len()], values);
                self.push(vec![x], vec![("axis", int(0))], CONTIGUOUS);
            }
        }
    }

    fn limited(&mut self) {
        let calls: [(&[usize], f64, i64, f64, Layout); 7] = [
            (&[3, 4], 2.0, 0, 1.5, CONTIGUOUS),
            (&[3, 4], 1.0, -1, 2.0, Layout::Transposed),
            (&[2, 3, 2], f64::INFINITY, 1, 0.75, Layout::Reversed),
            (&[2, 5], 3.0, 0, 1.0, CONTIGUOUS),
            (&[4], 2.0, 0, 1.0, CONTIGUOUS),
            (&[3, 2], 2.0, 1, 0.0, CONTIGUOUS),
            (&[0, 2], 2.0, 1, 1.0, CONTIGUOUS),
        ];
        for (shape, p, axis, most, layout) in calls {
            let x = self.tame(0, shape);
            let keywords =
                vec![("p", ParamValue::Float(p)), ("axis", int(axis)), ("maxnorm", ParamValue::Float(most))];
            self.push(vec![x], keywords, layout);
        }
    }
}
