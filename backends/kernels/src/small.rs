//! Real floats and the wider ones in which reductions of them are computed.

use half::{bf16, f16};

/// A Rust type of which every bit pattern is a value, so that memory of its size may be read
/// as it.
///
/// # Safety
/// Every bit pattern is a value, and there is no padding.
pub unsafe trait Value: Copy + Send + Sync + 'static {}

macro_rules! values {
    ($($t:ty),*) => {
        // SAFETY: numbers and pairs of numbers.
        $(unsafe impl Value for $t {})*
    };
}
values!(
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
    bf16,
    f16,
    f32,
    f64,
    num_complex::Complex32,
    num_complex::Complex64
);

/// A real float.
pub trait Real: Value {
    /// The value, exactly.
    fn widen(self) -> f64;
    /// The nearest value, ties to even.
    fn nearest(x: f64) -> Self;
    /// The nearest value, ties to even.
    fn nearest32(x: f32) -> Self;
    /// The value as float32: exact but for float64, which rounds.
    fn single(self) -> f32;
}

/// float16 to float32 without branches, so that loops of it become vector code.
#[inline(always)]
fn f16_to_f32(x: f16) -> f32 {
    let bits = u32::from(x.to_bits());
    let magnitude = (bits & 0x7fff) << 13;
    // The exponent of float16 stands 112 below that of float32; the product is exact, also of
    // subnormals.
    let scaled = f32::from_bits(magnitude) * f32::from_bits((127 + 112) << 23);
    let special = if magnitude >= 0x7c00 << 13 { 0x7f80_0000 } else { 0 };
    f32::from_bits(scaled.to_bits() | special | (bits & 0x8000) << 16)
}

#[inline(always)]
fn bf16_to_f32(x: bf16) -> f32 {
    f32::from_bits(u32::from(x.to_bits()) << 16)
}

/// float64 to float32, truncated, with the last bit set if anything was lost: rounding this
/// once more to a format of at most 22 bits gives what rounding the float64 would.
#[inline(always)]
fn to_odd(x: f64) -> f32 {
    let y = x as f32;
    let back = f64::from(y);
    if back == x || x.is_nan() {
        return y;
    }
    let toward_zero = y.to_bits() - u32::from(back.abs() > x.abs());
    f32::from_bits(toward_zero | 1)
}

impl Real for f16 {
    #[inline(always)]
    fn widen(self) -> f64 {
        f64::from(f16_to_f32(self))
    }
    #[inline(always)]
    fn nearest(x: f64) -> f16 {
        f16::from_f32(to_odd(x))
    }
    #[inline(always)]
    fn nearest32(x: f32) -> f16 {
        f16::from_f32(x)
    }
    #[inline(always)]
    fn single(self) -> f32 {
        f16_to_f32(self)
    }
}

impl Real for bf16 {
    #[inline(always)]
    fn widen(self) -> f64 {
        f64::from(bf16_to_f32(self))
    }
    #[inline(always)]
    fn nearest(x: f64) -> bf16 {
        bf16::from_f32(to_odd(x))
    }
    #[inline(always)]
    fn nearest32(x: f32) -> bf16 {
        bf16::from_f32(x)
    }
    #[inline(always)]
    fn single(self) -> f32 {
        bf16_to_f32(self)
    }
}

impl Real for f32 {
    #[inline(always)]
    fn widen(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn nearest(x: f64) -> f32 {
        x as f32
    }
    #[inline(always)]
    fn nearest32(x: f32) -> f32 {
        x
    }
    #[inline(always)]
    fn single(self) -> f32 {
        self
    }
}

impl Real for f64 {
    #[inline(always)]
    fn widen(self) -> f64 {
        self
    }
    #[inline(always)]
    fn nearest(x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn nearest32(x: f32) -> f64 {
        f64::from(x)
    }
    #[inline(always)]
    fn single(self) -> f32 {
        self as f32
    }
}
