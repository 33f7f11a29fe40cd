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

mod checks;
mod derived;
mod diagonals;
mod eigen;
mod factors;
mod norms;
mod power;
mod products;
mod solutions;

pub use super::linear_algebra::{
    ContractedAxes, MatmulParams, Tensordot, Vecdot, matmul, matmul_with, tensordot, vecdot,
};
pub(crate) use super::manipulation::adjoint;
pub use super::manipulation::{MatrixTransposeParams, matrix_transpose, matrix_transpose_with};
pub use derived::{MatrixRank, Rtol, matrix_rank, pinv};
pub use diagonals::{Diagonal, Trace, diagonal, trace};
pub use eigen::{
    Eig, Eigh, EighParams, EigvalshParams, UpLo, eig, eigh, eigh_with, eigvals, eigvalsh, eigvalsh_with,
};
pub use factors::{Cholesky, Qr, QrMode, QrParams, Svd, SvdParams, cholesky, qr, svd, svdvals};
pub(crate) use norms::squared_magnitude;
pub use norms::{MatrixNorm, MatrixOrder, VectorNorm, VectorOrder, matrix_norm, vector_norm};
pub use power::{Exponent, MatrixPower, matrix_power};
pub use products::{Cross, cross, outer};
pub use solutions::{InvParams, Slogdet, SolveParams, det, inv, inv_with, slogdet, solve, solve_with};
