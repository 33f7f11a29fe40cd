//! Small blocks of memory.

use ivy_core::host::{Buffer, set_pool_limit};

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
