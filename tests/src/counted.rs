//! The system's allocator, with a count of the bytes in use.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The bytes in use.
pub static LIVE: AtomicUsize = AtomicUsize::new(0);
/// The most of them, since somebody set it.
pub static PEAK: AtomicUsize = AtomicUsize::new(0);

/// An allocator that refuses requests of which a function of their bytes, which allocates nothing itself, says so.
pub struct Counted(pub fn(usize) -> bool);

// SAFETY: what is not refused goes to the system's allocator with the layout and the pointer that the caller gave,
// and what that one gives comes back as it is; a request that is refused gets none.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let size = layout.size();
        if (self.0)(size) {
            return std::ptr::null_mut();
        }
        let live = LIVE.fetch_add(size, Relaxed) + size;
        PEAK.fetch_max(live, Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}
