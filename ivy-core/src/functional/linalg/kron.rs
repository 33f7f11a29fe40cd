//! Inner and Kronecker products.

use crate::array::IntoOperand;
use crate::call::binary;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{matmul, matrix_transpose, multiply, reshape};
use crate::{Array, ErrorKind, Result, Shape};
use smallvec::smallvec;

describe! {
    INNER = "inner", LinearAlgebra, Compositional, (x1: Promoted, x2: Promoted), Promote -> [Compute],
    Bound::Matmul, params: (), example: [&[2], &[2]], Body::Compose(compose_inner)
}

pub(super) fn mismatch(
    call: &Composition<'_>,
    argument: &'static str,
    expected: String,
    actual: &Array,
) -> crate::Error {
    let (function, actual) = (call.function.name, actual.shape().clone());
    ErrorKind::ShapeMismatch { function, argument, expected, actual }.into()
}

fn compose_inner(call: &Composition<'_>) -> Result<Outputs> {
    let (x1, x2) = (call.array(0), call.array(1));
    let ([lead1 @ .., n], [lead2 @ .., m]) = (&x1.shape()[..], &x2.shape()[..]) else {
        return Ok(smallvec![multiply(x1, x2)?]);
    };
    if n != m {
        return Err(mismatch(call, "x2", format!("length {n} on its last axis"), x2));
    }
    let shape: Shape = lead1.iter().chain(lead2).copied().collect();
    shape.checked_size(call.function.name, call.compute)?;
    let rows = |x: &Array, lead: &[usize]| reshape(x, Shape::from([lead.iter().product(), *n]), ());
    let product = matmul(rows(x1, lead1)?, matrix_transpose(rows(x2, lead2)?)?)?;
    Ok(smallvec![reshape(product, shape, ())?])
}

/// Inner product: the sum of products over the last axes: the result has the other axes of `x1`, then those of `x2`.
/// With an array without axes, the product.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 2], [3, 4]])?;
/// assert_eq!(ivy::inner(&x, &Array::try_from([1i32, 10])?)?.to_vec::<i32>()?, [21, 43]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](ErrorKind::ShapeMismatch) for last axes of two lengths,
/// [`OutsideDomain`](ErrorKind::OutsideDomain) for bool.
pub fn inner<'a, 'b>(x1: impl IntoOperand<'a>, x2: impl IntoOperand<'b>) -> Result<Array> {
    binary(&INNER, x1, x2)
}

describe! {
    KRON = "kron", LinearAlgebra, Compositional, (a: Promoted, b: Promoted), Promote -> [Compute],
    Bound::Composed(1.0), params: (), example: [&[2, 2], &[2, 2]], Body::Compose(compose_kron)
}

fn compose_kron(call: &Composition<'_>) -> Result<Outputs> {
    let (a, b) = (call.array(0), call.array(1));
    let ndim = a.ndim().max(b.ndim());
    let padded = |x: &Array| -> Vec<usize> {
        std::iter::repeat_n(1, ndim - x.ndim()).chain(x.shape().iter().copied()).collect()
    };
    let (own, other) = (padded(a), padded(b));
    let shape: Shape = own.iter().zip(&other).map(|(&n, &m)| n.saturating_mul(m)).collect();
    shape.checked_size(call.function.name, call.compute)?;
    // Each axis of a stands before the one of b, and the two become one.
    let blocks: Shape = own.iter().flat_map(|&n| [n, 1]).collect();
    let within: Shape = other.iter().flat_map(|&m| [1, m]).collect();
    let product = multiply(reshape(a, blocks, ())?, reshape(b, within, ())?)?;
    Ok(smallvec![reshape(product, shape, ())?])
}

/// The Kronecker product: in the place of each element of `a` stands its product with all of `b`. The shorter of the
/// shapes is taken to begin with ones.
///
/// ```
/// use ivy::prelude::*;
/// let (a, b) = (Array::try_from([1i32, 10])?, Array::try_from([1i32, 2])?);
/// assert_eq!(ivy::kron(&a, &b)?.to_vec::<i32>()?, [1, 2, 10, 20]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`SizeOverflow`](ErrorKind::SizeOverflow), [`OutsideDomain`](ErrorKind::OutsideDomain) for bool.
pub fn kron<'a, 'b>(a: impl IntoOperand<'a>, b: impl IntoOperand<'b>) -> Result<Array> {
    binary(&KRON, a, b)
}
