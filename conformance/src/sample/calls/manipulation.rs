//! Manipulation functions: reshaping, joining, splitting and moving axes.

use super::{CONTIGUOUS, Maker, int, ints};
use crate::sample::Layout;
use crate::truth::{Keywords, Num};
use ivy_core::function::ParamValue;

impl Maker<'_> {
    pub(super) fn manipulation(&mut self, name: &'static str) {
        let calls: Vec<(&[usize], Keywords)> = match name {
            "broadcast_to" => vec![
                (&[3], vec![("shape", ints(&[2, 3]))]),
                (&[2, 1], vec![("shape", ints(&[4, 2, 3]))]),
                (&[], vec![("shape", ints(&[2]))]),
                (&[1], vec![("shape", ints(&[0]))]),
            ],
            "expand_dims" => vec![
                (&[2, 3], vec![("axis", int(0))]),
                (&[2, 3], vec![("axis", int(-1))]),
                (&[], vec![("axis", int(0))]),
            ],
            "flip" => vec![
                (&[2, 3], vec![]),
                (&[2, 3], vec![("axis", int(0))]),
                (&[2, 3, 2], vec![("axis", ints(&[0, -1]))]),
                (&[], vec![]),
                (&[0, 2], vec![]),
            ],
            "moveaxis" => vec![
                (&[2, 3, 4], vec![("source", int(0)), ("destination", int(-1))]),
                (&[2, 3, 4], vec![("source", ints(&[0, 2])), ("destination", ints(&[2, 0]))]),
            ],
            "permute_dims" => vec![
                (&[2, 3, 4], vec![("axes", ints(&[2, 0, 1]))]),
                (&[2, 3], vec![("axes", ints(&[1, 0]))]),
                (&[], vec![("axes", ints(&[]))]),
            ],
            "reshape" => vec![
                (&[2, 3], vec![("shape", ints(&[3, 2]))]),
                (&[2, 6], vec![("shape", ints(&[-1, 4]))]),
                (&[], vec![("shape", ints(&[1, 1]))]),
                (&[0, 3], vec![("shape", ints(&[5, 0]))]),
            ],
            "roll" => vec![
                (&[5], vec![("shift", int(2))]),
                (&[2, 3], vec![("shift", int(-1))]),
                (&[2, 3], vec![("shift", int(1)), ("axis", int(1))]),
                (&[2, 3], vec![("shift", ints(&[1, -7])), ("axis", ints(&[0, 1]))]),
                (&[0, 2], vec![("shift", int(1))]),
            ],
            "squeeze" => {
                vec![(&[1, 3, 1], vec![("axis", int(0))]), (&[1, 3, 1], vec![("axis", ints(&[0, -1]))])]
            }
            "tile" => vec![
                (&[2, 3], vec![("repetitions", ints(&[2]))]),
                (&[2], vec![("repetitions", ints(&[3, 2]))]),
                (&[2, 3], vec![("repetitions", ints(&[2, 0]))]),
                (&[], vec![("repetitions", ints(&[3]))]),
            ],
            "unstack" => vec![(&[3, 2], vec![]), (&[3, 2], vec![("axis", int(-1))]), (&[2, 0], vec![])],
            "repeat" => return self.repeat(),
            _ => vec![(&[2, 3], vec![]), (&[2, 3, 4], vec![]), (&[0, 3], vec![])],
        };
        for (shape, keywords) in calls {
            for layout in [CONTIGUOUS, Layout::Transposed] {
                let x = self.some(0, shape);
                self.push(vec![x], keywords.clone(), layout);
            }
        }
    }

    pub(super) fn repeat(&mut self) {
        let count = |maker: &Maker<'_>, shape: &[usize], v: &[i128]| {
            let values: Vec<Num> = v.iter().map(|&i| Num::Int(i)).collect();
            maker.array(1, shape, &values)
        };
        type Call<'a> = (&'a [usize], &'a [usize], &'a [i128], Option<i64>);
        let calls: [Call<'_>; 4] = [
            (&[3], &[3], &[2, 0, 1], None),
            (&[2, 3], &[3], &[1, 2, 3], Some(1)),
            (&[2, 2], &[4], &[1, 0, 3, 1], None),
            (&[3, 2], &[1], &[2], Some(0)),
        ];
        for (shape, counts, values, axis) in calls {
            let x = self.some(0, shape);
            let keywords = axis.map(|a| ("axis", int(a))).into_iter().collect();
            self.push(vec![x, count(self, counts, values)], keywords, CONTIGUOUS);
        }
    }

    pub(super) fn lists(&mut self, name: &'static str) {
        let shapes: Vec<(&[usize], &[usize], Keywords)> = match name {
            "broadcast_arrays" => {
                vec![(&[2, 1], &[3], vec![]), (&[], &[2], vec![]), (&[0, 1], &[1, 2], vec![])]
            }
            "meshgrid" => {
                vec![(&[2], &[3], vec![]), (&[2], &[3], vec![("indexing", ParamValue::Text("ij".into()))])]
            }
            "promote_types_of_inputs" | "type_promote_arrays" => {
                vec![(&[2, 3], &[3], vec![]), (&[], &[12], vec![])]
            }
            "stack" => vec![
                (&[2, 3], &[2, 3], vec![]),
                (&[2, 3], &[2, 3], vec![("axis", int(-1))]),
                (&[], &[], vec![]),
            ],
            _ => vec![
                (&[2, 3], &[1, 3], vec![]),
                (&[2, 3], &[2, 1], vec![("axis", int(-1))]),
                (&[2], &[0], vec![]),
                (&[2, 2], &[3], vec![("axis", ParamValue::None)]),
            ],
        };
        for (a, b, keywords) in shapes {
            for layout in [CONTIGUOUS, Layout::Transposed] {
                let mut operands = vec![self.some(0, a), self.some(1, b)];
                if name == "concat" && a == [2] {
                    operands.push(self.some(0, &[3]));
                }
                self.push(operands, keywords.clone(), layout);
            }
        }
    }
}
