//! Operations on real floats. Arithmetic is done in float32 or float64 (16-bit types widen to
//! float32, where sums, products, quotients and roots round as if computed exactly); functions
//! are computed in float64 and rounded once.

use super::kernel::{Map1, Map2};
use super::math::{self, narrow, single};
use crate::isa::Isa;
use crate::scalar_math::{Real, Wide};
use std::marker::PhantomData;

/// The value in the type that its arithmetic is done in.
pub(super) struct Widen<T>(PhantomData<T>);
impl<T: Real> Map1 for Widen<T> {
    type In = T;
    type Out = T::Acc;
    #[inline(always)]
    fn apply(x: T) -> T::Acc {
        x.widen()
    }
}

/// The way back from [`Widen`], with one rounding.
pub(super) struct Narrow<T>(PhantomData<T>);
impl<T: Real> Map1 for Narrow<T> {
    type In = T::Acc;
    type Out = T;
    #[inline(always)]
    fn apply(x: T::Acc) -> T {
        T::narrow(x)
    }
}

/// The value in float64.
pub(super) struct ToDouble<T>(PhantomData<T>);
impl<T: Real> Map1 for ToDouble<T> {
    type In = T;
    type Out = f64;
    const TOP: Isa = Isa::Avx512;
    #[inline(always)]
    fn apply(x: T) -> f64 {
        x.to_f64()
    }
}

/// A float64 rounded once.
pub(super) struct FromDouble<T>(PhantomData<T>);
impl<T: Real> Map1 for FromDouble<T> {
    type In = f64;
    type Out = T;
    const TOP: Isa = Isa::Avx512;
    #[inline(always)]
    fn apply(x: f64) -> T {
        T::from_f64(x)
    }
}

macro_rules! arithmetic1 {
    ($($name:ident |$x:ident| $body:expr;)*) => {$(
        pub(super) struct $name<W>(PhantomData<W>);
        impl<W: Wide> Map1 for $name<W> {
            type In = W;
            type Out = W;
            #[inline(always)]
            fn apply($x: W) -> W { $body }
        }
    )*};
}
arithmetic1! {
    Ceil |x| x.ceil();
    Floor |x| x.floor();
    Trunc |x| x.trunc();
    Round |x| x.round_ties_even();
    Reciprocal |x| W::ONE / x;
    Square |x| x * x;
    Sqrt |x| x.sqrt();
    Sign |x| {
        let one = W::ONE;
        if x > W::ZERO { one } else if x < W::ZERO { W::ZERO - one } else if x.is_nan() { x } else { W::ZERO }
    };
}

macro_rules! arithmetic2 {
    ($($name:ident |$a:ident, $b:ident| $body:expr;)*) => {$(
        pub(super) struct $name<W>(PhantomData<W>);
        impl<W: Wide> Map2 for $name<W> {
            type In = W;
            type Out = W;
            #[inline(always)]
            fn apply($a: W, $b: W) -> W { $body }
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
        pub(super) struct $name<W>(PhantomData<W>);
        impl<W: Wide> Map1 for $name<W> {
            type In = W;
            type Out = u8;
            #[inline(always)]
            fn apply($x: W) -> u8 { u8::from($body) }
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
        pub(super) struct $name<W>(PhantomData<W>);
        impl<W: Wide> Map2 for $name<W> {
            type In = W;
            type Out = u8;
            #[inline(always)]
            fn apply($a: W, $b: W) -> u8 { u8::from($body) }
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

/// Functions of float64, exact to its last places ([`full`]) or good for narrower floats
/// ([`short`]).
macro_rules! functions1 {
    ($($name:ident = $function:ident;)*) => {
        pub(super) mod full {
            use super::{Isa, Map1, math};
            $(
                pub(in super::super) struct $name;
                impl Map1 for $name {
                    type In = f64;
                    type Out = f64;
                    const TOP: Isa = Isa::Baseline;
                    #[inline(always)]
                    fn apply(x: f64) -> f64 { math::$function(x) }
                }
            )*
        }
        pub(super) mod short {
            use super::{Isa, Map1, math, narrow};
            $(
                pub(in super::super) struct $name;
                impl Map1 for $name {
                    type In = f64;
                    type Out = f64;
                    const TOP: Isa = Isa::Avx512;
                    const HAS_RARE: bool = narrow::limit::$function < f64::INFINITY;
                    #[inline(always)]
                    fn apply(x: f64) -> f64 { narrow::$function(x) }
                    #[inline(always)]
                    fn is_rare(x: f64) -> bool { x.abs() > narrow::limit::$function }
                    #[cold]
                    fn rare(x: f64) -> f64 { math::$function(x) }
                }
            )*
        }
    };
}
functions1! {
    Acos = acos;
    Acosh = acosh;
    Asin = asin;
    Asinh = asinh;
    Atan = atan;
    Atanh = atanh;
    Cos = cos;
    Cosh = cosh;
    Digamma = digamma;
    Erf = erf;
    Erfc = erfc;
    Exp = exp;
    Expm1 = expm1;
    Lgamma = lgamma;
    Log = log;
    Log1p = log1p;
    Log2 = log2;
    Log10 = log10;
    Sin = sin;
    Sinh = sinh;
    Tan = tan;
    Tanh = tanh;
}

macro_rules! functions2 {
    ($($name:ident = $function:path, $top:ident;)*) => {$(
        pub(super) struct $name;
        impl Map2 for $name {
            type In = f64;
            type Out = f64;
            const TOP: Isa = Isa::$top;
            #[inline(always)]
            fn apply(a: f64, b: f64) -> f64 { $function(a, b) }
        }
    )*};
}
functions2! {
    Atan2 = math::atan2, Baseline;
    FloorDivide = math::floor_divide, Baseline;
    Hypot = math::hypot, Baseline;
    Logaddexp = math::logaddexp, Baseline;
    Power = math::pow, Baseline;
    Remainder = math::remainder, Baseline;
    ShortAtan2 = narrow::atan2, Avx512;
    ShortHypot = narrow::hypot, Avx512;
    ShortLogaddexp = narrow::logaddexp, Avx512;
}

/// A function for narrow floats as one loop with its conversions, for those that are used most.
pub(super) struct Fused<T, F>(PhantomData<(T, F)>);
impl<T: Real, F: Map1<In = f64, Out = f64>> Map1 for Fused<T, F> {
    type In = T;
    type Out = T;
    const TOP: Isa = F::TOP;
    #[inline(always)]
    fn apply(x: T) -> T {
        T::from_f64(F::apply(x.to_f64()))
    }
}

/// The exponential of float32 numbers.
pub(super) struct SingleExp;
impl Map1 for SingleExp {
    type In = f32;
    type Out = f32;
    const TOP: Isa = Isa::Avx512;
    #[inline(always)]
    fn apply(x: f32) -> f32 {
        single::exp(x)
    }
}
