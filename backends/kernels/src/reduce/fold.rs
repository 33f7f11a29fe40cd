//! How two partial results combine, for each reduction.

use crate::small::{Real, Value};
use half::{bf16, f16};
use num_complex::{Complex, Complex32, Complex64};
use std::marker::PhantomData;

/// An associative operation, up to rounding, and what an element is for it.
pub(crate) trait Fold: Copy + Send + Sync {
    /// The elements.
    type In: Value;
    /// What is accumulated.
    type Acc: Copy + Send + Sync;
    /// Whether loops of it are worth a variant for each instruction set.
    const WIDE: bool = false;
    /// An element by itself.
    fn load(self, x: Self::In) -> Self::Acc;
    /// Both together; `a` comes before `b`.
    fn join(self, a: Self::Acc, b: Self::Acc) -> Self::Acc;
}

/// An element as a wider type, exactly.
pub(crate) trait Widen<A>: Value {
    /// True for the dtypes whose reductions come first.
    const COMMON: bool;
    /// The same value.
    fn widen_to(self) -> A;
}

macro_rules! widen {
    ($common:literal: $($from:ty => $to:ty: $x:ident => $e:expr;)*) => {$(
        impl Widen<$to> for $from {
            const COMMON: bool = $common;
            #[inline(always)]
            fn widen_to(self) -> $to {
                let $x = self;
                $e
            }
        }
    )*};
}
widen! {
    true:
    u32 => u32: x => x; u64 => u64: x => x; i32 => i32: x => x; i64 => i64: x => x;
    f32 => f32: x => x; f64 => f64: x => x;
}
widen! {
    false:
    u8 => u8: x => x; u16 => u16: x => x; i8 => i8: x => x; i16 => i16: x => x;
    f16 => f32: x => x.single(); bf16 => f32: x => x.single();
    f16 => f64: x => x.widen(); bf16 => f64: x => x.widen(); f32 => f64: x => f64::from(x);
    Complex32 => Complex32: x => x; Complex64 => Complex64: x => x;
    Complex32 => Complex64: x => Complex::new(f64::from(x.re), f64::from(x.im));
}

/// What is summed and multiplied.
pub(crate) trait Arithmetic: Copy + Send + Sync {
    /// Sum; integers wrap.
    fn plus(self, other: Self) -> Self;
    /// Product; integers wrap.
    fn times(self, other: Self) -> Self;
}

macro_rules! arithmetic {
    (int $($t:ty),*) => {$(
        impl Arithmetic for $t {
            #[inline(always)]
            fn plus(self, other: $t) -> $t { self.wrapping_add(other) }
            #[inline(always)]
            fn times(self, other: $t) -> $t { self.wrapping_mul(other) }
        }
    )*};
    (float $($t:ty),*) => {$(
        impl Arithmetic for $t {
            #[inline(always)]
            fn plus(self, other: $t) -> $t { self + other }
            #[inline(always)]
            fn times(self, other: $t) -> $t { self * other }
        }
    )*};
}
arithmetic!(int u8, u16, u32, u64);
arithmetic!(float f32, f64);

impl<T: Arithmetic + std::ops::Sub<Output = T>> Arithmetic for Complex<T> {
    #[inline(always)]
    fn plus(self, other: Complex<T>) -> Complex<T> {
        Complex { re: self.re.plus(other.re), im: self.im.plus(other.im) }
    }
    #[inline(always)]
    fn times(self, other: Complex<T>) -> Complex<T> {
        Complex {
            re: self.re.times(other.re) - self.im.times(other.im),
            im: self.re.times(other.im).plus(self.im.times(other.re)),
        }
    }
}

macro_rules! marker {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        pub(crate) struct $name<T, A>(PhantomData<fn(T) -> A>);

        impl<T, A> Clone for $name<T, A> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T, A> Copy for $name<T, A> {}
        impl<T, A> $name<T, A> {
            /// The fold.
            pub fn new() -> Self {
                $name(PhantomData)
            }
        }
    };
}
marker!(
    /// The sum in `A`.
    Sum
);
marker!(
    /// The product in `A`.
    Prod
);
marker!(
    /// The greatest, or the first NaN.
    Max
);
marker!(
    /// The least, or the first NaN.
    Min
);

impl<T: Widen<A>, A: Arithmetic> Fold for Sum<T, A> {
    const WIDE: bool = T::COMMON;
    type In = T;
    type Acc = A;
    #[inline(always)]
    fn load(self, x: T) -> A {
        x.widen_to()
    }
    #[inline(always)]
    fn join(self, a: A, b: A) -> A {
        a.plus(b)
    }
}

impl<T: Widen<A>, A: Arithmetic> Fold for Prod<T, A> {
    type In = T;
    type Acc = A;
    #[inline(always)]
    fn load(self, x: T) -> A {
        x.widen_to()
    }
    #[inline(always)]
    fn join(self, a: A, b: A) -> A {
        a.times(b)
    }
}

impl<T: Widen<A>, A: Copy + PartialOrd + Send + Sync> Fold for Max<T, A> {
    const WIDE: bool = T::COMMON;
    type In = T;
    type Acc = A;
    #[inline(always)]
    fn load(self, x: T) -> A {
        x.widen_to()
    }
    // Only a NaN differs from itself.
    #[allow(clippy::eq_op)]
    #[inline(always)]
    fn join(self, a: A, b: A) -> A {
        if a > b || a != a { a } else { b }
    }
}

impl<T: Widen<A>, A: Copy + PartialOrd + Send + Sync> Fold for Min<T, A> {
    const WIDE: bool = T::COMMON;
    type In = T;
    type Acc = A;
    #[inline(always)]
    fn load(self, x: T) -> A {
        x.widen_to()
    }
    // Only a NaN differs from itself.
    #[allow(clippy::eq_op)]
    #[inline(always)]
    fn join(self, a: A, b: A) -> A {
        if a < b || a != a { a } else { b }
    }
}

/// The sum of squared deviations from a mean, in float64.
pub(crate) struct Squares<T> {
    /// The mean.
    pub mean: f64,
    /// The elements.
    pub of: PhantomData<fn(T)>,
}

impl<T> Clone for Squares<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Squares<T> {}

impl<T: Real> Fold for Squares<T> {
    type In = T;
    type Acc = f64;
    #[inline(always)]
    fn load(self, x: T) -> f64 {
        let d = x.widen() - self.mean;
        d * d
    }
    #[inline(always)]
    fn join(self, a: f64, b: f64) -> f64 {
        a + b
    }
}
