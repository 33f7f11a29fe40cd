//! Eigendecompositions.

use super::adjoint;
use super::checks::squares;
use crate::array::IntoOperand;
use crate::call::{call, call_one};
use crate::function::{Body, Bound, Composition, Request};
use crate::{Array, LinalgOp, Op, Result, params};
use smallvec::smallvec;

fn lower(request: &Request<'_>, op: LinalgOp) -> Result<Op> {
    squares(request.function.name, "x", request.shape(0))?;
    Ok(Op::Linalg(op))
}

/// Which triangle of a Hermitian matrix is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UpLo {
    /// The lower one.
    Lower,
    /// The upper one.
    Upper,
}

param_words! { UpLo: "L" => Lower, "U" => Upper }

params! {
    /// Keyword arguments of [`eigh_with`] and [`eigvalsh_with`].
    pub struct EighParams {
        /// The triangle that is read; the lower one if not given.
        extended uplo: Option<UpLo> = None,
    }
}

/// Keyword arguments of [`eigvalsh_with`], the same as of [`eigh_with`].
pub type EigvalshParams = EighParams;

describe! {
    EIGH = "eigh", Linalg, Primary, (x: Promoted), PromoteFloat -> [RealPart, Compute],
    Bound::Residual, params: EighParams::new(), example: [&[2, 2]], Body::Op(|r| lower(r, LinalgOp::Eigh)),
    extended: |call| {
        let parts = eigh(by_lower(call)?)?;
        Ok(smallvec![parts.eigenvalues, parts.eigenvectors])
    }
}
describe! {
    EIGVALSH = "eigvalsh", Linalg, Primary, (x: Promoted), PromoteFloat -> [RealPart],
    Bound::Residual, params: EigvalshParams::new(), example: [&[2, 2]], Body::Op(|r| lower(r, LinalgOp::Eigvalsh)),
    extended: |call| Ok(smallvec![eigvalsh(by_lower(call)?)?])
}

/// The matrix whose lower triangle says what the chosen one of the operand says.
fn by_lower(call: &Composition<'_>) -> Result<Array> {
    match call.params::<EighParams>().uplo {
        Some(UpLo::Upper) => adjoint(call.array(0)),
        _ => Ok(call.array(0).clone()),
    }
}
describe! {
    EIG = "eig", Linalg, Primary, (x: Promoted), PromoteFloat -> [Complex, Complex],
    Bound::Residual, params: (), example: [&[2, 2]], Body::Op(|r| lower(r, LinalgOp::Eig))
}
describe! {
    EIGVALS = "eigvals", Linalg, Primary, (x: Promoted), PromoteFloat -> [Complex],
    Bound::Residual, params: (), example: [&[2, 2]], Body::Op(|r| lower(r, LinalgOp::Eigvals))
}

/// The results of [`eigh`].
#[derive(Clone, Debug)]
pub struct Eigh {
    /// The eigenvalues, ascending; real.
    pub eigenvalues: Array,
    /// Orthonormal eigenvectors, as columns.
    pub eigenvectors: Array,
}

/// Eigendecomposition of a Hermitian matrix: eigenvalues and eigenvectors of a symmetric or Hermitian matrix, of which
/// only the lower triangle is read.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[2.0f64, 0.0], [0.0, -1.0]])?;
/// assert_eq!(ivy::linalg::eigh(&x)?.eigenvalues.to_vec::<f64>()?, [-1.0, 2.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for matrices that are not square,
/// [`NotConverged`](crate::ErrorKind::NotConverged), as for NaN and infinities.
pub fn eigh<'a>(x: impl IntoOperand<'a>) -> Result<Eigh> {
    let mut outputs = call(&EIGH, &[x.into_operand()], &())?.into_iter();
    let mut next = || outputs.next().expect("eigh has two results");
    Ok(Eigh { eigenvalues: next(), eigenvectors: next() })
}

/// [`eigh`] with keyword arguments.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::linalg::{EighParams, UpLo, eigh_with};
/// let x = Array::try_from([[0.0f64, 2.0], [9.0, 0.0]])?;
/// assert_eq!(eigh_with(&x, EighParams::new().uplo(UpLo::Upper))?.eigenvalues.to_vec::<f64>()?, [-2.0, 2.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`eigh`].
pub fn eigh_with<'a>(x: impl IntoOperand<'a>, params: impl Into<EighParams>) -> Result<Eigh> {
    let mut outputs = call(&EIGH, &[x.into_operand()], &params.into())?.into_iter();
    let mut next = || outputs.next().expect("eigh has two results");
    Ok(Eigh { eigenvalues: next(), eigenvectors: next() })
}

/// [`eigvalsh`] with keyword arguments.
///
/// # Errors
/// As [`eigh`].
pub fn eigvalsh_with<'a>(x: impl IntoOperand<'a>, params: impl Into<EigvalshParams>) -> Result<Array> {
    call_one(&EIGVALSH, &[x.into_operand()], &params.into())
}

/// Eigenvalues of a Hermitian matrix: the eigenvalues of [`eigh`], ascending.
///
/// # Errors
/// As [`eigh`].
pub fn eigvalsh<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    call_one(&EIGVALSH, &[x.into_operand()], &())
}

/// The results of [`eig`].
#[derive(Clone, Debug)]
pub struct Eig {
    /// The eigenvalues, in no promised order; complex.
    pub eigenvalues: Array,
    /// Right eigenvectors of length 1, as columns; complex.
    pub eigenvectors: Array,
}

/// Eigendecomposition of a general matrix: eigenvalues and right eigenvectors of any square matrix, as complex numbers.
///
/// ```
/// use ivy::prelude::*;
/// let turn = Array::try_from([[0.0f64, -1.0], [1.0, 0.0]])?;
/// let values = ivy::linalg::eig(&turn)?.eigenvalues;
/// assert_eq!(ivy::sort(ivy::imag(&values)?, ())?.to_vec::<f64>()?, [-1.0, 1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`eigh`].
pub fn eig<'a>(x: impl IntoOperand<'a>) -> Result<Eig> {
    let mut outputs = call(&EIG, &[x.into_operand()], &())?.into_iter();
    let mut next = || outputs.next().expect("eig has two results");
    Ok(Eig { eigenvalues: next(), eigenvectors: next() })
}

/// Eigenvalues of a general matrix: the eigenvalues of [`eig`].
///
/// # Errors
/// As [`eigh`].
pub fn eigvals<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    call_one(&EIGVALS, &[x.into_operand()], &())
}
