//! Operations on integers, and on bool as bytes 0 and 1. Where the sign makes no difference,
//! signed types use the unsigned type's kernel.

use super::kernel::{Map1, Map2};
use std::marker::PhantomData;

/// An integer element.
pub(crate) trait Int: Copy + Ord + Send + Sync + 'static {
    /// Floor division; 0 by zero, wraps at MIN / -1.
    fn floor_div(self, by: Self) -> Self;
    /// Remainder with the divisor's sign; 0 by zero.
    fn remainder(self, by: Self) -> Self;
    /// Power; negative exponents by decision S34.
    fn power(self, exponent: Self) -> Self;
    /// Greatest common divisor, not below 0 but where the least integer's magnitude wraps.
    fn gcd(self, other: Self) -> Self;
    /// Least common multiple of the magnitudes, wrapped; 0 if either is 0.
    fn lcm(self, other: Self) -> Self;
    fn wrapping_add(self, other: Self) -> Self;
    fn wrapping_sub(self, other: Self) -> Self;
    fn wrapping_mul(self, other: Self) -> Self;
    fn wrapping_neg(self) -> Self;
    fn wrapping_abs(self) -> Self;
    fn signum(self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn not(self) -> Self;
    /// 0 if the amount is outside the width.
    fn shift_left(self, by: Self) -> Self;
    /// 0, or for signed the sign, if the amount is outside the width.
    fn shift_right(self, by: Self) -> Self;
}

macro_rules! int {
    ($($t:ident $unsigned:ident $signed:literal)*) => {$(
        impl Int for $t {
            #[inline(always)]
            fn floor_div(self, by: $t) -> $t {
                if by == 0 {
                    return 0;
                }
                let quotient = self.wrapping_div(by);
                let inexact = self.wrapping_rem(by) != 0;
                if inexact && (self ^ by) < $t::MIN.max(0) { quotient.wrapping_sub(1) } else { quotient }
            }
            #[inline(always)]
            fn remainder(self, by: $t) -> $t {
                if by == 0 {
                    return 0;
                }
                let rest = self.wrapping_rem(by);
                if rest != 0 && (rest ^ by) < $t::MIN.max(0) { rest.wrapping_add(by) } else { rest }
            }
            #[inline(always)]
            fn power(self, exponent: $t) -> $t {
                if $signed && exponent < $t::MIN.max(0) {
                    // 1 and -1 are their own inverses; the inverse of all else is below 1.
                    let unit = self == 1 || self.wrapping_add(1) == 0;
                    return if !unit { 0 } else if exponent & 1 == 1 { self } else { 1 };
                }
                let (mut result, mut square, mut left): ($t, $t, $t) = (1, self, exponent);
                while left != 0 {
                    if left & 1 == 1 {
                        result = result.wrapping_mul(square);
                    }
                    square = square.wrapping_mul(square);
                    left >>= 1;
                }
                result
            }
            #[inline(always)]
            fn gcd(self, other: $t) -> $t {
                let (mut a, mut b) = (self.wrapping_abs() as $unsigned, other.wrapping_abs() as $unsigned);
                while b != 0 {
                    (a, b) = (b, a % b);
                }
                a as $t
            }
            #[inline(always)]
            fn lcm(self, other: $t) -> $t {
                let (a, b) = (self.wrapping_abs() as $unsigned, other.wrapping_abs() as $unsigned);
                match Int::gcd(self, other) as $unsigned {
                    0 => 0,
                    divisor => (a / divisor).wrapping_mul(b) as $t,
                }
            }
            #[inline(always)]
            fn wrapping_add(self, other: $t) -> $t { $t::wrapping_add(self, other) }
            #[inline(always)]
            fn wrapping_sub(self, other: $t) -> $t { $t::wrapping_sub(self, other) }
            #[inline(always)]
            fn wrapping_mul(self, other: $t) -> $t { $t::wrapping_mul(self, other) }
            #[inline(always)]
            fn wrapping_neg(self) -> $t { $t::wrapping_neg(self) }
            #[inline(always)]
            fn wrapping_abs(self) -> $t {
                if self < $t::MIN.max(0) { self.wrapping_neg() } else { self }
            }
            #[inline(always)]
            fn signum(self) -> $t {
                let positive = (self > 0) as $t;
                positive.wrapping_sub((self < $t::MIN.max(0)) as $t)
            }
            #[inline(always)]
            fn and(self, other: $t) -> $t { self & other }
            #[inline(always)]
            fn or(self, other: $t) -> $t { self | other }
            #[inline(always)]
            fn xor(self, other: $t) -> $t { self ^ other }
            #[inline(always)]
            fn not(self) -> $t { !self }
            #[inline(always)]
            fn shift_left(self, by: $t) -> $t {
                // A negative amount is a large unsigned one.
                let amount = by as $unsigned;
                if amount < $t::BITS as $unsigned { self << (amount as u32 & ($t::BITS - 1)) } else { 0 }
            }
            #[inline(always)]
            fn shift_right(self, by: $t) -> $t {
                let amount = (by as $unsigned).min($t::BITS as $unsigned) as u32;
                if amount < $t::BITS {
                    self >> (amount & ($t::BITS - 1))
                } else if $signed {
                    self >> ($t::BITS - 1)
                } else {
                    0
                }
            }
        }
    )*};
}
int! {
    i8 u8 true  i16 u16 true  i32 u32 true  i64 u64 true
    u8 u8 false  u16 u16 false  u32 u32 false  u64 u64 false
}

macro_rules! unary_ops {
    ($($(#[$doc:meta])* $name:ident |$x:ident| $body:expr;)*) => {$(
        $(#[$doc])*
        pub(super) struct $name<T>(PhantomData<T>);
        impl<T: Int> Map1 for $name<T> {
            type In = T;
            type Out = T;
            #[inline(always)]
            fn apply($x: T) -> T { $body }
        }
    )*};
}
unary_ops! {
    Abs |x| x.wrapping_abs();
    Negative |x| x.wrapping_neg();
    Sign |x| x.signum();
    Square |x| x.wrapping_mul(x);
    Invert |x| x.not();
}

macro_rules! binary_ops {
    ($($name:ident |$a:ident, $b:ident| $body:expr;)*) => {$(
        pub(super) struct $name<T>(PhantomData<T>);
        impl<T: Int> Map2 for $name<T> {
            type In = T;
            type Out = T;
            #[inline(always)]
            fn apply($a: T, $b: T) -> T { $body }
        }
    )*};
}
binary_ops! {
    Add |a, b| a.wrapping_add(b);
    Subtract |a, b| a.wrapping_sub(b);
    Multiply |a, b| a.wrapping_mul(b);
    And |a, b| a.and(b);
    Or |a, b| a.or(b);
    Xor |a, b| a.xor(b);
    ShiftLeft |a, b| a.shift_left(b);
    ShiftRight |a, b| a.shift_right(b);
    Maximum |a, b| if a > b { a } else { b };
    Minimum |a, b| if a < b { a } else { b };
}

// Loops around a division or a loop gain nothing from vectors.
macro_rules! scalar_ops {
    ($($name:ident |$a:ident, $b:ident| $body:expr;)*) => {$(
        pub(super) struct $name<T>(PhantomData<T>);
        impl<T: Int> Map2 for $name<T> {
            type In = T;
            type Out = T;
            const TOP: crate::isa::Isa = crate::isa::Isa::Baseline;
            #[inline(always)]
            fn apply($a: T, $b: T) -> T { $body }
        }
    )*};
}
scalar_ops! {
    FloorDivide |a, b| a.floor_div(b);
    Gcd |a, b| a.gcd(b);
    Lcm |a, b| a.lcm(b);
    Remainder |a, b| a.remainder(b);
    Power |a, b| a.power(b);
}

macro_rules! comparisons {
    ($($name:ident |$a:ident, $b:ident| $body:expr;)*) => {$(
        pub(super) struct $name<T>(PhantomData<T>);
        impl<T: Int> Map2 for $name<T> {
            type In = T;
            type Out = u8;
            #[inline(always)]
            fn apply($a: T, $b: T) -> u8 { u8::from($body) }
        }
    )*};
}
comparisons! {
    Equal |a, b| a == b;
    NotEqual |a, b| a != b;
    Less |a, b| a < b;
    LessEqual |a, b| a <= b;
}

/// Logical not of bytes 0 and 1.
pub(super) struct LogicalNot;
impl Map1 for LogicalNot {
    type In = u8;
    type Out = u8;
    #[inline(always)]
    fn apply(x: u8) -> u8 {
        x ^ 1
    }
}

/// The same truth value, 0 or 1, for every element.
pub(super) struct Constant<T, const VALUE: u8>(PhantomData<T>);
impl<T: Copy, const VALUE: u8> Map1 for Constant<T, VALUE> {
    type In = T;
    type Out = u8;
    const TOP: crate::isa::Isa = crate::isa::Isa::Baseline;
    #[inline(always)]
    fn apply(_: T) -> u8 {
        VALUE
    }
}
