//! Float types at compile time: exact widening, one rounding on the way back, and the type
//! that sums are kept in.

use crate::saturate::Saturating;
use half::{bf16, f16};
use std::ops::{Add, Div, Mul, Sub};

/// The arithmetic of a type that hardware computes in: f32 or f64.
pub(crate) trait Wide:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Send
    + Sync
    + 'static
{
    const ZERO: Self;
    const ONE: Self;
    fn ceil(self) -> Self;
    fn floor(self) -> Self;
    fn round_ties_even(self) -> Self;
    fn sqrt(self) -> Self;
    fn trunc(self) -> Self;
    fn is_finite(self) -> bool;
    fn is_infinite(self) -> bool;
    fn is_nan(self) -> bool;
    /// Rounds once.
    fn round_to<B: Real>(self) -> B;
    /// Truncates and saturates; NaN gives 0.
    fn saturate_to<B: Saturating>(self) -> B;
}

macro_rules! wide {
    ($($t:ident $from:ident)*) => {$(
        impl Wide for $t {
            const ZERO: $t = 0.0;
            const ONE: $t = 1.0;
            #[inline(always)]
            fn ceil(self) -> $t { $t::ceil(self) }
            #[inline(always)]
            fn floor(self) -> $t { $t::floor(self) }
            #[inline(always)]
            fn round_ties_even(self) -> $t { $t::round_ties_even(self) }
            #[inline(always)]
            fn sqrt(self) -> $t { $t::sqrt(self) }
            #[inline(always)]
            fn trunc(self) -> $t { $t::trunc(self) }
            #[inline(always)]
            fn is_finite(self) -> bool { $t::is_finite(self) }
            #[inline(always)]
            fn is_infinite(self) -> bool { $t::is_infinite(self) }
            #[inline(always)]
            fn is_nan(self) -> bool { $t::is_nan(self) }
            #[inline(always)]
            fn round_to<B: Real>(self) -> B { B::$from(self) }
            #[inline(always)]
            fn saturate_to<B: Saturating>(self) -> B { B::$from(self) }
        }
    )*};
}
wide!(f32 from_f32 f64 from_f64);

/// An element of a float dtype.
pub(crate) trait Real: Copy + Send + Sync + 'static {
    /// What it computes and accumulates in: float32 for the 16-bit types, else itself.
    type Acc: Wide;
    fn to_f64(self) -> f64;
    /// Rounds once, to nearest, ties to even.
    fn from_f64(x: f64) -> Self;
    /// Rounds once, to nearest, ties to even.
    fn from_f32(x: f32) -> Self;
    fn widen(self) -> Self::Acc;
    /// Rounds once, to nearest, ties to even.
    fn narrow(x: Self::Acc) -> Self;
}

impl Real for f64 {
    type Acc = f64;
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
    #[inline(always)]
    fn from_f64(x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn from_f32(x: f32) -> f64 {
        f64::from(x)
    }
    #[inline(always)]
    fn widen(self) -> f64 {
        self
    }
    #[inline(always)]
    fn narrow(x: f64) -> f64 {
        x
    }
}

impl Real for f32 {
    type Acc = f32;
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn from_f64(x: f64) -> f32 {
        x as f32
    }
    #[inline(always)]
    fn from_f32(x: f32) -> f32 {
        x
    }
    #[inline(always)]
    fn widen(self) -> f32 {
        self
    }
    #[inline(always)]
    fn narrow(x: f32) -> f32 {
        x
    }
}

impl Real for f16 {
    type Acc = f32;
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(f16_to_f32(self))
    }
    #[inline(always)]
    fn from_f64(x: f64) -> f16 {
        f32_to_f16(f64_to_odd_f32(x))
    }
    #[inline(always)]
    fn from_f32(x: f32) -> f16 {
        f32_to_f16(x)
    }
    #[inline(always)]
    fn widen(self) -> f32 {
        f16_to_f32(self)
    }
    #[inline(always)]
    fn narrow(x: f32) -> f16 {
        f32_to_f16(x)
    }
}

impl Real for bf16 {
    type Acc = f32;
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(bf16_to_f32(self))
    }
    #[inline(always)]
    fn from_f64(x: f64) -> bf16 {
        f32_to_bf16(f64_to_odd_f32(x))
    }
    #[inline(always)]
    fn from_f32(x: f32) -> bf16 {
        f32_to_bf16(x)
    }
    #[inline(always)]
    fn widen(self) -> f32 {
        bf16_to_f32(self)
    }
    #[inline(always)]
    fn narrow(x: f32) -> bf16 {
        f32_to_bf16(x)
    }
}

// The conversions below have no branches, only selections, so that loops over them vectorise.

#[inline(always)]
fn bf16_to_f32(x: bf16) -> f32 {
    f32::from_bits(u32::from(x.to_bits()) << 16)
}

#[inline(always)]
fn f32_to_bf16(x: f32) -> bf16 {
    let bits = x.to_bits();
    // Adds just below half of the last place, or half if that place is odd; a carry runs into
    // the exponent, up to infinity.
    let rounded = (bits.wrapping_add(0x7fff + (bits >> 16 & 1))) >> 16;
    let quiet = bits >> 16 | 0x40;
    bf16::from_bits(if x.is_nan() { quiet } else { rounded } as u16)
}

#[inline(always)]
fn f16_to_f32(x: f16) -> f32 {
    let bits = u32::from(x.to_bits());
    let (sign, magnitude) = ((bits & 0x8000) << 16, bits & 0x7fff);
    // The exponents' biases differ by 112; infinity and NaN move up by as much again.
    let normal = (magnitude << 13) + if magnitude >= 0x7c00 { 224 << 23 } else { 112 << 23 };
    let subnormal = (magnitude as i32 as f32 * 2f32.powi(-24)).to_bits();
    f32::from_bits(sign | if magnitude < 0x0400 { subnormal } else { normal })
}

#[inline(always)]
fn f32_to_f16(x: f32) -> f16 {
    let bits = x.to_bits();
    let (sign, magnitude) = (bits >> 16 & 0x8000, bits & 0x7fff_ffff);
    // The last place of numbers near 0.5 is 2^-24, that of float16's subnormals: the addition
    // does the rounding.
    let subnormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());
    let normal = magnitude.wrapping_add(0xfff + (magnitude >> 13 & 1)).wrapping_sub(112 << 23) >> 13;
    let finite = if magnitude < 0x3880_0000 { subnormal } else { normal };
    // From 65520 on, half-way to what would come next, all is infinity.
    let bounded = if magnitude >= 0x477f_f000 { 0x7c00 } else { finite };
    f16::from_bits((sign | if magnitude > 0x7f80_0000 { 0x7e00 } else { bounded }) as u16)
}

/// float64 to float32, rounded to odd: towards zero, with the last bit set if anything was lost.
/// Rounding that to a format at least two bits narrower gives what one rounding gives.
#[inline(always)]
fn f64_to_odd_f32(x: f64) -> f32 {
    let nearest = x as f32;
    let bits = nearest.to_bits();
    let towards_zero = bits.wrapping_sub(u32::from(f64::from(nearest).abs() > x.abs()));
    f32::from_bits(towards_zero | u32::from(f64::from(nearest) != x))
}

/// A 64-bit magnitude as a float64 that keeps, in its last bit, whether bits were lost: exact
/// enough for one rounding to any format of at most 51 bits.
#[inline(always)]
pub(crate) fn u64_to_odd_f64(x: u64) -> f64 {
    let folded = x >> 11 << 11 | u64::from(x & 0x7ff != 0) << 11;
    (if x >> 53 == 0 { x } else { folded }) as f64
}

/// As [`u64_to_odd_f64`], with a sign and 128 bits.
pub(crate) fn i128_to_odd_f64(x: i128) -> f64 {
    let magnitude = x.unsigned_abs();
    let shift = (128 - magnitude.leading_zeros()).saturating_sub(53);
    let kept = (magnitude >> shift) as u64 | u64::from(magnitude >> shift << shift != magnitude);
    let value = kept as f64 * 2f64.powi(shift as i32);
    if x < 0 { -value } else { value }
}
