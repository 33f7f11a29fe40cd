//! Calls of random numbers, each with a seed.

use super::{CONTIGUOUS, Maker, int, ints};
use crate::sample::Layout;
use crate::truth::{Arg, Keywords, Num};
use ivy_core::function::ParamValue;
use ivy_core::{Dtype, Scalar};

pub(super) fn number(x: f64) -> Arg {
    Arg::Scalar(Scalar::Float(x))
}

/// The shapes of two operands, and that of the result where it is given.
pub(super) type Shapes<'a> = (&'a [usize], &'a [usize], Option<&'a [i64]>);

impl Maker<'_> {
    /// The calls of a function of this chapter; false for others.
    pub(super) fn random_numbers(&mut self, name: &'static str) -> bool {
        match name {
            "random_bits" => self.random_words(),
            "random_uniform" => self.between(),
            "random_normal" | "truncated_normal" => self.located(),
            "randint" => self.random_integers(),
            "shuffle" => self.shuffled(),
            "gamma" | "beta" => self.gammas(),
            "dirichlet" => self.parts_of_one(),
            "exponential" => self.one_parameter(&[1.0, 0.0, 2.5]),
            "poisson" => self.one_parameter(&[0.0, 3.0, 25.0, 9.5, 100.0, 0.5]),
            "choice" => self.chosen(),
            "orthogonal" => {
                let shapes: [&[i64]; 7] =
                    [&[3, 3], &[4, 2], &[2, 5], &[2, 3, 2], &[1, 1], &[0, 2], &[0, 2, 2]];
                for shape in shapes {
                    self.seeded(vec![], vec![("shape", ints(shape))], CONTIGUOUS);
                }
            }
            "dropout" => self.dropped(),
            "dropout1d" => self.dropped_channels(1),
            "dropout2d" => self.dropped_channels(2),
            "dropout3d" => self.dropped_channels(3),
            "bernoulli" => self.events(),
            "multinomial" => self.categories(),
            "permutation" => {
                for n in [0, 1, 2, 9, 100] {
                    self.seeded(vec![], vec![("n", int(n))], CONTIGUOUS);
                }
            }
            _ => return false,
        }
        true
    }

    fn seed(&mut self) -> (&'static str, ParamValue) {
        let bits = self.rng.bits();
        // Small numbers are the usual seeds.
        ("seed", int(if bits & 1 == 0 { (bits >> 56) as i64 } else { bits as i64 }))
    }

    pub(super) fn seeded(&mut self, operands: Vec<Arg>, mut keywords: Keywords, layout: Layout) {
        keywords.push(self.seed());
        self.push(operands, keywords, layout);
    }

    fn random_words(&mut self) {
        let shapes: [(&[usize], &[i64]); 6] = [
            (&[4], &[]),
            (&[4], &[7]),
            (&[2, 4], &[3, 5]),
            (&[2, 3, 4], &[2]),
            (&[0, 4], &[2]),
            (&[4], &[0]),
        ];
        for (shape, drawn) in shapes {
            for layout in [CONTIGUOUS, Layout::Reversed] {
                let state = self.some(0, shape);
                self.push(vec![state], vec![("shape", ints(drawn))], layout);
            }
        }
    }

    /// Operand `i` of a shape in the place of a number, where the call has an array there.
    pub(super) fn array_or(&mut self, i: usize, shape: &[usize], values: &[f64], otherwise: Arg) -> Arg {
        if self.c.operands[i].is_none() {
            return otherwise;
        }
        let values: Vec<Num> = values.iter().map(|&x| Num::Float(x)).collect();
        self.array(i, shape, &values)
    }

    fn between(&mut self) {
        let shapes: [Shapes<'_>; 5] = [
            (&[], &[], Some(&[2, 3])),
            (&[3, 1], &[2], None),
            (&[4], &[], Some(&[3, 4])),
            (&[0], &[1], None),
            (&[5], &[5], Some(&[5])),
        ];
        for (k, (low, high, shape)) in shapes.into_iter().enumerate() {
            let keywords: Keywords = shape.map(|s| ("shape", ints(s))).into_iter().collect();
            let scalars =
                [(Arg::Absent, Arg::Absent), (number(-2.5), number(3.0)), (number(0.0), number(1.0))];
            let (a, b) = scalars[k % 3].clone();
            let low = self.array_or(0, low, &[0.0, 1.0, 0.0, 1.0], if k % 3 == 0 { a } else { number(-3.0) });
            let high = self.array_or(1, high, &[1.0, 5.0, 2.0], if k % 3 == 2 { b } else { number(7.0) });
            let layout = if k % 2 == 0 { CONTIGUOUS } else { Layout::Transposed };
            self.seeded(vec![low, high], keywords, layout);
        }
        let same = self.array_or(0, &[3], &[1.0], number(2.0));
        let end = self.array_or(1, &[3], &[2.0], number(2.0));
        self.seeded(vec![same, end], vec![], CONTIGUOUS);
    }

    fn located(&mut self) {
        let shapes: [Shapes<'_>; 5] = [
            (&[], &[], Some(&[2, 3])),
            (&[3, 1], &[3], None),
            (&[], &[4], Some(&[2, 4])),
            (&[0], &[1], None),
            (&[1], &[], Some(&[101])),
        ];
        for (k, (mean, std, shape)) in shapes.into_iter().enumerate() {
            let keywords: Keywords = shape.map(|s| ("shape", ints(s))).into_iter().collect();
            let left_out = k % 2 == 0;
            let mean =
                self.array_or(0, mean, &[0.0, 1.0, 3.0], if left_out { Arg::Absent } else { number(-1.5) });
            let std =
                self.array_or(1, std, &[1.0, 0.0, 2.0], if left_out { Arg::Absent } else { number(0.25) });
            let layout = if left_out { CONTIGUOUS } else { Layout::Transposed };
            self.seeded(vec![mean, std], keywords, layout);
        }
    }

    fn random_integers(&mut self) {
        let dtype = self.c.dtype.unwrap_or(Dtype::INT32);
        let Some((least, greatest)) = dtype.int_range() else { return };
        let ends =
            [(0, 10), (1, 2), (0, 64), (least, greatest + 1), (least, greatest), (greatest - 2, greatest)];
        for (k, (low, high)) in ends.into_iter().enumerate() {
            // Without a dtype the bounds must say which one it is.
            let high = if self.c.dtype.is_none() { high.min(greatest) } else { high };
            let shapes: [&[i64]; 4] = [&[], &[7], &[2, 3], &[0, 2]];
            if i64::try_from(high).is_err() && dtype != Dtype::UINT64 {
                continue;
            }
            let bound = |i: i128| Arg::Scalar(Scalar::Int(i));
            self.seeded(vec![bound(low), bound(high)], vec![("shape", ints(shapes[k % 4]))], CONTIGUOUS);
        }
    }

    fn shuffled(&mut self) {
        let shapes: [(&[usize], Option<i64>); 6] = [
            (&[6], None),
            (&[2, 5], Some(1)),
            (&[3, 2, 2], Some(-3)),
            (&[0, 2], Some(0)),
            (&[], None),
            (&[1], None),
        ];
        for (shape, axis) in shapes {
            for layout in [CONTIGUOUS, Layout::Transposed] {
                let x = self.some(0, shape);
                self.seeded(vec![x], axis.map(|a| ("axis", int(a))).into_iter().collect(), layout);
            }
        }
    }

    fn events(&mut self) {
        let shapes: [(&[usize], Option<&[i64]>); 5] =
            [(&[6], None), (&[2, 3], None), (&[3], Some(&[4, 3])), (&[], Some(&[20])), (&[0, 2], None)];
        for (shape, drawn) in shapes {
            for layout in [CONTIGUOUS, Layout::Transposed] {
                // Both for probabilities and for logits.
                let chances = [0.5, 1.0, 0.25, 0.0, 0.75].map(Num::Float);
                let operands = (0..2)
                    .map(|i| match self.c.operands[i] {
                        Some(_) => self.array(i, shape, &chances),
                        None => Arg::Absent,
                    })
                    .collect();
                let keywords = drawn.map(|s| ("shape", ints(s))).into_iter().collect();
                self.seeded(operands, keywords, layout);
            }
        }
    }

    fn categories(&mut self) {
        let weights = [2.0, 0.0, 1.0, 4.0, 1.0, 0.0, 3.0].map(Num::Float);
        for (size, count, lines) in
            [(5i64, 9i64, 1i64), (7, 4, 3), (1, 1, 2), (4, 0, 2), (3, 3, 0), (13, 6, 1)]
        {
            for replace in [true, false] {
                if !replace && count > size {
                    continue;
                }
                let shapes: [Vec<usize>; 2] = [vec![size as usize], vec![lines as usize, size as usize]];
                for shape in shapes {
                    let probs = match self.c.operands[0] {
                        // A line without any weight has no category to draw.
                        Some(_) if size == 1 => self.array(0, &shape, &weights[..1]),
                        Some(_) => self.array(0, &shape, &weights),
                        None => Arg::Absent,
                    };
                    let keywords = vec![
                        ("population_size", int(size)),
                        ("num_samples", int(count)),
                        ("batch_size", int(lines)),
                        ("replace", ParamValue::Bool(replace)),
                    ];
                    self.seeded(vec![probs], keywords, CONTIGUOUS);
                }
            }
        }
    }
}
