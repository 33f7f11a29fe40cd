//! softmax, where a backend has a form of its own.

use crate::Subject;
use ivy_core::functional::Softmax;
use ivy_core::host::HostArray;
use ivy_core::{Dtype, Result};

/// Lines sum to one, large values do not overflow, NaN spreads along its line, and what has no
/// elements or no such axis is refused.
pub fn own_softmax(subject: &Subject) {
    let softmax = ivy_core::function::find_function("softmax").expect("it is registered");
    assert!(subject.backend.support_function(softmax, &[Dtype::FLOAT64]).is_some(), "a form of its own");
    let along = |values: Vec<f64>, shape: &[usize], axis: i64| -> Result<Vec<f64>> {
        let x = subject
            .stored(&HostArray::from_vec(values, shape.into()).expect("as many values as the shape has"));
        let params = Softmax::new().axis(axis);
        let out = subject
            .backend
            .execute_function(softmax, &params, &[&x])?
            .expect("a form for all of these")
            .remove(0);
        assert_eq!((out.dtype, &out.shape[..]), (Dtype::FLOAT64, shape));
        subject.backend.to_host(&out)?.to_vec()
    };
    let values: Vec<f64> = (0..24).map(|i| f64::from(i * 7 % 11) - 5.0).collect();
    for (axis, length, step) in [(0, 2, 12), (1, 3, 4), (-1, 4, 1)] {
        let out = along(values.clone(), &[2, 3, 4], axis).expect("an axis of it");
        let at = |i: usize| {
            let start = i / (step * length) * step * length + i % step;
            let line = (0..length).map(|j| values[start + j * step].exp());
            values[i].exp() / line.sum::<f64>()
        };
        for (i, got) in out.iter().enumerate() {
            assert!((got - at(i)).abs() < 1e-15, "axis {axis}, element {i}: {got}");
        }
    }
    assert_eq!(along(vec![1e300, 1e300], &[2], 0).expect("one axis"), [0.5, 0.5]);
    let out = along(vec![1.0, f64::NAN, 0.0, 0.0], &[2, 2], 1).expect("two axes");
    assert!(out[0].is_nan() && out[1].is_nan() && out[2..] == [0.5, 0.5]);
    assert!(along(vec![], &[0, 3], 1).expect("lines of three").is_empty());
    let kind = |r: Result<Vec<f64>>| format!("{:?}", r.expect_err("nothing to compute").kind());
    assert!(kind(along(vec![], &[0, 3], 0)).starts_with("EmptyReduction"));
    assert!(kind(along(vec![], &[0, 3], 2)).starts_with("AxisOutOfRange"));
}
