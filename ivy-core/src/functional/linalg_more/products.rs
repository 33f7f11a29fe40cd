//! Inner and Kronecker products, and products of many matrices.

use crate::array::{IntoOperand, Operand};
use crate::call::{binary, call_one};
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::powers::{narrowed, wide};
use crate::functional::{matmul, matrix_transpose, multiply, reshape};
use crate::{Array, ErrorKind, Result, Shape};
use smallvec::smallvec;

describe! {
    INNER = "inner", LinearAlgebra, Compositional, (x1: Promoted, x2: Promoted), Promote -> [Compute],
    Bound::Matmul, params: (), example: [&[2], &[2]], Body::Compose(compose_inner)
}

fn mismatch(
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

/// The sum of products over the last axes: the result has the other axes of `x1`, then those of `x2`. With an array
/// without axes, the product.
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

describe! {
    MULTI_DOT = "multi_dot", LinearAlgebra, Compositional, (x: Promoted; variadic), Promote -> [Compute],
    Bound::Matmul, params: (), example: [&[2, 2], &[2, 2]], Body::Compose(compose_multi_dot)
}

fn compose_multi_dot(call: &Composition<'_>) -> Result<Outputs> {
    let count = call.arrays.len();
    if count < 2 {
        let (function, value) = (call.function.name, format!("{count} array"));
        let rule = "at least two arrays are multiplied";
        return Err(ErrorKind::InvalidArgument { function, argument: "x", value, rule }.into());
    }
    // The sides of the matrices in a row; a vector is a row at the beginning, and a column at the end.
    let mut sides = Vec::new();
    for i in 0..count {
        let x = call.array(i);
        let (rows, columns) = match x.shape()[..] {
            [m, n] => (m, n),
            [n] if i == 0 => (1, n),
            [m] if i + 1 == count => (m, 1),
            _ => {
                let expected = "two axes, or one at an end of the list".into();
                return Err(mismatch(call, "one of the arrays", expected, x));
            }
        };
        match sides.last() {
            None => sides.push(rows),
            Some(&before) if before != rows => {
                let expected = format!("{before} rows, as the one before it has columns");
                return Err(mismatch(call, "one of the arrays", expected, x));
            }
            Some(_) => {}
        }
        sides.push(columns);
    }
    let splits = best_splits(&sides);
    let product = chain(call, &splits, 0, count - 1)?;
    Ok(smallvec![narrowed(call, product)?])
}

/// For each range of matrices, from `i` to `j`, the last one of the left half when it is multiplied with the fewest
/// operations.
fn best_splits(sides: &[usize]) -> Vec<Vec<usize>> {
    let count = sides.len() - 1;
    let mut costs = vec![vec![0u128; count]; count];
    let mut splits = vec![vec![0; count]; count];
    for length in 1..count {
        for i in 0..count - length {
            let j = i + length;
            let cost = |k: usize| {
                let own = [sides[i], sides[k + 1], sides[j + 1]]
                    .iter()
                    .fold(1u128, |n, &side| n.saturating_mul(side as u128));
                own.saturating_add(costs[i][k]).saturating_add(costs[k + 1][j])
            };
            let best = (i..j).min_by_key(|&k| cost(k)).expect("a range has two matrices or more");
            (costs[i][j], splits[i][j]) = (cost(best), best);
        }
    }
    splits
}

fn chain(call: &Composition<'_>, splits: &[Vec<usize>], i: usize, j: usize) -> Result<Array> {
    if i == j {
        // A single product rounds a small float once.
        return if splits.len() > 2 { wide(call.array(i)) } else { Ok(call.array(i).clone()) };
    }
    let k = splits[i][j];
    matmul(chain(call, splits, i, k)?, chain(call, splits, k + 1, j)?)
}

/// The product of matrices, multiplied in the order that takes the fewest operations. The first one may be a row and
/// the last one a column, with one axis, which the result does not have.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 1], [1, 0]])?;
/// assert_eq!(ivy::multi_dot([&x, &x, &x])?.to_vec::<i32>()?, [3, 2, 2, 1]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for fewer than two arrays,
/// [`ShapeMismatch`](ErrorKind::ShapeMismatch) for arrays that do not fit or have other numbers of axes,
/// [`OutsideDomain`](ErrorKind::OutsideDomain) for bool.
pub fn multi_dot<'a, T: IntoOperand<'a>>(x: impl IntoIterator<Item = T>) -> Result<Array> {
    let operands: Vec<Operand<'a>> = x.into_iter().map(T::into_operand).collect();
    call_one(&MULTI_DOT, &operands, &())
}

#[cfg(test)]
mod tests {
    use super::best_splits;

    #[test]
    fn the_cheaper_half_comes_first() {
        // (10 by 100) (100 by 5) (5 by 50): the first two first.
        assert_eq!(best_splits(&[10, 100, 5, 50])[0][2], 1);
        // (50 by 5) (5 by 100) (100 by 10): the last two first.
        assert_eq!(best_splits(&[50, 5, 100, 10])[0][2], 0);
    }
}
