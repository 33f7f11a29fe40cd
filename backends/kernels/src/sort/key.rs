//! Unsigned keys in the order of the elements.

use super::bits::Bits;
use crate::small::Value;
use half::{bf16, f16};

/// An element that sorts.
pub trait Keyed: Value {
    /// The key's type, of the element's width.
    type Key: Bits + Value + Into<u64>;
    /// A key that sorts as the elements do, greatest first if `DESCENDING`; NaN has the greatest
    /// key both ways. Negative zero comes before zero, and `from_key` gives it back.
    fn key<const DESCENDING: bool>(self) -> Self::Key;
    /// The element of a key, up to the bits of a NaN.
    fn from_key<const DESCENDING: bool>(key: Self::Key) -> Self;
    /// The element's bits.
    fn bits(self) -> Self::Key;
    /// The element, or zero instead of negative zero.
    fn one_zero(self) -> Self;
    /// True for NaN.
    fn nan(self) -> bool;
}

macro_rules! integers {
    ($($t:ty: $k:ty, $flip:expr;)*) => {$(
        impl Keyed for $t {
            type Key = $k;
            #[inline(always)]
            fn key<const DESCENDING: bool>(self) -> $k {
                let key = self as $k ^ $flip;
                if DESCENDING { !key } else { key }
            }
            #[inline(always)]
            fn from_key<const DESCENDING: bool>(key: $k) -> $t {
                let key = if DESCENDING { !key } else { key };
                (key ^ $flip) as $t
            }
            #[inline(always)]
            fn bits(self) -> $k { self as $k }
            #[inline(always)]
            fn one_zero(self) -> $t { self }
            #[inline(always)]
            fn nan(self) -> bool { false }
        }
    )*};
}
integers! {
    u8: u8, 0; u16: u16, 0; u32: u32, 0; u64: u64, 0;
    i8: u8, 1 << 7; i16: u16, 1 << 15; i32: u32, 1 << 31; i64: u64, 1 << 63;
}

macro_rules! floats {
    ($($t:ty: $k:ty, $i:ty, $infinity:expr;)*) => {$(
        impl Keyed for $t {
            type Key = $k;
            #[inline(always)]
            fn key<const DESCENDING: bool>(self) -> $k {
                const SIGN: $k = 1 << (<$k>::BITS - 1);
                let bits = self.to_bits();
                // Positive numbers rise with their bits, negative ones fall.
                let fall = ((bits as $i) >> (<$k>::BITS - 1)) as $k;
                let key = bits ^ (fall | SIGN);
                let key = if DESCENDING { !key } else { key };
                if bits & !SIGN > $infinity { <$k>::MAX } else { key }
            }
            #[inline(always)]
            fn from_key<const DESCENDING: bool>(key: $k) -> $t {
                const SIGN: $k = 1 << (<$k>::BITS - 1);
                let flipped = if DESCENDING { !key } else { key };
                let fall = (!flipped as $i >> (<$k>::BITS - 1)) as $k;
                let bits = flipped ^ (fall | SIGN);
                <$t>::from_bits(if key == <$k>::MAX { $infinity | $infinity >> 1 } else { bits })
            }
            #[inline(always)]
            fn bits(self) -> $k { self.to_bits() }
            #[inline(always)]
            fn one_zero(self) -> $t {
                <$t>::from_bits(if self.to_bits() << 1 == 0 { 0 } else { self.to_bits() })
            }
            #[inline(always)]
            fn nan(self) -> bool { self.is_nan() }
        }
    )*};
}
floats! {
    f16: u16, i16, 0x7c00; bf16: u16, i16, 0x7f80;
    f32: u32, i32, 0x7f80_0000; f64: u64, i64, 0x7ff0_0000_0000_0000;
}
