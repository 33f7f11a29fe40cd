//! Stretches of a row.

use ivy_backend_jit::internals::{STRETCH, stretches, turns};

#[test]
fn stretches_are_the_row() {
    for row in [1, 5, STRETCH - 1, STRETCH, STRETCH + 1, 3 * STRETCH, 5 * STRETCH + 77] {
        let all: Vec<usize> = stretches(row).flatten().collect();
        assert!(all.iter().copied().eq(0..row), "{row}");
        assert!(stretches(row).all(|s| s.len() >= STRETCH.min(row)), "{row}");
    }
}

#[test]
fn every_other_row_is_walked_from_the_end() {
    let some = 3 << 19;
    assert_eq!(
        [turns(some), turns(100), turns(some), turns(some), turns(8 << 20), turns(some)],
        [true, false, false, true, false, false]
    );
}
