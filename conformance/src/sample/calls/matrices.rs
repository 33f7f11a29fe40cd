//! The calls of linear algebra and of transforms.

use super::{CONTIGUOUS, Maker, ON, int, ints};
use crate::sample::{Layout, moderate, repeated};
use crate::truth::{Arg, Keywords, Num};
use ivy_core::function::ParamValue;
use ivy_core::{Dtype, Kind};

fn text(word: &str) -> ParamValue {
    ParamValue::Text(word.into())
}

const OFF: ParamValue = ParamValue::Bool(false);

impl Maker<'_> {
    /// Numbers near 1, small ones of integers.
    fn small(&mut self, dtype: Dtype, n: usize) -> Vec<Num> {
        match dtype.kind() {
            Kind::Int => (0..n).map(|_| Num::Int(self.rng.below(7) as i128 - 3)).collect(),
            Kind::Uint => (0..n).map(|_| Num::Int(self.rng.below(4) as i128)).collect(),
            _ => moderate(dtype, &mut self.rng, n),
        }
    }

    pub(super) fn small_array(&mut self, i: usize, shape: &[usize]) -> Arg {
        let values = self.small(self.dtype(i), shape.iter().product::<usize>().max(1));
        self.array(i, shape, &values)
    }

    /// Square matrices far from singular, of which a triangle also makes a positive definite one:
    /// large on the diagonal, and of bool nothing else.
    pub(super) fn regular(&mut self, i: usize, shape: &[usize]) -> Arg {
        let dtype = self.dtype(i);
        let n = shape[shape.len() - 1];
        let mut values = self.small(dtype, shape.iter().product());
        for (p, x) in values.iter_mut().enumerate() {
            let (row, column) = (p / n % n, p % n);
            if row == column {
                *x = Num::Int(16);
            } else if dtype.is_bool() {
                *x = Num::Bool(false);
            }
        }
        self.array(i, shape, &values)
    }

    pub(super) fn linear_algebra(&mut self, name: &'static str) -> bool {
        match name {
            "cross" => self.pairs(&[
                (&[3], &[3], vec![]),
                (&[2, 3], &[3], vec![]),
                (&[3, 2], &[3, 2], vec![("axis", int(0))]),
                (&[2, 3, 1], &[3, 4], vec![("axis", int(-2))]),
                (&[0, 3], &[3], vec![]),
            ]),
            "outer" => self.pairs(&[
                (&[2], &[3], vec![]),
                (&[2, 2], &[3], vec![]),
                (&[1], &[4], vec![]),
                (&[0], &[2], vec![]),
            ]),
            "diagonal" | "trace" => {
                for offset in [0, 1, -1, 5] {
                    for shape in [&[3, 3][..], &[2, 4], &[2, 3, 2], &[0, 3]] {
                        let x = self.small_array(0, shape);
                        self.push(vec![x], vec![("offset", int(offset))], Layout::Transposed);
                    }
                }
            }
            "matrix_norm" => self.matrix_norms(),
            "vector_norm" => self.vector_norms(),
            "matrix_power" => {
                for (shape, n) in
                    [(&[3, 3][..], 0), (&[3, 3], 1), (&[3, 3], 3), (&[2, 2, 2], 2), (&[0, 0], 2)]
                {
                    let x = self.small_array(0, shape);
                    self.push(vec![x], vec![("n", int(n))], Layout::Transposed);
                }
            }
            "matrix_rank" | "pinv" => self.by_singular_values(name),
            "cholesky" => {
                for shape in [&[3, 3][..], &[1, 1], &[2, 2, 2], &[0, 0], &[0, 2, 2]] {
                    for upper in [OFF, ON] {
                        let x = self.regular(0, shape);
                        self.push(vec![x], vec![("upper", upper)], Layout::Transposed);
                    }
                }
            }
            "inv" => {
                for shape in [&[3, 3][..], &[1, 1], &[2, 2, 2], &[0, 0], &[0, 2, 2], &[4, 4]] {
                    let x = self.regular(0, shape);
                    self.push(vec![x], vec![], Layout::Transposed);
                }
            }
            "solve" => {
                let shapes: [(&[usize], &[usize]); 6] = [
                    (&[3, 3], &[3]),
                    (&[3, 3], &[3, 2]),
                    (&[2, 3, 3], &[3]),
                    (&[2, 1, 2, 2], &[3, 2, 4]),
                    (&[0, 0], &[0, 2]),
                    (&[2, 2], &[2, 0]),
                ];
                for (s, t) in shapes {
                    let operands = vec![self.regular(0, s), self.small_array(1, t)];
                    self.push(operands, vec![], Layout::Transposed);
                }
            }
            "eigh" | "eigvalsh" | "eig" | "eigvals" | "det" | "slogdet" => {
                for shape in [&[3, 3][..], &[1, 1], &[2, 2, 2], &[0, 0], &[4, 4], &[0, 2, 2]] {
                    let x = self.small_array(0, shape);
                    self.push(vec![x], vec![], Layout::Transposed);
                }
            }
            "qr" | "svd" | "svdvals" => {
                let whole: Vec<Keywords> = match name {
                    "qr" => vec![vec![], vec![("mode", text("complete"))]],
                    "svd" => vec![vec![], vec![("full_matrices", OFF)]],
                    _ => vec![vec![]],
                };
                for shape in
                    [&[3, 3][..], &[4, 2], &[2, 4], &[2, 3, 2], &[1, 1], &[0, 3], &[3, 0], &[0, 2, 2]]
                {
                    for keywords in &whole {
                        let x = self.small_array(0, shape);
                        self.push(vec![x], keywords.clone(), Layout::Transposed);
                    }
                }
            }
            _ => return false,
        }
        true
    }

    pub(super) fn pairs(&mut self, calls: &[(&[usize], &[usize], Keywords)]) {
        for (s, t, keywords) in calls {
            let operands = vec![self.small_array(0, s), self.small_array(1, t)];
            self.push(operands, keywords.clone(), Layout::Transposed);
        }
    }

    fn matrix_norms(&mut self) {
        let orders = [
            text("fro"),
            text("nuc"),
            int(1),
            int(-1),
            int(2),
            int(-2),
            ParamValue::Float(f64::INFINITY),
            ParamValue::Float(f64::NEG_INFINITY),
        ];
        for (k, order) in orders.into_iter().enumerate() {
            for shape in [&[3, 3][..], &[2, 4], &[2, 3, 2], &[0, 2, 2]] {
                let x = self.small_array(0, shape);
                let keepdims = if k % 2 == 0 { ON } else { OFF };
                self.push(vec![x], vec![("ord", order.clone()), ("keepdims", keepdims)], Layout::Transposed);
            }
        }
    }

    fn vector_norms(&mut self) {
        for p in [0.0, 1.0, 2.0, 3.0, 0.5, f64::INFINITY, f64::NEG_INFINITY] {
            let calls: [(&[usize], Keywords); 4] = [
                (&[5], vec![]),
                (&[3, 4], vec![("axis", int(0))]),
                (&[2, 3, 4], vec![("axis", ints(&[0, -1])), ("keepdims", ON)]),
                (&[], vec![]),
            ];
            for (shape, mut keywords) in calls {
                let x = self.small_array(0, shape);
                keywords.push(("ord", ParamValue::Float(p)));
                self.push(vec![x], keywords, Layout::Transposed);
            }
        }
    }

    fn by_singular_values(&mut self, name: &'static str) {
        let rtol = |maker: &Maker<'_>| match maker.c.operands[1] {
            None => Arg::Absent,
            Some(_) => maker.array(1, &[], &[Num::Float(0.01)]),
        };
        for shape in [&[3, 3][..], &[2, 2, 2], &[1, 1], &[0, 2, 2]] {
            let operands = vec![self.regular(0, shape), rtol(self)];
            self.push(operands, vec![], Layout::Transposed);
        }
        if self.c.operands[1].is_some() {
            return;
        }
        for shape in [&[0, 3][..], &[3, 0]] {
            let x = self.small_array(0, shape);
            self.push(vec![x, Arg::Absent], vec![], CONTIGUOUS);
        }
        if name == "matrix_rank" {
            // A row of zeros, and two rows that are far from each other.
            let rows = [1, 0, 1, 0, 1, 0, 0, 0, 0].map(Num::Int);
            self.push(vec![self.array(0, &[3, 3], &rows), Arg::Absent], vec![], CONTIGUOUS);
        }
    }

    pub(super) fn transforms(&mut self, name: &'static str) -> bool {
        let numbers = |maker: &mut Self, calls: Vec<(&[usize], Keywords)>| {
            for (shape, keywords) in calls {
                for layout in [CONTIGUOUS, Layout::Transposed] {
                    let x = maker.small_array(0, shape);
                    maker.push(vec![x], keywords.clone(), layout);
                }
            }
        };
        match name {
            "fft" | "ifft" | "rfft" | "irfft" | "hfft" | "ihfft" => numbers(
                self,
                vec![
                    (&[8], vec![]),
                    (&[5], vec![]),
                    (&[3, 4], vec![("axis", int(0)), ("norm", text("ortho"))]),
                    (&[2, 6], vec![("n", int(4)), ("norm", text("forward"))]),
                    (&[2, 3, 2], vec![("axis", int(1)), ("n", int(7))]),
                    (&[0, 4], vec![]),
                    (&[4], vec![("n", int(1))]),
                ],
            ),
            "fftn" | "ifftn" | "rfftn" | "irfftn" => numbers(
                self,
                vec![
                    (&[4], vec![]),
                    (&[3, 4], vec![]),
                    (&[2, 3, 4], vec![("axes", ints(&[2, 0])), ("norm", text("ortho"))]),
                    (&[2, 3, 4], vec![("s", ints(&[5, -1])), ("axes", ints(&[0, 2]))]),
                    (&[2, 3], vec![("s", ints(&[2])), ("axes", ints(&[1])), ("norm", text("forward"))]),
                ],
            ),
            "fftshift" | "ifftshift" => {
                let dtype = self.dtype(0);
                let calls: [(&[usize], Keywords); 4] = [
                    (&[5], vec![]),
                    (&[3, 4], vec![]),
                    (&[2, 3, 4], vec![("axes", ints(&[1, -1]))]),
                    (&[0, 3], vec![("axes", int(0))]),
                ];
                for (shape, keywords) in calls {
                    let n = shape.iter().product::<usize>().max(1);
                    let values = repeated(dtype, &mut self.rng, n, true);
                    self.push(vec![self.array(0, shape, &values)], keywords, Layout::Transposed);
                }
            }
            "fftfreq" | "rfftfreq" => {
                for (n, d) in [(1, 1.0), (4, 1.0), (5, 0.5), (8, 3.0)] {
                    self.push(vec![], vec![("n", int(n)), ("d", ParamValue::Float(d))], CONTIGUOUS);
                }
            }
            _ => return false,
        }
        true
    }
}
