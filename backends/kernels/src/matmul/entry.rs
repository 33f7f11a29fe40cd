//! What matrices hold and what products of it are accumulated in.

use super::DEPTH;
use crate::small::{Real, Value};
use half::{bf16, f16};
use num_complex::{Complex, Complex32, Complex64};
use std::slice;

/// What products are accumulated in.
pub trait Field: Value + Default {
    /// Length of a block of the sums.
    const DEPTH: usize;
    /// `self + a * b`: wrapped; of real floats rounded once, and of complex numbers the real products one after the other:
    /// `re + a.re b.re - a.im b.im` and `im + a.im b.re + a.re b.im`, each product fused with its addition.
    fn fused(self, a: Self, b: Self) -> Self;
    /// The sum.
    fn plus(self, other: Self) -> Self;
}

macro_rules! fields {
    (int $($t:ty),*) => {$(
        impl Field for $t {
            const DEPTH: usize = DEPTH;
            #[inline(always)]
            fn fused(self, a: $t, b: $t) -> $t { self.wrapping_add(a.wrapping_mul(b)) }
            #[inline(always)]
            fn plus(self, other: $t) -> $t { self.wrapping_add(other) }
        }
    )*};
    (float $($t:ty),*) => {$(
        impl Field for $t {
            const DEPTH: usize = DEPTH;
            #[inline(always)]
            fn fused(self, a: $t, b: $t) -> $t { a.mul_add(b, self) }
            #[inline(always)]
            fn plus(self, other: $t) -> $t { self + other }
        }
    )*};
    (complex $($t:ty),*) => {$(
        impl Field for Complex<$t> {
            // Of a complex number's product, each real sum has two.
            const DEPTH: usize = DEPTH / 2;
            #[inline(always)]
            fn fused(self, a: Self, b: Self) -> Self {
                Complex {
                    re: (-a.im).mul_add(b.im, a.re.mul_add(b.re, self.re)),
                    im: a.re.mul_add(b.im, a.im.mul_add(b.re, self.im)),
                }
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                Complex { re: self.re + other.re, im: self.im + other.im }
            }
        }
    )*};
}
fields!(int u32, u64);
fields!(float f32, f64);
fields!(complex f32, f64);

/// An element of a matrix.
pub(crate) trait Entry: Value {
    /// What its products are accumulated in.
    type Acc: Field;
    /// True if the accumulator has the element's bits, so that the result's memory can hold it.
    const DIRECT: bool;
    /// Elements as accumulators, if those have their bits.
    fn direct(elements: &[Self]) -> Option<&[Self::Acc]> {
        assert!(
            !Self::DIRECT
                || (size_of::<Self>() == size_of::<Self::Acc>()
                    && align_of::<Self>() == align_of::<Self::Acc>())
        );
        // SAFETY: the same size and alignment, and for a direct entry the same bits.
        Self::DIRECT.then(|| unsafe { slice::from_raw_parts(elements.as_ptr().cast(), elements.len()) })
    }
    /// The element as accumulator.
    fn load(self) -> Self::Acc;
    /// The accumulator as element: rounded, or wrapped.
    fn store(acc: Self::Acc) -> Self;
}

macro_rules! entries {
    ($($t:ty: $acc:ty, $direct:literal, $x:ident => $load:expr, $a:ident => $store:expr;)*) => {$(
        impl Entry for $t {
            type Acc = $acc;
            const DIRECT: bool = $direct;
            #[inline(always)]
            fn load(self) -> $acc {
                let $x = self;
                $load
            }
            #[inline(always)]
            fn store($a: $acc) -> $t {
                $store
            }
        }
    )*};
}
// Narrow integers are accumulated in wider ones, of which the low bits are the wrapped result.
entries! {
    u8: u32, false, x => x.into(), a => a as u8;
    u16: u32, false, x => x.into(), a => a as u16;
    u32: u32, true, x => x, a => a;
    u64: u64, true, x => x, a => a;
    f16: f32, false, x => x.single(), a => f16::nearest32(a);
    bf16: f32, false, x => x.single(), a => bf16::nearest32(a);
    f32: f32, true, x => x, a => a;
    f64: f64, true, x => x, a => a;
    Complex32: Complex32, true, x => x, a => a;
    Complex64: Complex64, true, x => x, a => a;
}
