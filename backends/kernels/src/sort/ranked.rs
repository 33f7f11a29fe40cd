//! Keys with the places where they stood.

use super::key::Keyed;
use half::{bf16, f16};

/// An element whose key and index fit into one integer.
pub(crate) trait Ranked: Keyed {
    /// The key above the index.
    type Pair: Copy + Ord + Send;
    /// Both as one; the index is below 2^32, or the pair is wide enough for any.
    fn pair<const DESCENDING: bool>(self, index: usize) -> Self::Pair;
    /// The index.
    fn index(pair: Self::Pair) -> usize;
}

macro_rules! ranked {
    ($($t:ty: $pair:ty, $bits:literal;)*) => {$(
        impl Ranked for $t {
            type Pair = $pair;
            #[inline(always)]
            fn pair<const DESCENDING: bool>(self, index: usize) -> $pair {
                <$pair>::from(self.one_zero().key::<DESCENDING>()) << $bits | index as $pair
            }
            #[inline(always)]
            fn index(pair: $pair) -> usize {
                (pair & ((1 << $bits) - 1)) as usize
            }
        }
    )*};
}
// 48 bits of index are more than any memory holds.
ranked! {
    u8: u64, 48; i8: u64, 48; u16: u64, 48; i16: u64, 48; f16: u64, 48; bf16: u64, 48;
    u32: u128, 64; i32: u128, 64; f32: u128, 64; u64: u128, 64; i64: u128, 64; f64: u128, 64;
}

/// Calls `visit(i, index)` with the index of the element that comes `i`-th, elements with equal keys
/// in their order.
pub(crate) fn order<T: Ranked, const DESCENDING: bool>(from: &[T], mut visit: impl FnMut(usize, usize)) {
    let mut pairs: Vec<T::Pair> = from.iter().enumerate().map(|(i, x)| x.pair::<DESCENDING>(i)).collect();
    pairs.sort_unstable();
    for (i, pair) in pairs.into_iter().enumerate() {
        visit(i, T::index(pair));
    }
}
