//! Host memory: reference-counted, aligned blocks, one allocation each, of which the large ones
//! are recycled.
//!
//! # Invariants
//!
//! - A `Buffer` points to a live `Header`; `refs` counts the `Buffer`s that point to it. The
//!   last one to go drops the header and, for owned memory, gives the block back.
//! - `data` points to `len` initialized bytes that live as long as the header: behind it in
//!   the same block (owned), or kept alive by `_owner` (foreign). An owned header stands `before` bytes behind the
//!   beginning of its block.
//! - Bytes are written only while one handle exists ([`UniqueBuffer`], [`Buffer::unique_bytes`]), and
//!   foreign memory never.

use super::{huge, pool};
use std::{
    alloc::Layout,
    any::Any,
    cell::Cell,
    mem::MaybeUninit,
    ptr::NonNull,
    slice,
    sync::atomic::{AtomicUsize, Ordering, fence},
};

/// Alignment of owned memory from 1 KiB on, in bytes: a cache line, and the widest vector
/// register. Smaller blocks are aligned for every element only: system allocators take more
/// than twice as long for any wider alignment.
pub const ALIGN: usize = 64;
/// Blocks from this size on, header and all, have that alignment.
pub const SMALL: usize = 1 << 10;
/// The alignment of smaller ones.
pub const SMALL_ALIGN: usize = 16;
/// Bytes before the elements.
pub const HEADER: usize = 64;

/// Blocks from this size on are asked for with the small alignment, and aligned within themselves: so the system gives
/// memory of zeros as it is, and need not write them.
pub const LARGE: usize = 1 << 20;

struct Header {
    refs: AtomicUsize,
    data: *mut u8,
    len: usize,
    /// Bytes of the whole block; 0 for foreign memory, whose header is boxed.
    block: usize,
    /// Bytes of the block before the header.
    before: usize,
    /// Keeps foreign memory alive; read by nobody but its destructor.
    _owner: Option<Box<dyn Any + Send + Sync>>,
}

const _: () = assert!(size_of::<Header>() <= HEADER && align_of::<Header>() <= SMALL_ALIGN);

/// Shared, read-only bytes in host memory. Cloning counts a reference.
pub struct Buffer(NonNull<Header>);

// SAFETY: the bytes are immutable while shared, the count is atomic, and the owner is Send and Sync.
unsafe impl Send for Buffer {}
// SAFETY: as above; `&Buffer` gives read access only.
unsafe impl Sync for Buffer {}

/// A block that one handle owns and that is not yet (known to be) initialized.
pub struct UniqueBuffer(Buffer);

fn block_layout(block: usize) -> Layout {
    let align = if (SMALL..LARGE).contains(&block) { ALIGN } else { SMALL_ALIGN };
    // SAFETY: the alignment is a power of two, and `allocate` lets no block above isize::MAX through.
    unsafe { Layout::from_size_align_unchecked(block, align) }
}

/// Gives a block back to the system.
///
/// # Safety
/// The block was allocated with this size here, and nobody has it any more.
pub(super) unsafe fn release(size: usize, base: NonNull<u8>) {
    // SAFETY: the caller's promise.
    unsafe { std::alloc::dealloc(base.as_ptr(), block_layout(size)) }
}

impl UniqueBuffer {
    /// A block of `len` bytes with any content, or `None` if the system has no memory for it.
    pub fn allocate(len: usize) -> Option<UniqueBuffer> {
        // SAFETY: the size is not zero: it holds the header.
        UniqueBuffer::from_pool(len, |size| NonNull::new(unsafe { std::alloc::alloc(block_layout(size)) }))
    }

    /// A block for `len` bytes, recycled or by `allocate`.
    fn from_pool(len: usize, allocate: impl Fn(usize) -> Option<NonNull<u8>>) -> Option<UniqueBuffer> {
        let wanted = len.checked_add(HEADER).filter(|&n| n <= isize::MAX as usize - 2 * ALIGN)?;
        // The pool rounds up, by less than to twice as much.
        let room = if wanted < LARGE / 2 { wanted } else { wanted + ALIGN };
        let (block, base) = pool::take(room, |size| {
            let base = allocate(size)?;
            // SAFETY: the block is new, and nobody else's.
            unsafe { huge::advise(base, size) };
            Some(base)
        })?;
        let align = if block < SMALL { SMALL_ALIGN } else { ALIGN };
        let before = base.align_offset(align);
        // SAFETY: what is small is aligned already, and what is large has room for this.
        let header = unsafe { base.add(before) }.cast::<Header>();
        // SAFETY: the place is aligned, and the block large enough for a header and `len` bytes behind it.
        unsafe {
            let data = header.cast::<u8>().as_ptr().add(HEADER);
            header.write(Header { refs: AtomicUsize::new(1), data, len, block, before, _owner: None });
        }
        Some(UniqueBuffer(Buffer(header)))
    }

    /// The bytes as elements of `T`, not yet initialized.
    ///
    /// # Panics
    /// If the length is no multiple of `T`'s size or `T`'s alignment is above 16.
    #[inline]
    pub fn as_uninit<T: Copy>(&mut self) -> &mut [MaybeUninit<T>] {
        assert!(align_of::<T>() <= SMALL_ALIGN && self.0.len().is_multiple_of(size_of::<T>()));
        let header = self.0.header();
        // SAFETY: this handle is the only one; the memory is aligned and `len` bytes long.
        unsafe { slice::from_raw_parts_mut(header.data.cast(), header.len / size_of::<T>()) }
    }

    /// The finished buffer.
    ///
    /// # Safety
    /// Every byte was written.
    #[inline]
    pub unsafe fn assume_init(self) -> Buffer {
        self.0
    }
}

impl Buffer {
    /// A block with a copy of the bytes, or `None` without memory.
    pub fn copy_from(bytes: &[u8]) -> Option<Buffer> {
        let mut block = UniqueBuffer::allocate(bytes.len())?;
        for (to, from) in block.as_uninit::<u8>().iter_mut().zip(bytes) {
            to.write(*from);
        }
        // SAFETY: every byte was written.
        Some(unsafe { block.assume_init() })
    }

    /// A block of `len` bytes that are 0, or `None` without memory. A large one that is not recycled comes from the
    /// system as zeros, whose pages take memory and time when they are first written.
    pub fn zeroed(len: usize) -> Option<Buffer> {
        let fresh = Cell::new(false);
        let mut block = UniqueBuffer::from_pool(len, |size| {
            fresh.set(true);
            // SAFETY: the size is not zero: it holds the header.
            NonNull::new(unsafe { std::alloc::alloc_zeroed(block_layout(size)) })
        })?;
        if !fresh.get() {
            block.as_uninit::<u8>().fill(MaybeUninit::new(0));
        }
        // SAFETY: every byte was written, or is new and was asked for as 0.
        Some(unsafe { block.assume_init() })
    }

    /// The memory of a vector, without a copy.
    pub fn from_vec<T: Copy + Send + Sync + 'static>(values: Vec<T>) -> Buffer {
        let (data, len) = (values.as_ptr(), size_of_val(values.as_slice()));
        // SAFETY: the vector is moved into the owner, which keeps its heap memory in place.
        unsafe { Buffer::from_foreign(data.cast(), len, Box::new(values)) }
    }

    /// Borrowed memory that `owner` keeps alive; read-only here.
    ///
    /// # Safety
    /// `data` points to `len` initialized bytes, without padding, that stay unchanged and in
    /// place until `owner` is dropped.
    pub unsafe fn from_foreign(data: *const u8, len: usize, owner: Box<dyn Any + Send + Sync>) -> Buffer {
        let header = Header {
            refs: AtomicUsize::new(1),
            data: data.cast_mut(),
            len,
            block: 0,
            before: 0,
            _owner: Some(owner),
        };
        Buffer(NonNull::from(Box::leak(Box::new(header))))
    }

    #[inline]
    fn header(&self) -> &Header {
        // SAFETY: the first invariant.
        unsafe { self.0.as_ref() }
    }

    /// Length in bytes.
    #[inline]
    pub fn len(&self) -> usize {
        self.header().len
    }

    /// True if there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Address of the first byte.
    #[inline]
    pub fn as_ptr(&self) -> *const u8 {
        self.header().data
    }

    /// The bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        let header = self.header();
        if header.len == 0 {
            return &[];
        }
        // SAFETY: the second invariant.
        unsafe { slice::from_raw_parts(header.data, header.len) }
    }

    /// The bytes for writing, if this is the only handle and the memory is our own.
    pub fn unique_bytes(&mut self) -> Option<&mut [u8]> {
        let header = self.header();
        if header.block == 0 || header.refs.load(Ordering::Acquire) != 1 {
            return None;
        }
        // SAFETY: no other handle exists, and none can appear while `self` is borrowed.
        Some(unsafe { slice::from_raw_parts_mut(header.data, header.len) })
    }

    /// True if both share one block.
    pub fn same_block(&self, other: &Buffer) -> bool {
        self.0 == other.0
    }
}

impl Clone for Buffer {
    #[inline]
    fn clone(&self) -> Buffer {
        self.header().refs.fetch_add(1, Ordering::Relaxed);
        Buffer(self.0)
    }
}

impl Drop for Buffer {
    #[inline]
    fn drop(&mut self) {
        // A count of one is this handle's: no other can appear, so nothing need be counted down.
        if self.header().refs.load(Ordering::Acquire) != 1 {
            if self.header().refs.fetch_sub(1, Ordering::Release) != 1 {
                return;
            }
            fence(Ordering::Acquire);
        }
        let block = self.header().block;
        if block == 0 {
            // SAFETY: foreign headers are boxed, and this was the last handle.
            drop(unsafe { Box::from_raw(self.0.as_ptr()) });
            return;
        }
        // SAFETY: the block begins so many bytes before its header.
        let base = unsafe { self.0.cast::<u8>().sub(self.header().before) };
        // An owned header has no owner, so there is nothing in it to drop.
        pool::give(block, base, |size, base| {
            // SAFETY: allocated with this size, and this was the last handle.
            unsafe { release(size, base) }
        });
    }
}

impl std::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Buffer({} bytes)", self.len())
    }
}
