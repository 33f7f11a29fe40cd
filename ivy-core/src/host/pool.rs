//! Recycling of large blocks. A fresh block of 64 MiB costs more in page faults than the
//! arithmetic that fills it, so blocks that go back are kept, up to a limit, and handed out
//! again. Sizes are rounded up so that near sizes share blocks.

use super::small;
use std::{
    ptr::NonNull,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Smaller blocks are kept by each thread for itself, or go straight to the allocator.
const SMALLEST: usize = 32 << 10;
static LIMIT: AtomicUsize = AtomicUsize::new(1 << 30);

struct Free {
    blocks: Vec<(usize, Address)>,
    bytes: usize,
}

struct Address(NonNull<u8>);
// SAFETY: a free block belongs to whoever takes it.
unsafe impl Send for Address {}

static FREE: Mutex<Free> = Mutex::new(Free { blocks: Vec::new(), bytes: 0 });

/// A size with at most three significant bits after the first: at most 12.5 % is wasted.
fn round_up(size: usize) -> usize {
    let step = (size.next_power_of_two() >> 4).max(64);
    size.div_ceil(step) * step
}

/// A block of at least `size` bytes: its true size and address.
pub(super) fn take(
    size: usize,
    allocate: impl Fn(usize) -> Option<NonNull<u8>>,
) -> Option<(usize, NonNull<u8>)> {
    if size < small::LEAST {
        return allocate(size).map(|base| (size, base));
    }
    if small::round_up(size) < SMALLEST {
        let size = small::round_up(size);
        return small::take(size).or_else(|| allocate(size)).map(|base| (size, base));
    }
    let size = round_up(size);
    let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(i) = free.blocks.iter().rposition(|b| b.0 == size) {
        free.bytes -= size;
        return Some((size, free.blocks.remove(i).1.0));
    }
    drop(free);
    allocate(size).map(|base| (size, base))
}

/// Gives a block back: kept if there is room, else released with `release`; the oldest go first.
pub(super) fn give(size: usize, base: NonNull<u8>, release: impl Fn(usize, NonNull<u8>)) {
    if size < SMALLEST {
        let kept = size >= small::LEAST && !is_off() && small::give(size, base);
        if !kept {
            release(size, base);
        }
        return;
    }
    let mut dropped = Vec::new();
    {
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        free.blocks.push((size, Address(base)));
        free.bytes += size;
        let limit = LIMIT.load(Ordering::Relaxed);
        while free.bytes > limit {
            let old = free.blocks.remove(0);
            free.bytes -= old.0;
            dropped.push(old);
        }
    }
    dropped.into_iter().for_each(|(size, base)| release(size, base.0));
}

fn is_off() -> bool {
    LIMIT.load(Ordering::Relaxed) == 0
}

/// Sets how many bytes of free blocks are kept for later results (1 GiB at first; 0 turns
/// recycling off). Returns the old limit.
pub fn set_pool_limit(bytes: usize) -> usize {
    LIMIT.swap(bytes, Ordering::Relaxed)
}
