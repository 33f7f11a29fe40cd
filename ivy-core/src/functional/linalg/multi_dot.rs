//! Chains of matrix products in the order of the fewest operations.

use super::kron::mismatch;
use crate::array::{IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::matmul;
use crate::functional::precision::{downcast, upcast};
use crate::{Array, ErrorKind, Result};
use smallvec::smallvec;

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
    Ok(smallvec![downcast(product, call.compute)?])
}

/// For each range of matrices, from `i` to `j`, the last one of the left half when it is multiplied with the fewest
/// operations.
pub fn best_splits(sides: &[usize]) -> Vec<Vec<usize>> {
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
        return if splits.len() > 2 { upcast(call.array(i)) } else { Ok(call.array(i).clone()) };
    }
    let k = splits[i][j];
    matmul(chain(call, splits, i, k)?, chain(call, splits, k + 1, j)?)
}

/// Matrix chain product: the product of matrices, multiplied in the order that takes the fewest operations. The first
/// one may be a row and the last one a column, with one axis, which the result does not have.
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
