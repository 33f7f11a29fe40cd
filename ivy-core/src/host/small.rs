//! Recycling of blocks of a few KiB, by each thread for itself: a system's allocator takes several times
//! as long for them as for others, since they are aligned to lines of the caches.
//!
//! # Invariants
//!
//! - A block in `blocks[n]` has `n` times [`STEP`] bytes, was allocated with this size by
//!   [`super::buffer`], and belongs to nobody else.

use super::buffer::release;
use std::cell::RefCell;
use std::ptr::NonNull;

/// Smaller blocks are not aligned that way, and an allocator has them at hand.
pub(super) const LEAST: usize = 1 << 10;
/// Sizes are multiples of this.
const STEP: usize = 512;
const CLASSES: usize = 64;
/// Bytes that a thread keeps.
const MOST: usize = 1 << 20;

struct Kept {
    blocks: [Vec<NonNull<u8>>; CLASSES],
    bytes: usize,
}

impl Drop for Kept {
    fn drop(&mut self) {
        for (class, blocks) in self.blocks.iter_mut().enumerate() {
            // SAFETY: the invariant.
            blocks.drain(..).for_each(|base| unsafe { release(class * STEP, base) });
        }
    }
}

thread_local! {
    static KEPT: RefCell<Kept> = const { RefCell::new(Kept { blocks: [const { Vec::new() }; CLASSES], bytes: 0 }) };
}

/// The size of the block that is taken for so many bytes.
pub(super) fn round_up(size: usize) -> usize {
    size.next_multiple_of(STEP)
}

/// A block of a size that was rounded up, if this thread has one.
pub(super) fn take(size: usize) -> Option<NonNull<u8>> {
    // A thread that is ending has none any more.
    let found = KEPT.try_with(|kept| {
        let mut kept = kept.try_borrow_mut().ok()?;
        let base = kept.blocks.get_mut(size / STEP)?.pop()?;
        kept.bytes -= size;
        Some(base)
    });
    found.ok().flatten()
}

/// Keeps a block that [`take`] or the allocator gave for such a size; false if there is no room.
pub(super) fn give(size: usize, base: NonNull<u8>) -> bool {
    let kept = KEPT.try_with(|kept| {
        let Ok(mut kept) = kept.try_borrow_mut() else { return false };
        let room = kept.bytes + size <= MOST && size.is_multiple_of(STEP) && size / STEP < CLASSES;
        if room {
            kept.bytes += size;
            kept.blocks[size / STEP].push(base);
        }
        room
    });
    kept.unwrap_or(false)
}
