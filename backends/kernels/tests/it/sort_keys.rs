//! Sort keys of small dtypes, exhaustively.

use half::f16;
use ivy_kernels::internals::Keyed;

#[test]
fn keys_of_small_floats_order_and_come_back() {
    let mut all: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).filter(|x| !x.is_nan()).collect();
    all.sort_by(f16::total_cmp);
    for pair in all.windows(2) {
        assert!(pair[0].key::<false>() < pair[1].key::<false>());
        assert!(pair[0].key::<true>() > pair[1].key::<true>());
    }
    for x in all {
        assert_eq!(f16::from_key::<false>(x.key::<false>()).to_bits(), x.to_bits());
        assert_eq!(f16::from_key::<true>(x.key::<true>()).to_bits(), x.to_bits());
        assert!(x.key::<true>() < u16::MAX && x.key::<false>() < u16::MAX);
    }
    for x in [f16::NAN, -f16::NAN, f16::from_bits(0xffff), f16::from_bits(0x7c01)] {
        assert_eq!((x.key::<false>(), x.key::<true>()), (u16::MAX, u16::MAX));
        assert!(f16::from_key::<false>(u16::MAX).is_nan() && f16::from_key::<true>(u16::MAX).is_nan());
    }
}

#[test]
fn keys_of_integers_come_back() {
    for x in i8::MIN..=i8::MAX {
        assert_eq!(i8::from_key::<true>(x.key::<true>()), x);
        assert_eq!(i8::from_key::<false>(x.key::<false>()), x);
        assert!(x == i8::MAX || x.key::<false>() < (x + 1).key::<false>());
        assert!(x == i8::MAX || x.key::<true>() > (x + 1).key::<true>());
    }
}
