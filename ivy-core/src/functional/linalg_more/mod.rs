//! Ivy's linear algebra beyond the standard.

mod blocks;
mod diagflat;
mod exponential;
mod products;
mod triangular;
mod vectors;

pub use blocks::block_diag;
pub use diagflat::{Diagflat, diagflat};
pub use exponential::matrix_exp;
pub use products::{inner, kron, multi_dot};
pub use triangular::{LuFactors, SolveTriangular, lu_factor, lu_solve, solve_triangular};
pub use vectors::{Diag, Vander, diag, vander};
