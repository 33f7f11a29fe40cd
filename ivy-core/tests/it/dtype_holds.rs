//! Which dtypes hold the values of others.

use ivy_core::{Dtype, DtypeSet};

#[test]
fn what_holds_is_what_precise_promotion_keeps() {
    // Promotion to one of two dtypes says that it holds the other, except where a float
    // takes integers that it rounds: (64-bit integers, float64) and the like.
    for a in Dtype::all() {
        for b in Dtype::all() {
            if b.holds(a) {
                assert_eq!(ivy_core::Rules::Precise.lookup(a, b), Some(b), "{b} holds {a}");
            }
        }
    }
}

#[test]
fn widening_never_narrows() {
    let without = |d: Dtype| DtypeSet::ALL - d;
    assert_eq!(Dtype::BFLOAT16.widened_within(without(Dtype::BFLOAT16)), Some(Dtype::FLOAT32));
    assert_eq!(Dtype::FLOAT16.widened_within(without(Dtype::FLOAT16)), Some(Dtype::FLOAT32));
    let signed = DtypeSet::ALL - DtypeSet::UNSIGNED;
    assert_eq!(Dtype::UINT16.widened_within(signed), Some(Dtype::INT32));
    assert_eq!(Dtype::UINT32.widened_within(signed), Some(Dtype::INT64));
    assert_eq!(Dtype::UINT64.widened_within(signed), None);
    assert_eq!(Dtype::BOOL.widened_within(without(Dtype::BOOL)), Some(Dtype::INT8));
    assert_eq!(Dtype::FLOAT64.widened_within(without(Dtype::FLOAT64)), Some(Dtype::COMPLEX128));
    assert_eq!(Dtype::COMPLEX64.widened_within(without(Dtype::COMPLEX64)), Some(Dtype::COMPLEX128));
    for d in Dtype::all() {
        assert_eq!(d.widened_within(DtypeSet::ALL), Some(d));
        for wide in without(d).iter() {
            if let Some(w) = d.widened_within(wide.into()) {
                assert!(w.holds(d) && w == wide);
            }
        }
    }
}
