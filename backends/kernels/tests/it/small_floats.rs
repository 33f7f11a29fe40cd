//! Conversions of 16-bit floats: exact one way, rounded to nearest, ties to even, the other.

use half::{bf16, f16};
use ivy_kernels::internals::Real;

#[test]
fn every_small_float_widens_exactly_and_comes_back() {
    for bits in 0..=u16::MAX {
        let (h, b) = (f16::from_bits(bits), bf16::from_bits(bits));
        if h.is_nan() {
            assert!(h.single().is_nan() && f16::nearest(h.widen()).is_nan());
        } else {
            assert_eq!(h.single().to_bits(), h.to_f32().to_bits());
            assert_eq!(f16::nearest(h.widen()).to_bits(), bits);
        }
        if b.is_nan() {
            assert!(b.single().is_nan() && bf16::nearest(b.widen()).is_nan());
        } else {
            assert_eq!(b.widen().to_bits(), b.to_f64().to_bits());
            assert_eq!(bf16::nearest(b.widen()).to_bits(), bits);
        }
    }
}

#[test]
fn ties_are_decided_by_every_bit_of_a_float64() {
    for bits in (0..0x7bff_u16).step_by(7) {
        let (low, high) = (f16::from_bits(bits), f16::from_bits(bits + 1));
        let middle = (low.widen() + high.widen()) / 2.0;
        let (below, above) = (middle.next_down(), middle.next_up());
        assert_eq!(f16::nearest(below).to_bits(), bits);
        assert_eq!(f16::nearest(above).to_bits(), bits + 1);
        assert_eq!(f16::nearest(middle).to_bits(), bits + bits % 2);
        assert_eq!(f16::nearest(-above).to_bits(), (bits + 1) | 0x8000);
    }
    assert_eq!(f16::nearest(65519.999), f16::MAX);
    assert_eq!(f16::nearest(65520.0), f16::INFINITY);
    assert_eq!(bf16::nearest(1e300), bf16::INFINITY);
    assert_eq!(f16::nearest(1e-300).to_bits(), 0);
}
