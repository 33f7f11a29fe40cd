//! What follows from the singular values: rank and pseudoinverse.

use super::checks::matrices;
use super::{SvdParams, matmul, matrix_transpose, svd, svdvals};
use crate::array::{IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{
    Max, Sum, astype, conj, expand_dims, greater, max, multiply, reciprocal, sum, where_, zeros,
};
use crate::{Array, Dtype, Result, Shape, finfo, shape};
use smallvec::smallvec;

/// Keyword arguments of [`matrix_rank`] and [`pinv`].
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

describe! {
    MATRIX_RANK = "matrix_rank", Linalg, Compositional, (x: Promoted, rtol: Kept optional),
    PromoteFloat -> [Index], Bound::Exact, params: (), example: [&[2, 2]], Body::Compose(compose_matrix_rank)
}
describe! {
    PINV = "pinv", Linalg, Compositional, (x: Promoted, rtol: Kept optional), PromoteFloat -> [Compute],
    Bound::Residual, params: (), example: [&[2, 2]], Body::Compose(compose_pinv)
}

/// The operand in the dtype that it is decomposed in.
fn wide(x: &Array) -> Result<Array> {
    match x.dtype() {
        d if d.is_float() && d.bits() < 32 => astype(x, Dtype::FLOAT32),
        _ => Ok(x.clone()),
    }
}

/// Which of the singular values `s: [..., k]`, of which there are some, count.
fn counted(call: &Composition<'_>, s: &Array) -> Result<Array> {
    let (function, x) = (call.function.name, call.array(0));
    let lead = &x.shape()[..x.ndim() - 2];
    let greatest = max(s, Max { axis: Some((-1).into()), keepdims: true })?;
    let least = match &call.arrays[1] {
        Some(rtol) => {
            shape::broadcast(function, &[lead, rtol.shape()])?;
            multiply(greatest, expand_dims(astype(rtol, s.dtype())?, -1)?)?
        }
        None => {
            let side = x.shape()[x.ndim() - 2..].iter().max().copied().unwrap_or(0);
            multiply(greatest, side as f64 * finfo(call.compute.real_part())?.eps)?
        }
    };
    greater(s, least)
}

fn compose_matrix_rank(call: &Composition<'_>) -> Result<Outputs> {
    let x = call.array(0);
    matrices(call.function.name, "x", x.shape())?;
    let (lead, sides) = x.shape().split_at(x.ndim() - 2);
    if sides.contains(&0) {
        return Ok(smallvec![zeros(Shape::from(lead), Dtype::INT64)?]);
    }
    let kept = counted(call, &svdvals(wide(x)?)?)?;
    Ok(smallvec![sum(kept, Sum { axis: Some((-1).into()), keepdims: false, dtype: Some(Dtype::INT64) })?])
}

fn compose_pinv(call: &Composition<'_>) -> Result<Outputs> {
    let x = call.array(0);
    matrices(call.function.name, "x", x.shape())?;
    let split = x.ndim() - 2;
    if x.shape()[split..].contains(&0) {
        return Ok(smallvec![matrix_transpose(x)?]);
    }
    let parts = svd(wide(x)?, SvdParams::new().full_matrices(false))?;
    let kept = counted(call, &parts.s)?;
    let inverse = where_(&kept, reciprocal(where_(&kept, &parts.s, 1)?)?, 0)?;
    let adjoint = |x: &Array| -> Result<Array> {
        let transposed = matrix_transpose(x)?;
        if x.dtype().is_complex() { conj(transposed) } else { Ok(transposed) }
    };
    let inverse = astype(expand_dims(inverse, -2)?, parts.u.dtype())?;
    let result = matmul(multiply(adjoint(&parts.vh)?, inverse)?, adjoint(&parts.u)?)?;
    Ok(smallvec![if result.dtype() == call.compute { result } else { astype(result, call.compute)? }])
}

/// How many singular values are not zero, but for rounding; int64.
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
pub fn matrix_rank<'a>(x: impl IntoOperand<'a>, params: impl Into<Rtol>) -> Result<Array> {
    call_one(&MATRIX_RANK, &[x.into_operand(), params.into().rtol], &())
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
