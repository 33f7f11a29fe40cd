//! Where elements are not zero.

use super::to_contiguous;
use super::walk::Odometer;
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dtype, ErrorKind, Kind, Result, Shape};
use smallvec::SmallVec;

/// For each axis the int64 indices of the elements that are not zero, in row-major order; NaN is
/// not zero. An array without axes gives no arrays.
///
/// # Errors
/// No memory.
pub fn nonzero(x: HostView<'_>) -> Result<SmallVec<[HostArray; 1]>> {
    let Some(last) = x.shape().len().checked_sub(1) else {
        return Ok(SmallVec::new());
    };
    let copy;
    let bytes = match x.contiguous_bytes() {
        Some(bytes) => bytes,
        None => {
            copy = to_contiguous(x)?;
            copy.buffer().bytes()
        }
    };
    let truth = truth(x.dtype(), bytes);
    let count = truth.iter().map(|&t| usize::from(t)).sum();
    let mut columns: SmallVec<[Vec<i64>; 4]> = SmallVec::new();
    for _ in x.shape() {
        let mut column = Vec::new();
        column.try_reserve_exact(count).map_err(|_| ErrorKind::MemoryLimit {
            function: "nonzero",
            bytes: count as u128 * 8,
            limit: isize::MAX as u128,
        })?;
        columns.push(column);
    }
    if count > 0 {
        let mut walk = Odometer::<0>::at(&x.shape()[..last], [], 0);
        for row in truth.chunks_exact(x.shape()[last]) {
            let (column, outer) = columns.split_last_mut().expect("one column an axis");
            let before = column.len();
            column.extend(row.iter().zip(0..).filter(|(t, _)| **t).map(|(_, i): (_, i64)| i));
            let found = column.len() - before;
            for (column, &index) in outer.iter_mut().zip(&walk.index) {
                column.extend(std::iter::repeat_n(index as i64, found));
            }
            walk.step();
        }
    }
    let array = |column| HostArray::from_vec::<i64>(column, Shape::from([count]));
    Ok(columns.into_iter().map(|c| array(c).expect("each column has one entry a hit")).collect())
}

/// For each element whether it is not zero: any bit but the sign of a float counts.
fn truth(dtype: Dtype, bytes: &[u8]) -> Vec<bool> {
    let signed = matches!(dtype.kind(), Kind::Float | Kind::Complex);
    let part = dtype.real_part().bytes();
    let mask = u64::MAX >> (64 - 8 * part) >> u32::from(signed);
    let each = |element: &[u8]| {
        element.chunks_exact(part).any(|part| {
            let mut bits = [0; 8];
            bits[..part.len()].copy_from_slice(part);
            u64::from_le_bytes(bits) & mask != 0
        })
    };
    let width = dtype.bytes();
    match width {
        // Fixed widths, for the compiler to unroll.
        1 => bytes.iter().map(|&b| u64::from(b) & mask != 0).collect(),
        4 if part == 4 => bytes.chunks_exact(4).map(each).collect(),
        8 if part == 8 => bytes.chunks_exact(8).map(each).collect(),
        _ => bytes.chunks_exact(width).map(each).collect(),
    }
}
