//! Sorting of keys that do not fit in the caches. On several threads, chunks of them are split in
//! the cache into buckets, by bounds from a sample; then each bucket is brought together from all
//! chunks, split once more on the way, and sorted, in the cache again. So the keys come from
//! memory twice, not at each level of a quicksort, and threads share both steps. One thread alone
//! is as fast with a quicksort, whose first split takes the keys as they are loaded.

use super::bits::Splits;
use crate::parallel::tasks;
use ivy_core::host::{UniqueBuffer, scratch};
use std::{
    mem::MaybeUninit,
    slice,
    sync::{Mutex, PoisonError},
};

/// Bytes of a chunk: half of a usual second cache, or less. Tests make do with fewer elements.
const CHUNK: usize = if cfg!(test) { 16 << 10 } else { 512 << 10 };
/// Bytes that a bucket should have at most.
const BUCKET: usize = 2 * CHUNK;
/// Elements of the sample for each half of a bucket.
const SAMPLE: usize = 8;

/// From this many bytes on it pays.
pub(super) const LARGE: usize = 8 * CHUNK;

/// Elements that are loaded at once where they go into two parts right away.
const LOADED: usize = 1 << 10;

/// Writes the sorted keys of `load`, which writes the keys from a place on; calls `done` as
/// [`Splits::sort_part`] does.
///
/// # Safety
/// The processor has what [`Splits`] asks for; `load` writes all that it is given.
pub(super) unsafe fn sort<K: Splits>(
    to: &mut [MaybeUninit<K>],
    load: &(dyn Fn(usize, &mut [MaybeUninit<K>]) + Sync),
    done: &(dyn Fn(&mut [K]) + Sync),
) {
    let several = rayon::current_num_threads() > 1;
    // SAFETY: the caller's promise.
    unsafe {
        // One thread alone is as fast with a quicksort, which needs no further memory.
        match several.then(|| UniqueBuffer::allocate(size_of_val(to))).flatten() {
            Some(buffer) => sort_in_buckets(to, buffer, load, done),
            None => sort_in_two(to, load, done),
        }
    }
}

/// [`sort`] by a quicksort whose first split takes the keys as they are loaded.
///
/// # Safety
/// That of [`sort`].
unsafe fn sort_in_two<K: Splits>(
    to: &mut [MaybeUninit<K>],
    load: &(dyn Fn(usize, &mut [MaybeUninit<K>]) + Sync),
    done: &(dyn Fn(&mut [K]) + Sync),
) {
    let n = to.len();
    // SAFETY: the caller's promise; what is loaded is read, and all of `to` is written by the end
    // of the loop, since all its keys went there.
    unsafe {
        let bound = marks(n, 16, load)[7];
        let mut keys = [MaybeUninit::uninit(); LOADED];
        let mut room = 0..n;
        for at in (0..n).step_by(LOADED) {
            let keys = &mut keys[..LOADED.min(n - at)];
            load(at, keys);
            K::split_run(slice::from_raw_parts(keys.as_ptr().cast(), keys.len()), to, &mut room, bound);
        }
        let to = slice::from_raw_parts_mut(to.as_mut_ptr().cast::<K>(), n);
        let (low, high) = to.split_at_mut(room.start);
        K::sort_part(low, false, done);
        K::sort_part(high, false, done);
    }
}

/// [`sort`] in two steps, of chunks and of buckets.
///
/// # Safety
/// That of [`sort`]; the buffer is as large as `to`.
unsafe fn sort_in_buckets<K: Splits>(
    to: &mut [MaybeUninit<K>],
    mut buffer: UniqueBuffer,
    load: &(dyn Fn(usize, &mut [MaybeUninit<K>]) + Sync),
    done: &(dyn Fn(&mut [K]) + Sync),
) {
    let n = to.len();
    let bits = (size_of_val(to) / BUCKET).ilog2().clamp(1, 8);
    // SAFETY: the caller's promise.
    let marks = unsafe { marks(n, 2 << bits, load) };
    // Every second one parts two buckets, the others are in the middle of one.
    let bounds: Vec<K> = marks.iter().skip(1).step_by(2).copied().collect();
    let chunk = CHUNK / size_of::<K>();
    let mut ends: Vec<Vec<usize>> = scratch::filled(Vec::new(), n.div_ceil(chunk));
    {
        let chunks = buffer.as_uninit::<K>().chunks_mut(chunk).zip(&mut ends);
        let chunks: Vec<_> = scratch::collected(chunks.map(Mutex::new));
        tasks(true, chunks.len(), &|i| {
            let mut guard = chunks[i].lock().unwrap_or_else(PoisonError::into_inner);
            let (keys, ends) = &mut *guard;
            load(i * chunk, keys);
            scratch::reserve(ends, 1 << bits);
            // SAFETY: all keys were just written; the caller's promise.
            unsafe {
                let keys = slice::from_raw_parts_mut(keys.as_mut_ptr().cast::<K>(), keys.len());
                split(keys, 0, &bounds, ends);
            }
        });
    }
    let chunks: Vec<&[MaybeUninit<K>]> = scratch::collected(buffer.as_uninit::<K>().chunks(chunk));
    let runs = |bucket: usize| {
        let runs = chunks.iter().zip(&ends);
        runs.map(move |(keys, ends)| &keys[if bucket == 0 { 0 } else { ends[bucket - 1] }..ends[bucket]])
    };
    let mut rest = to;
    let mut buckets = Vec::with_capacity(1 << bits);
    for bucket in 0..1 << bits {
        let (here, after) = rest.split_at_mut(runs(bucket).map(<[_]>::len).sum());
        rest = after;
        buckets.push(Mutex::new(here));
    }
    // A bucket that is far from even is work for several threads.
    let uneven = n >> bits << 2;
    tasks(true, buckets.len(), &|bucket| {
        let mut keys = buckets[bucket].lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the caller's promise; all of the chunks was written, and the runs are as long as
        // the bucket, so all of that is written.
        unsafe {
            let mut room = 0..keys.len();
            for run in runs(bucket) {
                let run = slice::from_raw_parts(run.as_ptr().cast::<K>(), run.len());
                K::split_run(run, &mut keys, &mut room, marks[2 * bucket]);
            }
            let keys = slice::from_raw_parts_mut(keys.as_mut_ptr().cast::<K>(), keys.len());
            let (low, high) = keys.split_at_mut(room.start);
            K::sort_part(low, low.len() > uneven, done);
            K::sort_part(high, high.len() > uneven, done);
        }
    });
}

/// Keys that part the elements into so many parts, about evenly.
///
/// # Safety
/// `load` writes all that it is given.
unsafe fn marks<K: Splits>(n: usize, parts: usize, load: &dyn Fn(usize, &mut [MaybeUninit<K>])) -> Vec<K> {
    let count = SAMPLE * parts;
    let step = n / count;
    // Places that no regular pattern of the elements meets.
    let place = |i: usize| i * step + (i.wrapping_mul(0x9e37_79b9) >> 7) % step;
    let mut sample = vec![MaybeUninit::uninit(); count];
    for (i, to) in sample.iter_mut().enumerate() {
        load(place(i), slice::from_mut(to));
    }
    // SAFETY: the caller's promise: all were just written.
    let sample = unsafe { slice::from_raw_parts_mut(sample.as_mut_ptr().cast::<K>(), count) };
    sample.sort_unstable();
    (1..parts).map(|i| sample[i * SAMPLE]).collect()
}

/// Splits keys by bounds, and appends where each bucket ends; the keys begin at `start`.
///
/// # Safety
/// The processor has what [`Splits`] asks for.
unsafe fn split<K: Splits>(keys: &mut [K], start: usize, bounds: &[K], ends: &mut Vec<usize>) {
    let middle = bounds.len() / 2;
    let Some(&bound) = bounds.get(middle) else {
        return ends.push(start + keys.len());
    };
    // SAFETY: the caller's promise.
    unsafe {
        let at = K::split(keys, bound);
        let (low, high) = keys.split_at_mut(at);
        split(low, start, &bounds[..middle], ends);
        split(high, start + at, &bounds[middle + 1..], ends);
    }
}
