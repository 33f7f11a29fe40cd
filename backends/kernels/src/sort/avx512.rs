//! Quicksort of unsigned integers in vectors of 512 bits. The result of a sort is the same
//! whatever the algorithm, so only its speed depends on the instruction set.
//!
//! A part is split by a pivot, in place: vectors are read from whichever side has less room,
//! their elements parted within the register, and written to both sides. Short parts are sorted
//! by networks: the columns of a few vectors first, which needs no exchange between lanes, then
//! columns are merged in pairs, pairs of pairs and so on.

use crate::isa::prefetch;
use std::{
    arch::{asm, x86_64::*},
    mem::MaybeUninit,
    ops::Range,
};

/// The lanes whose number has a bit.
const fn lanes_with(bit: usize) -> u16 {
    let (mut mask, mut i) = (0, 0);
    while i < 16 {
        if i & bit != 0 {
            mask |= 1 << i;
        }
        i += 1;
    }
    mask
}

/// For each choice of eight lanes, the order that brings those left out to the front.
static PARTED: [[u8; 8]; 256] = {
    let mut orders = [[0; 8]; 256];
    let mut choice = 0;
    while choice < 256 {
        let (mut at, mut i) = (0, 0);
        while i < 16 {
            if choice >> (i % 8) & 1 == i / 8 {
                orders[choice][at] = (i % 8) as u8;
                at += 1;
            }
            i += 1;
        }
        choice += 1;
    }
    orders
};

/// The lanes that are not in `up`. The compiler would compare a second time instead, on the one
/// port that has most to do here.
#[target_feature(enable = "avx512f")]
#[inline]
fn others(up: __mmask16) -> __mmask16 {
    let others: __mmask16;
    // SAFETY: it turns the bits of a mask, and touches nothing else.
    unsafe {
        asm!("knotw {}, {}", out(kreg) others, in(kreg) up, options(pure, nomem, nostack, preserves_flags));
    }
    others
}

/// Writes the lanes of `v` that are in `up` below `high`, the others from `low` on.
///
/// # Safety
/// There is room for a whole vector at both places.
#[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
#[inline]
unsafe fn put32(base: *mut i32, low: usize, high: usize, v: __m512i, up: __mmask16, ups: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        _mm512_storeu_epi32(base.add(low), _mm512_maskz_compress_epi32(others(up), v));
        let mask = _bzhi_u32(u32::MAX, ups as u32) as __mmask16;
        _mm512_mask_storeu_epi32(base.add(high - ups), mask, _mm512_maskz_compress_epi32(up, v));
    }
}

/// As [`put32`], of eight lanes: those fit a table of orders.
///
/// # Safety
/// That of [`put32`].
#[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
#[inline]
unsafe fn put64(base: *mut i64, low: usize, high: usize, v: __m512i, up: __mmask8, _: usize) {
    let order = i64::from_le_bytes(PARTED[up as usize]);
    let parted = _mm512_permutexvar_epi64(_mm512_cvtepu8_epi64(_mm_cvtsi64_si128(order)), v);
    // SAFETY: the caller's promise; what is written between the two parts is room.
    unsafe {
        _mm512_storeu_epi64(base.add(low), parted);
        _mm512_storeu_epi64(base.add(high - 8), parted);
    }
}

/// The elements at some places.
///
/// # Safety
/// They may be read.
#[target_feature(enable = "avx512f")]
#[inline]
unsafe fn gather32(places: __m512i, base: *const i32) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe { _mm512_i32gather_epi32::<4>(places, base) }
}

/// As [`gather32`].
///
/// # Safety
/// That of [`gather32`].
#[target_feature(enable = "avx512f")]
#[inline]
unsafe fn gather64(places: __m512i, base: *const i64) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe { _mm512_i64gather_epi64::<8>(places, base) }
}

/// The lesser and the greater of each lane. The maximum is what the minimum leaves of both: bits
/// are cheaper than a second comparison, which only one port of the processor does.
#[target_feature(enable = "avx512f")]
#[inline]
fn order32(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    let low = _mm512_min_epu32(a, b);
    (low, _mm512_ternarylogic_epi32::<0x96>(low, a, b))
}

/// The lesser of each lane, in the lanes of the mask the greater.
#[target_feature(enable = "avx512f")]
#[inline]
fn choose32(a: __m512i, b: __m512i, greater: __mmask16) -> __m512i {
    _mm512_mask_ternarylogic_epi32::<0x96>(_mm512_min_epu32(a, b), greater, a, b)
}

/// As [`order32`].
#[target_feature(enable = "avx512f")]
#[inline]
fn order64(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    let low = _mm512_min_epu64(a, b);
    (low, _mm512_ternarylogic_epi64::<0x96>(low, a, b))
}

/// As [`choose32`], without the minimum, which is slow for 64 bits.
#[target_feature(enable = "avx512f")]
#[inline]
fn choose64(a: __m512i, b: __m512i, greater: __mmask8) -> __m512i {
    _mm512_mask_blend_epi64(_mm512_cmpgt_epu64_mask(a, b) ^ greater, a, b)
}

/// Networks that sort the columns of some vectors: the rows to order, by their numbers.
macro_rules! columns {
    ($order:ident; $($name:ident $rows:literal: $(($a:literal $b:literal))*;)*) => {$(
        #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
        #[inline]
        #[allow(unused_mut)]
        fn $name(mut v: [V; $rows]) -> [V; $rows] {
            $((v[$a], v[$b]) = $order(v[$a], v[$b]);)*
            v
        }
    )*};
}

macro_rules! vector_sort {
    (
        $module:ident, $t:ident, $signed:ident, $mask:ident, $lanes:literal,
        $load:ident, $mask_load:ident, $mask_store:ident, $set:ident, $greater:ident, $not_less:ident,
        $put:ident, $compress:ident, $permute:ident, $permute_two:ident, $gather:ident, $order:ident, $choose:ident,
        merge: $(($w:literal: $($x:literal)*))*, clean: $($clean:literal)*
    ) => {
        pub(super) mod $module {
            use super::*;

            const L: usize = $lanes;
            /// The longest part that the networks sort.
            const SHORT: usize = 32 * L;
            /// Fewer elements are split one by one.
            const FEW: usize = 8 * L;
            /// Parts up to this length are done as a whole.
            const BATCH: usize = 4096;
            /// How far ahead of a split, on each side, elements are asked for.
            const AHEAD: usize = 64 * L;
            /// A part from this length on is worth a thread.
            const FORK: usize = 1 << 16;
            type V = __m512i;

            /// Sorts, and calls `done` with pieces that are in place, which together are all of
            /// `x`.
            ///
            /// # Safety
            /// The processor has AVX-512F, POPCNT, BMI1 and BMI2.
            pub unsafe fn sort(
                x: &mut [$t],
                depth: u32,
                parallel: bool,
                done: &(dyn Fn(&mut [$t]) + Sync),
            ) {
                // SAFETY: the caller's promise.
                unsafe { sort_by::<false>(x, pivot(x), depth, parallel, done) }
            }

            /// As [`sort`], with the first pivot, if the part is not short; if `QUIET`, `done` is
            /// not called.
            ///
            /// # Safety
            /// That of [`sort`].
            unsafe fn sort_by<const QUIET: bool>(
                mut x: &mut [$t],
                mut by: $t,
                mut depth: u32,
                parallel: bool,
                all_done: &(dyn Fn(&mut [$t]) + Sync),
            ) {
                let done = |x: &mut [$t]| {
                    if !QUIET {
                        all_done(x);
                    }
                };
                loop {
                    if x.len() <= SHORT {
                        // SAFETY: the caller's promise.
                        unsafe { short(x) };
                        return done(x);
                    }
                    if depth == 0 {
                        x.sort_unstable();
                        return done(x);
                    }
                    if !QUIET && x.len() <= BATCH {
                        // SAFETY: likewise.
                        unsafe { sort_by::<true>(x, by, depth, false, all_done) };
                        return done(x);
                    }
                    depth -= 1;
                    // SAFETY: likewise.
                    let at = unsafe { split::<false>(x, by) };
                    if at == x.len() {
                        // Nothing is greater: what equals the pivot is in place.
                        // SAFETY: likewise.
                        let at = unsafe { split::<true>(x, by) };
                        let (low, equal) = x.split_at_mut(at);
                        done(equal);
                        // SAFETY: likewise.
                        by = unsafe { pivot(low) };
                        x = low;
                        continue;
                    }
                    let fork = parallel && x.len() >= FORK;
                    let (low, high) = x.split_at_mut(at);
                    // Each is a long chain of exchanges: two at once take little more than one.
                    // SAFETY: likewise.
                    let (by_low, by_high) = unsafe { (pivot(low), pivot(high)) };
                    if fork {
                        let (a, b) = (
                            // SAFETY: likewise.
                            || unsafe { sort_by::<false>(low, by_low, depth, true, all_done) },
                            // SAFETY: likewise.
                            || unsafe { sort_by::<false>(high, by_high, depth, true, all_done) },
                        );
                        rayon::join(a, b);
                        return;
                    }
                    // SAFETY: likewise.
                    unsafe { sort_by::<QUIET>(low, by_low, depth, false, all_done) };
                    (x, by) = (high, by_high);
                }
            }

            /// The median of some elements; of none, if the part is short.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn pivot(x: &[$t]) -> $t {
                if x.len() <= SHORT {
                    return 0;
                }
                let count = if x.len() < 1 << 13 { L } else { 4 * L };
                let step = x.len() / (2 * count);
                let sample = |row: usize| {
                    let places: [$t; L] = std::array::from_fn(|i| ((2 * (i + row * L) + 1) * step) as $t);
                    // SAFETY: an array of one vector, and places in `x`.
                    unsafe { $gather($load(places.as_ptr().cast()), x.as_ptr().cast()) }
                };
                let median = if count == L {
                    rows_of_columns(sorted([sample(0)], |v| columns1(v)))[0]
                } else {
                    let samples = [sample(0), sample(1), sample(2), sample(3)];
                    rows_of_columns(sorted(samples, |v| columns4(v)))[2]
                };
                let mut lanes = [0; L];
                // SAFETY: an array of one vector.
                unsafe { $mask_store(lanes.as_mut_ptr().cast(), low_lanes(L), median) };
                if count == L { lanes[L / 2] } else { lanes[0] }
            }

            /// Brings the elements up to the pivot (below it, if `EQUAL_GO_UP`) to the front;
            /// gives how many they are.
            ///
            /// # Safety
            /// The processor has AVX-512F, POPCNT, BMI1 and BMI2.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            pub fn split<const EQUAL_GO_UP: bool>(x: &mut [$t], pivot: $t) -> usize {
                match x.len() {
                    0..FEW => {
                        let mut low = 0;
                        for i in 0..x.len() {
                            let here = x[i];
                            (x[i], x[low]) = (x[low], here);
                            low += usize::from(here < pivot || !EQUAL_GO_UP && here == pivot);
                        }
                        low
                    }
                    FEW..1024 => split_by::<EQUAL_GO_UP, 4>(x, pivot),
                    _ => split_by::<EQUAL_GO_UP, 8>(x, pivot),
                }
            }

            /// As [`split`], from other memory: brings the elements of `run` to the ends of what is
            /// left of `to`, which is `room`.
            ///
            /// # Safety
            /// The processor has AVX-512F, POPCNT, BMI1 and BMI2.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            pub unsafe fn split_run(
                run: &[$t],
                to: &mut [MaybeUninit<$t>],
                room: &mut Range<usize>,
                pivot: $t,
            ) {
                let (pivots, base) = ($set(pivot as $signed), to.as_mut_ptr().cast::<$signed>());
                let Range { start: mut low, end: mut high } = *room;
                assert!(low + run.len() <= high && high <= to.len());
                let (from, mut at) = (run.as_ptr().cast::<$signed>(), 0);
                // The last vectors would write over what is there.
                let whole = run.len().min((high - low).saturating_sub(2 * L));
                while at + L <= whole {
                    // SAFETY: a whole vector of the run; low..high has room for two.
                    unsafe {
                        let v = $load(from.add(at));
                        let up = $greater(v, pivots);
                        let ups = up.count_ones() as usize;
                        $put(base, low, high, v, up, ups);
                        low += L - ups;
                        high -= ups;
                    }
                    at += L;
                }
                while at < run.len() {
                    let count = L.min(run.len() - at);
                    let here = low_lanes(count);
                    // SAFETY: the masks leave out what lies beyond the run and its room.
                    unsafe {
                        let v = $mask_load(pivots, here, from.add(at));
                        let up = $greater(v, pivots) & here;
                        let ups = up.count_ones() as usize;
                        $mask_store(base.add(low), low_lanes(count - ups), $compress(!up & here, v));
                        $mask_store(base.add(high - ups), low_lanes(ups), $compress(up, v));
                        low += count - ups;
                        high -= ups;
                    }
                    at += count;
                }
                *room = low..high;
            }

            /// As [`split`], reading `U` vectors at a time, so that they need not wait for each
            /// other.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            fn split_by<const EQUAL_GO_UP: bool, const U: usize>(x: &mut [$t], pivot: $t) -> usize {
                let n = x.len();
                assert!(n >= 2 * U * L);
                let (tail, pivots) = (n % L, $set(pivot as $signed));
                let base = x.as_mut_ptr().cast::<$signed>();
                // SAFETY: the mask leaves out what lies beyond `x`.
                let rest = unsafe { $mask_load(pivots, low_lanes(tail), base.add(n - tail)) };
                let up = |v: V| if EQUAL_GO_UP { $not_less(v, pivots) } else { $greater(v, pivots) };
                // Elements in low..read_low and read_high..high have been read: 2 U L + tail
                // before and after each round. After reading up to U vectors from the side with
                // less of them, each side has room for as many.
                let (mut low, mut high) = (0, n);
                let (mut read_low, mut read_high) = (U * L, n - tail - U * L);
                let mut ends = [[pivots; U]; 2];
                for i in 0..U {
                    // SAFETY: the first and the last whole vectors, within `x`.
                    unsafe {
                        ends[0][i] = $load(base.add(i * L));
                        ends[1][i] = $load(base.add(read_high + i * L));
                    }
                }
                macro_rules! round {
                    ($count:expr) => {{
                        let from_low = read_low - low <= high - read_high;
                        let at = if from_low { read_low } else { read_high - $count * L };
                        let read: [V; $count] = std::array::from_fn(|i| {
                            // SAFETY: whole vectors between `read_low` and `read_high`.
                            unsafe { $load(base.add(at + i * L)) }
                        });
                        // Which side comes next is known too late for the processor to read on.
                        let ahead = if from_low { at + AHEAD } else { at.wrapping_sub(AHEAD) };
                        for i in 0..$count {
                            prefetch(base.wrapping_add(ahead.wrapping_add(i * L)));
                        }
                        read_low += if from_low { $count * L } else { 0 };
                        read_high -= if from_low { 0 } else { $count * L };
                        for v in read {
                            let up = up(v);
                            let ups = up.count_ones() as usize;
                            // SAFETY: both places have been read, as shown above.
                            unsafe { $put(base, low, high, v, up, ups) };
                            high -= ups;
                            low += L - ups;
                        }
                    }};
                }
                while read_high - read_low >= U * L {
                    round!(U);
                }
                while read_low < read_high {
                    round!(1);
                }
                let last = ends[1][U - 1];
                for (i, v) in ends.into_iter().flatten().enumerate() {
                    if i + 1 < 2 * U {
                        let up = up(v);
                        let ups = up.count_ones() as usize;
                        // SAFETY: all of low..high has been read, and it has room for at least
                        // two vectors.
                        unsafe { $put(base, low, high, v, up, ups) };
                        high -= ups;
                        low += L - ups;
                    }
                }
                for (v, here) in [(last, low_lanes(L)), (rest, low_lanes(tail))] {
                    let (up, down) = (up(v) & here, !up(v) & here);
                    let ups = up.count_ones() as usize;
                    let downs = down.count_ones() as usize;
                    high -= ups;
                    // SAFETY: likewise, with room for these; the masks keep the writes apart.
                    unsafe {
                        $mask_store(base.add(low), low_lanes(downs), $compress(down, v));
                        $mask_store(base.add(high), low_lanes(ups), $compress(up, v));
                    }
                    low += downs;
                }
                low
            }

            /// The first lanes; all of them for L.
            #[inline(always)]
            fn low_lanes(count: usize) -> $mask {
                ((1u32 << count) - 1) as $mask
            }

            /// Sorts up to 32 vectors.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            fn short(x: &mut [$t]) {
                match x.len().div_ceil(L) {
                    0 | 1 => network::<1>(x, |v| columns1(v)),
                    2..=4 => network::<4>(x, |v| columns4(v)),
                    5..=8 => network::<8>(x, |v| columns8(v)),
                    9..=16 => network::<16>(x, |v| columns16(v)),
                    _ => two_networks(x),
                }
            }

            /// Sorts up to `R` vectors, given what sorts their columns.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn network<const R: usize>(x: &mut [$t], columns: impl Fn([V; R]) -> [V; R]) {
                let v = read::<R>(x);
                write(x, rows_of_columns(sorted(v, columns)));
            }

            /// Sorts 16 to 32 vectors: more than there are registers, so half by half.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            fn two_networks(x: &mut [$t]) {
                let (low, high) = x.split_at_mut(16 * L);
                let (mut a, mut b) = (sixteen(low), sixteen(high));
                for i in 0..16 {
                    (a[i], b[15 - i]) = $order(a[i], permuted::<{ L - 1 }>(b[15 - i]));
                }
                clean(&a, low);
                clean(&b, high);
            }

            /// Up to 16 vectors sorted, column after column.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline(never)]
            fn sixteen(x: &[$t]) -> [V; 16] {
                sorted(read::<16>(x), |v| columns16(v))
            }

            /// Sorts what is bitonic, column after column, into `to`.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline(never)]
            fn clean(v: &[V; 16], to: &mut [$t]) {
                let mut v = *v;
                $(v = exchanges::<16, $clean, { lanes_with($clean) as $mask }>(v);)*
                write(to, rows_of_columns(clean_columns(v)));
            }

            /// Up to `R` vectors; missing elements count as the greatest, which end where they
            /// are not written.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn read<const R: usize>(x: &[$t]) -> [V; R] {
                assert!(x.len() <= R * L);
                let mut v = [$set(-1); R];
                for (i, v) in v.iter_mut().enumerate() {
                    let here = low_lanes(x.len().saturating_sub(i * L).min(L));
                    // SAFETY: the mask leaves out what lies beyond `x`.
                    *v = unsafe { $mask_load(*v, here, x.as_ptr().cast::<$signed>().wrapping_add(i * L)) };
                }
                v
            }

            /// The elements of the vectors that `x` has room for.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn write<const R: usize>(x: &mut [$t], v: [V; R]) {
                let (n, base) = (x.len(), x.as_mut_ptr().cast::<$signed>());
                for (i, &v) in v.iter().enumerate() {
                    let here = low_lanes(n.saturating_sub(i * L).min(L));
                    // SAFETY: the mask leaves out what lies beyond `x`.
                    unsafe { $mask_store(base.wrapping_add(i * L), here, v) };
                }
            }

            /// Sorted, column after column, given what sorts single columns.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn sorted<const R: usize>(v: [V; R], columns: impl Fn([V; R]) -> [V; R]) -> [V; R] {
                let mut v = columns(v);
                $(v = merge::<R, { 2 * $w - 1 }, { lanes_with($w) as $mask }>(v);
                $(v = exchanges::<R, $x, { lanes_with($x) as $mask }>(v);)*
                v = clean_columns(v);)*
                v
            }

            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn permuted<const X: usize>(v: V) -> V {
                let order: [$t; L] = std::array::from_fn(|i| (i ^ X) as $t);
                // SAFETY: an array of one vector.
                let order = unsafe { $load(order.as_ptr().cast()) };
                $permute(order, v)
            }

            /// Orders each lane with the lane whose number differs by `X`; the lanes of `MASK`
            /// take the greater.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn exchange<const X: usize, const MASK: $mask>(v: V) -> V {
                let other = permuted::<X>(v);
                $choose(v, other, MASK)
            }

            /// [`exchange`] of each vector.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn exchanges<const R: usize, const X: usize, const MASK: $mask>(mut v: [V; R]) -> [V; R] {
                for v in &mut v {
                    *v = exchange::<X, MASK>(*v);
                }
                v
            }

            /// The first step of a merge of runs of columns: each element with its mirror image,
            /// in the columns that differ by `X` and the opposite row.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn merge<const R: usize, const X: usize, const MASK: $mask>(mut v: [V; R]) -> [V; R] {
                for i in 0..R.div_ceil(2) {
                    let (a, b) = (v[i], v[R - 1 - i]);
                    v[i] = $choose(a, permuted::<X>(b), MASK);
                    v[R - 1 - i] = $choose(b, permuted::<X>(a), MASK);
                }
                v
            }

            /// Sorts columns that are bitonic.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn clean_columns<const R: usize>(mut v: [V; R]) -> [V; R] {
                if R >= 16 {
                    v = halves::<R, 8>(v);
                }
                if R >= 8 {
                    v = halves::<R, 4>(v);
                }
                if R >= 4 {
                    v = halves::<R, 2>(v);
                }
                if R >= 2 {
                    v = halves::<R, 1>(v);
                }
                v
            }

            /// Orders the rows whose numbers differ by `D`.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn halves<const R: usize, const D: usize>(mut v: [V; R]) -> [V; R] {
                for i in 0..R {
                    if i & D == 0 {
                        (v[i], v[i | D]) = $order(v[i], v[i | D]);
                    }
                }
                v
            }

            /// The elements column by column.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn rows_of_columns<const R: usize>(mut v: [V; R]) -> [V; R] {
                // Each step interleaves the first half of the elements with the second, which
                // turns the numbers of places, in binary, by one bit.
                let order: [$t; 2 * L] = std::array::from_fn(|i| (i / 2 + i % 2 * L) as $t);
                // SAFETY: an array of two vectors.
                let order = unsafe { [$load(order.as_ptr().cast()), $load(order.as_ptr().add(L).cast())] };
                let mut half = R;
                while half > 1 {
                    half /= 2;
                    let from = v;
                    for i in 0..R / 2 {
                        v[2 * i] = $permute_two(from[i], order[0], from[i + R / 2]);
                        v[2 * i + 1] = $permute_two(from[i], order[1], from[i + R / 2]);
                    }
                }
                v
            }

            columns! { $order;
                columns1 1: ;
                columns4 4: (0 1) (2 3) (0 2) (1 3) (1 2);
                columns8 8: (0 1) (2 3) (4 5) (6 7) (0 2) (1 3) (4 6) (5 7) (1 2) (5 6) (0 4) (1 5) (2 6)
                    (3 7) (2 4) (3 5) (1 2) (3 4) (5 6);
                columns16 16: (0 1) (2 3) (4 5) (6 7) (8 9) (10 11) (12 13) (14 15) (0 2) (1 3) (4 6)
                    (5 7) (8 10) (9 11) (12 14) (13 15) (0 4) (1 5) (2 6) (3 7) (8 12) (9 13) (10 14)
                    (11 15) (0 8) (1 9) (2 10) (3 11) (4 12) (5 13) (6 14) (7 15) (5 10) (6 9) (3 12)
                    (13 14) (4 8) (7 11) (1 2) (1 4) (7 13) (2 8) (11 14) (2 4) (5 6) (9 10) (11 13)
                    (3 8) (7 12) (6 8) (10 12) (3 5) (7 9) (3 4) (5 6) (7 8) (9 10) (11 12) (6 7) (8 9);
            }
        }
    };
}

vector_sort! {
    w32, u32, i32, __mmask16, 16,
    _mm512_loadu_epi32, _mm512_mask_loadu_epi32, _mm512_mask_storeu_epi32,
    _mm512_set1_epi32, _mm512_cmpgt_epu32_mask, _mm512_cmpge_epu32_mask,
    put32, _mm512_maskz_compress_epi32, _mm512_permutexvar_epi32, _mm512_permutex2var_epi32, gather32,
    order32, choose32,
    merge: (1:) (2: 1) (4: 2 1) (8: 4 2 1), clean: 8 4 2 1
}

vector_sort! {
    w64, u64, i64, __mmask8, 8,
    _mm512_loadu_epi64, _mm512_mask_loadu_epi64, _mm512_mask_storeu_epi64,
    _mm512_set1_epi64, _mm512_cmpgt_epu64_mask, _mm512_cmpge_epu64_mask,
    put64, _mm512_maskz_compress_epi64, _mm512_permutexvar_epi64, _mm512_permutex2var_epi64, gather64,
    order64, choose64,
    merge: (1:) (2: 1) (4: 2 1), clean: 4 2 1
}
