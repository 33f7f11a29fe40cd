//! Conversion between dtypes: integers wrap, floats to integers truncate and saturate with NaN
//! as 0, everything to floats rounds once (decisions S17, S21, S35).

use super::complex::Cplx;
use super::drive::drive;
use super::kernel::{Identity, Kernel, Map1, run1};
use crate::isa::Isa;
use crate::scalar_math::{Real, Saturating, Wide, u64_to_odd_f64};
use crate::types::{match_dtype, match_width};
use half::{bf16, f16};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dtype, Kind, Result};
use num_complex::{Complex32, Complex64};
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
        (Kind::Complex, Kind::Bool) => {
            match_dtype!(from, complex, A => Some(run1::<ComplexToBool<A>>), else => None)
        }
        (_, Kind::Bool) => match_dtype!(from, real, A => Some(run1::<ToBool<A>>), else => None),
        (Kind::Complex, Kind::Complex) => match_dtype!(from, complex, A => {
            match_dtype!(to, complex, B => Some(run1::<Recomplex<A, B>>), else => None)
        }, else => None),
        (_, Kind::Complex) => match_dtype!(from, real, A => {
            match_dtype!(to, complex, B => Some(run1::<ToComplex<A, B>>), else => None)
        }, else => None),
        (Kind::Int | Kind::Uint, Kind::Int | Kind::Uint) => integer(from, to),
        (Kind::Int | Kind::Uint, Kind::Float) => match_dtype!(from, int, A => {
            match_dtype!(to, float, B => Some(run1::<ToFloat<A, B>>), else => None)
        }, else => None),
        (Kind::Float, Kind::Int | Kind::Uint) => match_dtype!(from, float, A => {
            match_dtype!(to, int, B => Some(run1::<ToInt<A, B>>), else => None)
        }, else => None),
        (Kind::Float, Kind::Float) => match_dtype!(from, float, A => {
            match_dtype!(to, float, B => Some(run1::<ToFloat<A, B>>), else => None)
        }, else => None),
        (Kind::Complex | Kind::Bool, _) => None,
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

/// An integer as a source of conversions.
pub(super) trait FromInt: Copy {
    fn to_f32(self) -> f32;
    fn to_f64(self) -> f64;
    /// In float64, rounded to odd if it does not fit.
    fn to_odd(self) -> f64;
}

macro_rules! from_int {
    ($($t:ident)*; $($wide:ident)*) => {
        $(impl FromInt for $t {
            #[inline(always)]
            fn to_f32(self) -> f32 { self as f32 }
            #[inline(always)]
            fn to_f64(self) -> f64 { f64::from(self) }
            #[inline(always)]
            fn to_odd(self) -> f64 { f64::from(self) }
        })*
        $(impl FromInt for $wide {
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
    };
}
from_int!(i8 i16 i32 u8 u16 u32; i64 u64);

/// A float as the goal of a conversion from an integer.
pub(super) trait IntGoal: Real {
    fn of<A: FromInt>(x: A) -> Self;
}

impl IntGoal for f32 {
    #[inline(always)]
    fn of<A: FromInt>(x: A) -> f32 {
        x.to_f32()
    }
}
impl IntGoal for f64 {
    #[inline(always)]
    fn of<A: FromInt>(x: A) -> f64 {
        x.to_f64()
    }
}
impl IntGoal for bf16 {
    #[inline(always)]
    fn of<A: FromInt>(x: A) -> bf16 {
        bf16::from_f64(x.to_odd())
    }
}
impl IntGoal for f16 {
    #[inline(always)]
    fn of<A: FromInt>(x: A) -> f16 {
        // What is above 2^17 is infinite either way, and float32 holds all integers below.
        f16::narrow(x.to_f32().clamp(-131072.0, 131072.0))
    }
}

/// A real element as a source of conversions to floats.
pub(super) trait Source: Copy {
    fn to_float<B: IntGoal>(self) -> B;
    fn is_nonzero(self) -> bool;
}
macro_rules! sources {
    ($($int:ident)*; $($float:ident)*) => {
        $(impl Source for $int {
            #[inline(always)]
            fn to_float<B: IntGoal>(self) -> B { B::of(self) }
            #[inline(always)]
            fn is_nonzero(self) -> bool { self != 0 }
        })*
        $(impl Source for $float {
            #[inline(always)]
            fn to_float<B: IntGoal>(self) -> B { self.widen().round_to() }
            #[inline(always)]
            fn is_nonzero(self) -> bool { self.widen() != 0.0 }
        })*
    };
}
sources!(i8 i16 i32 i64 u8 u16 u32 u64; bf16 f16 f32 f64);

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
    ($($name:ident<$A:ident: $bound_a:path, $B:ident: $bound_b:path>, $level:ident: |$x:ident| $body:expr;)*) => {$(
        struct $name<A, B>(PhantomData<(A, B)>);
        impl<$A: $bound_a, $B: $bound_b> Map1 for $name<$A, $B> {
            type In = $A;
            type Out = $B;
            const TOP: Isa = Isa::$level;
            #[inline(always)]
            fn apply($x: $A) -> $B { $body }
        }
    )*};
}

conversions! {
    ToFloat<A: Source, B: IntGoal>, Avx512: |x| x.to_float();
    ToInt<A: Real, B: Saturating>, Avx512: |x| x.widen().saturate_to();
    Resize<A: Resizes<B>, B: Copy>, Avx512: |x| x.resize();
    Recomplex<A: Cplx, B: Cplx>, Avx2: |x| B::narrow(x.wide());
    ToComplex<A: Source, B: Parts>, Avx2: |x| B::of_real(x);
}

/// A complex element made from a real one.
pub(super) trait Parts: Copy {
    fn of_real<A: Source>(x: A) -> Self;
}
impl Parts for Complex32 {
    #[inline(always)]
    fn of_real<A: Source>(x: A) -> Complex32 {
        Complex32::new(x.to_float(), 0.0)
    }
}
impl Parts for Complex64 {
    #[inline(always)]
    fn of_real<A: Source>(x: A) -> Complex64 {
        Complex64::new(x.to_float(), 0.0)
    }
}

/// True unless zero; NaN is true.
struct ToBool<A>(PhantomData<A>);
impl<A: Source> Map1 for ToBool<A> {
    type In = A;
    type Out = u8;
    #[inline(always)]
    fn apply(x: A) -> u8 {
        u8::from(x.is_nonzero())
    }
}

struct ComplexToBool<A>(PhantomData<A>);
impl<A: Cplx> Map1 for ComplexToBool<A> {
    type In = A;
    type Out = u8;
    #[inline(always)]
    fn apply(x: A) -> u8 {
        let z = x.wide();
        u8::from(z.re != 0.0 || z.im != 0.0)
    }
}
