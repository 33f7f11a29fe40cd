//! Calls of special functions, and of the windows made of them.

use super::{CONTIGUOUS, Maker, int};
use crate::sample::Layout;
use crate::sample::values::{edges, random};
use crate::truth::num::cast;
use crate::truth::{Keywords, Num};
use ivy_core::function::ParamValue;

impl Maker<'_> {
    pub(super) fn special(&mut self, name: &'static str) -> bool {
        match name {
            "i0" => self.real(&[vec![]], &[-1.0, 5.5, 11.9, 12.5, 29.5, 31.0, -88.0, 400.0, 712.0]),
            "erfinv" => {
                self.real(&[vec![]], &[1e-30, 0.01, 0.3, 0.499, 0.501, 0.75, -0.9, 0.999, -0.999_999])
            }
            "polygamma" => {
                let orders = [1, 2, 5, 0, 30].map(|n| vec![("n", int(n))]);
                self.real(
                    &orders,
                    &[0.01, 0.5, 1.0, 1.5, 3.0, 9.25, 100.0, 1000.0, -0.5, -2.25, -0.01, -30.75, -400.5],
                );
            }
            "zeta" => self.exponents_and_starts(),
            "kaiser_window" | "kaiser_bessel_derived_window" => self.kaiser(name == "kaiser_window"),
            _ => return false,
        }
        true
    }

    /// Corners, numbers of all magnitudes and some of interest.
    fn real(&mut self, keywords: &[Keywords], interesting: &[f64]) {
        let dtype = self.dtype(0);
        let mut values = edges(dtype);
        values.extend(random(dtype, &mut self.rng, 24));
        values.extend(interesting.iter().map(|&x| cast(Num::Float(x), dtype)));
        let n = values.len();
        for keywords in keywords {
            self.push(vec![self.array(0, &[n], &values)], keywords.clone(), CONTIGUOUS);
            let shapes: [(&[usize], Layout); 4] = [
                (&[3, 4], Layout::Transposed),
                (&[12], Layout::Reversed),
                (&[], CONTIGUOUS),
                (&[0, 3], CONTIGUOUS),
            ];
            for (shape, layout) in shapes {
                self.push(vec![self.array(0, shape, &values[n - 12..])], keywords.clone(), layout);
            }
        }
    }

    fn exponents_and_starts(&mut self) {
        let some = |maker: &Self, i: usize, more: &[f64]| {
            let mut values = edges(maker.dtype(i));
            values.extend(more.iter().map(|&x| cast(Num::Float(x), maker.dtype(i))));
            values
        };
        let s = some(self, 0, &[1.25, 1.5, 2.0, 3.0, 4.5, 12.0, 40.0]);
        let q = some(self, 1, &[0.125, 0.5, 1.0, 1.5, 7.0, 30.0, 250.0]);
        let (n, m) = (s.len(), q.len());
        self.push(vec![self.array(0, &[n, 1], &s), self.array(1, &[1, m], &q)], vec![], CONTIGUOUS);
        let shapes: [(&[usize], &[usize]); 4] =
            [(&[2, 3], &[2, 3]), (&[], &[5]), (&[], &[]), (&[0, 2], &[2])];
        for (a, b) in shapes {
            let operands = vec![self.array(0, a, &s[n - 6..]), self.array(1, b, &q[m - 6..])];
            self.push(operands, vec![], Layout::Transposed);
        }
    }

    fn kaiser(&mut self, any: bool) {
        let lengths: &[i64] = if any { &[0, 1, 2, 5, 8, 33] } else { &[0, 2, 4, 10, 32] };
        for &length in lengths {
            for beta in [None, Some(0.0), Some(4.5), Some(60.0)] {
                for periodic in [true, false].into_iter().filter(|p| any || *p) {
                    let mut keywords = vec![("window_length", int(length))];
                    keywords.extend(beta.map(|b| ("beta", ParamValue::Float(b))));
                    if !periodic {
                        keywords.push(("periodic", ParamValue::Bool(false)));
                    }
                    self.push(vec![], keywords, CONTIGUOUS);
                }
            }
        }
    }
}
