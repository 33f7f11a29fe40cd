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

#[cfg(test)]
mod tests {
    use crate::host::{Buffer, set_pool_limit};

    #[test]
    fn blocks_come_back_to_their_thread() {
        let address = |len: usize| Buffer::copy_from(&vec![3; len]).unwrap().as_ptr() as usize;
        for len in [1 << 10, 4 << 10, 20_000, (32 << 10) - 600] {
            let first = address(len);
            assert_eq!(first % 64, 0);
            assert_eq!(address(len), first, "{len} bytes");
            // What is held is not given away.
            let held = Buffer::copy_from(&vec![1; len]).unwrap();
            assert_ne!(address(len), held.as_ptr() as usize);
            assert!(held.bytes().iter().all(|&b| b == 1));
        }
        // Many, of several sizes, in and out of order, and from another thread.
        let all: Vec<Buffer> =
            (0..2000).map(|i| Buffer::copy_from(&vec![i as u8; 1000 + i * 7]).unwrap()).collect();
        assert!(all.iter().enumerate().all(|(i, b)| b.bytes().iter().all(|&x| x == i as u8)));
        std::thread::spawn(move || drop(all)).join().unwrap();
        let before = set_pool_limit(0);
        drop(Buffer::copy_from(&[2; 5000]).unwrap());
        set_pool_limit(before);
    }
}
