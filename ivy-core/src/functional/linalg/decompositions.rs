//! Cholesky, QR and singular value decompositions.

use super::checks::{matrices, squares};
use crate::array::IntoOperand;
use crate::call::{call, call_one};
use crate::function::{Body, Bound};
use crate::{Array, LinalgOp, Op, Result, params};

params! {
    /// Keyword arguments of [`cholesky`].
    pub struct Cholesky {
        /// The upper triangular factor instead of the lower one.
        flag upper,
    }
}

describe! {
    CHOLESKY = "cholesky", Linalg, Primary, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Residual, params: Cholesky::new(), example: [&[1, 1]], Body::Op(|r| {
        squares(r.function.name, "x", r.shape(0))?;
        Ok(Op::Linalg(LinalgOp::Cholesky { upper: r.params::<Cholesky>().upper }))
    })
}

/// Cholesky decomposition: the triangular factor `L` of a Hermitian positive definite matrix `L L^H`, or with `upper`
/// the `U` of `U^H U`. Only the lower triangle of the matrix is read.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[4.0f32, 2.0], [2.0, 2.0]])?;
/// assert_eq!(ivy::linalg::cholesky(&x, ())?.to_vec::<f32>()?, [2.0, 0.0, 1.0, 1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for matrices that are not square,
/// [`NotPositiveDefinite`](crate::ErrorKind::NotPositiveDefinite).
pub fn cholesky<'a>(x: impl IntoOperand<'a>, params: impl Into<Cholesky>) -> Result<Array> {
    call_one(&CHOLESKY, &[x.into_operand()], &params.into())
}

/// Which form of [`qr`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum QrMode {
    /// `q` of shape `(..., m, k)` and `r` of `(..., k, n)`, where `k` is the lesser of `m` and `n`.
    #[default]
    Reduced,
    /// `q` of shape `(..., m, m)` and `r` of `(..., m, n)`.
    Complete,
}

param_words! { QrMode: "reduced" => Reduced, "complete" => Complete }

params! {
    /// Keyword arguments of [`qr`].
    pub struct QrParams {
        /// The form.
        mode: QrMode = QrMode::Reduced,
    }
}

/// The results of [`qr`].
#[derive(Clone, Debug)]
pub struct Qr {
    /// Orthonormal columns.
    pub q: Array,
    /// Upper triangular.
    pub r: Array,
}

describe! {
    QR = "qr", Linalg, Primary, (x: Promoted), PromoteFloat -> [Compute, Compute],
    Bound::Residual, params: QrParams::new(), example: [&[2, 2]], Body::Op(|r| {
        matrices(r.function.name, "x", r.shape(0))?;
        Ok(Op::Linalg(LinalgOp::Qr { complete: r.params::<QrParams>().mode == QrMode::Complete }))
    })
}

/// QR decomposition: the factors of `x = q r`: `q` with orthonormal columns, `r` upper triangular.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]])?;
/// let factors = ivy::linalg::qr(&x, ())?;
/// assert_eq!(factors.q.shape().to_string(), "(3, 2)");
/// assert_eq!(factors.r.shape().to_string(), "(2, 2)");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for fewer than two axes.
pub fn qr<'a>(x: impl IntoOperand<'a>, params: impl Into<QrParams>) -> Result<Qr> {
    let mut outputs = call(&QR, &[x.into_operand()], &params.into())?.into_iter();
    let mut next = || outputs.next().expect("qr has two results");
    Ok(Qr { q: next(), r: next() })
}

params! {
    /// Keyword arguments of [`svd`].
    pub struct SvdParams {
        /// Whether `u` and `vh` are square; otherwise `u` has as many columns, and `vh` as many
        /// rows, as there are singular values.
        full_matrices: bool = true,
    }
}

/// The results of [`svd`].
#[derive(Clone, Debug)]
pub struct Svd {
    /// Orthonormal columns.
    pub u: Array,
    /// The singular values, descending; real.
    pub s: Array,
    /// Orthonormal rows.
    pub vh: Array,
}

describe! {
    SVD = "svd", Linalg, Primary, (x: Promoted), PromoteFloat -> [Compute, RealPart, Compute],
    Bound::Residual, params: SvdParams::new(), example: [&[2, 2]], Body::Op(|r| {
        matrices(r.function.name, "x", r.shape(0))?;
        Ok(Op::Linalg(LinalgOp::Svd { full: r.params::<SvdParams>().full_matrices }))
    })
}

/// Singular value decomposition `x = u diag(s) vh`.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::linalg::{SvdParams, svd};
/// let x = Array::try_from([[3.0f32, 0.0], [0.0, -4.0], [0.0, 0.0]])?;
/// let parts = svd(&x, SvdParams::new().full_matrices(false))?;
/// assert_eq!(parts.s.to_vec::<f32>()?, [4.0, 3.0]);
/// assert_eq!(parts.u.shape().to_string(), "(3, 2)");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for fewer than two axes,
/// [`NotConverged`](crate::ErrorKind::NotConverged), as for NaN and infinities.
pub fn svd<'a>(x: impl IntoOperand<'a>, params: impl Into<SvdParams>) -> Result<Svd> {
    let mut outputs = call(&SVD, &[x.into_operand()], &params.into())?.into_iter();
    let mut next = || outputs.next().expect("svd has three results");
    Ok(Svd { u: next(), s: next(), vh: next() })
}

describe! {
    SVDVALS = "svdvals", Linalg, Primary, (x: Promoted), PromoteFloat -> [RealPart],
    Bound::Residual, params: (), example: [&[2, 2]], Body::Op(|r| {
        matrices(r.function.name, "x", r.shape(0))?;
        Ok(Op::Linalg(LinalgOp::Svdvals))
    })
}

/// Singular values of [`svd`], descending.
///
/// # Errors
/// As [`svd`].
pub fn svdvals<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    call_one(&SVDVALS, &[x.into_operand()], &())
}
