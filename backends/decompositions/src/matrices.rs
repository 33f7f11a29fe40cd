//! Decompositions of one matrix.

use faer::linalg::solvers::{
    DenseSolveCore, Eigen, EvdError, Llt, LltError, PartialPivLu, Qr, SelfAdjointEigen, SolveCore, Svd,
    SvdError,
};
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place_with_conj, solve_unit_lower_triangular_in_place_with_conj,
    solve_unit_upper_triangular_in_place_with_conj, solve_upper_triangular_in_place_with_conj,
};
use faer::traits::{ComplexField, RealField};
use faer::{Conj, Mat, MatMut, MatRef, Par, Side};
use num_complex::{Complex, Complex32, Complex64};

/// The factors of a QR decomposition.
#[derive(Debug)]
pub struct Factors<T> {
    /// The columns, which are orthonormal.
    pub q: Mat<T>,
    /// The upper triangle; what is below it means nothing.
    pub r: Mat<T>,
}

/// Which triangle of a matrix it is, and how it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triangle {
    /// The upper one.
    pub upper: bool,
    /// Its conjugate transpose is what is solved by.
    pub adjoint: bool,
    /// Its diagonal is taken to be of ones.
    pub unit_diagonal: bool,
}

/// The type of a matrix' elements. All functions take a matrix of finite elements and run on one thread.
pub trait Decompose: ComplexField<Real: RealField> {
    /// The Cholesky factor L of a positive definite matrix, whose lower triangle is read.
    ///
    /// # Errors
    /// A pivot that is not positive.
    fn cholesky(matrix: MatRef<'_, Self>) -> Result<Llt<Self>, LltError>;

    /// The QR decomposition by Householder reflections: all columns of Q, or as many as the lesser side.
    fn qr(matrix: MatRef<'_, Self>, complete: bool) -> Factors<Self>;

    /// The singular value decomposition, with square U and V or as many of their columns as the lesser side.
    ///
    /// # Errors
    /// The iteration did not converge.
    fn svd(matrix: MatRef<'_, Self>, full: bool) -> Result<Svd<Self>, SvdError>;

    /// The singular values, greatest first.
    ///
    /// # Errors
    /// The iteration did not converge.
    fn singular_values(matrix: MatRef<'_, Self>) -> Result<Vec<Self::Real>, SvdError>;

    /// Eigenvalues, least first, and eigenvectors of a Hermitian matrix, whose lower triangle is read.
    ///
    /// # Errors
    /// The iteration did not converge.
    fn hermitian_eigen(matrix: MatRef<'_, Self>) -> Result<SelfAdjointEigen<Self>, EvdError>;

    /// The eigenvalues of a Hermitian matrix, least first.
    ///
    /// # Errors
    /// The iteration did not converge.
    fn hermitian_eigenvalues(matrix: MatRef<'_, Self>) -> Result<Vec<Self::Real>, EvdError>;

    /// Eigenvalues and right eigenvectors of a square matrix.
    ///
    /// # Errors
    /// The iteration did not converge.
    fn eigen(matrix: MatRef<'_, Self>) -> Result<Eigen<Self::Real>, EvdError>;

    /// The eigenvalues of a square matrix.
    ///
    /// # Errors
    /// The iteration did not converge.
    fn eigenvalues(matrix: MatRef<'_, Self>) -> Result<Vec<Complex<Self::Real>>, EvdError>;

    /// The LU decomposition of a square matrix with partial pivoting.
    fn lu(matrix: MatRef<'_, Self>) -> PartialPivLu<Self>;

    /// The inverse of a matrix that is decomposed.
    fn inverse(lu: &PartialPivLu<Self>) -> Mat<Self>;

    /// The solutions for right-hand sides, in their place.
    fn solve(lu: &PartialPivLu<Self>, right: MatMut<'_, Self>);

    /// The solutions for right-hand sides by substitution, in their place.
    fn solve_triangular(triangle: Triangle, matrix: MatRef<'_, Self>, right: MatMut<'_, Self>);
}

macro_rules! decompose {
    ($($t:ty: $eigen:path;)*) => {$(
        impl Decompose for $t {
            fn cholesky(matrix: MatRef<'_, $t>) -> Result<Llt<$t>, LltError> {
                Llt::new(matrix, Side::Lower)
            }

            fn qr(matrix: MatRef<'_, $t>, complete: bool) -> Factors<$t> {
                let found = Qr::new(matrix);
                let q = if complete { found.compute_Q() } else { found.compute_thin_Q() };
                Factors { q, r: found.R().to_owned() }
            }

            fn svd(matrix: MatRef<'_, $t>, full: bool) -> Result<Svd<$t>, SvdError> {
                if full { Svd::new(matrix) } else { Svd::new_thin(matrix) }
            }

            fn singular_values(matrix: MatRef<'_, $t>) -> Result<Vec<Self::Real>, SvdError> {
                matrix.singular_values()
            }

            fn hermitian_eigen(matrix: MatRef<'_, $t>) -> Result<SelfAdjointEigen<$t>, EvdError> {
                SelfAdjointEigen::new(matrix, Side::Lower)
            }

            fn hermitian_eigenvalues(matrix: MatRef<'_, $t>) -> Result<Vec<Self::Real>, EvdError> {
                matrix.self_adjoint_eigenvalues(Side::Lower)
            }

            fn eigen(matrix: MatRef<'_, $t>) -> Result<Eigen<Self::Real>, EvdError> {
                $eigen(matrix)
            }

            fn eigenvalues(matrix: MatRef<'_, $t>) -> Result<Vec<Complex<Self::Real>>, EvdError> {
                matrix.eigenvalues()
            }

            fn lu(matrix: MatRef<'_, $t>) -> PartialPivLu<$t> {
                PartialPivLu::new(matrix)
            }

            fn inverse(lu: &PartialPivLu<$t>) -> Mat<$t> {
                lu.inverse()
            }

            fn solve(lu: &PartialPivLu<$t>, right: MatMut<'_, $t>) {
                lu.solve_in_place_with_conj(Conj::No, right);
            }

            fn solve_triangular(triangle: Triangle, matrix: MatRef<'_, $t>, right: MatMut<'_, $t>) {
                let Triangle { upper, adjoint, unit_diagonal } = triangle;
                let (matrix, conj) = match adjoint {
                    true => (matrix.transpose().as_dyn_stride(), Conj::Yes),
                    false => (matrix.as_dyn_stride(), Conj::No),
                };
                match (upper != adjoint, unit_diagonal) {
                    (true, false) => solve_upper_triangular_in_place_with_conj(matrix, conj, right, Par::Seq),
                    (true, true) => solve_unit_upper_triangular_in_place_with_conj(matrix, conj, right, Par::Seq),
                    (false, false) => solve_lower_triangular_in_place_with_conj(matrix, conj, right, Par::Seq),
                    (false, true) => solve_unit_lower_triangular_in_place_with_conj(matrix, conj, right, Par::Seq),
                }
            }
        }
    )*};
}
decompose! {
    f32: Eigen::new_from_real;
    f64: Eigen::new_from_real;
    Complex32: Eigen::new;
    Complex64: Eigen::new;
}
