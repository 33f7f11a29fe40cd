//! Large pages for large blocks. A block of many small pages costs a fault for each at first
//! and misses of the address cache whenever it is walked; Linux uses large pages where it is
//! asked to.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};

/// Blocks from this size on are worth it.
pub const SMALLEST: usize = 4 << 20;

static ON: AtomicBool = AtomicBool::new(true);

/// Turns the wish for large pages on or off, for blocks that are allocated from now on. Returns
/// the old setting. It changes no result, and nothing where the system has no such pages.
pub fn set_huge_pages(on: bool) -> bool {
    ON.swap(on, Ordering::Relaxed)
}

/// Asks for large pages under a fresh block. Whether the system follows makes no difference but
/// in speed.
///
/// # Safety
/// The block of `size` bytes at `base` is the caller's alone.
#[cfg(all(target_os = "linux", not(miri)))]
pub(super) unsafe fn advise(base: NonNull<u8>, size: usize) {
    const PAGE: usize = 4096;
    if size < SMALLEST || !ON.load(Ordering::Relaxed) {
        return;
    }
    let skipped = base.as_ptr().align_offset(PAGE);
    let whole = (size - skipped) / PAGE * PAGE;
    // SAFETY: the range lies in the block, and the advice keeps contents and addresses. It may be
    // refused, which is no error here.
    unsafe { libc::madvise(base.as_ptr().add(skipped).cast(), whole, libc::MADV_HUGEPAGE) };
}

/// Other systems decide by themselves.
///
/// # Safety
/// None is needed; the signature is that of the other form.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub(super) unsafe fn advise(_: NonNull<u8>, _: usize) {}
