//! Samples of images, and windows as columns.

use super::floats_of as of;
use ivy_conformance::truth::{Arg, Num, Tensor};
use ivy_core::Dtype;
use ivy_core::function::ParamValue;

#[test]
fn by_hand() {
    let floats = |shape: &[usize], data: &[f64]| {
        Arg::Array(Tensor::new(Dtype::FLOAT64, shape, data.iter().map(|&x| Num::Float(x))))
    };
    let word = |name, word: &str| (name, ParamValue::Text(word.into()));
    let both = [floats(&[1, 1, 4], &[1.0, 2.0, 4.0, 8.0]), floats(&[1, 4, 1], &[-1.0, 0.0, 0.5, 1.5])];
    assert_eq!(of("grid_sample", &both, vec![]), [0.5, 3.0, 6.0, 0.0]);
    let mirror = word("padding_mode", "reflection");
    assert_eq!(of("grid_sample", &both, vec![mirror]), [1.0, 3.0, 6.0, 6.0]);
    assert_eq!(of("grid_sample", &both, vec![word("mode", "nearest")]), [1.0, 4.0, 4.0, 0.0]);
    let x = [floats(&[1, 2, 2], &[1.0, 2.0, 10.0, 20.0])];
    let size = |name, n| (name, ParamValue::Ints(vec![n]));
    let keywords = vec![size("output_size", 3), size("kernel_size", 2)];
    assert_eq!(of("col2im", &x, keywords), [1.0, 12.0, 20.0]);
    assert_eq!(of("im2col", &x, vec![size("kernel_size", 2)]), [1.0, 2.0, 10.0, 20.0]);
}
