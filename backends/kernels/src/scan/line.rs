//! A line in blocks: of each block the results so far of the block itself, after those of all blocks before it.
//!
//! The order depends on no number of threads, and blocks do not wait for each other: several are in the processor's units
//! at a time, and parts of a line are several threads'. What the blocks of a part have by themselves is found first, in a near
//! cache; then the part waits for the carry of the one before (look-back), and hands its own on.
//!
//! # Invariants
//!
//! Elements are reached through [`Shared`]: a range of them is one task's.

use super::combine::Combine;
use crate::isa::{Kernel, dispatch, prefetch};
use crate::parallel::tasks;
use crate::small::Value;
use ivy_core::host::scratch;
use ivy_core::interrupt::Watch;
use std::hint::spin_loop;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The elements of a block.
pub const BLOCK: usize = 512;
/// Blocks that are gone along at a time: a step waits for the one before.
const CHAINS: usize = 8;
/// Their elements.
const GROUP: usize = CHAINS * BLOCK;
/// How often a thread looks whether the carry is there, before it gives its time away.
const LOOKS: usize = 1000;

/// Where a line's elements come from.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// They are there, one after the other.
    There(*const u8),
    /// This writes those of a range to where their results go, once, on any thread. A range has [`BLOCK`] elements or more,
    /// or all.
    Written(&'a (dyn Fn(Range<usize>) + Sync)),
}

/// The elements and results of a line.
struct Shared<'a, T> {
    source: Source<'a>,
    results: *mut T,
}

// SAFETY: plain values, ranges of which are one task's at a time by the module's invariant.
unsafe impl<T: Value> Sync for Shared<'_, T> {}

impl<T: Value> Shared<'_, T> {
    /// The elements of a range, which is the first that is asked for it.
    ///
    /// # Safety
    /// The range lies within the line, and its results are nobody else's meanwhile.
    unsafe fn elements(&self, range: Range<usize>) -> &[T] {
        let from = match self.source {
            Source::There(from) => from.cast::<T>(),
            Source::Written(write) => {
                write(range.clone());
                self.results.cast_const()
            }
        };
        // SAFETY: the caller's promise, and that of the line.
        unsafe { std::slice::from_raw_parts(from.add(range.start), range.len()) }
    }

    /// Writes the results of a line of one block.
    ///
    /// # Safety
    /// The line has so many elements, and nobody else has to do with it.
    unsafe fn short<C: Combine<T = T>>(&self, count: usize) {
        // SAFETY: the caller's promise.
        let from = unsafe { self.elements(0..count) }.as_ptr();
        let mut carry = C::BEGIN;
        for i in 0..count {
            // SAFETY: likewise. A result may stand where its element does.
            unsafe {
                carry = C::join(carry, C::of(*from.add(i)));
                self.results.add(i).write(C::value(carry));
            }
        }
    }

    /// What a thread that computes a part has to do with soon: where it writes results, and the elements of a later part.
    fn soon(&self, part: usize, threads: usize) -> [*const T; 2] {
        let from = match self.source {
            Source::There(from) => from.cast::<T>(),
            Source::Written(_) => self.results.cast_const(),
        };
        [self.results.cast_const().wrapping_add(part * GROUP), from.wrapping_add((part + threads) * GROUP)]
    }

    /// Room for the results of a range.
    ///
    /// # Safety
    /// The range lies within the line, and nobody else has to do with it.
    #[allow(clippy::mut_from_ref)]
    unsafe fn results(&self, range: Range<usize>) -> &mut [MaybeUninit<T>] {
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(self.results.add(range.start).cast(), range.len()) }
    }
}

/// A line of some dtype, combined by some operation.
pub(super) trait Along: Sync {
    /// # Safety
    /// As [`super::Running::initial`].
    unsafe fn initial(&self, to: *mut u8);

    /// # Safety
    /// As [`super::Running::line`].
    unsafe fn line(&self, source: Source<'_>, to: *mut u8, count: usize, threads: usize);
}

impl<C: Combine> Along for PhantomData<C> {
    unsafe fn initial(&self, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { to.cast::<C::T>().write(C::identity()) }
    }

    unsafe fn line(&self, source: Source<'_>, to: *mut u8, count: usize, threads: usize) {
        let line = Shared { source, results: to.cast::<C::T>() };
        if count <= BLOCK {
            // SAFETY: the line is this thread's.
            return unsafe { line.short::<C>(count) };
        }
        // The last part takes what is left, so that none is short.
        let all = (count / GROUP).max(1);
        let range = |i: usize| i * GROUP..if i + 1 == all { count } else { (i + 1) * GROUP };
        let threads = threads.clamp(1, all);
        let (next, look_back) = (AtomicUsize::new(0), LookBack::new(C::BEGIN));
        let work = |_| {
            let watch = Watch::current();
            let room = count.min(2 * GROUP);
            let mut carried = scratch::filled(C::BEGIN, room);
            let mut totals = scratch::filled(C::BEGIN, room.div_ceil(BLOCK));
            loop {
                watch.leave_if_interrupted();
                let part = next.fetch_add(1, Ordering::Relaxed);
                if part >= all {
                    return;
                }
                let _poison = Poison(&look_back.next);
                let totals = &mut totals[..range(part).len().div_ceil(BLOCK)];
                // SAFETY: the part is this task's.
                local_scan::<C>(
                    unsafe { line.elements(range(part)) },
                    &mut carried,
                    totals,
                    line.soon(part, threads),
                );
                let known = look_back.take(part, |before| {
                    for total in &mut *totals {
                        *before = C::join(std::mem::replace(total, *before), *before);
                    }
                });
                if !known {
                    return;
                }
                // SAFETY: likewise.
                carry_in::<C>(totals, &carried, unsafe { line.results(range(part)) });
            }
        };
        tasks(threads > 1, threads, &work);
    }
}

/// The carry from part to part. A part is taken up after the one before it, so that whoever waits waits for a running thread.
struct LookBack<C> {
    next: AtomicUsize,
    carried: Mutex<C>,
}

impl<C> LookBack<C> {
    fn new(carried: C) -> LookBack<C> {
        LookBack { next: AtomicUsize::new(0), carried: Mutex::new(carried) }
    }

    /// Waits for the carry into a part, which `with` replaces by the one out of it; false if a thread has unwound.
    fn take(&self, part: usize, with: impl FnOnce(&mut C)) -> bool {
        let mut looks = 0;
        loop {
            match self.next.load(Ordering::Acquire) {
                POISONED => return false,
                known if known == part => break,
                _ if looks < LOOKS => spin_loop(),
                _ => std::thread::yield_now(),
            }
            looks += 1;
        }
        with(&mut self.carried.lock().unwrap_or_else(PoisonError::into_inner));
        // Unless a later part's thread has unwound.
        _ = self.next.compare_exchange(part, part + 1, Ordering::Release, Ordering::Relaxed);
        true
    }
}

/// The number of no part: a thread has unwound.
const POISONED: usize = usize::MAX;

/// Tells those who wait that this thread unwinds.
struct Poison<'a>(&'a AtomicUsize);

impl Drop for Poison<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(POISONED, Ordering::Relaxed);
        }
    }
}

/// What blocks carry by themselves, after each element and in all. Memory is asked for meanwhile, from these addresses on: it
/// would wait, since all this is in the nearest cache.
fn local_scan<C: Combine>(
    elements: &[C::T],
    carried: &mut [C::Carry],
    totals: &mut [C::Carry],
    soon: [*const C::T; 2],
) {
    let (groups, rest) = elements.as_chunks::<GROUP>();
    let (of_groups, of_rest) = carried.split_at_mut(groups.len() * GROUP);
    let (totals, last) = totals.split_at_mut(groups.len() * CHAINS);
    for ((group, carried), totals) in
        groups.iter().zip(of_groups.as_chunks_mut::<GROUP>().0).zip(totals.as_chunks_mut::<CHAINS>().0)
    {
        *totals = dispatch(LocalScan::<C> { group, carried, soon });
    }
    for ((block, carried), total) in rest.chunks(BLOCK).zip(of_rest.chunks_mut(BLOCK)).zip(last) {
        let mut so_far = C::BEGIN;
        for (&x, carried) in block.iter().zip(carried) {
            so_far = C::join(so_far, C::of(x));
            *carried = so_far;
        }
        *total = so_far;
    }
}

/// [`local_scan`], of a group.
struct LocalScan<'a, C: Combine> {
    group: &'a [C::T; GROUP],
    carried: &'a mut [C::Carry; GROUP],
    soon: [*const C::T; 2],
}

impl<C: Combine> Kernel for LocalScan<'_, C> {
    const WIDE: bool = C::CONVERTED;
    type Output = [C::Carry; CHAINS];

    #[inline(always)]
    fn run(self) -> [C::Carry; CHAINS] {
        self.carried.iter_mut().zip(self.group).for_each(|(carry, &x)| *carry = C::of(x));
        let mut carries = [C::BEGIN; CHAINS];
        if let ([blocks], _) = self.carried.as_chunks_mut::<BLOCK>().0.as_chunks_mut::<CHAINS>() {
            for i in 0..BLOCK {
                self.soon.iter().for_each(|soon| prefetch(soon.wrapping_add(i * CHAINS)));
                for (carry, block) in carries.iter_mut().zip(&mut *blocks) {
                    *carry = C::join(*carry, block[i]);
                    block[i] = *carry;
                }
            }
        }
        carries
    }
}

/// Writes results: what blocks carry, after what comes before each of them.
fn carry_in<C: Combine>(before: &[C::Carry], carried: &[C::Carry], results: &mut [MaybeUninit<C::T>]) {
    for ((results, carried), &before) in results.chunks_mut(BLOCK).zip(carried.chunks(BLOCK)).zip(before) {
        dispatch(CarryIn::<C> { before, carried, results });
    }
}

/// [`carry_in`], of a block.
struct CarryIn<'a, C: Combine> {
    before: C::Carry,
    carried: &'a [C::Carry],
    results: &'a mut [MaybeUninit<C::T>],
}

impl<C: Combine> Kernel for CarryIn<'_, C> {
    const WIDE: bool = C::CONVERTED;
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (result, &carry) in self.results.iter_mut().zip(self.carried) {
            result.write(C::value(C::join(self.before, carry)));
        }
    }
}
