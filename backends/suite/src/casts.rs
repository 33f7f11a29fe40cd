//! Casts: from every dtype to every other, and at the halfway points.

use crate::{Near, Subject, edges, reference};
use ivy_core::host::HostArray;
use ivy_core::{Dtype, Op};

/// Casts of edge values.
pub fn casts_between_all_dtypes(subject: &Subject) {
    let mut seen = 0;
    for from in subject.dtypes() {
        for to in subject.dtypes() {
            for shape in [vec![], vec![7, 9], vec![0, 2]] {
                seen += subject.check(&Op::Cast { dtype: to }, &[&edges(from, shape, 0)], Near::Same);
            }
        }
    }
    assert_eq!(seen, 3 * (15 * 15 - 2 * 12));
}

/// Casts of float64 about the halfway points of narrower floats.
pub fn float64_rounds_once(subject: &Subject) {
    // Halfway cases of the narrow float in float32, and just beside them in float64.
    let values: Vec<f64> = (0..2000)
        .flat_map(|i| {
            let x = 1.0 + f64::from(i) * 2f64.powi(-11);
            [x, x + 2f64.powi(-40), x - 2f64.powi(-40), x * 2f64.powi(-20), -x * 2f64.powi(-134)]
        })
        .collect();
    let array = HostArray::from_vec(values, 10_000.into()).unwrap();
    for to in [Dtype::FLOAT16, Dtype::BFLOAT16, Dtype::FLOAT32] {
        assert_eq!(subject.check(&Op::Cast { dtype: to }, &[&array], Near::Same), 1);
    }
}

/// Casts of integers about the halfway points of floats.
pub fn integers_round_once(subject: &Subject) {
    // About the halfway points of bfloat16 where float32 has no more room for the last bits,
    // and about the end of float16.
    let near = |x: i64| [x - 1, x, x + 1, -x - 1, -x, 1 - x];
    let halfway = (25..31).flat_map(|e| [1, 3, 5].map(|i| (1i64 << e) + i * (1 << (e - 8))));
    let values: Vec<i64> = halfway.chain([65504, 65519, 65520, 65535, 1 << 24]).flat_map(near).collect();
    for from in [Dtype::INT32, Dtype::INT64, Dtype::UINT32, Dtype::UINT64, Dtype::UINT16] {
        let wide = HostArray::from_vec(values.clone(), values.len().into()).unwrap();
        let array = reference(&Op::Cast { dtype: from }, &[&wide]).unwrap().remove(0);
        for to in [Dtype::FLOAT16, Dtype::BFLOAT16, Dtype::FLOAT32] {
            assert_eq!(subject.check(&Op::Cast { dtype: to }, &[&array], Near::Same), 1);
        }
    }
}
