//! The order of a chain of matrix products.

use ivy_core::internals::best_splits;

#[test]
fn the_cheaper_half_comes_first() {
    // (10 by 100) (100 by 5) (5 by 50): the first two first.
    assert_eq!(best_splits(&[10, 100, 5, 50])[0][2], 1);
    // (50 by 5) (5 by 100) (100 by 10): the last two first.
    assert_eq!(best_splits(&[50, 5, 100, 10])[0][2], 0);
}
