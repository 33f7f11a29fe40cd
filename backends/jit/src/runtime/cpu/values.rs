//! What is left to be folded: values of one type, and how they are joined.

use crate::ir::Type;
use crate::ir::fold::Join;
use ivy_core::host::{Buffer, scratch};

/// What a type does with its own values.
trait Joins: Copy {
    fn add(self, b: Self) -> Self;
    fn mul(self, b: Self) -> Self;
    fn greater(self, b: Self) -> Self;
    fn less(self, b: Self) -> Self;
}

macro_rules! joins {
    ($($t:ty, $a:ident $b:ident $add:expr, $mul:expr;)*) => {$(
        impl Joins for $t {
            #[inline(always)]
            fn add(self, $b: $t) -> $t { let $a = self; $add }
            #[inline(always)]
            fn mul(self, $b: $t) -> $t { let $a = self; $mul }
            // Only a NaN differs from itself.
            #[allow(clippy::eq_op)]
            #[inline(always)]
            fn greater(self, b: $t) -> $t { if self > b || self != self { self } else { b } }
            #[allow(clippy::eq_op)]
            #[inline(always)]
            fn less(self, b: $t) -> $t { if self < b || self != self { self } else { b } }
        }
    )*};
}
joins! {
    i8, a b a.wrapping_add(b), a.wrapping_mul(b);
    i16, a b a.wrapping_add(b), a.wrapping_mul(b);
    i32, a b a.wrapping_add(b), a.wrapping_mul(b);
    i64, a b a.wrapping_add(b), a.wrapping_mul(b);
    u8, a b a.wrapping_add(b), a.wrapping_mul(b);
    u16, a b a.wrapping_add(b), a.wrapping_mul(b);
    u32, a b a.wrapping_add(b), a.wrapping_mul(b);
    u64, a b a.wrapping_add(b), a.wrapping_mul(b);
    f32, a b a + b, a * b;
    f64, a b a + b, a * b;
}

/// Runs an expression with what a join does. Truth values are the bytes 0 and 1.
macro_rules! by {
    ($join:expr, $f:ident => $body:expr) => {
        match $join {
            Join::Add => {
                let $f = Joins::add;
                $body
            }
            Join::Mul => {
                let $f = Joins::mul;
                $body
            }
            Join::Max | Join::Or => {
                let $f = Joins::greater;
                $body
            }
            Join::Min | Join::And => {
                let $f = Joins::less;
                $body
            }
        }
    };
}

macro_rules! values {
    ($($V:ident $t:ty),*) => {
        /// Values of a type.
        #[derive(Clone)]
        pub enum Values { $(#[allow(missing_docs)] $V(Vec<$t>),)* }

        impl Values {
            /// So many of them, each with these bits; within a [`scratch::guard`].
            pub fn new(ty: Type, count: usize, bits: u64) -> Values {
                match ty { $(Type::$V => Values::$V(scratch::filled(values!(@ $V bits), count)),)* }
            }

            /// Makes all of them these bits.
            pub fn fill(&mut self, bits: u64) {
                match self { $(Values::$V(x) => x.fill(values!(@ $V bits)),)* }
            }

            /// Where the first one is.
            pub fn address(&mut self) -> *mut u8 {
                match self { $(Values::$V(x) => x.as_mut_ptr().cast(),)* }
            }

            /// Joins values from `at` on with others: these come first.
            pub fn join(&mut self, join: Join, at: usize, other: &Values) {
                match (self, other) {
                    $((Values::$V(to), Values::$V(from)) => {
                        by!(join, f => to[at..].iter_mut().zip(from).for_each(|(a, &b)| *a = f(*a, b)));
                    })*
                    _ => {}
                }
            }

            /// Copies others to the places from `at` on.
            pub fn put(&mut self, at: usize, other: &Values) {
                match (self, other) {
                    $((Values::$V(to), Values::$V(from)) => to[at..at + from.len()].copy_from_slice(from),)*
                    _ => {}
                }
            }

            /// Folds `count` elements of `parts` values of each row in pairs, pairs of pairs and so on;
            /// what the rows become stands at the beginning, one after the other.
            pub fn pairs(&mut self, join: Join, (rows, count): (usize, usize), parts: usize) {
                let length = rows * count * parts;
                match self { $(Values::$V(x) => by!(join, f => pairs(&mut x[..length], count, parts, f)),)* }
            }

            /// Drops all but the first ones.
            pub fn truncate(&mut self, count: usize) {
                match self { $(Values::$V(x) => x.truncate(count),)* }
            }

            /// What was folded as it is in an array: a sum of floats that is -0 becomes 0, as if it
            /// began there.
            pub fn settle(&mut self, join: Join) {
                if join == Join::Add {
                    match self {
                        Values::F32(x) => x.iter_mut().for_each(|x| *x += 0.0),
                        Values::F64(x) => x.iter_mut().for_each(|x| *x += 0.0),
                        _ => {}
                    }
                }
            }

            /// As an array's memory.
            pub fn finish(mut self, join: Join) -> Buffer {
                self.settle(join);
                match self { $(Values::$V(x) => Buffer::from_vec(x),)* }
            }
        }
    };
    (@ F32 $bits:expr) => { f32::from_bits($bits as u32) };
    (@ F64 $bits:expr) => { f64::from_bits($bits) };
    (@ $V:ident $bits:expr) => { $bits as _ };
}
values!(Bool u8, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64, F32 f32, F64 f64);

/// Values that are joined at a time, side by side.
const TOGETHER: usize = 16;

/// What stands two by two in `parts` values becomes one of each two, from the front on.
fn halve<T: Copy>(x: &mut [T], parts: usize, f: impl Fn(T, T) -> T) {
    let mut done = 0;
    if parts == 1 {
        while let Some(&two) = x[done..].first_chunk::<TOGETHER>() {
            let one: [T; TOGETHER / 2] = std::array::from_fn(|i| f(two[2 * i], two[2 * i + 1]));
            x[done / 2..][..TOGETHER / 2].copy_from_slice(&one);
            done += TOGETHER;
        }
    }
    for i in done / 2 / parts..x.len() / 2 / parts {
        for p in 0..parts {
            x[i * parts + p] = f(x[2 * i * parts + p], x[(2 * i + 1) * parts + p]);
        }
    }
}

/// Joins neighbours of `N` elements each: a power of two that fits into registers.
#[inline(always)]
fn few<const N: usize, T: Copy>(x: &mut [T], f: impl Fn(T, T) -> T) {
    for r in 0..x.len() / N {
        let Some(&(mut row)) = x[r * N..].first_chunk::<N>() else { return };
        let mut left = N;
        while left > 1 {
            left /= 2;
            for i in 0..left {
                row[i] = f(row[2 * i], row[2 * i + 1]);
            }
        }
        x[r] = row[0];
    }
}

/// Folds each `count` elements in pairs; what they become stands at the beginning, one after the other.
fn pairs<T: Copy>(x: &mut [T], count: usize, parts: usize, f: impl Fn(T, T) -> T) {
    match (parts, count) {
        (1, 2) => return few::<2, T>(x, f),
        (1, 4) => return few::<4, T>(x, f),
        (1, 8) => return few::<8, T>(x, f),
        _ => {}
    }
    let rows = x.len() / (count * parts);
    let mut left = count;
    while left > 1 {
        let half = left.div_ceil(2);
        if left.is_multiple_of(2) {
            halve(&mut x[..rows * left * parts], parts, &f);
        } else {
            for r in 0..rows {
                let row = r * left * parts;
                halve(&mut x[row..][..(left - 1) * parts], parts, &f);
                x.copy_within(row + (left - 1) * parts..row + left * parts, row + (half - 1) * parts);
                x.copy_within(row..row + half * parts, r * half * parts);
            }
        }
        left = half;
    }
}
