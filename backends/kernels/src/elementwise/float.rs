//! Operations on real floats. Arithmetic is done in float32 or float64 (16-bit types widen to
//! float32, where sums, products, quotients and roots round as if computed exactly); functions
//! are computed in float64 and rounded once.

use super::kernel::{Map1, Map2};
use super::math::{self, narrow};
use crate::isa::Isa;
use crate::scalar_math::{Real, Wide};
use std::marker::PhantomData;

macro_rules! arithmetic1 {
    ($($name:ident |$x:ident| $body:expr;)*) => {$(
        pub(super) struct $name<T>(PhantomData<T>);
        impl<T: Real> Map1 for $name<T> {
            type In = T;
            type Out = T;
            #[inline(always)]
            fn apply(x: T) -> T {
                let $x = x.widen();
                T::narrow($body)
            }
        }
    )*};
}
arithmetic1! {
    Ceil |x| x.ceil();
    Floor |x| x.floor();
    Trunc |x| x.trunc();
    Round |x| x.round_ties_even();
    Reciprocal |x| T::Acc::ONE / x;
    Square |x| x * x;
    Sqrt |x| x.sqrt();
    Sign |x| {
        let one = T::Acc::ONE;
        if x > T::Acc::ZERO { one } else if x < T::Acc::ZERO { T::Acc::ZERO - one } else if x.is_nan() { x } else { T::Acc::ZERO }
    };
}

macro_rules! arithmetic2 {
    ($($name:ident |$a:ident, $b:ident| $body:expr;)*) => {$(
        pub(super) struct $name<T>(PhantomData<T>);
        impl<T: Real> Map2 for $name<T> {
            type In = T;
            type Out = T;
            #[inline(always)]
            fn apply(a: T, b: T) -> T {
                let ($a, $b) = (a.widen(), b.widen());
                T::narrow($body)
            }
        }
    )*};
}
arithmetic2! {
    Add |a, b| a + b;
    Subtract |a, b| a - b;
    Multiply |a, b| a * b;
    Divide |a, b| a / b;
    Maximum |a, b| if a >= b || a.is_nan() { a } else { b };
    Minimum |a, b| if a <= b || a.is_nan() { a } else { b };
}

macro_rules! tests1 {
    ($($name:ident |$x:ident| $body:expr;)*) => {$(
        pub(super) struct $name<T>(PhantomData<T>);
        impl<T: Real> Map1 for $name<T> {
            type In = T;
            type Out = u8;
            #[inline(always)]
            fn apply(x: T) -> u8 {
                let $x = x.widen();
                u8::from($body)
            }
        }
    )*};
}
tests1! {
    IsFinite |x| x.is_finite();
    IsInf |x| x.is_infinite();
    IsNan |x| x.is_nan();
}

macro_rules! tests2 {
    ($($name:ident |$a:ident, $b:ident| $body:expr;)*) => {$(
        pub(super) struct $name<T>(PhantomData<T>);
        impl<T: Real> Map2 for $name<T> {
            type In = T;
            type Out = u8;
            #[inline(always)]
            fn apply(a: T, b: T) -> u8 {
                let ($a, $b) = (a.widen(), b.widen());
                u8::from($body)
            }
        }
    )*};
}
tests2! {
    Equal |a, b| a == b;
    NotEqual |a, b| a != b;
    Less |a, b| a < b;
    LessEqual |a, b| a <= b;
}

/// Operations on the bits of a float, seen as an unsigned integer: the sign is the first bit,
/// and the magnitudes are ordered as the integers are.
pub(super) trait Bits: Copy + Ord + Send + Sync + 'static {
    const SIGN: Self;
    const INFINITY: Self;
    fn and(self, other: Self) -> Self;
    fn without(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn toggle(self, other: Self) -> Self;
    fn up(self) -> Self;
    fn down(self) -> Self;
    const ZERO: Self;
}

macro_rules! bits {
    ($($t:ident = $infinity:literal),*) => {$(
        impl Bits for $t {
            const SIGN: $t = 1 << ($t::BITS - 1);
            const INFINITY: $t = $infinity;
            const ZERO: $t = 0;
            #[inline(always)]
            fn and(self, other: $t) -> $t { self & other }
            #[inline(always)]
            fn without(self, other: $t) -> $t { self & !other }
            #[inline(always)]
            fn or(self, other: $t) -> $t { self | other }
            #[inline(always)]
            fn toggle(self, other: $t) -> $t { self ^ other }
            #[inline(always)]
            fn up(self) -> $t { self + 1 }
            #[inline(always)]
            fn down(self) -> $t { self - 1 }
        }
    )*};
}
bits!(u32 = 0x7f80_0000, u64 = 0x7ff0_0000_0000_0000);

/// The 16-bit formats share a width, not an exponent: bfloat16 ...
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(super) struct BfloatBits(u16);
/// ... and float16.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(super) struct HalfBits(u16);

macro_rules! small_bits {
    ($($t:ident = $infinity:literal),*) => {$(
        impl Bits for $t {
            const SIGN: $t = $t(0x8000);
            const INFINITY: $t = $t($infinity);
            const ZERO: $t = $t(0);
            #[inline(always)]
            fn and(self, other: $t) -> $t { $t(self.0 & other.0) }
            #[inline(always)]
            fn without(self, other: $t) -> $t { $t(self.0 & !other.0) }
            #[inline(always)]
            fn or(self, other: $t) -> $t { $t(self.0 | other.0) }
            #[inline(always)]
            fn toggle(self, other: $t) -> $t { $t(self.0 ^ other.0) }
            #[inline(always)]
            fn up(self) -> $t { $t(self.0 + 1) }
            #[inline(always)]
            fn down(self) -> $t { $t(self.0 - 1) }
        }
    )*};
}
small_bits!(BfloatBits = 0x7f80, HalfBits = 0x7c00);

macro_rules! bit_ops1 {
    ($($name:ident -> $out:ty: |$x:ident| $body:expr;)*) => {$(
        pub(super) struct $name<B>(PhantomData<B>);
        impl<B: Bits> Map1 for $name<B> {
            type In = B;
            type Out = $out;
            #[inline(always)]
            fn apply($x: B) -> $out { $body }
        }
    )*};
}
bit_ops1! {
    Abs -> B: |x| x.without(B::SIGN);
    Negative -> B: |x| x.toggle(B::SIGN);
    Signbit -> u8: |x| u8::from(x >= B::SIGN);
}

pub(super) struct Copysign<B>(PhantomData<B>);
impl<B: Bits> Map2 for Copysign<B> {
    type In = B;
    type Out = B;
    #[inline(always)]
    fn apply(a: B, b: B) -> B {
        a.without(B::SIGN).or(b.and(B::SIGN))
    }
}

pub(super) struct Nextafter<B>(PhantomData<B>);
impl<B: Bits> Map2 for Nextafter<B> {
    type In = B;
    type Out = B;
    const TOP: Isa = Isa::Baseline;
    #[inline(always)]
    fn apply(a: B, b: B) -> B {
        let (size_a, size_b) = (a.without(B::SIGN), b.without(B::SIGN));
        if size_a > B::INFINITY {
            return a;
        }
        if size_b > B::INFINITY || a == b || size_a == B::ZERO && size_b == B::ZERO {
            return b;
        }
        if size_a == B::ZERO {
            return B::ZERO.up().or(b.and(B::SIGN));
        }
        // Away from zero if the target has the same sign and a greater magnitude.
        if a.and(B::SIGN) == b.and(B::SIGN) && size_b > size_a { a.up() } else { a.down() }
    }
}

/// Functions for which [`narrow`] and [`math`] have a version each.
macro_rules! functions1 {
    ($($name:ident = $function:ident;)*) => {$(
        pub(super) struct $name<T>(PhantomData<T>);
        impl<T: Real> Map1 for $name<T> {
            type In = T;
            type Out = T;
            const TOP: Isa = if T::IS_NARROW { Isa::Avx512 } else { Isa::Baseline };
            #[inline(always)]
            fn apply(x: T) -> T {
                let x = x.to_f64();
                T::from_f64(if T::IS_NARROW { narrow::$function(x) } else { math::$function(x) })
            }
        }
    )*};
}
functions1! {
    Acos = acos;
    Acosh = acosh;
    Asin = asin;
    Asinh = asinh;
    Atan = atan;
    Atanh = atanh;
    Cosh = cosh;
    Exp = exp;
    Expm1 = expm1;
    Log = log;
    Log1p = log1p;
    Log2 = log2;
    Log10 = log10;
    Sinh = sinh;
    Tanh = tanh;
}

/// Likewise, with few operands too large for [`narrow`].
macro_rules! circular {
    ($($name:ident = $function:ident;)*) => {$(
        pub(super) struct $name<T>(PhantomData<T>);
        impl<T: Real> Map1 for $name<T> {
            type In = T;
            type Out = T;
            const TOP: Isa = if T::IS_NARROW { Isa::Avx512 } else { Isa::Baseline };
            const HAS_RARE: bool = T::IS_NARROW;
            #[inline(always)]
            fn apply(x: T) -> T {
                let x = x.to_f64();
                T::from_f64(if T::IS_NARROW { narrow::$function(x) } else { math::$function(x) })
            }
            #[inline(always)]
            fn is_rare(x: T) -> bool {
                x.to_f64().abs() > narrow::CIRCULAR_LIMIT
            }
            fn rare(x: T) -> T {
                T::from_f64(math::$function(x.to_f64()))
            }
        }
    )*};
}
circular! {
    Cos = cos;
    Sin = sin;
    Tan = tan;
}

macro_rules! functions2 {
    ($($name:ident = $function:path, $narrow:path, $top:ident;)*) => {$(
        pub(super) struct $name<T>(PhantomData<T>);
        impl<T: Real> Map2 for $name<T> {
            type In = T;
            type Out = T;
            const TOP: Isa = if T::IS_NARROW { Isa::$top } else { Isa::Baseline };
            #[inline(always)]
            fn apply(a: T, b: T) -> T {
                let (a, b) = (a.to_f64(), b.to_f64());
                T::from_f64(if T::IS_NARROW { $narrow(a, b) } else { $function(a, b) })
            }
        }
    )*};
}
functions2! {
    Atan2 = math::atan2, narrow::atan2, Avx512;
    FloorDivide = math::floor_divide, math::floor_divide, Baseline;
    Hypot = math::hypot, narrow::hypot, Avx512;
    Logaddexp = math::logaddexp, narrow::logaddexp, Avx512;
    Power = math::pow, math::pow, Baseline;
    Remainder = math::remainder, math::remainder, Baseline;
}
