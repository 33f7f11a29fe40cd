//! Calls of the element-wise functions that Ivy has beyond the standard, and of what is near to them.

use super::{CONTIGUOUS, Maker, ON, int, ints};
use crate::sample::Layout;
use crate::sample::values::{edges, moderate, random};
use crate::truth::{Arg, Keywords, Num, Tensor};
use ivy_core::function::ParamValue;
use ivy_core::{Dtype, finfo};

const NUMBER: fn(f64) -> ParamValue = ParamValue::Float;

impl Maker<'_> {
    pub(super) fn ivy_elementwise(&mut self, name: &'static str) {
        match name {
            "isclose" | "allclose" => self.closeness(name),
            "array_equal" => self.equal_arrays(),
            "nan_to_num" | "angle" => self.parts(name),
            "lerp" => self.ends(),
            "clip_vector_norm" => self.clipped(),
            "trapz" => self.integrals(),
            _ => self.without_nan(name),
        }
    }

    fn closeness(&mut self, name: &'static str) {
        let (a, b) = (self.dtype(0), self.dtype(1));
        let calls: [Keywords; 4] = [
            vec![],
            vec![("equal_nan", ON)],
            vec![("rtol", NUMBER(0.0)), ("atol", NUMBER(0.0))],
            vec![("rtol", NUMBER(0.25)), ("atol", NUMBER(1.5)), ("equal_nan", ON)],
        ];
        for keywords in calls {
            let (mut x, mut y) = (edges(a), edges(b));
            x.extend(random(a, &mut self.rng, 6));
            // Some that are equal to those, and some that nearly are.
            y.extend(x.iter().rev().take(4).map(|x| crate::truth::num::cast(*x, b)));
            y.extend(x.iter().rev().take(4).map(|x| match *x {
                Num::Int(i) => crate::truth::num::cast(Num::Int(i + 1), b),
                _ => crate::truth::num::cast(Num::Float(x.re() * 1.000_01), b),
            }));
            let (n, m) = (x.len(), y.len());
            if name == "isclose" {
                let operands = vec![self.array(0, &[n, 1], &x), self.array(1, &[1, m], &y)];
                self.push(operands, keywords.clone(), CONTIGUOUS);
            }
            let same = vec![self.array(0, &[2, 3], &x[n - 6..]), self.array(1, &[2, 3], &y[m - 6..])];
            self.push(same, keywords.clone(), Layout::Transposed);
            let zeros = [Num::Int(0)];
            let shapes: [(&[usize], &[usize]); 4] =
                [(&[], &[3]), (&[], &[]), (&[0, 2], &[2]), (&[4], &[2, 1])];
            for (s, t) in shapes {
                let operands = vec![self.array(0, s, &zeros), self.array(1, t, &zeros)];
                self.push(operands, keywords.clone(), Layout::Reversed);
            }
        }
    }

    fn equal_arrays(&mut self) {
        let plain = [Num::Int(1), Num::Int(0), Num::Int(1)];
        let other = [Num::Int(1), Num::Int(0), Num::Int(0)];
        let shapes: [(&[usize], &[usize]); 6] =
            [(&[3], &[3]), (&[2, 3], &[2, 3]), (&[3], &[1, 3]), (&[], &[]), (&[0], &[0]), (&[0], &[0, 1])];
        for (s, t) in shapes {
            for values in [&plain, &other] {
                let operands = vec![self.array(0, s, &plain), self.array(1, t, values)];
                self.push(operands, vec![], Layout::Transposed);
            }
        }
        let (x, y) = (edges(self.dtype(0)), edges(self.dtype(1)));
        let operands = vec![self.array(0, &[4], &x), self.array(1, &[4], &y)];
        self.push(operands, vec![], CONTIGUOUS);
    }

    fn parts(&mut self, name: &'static str) {
        let dtype = self.dtype(0);
        let mut values = edges(dtype);
        values.extend(random(dtype, &mut self.rng, 8));
        let n = values.len();
        let calls: Vec<Keywords> = match name {
            "angle" => vec![vec![], vec![("deg", ON)]],
            _ => vec![
                vec![],
                vec![("nan", NUMBER(-1.5)), ("posinf", NUMBER(2.0)), ("neginf", NUMBER(0.0))],
                vec![("posinf", NUMBER(f64::INFINITY))],
                vec![("nan", NUMBER(f64::INFINITY)), ("neginf", NUMBER(f64::NEG_INFINITY))],
            ],
        };
        for keywords in calls {
            let shapes: [(&[usize], Layout); 4] = [
                (&[n], CONTIGUOUS),
                (&[2, n], Layout::Transposed),
                (&[], CONTIGUOUS),
                (&[0, 3], Layout::Reversed),
            ];
            for (shape, layout) in shapes {
                let x = self.array(0, shape, &values);
                self.push(vec![x], keywords.clone(), layout);
            }
        }
    }

    fn ends(&mut self) {
        let shapes: [[&[usize]; 3]; 5] = [
            [&[3, 4], &[3, 4], &[4]],
            [&[5], &[5], &[]],
            [&[2, 1], &[3], &[2, 3]],
            [&[], &[], &[]],
            [&[0], &[1], &[0]],
        ];
        let weights = [0.0, 1.0, 0.5, 0.25, -1.0, 2.0, 0.75];
        for (k, shapes) in shapes.into_iter().enumerate() {
            let mut operands: Vec<Arg> = (0..2).map(|i| self.some(i, shapes[i])).collect();
            let dtype = self.dtype(2);
            let values: Vec<Num> = match dtype.is_float() || dtype.is_complex() {
                true => weights.map(Num::Float).to_vec(),
                false => vec![Num::Int(0), Num::Int(1), Num::Int(3)],
            };
            operands.push(self.array(2, shapes[2], &values));
            self.push(operands, vec![], if k == 2 { Layout::Reversed } else { CONTIGUOUS });
        }
        // The ends of the dtype, between which the difference is no number of it.
        let same = (0..3).all(|i| self.dtype(i) == self.dtype(0));
        if let (true, Ok(info)) = (same && self.dtype(0).is_float(), finfo(self.dtype(0))) {
            let of = |x: f64| Arg::Array(Tensor::new(info.dtype, &[4], vec![Num::Float(x); 4]));
            let weight = [0.0, 0.25, 0.75, 1.0].map(Num::Float);
            let operands = vec![of(info.max), of(info.min), self.array(2, &[4], &weight)];
            self.push(operands, vec![], CONTIGUOUS);
        }
    }

    fn without_nan(&mut self, name: &str) {
        let dtype = self.dtype(0);
        let calls: [(&[usize], Keywords); 7] = [
            (&[], vec![]),
            (&[3, 4], vec![]),
            (&[3, 4], vec![("axis", int(0))]),
            (&[2, 3, 4], vec![("axis", ints(&[2, 0])), ("keepdims", ON)]),
            (&[2, 3], vec![("axis", ints(&[]))]),
            (&[300], vec![("axis", int(-1))]),
            (&[0, 3], vec![("axis", int(0))]),
        ];
        let extreme = matches!(name, "nanmax" | "nanmin");
        // Products of large integers overflow a float, and then their order matters.
        let small = name == "nanprod" && dtype.is_int() && self.c.dtype.is_some_and(|d| !d.is_int());
        for (shape, keywords) in calls {
            if extreme && shape.contains(&0) {
                continue;
            }
            for layout in [CONTIGUOUS, Layout::Transposed] {
                let mut values = moderate(dtype, &mut self.rng, shape.iter().product::<usize>().max(1));
                if dtype.is_float() || dtype.is_complex() {
                    values.iter_mut().step_by(3).for_each(|x| *x = not_a_number(dtype));
                }
                if small {
                    values.iter_mut().for_each(|x| *x = Num::Int([1, 2, 1][x.int().rem_euclid(3) as usize]));
                }
                let x = self.array(0, shape, &values);
                self.push(vec![x], keywords.clone(), layout);
            }
        }
        if matches!(name, "nanvar" | "nanstd") {
            let x = self.some_moderate(&[3, 4]);
            let keywords = vec![("axis", int(0)), ("correction", NUMBER(1.0)), ("keepdims", ON)];
            self.push(vec![x], keywords, CONTIGUOUS);
        }
        if dtype.is_float() || dtype.is_complex() {
            let x = self.array(0, &[2, 2], &[not_a_number(dtype)]);
            self.push(vec![x], vec![("axis", int(0))], CONTIGUOUS);
        }
    }

    fn some_moderate(&mut self, shape: &[usize]) -> Arg {
        let values = moderate(self.dtype(0), &mut self.rng, shape.iter().product::<usize>().max(1));
        self.array(0, shape, &values)
    }

    fn integrals(&mut self) {
        let calls: [(&[usize], &[usize], Keywords); 6] = [
            (&[5], &[5], vec![]),
            (&[3, 4], &[4], vec![("dx", NUMBER(0.5))]),
            (&[3, 4], &[3], vec![("axis", int(0))]),
            (&[2, 3, 2], &[2, 3, 2], vec![("axis", int(1))]),
            (&[2, 1], &[1], vec![("dx", NUMBER(-2.0))]),
            (&[0, 2], &[0], vec![("axis", int(0))]),
        ];
        for (shape, places, keywords) in calls {
            let y = self.some_moderate(shape);
            let x = match self.c.operands[1] {
                None => Arg::Absent,
                Some(dtype) => {
                    let values = moderate(dtype, &mut self.rng, places.iter().product::<usize>().max(1));
                    self.array(1, places, &values)
                }
            };
            self.push(vec![y, x], keywords, Layout::Transposed);
        }
    }

    fn clipped(&mut self) {
        let orders = [None, Some(1.0), Some(3.0), Some(0.0), Some(f64::INFINITY)];
        for (k, order) in orders.into_iter().enumerate() {
            for (most, shape) in [(0.5, &[2, 3][..]), (100.0, &[4]), (0.0, &[5]), (2.0, &[])] {
                let values = match self.dtype(0).is_int() {
                    true => vec![Num::Int(3), Num::Int(1), Num::Int(0), Num::Int(5)],
                    false => moderate(self.dtype(0), &mut self.rng, 6),
                };
                let x = self.array(0, shape, &values);
                let mut keywords = vec![("max_norm", NUMBER(most))];
                keywords.extend(order.map(|p| ("p", NUMBER(p))));
                self.push(vec![x], keywords, if k % 2 == 1 { Layout::Transposed } else { CONTIGUOUS });
            }
            if order != Some(f64::INFINITY) {
                let (x, zeros) =
                    (self.array(0, &[0, 2], &[Num::Int(1)]), self.array(0, &[3], &[Num::Int(0)]));
                self.push(vec![x], vec![], CONTIGUOUS);
                self.push(vec![zeros], vec![("max_norm", NUMBER(0.0))], CONTIGUOUS);
            }
        }
    }
}

fn not_a_number(dtype: Dtype) -> Num {
    if dtype.is_complex() { Num::Complex(1.0, f64::NAN) } else { Num::Float(f64::NAN) }
}
