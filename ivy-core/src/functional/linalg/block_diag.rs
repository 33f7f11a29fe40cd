//! Block diagonal matrices.

use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::indexing::active_lanes::zero;
use crate::functional::reshape;
use crate::{AxisPad, ErrorKind, Op, Result, Shape, primitive};
use smallvec::smallvec;

describe! {
    BLOCK_DIAG = "block_diag", LinearAlgebra, Compositional, (arrays: Promoted; variadic), Promote -> [Compute],
    Bound::Exact, params: (), example: [&[2, 2], &[2, 2]], Body::Compose(compose_block_diag)
}

fn compose_block_diag(call: &Composition<'_>) -> Result<Outputs> {
    let function = call.function.name;
    let matrix = |i: usize| -> Result<Array> {
        let x = call.array(i);
        match x.shape()[..] {
            [] => reshape(x, [1, 1], ()),
            [n] => reshape(x, Shape::from([1, n]), ()),
            [_, _] => Ok(x.clone()),
            _ => {
                let (argument, actual) = ("one of the arrays", x.shape().clone());
                let expected = "at most two axes".into();
                Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into())
            }
        }
    };
    let blocks: Vec<Array> = (0..call.arrays.len()).map(matrix).collect::<Result<_>>()?;
    let side = |axis: usize| blocks.iter().fold(0, |n: usize, x| n.saturating_add(x.shape()[axis]));
    let (rows, columns) = (side(0), side(1));
    Shape::from([rows, columns]).checked_size(function, call.compute)?;
    let mut before = 0;
    let mut bands = Vec::with_capacity(blocks.len());
    for block in &blocks {
        let own = block.shape()[1];
        let pads = [AxisPad { before: 0, after: 0 }, AxisPad { before, after: columns - before - own }];
        let op = Op::Pad { axes: pads.into_iter().collect(), value: zero(call.compute) };
        bands.push(primitive::run(function, &op, &[block])?);
        before += own;
    }
    let bands: Vec<&Array> = bands.iter().collect();
    Ok(smallvec![primitive::run(function, &Op::Concat { axis: 0 }, &bands)?])
}

/// Block diagonal matrix: the matrix that has matrices along its diagonal, each below and behind the one before it, and
/// zeros elsewhere. An array with one axis is a row, one without axes a single element.
///
/// ```
/// use ivy::prelude::*;
/// let (a, b) = (Array::try_from([[1i32, 2], [3, 4]])?, Array::try_from([5i32])?);
/// assert_eq!(ivy::block_diag([&a, &b])?.to_vec::<i32>()?, [1, 2, 0, 3, 4, 0, 0, 0, 5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for no arrays,
/// [`ShapeMismatch`](ErrorKind::ShapeMismatch) for more than two axes, [`SizeOverflow`](ErrorKind::SizeOverflow),
/// [`NoPromotion`](ErrorKind::NoPromotion).
pub fn block_diag<'a, T: IntoOperand<'a>>(arrays: impl IntoIterator<Item = T>) -> Result<Array> {
    let operands: Vec<Operand<'a>> = arrays.into_iter().map(T::into_operand).collect();
    call_one(&BLOCK_DIAG, &operands, &())
}
