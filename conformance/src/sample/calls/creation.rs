//! Creation functions.

use super::{CONTIGUOUS, Maker, int, ints};
use crate::sample::Layout;
use crate::sample::values::{edges, random};
use crate::truth::Arg;
use ivy_core::Scalar;
use ivy_core::function::ParamValue;

impl Maker<'_> {
    pub(super) fn creation(&mut self, name: &'static str) {
        let real = self.c.dtype.is_none_or(|d| !d.is_complex());
        let scalar = |x: f64| Arg::Scalar(Scalar::Float(x));
        let whole = |i: i128| Arg::Scalar(Scalar::Int(i));
        match name {
            "zeros" | "ones" | "empty" | "full" => {
                let shapes: [&[i64]; 4] = [&[], &[3], &[2, 3], &[0, 2]];
                for shape in shapes {
                    let operands = if name == "full" { vec![whole(7)] } else { vec![] };
                    self.push(operands, vec![("shape", ints(shape))], CONTIGUOUS);
                }
                if name == "full" {
                    let mut values = vec![Scalar::Bool(true)];
                    if self.c.dtype.is_none_or(|d| d.is_float() || d.is_complex()) {
                        values.extend([Scalar::Float(-2.5), Scalar::Float(f64::NAN), Scalar::Float(-0.0)]);
                    }
                    if self.c.dtype.is_none_or(|d| d.is_complex()) {
                        values.push(Scalar::Complex(num_complex::Complex64::new(1.5, -2.0)));
                    }
                    if let Some((min, max)) = self.c.dtype.and_then(|d| d.int_range()) {
                        values.extend([Scalar::Int(min), Scalar::Int(max)]);
                    }
                    for value in values {
                        self.push(vec![Arg::Scalar(value)], vec![("shape", ints(&[2, 2]))], CONTIGUOUS);
                    }
                }
            }
            "eye" => {
                for (n, m, k) in
                    [(3, None, 0), (3, Some(5), 1), (4, Some(2), -1), (0, None, 0), (2, Some(2), 9)]
                {
                    let mut keywords = vec![("n_rows", int(n)), ("k", int(k))];
                    keywords.extend(m.map(|m| ("n_cols", int(m))));
                    self.push(vec![], keywords, CONTIGUOUS);
                }
            }
            "arange" => {
                let calls =
                    [(0, Some(7), 1), (5, None, 1), (2, Some(20), 3), (10, Some(0), 2), (9, Some(1), -2)];
                for (start, stop, step) in calls {
                    let descends = step < 0 && self.c.dtype.is_some_and(|d| d.is_uint());
                    if !descends {
                        let operands = vec![whole(start), stop.map_or(Arg::Absent, whole), whole(step)];
                        self.push(operands, vec![], CONTIGUOUS);
                    }
                }
                if self.c.dtype.is_none_or(|d| d.is_float()) {
                    self.push(vec![scalar(0.5), scalar(3.0), scalar(0.25)], vec![], CONTIGUOUS);
                }
            }
            _ => {
                let calls =
                    [(0.0, 1.0, 5, true), (-2.0, 2.0, 4, false), (3.0, 3.0, 3, true), (1.0, 9.0, 1, true)];
                for (start, stop, num, endpoint) in calls {
                    let keywords = vec![("num", int(num)), ("endpoint", ParamValue::Bool(endpoint))];
                    self.push(vec![scalar(start), scalar(stop)], keywords, CONTIGUOUS);
                }
                self.push(vec![whole(0), whole(10)], vec![("num", int(0))], CONTIGUOUS);
                if !real {
                    let z = |re, im| Arg::Scalar(Scalar::Complex(num_complex::Complex64::new(re, im)));
                    self.push(vec![z(0.0, 1.0), z(2.0, -1.0)], vec![("num", int(5))], CONTIGUOUS);
                }
            }
        }
    }

    pub(super) fn like_array(&mut self, name: &'static str) {
        let dtype = self.dtype(0);
        let mut values = edges(dtype);
        values.extend(random(dtype, &mut self.rng, 24));
        let shapes: [(&[usize], Layout); 5] = [
            (&[3, 5], Layout::Transposed),
            (&[values.len() - values.len() % 2], Layout::Reversed),
            (&[2, 3, 2], CONTIGUOUS),
            (&[], CONTIGUOUS),
            (&[0, 2], CONTIGUOUS),
        ];
        for (shape, layout) in shapes {
            let x = self.array(0, shape, &values);
            match name {
                "tril" | "triu" => {
                    for k in [0, 1, -1, 5] {
                        if shape.len() >= 2 {
                            self.push(vec![x.clone()], vec![("k", int(k))], layout);
                        }
                    }
                }
                "full_like" => self.push(vec![x, Arg::Scalar(Scalar::Int(1))], vec![], layout),
                _ => self.push(vec![x], vec![], layout),
            }
        }
    }
}
