//! Diagonal and Vandermonde matrices of vectors.

use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::indexing::active_lanes::zero;
use crate::functional::linalg::{Diagonal, diagonal};
use crate::functional::manipulation::slice_axes;
use crate::functional::precision::{downcast, upcast};
use crate::functional::{Flip, broadcast_to, flip, reshape};
use crate::{Array, AxisPad, AxisSlice, ErrorKind, Op, Result, ScanOp, Shape, params, primitive};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`diag`].
    pub struct Diag {
        /// Which diagonal: positive is above the main one, negative below.
        k: i64 = 0,
    }
}

describe! {
    DIAG = "diag", LinearAlgebra, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Diag::new(), example: [&[2]], Body::Compose(compose_diag)
}

fn compose_diag(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, k) = (call.function.name, call.array(0), call.params::<Diag>().k);
    let n = match x.shape()[..] {
        [_, _] => return Ok(smallvec![diagonal(x, Diagonal::new().offset(k))?]),
        [n] => n,
        _ => {
            let (expected, actual) = ("one axis or two".into(), x.shape().clone());
            return Err(ErrorKind::ShapeMismatch { function, argument: "x", expected, actual }.into());
        }
    };
    let skipped = usize::try_from(k.unsigned_abs()).unwrap_or(usize::MAX);
    let side = n.saturating_add(skipped);
    let square = Shape::from([side, side]);
    square.checked_size(function, call.compute)?;
    let padded = |x: &Array, before: [usize; 2], after: [usize; 2]| {
        let axes = (0..x.ndim()).map(|a| AxisPad { before: before[a], after: after[a] }).collect();
        primitive::run(function, &Op::Pad { axes, value: zero(x.dtype()) }, &[x])
    };
    // In a row of all elements those of a diagonal stand one row and one element apart.
    let rows = padded(&reshape(x, Shape::from([n, 1]), ())?, [0, 0], [0, side])?;
    let start = if k < 0 { skipped * side } else { skipped };
    let len = (n * (side + 1)).min(side * side - start.min(side * side));
    let flat = reshape(rows, Shape::from([n * (side + 1)]), ())?;
    let flat = slice_axes(function, &flat, smallvec![AxisSlice { start: 0, step: 1, len }])?;
    let start = start.min(side * side);
    let all = padded(&flat, [start, 0], [side * side - start - len, 0])?;
    Ok(smallvec![reshape(all, square, ())?])
}

/// Diagonal of a matrix, or diagonal matrix of a vector: a diagonal of a matrix, or of a vector the matrix that has it
/// as a diagonal and zeros elsewhere.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Diag;
/// let x = Array::try_from([1i32, 2])?;
/// assert_eq!(ivy::diag(&x, ())?.to_vec::<i32>()?, [1, 0, 0, 2]);
/// assert_eq!(ivy::diag(&x, Diag::new().k(1))?.to_vec::<i32>()?, [0, 1, 0, 0, 0, 2, 0, 0, 0]);
/// assert_eq!(ivy::diag(&Array::try_from([[1i32, 2], [3, 4]])?, ())?.to_vec::<i32>()?, [1, 4]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](ErrorKind::ShapeMismatch) unless there are one axis or two,
/// [`SizeOverflow`](ErrorKind::SizeOverflow).
pub fn diag<'a>(x: impl IntoOperand<'a>, params: impl Into<Diag>) -> Result<Array> {
    call_one(&DIAG, &[x.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`vander`].
    #[allow(non_snake_case)]
    pub struct Vander {
        /// How many powers; as many as there are numbers if not given.
        #[allow(non_snake_case)]
        N: Option<usize> = None,
        /// The power 0 first, instead of last.
        flag increasing,
    }
}

describe! {
    VANDER = "vander", LinearAlgebra, Compositional, (x: Promoted), Promote -> [Compute],
    Bound::Sum, params: Vander::new(), example: [&[2]], Body::Compose(compose_vander)
}

fn compose_vander(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params) = (call.function.name, call.params::<Vander>());
    let [n] = call.array(0).shape()[..] else {
        let (expected, actual) = ("one axis".into(), call.array(0).shape().clone());
        return Err(ErrorKind::ShapeMismatch { function, argument: "x", expected, actual }.into());
    };
    let count = params.N.unwrap_or(n);
    let shape = Shape::from([n, count]);
    shape.checked_size(function, call.compute)?;
    let column = reshape(upcast(call.array(0))?, Shape::from([n, 1]), ())?;
    let factors = broadcast_to(column, Shape::from([n, count.saturating_sub(1)]))?;
    let scan = Op::Scan { op: ScanOp::Prod, axis: 1, include_initial: true };
    let powers = primitive::run(function, &scan, &[&factors])?;
    let axes = smallvec![
        AxisSlice { start: 0, step: 1, len: n },
        AxisSlice { start: 0, step: 1, len: count.min(powers.shape()[1]) }
    ];
    let powers = downcast(slice_axes(function, &powers, axes)?, call.compute)?;
    Ok(smallvec![if params.increasing { powers } else { flip(&powers, Flip::new().axis(1))? }])
}

/// Vandermonde matrix: the powers of numbers, a row for each number: from that of `N - 1` down to 1, or the other way
/// round.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Vander;
/// let x = Array::try_from([2i32, 3])?;
/// assert_eq!(ivy::vander(&x, Vander::new().N(3usize))?.to_vec::<i32>()?, [4, 2, 1, 9, 3, 1]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](ErrorKind::ShapeMismatch) unless there is one axis, [`SizeOverflow`](ErrorKind::SizeOverflow),
/// [`OutsideDomain`](ErrorKind::OutsideDomain) for bool.
pub fn vander<'a>(x: impl IntoOperand<'a>, params: impl Into<Vander>) -> Result<Array> {
    call_one(&VANDER, &[x.into_operand()], &params.into())
}
