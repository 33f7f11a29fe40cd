//! The standard's extension `linalg`: products, norms and decompositions of matrices, the last
//! two axes of an array. The other axes number them, and broadcast where there are two arrays.
//!
//! Decompositions compute float32, float64, complex64 and complex128 in their own precision,
//! float16 and bfloat16 in float32; integers and bool become the default float first.
//!
//! ```
//! use ivy::prelude::*;
//! let a = Array::try_from([[2.0f32, 0.0], [0.0, 4.0]])?;
//! let b = Array::try_from([2.0f32, 2.0])?;
//! assert_eq!(ivy::linalg::solve(&a, &b)?.to_vec::<f32>()?, [1.0, 0.5]);
//! assert_eq!(ivy::linalg::det(&a)?.item::<f32>()?, 8.0);
//! # Ok::<(), ivy::Error>(())
//! ```

mod block_diag;
mod checks;
mod contractions;
mod cross_outer;
mod decompositions;
mod diag_vander;
mod diagflat;
mod diagonals;
mod eigen;
mod kron;
mod matrix_exp;
mod matrix_power;
pub(crate) mod multi_dot;
mod norms;
mod rank_pinv;
mod solve;
mod triangular;

pub(crate) use super::manipulation::adjoint;
pub use super::manipulation::{MatrixTransposeParams, matrix_transpose, matrix_transpose_with};
pub use block_diag::block_diag;
pub use contractions::{
    ContractedAxes, MatmulParams, Tensordot, Vecdot, matmul, matmul_with, tensordot, vecdot,
};
pub use cross_outer::{Cross, cross, outer};
pub use decompositions::{Cholesky, Qr, QrMode, QrParams, Svd, SvdParams, cholesky, qr, svd, svdvals};
pub use diag_vander::{Diag, Vander, diag, vander};
pub use diagflat::{Diagflat, diagflat};
pub use diagonals::{Diagonal, Trace, diagonal, trace};
pub use eigen::{
    Eig, Eigh, EighParams, EigvalshParams, UpLo, eig, eigh, eigh_with, eigvals, eigvalsh, eigvalsh_with,
};
pub use kron::{inner, kron};
pub use matrix_exp::matrix_exp;
pub use matrix_power::{Exponent, MatrixPower, matrix_power};
pub use multi_dot::multi_dot;
pub(crate) use norms::squared_magnitude;
pub use norms::{MatrixNorm, MatrixOrder, VectorNorm, VectorOrder, matrix_norm, vector_norm};
pub use rank_pinv::{MatrixRank, Rtol, matrix_rank, pinv};
pub use solve::{InvParams, Slogdet, SolveParams, det, inv, inv_with, slogdet, solve, solve_with};
pub use triangular::{LuFactors, SolveTriangular, lu_factor, lu_solve, solve_triangular};
