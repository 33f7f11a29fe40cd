//! Elements at places, and updates put there.

use ivy_conformance::truth::{Arg, Call, Keywords, Num, Tensor, Value, evaluate};
use ivy_core::Dtype;
use ivy_core::function::ParamValue;

#[test]
fn by_hand() {
    let ints = |shape: &[usize], data: &[i128]| {
        Arg::Array(Tensor::new(Dtype::INT32, shape, data.iter().map(|&i| Num::Int(i))))
    };
    let of = |function: &str, operands: &[Arg], keywords: Keywords| -> Vec<i128> {
        let (compute, outputs) = (Dtype::INT32, &[Dtype::INT32][..]);
        let call = Call { function, operands, keywords: &keywords, compute, outputs };
        let truth = evaluate(&call).expect("it has a truth").remove(0);
        let int = |value: &Value| match value {
            Value::Exact(x) => x.int(),
            other => panic!("{other:?}"),
        };
        truth.data.iter().map(int).collect()
    };
    let reduced = |name: &str| {
        let operands = [ints(&[3], &[0, 0, -1]), ints(&[3], &[3, 5, 4]), Arg::Absent];
        let keywords = vec![("size", ParamValue::Int(3)), ("reduction", ParamValue::Text(name.into()))];
        of("scatter_flat", &operands, keywords)
    };
    let all = ["sum", "replace", "min", "max", "mul", "and", "or"].map(reduced);
    assert_eq!(all.map(|v| v[0]), [8, 5, 3, 5, 15, 1, 7]);
    assert_eq!(reduced("max"), [5, 0, 4]);
    let onto = [ints(&[1, 2], &[1, 0]), ints(&[1], &[9]), ints(&[2, 2], &[1, 2, 3, 4])];
    assert_eq!(of("scatter_nd", &onto, vec![]), [1, 2, 12, 4]);
    let x = ints(&[2, 3], &[1, 2, 3, 4, 5, 6]);
    let batches = vec![("batch_dims", ParamValue::Int(1))];
    assert_eq!(of("gather", &[x.clone(), ints(&[2, 1], &[2, 0])], batches.clone()), [3, 4]);
    assert_eq!(of("gather", &[x.clone(), ints(&[2], &[2, 0])], vec![]), [3, 1, 6, 4]);
    assert_eq!(of("gather_nd", &[x.clone(), ints(&[1, 2], &[1, -1])], vec![]), [6]);
    assert_eq!(of("gather_nd", &[x.clone(), ints(&[2, 1], &[1, 0])], batches), [2, 4]);
    let mask = |shape: &[usize], data: &[bool]| {
        Arg::Array(Tensor::new(Dtype::BOOL, shape, data.iter().map(|&b| Num::Bool(b))))
    };
    let some = mask(&[2], &[false, true]);
    assert_eq!(of("gather", &[x.clone(), ints(&[2], &[9, 0]), some.clone()], vec![]), [0, 1, 0, 4]);
    assert_eq!(of("gather_nd", &[x, ints(&[2, 1], &[9, 0]), some], vec![]), [0, 0, 0, 1, 2, 3]);
    let masked = [ints(&[2], &[9, 1]), ints(&[2], &[5, 6]), ints(&[2], &[1, 2]), mask(&[2], &[false, true])];
    assert_eq!(of("scatter_flat", &masked, vec![]), [1, 8]);
}
