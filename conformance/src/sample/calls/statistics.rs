//! Calls of quantiles, running extremes, histograms and covariances.

use super::{CONTIGUOUS, Maker, ON, int, ints};
use crate::sample::{Layout, moderate, repeated};
use crate::truth::{Arg, Keywords, Num};
use ivy_core::function::ParamValue;
use ivy_core::{Dtype, Kind};

const OFF: ParamValue = ParamValue::Bool(false);

fn text(word: &str) -> ParamValue {
    ParamValue::Text(word.into())
}

impl Maker<'_> {
    pub(super) fn statistics(&mut self, name: &'static str) {
        match name {
            "median" | "nanmedian" | "nanmean" => self.middles(name),
            "quantile" | "percentile" | "nanquantile" | "nanpercentile" => self.fractions(name),
            "cummax" | "cummin" => self.running_extremes(),
            "histogram" => self.histograms(),
            "bincount" => self.counts(),
            _ => self.covariances(name),
        }
    }

    fn middles(&mut self, name: &str) {
        let dtype = self.dtype(0);
        let calls: [(&[usize], Keywords); 8] = [
            (&[], vec![]),
            (&[5], vec![]),
            (&[3, 4], vec![]),
            (&[3, 4], vec![("axis", int(0))]),
            (&[2, 3, 4], vec![("axis", ints(&[2, 0])), ("keepdims", ON)]),
            (&[2, 3], vec![("axis", ints(&[]))]),
            (&[40], vec![("axis", int(-1))]),
            (&[0, 3], vec![("axis", int(0))]),
        ];
        for (k, (shape, keywords)) in calls.into_iter().enumerate() {
            let n = shape.iter().product::<usize>().max(1);
            let mut values = moderate(dtype, &mut self.rng, n);
            let plain = self.array(0, shape, &values);
            self.push(vec![plain], keywords.clone(), if k % 2 == 0 { CONTIGUOUS } else { Layout::Reversed });
            if dtype.is_float() {
                values.iter_mut().step_by(3).for_each(|x| *x = Num::Float(f64::NAN));
                let x = self.array(0, shape, &values);
                self.push(vec![x], keywords.clone(), Layout::Transposed);
            }
        }
        if dtype.is_float() && name != "nanmean" {
            let inf = f64::INFINITY;
            for line in [[inf, inf, 1.0, 2.0], [-inf, inf, inf, inf], [-inf, -inf, -inf, 3.0]] {
                let x = self.array(0, &[4], &line.map(Num::Float));
                self.push(vec![x], vec![], CONTIGUOUS);
            }
        }
    }

    fn fractions(&mut self, name: &str) {
        let whole = if name.ends_with("percentile") { 100.0 } else { 1.0 };
        let fractions = [0.5, 0.0, 1.0, 0.25, 0.875, 0.3].map(|q| Num::Float(q * whole));
        let calls: [(&[usize], &[usize], Keywords); 7] = [
            (&[5], &[], vec![]),
            (&[3, 4], &[6], vec![]),
            (&[3, 4], &[2, 3], vec![("axis", int(0))]),
            (&[2, 3, 4], &[3], vec![("axis", ints(&[2, 0])), ("keepdims", ON)]),
            (&[], &[2], vec![]),
            (&[4], &[0], vec![]),
            (&[0, 2], &[2], vec![("axis", int(0))]),
        ];
        for (k, (shape, of_q, keywords)) in calls.into_iter().enumerate() {
            for word in ["linear", "lower", "higher", "midpoint", "nearest"] {
                let mut values =
                    moderate(self.dtype(0), &mut self.rng, shape.iter().product::<usize>().max(1));
                if name.starts_with("nan") && self.dtype(0).is_float() {
                    values.iter_mut().step_by(3).for_each(|x| *x = Num::Float(f64::NAN));
                }
                let operands = vec![self.array(0, shape, &values), self.array(1, of_q, &fractions)];
                let keywords = [keywords.clone(), vec![("interpolation", text(word))]].concat();
                self.push(operands, keywords, if k % 2 == 0 { CONTIGUOUS } else { Layout::Transposed });
            }
        }
        if self.dtype(0).is_float() {
            let (inf, nan) = (f64::INFINITY, f64::NAN);
            for line in [[1.0, inf, inf], [-inf, -inf, 2.0], [nan, 1.0, 2.0], [nan, nan, nan]] {
                let operands =
                    vec![self.array(0, &[3], &line.map(Num::Float)), self.array(1, &[6], &fractions)];
                self.push(operands, vec![], CONTIGUOUS);
            }
        }
    }

    fn running_extremes(&mut self) {
        let dtype = self.dtype(0);
        let directions: [Keywords; 4] = [
            vec![],
            vec![("exclusive", ON)],
            vec![("reverse", ON)],
            vec![("exclusive", ON), ("reverse", ON)],
        ];
        let shapes: [(&[usize], i64); 6] =
            [(&[12], 0), (&[3, 4], 0), (&[3, 4], -1), (&[0], 0), (&[1, 3], 0), (&[2, 3, 2], 1)];
        for direction in directions {
            for (shape, axis) in shapes {
                let n = shape.iter().product::<usize>().max(1);
                let values = repeated(dtype, &mut self.rng, n, true);
                let keywords = [direction.clone(), vec![("axis", int(axis))]].concat();
                self.push(vec![self.array(0, shape, &values)], keywords, Layout::Transposed);
            }
        }
    }

    fn histograms(&mut self) {
        let float = self.dtype(0).is_float();
        let plain = [0.0, 8.0, 1.0, 2.0, 3.0, 5.0, 2.0, 7.0, 4.0, 6.0, 2.0, 0.0];
        let edges = [1.0, 2.0, 4.0, 7.0].map(Num::Float);
        let axes: [Keywords; 4] = [
            vec![],
            vec![("axis", int(0))],
            vec![("axis", ints(&[1, 0]))],
            vec![("density", ON), ("axis", int(-1))],
        ];
        let limits: [Keywords; 3] = [
            vec![],
            vec![("extend_lower_interval", ON), ("extend_upper_interval", ON)],
            vec![("range", ints(&[1, 5])), ("extend_upper_interval", ON)],
        ];
        for shape in [&[12][..], &[4, 3], &[0, 3]] {
            for limit in &limits {
                for axis in axes.iter().filter(|a| shape.len() > 1 || a.iter().all(|k| k.0 == "density")) {
                    let axis: Keywords = axis.iter().filter(|_| shape.len() > 1).cloned().collect();
                    let outside = limit.iter().any(|k| k.0 == "range") && float;
                    let special = [f64::NAN, f64::INFINITY, -3.0, f64::NEG_INFINITY];
                    let mut numbers = plain.map(Num::Float).to_vec();
                    if outside || float && self.c.operands[1].is_some() {
                        numbers[4..8].copy_from_slice(&special.map(Num::Float));
                    }
                    if axis.iter().any(|k| k.0 == "density") && shape[0] == 0 {
                        continue;
                    }
                    let bins = match self.c.operands[1] {
                        Some(_) => self.array(1, &[4], &edges),
                        // A number of bins is no array, and takes no part in the dtypes.
                        None => Arg::Scalar(ivy_core::Scalar::Int(4)),
                    };
                    let weights = match self.c.operands[2] {
                        Some(_) => self.weights(2, shape),
                        None => Arg::Absent,
                    };
                    let operands = vec![self.array(0, shape, &numbers), bins, weights];
                    self.push(operands, [limit.clone(), axis].concat(), Layout::Transposed);
                }
            }
        }
        if self.c.operands[1].is_none() && self.c.operands[2].is_none() {
            let x = self.array(0, &[3], &[Num::Int(1)]);
            self.push(vec![x, Arg::Scalar(ivy_core::Scalar::Int(2)), Arg::Absent], vec![], CONTIGUOUS);
        }
    }

    /// Numbers from 1 on.
    pub(super) fn weights(&mut self, i: usize, shape: &[usize]) -> Arg {
        let values: Vec<Num> = (0..12).map(|_| Num::Int(1 + self.rng.below(4) as i128)).collect();
        self.array(i, shape, &values)
    }

    fn counts(&mut self) {
        for (n, least) in [(7, 0), (7, 20), (0, 0), (0, 3), (1, 2)] {
            let values: Vec<Num> = (0..8).map(|_| Num::Int(self.rng.below(12) as i128)).collect();
            let mut operands = vec![self.array(0, &[n], &values)];
            operands.push(match self.c.operands[1] {
                Some(dtype) => {
                    let values = moderate(dtype, &mut self.rng, 8);
                    self.array(1, &[n], &values)
                }
                None => Arg::Absent,
            });
            self.push(operands, vec![("minlength", int(least))], Layout::Reversed);
        }
    }

    /// Small numbers that differ from each other.
    fn scattered(&mut self, i: usize, shape: &[usize]) -> Arg {
        let dtype: Dtype = self.dtype(i);
        let count = shape.iter().product::<usize>().max(1);
        let values: Vec<Num> = match dtype.kind() {
            Kind::Bool => (0..count).map(|k| Num::Bool(k % 3 == 1)).collect(),
            Kind::Int | Kind::Uint => (0..count).map(|k| Num::Int((k * 7 % 11 + k % 2) as i128)).collect(),
            _ => moderate(dtype, &mut self.rng, count),
        };
        self.array(i, shape, &values)
    }

    fn covariances(&mut self, name: &'static str) {
        let rows = if name == "cov" { "rowVar" } else { "rowvar" };
        let shapes: [(&[usize], &[usize], bool); 4] =
            [(&[6], &[6], true), (&[2, 6], &[3, 6], true), (&[6, 2], &[6, 3], false), (&[2, 6], &[6], true)];
        let calls: Vec<Keywords> = match name {
            "cov" => vec![vec![], vec![("bias", ON)], vec![("ddof", int(2)), ("bias", ON)]],
            _ => vec![vec![]],
        };
        for keywords in calls {
            for (shape, more, by_row) in shapes {
                let mut operands = vec![self.scattered(0, shape)];
                for i in 1..self.c.operands.len() {
                    operands.push(match self.c.operands[i] {
                        None => Arg::Absent,
                        Some(_) if i == 1 => self.scattered(1, more),
                        Some(_) => self.weights(i, &[6]),
                    });
                }
                let by_row = (rows, if by_row { ON } else { OFF });
                self.push(operands, [keywords.clone(), vec![by_row]].concat(), Layout::Transposed);
            }
        }
    }
}
