//! Matrix rank and pseudoinverse, by singular values.

use super::checks::matrices;
use super::{SvdParams, adjoint, eigvalsh, matmul, matrix_transpose, svd, svdvals};
use crate::array::{IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::precision::upcast;
use crate::functional::{
    Reduce, Sum, abs, add, astype, expand_dims, greater, max, maximum, multiply, reciprocal, subtract, sum,
    where_, zeros,
};
use crate::transform::custom_jvp;
use crate::{Array, Dtype, Result, Shape, finfo, params, shape};
use smallvec::smallvec;
use std::mem;
use std::sync::Arc;

/// Keyword arguments of [`pinv`].
#[derive(Clone, Debug)]
pub struct Rtol {
    /// Singular values up to this times the greatest one count as zero: a number, or an array of
    /// numbers for the matrices of the stack. If absent, the greater side of the matrix times the
    /// dtype's eps.
    pub rtol: Operand<'static>,
}

impl Default for Rtol {
    fn default() -> Rtol {
        Rtol { rtol: Operand::Absent }
    }
}

impl Rtol {
    /// The default.
    #[must_use]
    pub fn new() -> Rtol {
        Rtol::default()
    }

    /// Sets the relative tolerance.
    #[must_use]
    pub fn rtol<'a>(mut self, rtol: impl IntoOperand<'a>) -> Rtol {
        self.rtol = rtol.into_operand().into_owned();
        self
    }
}

impl From<()> for Rtol {
    fn from((): ()) -> Rtol {
        Rtol::default()
    }
}

params! {
    /// Keyword arguments of [`matrix_rank`].
    pub struct MatrixRank {
        /// Singular values up to this times the greatest one count as zero: a number, or an array of numbers for the
        /// matrices of the stack. If absent, the greater side of the matrix times the dtype's eps, or 0 beside `atol`.
        operand rtol,
        /// Singular values up to this count as zero as well, whatever the greatest one is.
        atol: Option<f64> = None,
        /// Whether the matrices are Hermitian, so that the magnitudes of their eigenvalues are the singular values. The
        /// lower triangle is read.
        flag hermitian,
    }
}

impl From<Rtol> for MatrixRank {
    fn from(Rtol { rtol }: Rtol) -> MatrixRank {
        MatrixRank { rtol, ..MatrixRank::new() }
    }
}

describe! {
    MATRIX_RANK = "matrix_rank", Linalg, Compositional, (x: Promoted, rtol: Kept optional),
    PromoteFloat -> [Index], Bound::Exact, params: MatrixRank::new(), example: [&[2, 2]],
    Body::Compose(compose_matrix_rank)
}
describe! {
    PINV = "pinv", Linalg, Compositional, (x: Promoted, rtol: Kept optional), PromoteFloat -> [Compute],
    Bound::Residual, params: (), example: [&[2, 2]], Body::Compose(compose_pinv)
}

/// Which singular values count, of matrices in a dtype.
#[derive(Clone, Copy)]
struct Counting {
    function: &'static str,
    /// The default relative tolerance.
    tolerance: f64,
}

impl Counting {
    fn of(call: &Composition<'_>) -> Result<Counting> {
        let x = call.array(0);
        let side = x.shape()[x.ndim() - 2..].iter().max().copied().unwrap_or(0);
        let tolerance = side as f64 * finfo(call.compute.real_part())?.eps;
        Ok(Counting { function: call.function.name, tolerance })
    }

    /// Which of the values `s: [..., k]`, of which there are some, count.
    fn counted(self, s: &Array, rtol: Option<&Array>, atol: Option<f64>) -> Result<Array> {
        let greatest = max(s, Reduce { axis: Some((-1).into()), keepdims: true })?;
        let least = match rtol {
            Some(rtol) => {
                shape::broadcast(self.function, &[&s.shape()[..s.ndim() - 1], rtol.shape()])?;
                multiply(greatest, expand_dims(astype(rtol, s.dtype())?, -1)?)?
            }
            None if atol.is_some() => multiply(greatest, 0)?,
            None => multiply(greatest, self.tolerance)?,
        };
        let least = match atol {
            Some(atol) => maximum(least, atol)?,
            None => least,
        };
        greater(s, least)
    }
}

fn compose_matrix_rank(call: &Composition<'_>) -> Result<Outputs> {
    let x = call.array(0);
    matrices(call.function.name, "x", x.shape())?;
    let (lead, sides) = x.shape().split_at(x.ndim() - 2);
    if sides.contains(&0) {
        return Ok(smallvec![zeros(Shape::from(lead), Dtype::INT64)?]);
    }
    let &MatrixRank { atol, hermitian, .. } = call.params::<MatrixRank>();
    let values = if hermitian { abs(eigvalsh(upcast(x)?)?)? } else { svdvals(upcast(x)?)? };
    let kept = Counting::of(call)?.counted(&values, call.arrays[1].as_ref(), atol)?;
    Ok(smallvec![sum(kept, Sum { axis: Some((-1).into()), keepdims: false, dtype: Some(Dtype::INT64) })?])
}

fn compose_pinv(call: &Composition<'_>) -> Result<Outputs> {
    let x = call.array(0);
    matrices(call.function.name, "x", x.shape())?;
    let split = x.ndim() - 2;
    if x.shape()[split..].contains(&0) {
        return Ok(smallvec![matrix_transpose(x)?]);
    }
    let operands: Vec<Array> =
        [Some(upcast(x)?), call.arrays[1].as_ref().cloned()].into_iter().flatten().collect();
    let result = pseudoinverse(&operands, Counting::of(call)?)?;
    Ok(smallvec![if result.dtype() == call.compute { result } else { astype(result, call.compute)? }])
}

/// The pseudoinverse of a matrix, which is followed by the tolerance if it is given. Its derivative is that at a constant
/// rank (Golub and Pereyra, 1973), which asks for no singular vectors: they have none where singular values are equal.
fn pseudoinverse(operands: &[Array], counting: Counting) -> Result<Array> {
    let plain = move |operands: &[Array]| -> Result<Vec<Array>> {
        let parts = svd(&operands[0], SvdParams::new().full_matrices(false))?;
        let kept = counting.counted(&parts.s, operands.get(1), None)?;
        let inverse = where_(&kept, reciprocal(where_(&kept, &parts.s, 1)?)?, 0)?;
        let inverse = astype(expand_dims(inverse, -2)?, parts.u.dtype())?;
        Ok(vec![matmul(multiply(adjoint(&parts.vh)?, inverse)?, adjoint(&parts.u)?)?])
    };
    let rule = move |both: &[Array]| -> Result<Vec<Array>> {
        let (operands, tangents) = both.split_at(both.len() / 2);
        let (x, t) = (&operands[0], &tangents[0]);
        let p = pseudoinverse(operands, counting)?;
        let (px, xp, th) = (matmul(&p, x)?, matmul(x, &p)?, adjoint(t)?);
        // P P^H T^H (I - X P) and (I - P X) T^H P^H P.
        let first = matmul(matmul(&p, adjoint(&p)?)?, &th)?;
        let second = matmul(matmul(&th, adjoint(&p)?)?, &p)?;
        let across = subtract(&first, matmul(&first, &xp)?)?;
        let along = subtract(&second, matmul(&px, &second)?)?;
        let change = subtract(add(across, along)?, matmul(matmul(&p, t)?, &p)?)?;
        Ok(vec![p, change])
    };
    match custom_jvp(&(Arc::new(plain) as _), &(Arc::new(rule) as _), operands)?.pop() {
        Some(result) => Ok(result),
        None => unreachable!("a function of one result gave one"),
    }
}

/// Matrix rank: how many singular values are not zero, but for rounding; int64.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1.0f32, 2.0], [2.0, 4.0]])?;
/// assert_eq!(ivy::linalg::matrix_rank(&x, ())?.item::<i64>()?, 1);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for fewer than two axes,
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes) for an array of tolerances that does not
/// fit the stack, [`NotConverged`](crate::ErrorKind::NotConverged) of the singular values.
pub fn matrix_rank<'a>(x: impl IntoOperand<'a>, params: impl Into<MatrixRank>) -> Result<Array> {
    let mut params = params.into();
    let rtol = mem::replace(&mut params.rtol, Operand::Absent);
    call_one(&MATRIX_RANK, &[x.into_operand(), rtol], &params)
}

/// The Moore-Penrose pseudoinverse.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[2.0f32, 0.0], [0.0, 0.0]])?;
/// assert_eq!(ivy::linalg::pinv(&x, ())?.to_vec::<f32>()?, [0.5, 0.0, 0.0, 0.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`matrix_rank`].
pub fn pinv<'a>(x: impl IntoOperand<'a>, params: impl Into<Rtol>) -> Result<Array> {
    call_one(&PINV, &[x.into_operand(), params.into().rtol], &())
}
