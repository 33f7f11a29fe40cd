//! Quicksort of unsigned integers in vectors of 512 bits. The result of a sort is the same
//! whatever the algorithm, so only its speed depends on the instruction set.
//!
//! A part is split by a pivot, in place: vectors are read from whichever side has less room,
//! their elements parted within the register, and written to both sides. Short parts are
//! sorted by a bitonic network.

use std::arch::x86_64::*;

macro_rules! vector_sort {
    (
        $module:ident, $t:ident, $signed:ident, $mask:ident, $lanes:literal,
        $load:ident, $mask_load:ident, $store:ident, $mask_store:ident, $set:ident, $greater:ident, $not_less:ident,
        $compress:ident, $permute:ident, $min:ident, $max:ident, $mask_max:ident,
        sort: $(($sx:literal, $sm:literal))*, clean: $(($cx:literal, $cm:literal))*
    ) => {
        pub(super) mod $module {
            use super::*;

            const L: usize = $lanes;
            /// The longest part that the network sorts.
            const SHORT: usize = 32 * L;
            /// A part from this length on is worth a thread.
            const FORK: usize = 1 << 16;
            type V = __m512i;

            /// Sorts, and calls `done` with pieces that are in place, which together are all of
            /// `x`.
            ///
            /// # Safety
            /// The processor has AVX-512F, POPCNT, BMI1 and BMI2.
            pub unsafe fn sort(
                mut x: &mut [$t],
                mut depth: u32,
                parallel: bool,
                done: &(dyn Fn(&mut [$t]) + Sync),
            ) {
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
                    depth -= 1;
                    // SAFETY: the caller's promise.
                    let pivot = unsafe { pivot(x) };
                    // SAFETY: likewise.
                    let at = unsafe { split::<false>(x, pivot) };
                    if at == x.len() {
                        // Nothing is greater: what equals the pivot is in place.
                        // SAFETY: likewise.
                        let at = unsafe { split::<true>(x, pivot) };
                        let (low, equal) = x.split_at_mut(at);
                        done(equal);
                        x = low;
                        continue;
                    }
                    let fork = parallel && x.len() >= FORK;
                    let (low, high) = x.split_at_mut(at);
                    if fork {
                        let (a, b) = (
                            // SAFETY: likewise.
                            || unsafe { sort(low, depth, true, done) },
                            // SAFETY: likewise.
                            || unsafe { sort(high, depth, true, done) },
                        );
                        rayon::join(a, b);
                        return;
                    }
                    // SAFETY: likewise.
                    unsafe { sort(low, depth, false, done) };
                    x = high;
                }
            }

            /// The median of some elements.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            fn pivot(x: &[$t]) -> $t {
                let mut sample = [0; 4 * L];
                let mut take = |count: usize| {
                    let step = x.len() / (2 * count);
                    for (i, to) in sample[..count].iter_mut().enumerate() {
                        *to = x[(2 * i + 1) * step];
                    }
                };
                if x.len() < 1 << 12 {
                    take(L);
                    network::<1>(&mut sample[..L], |v| v.map(|a| sort1(a)));
                    return sample[L / 2];
                }
                take(4 * L);
                network::<4>(&mut sample, |v| sort4(v));
                sample[2 * L]
            }

            /// Brings the elements up to the pivot (below it, if `EQUAL_GO_UP`) to the front;
            /// gives how many they are. There are more than [`SHORT`] elements.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            fn split<const EQUAL_GO_UP: bool>(x: &mut [$t], pivot: $t) -> usize {
                match x.len() {
                    0..1024 => split_by::<EQUAL_GO_UP, 4>(x, pivot),
                    _ => split_by::<EQUAL_GO_UP, 8>(x, pivot),
                }
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
                        read_low += if from_low { $count * L } else { 0 };
                        read_high -= if from_low { 0 } else { $count * L };
                        for v in read {
                            let up = up(v);
                            let ups = up.count_ones() as usize;
                            // SAFETY: both places have been read, as shown above.
                            unsafe {
                                $store(base.add(low), $compress(!up, v));
                                high -= ups;
                                $mask_store(base.add(high), low_lanes(ups), $compress(up, v));
                            }
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
                let ends = ends.into_iter().flatten().map(|v| (v, low_lanes(L)));
                for (v, here) in ends.chain([(rest, low_lanes(tail))]) {
                    let (up, down) = (up(v) & here, !up(v) & here);
                    let ups = up.count_ones() as usize;
                    let downs = down.count_ones() as usize;
                    high -= ups;
                    // SAFETY: all of low..high has been read, and it has room for these
                    // vectors; the masks keep the writes apart.
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
                    0 | 1 => network::<1>(x, |v| v.map(|a| sort1(a))),
                    2 => network::<2>(x, |v| sort2(v)),
                    3 | 4 => network::<4>(x, |v| sort4(v)),
                    5..=8 => network::<8>(x, |v| sort8(v)),
                    9..=16 => network::<16>(x, |v| sort16(v)),
                    _ => network::<32>(x, |v| sort32(v)),
                }
            }

            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn network<const R: usize>(x: &mut [$t], sort: impl Fn([V; R]) -> [V; R]) {
                let (n, base) = (x.len(), x.as_mut_ptr().cast::<$signed>());
                assert!(n <= R * L);
                // Missing elements count as the greatest, which end where they are not stored.
                let here = |i: usize| low_lanes(n.saturating_sub(i * L).min(L));
                let mut v = [$set(-1); R];
                for (i, v) in v.iter_mut().enumerate() {
                    // SAFETY: the mask leaves out what lies beyond `x`.
                    *v = unsafe { $mask_load(*v, here(i), base.wrapping_add(i * L)) };
                }
                for (i, &v) in sort(v).iter().enumerate() {
                    // SAFETY: likewise.
                    unsafe { $mask_store(base.wrapping_add(i * L), here(i), v) };
                }
            }

            /// Orders each lane with the lane whose number differs by `X`; the lanes of `MASK`
            /// take the greater.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn exchange<const X: usize, const MASK: $mask>(v: V) -> V {
                const { assert!(X < L) };
                let order: [$t; L] = std::array::from_fn(|i| (i ^ X) as $t);
                // SAFETY: an array of one vector.
                let order = unsafe { $load(order.as_ptr().cast()) };
                let other = $permute(order, v);
                $mask_max($min(v, other), MASK, v, other)
            }

            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn reversed(v: V) -> V {
                let order: [$t; L] = std::array::from_fn(|i| (L - 1 - i) as $t);
                // SAFETY: an array of one vector.
                let order = unsafe { $load(order.as_ptr().cast()) };
                $permute(order, v)
            }

            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn order(a: V, b: V) -> (V, V) {
                ($min(a, b), $max(a, b))
            }

            /// Sorts one vector.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn sort1(v: V) -> V {
                $(let v = exchange::<$sx, $sm>(v);)*
                v
            }

            /// Sorts one vector that is bitonic.
            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn clean(v: V) -> V {
                $(let v = exchange::<$cx, $cm>(v);)*
                v
            }

            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn clean2(a: V, b: V) -> [V; 2] {
                let (a, b) = order(a, b);
                [clean(a), clean(b)]
            }

            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn clean4(a: V, b: V, c: V, d: V) -> [V; 4] {
                let ((a, c), (b, d)) = (order(a, c), order(b, d));
                let ([a, b], [c, d]) = (clean2(a, b), clean2(c, d));
                [a, b, c, d]
            }

            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn sort2([a, b]: [V; 2]) -> [V; 2] {
                let (a, b) = order(sort1(a), reversed(sort1(b)));
                [clean(a), clean(b)]
            }

            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn sort4([a, b, c, d]: [V; 4]) -> [V; 4] {
                let ([a, b], [c, d]) = (sort2([a, b]), sort2([c, d]));
                let ((a, c), (b, d)) = (order(a, reversed(d)), order(b, reversed(c)));
                let ([a, b], [c, d]) = (clean2(a, b), clean2(c, d));
                [a, b, c, d]
            }

            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn sort8([a, b, c, d, e, f, g, h]: [V; 8]) -> [V; 8] {
                let ([a, b, c, d], [e, f, g, h]) = (sort4([a, b, c, d]), sort4([e, f, g, h]));
                let (first, second) = (order(a, reversed(h)), order(b, reversed(g)));
                let (third, fourth) = (order(c, reversed(f)), order(d, reversed(e)));
                let ((a, e), (b, f), (c, g), (d, h)) = (first, second, third, fourth);
                let ([a, b, c, d], [e, f, g, h]) = (clean4(a, b, c, d), clean4(e, f, g, h));
                [a, b, c, d, e, f, g, h]
            }

            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn clean8(mut v: [V; 8]) -> [V; 8] {
                for i in 0..4 {
                    (v[i], v[i + 4]) = order(v[i], v[i + 4]);
                }
                let [a, b, c, d, e, f, g, h] = v;
                let ([a, b, c, d], [e, f, g, h]) = (clean4(a, b, c, d), clean4(e, f, g, h));
                [a, b, c, d, e, f, g, h]
            }

            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn sort16(v: [V; 16]) -> [V; 16] {
                let (mut a, mut b) = ([v[0]; 8], [v[0]; 8]);
                a.copy_from_slice(&v[..8]);
                b.copy_from_slice(&v[8..]);
                let (a, b) = (sort8(a), sort8(b));
                let (mut low, mut high) = (a, b);
                for i in 0..8 {
                    (low[i], high[i]) = order(a[i], reversed(b[7 - i]));
                }
                let (low, high) = (clean8(low), clean8(high));
                std::array::from_fn(|i| if i < 8 { low[i] } else { high[i - 8] })
            }

            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn clean16(v: [V; 16]) -> [V; 16] {
                let (mut low, mut high) = ([v[0]; 8], [v[0]; 8]);
                for i in 0..8 {
                    (low[i], high[i]) = order(v[i], v[i + 8]);
                }
                let (low, high) = (clean8(low), clean8(high));
                std::array::from_fn(|i| if i < 8 { low[i] } else { high[i - 8] })
            }

            #[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
            #[inline]
            fn sort32(v: [V; 32]) -> [V; 32] {
                let a = sort16(std::array::from_fn(|i| v[i]));
                let b = sort16(std::array::from_fn(|i| v[i + 16]));
                let (mut low, mut high) = (a, b);
                for i in 0..16 {
                    (low[i], high[i]) = order(a[i], reversed(b[15 - i]));
                }
                let (low, high) = (clean16(low), clean16(high));
                std::array::from_fn(|i| if i < 16 { low[i] } else { high[i - 16] })
            }
        }
    };
}

vector_sort! {
    w32, u32, i32, __mmask16, 16,
    _mm512_loadu_epi32, _mm512_mask_loadu_epi32, _mm512_storeu_epi32, _mm512_mask_storeu_epi32,
    _mm512_set1_epi32, _mm512_cmpgt_epu32_mask, _mm512_cmpge_epu32_mask,
    _mm512_maskz_compress_epi32, _mm512_permutexvar_epi32,
    _mm512_min_epu32, _mm512_max_epu32, _mm512_mask_max_epu32,
    sort: (1, 0xaaaa) (3, 0xcccc) (1, 0xaaaa) (7, 0xf0f0) (2, 0xcccc) (1, 0xaaaa)
        (15, 0xff00) (4, 0xf0f0) (2, 0xcccc) (1, 0xaaaa),
    clean: (8, 0xff00) (4, 0xf0f0) (2, 0xcccc) (1, 0xaaaa)
}

vector_sort! {
    w64, u64, i64, __mmask8, 8,
    _mm512_loadu_epi64, _mm512_mask_loadu_epi64, _mm512_storeu_epi64, _mm512_mask_storeu_epi64,
    _mm512_set1_epi64, _mm512_cmpgt_epu64_mask, _mm512_cmpge_epu64_mask,
    _mm512_maskz_compress_epi64, _mm512_permutexvar_epi64,
    _mm512_min_epu64, _mm512_max_epu64, _mm512_mask_max_epu64,
    sort: (1, 0xaa) (3, 0xcc) (1, 0xaa) (7, 0xf0) (2, 0xcc) (1, 0xaa),
    clean: (4, 0xf0) (2, 0xcc) (1, 0xaa)
}
