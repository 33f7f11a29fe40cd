//! Blocks of host memory.

use ivy_core::host::{ALIGN, Buffer, UniqueBuffer};
use ivy_core::internals::{HEADER, LARGE, SMALL, SMALL_ALIGN};
use std::mem::MaybeUninit;

#[test]
fn owned_memory_is_shared_and_written_only_when_unique() {
    let mut a = Buffer::copy_from(&[1, 2, 3]).unwrap();
    let b = a.clone();
    assert!(a.unique_bytes().is_none() && a.same_block(&b));
    drop(b);
    a.unique_bytes().unwrap()[0] = 9;
    assert_eq!(a.bytes(), [9, 2, 3]);
    for len in [0, 1, SMALL - HEADER - 1, SMALL - HEADER, 1 << 16] {
        let a = Buffer::copy_from(&vec![1; len]).unwrap();
        let align = if len + HEADER < SMALL { SMALL_ALIGN } else { ALIGN };
        assert_eq!(a.as_ptr() as usize % align, 0, "{len} bytes");
    }
}

#[test]
fn foreign_memory_is_read_only_and_freed() {
    let mut b = Buffer::from_vec(vec![1u16, 2]);
    assert!(b.unique_bytes().is_none());
    assert_eq!(b.bytes(), [1, 0, 2, 0]);
    assert!(Buffer::from_vec(Vec::<f64>::new()).bytes().is_empty());
}

/// Lengths around the sizes at which memory is aligned, recycled and asked for in other ways.
fn lengths() -> impl Iterator<Item = usize> {
    let sizes = [1, 64, SMALL, 32 << 10, LARGE / 2, LARGE, 3 * LARGE];
    sizes.into_iter().flat_map(|size| [size - 1, size, size + 1, (size + 7).saturating_sub(HEADER)])
}

#[test]
fn zeros_are_zeros_in_memory_that_was_used_before() {
    for len in lengths() {
        let mut used = UniqueBuffer::allocate(len).unwrap();
        used.as_uninit::<u8>().fill(MaybeUninit::new(0xff));
        drop(used);
        let zeros = Buffer::zeroed(len).unwrap();
        assert_eq!(zeros.len(), len);
        assert!(zeros.bytes().iter().all(|&x| x == 0), "{len} bytes");
    }
    assert!(Buffer::zeroed(usize::MAX).is_none() && Buffer::zeroed(isize::MAX as usize).is_none());
}

#[test]
fn owned_memory_is_aligned() {
    for len in lengths() {
        let align = if len + HEADER < SMALL { SMALL_ALIGN } else { ALIGN };
        let zeros = Buffer::zeroed(len).unwrap();
        let copied = Buffer::copy_from(&vec![1; len]).unwrap();
        for block in [&zeros, &copied] {
            assert_eq!(block.as_ptr() as usize % align, 0, "{len} bytes");
        }
        // To the last byte it is its own.
        assert!(copied.bytes().iter().all(|&x| x == 1) && zeros.bytes().iter().all(|&x| x == 0));
    }
}

#[test]
fn large_blocks_come_back_from_the_pool() {
    let a = Buffer::copy_from(&vec![7; 1 << 20]).unwrap();
    let address = a.as_ptr();
    drop(a);
    let b = UniqueBuffer::allocate(1 << 20).unwrap();
    // Another test's thread may have taken the block, so only the content is certain.
    let b = {
        let mut b = b;
        b.as_uninit::<u8>().iter_mut().for_each(|x| {
            x.write(1);
        });
        unsafe_init(b)
    };
    assert!(b.bytes().iter().all(|&x| x == 1));
    let _ = address;
}

fn unsafe_init(b: UniqueBuffer) -> Buffer {
    // SAFETY: the caller wrote every byte.
    unsafe { b.assume_init() }
}

#[test]
fn impossible_sizes_are_refused() {
    assert!(UniqueBuffer::allocate(usize::MAX).is_none());
    assert!(UniqueBuffer::allocate(isize::MAX as usize).is_none());
}
