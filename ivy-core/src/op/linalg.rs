//! Decompositions of matrices, and what is computed by one.

use super::Signature;
use crate::{Dims, Dtype, Result, Shape, shape};
use smallvec::smallvec;

/// Which decomposition a [`super::Op::Linalg`] is. The last two axes are the matrices, the others
/// number them; dtypes are floats and complex numbers, float16 and bfloat16 computed in float32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinalgOp {
    /// `(x: [..., n, n])`: lower triangular `L` with `x = L L^H`, or upper triangular `U` with
    /// `x = U^H U`; of the lower triangle of `x` only.
    Cholesky {
        /// The upper triangular factor instead of the lower one.
        upper: bool,
    },
    /// `(x: [..., n, n]) -> (values: real [..., n], vectors: [..., n, n])`: eigenvalues, ascending,
    /// and orthonormal eigenvectors, of the Hermitian matrix whose lower triangle is that of `x`.
    Eigh,
    /// The values of [`LinalgOp::Eigh`] only.
    Eigvalsh,
    /// `(x: [..., n, n]) -> (values: complex [..., n], vectors: complex [..., n, n])`: eigenvalues
    /// in no promised order, and right eigenvectors of length 1.
    Eig,
    /// The values of [`LinalgOp::Eig`] only.
    Eigvals,
    /// `(x: [..., n, n])`: the inverse.
    Inv,
    /// `(a: [..., n, n], b: [..., n, k] or [n])`: `x` with `a x = b`, leading axes broadcast; a
    /// one-dimensional `b` is a column, and its axis is absent from the result.
    Solve,
    /// `(a: [..., n, n], b: [..., n, k] or [n])`: as [`LinalgOp::Solve`], of a triangular matrix: of the rest nothing
    /// is read.
    SolveTriangular {
        /// The triangle on and above the diagonal; otherwise the one on and below it.
        upper: bool,
        /// The adjoint of the triangle stands in its place.
        adjoint: bool,
        /// The diagonal is taken for ones, and not read.
        unit_diagonal: bool,
    },
    /// `(x: [..., n, n]) -> (lu: [..., n, n], p: int64 [..., n])`: row `p[i]` of `x` is row `i` of `L U`, where `U` is
    /// the upper triangle of `lu`, and `L` the lower one with ones on the diagonal.
    LuFactor,
    /// `(x: [..., m, n]) -> (q, r)`: `x = q r`, the columns of `q` orthonormal, `r` upper triangular.
    Qr {
        /// `q` is `m` by `m` and `r` `m` by `n`; otherwise `k = min(m, n)` stands for the inner `m`.
        complete: bool,
    },
    /// `(x: [..., m, n]) -> (u, s: real [..., k], vh)`: `x = u diag(s) vh` with orthonormal columns
    /// of `u` and rows of `vh`; `s` descends.
    Svd {
        /// `u` is `m` by `m` and `vh` `n` by `n`; otherwise `m` by `k` and `k` by `n`.
        full: bool,
    },
    /// The values `s` of [`LinalgOp::Svd`] only.
    Svdvals,
    /// `(x: [..., n, n]) -> (sign: [...], logabsdet: real [...])` of the determinant; 0 and
    /// negative infinity of a singular matrix.
    Slogdet,
    /// `(x: [..., n, n])`: the determinant.
    Det,
}

impl LinalgOp {
    /// True for the solutions of equations, which have right-hand sides as a second operand.
    pub const fn solves(self) -> bool {
        matches!(self, LinalgOp::Solve | LinalgOp::SolveTriangular { .. })
    }

    /// The name, as the standard spells the function.
    pub const fn name(self) -> &'static str {
        match self {
            LinalgOp::Cholesky { .. } => "cholesky",
            LinalgOp::Eigh => "eigh",
            LinalgOp::Eigvalsh => "eigvalsh",
            LinalgOp::Eig => "eig",
            LinalgOp::Eigvals => "eigvals",
            LinalgOp::Inv => "inv",
            LinalgOp::Solve => "solve",
            LinalgOp::SolveTriangular { .. } => "solve_triangular",
            LinalgOp::LuFactor => "lu_factor",
            LinalgOp::Qr { .. } => "qr",
            LinalgOp::Svd { .. } => "svd",
            LinalgOp::Svdvals => "svdvals",
            LinalgOp::Slogdet => "slogdet",
            LinalgOp::Det => "det",
        }
    }

    /// The dtype of the first result.
    pub(super) fn result(self, operands: &[Dtype]) -> Option<Dtype> {
        let x = operands[0];
        let complex = x.complex_of()?;
        if operands.iter().any(|&d| d != x) {
            return None;
        }
        Some(match self {
            LinalgOp::Eigh | LinalgOp::Eigvalsh | LinalgOp::Svdvals => x.real_part(),
            LinalgOp::Eig | LinalgOp::Eigvals => complex,
            _ => x,
        })
    }

    /// Dtypes and shapes of the results for operands that [`LinalgOp::result`] takes.
    pub(super) fn signature(
        self,
        function: &'static str,
        operands: &[(Dtype, &Shape)],
        first: Dtype,
    ) -> Result<Signature> {
        let (dtype, x) = operands[0];
        let split = x.len() - 2;
        let (lead, m, n) = (&x[..split], x[split], x[split + 1]);
        let k = m.min(n);
        let with = |rest: &[usize]| -> Shape { lead.iter().chain(rest).copied().collect() };
        Ok(match self {
            LinalgOp::Cholesky { .. } | LinalgOp::Inv => smallvec![(first, with(&[n, n]))],
            LinalgOp::LuFactor => smallvec![(first, with(&[n, n])), (Dtype::INT64, with(&[n]))],
            LinalgOp::Eigh => smallvec![(first, with(&[n])), (dtype, with(&[n, n]))],
            LinalgOp::Eig => smallvec![(first, with(&[n])), (first, with(&[n, n]))],
            LinalgOp::Eigvalsh | LinalgOp::Eigvals => smallvec![(first, with(&[n]))],
            LinalgOp::Svdvals => smallvec![(first, with(&[k]))],
            LinalgOp::Qr { complete } => {
                let inner = if complete { m } else { k };
                smallvec![(first, with(&[m, inner])), (first, with(&[inner, n]))]
            }
            LinalgOp::Svd { full } => {
                let (rows, columns) = if full { (m, n) } else { (k, k) };
                let s = (dtype.real_part(), with(&[k]));
                smallvec![(first, with(&[m, rows])), s, (first, with(&[columns, n]))]
            }
            LinalgOp::Slogdet => smallvec![(first, with(&[])), (dtype.real_part(), with(&[]))],
            LinalgOp::Det => smallvec![(first, with(&[]))],
            LinalgOp::Solve | LinalgOp::SolveTriangular { .. } => {
                let b = operands[1].1;
                if b.len() == 1 {
                    return Ok(smallvec![(first, with(&[n]))]);
                }
                let (own, columns) = (&b[..b.len() - 2], b[b.len() - 1]);
                let mut dims = Dims::from_slice(&shape::broadcast(function, &[lead, own])?);
                dims.extend([n, columns]);
                smallvec![(first, dims.into())]
            }
        })
    }
}
