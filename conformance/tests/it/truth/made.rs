//! Arrays made from nothing but numbers.

use ivy_conformance::truth::{Arg, Call, Keywords, Num, Tensor, Value, evaluate};
use ivy_core::Dtype;
use ivy_core::function::ParamValue;

fn of(function: &str, operands: &[Arg], keywords: Keywords, dtype: Dtype) -> Vec<Vec<f64>> {
    let outputs = [dtype];
    let call = Call { function, operands, keywords: &keywords, compute: dtype, outputs: &outputs };
    let number = |value: &Value| match value {
        Value::Exact(x) => x.re(),
        Value::Near { re, .. } => re.hi,
        other => panic!("{other:?}"),
    };
    let truths = evaluate(&call).expect("it has a truth");
    truths.iter().map(|t| t.data.iter().map(number).collect()).collect()
}

#[test]
fn by_hand() {
    let int = |name, i| (name, ParamValue::Int(i));
    let array = |data: &[i128]| {
        Arg::Array(Tensor::new(Dtype::INT64, &[data.len()], data.iter().map(|&i| Num::Int(i))))
    };
    let rows = of("triu_indices", &[], vec![int("n_rows", 2), int("n_cols", 3)], Dtype::INT64);
    assert_eq!(rows, [[0.0, 0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 2.0, 1.0, 2.0]]);
    let hann = of("hann_window", &[], vec![int("size", 4)], Dtype::FLOAT64);
    assert_eq!(hann, [[0.0, 0.5, 1.0, 0.5]]);
    let hot = of("one_hot", &[array(&[1, -1])], vec![int("depth", 2)], Dtype::INT64);
    assert_eq!(hot, [[0.0, 1.0, 0.0, 0.0]]);
    let data = [array(&[1, 2, 4]), array(&[1, -1, 1])];
    let sums = of("unsorted_segment_sum", &data, vec![int("num_segments", 2)], Dtype::INT64);
    assert_eq!(sums, [[0.0, 5.0]]);
    let ends = [array(&[0]), array(&[2])];
    let powers = of("logspace", &ends, vec![int("num", 3)], Dtype::FLOAT64);
    assert!(powers[0].iter().zip([1.0, 10.0, 100.0]).all(|(a, b)| (a - b).abs() < 1e-12 * b));
}
