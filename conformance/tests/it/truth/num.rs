//! Conversions between dtypes.

use half::{bf16, f16};
use ivy_conformance::truth::Num;
use ivy_conformance::truth::num::{cast, round_float, round_int, round_pair, ulp, wrap};
use ivy_core::Dtype;

#[test]
fn every_half_width_pattern_rounds_to_itself_and_its_neighbourhood_rounds_once() {
    for bits in 0..=u16::MAX {
        for (dtype, x) in [
            (Dtype::FLOAT16, f16::from_bits(bits).to_f64()),
            (Dtype::BFLOAT16, bf16::from_bits(bits).to_f64()),
        ] {
            if x.is_nan() {
                assert!(round_float(x, dtype).is_nan());
                continue;
            }
            assert_eq!(round_float(x, dtype).to_bits(), x.to_bits());
            // Less than half a unit off comes back; the float64 next to a tie goes its own way.
            let near = x + ulp(x, dtype) * 0.49;
            if x.is_finite() && x > 0.0 {
                assert_eq!(round_float(near, dtype), x);
                let tie = x + ulp(x, dtype) * 0.5;
                let up = round_float(f64::from_bits(tie.to_bits() + 1), dtype);
                assert!(up > x, "{dtype} {x} {up}");
                assert_eq!(round_pair(tie, tie * 1e-17, dtype), up);
                assert_eq!(round_pair(tie, -tie * 1e-17, dtype), x);
            }
        }
    }
}

#[test]
fn float32_rounding_is_the_machines() {
    let mut state = 1u64;
    for _ in 0..200_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let x = f64::from_bits(state);
        let (ours, machine) = (round_float(x, Dtype::FLOAT32), f64::from(x as f32));
        assert!(ours.is_nan() && machine.is_nan() || ours.to_bits() == machine.to_bits(), "{x:e}");
    }
}

#[test]
fn integers_wrap_round_once_and_floats_saturate() {
    assert_eq!(wrap(200, Dtype::INT8), -56);
    assert_eq!(wrap(-1, Dtype::UINT64), u64::MAX.into());
    // 2^24 + 1 + a little: through float32 it would be a tie and go down twice.
    assert_eq!(round_int((1 << 40) + (1 << 16) + 1, Dtype::FLOAT32), (1u64 << 40) as f64 + 131072.0);
    assert_eq!(cast(Num::Float(1e9), Dtype::INT8).int(), 127);
    assert_eq!(cast(Num::Float(f64::NAN), Dtype::INT32).int(), 0);
    assert!(matches!(cast(Num::Complex(0.0, f64::NAN), Dtype::BOOL), Num::Bool(true)));
}

#[test]
fn magnitudes_are_those_of_the_part_that_is_a_number() {
    assert_eq!(Num::Complex(3.0, -4.0).magnitude(), 5.0);
    assert_eq!(Num::Complex(f64::NAN, -4.0).magnitude(), 4.0);
    assert_eq!(Num::Complex(-3.0, f64::NAN).magnitude(), 3.0);
    assert_eq!(Num::Complex(f64::INFINITY, f64::NAN).magnitude(), f64::INFINITY);
}
