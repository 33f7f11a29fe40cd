//! The order of elements, by sorting their keys with the places where they stood.

use super::{bits::Bits, key::Keyed};
use ivy_core::host::scratch;

/// Calls `visit(i, index)` with the index of the element that comes `i`-th, elements with
/// equal keys in their order.
pub(crate) fn order<T: Keyed, const DESCENDING: bool>(from: &[T], mut visit: impl FnMut(usize, usize)) {
    let keys = from.iter().map(|x| x.one_zero().key::<DESCENDING>()).enumerate();
    // The index stands below the key, so it decides between equal keys.
    if size_of::<T>() <= 4 && u32::try_from(from.len()).is_ok() {
        let mut pairs: Vec<u64> = scratch::collected(keys.map(|(i, key)| key.into() << 32 | i as u64));
        u64::sort(&mut pairs, &|_| ());
        pairs.into_iter().enumerate().for_each(|(i, pair)| visit(i, pair as u32 as usize));
    } else {
        let mut pairs: Vec<u128> =
            scratch::collected(keys.map(|(i, key)| u128::from(key.into()) << 64 | i as u128));
        u128::sort(&mut pairs, &|_| ());
        pairs.into_iter().enumerate().for_each(|(i, pair)| visit(i, pair as u64 as usize));
    }
}
