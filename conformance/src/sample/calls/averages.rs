//! Calls of weighted means, powers of floats, numbers at equal quotients, diagonals and flat indices.

use super::{CONTIGUOUS, Maker, ON, int, ints};
use crate::sample::Layout;
use crate::sample::values::{edges, moderate, random, repeated};
use crate::truth::{Arg, Keywords, Num};
use ivy_core::function::ParamValue;

fn text(word: &str) -> ParamValue {
    ParamValue::Text(word.into())
}

impl Maker<'_> {
    pub(super) fn averages_and_places(&mut self, name: &'static str) -> bool {
        match name {
            "float_power" => {
                self.binary("pow");
                // No golden has a truth value and a complex number: the dtype alone is tried.
                if self.cases.is_empty() {
                    self.push(vec![self.array(0, &[0], &[]), self.array(1, &[0], &[])], vec![], CONTIGUOUS);
                }
            }
            "ldexp" => self.exponents(),
            "ptp" => self.peaks(),
            "average" => self.weighted(),
            "geomspace" => self.quotients(),
            "tri" => self.steps_of_ones(),
            "diagflat" => self.diagonals(),
            "ravel_multi_index" => self.indices_of_axes(),
            "unravel_index" => self.flat_places(),
            _ => return false,
        }
        true
    }

    fn exponents(&mut self) {
        let (a, b) = (self.dtype(0), self.dtype(1));
        let mut x = edges(a);
        x.extend(random(a, &mut self.rng, 8));
        let (min, max) = b.int_range().unwrap_or((0, 0));
        let by: Vec<Num> = [
            0, 1, -1, 3, -7, 24, -24, 100, -126, 127, 149, -149, 200, -200, 277, 700, -1022, 1023, 1075,
            -1074, 2098, -2098, 5000, min, max,
        ]
        .into_iter()
        .filter(|i| (min..=max).contains(i))
        .map(Num::Int)
        .collect();
        let (n, m) = (x.len(), by.len());
        self.push(vec![self.array(0, &[n, 1], &x), self.array(1, &[1, m], &by)], vec![], CONTIGUOUS);
        let shapes: [(&[usize], &[usize]); 4] =
            [(&[3, 4], &[3, 4]), (&[], &[5]), (&[], &[]), (&[0, 2], &[2])];
        for (s, t) in shapes {
            self.push(vec![self.array(0, s, &x[1..]), self.array(1, t, &by)], vec![], Layout::Transposed);
        }
    }

    fn peaks(&mut self) {
        let dtype = self.dtype(0);
        let calls: [(&[usize], Keywords); 5] = [
            (&[], vec![]),
            (&[3, 4], vec![]),
            (&[3, 4], vec![("axis", int(0))]),
            (&[2, 3, 4], vec![("axis", ints(&[2, 0])), ("keepdims", ON)]),
            (&[3, 0], vec![("axis", ints(&[]))]),
        ];
        for (shape, keywords) in calls {
            let n = shape.iter().product::<usize>().max(1);
            for values in [random(dtype, &mut self.rng, n), repeated(dtype, &mut self.rng, n, true)] {
                self.push(vec![self.array(0, shape, &values)], keywords.clone(), Layout::Transposed);
            }
        }
    }

    fn weighted(&mut self) {
        let calls: [(&[usize], &[usize], Keywords); 7] = [
            (&[5], &[5], vec![]),
            (&[3, 4], &[3, 4], vec![("axis", int(0)), ("keepdims", ON)]),
            (&[3, 4], &[4], vec![("axis", int(-1))]),
            (&[2, 3, 4], &[4, 2], vec![("axis", ints(&[2, 0]))]),
            (&[2, 3, 4], &[2, 4], vec![("axis", ints(&[0, -1])), ("keepdims", ON)]),
            (&[], &[], vec![]),
            (&[3, 0], &[3], vec![("axis", int(0))]),
        ];
        for (k, (shape, of_weights, keywords)) in calls.into_iter().enumerate() {
            let values = moderate(self.dtype(0), &mut self.rng, shape.iter().product::<usize>().max(1));
            let mut operands = vec![self.array(0, shape, &values)];
            operands.push(match self.c.operands[1] {
                Some(_) => self.weights(1, of_weights),
                None => Arg::Absent,
            });
            self.push(operands, keywords, if k % 2 == 0 { CONTIGUOUS } else { Layout::Transposed });
        }
    }

    fn quotients(&mut self) {
        let calls: [(&[usize], &[usize], Keywords); 5] = [
            (&[], &[], vec![("num", int(5))]),
            (&[2], &[2], vec![("num", int(4)), ("axis", int(-1)), ("endpoint", ParamValue::Bool(false))]),
            (&[2, 1], &[3], vec![("num", int(3)), ("axis", int(1))]),
            (&[3], &[], vec![("num", int(1))]),
            (&[0], &[1], vec![]),
        ];
        for (a, b, keywords) in calls {
            // The last ones are of different signs where the dtype has them, and 0.
            for pool in [[1, 100, 3, 2, 7, 1], [5, 1, 64, 9, 0, 3], [-1, -8, -2, 3, -100, -1]] {
                let signed = |i: usize| self.dtype(i).int_range().is_none_or(|r| r.0 < 0);
                if pool[0] < 0 && !(signed(0) && signed(1)) {
                    continue;
                }
                let pool = pool.map(Num::Int);
                let operands = vec![self.array(0, a, &pool), self.array(1, b, &pool[1..])];
                self.push(operands, keywords.clone(), Layout::Transposed);
            }
        }
    }

    fn steps_of_ones(&mut self) {
        for (rows, columns, k) in
            [(3, None, 0), (3, Some(5), 2), (4, Some(2), -1), (0, None, 0), (2, Some(3), 9)]
        {
            let mut keywords = vec![("n_rows", int(rows)), ("k", int(k))];
            keywords.extend(columns.map(|n| ("n_cols", int(n))));
            self.push(vec![], keywords, CONTIGUOUS);
        }
    }

    fn diagonals(&mut self) {
        let calls: [Keywords; 6] = [
            vec![],
            vec![("offset", int(2))],
            vec![("offset", int(-1)), ("padding_value", ParamValue::Float(1.0))],
            vec![("num_rows", int(9)), ("num_cols", int(6))],
            vec![("offset", int(3)), ("num_rows", int(6)), ("padding_value", ParamValue::Float(1.0))],
            vec![("offset", int(-3)), ("num_cols", int(7)), ("num_rows", int(12))],
        ];
        for keywords in calls {
            for shape in [&[2, 3][..], &[4], &[], &[0]] {
                let x = self.some(0, shape);
                self.push(vec![x], keywords.clone(), Layout::Transposed);
            }
        }
    }

    fn indices_of_axes(&mut self) {
        let shapes: [(&[usize], &[usize]); 4] = [(&[3, 1], &[4]), (&[5], &[5]), (&[], &[]), (&[0], &[1])];
        for (a, b) in shapes {
            for order in ["C", "F"] {
                let operands = vec![self.indices(0, a, 7), self.indices(1, b, 6)];
                let keywords = vec![("dims", ints(&[7, 6])), ("order", text(order))];
                self.push(operands, keywords, Layout::Transposed);
            }
            for mode in ["wrap", "clip"] {
                let operands = vec![self.indices(0, a, 30), self.indices(1, b, 30)];
                self.push(operands, vec![("dims", ints(&[7, 3])), ("mode", text(mode))], CONTIGUOUS);
            }
        }
    }

    fn flat_places(&mut self) {
        for shape in [&[4][..], &[2, 3], &[], &[0]] {
            for (dims, size) in [(&[7, 6][..], 42), (&[2, 3, 5], 30), (&[9], 9), (&[], 1)] {
                for order in ["C", "F"] {
                    let places = self.indices(0, shape, size);
                    let keywords = vec![("shape", ints(dims)), ("order", text(order))];
                    self.push(vec![places], keywords, Layout::Reversed);
                }
            }
        }
    }
}
