//! Switches of the engine.

use ivy_backend_jit::engine::Settings;

#[test]
fn switches_are_bits() {
    assert!(Settings::default().products && !Settings::of(0).folding);
    for bit in 0..Settings::default().bits().count_ones() {
        assert_eq!(Settings::of(1 << bit).bits(), 1 << bit);
    }
}
