//! Sorting of unsigned integers.

use crate::parallel::PARALLEL;
use ivy_core::host::scratch;
use rayon::prelude::*;
#[cfg(target_arch = "x86_64")]
use std::ops::Range;
use std::{mem::MaybeUninit, slice};

/// An unsigned integer that keys are held in.
pub trait Bits: Copy + Ord + Send + Sync + 'static {
    /// Sorts, and calls `done` with pieces that are in place, which together are all of `x`.
    fn sort(x: &mut [Self], done: &(dyn Fn(&mut [Self]) + Sync));

    /// As [`Bits::sort`], of keys that `load` writes: those from a place on.
    ///
    /// # Safety
    /// `load` writes all that it is given.
    unsafe fn sort_from(
        to: &mut [MaybeUninit<Self>],
        load: &(dyn Fn(usize, &mut [MaybeUninit<Self>]) + Sync),
        done: &(dyn Fn(&mut [Self]) + Sync),
    ) {
        load(0, to);
        // SAFETY: the caller's promise.
        Self::sort(unsafe { slice::from_raw_parts_mut(to.as_mut_ptr().cast(), to.len()) }, done);
    }
}

/// Keys that are sorted by vectors, in parts.
#[cfg(target_arch = "x86_64")]
pub(super) trait Splits: Bits {
    /// Brings the keys up to the bound to the front; gives how many they are.
    ///
    /// # Safety
    /// The processor has AVX-512F, POPCNT, BMI1 and BMI2.
    unsafe fn split(x: &mut [Self], bound: Self) -> usize;
    /// As [`Splits::split`], from other memory: writes the keys of `run` to the ends of `room`, a
    /// part of `to`, and leaves in `room` what is left of it.
    ///
    /// # Safety
    /// That of [`Splits::split`].
    unsafe fn split_run(run: &[Self], to: &mut [MaybeUninit<Self>], room: &mut Range<usize>, bound: Self);
    /// As [`Bits::sort`], on several threads only if `parallel`.
    ///
    /// # Safety
    /// That of [`Splits::split`].
    unsafe fn sort_part(x: &mut [Self], parallel: bool, done: &(dyn Fn(&mut [Self]) + Sync));
}

/// The sort of the standard library, or on several threads rayon's.
fn by_comparison<T: Ord + Send>(x: &mut [T]) {
    if x.len() >= PARALLEL { x.par_sort_unstable() } else { x.sort_unstable() }
}

/// Counts how often each key occurs.
fn by_counting<T: Copy>(x: &mut [T], keys: usize, index: impl Fn(T) -> usize, key: impl Fn(usize) -> T) {
    let mut counts = scratch::filled(0usize, keys);
    for &k in &*x {
        counts[index(k)] += 1;
    }
    let mut rest = x;
    for (i, count) in counts.into_iter().enumerate().filter(|c| c.1 > 0) {
        let (here, after) = rest.split_at_mut(count);
        here.fill(key(i));
        rest = after;
    }
}

impl Bits for u8 {
    fn sort(x: &mut [u8], done: &(dyn Fn(&mut [u8]) + Sync)) {
        match x.len() {
            0..64 => x.sort_unstable(),
            _ => by_counting(x, 1 << 8, usize::from, |i| i as u8),
        }
        done(x);
    }
}

impl Bits for u16 {
    fn sort(x: &mut [u16], done: &(dyn Fn(&mut [u16]) + Sync)) {
        match x.len() {
            0..8192 => x.sort_unstable(),
            _ => by_counting(x, 1 << 16, usize::from, |i| i as u16),
        }
        done(x);
    }
}

/// How many times a part may be split badly before another algorithm takes over.
#[cfg(target_arch = "x86_64")]
fn depth(len: usize) -> u32 {
    2 * (usize::BITS - len.leading_zeros())
}

macro_rules! vectors {
    ($($t:ident: $module:ident;)*) => {$(
        impl Bits for $t {
            fn sort(x: &mut [$t], done: &(dyn Fn(&mut [$t]) + Sync)) {
                #[cfg(target_arch = "x86_64")]
                if crate::isa::best() == crate::isa::Isa::Avx512 {
                    let parallel = x.len() >= PARALLEL;
                    // SAFETY: `best` has found AVX-512F and the small ones with it.
                    return unsafe { Self::sort_part(x, parallel, done) };
                }
                by_comparison(x);
                done(x);
            }

            unsafe fn sort_from(
                to: &mut [MaybeUninit<$t>],
                load: &(dyn Fn(usize, &mut [MaybeUninit<$t>]) + Sync),
                done: &(dyn Fn(&mut [$t]) + Sync),
            ) {
                #[cfg(target_arch = "x86_64")]
                if size_of_val(to) >= super::large::LARGE && crate::isa::best() == crate::isa::Isa::Avx512 {
                    // SAFETY: `best` has found AVX-512F and the small ones with it; the caller's
                    // promise about `load`.
                    return unsafe { super::large::sort(to, load, done) };
                }
                load(0, to);
                // SAFETY: as above.
                Self::sort(unsafe { slice::from_raw_parts_mut(to.as_mut_ptr().cast(), to.len()) }, done);
            }
        }

        #[cfg(target_arch = "x86_64")]
        impl Splits for $t {
            unsafe fn split(x: &mut [$t], bound: $t) -> usize {
                // SAFETY: the caller's promise.
                unsafe { super::avx512::$module::split::<false>(x, bound) }
            }
            unsafe fn split_run(
                run: &[$t],
                to: &mut [MaybeUninit<$t>],
                room: &mut Range<usize>,
                bound: $t,
            ) {
                // SAFETY: the caller's promise.
                unsafe { super::avx512::$module::split_run(run, to, room, bound) }
            }
            unsafe fn sort_part(x: &mut [$t], parallel: bool, done: &(dyn Fn(&mut [$t]) + Sync)) {
                // SAFETY: the caller's promise.
                unsafe { super::avx512::$module::sort(x, depth(x.len()), parallel, done) }
            }
        }
    )*};
}
vectors! {
    u32: w32;
    u64: w64;
}

impl Bits for u128 {
    fn sort(x: &mut [u128], done: &(dyn Fn(&mut [u128]) + Sync)) {
        by_comparison(x);
        done(x);
    }
}
