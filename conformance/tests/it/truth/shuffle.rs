//! Shuffled channels and unfolded tensors.

use super::floats_of as of;
use ivy_conformance::truth::{Arg, Num, Tensor};
use ivy_core::Dtype;
use ivy_core::function::ParamValue;

#[test]
fn by_hand() {
    let numbers = |shape: &[usize]| {
        let n: usize = shape.iter().product();
        Arg::Array(Tensor::new(Dtype::FLOAT64, shape, (0..n).map(|i| Num::Int(i as i128))))
    };
    let int = |name, i| (name, ParamValue::Int(i));
    assert_eq!(
        of("pixel_shuffle", &[numbers(&[4, 1, 2])], vec![int("factor", 2)]),
        [0.0, 2.0, 1.0, 3.0, 4.0, 6.0, 5.0, 7.0]
    );
    assert_eq!(of("channel_shuffle", &[numbers(&[1, 4])], vec![int("groups", 2)]), [0.0, 2.0, 1.0, 3.0]);
    assert_eq!(of("unfold", &[numbers(&[2, 3])], vec![int("mode", 1)]), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    assert_eq!(of("glu", &[numbers(&[2])], vec![]), [0.0]);
    let p = ("p", ParamValue::Float(1.0));
    assert_eq!(of("cdist", &[numbers(&[2, 2]), numbers(&[1, 2])], vec![p]), [0.0, 4.0]);
}
