//! How elements of a line combine, by operation and dtype.

use crate::small::{Real, Value};
use half::{bf16, f16};
use num_complex::{Complex, Complex32, Complex64};
use std::marker::PhantomData;

/// An associative operation but for rounding: of elements from the first on, of one block with the next.
pub(super) trait Combine: Send + Sync + 'static {
    /// The elements.
    type T: Value;
    /// What goes from one element to the next.
    type Carry: Copy + Send + Sync;
    /// What is combined with the first element, and leaves it as it is.
    const BEGIN: Self::Carry;
    /// Whether elements are converted, which vectors do faster.
    const CONVERTED: bool = size_of::<Self::T>() < size_of::<Self::Carry>() && size_of::<Self::Carry>() <= 8;
    /// The result of no elements.
    fn identity() -> Self::T;
    /// What an element brings.
    fn of(x: Self::T) -> Self::Carry;
    /// The elements of the one, then those of the other.
    fn join(before: Self::Carry, after: Self::Carry) -> Self::Carry;
    fn value(carry: Self::Carry) -> Self::T;
}

/// Sums.
pub(super) struct Sum<T>(PhantomData<T>);
/// Products.
pub(super) struct Prod<T>(PhantomData<T>);
/// The least so far.
pub(super) struct Min<T>(PhantomData<T>);
/// The greatest so far.
pub(super) struct Max<T>(PhantomData<T>);
/// The bits of all.
pub(super) struct And<T>(PhantomData<T>);
/// The bits of any.
pub(super) struct Or<T>(PhantomData<T>);

/// An operation in the type of its elements, or in float64 for narrower floats.
macro_rules! combine {
    ($($op:ident<$t:ty> by $carry:ty, from $begin:expr, of nothing $identity:expr =>
        $widen:expr, $join:expr, $narrow:expr;)*) => {$(
        impl Combine for $op<$t> {
            type T = $t;
            type Carry = $carry;
            const BEGIN: $carry = $begin;
            #[inline(always)]
            fn identity() -> $t {
                $identity
            }
            #[inline(always)]
            fn of(x: $t) -> $carry {
                $widen(x)
            }
            #[inline(always)]
            fn join(before: $carry, after: $carry) -> $carry {
                $join(before, after)
            }
            #[inline(always)]
            fn value(carry: $carry) -> $t {
                $narrow(carry)
            }
        }
    )*};
}

/// Those of signed integers have the same bits.
macro_rules! bits {
    ($($t:ty),*) => {$(combine! {
        Sum<$t> by $t, from 0, of nothing 0 => same, <$t>::wrapping_add, same;
        Prod<$t> by $t, from 1, of nothing 1 => same, <$t>::wrapping_mul, same;
        And<$t> by $t, from !0, of nothing !0 => same, |a, b| a & b, same;
        Or<$t> by $t, from 0, of nothing 0 => same, |a, b| a | b, same;
    })*};
}
bits!(u8, u16, u32, u64);

macro_rules! order {
    ($($t:ty),*) => {$(combine! {
        Min<$t> by $t, from <$t>::MAX, of nothing <$t>::MAX => same, Ord::min, same;
        Max<$t> by $t, from <$t>::MIN, of nothing <$t>::MIN => same, Ord::max, same;
    })*};
}
order!(i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! floats {
    ($($t:ty),*) => {$(combine! {
        Prod<$t> by f64, from 1.0, of nothing <$t>::nearest(1.0) => <$t>::widen, |a, b| a * b, <$t>::nearest;
        Min<$t> by f64, from f64::INFINITY, of nothing <$t>::nearest(f64::INFINITY) => <$t>::widen, less, <$t>::nearest;
        Max<$t> by f64, from f64::NEG_INFINITY, of nothing <$t>::nearest(f64::NEG_INFINITY) => <$t>::widen, greater, <$t>::nearest;
    })*};
}
floats!(bf16, f16, f32, f64);

// -0 is the additive identity that keeps the sign of a zero.
combine! {
    Sum<bf16> by f64, from -0.0, of nothing bf16::nearest(0.0) => Real::widen, |a, b| a + b, Real::nearest;
    Sum<f16> by f64, from -0.0, of nothing f16::nearest(0.0) => Real::widen, |a, b| a + b, Real::nearest;
    Sum<f32> by f64, from -0.0, of nothing 0.0 => Real::widen, |a, b| a + b, Real::nearest;
    Sum<f64> by Compensated, from Compensated::NOTHING, of nothing 0.0 => Compensated::of, Compensated::plus, Compensated::value;
    Sum<Complex32> by Complex64, from Complex::new(-0.0, -0.0), of nothing Complex::new(0.0, 0.0) => wide, |a, b| a + b, narrow;
    Sum<Complex64> by [Compensated; 2], from [Compensated::NOTHING; 2], of nothing Complex::new(0.0, 0.0) =>
        |z: Complex64| [z.re, z.im].map(Compensated::of),
        |a: [Compensated; 2], b: [Compensated; 2]| [a[0].plus(b[0]), a[1].plus(b[1])],
        |z: [Compensated; 2]| Complex::new(z[0].value(), z[1].value());
    Prod<Complex32> by Product, from None, of nothing Complex::new(1.0, 0.0) => |z| Some(wide(z)), product, |z| narrow(first(z));
    Prod<Complex64> by Product, from None, of nothing Complex::new(1.0, 0.0) => Some, product, first;
}

#[inline(always)]
fn same<T>(x: T) -> T {
    x
}

/// The lesser, the first of equal ones; the first NaN.
#[inline(always)]
fn less(a: f64, b: f64) -> f64 {
    if a <= b || a.is_nan() { a } else { b }
}

/// The greater, likewise.
#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if a >= b || a.is_nan() { a } else { b }
}

#[inline(always)]
fn wide(z: Complex32) -> Complex64 {
    Complex::new(f64::from(z.re), f64::from(z.im))
}

#[inline(always)]
fn narrow(z: Complex64) -> Complex32 {
    Complex::new(z.re as f32, z.im as f32)
}

/// A product of complex numbers, of which the first stands for itself: with 1 + 0i an infinite part would become NaN.
type Product = Option<Complex64>;

#[inline(always)]
fn product(a: Product, b: Product) -> Product {
    match (a, b) {
        (Some(a), Some(b)) => Some(a * b),
        (a, b) => a.or(b),
    }
}

#[inline(always)]
fn first(z: Product) -> Complex64 {
    z.unwrap_or(Complex::new(1.0, 0.0))
}

/// A sum and what rounding has taken from it.
#[derive(Clone, Copy)]
pub(super) struct Compensated {
    sum: f64,
    lost: f64,
}

impl Compensated {
    const NOTHING: Compensated = Compensated { sum: -0.0, lost: -0.0 };

    #[inline(always)]
    fn of(x: f64) -> Compensated {
        Compensated { sum: x, lost: -0.0 }
    }

    #[inline(always)]
    fn plus(self, other: Compensated) -> Compensated {
        let sum = self.sum + other.sum;
        let part = sum - self.sum;
        let error = (self.sum - (sum - part)) + (other.sum - part);
        Compensated { sum, lost: (self.lost + error) + other.lost }
    }

    #[inline(always)]
    fn value(self) -> f64 {
        // Infinities leave no meaning in what was lost.
        if self.sum.is_finite() && self.lost != 0.0 { self.sum + self.lost } else { self.sum }
    }
}
