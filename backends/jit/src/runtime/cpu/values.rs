//! What is left to be folded: values of one type, and how they are joined.

use crate::ir::Type;
use crate::ir::fold::Join;
use ivy_core::host::Buffer;

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
            /// So many of them, each with these bits.
            pub(super) fn new(ty: Type, count: usize, bits: u64) -> Values {
                match ty { $(Type::$V => Values::$V(vec![values!(@ $V bits); count]),)* }
            }

            /// Makes all of them these bits.
            pub(super) fn fill(&mut self, bits: u64) {
                match self { $(Values::$V(x) => x.fill(values!(@ $V bits)),)* }
            }

            pub(super) fn address(&mut self) -> *mut u8 {
                match self { $(Values::$V(x) => x.as_mut_ptr().cast(),)* }
            }

            /// Joins values from `at` on with others: these come first.
            pub(super) fn join(&mut self, join: Join, at: usize, other: &Values) {
                match (self, other) {
                    $((Values::$V(to), Values::$V(from)) => {
                        by!(join, f => to[at..].iter_mut().zip(from).for_each(|(a, &b)| *a = f(*a, b)));
                    })*
                    _ => {}
                }
            }

            /// Copies others to the places from `at` on.
            pub(super) fn put(&mut self, at: usize, other: &Values) {
                match (self, other) {
                    $((Values::$V(to), Values::$V(from)) => to[at..at + from.len()].copy_from_slice(from),)*
                    _ => {}
                }
            }

            /// Folds every `count` elements of `parts` values in pairs, pairs of pairs and so on.
            pub(super) fn pairs(&mut self, join: Join, count: usize, parts: usize) {
                match self { $(Values::$V(x) => by!(join, f => pairs(x, count, parts, f)),)* }
            }

            /// Likewise, in place: what a row's elements fold to stands at its beginning.
            pub(super) fn pairs_in_place(&mut self, join: Join, count: usize, parts: usize) {
                match self { $(Values::$V(x) => by!(join, f => rows_of_pairs(x, count, parts, f)),)* }
            }

            /// What was folded as it is in an array: a sum of floats that is -0 becomes 0, as if it
            /// began there.
            pub(super) fn settle(&mut self, join: Join) {
                if join == Join::Add {
                    match self {
                        Values::F32(x) => x.iter_mut().for_each(|x| *x += 0.0),
                        Values::F64(x) => x.iter_mut().for_each(|x| *x += 0.0),
                        _ => {}
                    }
                }
            }

            /// As an array's memory.
            pub(super) fn finish(mut self, join: Join) -> Buffer {
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

fn rows_of_pairs<T: Copy>(x: &mut [T], count: usize, parts: usize, f: impl Fn(T, T) -> T) {
    for row in x.chunks_exact_mut(count * parts) {
        let mut left = count;
        while left > 1 {
            for i in 0..left / 2 {
                for p in 0..parts {
                    row[i * parts + p] = f(row[2 * i * parts + p], row[(2 * i + 1) * parts + p]);
                }
            }
            if left % 2 == 1 {
                row.copy_within((left - 1) * parts..left * parts, left / 2 * parts);
            }
            left = left.div_ceil(2);
        }
    }
}

fn pairs<T: Copy>(x: &mut Vec<T>, count: usize, parts: usize, f: impl Fn(T, T) -> T) {
    let rows = x.len() / (count * parts);
    rows_of_pairs(x, count, parts, f);
    for r in 1..rows {
        x.copy_within(r * count * parts..r * count * parts + parts, r * parts);
    }
    x.truncate(rows * parts);
}
