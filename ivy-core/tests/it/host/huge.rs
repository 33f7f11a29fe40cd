//! Blocks of large pages.

use ivy_core::host::Buffer;
use ivy_core::host::set_huge_pages;
use ivy_core::internals::HUGE_SMALLEST as SMALLEST;

#[test]
fn blocks_hold_the_same_with_and_without() {
    let bytes: Vec<u8> = (0..SMALLEST + 12_345).map(|i| (i % 251) as u8).collect();
    for on in [true, false] {
        set_huge_pages(on);
        let buffer = Buffer::copy_from(&bytes).expect("there is memory");
        assert!(buffer.bytes() == bytes, "large pages {on}");
    }
    set_huge_pages(true);
}
