//! The derivative of the determinant, also of singular matrices, to every order.
//!
//! The cofactors of a regular matrix are its determinant times its inverse. A singular matrix `x = U S V^H` is first made
//! regular along its null vectors, `N = x + c U_0 V_0^H`, and by the matrix determinant lemma
//! `det(x) = det(N) det(I - c V_0^H N^-1 U_0)`. The second factor, as large as the nullity `k`, is a matrix of zeros in
//! value; its determinant is the elementary symmetric polynomial of order `k` of its eigenvalues, which Newton's
//! identities make of traces of its powers: sums and products only, so that derivatives of the derivative exist wherever
//! singular values are equal or zero.

use super::linalg::{all, diagonal, eye, laid, last_sum, matmul};
use crate::transform::ops::{
    add, binary, cast, full, mul, reduce, run, scale, select, sub, with_scalar, zeros_like,
};
use crate::transform::stop_gradient;
use crate::{Array, BinaryOp, LinalgOp, Op, ReduceOp, Result, finfo};

/// The nullity up to which the polynomials are computed. At a matrix of nullity `k` the derivatives of orders below `k` are
/// zero, so that what is left out are derivatives of the fifth order on.
const NULLITY: usize = 4;

/// A matrix without small singular values, and what leads back from its determinant.
struct Regular {
    /// `N^-1`.
    inverse: Array,
    /// `det(N)`.
    det: Array,
    /// `U_0`, zeros in the columns of the other singular values.
    left: Array,
    /// `c V_0^H`, zeros in the rows of the other singular values.
    right: Array,
    /// 1 on the diagonal at the null vectors.
    null: Array,
    /// The nullity.
    count: Array,
}

impl Regular {
    fn of(x: &Array) -> Result<Regular> {
        // Vectors and values are constants: the formula holds whatever they are.
        let parts = all(LinalgOp::Svd { full: true }, &stop_gradient(x)?)?;
        let (u, s, vh) = (&parts[0], &parts[1], &parts[2]);
        let (dtype, n, line) = (x.dtype(), s.shape()[s.ndim() - 1], s.ndim() - 1);
        let greatest = reduce(ReduceOp::Max, s, [line].into_iter().collect(), true)?;
        let tolerance = n as f64 * finfo(s.dtype())?.eps;
        let small = binary(BinaryOp::LessEqual, s, &scale(&greatest, tolerance)?)?;
        let (count, none) = (last_sum(&cast(&small, s.dtype())?, 1)?, cast(&small, dtype)?);
        // The null vectors get the greatest singular value, so that the matrix is no worse conditioned.
        let zero = with_scalar(BinaryOp::Equal, &greatest, 0.0)?;
        let one = full(s, s.dtype(), Default::default(), 1.0)?;
        let unit = laid(&cast(&select(&zero, &one, &greatest)?, dtype)?, false)?;
        let left = mul(u, &laid(&none, false)?)?;
        let right = mul(&mul(vh, &laid(&none, true)?)?, &unit)?;
        let filled = add(x, &matmul(&left, &right)?)?;
        Ok(Regular {
            inverse: run(&Op::Linalg(LinalgOp::Inv), &[&filled])?,
            det: run(&Op::Linalg(LinalgOp::Det), &[&filled])?,
            left,
            right,
            null: mul(&eye(s, n, dtype)?, &laid(&none, false)?)?,
            count,
        })
    }
}

fn trace(x: &Array) -> Result<Array> {
    last_sum(&diagonal(x)?, 1)
}

/// The sum of the cofactors times the tangent; nothing for a matrix without elements.
pub(super) fn jvp(x: &Array, tangent: &Array) -> Result<Option<Array>> {
    let n = x.shape()[x.ndim() - 1];
    if n == 0 {
        return Ok(None);
    }
    let regular = Regular::of(x)?;
    let share = matmul(&regular.inverse, tangent)?;
    let along = matmul(&regular.inverse, &regular.left)?;
    let rest = sub(&regular.null, &matmul(&regular.right, &along)?)?;
    let change = matmul(&matmul(&regular.right, &share)?, &along)?;
    let whole = trace(&share)?;

    // `elementary[k]` is the polynomial of order k of the eigenvalues of `rest`.
    let mut elementary = vec![full(&whole, whole.dtype(), whole.shape().clone(), 1.0)?];
    let (mut powers, mut slopes) = (Vec::new(), Vec::new());
    let (mut power, mut slope) = (rest.clone(), change);
    let mut result = whole.clone();
    for k in 1..=NULLITY.min(n) {
        powers.push(trace(&power)?);
        slopes.push(trace(&slope)?);
        let alternating = |terms: &[Array]| -> Result<Array> {
            let mut total = mul(&elementary[k - 1], &terms[0])?;
            for j in 2..=k {
                let term = mul(&elementary[k - j], &terms[j - 1])?;
                total = if j % 2 == 0 { sub(&total, &term)? } else { add(&total, &term)? };
            }
            Ok(total)
        };
        let (own, slope_of_own) = (scale(&alternating(&powers)?, 1.0 / k as f64)?, alternating(&slopes)?);
        let chosen = add(&mul(&own, &whole)?, &slope_of_own)?;
        let here = with_scalar(BinaryOp::Equal, &regular.count, k as f64)?;
        result = select(&here, &chosen, &result)?;
        elementary.push(own);
        (power, slope) = (matmul(&rest, &power)?, matmul(&rest, &slope)?);
    }
    let beyond = with_scalar(BinaryOp::Greater, &regular.count, NULLITY as f64)?;
    let zero = zeros_like(&result)?;
    mul(&regular.det, &select(&beyond, &zero, &result)?).map(Some)
}
