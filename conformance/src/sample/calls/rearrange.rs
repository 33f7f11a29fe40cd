//! Calls of what divides, stacks and turns arrays, picks elements, and makes arrays of numbers.

use super::{CONTIGUOUS, Maker, ON, int, ints};
use crate::sample::Layout;
use crate::sample::values::{moderate, random, repeated};
use crate::truth::{Arg, Keywords, Num};
use ivy_core::function::ParamValue;
use ivy_core::promotion::promote_all;
use ivy_core::{Dtype, Rules, Scalar, ScatterOp};

const OFF: ParamValue = ParamValue::Bool(false);

fn text(word: &str) -> ParamValue {
    ParamValue::Text(word.into())
}

impl Maker<'_> {
    pub(super) fn rearranged(&mut self, name: &'static str) {
        let calls: Vec<(&[usize], Keywords)> = match name {
            "split" => vec![
                (&[3, 2], vec![]),
                (&[6], vec![("num_or_size_splits", int(3))]),
                (&[2, 5], vec![("num_or_size_splits", ints(&[2, -1, 1])), ("axis", int(-1))]),
                (&[2, 5], vec![("num_or_size_splits", int(3)), ("axis", int(1)), ("with_remainder", ON)]),
                (&[4], vec![("num_or_size_splits", int(9)), ("with_remainder", ON)]),
                (&[4, 2], vec![("num_or_size_splits", ints(&[1, 0])), ("with_remainder", ON)]),
                (&[0, 2], vec![("num_or_size_splits", int(2))]),
            ],
            "swapaxes" => vec![
                (&[2, 3], vec![("axis0", int(0)), ("axis1", int(1))]),
                (&[2, 3, 4], vec![("axis0", int(-1)), ("axis1", int(0))]),
                (&[3], vec![("axis0", int(0)), ("axis1", int(0))]),
                (&[0, 2], vec![("axis0", int(1)), ("axis1", int(0))]),
            ],
            "flatten" => vec![
                (&[], vec![]),
                (&[2, 3], vec![]),
                (&[2, 3], vec![("order", text("F"))]),
                (&[2, 3, 2, 2], vec![("start_dim", int(1)), ("end_dim", int(-2)), ("order", text("F"))]),
                (&[2, 3, 2], vec![("start_dim", int(1))]),
                (&[0, 2], vec![("end_dim", int(0))]),
            ],
            "rot90" => vec![
                (&[2, 3], vec![]),
                (&[2, 3], vec![("k", int(2))]),
                (&[2, 3, 2], vec![("k", int(-1)), ("axes", ints(&[2, 1]))]),
                (&[2, 3], vec![("k", int(8))]),
                (&[0, 2], vec![("k", int(3))]),
            ],
            _ => return self.strided(),
        };
        for (shape, keywords) in calls {
            for layout in [CONTIGUOUS, Layout::Transposed] {
                let x = self.some(0, shape);
                self.push(vec![x], keywords.clone(), layout);
            }
        }
    }

    /// Windows over arrays, with strides of so many elements.
    fn strided(&mut self) {
        let item = self.dtype(0).bytes() as i64;
        let calls: [(&[usize], &[i64], &[i64]); 8] = [
            (&[12], &[5, 3], &[2, 1]),
            (&[3, 4], &[2, 2], &[4, 2]),
            (&[3, 4], &[4, 3], &[1, 4]),
            (&[6], &[2, 3], &[3, 1]),
            (&[6], &[3, 2], &[0, 5]),
            (&[2], &[], &[]),
            (&[5], &[0, 3], &[1, 9]),
            (&[7], &[2, 2, 2], &[1, 2, 3]),
        ];
        for (shape, result, strides) in calls {
            let strides: Vec<i64> = strides.iter().map(|s| s * item).collect();
            let keywords = vec![("shape", ints(result)), ("strides", ints(&strides))];
            for layout in [CONTIGUOUS, Layout::Reversed] {
                let x = self.some(0, shape);
                self.push(vec![x], keywords.clone(), layout);
            }
        }
    }

    /// Lists of arrays.
    pub(super) fn stacks(&mut self, name: &'static str) {
        let pairs: &[(&[usize], &[usize])] = match name {
            "vstack" => &[(&[2, 3], &[3]), (&[3], &[3]), (&[], &[1]), (&[0, 2], &[1, 2])],
            "hstack" => &[(&[2, 3], &[2, 1]), (&[3], &[2]), (&[], &[2]), (&[2, 0], &[2, 2])],
            "dstack" => &[(&[2, 3], &[2, 3, 2]), (&[3], &[1, 3]), (&[], &[]), (&[0, 2], &[0, 2])],
            "column_stack" => &[(&[2, 3], &[2]), (&[3], &[3]), (&[], &[1]), (&[0], &[0, 2])],
            _ => &[(&[], &[3]), (&[2, 3], &[2, 3, 1]), (&[0], &[1, 2, 1, 2])],
        };
        for &(a, b) in pairs {
            for layout in [CONTIGUOUS, Layout::Transposed] {
                let operands = vec![self.some(0, a), self.some(1, b)];
                self.push(operands, vec![], layout);
            }
        }
    }

    pub(super) fn greatest(&mut self) {
        let calls: [(&[usize], Keywords, Layout); 6] = [
            (&[9], vec![("k", int(4))], CONTIGUOUS),
            (&[3, 8], vec![("k", int(8)), ("largest", OFF)], Layout::Transposed),
            (&[5, 3], vec![("k", int(2)), ("axis", int(0))], Layout::Reversed),
            (&[2, 6], vec![("k", int(3)), ("axis", int(1)), ("sorted", OFF)], CONTIGUOUS),
            (&[4], vec![("k", int(0))], CONTIGUOUS),
            (&[0, 4], vec![("k", int(2)), ("largest", OFF)], CONTIGUOUS),
        ];
        for (shape, keywords, layout) in calls {
            let count = shape.iter().product::<usize>();
            let values = repeated(self.dtype(0), &mut self.rng, count.max(1), true);
            self.push(vec![self.array(0, shape, &values)], keywords, layout);
        }
    }

    pub(super) fn runs(&mut self) {
        let calls: [(&[usize], Option<i64>, Layout); 7] = [
            (&[12], None, CONTIGUOUS),
            (&[3, 4], None, Layout::Transposed),
            (&[6, 1], Some(0), CONTIGUOUS),
            (&[2, 5], Some(-1), Layout::Reversed),
            (&[], None, CONTIGUOUS),
            (&[0], None, CONTIGUOUS),
            (&[0, 3], Some(1), CONTIGUOUS),
        ];
        for (shape, axis, layout) in calls {
            let count = shape.iter().product::<usize>();
            let mut values = repeated(self.dtype(0), &mut self.rng, count.max(1), true);
            // Every other one the same as its neighbour, so that there are runs.
            (0..values.len()).filter(|i| i % 3 > 0).for_each(|i| values[i] = values[i - 1]);
            let keywords = axis.map(|a| ("axis", int(a))).into_iter().collect();
            self.push(vec![self.array(0, shape, &values)], keywords, layout);
        }
    }

    pub(super) fn putting(&mut self) {
        // Shapes of the array, the indices and the values, the axis and its length.
        type Call = (&'static [usize], &'static [usize], &'static [usize], i64, usize, Layout);
        let calls: [Call; 6] = [
            (&[4], &[6], &[6], 0, 4, CONTIGUOUS),
            (&[3, 4], &[3, 2], &[3, 2], -1, 4, Layout::Transposed),
            (&[3, 4], &[5, 1], &[4], 0, 3, Layout::Reversed),
            (&[2, 3, 2], &[1, 2, 2], &[], 1, 3, CONTIGUOUS),
            (&[3], &[0], &[1], 0, 3, CONTIGUOUS),
            (&[0, 3], &[0, 2], &[0, 2], 1, 3, CONTIGUOUS),
        ];
        let (Some(own), Some(put)) = (self.c.operands[0], self.c.operands[2]) else { return };
        let Ok(Some(common)) = promote_all("put_along_axis", Rules::Precise, &[own, put]) else { return };
        let words = [
            ("replace", ScatterOp::Set),
            ("sum", ScatterOp::Add),
            ("min", ScatterOp::Min),
            ("max", ScatterOp::Max),
            ("mul", ScatterOp::Mul),
        ];
        for (word, op) in words.into_iter().filter(|&(_, op)| op.takes(common)) {
            for (shape, which, given, axis, n, layout) in calls {
                let mut numbers = |dtype: Dtype, count: usize| match op {
                    ScatterOp::Min | ScatterOp::Max => {
                        repeated(dtype, &mut self.rng, count.max(1), count > 4)
                    }
                    _ => moderate(dtype, &mut self.rng, count.max(1)),
                };
                let x = numbers(own, shape.iter().product());
                let values = numbers(put, given.iter().product());
                let indices = self.indices(1, which, n);
                let operands = vec![self.array(0, shape, &x), indices, self.array(2, given, &values)];
                let mut keywords = vec![("axis", int(axis))];
                if word != "replace" {
                    keywords.push(("mode", text(word)));
                }
                self.push(operands, keywords, layout);
            }
        }
    }

    pub(super) fn segments(&mut self, name: &'static str) {
        let calls: [(&[usize], i64, Layout); 4] = [
            (&[7], 4, CONTIGUOUS),
            (&[5, 2], 3, Layout::Transposed),
            (&[4, 2, 2], 6, Layout::Reversed),
            (&[0, 2], 2, CONTIGUOUS),
        ];
        let (data, signed) = (self.dtype(0), self.dtype(1).int_range().is_some_and(|r| r.0 < 0));
        for (shape, segments, layout) in calls {
            let count = shape.iter().product::<usize>().max(1);
            let values = match name {
                "unsorted_segment_min" | "unsorted_segment_max" => {
                    repeated(data, &mut self.rng, count, count > 4)
                }
                _ if data.is_int() && name == "unsorted_segment_mean" => {
                    (0..count).map(|k| Num::Int(k as i128 % 5)).collect()
                }
                _ => moderate(data, &mut self.rng, count),
            };
            let ids: Vec<Num> = (0..shape[0].max(1))
                .map(|_| {
                    let id = self.rng.below(segments as usize) as i128;
                    Num::Int(if signed && self.rng.below(5) == 0 { -1 - id } else { id })
                })
                .collect();
            let operands = vec![self.array(0, shape, &values), self.array(1, &shape[..1], &ids)];
            self.push(operands, vec![("num_segments", int(segments))], layout);
        }
    }

    pub(super) fn made(&mut self, name: &'static str) {
        match name {
            "one_hot" => self.one_hot(),
            "logspace" => self.logspace(),
            "tril_indices" | "triu_indices" => {
                for (rows, cols, k) in [
                    (3, None, 0),
                    (3, Some(5), 1),
                    (4, Some(2), -2),
                    (4, Some(2), 2),
                    (3, Some(3), -9),
                    (3, Some(2), 9),
                    (0, None, 0),
                    (2, Some(0), 0),
                    (5, Some(4), -1),
                ] {
                    let mut keywords = vec![("n_rows", int(rows)), ("k", int(k))];
                    keywords.extend(cols.map(|c| ("n_cols", int(c))));
                    self.push(vec![], keywords, CONTIGUOUS);
                }
            }
            "copy_array" | "native_array" => {
                let shapes: [(&[usize], Layout); 4] = [
                    (&[3, 4], Layout::Transposed),
                    (&[5], Layout::Reversed),
                    (&[], CONTIGUOUS),
                    (&[0, 2], CONTIGUOUS),
                ];
                for (shape, layout) in shapes {
                    let x = self.some(0, shape);
                    self.push(vec![x], vec![], layout);
                }
            }
            _ => self.windows(name),
        }
    }

    fn windows(&mut self, name: &'static str) {
        let size = if matches!(name, "hann_window" | "blackman_window") { "size" } else { "window_length" };
        for n in [0, 1, 2, 3, 4, 7, 32, 101] {
            self.push(vec![], vec![(size, int(n))], CONTIGUOUS);
            if name != "vorbis_window" {
                self.push(vec![], vec![(size, int(n)), ("periodic", OFF)], CONTIGUOUS);
            }
            if name == "hamming_window" {
                let numbers = [("alpha", ParamValue::Float(0.5)), ("beta", ParamValue::Float(0.25))];
                self.push(vec![], [vec![(size, int(n))], numbers.to_vec()].concat(), CONTIGUOUS);
            }
        }
    }

    fn one_hot(&mut self) {
        let calls: [(&[usize], i64, Option<i64>); 5] =
            [(&[4], 3, None), (&[2, 3], 4, Some(0)), (&[2, 3], 4, Some(-2)), (&[], 2, None), (&[0], 3, None)];
        let absent = || (Arg::Absent, Arg::Absent);
        let numbers = |on: Scalar, off: Scalar| (Arg::Scalar(on), Arg::Scalar(off));
        for (k, (shape, depth, axis)) in calls.into_iter().enumerate() {
            let count = shape.iter().product::<usize>().max(1);
            let mut values = random(self.dtype(0), &mut self.rng, count);
            // Most of them are some that are shown.
            (0..count).filter(|i| i % 4 > 0).for_each(|i| values[i] = Num::Int(i as i128 % depth as i128));
            let indices = self.array(0, shape, &values);
            let mut pairs = vec![absent()];
            if self.c.dtype.is_some() {
                pairs.push(numbers(Scalar::Int(5), Scalar::Int(k as i128)));
                pairs.push((Arg::Scalar(Scalar::Int(3)), Arg::Absent));
            }
            if self.c.dtype.is_some_and(|d| d.is_float()) {
                pairs.push(numbers(Scalar::Float(-2.5), Scalar::Float(f64::NAN)));
            }
            for (on, off) in pairs {
                let mut keywords = vec![("depth", int(depth))];
                keywords.extend(axis.map(|a| ("axis", int(a))));
                self.push(vec![indices.clone(), on, off], keywords, Layout::Transposed);
            }
        }
    }

    fn logspace(&mut self) {
        let calls: [(&[usize], &[usize], Keywords); 5] = [
            (&[], &[], vec![("num", int(5))]),
            (&[2], &[2], vec![("num", int(4)), ("axis", int(-1)), ("endpoint", OFF)]),
            (&[2, 1], &[3], vec![("num", int(3)), ("axis", int(1)), ("base", ParamValue::Float(2.0))]),
            (&[2], &[], vec![("num", int(1))]),
            (&[0], &[1], vec![("num", int(2)), ("base", ParamValue::Float(std::f64::consts::E))]),
        ];
        for (a, b, keywords) in calls {
            let pool = [0, 2, 1, 3, 1, 2].map(Num::Int);
            let operands = vec![self.array(0, a, &pool), self.array(1, b, &pool[1..])];
            self.push(operands, keywords, Layout::Transposed);
        }
    }
}
