//! Small complex matrices in float64: what residuals are computed with.

use super::Tensor;
use super::num::Num;
use num_complex::Complex64 as C;

/// A matrix in row-major order.
#[derive(Clone, Debug)]
pub struct Dense {
    /// Rows.
    pub m: usize,
    /// Columns.
    pub n: usize,
    /// The elements, row after row.
    pub data: Vec<C>,
}

impl Dense {
    /// A matrix of `m` rows and `n` columns, of the elements that a function of row and column gives.
    pub fn new(m: usize, n: usize, at: impl Fn(usize, usize) -> C) -> Dense {
        let data = (0..m).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| at(i, j)).collect();
        Dense { m, n, data }
    }

    /// The matrices of a tensor: its last two axes.
    pub fn stack(x: &Tensor) -> Vec<Dense> {
        let [lead @ .., m, n] = &x.shape[..] else { return Vec::new() };
        let number = |v: &Num| C::new(v.re(), v.im());
        (0..lead.iter().product())
            .map(|b: usize| Dense {
                m: *m,
                n: *n,
                data: x.data[b * m * n..(b + 1) * m * n].iter().map(number).collect(),
            })
            .collect()
    }

    /// The vectors of a tensor, its last axis, as columns.
    pub fn columns(x: &Tensor) -> Vec<Dense> {
        let n = x.shape.last().copied().unwrap_or(1);
        let count = x.shape.iter().rev().skip(1).product::<usize>();
        let number = |v: &Num| C::new(v.re(), v.im());
        (0..count)
            .map(|b| Dense { m: n, n: 1, data: x.data[b * n..(b + 1) * n].iter().map(number).collect() })
            .collect()
    }

    /// The element at a row and a column.
    pub fn at(&self, i: usize, j: usize) -> C {
        self.data[i * self.n + j]
    }

    /// The identity matrix.
    pub fn eye(n: usize) -> Dense {
        Dense::new(n, n, |i, j| if i == j { C::ONE } else { C::ZERO })
    }

    /// A matrix of a shape with a column's elements on its diagonal.
    pub fn diagonal(m: usize, n: usize, column: &Dense) -> Dense {
        Dense::new(m, n, |i, j| if i == j { column.data[i] } else { C::ZERO })
    }

    /// The conjugate transpose.
    pub fn adjoint(&self) -> Dense {
        Dense::new(self.n, self.m, |i, j| self.at(j, i).conj())
    }

    /// The matrix product.
    pub fn times(&self, other: &Dense) -> Dense {
        Dense::new(self.m, other.n, |i, j| (0..self.n).map(|k| self.at(i, k) * other.at(k, j)).sum())
    }

    /// The difference.
    pub fn minus(&self, other: &Dense) -> Dense {
        Dense::new(self.m, self.n, |i, j| self.at(i, j) - other.at(i, j))
    }

    /// The root of the sum of squares.
    pub fn norm(&self) -> f64 {
        self.data.iter().map(C::norm_sqr).sum::<f64>().sqrt()
    }

    /// The Hermitian matrix with this lower triangle.
    pub fn hermitian(&self) -> Dense {
        Dense::new(self.n, self.n, |i, j| match i.cmp(&j) {
            std::cmp::Ordering::Equal => self.at(i, i).re.into(),
            std::cmp::Ordering::Greater => self.at(i, j),
            std::cmp::Ordering::Less => self.at(j, i).conj(),
        })
    }

    /// The determinant, by elimination.
    pub fn det(&self) -> C {
        let mut a = self.clone();
        let mut det = C::ONE;
        for k in 0..a.n {
            let pivot = (k..a.n).max_by(|&i, &j| a.at(i, k).norm().total_cmp(&a.at(j, k).norm()));
            let pivot = pivot.unwrap_or(k);
            if a.at(pivot, k) == C::ZERO {
                return C::ZERO;
            }
            if pivot != k {
                (0..a.n).for_each(|j| a.data.swap(k * a.n + j, pivot * a.n + j));
                det = -det;
            }
            det *= a.at(k, k);
            for i in k + 1..a.n {
                let factor = a.at(i, k) / a.at(k, k);
                for j in k..a.n {
                    let x = a.at(k, j) * factor;
                    a.data[i * a.n + j] -= x;
                }
            }
        }
        det
    }

    /// The eigenvalues of the Hermitian matrix with this lower triangle, ascending.
    pub fn eigenvalues(&self) -> Vec<f64> {
        // As a real symmetric matrix of twice the size each of them occurs twice.
        let (h, n) = (self.hermitian(), self.n);
        let real = |i: usize, j: usize| {
            let z = h.at(i % n, j % n);
            match (i < n, j < n) {
                (true, true) | (false, false) => z.re,
                (true, false) => -z.im,
                (false, true) => z.im,
            }
        };
        let size = 2 * n;
        let mut a: Vec<Vec<f64>> = (0..size).map(|i| (0..size).map(|j| real(i, j)).collect()).collect();
        jacobi(&mut a);
        let mut values: Vec<f64> = (0..size).map(|i| a[i][i]).collect();
        values.sort_by(f64::total_cmp);
        values.into_iter().step_by(2).collect()
    }

    /// The singular values, descending.
    pub fn singular_values(&self) -> Vec<f64> {
        // The eigenvalues of [[0, x], [x^H, 0]] are plus and minus these, and zeros.
        let (m, n) = (self.m, self.n);
        let both = Dense::new(m + n, m + n, |i, j| match (i < m, j < m) {
            (true, false) => self.at(i, j - m),
            (false, true) => self.at(j, i - m).conj(),
            _ => C::ZERO,
        });
        both.eigenvalues().into_iter().rev().take(m.min(n)).map(f64::abs).collect()
    }
}

/// Turns a symmetric matrix until it is diagonal.
fn jacobi(a: &mut [Vec<f64>]) {
    let n = a.len();
    let total: f64 = a.iter().flatten().map(|x| x * x).sum();
    for _ in 0..60 {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j] * a[i][j]).sum();
        if off <= total * 1e-34 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q] == 0.0 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for row in a.iter_mut() {
                    let (x, y) = (row[p], row[q]);
                    (row[p], row[q]) = (c * x - s * y, s * x + c * y);
                }
                let (above, below) = a.split_at_mut(q);
                for (x, y) in above[p].iter_mut().zip(&mut below[0]) {
                    (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
                }
                // Or what rounding leaves there is turned for ever, and each turn rounds.
                (a[p][q], a[q][p]) = (0.0, 0.0);
            }
        }
    }
}
