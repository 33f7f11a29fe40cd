//! Calls of points joined by lines, polynomials, differences, convolutions, bins and orders.

use super::{CONTIGUOUS, Maker, ON, int, ints};
use crate::sample::{Layout, moderate, repeated};
use crate::truth::{Arg, Keywords, Num};
use ivy_core::Scalar;
use ivy_core::function::ParamValue;

fn text(word: &str) -> ParamValue {
    ParamValue::Text(word.into())
}

fn number(x: f64) -> ParamValue {
    ParamValue::Float(x)
}

fn small(values: &[i128]) -> Vec<Num> {
    values.iter().map(|&i| Num::Int(i)).collect()
}

impl Maker<'_> {
    pub(super) fn numerical(&mut self, name: &'static str) -> bool {
        match name {
            "interp" => self.points(),
            "digitize" | "bucketize" => self.bins(name == "digitize"),
            "polyval" => self.polynomials(),
            "gradient" => self.samples_of_slopes(),
            "ediff1d" => self.steps(),
            "unwrap" => self.jumps(),
            "convolve" | "correlate" => self.sequences(name),
            "block_diag" => self.blocks_of_matrices(),
            "trim_zeros" => self.zeros_around(),
            "lexsort" => self.keys(),
            _ => return false,
        }
        true
    }

    /// An array of numbers near 1 in magnitude.
    fn near(&mut self, i: usize, shape: &[usize]) -> Arg {
        let values = moderate(self.dtype(i), &mut self.rng, shape.iter().product::<usize>().max(1));
        self.array(i, shape, &values)
    }

    fn points(&mut self) {
        let one = self.dtype(1).is_bool();
        // Places that every dtype has; of bool there are two.
        let places = if one { vec![0, 1] } else { vec![1, 3, 4, 8, 8, 20] };
        let asked = small(&[0, 1, 2, 3, 5, 8, 20, 21, 9, 4, 15, 7]);
        let calls: [(&[usize], Keywords); 6] = [
            (&[12], vec![]),
            (&[3, 4], vec![("left", number(-1.5)), ("right", number(0.25))]),
            (&[], vec![]),
            (&[0, 2], vec![]),
            (&[12], vec![("period", number(6.0))]),
            (&[2, 3], vec![("period", number(-4.0)), ("left", number(3.0))]),
        ];
        for (k, (shape, keywords)) in calls.into_iter().enumerate() {
            for count in [places.len(), 1] {
                // With a period no two points lie at one place, of which the order would be open.
                let periodic = keywords.iter().any(|k| k.0 == "period");
                let own: Vec<i128> = if periodic && !one {
                    vec![9, 1, 5, 20][..count.min(4)].to_vec()
                } else {
                    places.clone()
                };
                let count = count.min(own.len());
                let values = self.near(2, &[count]);
                let operands =
                    vec![self.array(0, shape, &asked), self.array(1, &[count], &small(&own)), values];
                self.push(
                    operands,
                    keywords.clone(),
                    if k % 2 == 0 { CONTIGUOUS } else { Layout::Transposed },
                );
            }
        }
        if [0, 1, 2].iter().all(|&i| self.dtype(i).is_float()) {
            let (inf, nan) = (f64::INFINITY, f64::NAN);
            let asked = [nan, inf, -inf, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0].map(Num::Float);
            let places = self.array(1, &[4], &small(&[1, 2, 3, 4]));
            for line in [[1.0, inf, inf, 2.0], [-inf, 1.0, 2.0, inf], [inf, -inf, nan, 1.0]] {
                let operands = vec![
                    self.array(0, &[10], &asked),
                    places.clone(),
                    self.array(2, &[4], &line.map(Num::Float)),
                ];
                self.push(operands, vec![], CONTIGUOUS);
            }
        }
    }

    /// Edges in both directions, or ascending ones only.
    fn bins(&mut self, both: bool) {
        let (a, b) = (self.dtype(0), self.dtype(1));
        for right in [ON, ParamValue::Bool(false)] {
            for (count, descending) in [(6, false), (6, true), (1, false), (0, false), (2, true)] {
                let mut edges = repeated(b, &mut self.rng, 6, false);
                edges.sort_by(|x, y| match (x, y) {
                    (Num::Int(i), Num::Int(j)) => i.cmp(j),
                    _ => x.re().total_cmp(&y.re()),
                });
                edges.truncate(count);
                if descending && both {
                    edges.reverse();
                }
                let x = repeated(a, &mut self.rng, 6, true);
                let operands = vec![self.array(0, &[2, 3], &x), self.array(1, &[edges.len()], &edges)];
                self.push(operands, vec![("right", right.clone())], Layout::Transposed);
            }
        }
    }

    fn polynomials(&mut self) {
        let calls: [(usize, &[usize]); 6] =
            [(4, &[5]), (3, &[2, 3]), (1, &[3]), (0, &[2]), (2, &[]), (7, &[0, 2])];
        for (count, shape) in calls {
            for layout in [CONTIGUOUS, Layout::Reversed] {
                let operands = vec![self.near(0, &[count]), self.near(1, shape)];
                self.push(operands, vec![], layout);
            }
        }
    }

    fn samples_of_slopes(&mut self) {
        let calls: [(&[usize], Keywords); 6] = [
            (&[5], vec![]),
            (&[3], vec![("edge_order", int(2))]),
            (&[4, 3], vec![]),
            (&[3, 4, 2], vec![("axis", ints(&[1, -1]))]),
            (&[4, 5], vec![("axis", int(-2)), ("edge_order", int(2))]),
            (&[0, 3], vec![("axis", int(1))]),
        ];
        for (k, (shape, keywords)) in calls.into_iter().enumerate() {
            let layout = if k % 2 == 0 { CONTIGUOUS } else { Layout::Transposed };
            let x = self.near(0, shape);
            if self.c.operands[1].is_none() {
                self.push(vec![x.clone(), Arg::Absent], keywords.clone(), layout);
                self.push(vec![x, Arg::Scalar(Scalar::Int(2))], keywords, layout);
                continue;
            }
            let distance = self.array(1, &[], &small(&[1]));
            self.push(vec![x, distance], keywords, layout);
        }
        if self.c.operands[1].is_some_and(|d| !d.is_bool()) {
            let places = small(&[1, 2, 4, 5, 9]);
            for (shape, axis) in [(&[5][..], 0), (&[5, 2], 0), (&[2, 5], -1)] {
                for order in [1, 2] {
                    let operands = vec![self.near(0, shape), self.array(1, &[5], &places)];
                    let keywords = vec![("axis", int(axis)), ("edge_order", int(order))];
                    self.push(operands, keywords, Layout::Reversed);
                }
            }
        }
    }

    fn steps(&mut self) {
        for shape in [&[6][..], &[2, 3], &[], &[0], &[1]] {
            for ends in [&[2][..], &[], &[2, 2]] {
                let mut operands = vec![self.some(0, shape)];
                for i in [1, 2] {
                    operands.push(match self.c.operands[i] {
                        Some(_) => self.some(i, ends),
                        None => Arg::Absent,
                    });
                }
                self.push(operands, vec![], Layout::Transposed);
            }
        }
    }

    fn jumps(&mut self) {
        let float = self.dtype(0).is_float();
        let plain = small(&[0, 1, 3, 7, 9, 2, 6, 4, 20, 11, 5, 0]);
        let calls: [(&[usize], Keywords); 7] = [
            (&[12], vec![]),
            (&[12], vec![("period", number(4.0))]),
            (&[3, 4], vec![("axis", int(0)), ("period", number(4.0)), ("discont", number(5.0))]),
            (&[2, 3, 2], vec![("axis", int(1))]),
            (&[1], vec![]),
            (&[0, 2], vec![]),
            (&[2, 0], vec![("axis", int(-2))]),
        ];
        for (shape, keywords) in calls {
            let x = self.array(0, shape, &plain);
            self.push(vec![x], keywords.clone(), Layout::Transposed);
            if float && !keywords.iter().any(|k| k.0 == "period") {
                let values: Vec<Num> = (0..12).map(|_| Num::Float(self.rng.unit() * 40.0 - 20.0)).collect();
                let x = self.array(0, shape, &values);
                self.push(vec![x], keywords, Layout::Reversed);
            }
        }
    }

    fn sequences(&mut self, name: &str) {
        for (n, m) in [(5, 3), (3, 5), (4, 4), (6, 2), (2, 6), (4, 3), (3, 4), (1, 1), (40, 7)] {
            for mode in ["full", "same", "valid"] {
                let operands = vec![self.near(0, &[n]), self.near(1, &[m])];
                let usual = if name == "convolve" { "full" } else { "valid" };
                let keywords = if mode == usual { vec![] } else { vec![("mode", text(mode))] };
                self.push(operands, keywords, if n % 2 == 0 { CONTIGUOUS } else { Layout::Reversed });
            }
        }
    }

    fn blocks_of_matrices(&mut self) {
        let calls: [&[&[usize]]; 6] = [
            &[&[2, 3], &[1, 2]],
            &[&[3], &[2, 2]],
            &[&[], &[2]],
            &[&[0, 2], &[2, 1]],
            &[&[2, 2]],
            &[&[0], &[3, 0]],
        ];
        let same = self.dtype(0) == self.dtype(1);
        for shapes in calls.into_iter().filter(|shapes| same || shapes.len() > 1) {
            let operands = shapes.iter().enumerate().map(|(i, shape)| self.some(i, shape)).collect();
            self.push(operands, vec![], Layout::Transposed);
        }
    }

    fn zeros_around(&mut self) {
        let float = self.dtype(0).is_float();
        let lines: [&[i128]; 6] =
            [&[0, 0, 1, 0, 1, 0], &[1, 0, 1], &[0, 0, 0], &[], &[1], &[0, 1, 1, 1, 0, 0, 0]];
        for line in lines {
            for trim in ["fb", "f", "B", "bF", ""] {
                let mut values = small(line);
                if float && values.len() > 3 {
                    (values[0], values[2]) = (Num::Float(-0.0), Num::Float(f64::NAN));
                }
                let x = self.array(0, &[line.len()], &values);
                self.push(vec![x], vec![("trim", text(trim))], Layout::Reversed);
            }
        }
    }

    fn keys(&mut self) {
        let calls: [(&[usize], Keywords); 5] = [
            (&[12], vec![]),
            (&[6, 4], vec![("axis", int(0))]),
            (&[3, 6], vec![]),
            (&[0], vec![]),
            (&[2, 5, 2], vec![("axis", int(-2))]),
        ];
        for (shape, keywords) in calls {
            let n = shape.iter().product::<usize>().max(1);
            let mut operands = Vec::new();
            for i in 0..2 {
                let values = repeated(self.dtype(i), &mut self.rng, n, true);
                operands.push(self.array(i, shape, &values));
            }
            self.push(operands.clone(), keywords.clone(), Layout::Transposed);
            operands.push(operands[0].clone());
            self.push(operands[1..].to_vec(), keywords.clone(), CONTIGUOUS);
            if self.dtype(0) == self.dtype(1) {
                self.push(operands[..1].to_vec(), keywords, CONTIGUOUS);
            }
        }
    }
}
