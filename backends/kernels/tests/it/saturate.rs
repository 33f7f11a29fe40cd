//! Saturating casts from floats to integers.

use ivy_kernels::internals::Saturating;

macro_rules! as_the_language_does {
    ($($t:ident)*) => {$(
        for i in 0..40_000_u64 {
            let bits = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ i << 7;
            let edge = $t::MIN as f64 + [0.0, 1.0, -1.0, 0.5, -0.5][i as usize % 5];
            let top = $t::MAX as f64 + [0.0, 1.0, -1.0, 0.5, -0.5][i as usize % 5];
            for base in [edge, top, f64::from_bits(bits), (bits as i64 >> (i % 64)) as f64] {
                for x in [base, base.next_up(), base.next_down(), -base] {
                    assert_eq!($t::from_f64(x), x as $t, "{x}");
                    let y = x as f32;
                    for x in [y, y.next_up(), y.next_down(), f32::from_bits(bits as u32)] {
                        assert_eq!($t::from_f32(x), x as $t, "{x}");
                    }
                }
            }
        }
        for x in [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 5e-324, f64::MAX] {
            assert_eq!(($t::from_f64(x), $t::from_f32(x as f32)), (x as $t, x as f32 as $t), "{x}");
        }
    )*};
}

#[test]
fn saturation_is_that_of_the_language() {
    as_the_language_does!(i8 i16 i32 i64 u8 u16 u32 u64);
}
