//! Reductions, and functions along an axis.

use super::{CONTIGUOUS, Maker, ON, int, ints};
use crate::sample::Layout;
use crate::sample::values::{edges, moderate, repeated};
use crate::truth::{Arg, Keywords, Num};
use ivy_core::function::ParamValue;

impl Maker<'_> {
    pub(super) fn reduction(&mut self, name: &'static str) {
        let dtype = self.dtype(0);
        let one_axis = matches!(name, "argmax" | "argmin");
        let needs_elements = matches!(name, "argmax" | "argmin" | "max" | "min");
        let mut calls: Vec<(Vec<usize>, Keywords)> = vec![
            (vec![], vec![]),
            (vec![5], vec![]),
            (vec![3, 4], vec![]),
            (vec![3, 4], vec![("axis", int(0))]),
            (vec![3, 4], vec![("axis", int(-1)), ("keepdims", ON)]),
            (vec![2, 3, 4], vec![("axis", int(1))]),
            (vec![300], vec![]),
            (vec![0, 3], vec![("axis", int(1))]),
        ];
        if !one_axis {
            calls.push((vec![2, 3, 4], vec![("axis", ints(&[0, -1]))]));
            calls.push((vec![2, 3, 4], vec![("axis", ints(&[2, 0])), ("keepdims", ON)]));
            calls.push((vec![2, 3], vec![("axis", ints(&[]))]));
        }
        if needs_elements {
            calls.pop_if(|c| c.0.contains(&0));
            calls.retain(|c| !c.0.contains(&0));
        } else {
            calls.push((vec![0, 3], vec![("axis", int(0))]));
            calls.push((vec![0], vec![]));
        }
        if matches!(name, "var" | "std") {
            calls.push((vec![3, 4], vec![("axis", int(0)), ("correction", ParamValue::Float(1.0))]));
            calls.push((vec![2], vec![("correction", ParamValue::Float(2.0))]));
        }
        let exact = !matches!(name, "sum" | "prod" | "mean" | "var" | "std");
        for (shape, keywords) in calls {
            let n: usize = shape.iter().product();
            let values = match exact {
                true => repeated(dtype, &mut self.rng, n.max(1), true),
                // Products of large integers overflow a float, and then their order matters.
                false if name == "prod" && dtype.is_int() && self.c.dtype.is_some_and(|d| !d.is_int()) => {
                    (0..n.max(1)).map(|_| Num::Int([1, 2, 1][self.rng.below(3)])).collect()
                }
                false => moderate(dtype, &mut self.rng, n.max(1)),
            };
            for layout in [CONTIGUOUS, Layout::Transposed] {
                self.push(vec![self.array(0, &shape, &values)], keywords.clone(), layout);
            }
        }
        // Each special value in a line of its own.
        for special in edges(dtype).into_iter().filter(|x| !x.is_finite()) {
            let mut values = moderate(dtype, &mut self.rng, 6);
            values[3] = special;
            self.push(vec![self.array(0, &[2, 3], &values)], vec![("axis", int(1))], CONTIGUOUS);
        }
    }

    pub(super) fn along_axis(&mut self, name: &'static str) {
        let calls: Vec<(&[usize], Keywords)> = match name {
            "softmax" | "log_softmax" => vec![
                (&[4], vec![]),
                (&[3, 4], vec![]),
                (&[3, 4], vec![("axis", int(0))]),
                (&[2, 3, 2], vec![("axis", int(1))]),
                (&[0, 3], vec![]),
            ],
            "cumsum" | "cumprod" => vec![
                (&[6], vec![]),
                (&[3, 4], vec![("axis", int(1)), ("exclusive", ON)]),
                (&[3, 4], vec![("axis", int(-2)), ("reverse", ON)]),
                (&[5], vec![("exclusive", ON), ("reverse", ON)]),
                (&[0, 2], vec![("exclusive", ON)]),
            ],
            "diff" => vec![
                (&[6], vec![]),
                (&[3, 4], vec![]),
                (&[3, 4], vec![("axis", int(0))]),
                (&[5], vec![("n", int(2))]),
                (&[3], vec![("n", int(0))]),
            ],
            _ => vec![
                (&[6], vec![]),
                (&[3, 4], vec![("axis", int(0))]),
                (&[3, 4], vec![("axis", int(-1)), ("include_initial", ON)]),
                (&[0], vec![]),
                (&[0, 2], vec![("axis", int(0)), ("include_initial", ON)]),
            ],
        };
        let dtype = self.dtype(0);
        for (shape, keywords) in calls {
            let n: usize = shape.iter().product();
            for layout in [CONTIGUOUS, Layout::Transposed] {
                let values = moderate(dtype, &mut self.rng, n.max(1));
                let mut operands = vec![self.array(0, shape, &values)];
                if name == "diff" {
                    // What goes before and after has length 1 along the axis.
                    let axis = if keywords.iter().any(|k| k.0 == "axis" && matches!(k.1, ParamValue::Int(0)))
                    {
                        0
                    } else {
                        shape.len() - 1
                    };
                    let mut end = shape.to_vec();
                    end[axis] = 1;
                    for i in [1, 2] {
                        operands.push(match self.c.operands[i] {
                            Some(d) => {
                                let values = moderate(d, &mut self.rng, end.iter().product());
                                self.array(i, &end, &values)
                            }
                            None => Arg::Absent,
                        });
                    }
                }
                self.push(operands, keywords.clone(), layout);
            }
        }
        if name.ends_with("softmax") && dtype.is_complex() {
            self.modes_along_axis();
        }
        if name.ends_with("softmax") && dtype.is_float() {
            let of = |v: &[f64]| v.iter().map(|&x| Num::Float(x)).collect::<Vec<_>>();
            let (inf, nan) = (f64::INFINITY, f64::NAN);
            for line in [
                [1000.0, 1000.0, -1000.0],
                [inf, 1.0, 2.0],
                [-inf, 0.5, 0.0],
                [nan, 0.0, 1.0],
                [-inf, -inf, -inf],
            ] {
                self.push(vec![self.array(0, &[3], &of(&line))], vec![], CONTIGUOUS);
            }
        }
    }

    pub(super) fn whole(&mut self, name: &'static str) {
        let dtype = self.dtype(0);
        let shapes: [(&[usize], Layout); 4] = [
            (&[12], CONTIGUOUS),
            (&[3, 4], Layout::Transposed),
            (&[2, 2, 5], CONTIGUOUS),
            (&[0], CONTIGUOUS),
        ];
        for (shape, layout) in shapes {
            let n: usize = shape.iter().product();
            let values = repeated(dtype, &mut self.rng, n.max(1), true);
            self.push(vec![self.array(0, shape, &values)], vec![], layout);
        }
        if name != "nonzero" {
            let x = self.some(0, &[]);
            self.push(vec![x], vec![], CONTIGUOUS);
        }
    }

    pub(super) fn sorting(&mut self) {
        let dtype = self.dtype(0);
        let shapes: [(&[usize], Option<i64>); 5] =
            [(&[12], None), (&[4, 5], Some(0)), (&[4, 5], Some(-1)), (&[0], None), (&[100], None)];
        for (shape, axis) in shapes {
            for descending in [false, true] {
                let n: usize = shape.iter().product();
                let values = repeated(dtype, &mut self.rng, n.max(1), true);
                let mut keywords: Keywords = axis.map(|a| ("axis", int(a))).into_iter().collect();
                keywords.push(("descending", ParamValue::Bool(descending)));
                let layout = if descending { Layout::Transposed } else { CONTIGUOUS };
                self.push(vec![self.array(0, shape, &values)], keywords, layout);
            }
        }
    }
}
