//! Conversion between dtypes: integers wrap, floats to integers truncate and saturate with NaN
//! as 0, everything to floats rounds once (decisions S17, S21, S35).
//!
//! The pairs that are used most have loops of their own. The others go through float64, block
//! by block: exactly, or rounded to odd, so that the second step rounds as if it were the only one.

use super::complex::Cplx;
use super::drive::drive;
use super::float::{FromDouble, ToDouble};
use super::kernel::{Identity, Kernel, Map1, run1};
use super::through::run_chain;
use crate::isa::Isa;
use crate::saturate::Saturating;
use crate::scalar_math::{Real, Wide, u64_to_odd_f64};
use crate::types::{match_dtype, match_width};
use half::{bf16, f16};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dtype, Kind, Result};
use std::marker::PhantomData;

/// The elements converted to another dtype.
///
/// # Errors
/// `InvalidArgument` for complex to a real dtype; no memory.
pub fn cast(x: HostView<'_>, dtype: Dtype) -> Result<HostArray> {
    let kernel = kernel(x.dtype(), dtype).ok_or_else(|| super::refused("astype", x.dtype()))?;
    // SAFETY: the kernel is that of the two dtypes.
    unsafe { drive("astype", dtype, [x], kernel) }
}

pub(super) fn kernel(from: Dtype, to: Dtype) -> Option<Kernel<1>> {
    if from == to || from.is_int() && to.is_int() && from.bytes() == to.bytes() {
        return match_width!(to.bytes(), T => Some(run1::<Identity<T>>), else => None);
    }
    // Truth values are the integers 0 and 1.
    let from = if from.is_bool() { Dtype::UINT8 } else { from };
    match (from.kind(), to.kind()) {
        (Kind::Complex, Kind::Complex) => match_dtype!(from, complex, A => {
            match_dtype!(to, complex, B => Some(run1::<Recomplex<A, B>>), else => None)
        }, else => None),
        (Kind::Complex, Kind::Bool) => {
            match_dtype!(from, complex, A => Some(run1::<ComplexToBool<A>>), else => None)
        }
        (Kind::Complex | Kind::Bool, _) => None,
        (Kind::Float, Kind::Bool) => {
            match_dtype!(from, float, A => Some(run1::<FloatToBool<A>>), else => None)
        }
        (_, Kind::Bool) => match_dtype!(from, int, A => Some(run1::<IntToBool<A>>), else => None),
        (Kind::Int | Kind::Uint, Kind::Int | Kind::Uint) => integer(from, to),
        _ => direct(from, to).or_else(|| by_double(from, to)),
    }
}

/// Between integers of two widths: the result's sign does not matter, the operand's only when
/// it widens.
fn integer(from: Dtype, to: Dtype) -> Option<Kernel<1>> {
    match_dtype!(from, int, A => match to.bytes() {
        1 => Some(run1::<Resize<A, u8>>),
        2 => Some(run1::<Resize<A, u16>>),
        4 => Some(run1::<Resize<A, u32>>),
        _ => Some(run1::<Resize<A, u64>>),
    }, else => None)
}

/// Loops of their own.
fn direct(from: Dtype, to: Dtype) -> Option<Kernel<1>> {
    use Dtype as D;
    Some(match (from, to) {
        (D::BFLOAT16, D::FLOAT32) => run1::<FloatToFloat<bf16, f32>>,
        (D::FLOAT16, D::FLOAT32) => run1::<FloatToFloat<f16, f32>>,
        (D::FLOAT32, D::BFLOAT16) => run1::<FloatToFloat<f32, bf16>>,
        (D::FLOAT32, D::FLOAT16) => run1::<FloatToFloat<f32, f16>>,
        (_, D::FLOAT64) => {
            return match_dtype!(from, int, A => Some(run1::<IntToFloat<A, f64>>), else => {
                match_dtype!(from, float, A => Some(run1::<ToDouble<A>>), else => None)
            });
        }
        (_, D::COMPLEX128) => {
            return match_dtype!(from, real, A => Some(run1::<ToComplex<A, f64>>), else => None);
        }
        (_, D::COMPLEX64) => {
            return match_dtype!(from, real, A => Some(run1::<ToComplex<A, f32>>), else => None);
        }
        (D::INT32, D::FLOAT16) => run1::<IntToFloat<i32, f16>>,
        (D::INT32, D::FLOAT32) => run1::<IntToFloat<i32, f32>>,
        (D::INT64, D::FLOAT32) => run1::<IntToFloat<i64, f32>>,
        (D::UINT8, D::FLOAT32) => run1::<IntToFloat<u8, f32>>,
        (D::FLOAT32, D::INT32) => run1::<FloatToInt<f32, i32>>,
        (D::FLOAT32, D::UINT8) => run1::<FloatToInt<f32, u8>>,
        (D::FLOAT64, _) if to.is_int() => {
            return match_dtype!(to, int, B => Some(run1::<FloatToInt<f64, B>>), else => None);
        }
        (D::FLOAT64, _) => return match_dtype!(to, float, B => Some(run1::<FromDouble<B>>), else => None),
        _ => return None,
    })
}

/// Through float64.
fn by_double(from: Dtype, to: Dtype) -> Option<Kernel<1>> {
    macro_rules! then {
        ($First:ty) => {
            match to.kind() {
                Kind::Float => match_dtype!(to, float, B => Some(run_chain::<$First, FromDouble<B>>), else => None),
                _ => match_dtype!(to, int, B => Some(run_chain::<$First, FloatToInt<f64, B>>), else => None),
            }
        };
    }
    match_dtype!(from, int, A => then!(ToOdd<A>), else => {
        match_dtype!(from, float, A => then!(ToDouble<A>), else => None)
    })
}

/// A real element as a source of conversions to floats.
pub(super) trait Source: Copy {
    fn to_f32(self) -> f32;
    fn to_f64(self) -> f64;
    /// In float64, rounded to odd if it does not fit.
    fn to_odd(self) -> f64;
}

macro_rules! sources {
    ($($t:ident)*; $($wide:ident)*; $($float:ident)*) => {
        $(impl Source for $t {
            #[inline(always)]
            fn to_f32(self) -> f32 { self as f32 }
            #[inline(always)]
            fn to_f64(self) -> f64 { f64::from(self) }
            #[inline(always)]
            fn to_odd(self) -> f64 { f64::from(self) }
        })*
        $(impl Source for $wide {
            #[inline(always)]
            fn to_f32(self) -> f32 { self as f32 }
            #[inline(always)]
            fn to_f64(self) -> f64 { self as f64 }
            #[inline(always)]
            fn to_odd(self) -> f64 {
                // Only i64 can be negative; `abs_diff` gives the magnitude of both types.
                let magnitude = u64_to_odd_f64(self.abs_diff(0));
                if self < $wide::MIN.max(0) { -magnitude } else { magnitude }
            }
        })*
        $(impl Source for $float {
            #[inline(always)]
            fn to_f32(self) -> f32 { self.widen().round_to() }
            #[inline(always)]
            fn to_f64(self) -> f64 { Real::to_f64(self) }
            #[inline(always)]
            fn to_odd(self) -> f64 { Real::to_f64(self) }
        })*
    };
}
sources!(i8 i16 i32 u8 u16 u32; i64 u64; bf16 f16 f32 f64);

/// A float as the goal of a conversion from any real.
pub(super) trait Goal: Copy {
    fn of<A: Source>(x: A) -> Self;
}
impl Goal for f32 {
    #[inline(always)]
    fn of<A: Source>(x: A) -> f32 {
        x.to_f32()
    }
}
impl Goal for f64 {
    #[inline(always)]
    fn of<A: Source>(x: A) -> f64 {
        x.to_f64()
    }
}
impl Goal for f16 {
    #[inline(always)]
    fn of<A: Source>(x: A) -> f16 {
        // What is above 2^17 is infinite either way, and float32 holds all integers below.
        f16::narrow(x.to_f32().clamp(-131072.0, 131072.0))
    }
}

/// Wrapping conversion between integers.
pub(super) trait Resizes<B>: Copy {
    fn resize(self) -> B;
}
macro_rules! resizes {
    ($($a:ident)*) => { $(resizes!(@ $a u8 u16 u32 u64);)* };
    (@ $a:ident $($b:ident)*) => {$(
        impl Resizes<$b> for $a {
            #[inline(always)]
            fn resize(self) -> $b { self as $b }
        }
    )*};
}
resizes!(i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! conversions {
    ($($name:ident<$A:ident: $bound_a:path, $B:ident: $bound_b:path>, $level:ident: |$x:ident| -> $out:ty $body:block)*) => {$(
        struct $name<A, B>(PhantomData<(A, B)>);
        impl<$A: $bound_a, $B: $bound_b> Map1 for $name<$A, $B> {
            type In = $A;
            type Out = $out;
            const TOP: Isa = Isa::$level;
            #[inline(always)]
            fn apply($x: $A) -> $out $body
        }
    )*};
}
conversions! {
    IntToFloat<A: Source, B: Goal>, Avx512: |x| -> B { B::of(x) }
    FloatToInt<A: Real, B: Saturating>, Avx512: |x| -> B { x.widen().saturate_to() }
    FloatToFloat<A: Real, B: Real>, Avx2: |x| -> B { x.widen().round_to() }
    Resize<A: Resizes<B>, B: Copy>, Avx2: |x| -> B { x.resize() }
    ToComplex<A: Source, B: Goal>, Avx2: |x| -> [B; 2] { [B::of(x), B::of(0u8)] }
    Recomplex<A: Cplx, B: Cplx>, Avx2: |x| -> B { B::narrow(x.wide()) }
}

macro_rules! conversions_to {
    ($($name:ident<$A:ident: $bound:path>, $level:ident: |$x:ident| -> $out:ty $body:block)*) => {$(
        struct $name<A>(PhantomData<A>);
        impl<$A: $bound> Map1 for $name<$A> {
            type In = $A;
            type Out = $out;
            const TOP: Isa = Isa::$level;
            #[inline(always)]
            fn apply($x: $A) -> $out $body
        }
    )*};
}
conversions_to! {
    ToOdd<A: Source>, Avx512: |x| -> f64 { x.to_odd() }
    // NaN is true.
    FloatToBool<A: Real>, Avx2: |x| -> u8 { u8::from(x.widen() != A::Acc::ZERO) }
    ComplexToBool<A: Cplx>, Avx2: |x| -> u8 {
        let z = x.wide();
        u8::from(z.re != 0.0 || z.im != 0.0)
    }
    IntToBool<A: Resizes<u64>>, Avx2: |x| -> u8 { u8::from(x.resize() != 0) }
}
