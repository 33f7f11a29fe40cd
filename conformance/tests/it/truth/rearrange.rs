//! Rearranged arrays.

use ivy_conformance::truth::num::cast;
use ivy_conformance::truth::{Arg, Call, Keywords, Num, Tensor, Value, evaluate};
use ivy_core::Dtype;
use ivy_core::function::ParamValue;

fn of(function: &str, operands: &[(&[usize], &[i128])], keywords: Keywords) -> Vec<Vec<i128>> {
    let dtype = Dtype::INT32;
    let array = |(shape, data): &(&[usize], &[i128])| {
        Arg::Array(Tensor::new(dtype, shape, data.iter().map(|&i| Num::Int(i))))
    };
    let operands: Vec<Arg> = operands.iter().map(array).collect();
    let (compute, outputs) = (Dtype::INT32, &[Dtype::INT32][..]);
    let call = Call { function, operands: &operands, keywords: &keywords, compute, outputs };
    let int = |value: &Value| match value {
        Value::Exact(x) => cast(*x, Dtype::INT64).int(),
        other => panic!("{other:?}"),
    };
    let truths = evaluate(&call).expect("it has a truth");
    truths.iter().map(|t| t.data.iter().map(int).collect()).collect()
}

#[test]
fn by_hand() {
    let six: (&[usize], &[i128]) = (&[2, 3], &[1, 2, 3, 4, 5, 6]);
    let int = |name, i| (name, ParamValue::Int(i));
    assert_eq!(of("rot90", &[six], vec![]), [[3, 6, 2, 5, 1, 4]]);
    assert_eq!(of("rot90", &[six], vec![int("k", -1)]), [[4, 1, 5, 2, 6, 3]]);
    assert_eq!(of("flatten", &[six], vec![("order", ParamValue::Text("F".into()))]), [[1, 4, 2, 5, 3, 6]]);
    let parts = vec![int("axis", 1), int("num_or_size_splits", 2)];
    assert_eq!(of("split", &[six], parts), [vec![1, 2, 4, 5], vec![3, 6]]);
    assert_eq!(of("hstack", &[six, (&[2, 1], &[8, 9])], vec![]), [[1, 2, 3, 8, 4, 5, 6, 9]]);
    assert_eq!(of("top_k", &[(&[4], &[2, 7, 7, 1])], vec![int("k", 3)]), [[7, 7, 2], [1, 2, 0]]);
    let put = [six, (&[2, 1], &[-1, 0]), (&[1], &[9])];
    assert_eq!(of("put_along_axis", &put, vec![]), [[1, 2, 9, 9, 5, 6]]);
    let runs = of("unique_consecutive", &[(&[4], &[5, 5, 6, 5])], vec![]);
    assert_eq!(runs, [vec![5, 6, 5], vec![0, 0, 1, 2], vec![2, 1, 1]]);
}
