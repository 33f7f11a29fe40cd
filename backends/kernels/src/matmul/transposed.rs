//! Products of matrices of real floats whose columns are side by side: by the product of the transposed ones, where less
//! is then packed by single elements.
//!
//! Either operand is copied by vectors if its rows' elements are side by side; if its columns' are, a left one by as
//! many elements as a tile has rows, and a right one by single elements. The bits are the same: each element of the
//! result has its sums in their order.

use super::{
    entry::Entry,
    fused::{self, is_parallel, threads},
    matrix::Matrix,
    tile::Fuses,
};
use crate::movement::copy_transposed;
use ivy_core::host::scratch;
use std::mem::MaybeUninit;

/// A result with so many times fewer columns than it has sums is worth being transposed for its left operand's sake; with
/// so many times fewer rows for its right one's.
const FEW: usize = 4;

/// The product of `a` and `b` into `c`, row-major.
pub(super) fn multiply<E: Entry>(a: Matrix<E>, b: Matrix<E>, c: &mut [MaybeUninit<E::Acc>])
where
    E::Acc: Fuses,
{
    // With one column, the transposed product has one row, whose elements are side by side.
    let (a, b) = if b.columns == 1 { (b.transposed(), a.transposed()) } else { (a, b) };
    let (m, n) = (a.rows, b.columns);
    if !is_transposed(a, b) {
        return fused::multiply(a, b, c);
    }
    if m == 1 || n == 1 {
        return fused::multiply(b.transposed(), a.transposed(), c);
    }
    let mut memory = scratch::buffer(size_of_val(c));
    let transposed = memory.as_uninit::<E::Acc>();
    fused::multiply(b.transposed(), a.transposed(), transposed);
    copy_transposed(transposed, c, n);
}

/// True if the transposed product is faster: transposing the result costs little next to what it saves, and leaves rows
/// for the threads.
fn is_transposed<E: Entry>(a: Matrix<E>, b: Matrix<E>) -> bool
where
    E::Acc: Fuses,
{
    let (m, k, n) = (a.rows, a.columns, b.columns);
    let by_columns = |x: Matrix<E>| !x.has_rows() && x.transposed().has_rows();
    let pays = match by_columns(a) {
        true => n <= m && FEW * n <= k,
        false => by_columns(b) && FEW * m <= n.min(k),
    };
    pays && 2 * n.div_ceil(E::Acc::tile(n, m).rows) >= threads(is_parallel(m * n, k))
}
