//! Eigenvalues and eigenvectors.

use super::checks::squares;
use crate::array::IntoOperand;
use crate::call::{call, call_one};
use crate::function::{Body, Bound, Request};
use crate::{Array, LinalgOp, Op, Result};

fn lower(request: &Request<'_>, op: LinalgOp) -> Result<Op> {
    squares(request.function.name, "x", request.shape(0))?;
    Ok(Op::Linalg(op))
}

describe! {
    EIGH = "eigh", Linalg, Primary, (x: Promoted), PromoteFloat -> [RealPart, Compute],
    Bound::Residual, params: (), example: [&[2, 2]], Body::Op(|r| lower(r, LinalgOp::Eigh))
}
describe! {
    EIGVALSH = "eigvalsh", Linalg, Primary, (x: Promoted), PromoteFloat -> [RealPart],
    Bound::Residual, params: (), example: [&[2, 2]], Body::Op(|r| lower(r, LinalgOp::Eigvalsh))
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

/// Eigenvalues and eigenvectors of a symmetric or Hermitian matrix, of which only the lower
/// triangle is read.
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

/// The eigenvalues of [`eigh`], ascending.
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

/// Eigenvalues and right eigenvectors of any square matrix, as complex numbers.
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

/// The eigenvalues of [`eig`].
///
/// # Errors
/// As [`eigh`].
pub fn eigvals<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    call_one(&EIGVALS, &[x.into_operand()], &())
}
