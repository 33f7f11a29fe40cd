//! Where elements are not zero.

use super::to_contiguous;
use super::walk::Odometer;
use ivy_core::host::{HostArray, HostView, UniqueBuffer, scratch};
use ivy_core::{Dtype, ErrorKind, Kind, Result, Shape};
use smallvec::SmallVec;
use std::mem::MaybeUninit;

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
    let truth = scratch::guard("nonzero", || truth(x.dtype(), bytes))?;
    let count: usize = truth.iter().map(|&t| usize::from(t)).sum();
    let shape = Shape::from([count]);
    let bytes = shape.checked_size("nonzero", Dtype::INT64)? * 8;
    let memory = || ErrorKind::no_memory("nonzero", bytes as u128);
    let mut columns = (0..=last)
        .map(|_| Ok(UniqueBuffer::allocate(bytes).ok_or_else(memory)?))
        .collect::<Result<SmallVec<[UniqueBuffer; 4]>>>()?;
    if count > 0 {
        let mut slices: SmallVec<[&mut [MaybeUninit<i64>]; 4]> =
            columns.iter_mut().map(UniqueBuffer::as_uninit).collect();
        let mut walk = Odometer::<0>::at(&x.shape()[..last], [], 0);
        let mut found = 0;
        for row in truth.chunks_exact(x.shape()[last]) {
            let (column, outer) = slices.split_last_mut().expect("one column an axis");
            let before = found;
            for (i, &hit) in row.iter().enumerate() {
                // What is not a hit is overwritten by the next one.
                if let Some(place) = column.get_mut(found) {
                    place.write(i as i64);
                }
                found += usize::from(hit);
            }
            for (column, &index) in outer.iter_mut().zip(&walk.index) {
                column[before..found].fill(MaybeUninit::new(index as i64));
            }
            walk.step();
        }
        assert_eq!(found, count);
    }
    let array = |column: UniqueBuffer| {
        // SAFETY: each column has `count` entries, of which the loop wrote all (just asserted).
        HostArray::new(unsafe { column.assume_init() }, Dtype::INT64, shape.clone())
    };
    Ok(columns.into_iter().map(|c| array(c).expect("the buffer was made for this shape")).collect())
}

/// For each element whether it is not zero: any bit but the sign of a float counts.
fn truth(dtype: Dtype, bytes: &[u8]) -> Vec<bool> {
    let signed = matches!(dtype.kind(), Kind::Float | Kind::Complex);
    let part = dtype.real_part().bytes();
    let mask = u64::MAX >> (64 - 8 * part) >> u32::from(signed);
    /// Whether each group of `N` words of a width has a bit of the mask.
    macro_rules! words {
        ($word:ty, $n:literal) => {{
            let mask = mask as $word;
            let any = |words: &[[u8; size_of::<$word>()]; $n]| {
                words.iter().fold(0, |bits, &word| bits | <$word>::from_le_bytes(word) & mask) != 0
            };
            scratch::collected(bytes.as_chunks().0.as_chunks().0.iter().map(any))
        }};
    }
    match (part, dtype.is_complex()) {
        (1, _) => words!(u8, 1),
        (2, _) => words!(u16, 1),
        (4, false) => words!(u32, 1),
        (4, true) => words!(u32, 2),
        (_, false) => words!(u64, 1),
        (_, true) => words!(u64, 2),
    }
}
