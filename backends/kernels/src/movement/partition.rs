//! Radix partition of updates by ranges of places.
//!
//! No two threads may have one place, and an update at a random place waits for memory. So updates are sorted by ranges of
//! places, a window of them at a time: a counting sort of each segment, on several threads. Then a range's updates are put
//! by one thread, segment after segment and so in their order, while its places are in a near cache.

use crate::parallel::{PARALLEL, pays, tasks};
use ivy_core::host::scratch;
use std::mem::MaybeUninit;
use std::sync::{Mutex, PoisonError};

/// The updates that are sorted at a time.
const SEGMENT: usize = 1 << 13;
/// Parts of a segment that are sorted side by side.
const STREAMS: usize = 4;
/// Bytes of a range's places: they stay in a near cache.
const NEAR: usize = 1 << 18;
/// Bytes of places that are so far that sorting pays for one thread; of nearer ones it pays for several, since it takes twice
/// as long as putting.
const FAR: usize = 1 << 23;
const SEVERAL: usize = 4;
/// Ranges, so that runs of a segment are longer than lines of a cache; and for each thread, so that none waits long.
const RANGES: usize = 512;
const SHARES: usize = 4;
/// Segments of which it is found whether most updates are for one range.
const SAMPLE: usize = 16;
/// The updates of a window: the fewer, the nearer what is sorted stays, but each window reads the places again.
const WINDOW: [usize; 2] = [1 << 18, 1 << 23];

/// An update's place, counted from the lowest, and what is put there.
pub(super) type Entry<P> = (u32, P);

/// What is put.
pub(super) enum Payload<'a, P> {
    /// An element for each update.
    There(&'a [P]),
    /// What this gives for so many updates from a number on.
    Made(&'a (dyn Fn(usize, usize) -> Vec<P> + Sync)),
}

/// How updates are partitioned.
pub(super) struct Partition {
    /// A place's range is its number without so many bits.
    shift: u32,
    ranges: usize,
    window: usize,
    parallel: bool,
}

impl Partition {
    /// Of so many updates for places of so many bytes, which reach over `span` of them; `None` if one after the other is
    /// faster.
    pub(super) fn of(count: usize, span: usize, bytes: usize) -> Option<Partition> {
        u32::try_from(span).ok()?;
        let (threads, bytes) = (rayon::current_num_threads(), span.saturating_mul(bytes));
        let parallel = threads > 1 && pays(count, PARALLEL);
        let wanted = match parallel {
            true if bytes > FAR || threads >= SEVERAL => bytes.div_ceil(NEAR).max(threads * SHARES),
            false if bytes > FAR && count >= WINDOW[0] => bytes.div_ceil(NEAR),
            _ => return None,
        };
        let wanted = wanted.min(RANGES).min(span);
        let shift = span.div_ceil(wanted.max(1)).next_power_of_two().trailing_zeros();
        let ranges = ((span.max(1) - 1) >> shift) + 1;
        let window = span.clamp(WINDOW[0], WINDOW[1]);
        (ranges > 1).then_some(Partition { shift, ranges, window, parallel })
    }

    /// Calls `put` with the updates of each range in their order, on one thread; `keys` writes the places of those from a
    /// number on. False if most are for one range: nothing has been put then.
    pub(super) fn run<P: Copy + Send + Sync>(
        &self,
        count: usize,
        keys: &(dyn Fn(usize, &mut [u32]) + Sync),
        payload: &Payload<'_, P>,
        put: &(dyn Fn(&[Entry<P>]) + Sync),
    ) -> bool {
        let window = self.window.min(count);
        let mut sorted = scratch::buffer(window * size_of::<Entry<P>>());
        let sorted = &mut sorted.as_uninit::<Entry<P>>()[..window];
        let mut ends = scratch::filled(0u32, window.div_ceil(SEGMENT) * self.ranges);
        for first in (0..count).step_by(window) {
            let sorted = &mut sorted[..window.min(count - first)];
            let segments = sorted.chunks_mut(SEGMENT).zip(ends.chunks_mut(self.ranges)).map(Mutex::new);
            let segments: Vec<_> = segments.collect();
            tasks(self.parallel, segments.len(), &|i| {
                // Each lock is taken once.
                let mut segment = segments[i].lock().unwrap_or_else(PoisonError::into_inner);
                let (sorted, ends) = &mut *segment;
                self.sort(first + i * SEGMENT, keys, payload, sorted, ends);
            });
            drop(segments);
            let segments = || sorted.chunks(SEGMENT).zip(ends.chunks(self.ranges));
            // Of some segments: others are like them.
            let some = segments().take(SAMPLE);
            let length = |range| some.clone().map(|segment| run(segment, range).len()).sum::<usize>();
            let all = sorted.len().min(SAMPLE * SEGMENT);
            let uneven = |length: usize| 8 * length > all && length * self.ranges > 4 * all;
            if first == 0 && (0..self.ranges).any(|range| uneven(length(range))) {
                return false;
            }
            tasks(self.parallel, self.ranges, &|range| {
                segments().for_each(|segment| put(run(segment, range)))
            });
        }
        true
    }

    /// Sorts the updates of a segment, from a number on, by ranges; `ends` says where each range's run ends.
    fn sort<P: Copy>(
        &self,
        first: usize,
        keys: &(dyn Fn(usize, &mut [u32]) + Sync),
        payload: &Payload<'_, P>,
        sorted: &mut [MaybeUninit<Entry<P>>],
        ends: &mut [u32],
    ) {
        let mut places = [0; SEGMENT];
        let places = &mut places[..sorted.len()];
        keys(first, places);
        let made;
        let payload = match payload {
            Payload::There(all) => &all[first..first + places.len()],
            Payload::Made(make) => {
                made = make(first, places.len());
                &made[..]
            }
        };
        // Streams side by side, and what is left: a counter waits for the update before it of the same range.
        let length = places.len() / STREAMS;
        let ([p, q, r, s], rest) = split(places, length);
        let ([a, b, c, d], others) = split(payload, length);
        let mut counters = [[0u32; STREAMS + 1]; RANGES];
        let range = |place: u32| (place >> self.shift) as usize % RANGES;
        for (((&p, &q), &r), &s) in p.iter().zip(q).zip(r).zip(s) {
            [p, q, r, s].into_iter().enumerate().for_each(|(stream, p)| counters[range(p)][stream] += 1);
        }
        rest.iter().for_each(|&place| counters[range(place)][STREAMS] += 1);
        let mut begin = 0;
        for (counters, end) in counters.iter_mut().zip(&mut *ends) {
            for counter in counters {
                begin += std::mem::replace(counter, begin);
            }
            *end = begin;
        }
        let mut put = |stream: usize, place: u32, payload: P| {
            let counter = &mut counters[range(place)][stream];
            sorted[*counter as usize].write((place, payload));
            *counter += 1;
        };
        let (places, payloads) = (p.iter().zip(q).zip(r).zip(s), a.iter().zip(b).zip(c).zip(d));
        for ((((&p, &q), &r), &s), (((&a, &b), &c), &d)) in places.zip(payloads) {
            [(p, a), (q, b), (r, c), (s, d)].into_iter().enumerate().for_each(|(n, (p, a))| put(n, p, a));
        }
        rest.iter().zip(others).for_each(|(&place, &payload)| put(STREAMS, place, payload));
    }
}

/// Four parts of a length, and the rest.
fn split<T>(all: &[T], length: usize) -> ([&[T]; STREAMS], &[T]) {
    let part = |stream: usize| &all[stream * length..(stream + 1) * length];
    (std::array::from_fn(part), &all[STREAMS * length..])
}

/// The updates of a sorted segment that are for a range.
fn run<'s, P>((sorted, ends): (&'s [MaybeUninit<Entry<P>>], &[u32]), range: usize) -> &'s [Entry<P>] {
    let begin = if range == 0 { 0 } else { ends[range - 1] as usize };
    let run = &sorted[begin..ends[range] as usize];
    // SAFETY: `sort` has written every entry of the segment.
    unsafe { std::slice::from_raw_parts(run.as_ptr().cast::<Entry<P>>(), run.len()) }
}
