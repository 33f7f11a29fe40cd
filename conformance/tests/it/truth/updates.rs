//! Updates of parts and elements.

use ivy_conformance::truth::num::cast;
use ivy_conformance::truth::{Arg, Call, Keywords, Num, Tensor, Value, evaluate};
use ivy_core::Dtype;
use ivy_core::function::ParamValue;

#[test]
fn by_hand() {
    let ints = |data: &[i128]| {
        Arg::Array(Tensor::new(Dtype::INT32, &[data.len()], data.iter().map(|&i| Num::Int(i))))
    };
    let of = |function: &str, operands: &[Arg], keywords: Keywords| -> Vec<i128> {
        let (compute, outputs) = (Dtype::INT32, &[Dtype::INT32][..]);
        let call = Call { function, operands, keywords: &keywords, compute, outputs };
        let int = |value: &Value| match value {
            Value::Exact(x) => cast(*x, Dtype::INT64).int(),
            other => panic!("{other:?}"),
        };
        evaluate(&call).expect("it has a truth")[0].data.iter().map(int).collect()
    };
    let all = [ints(&[1, 2, 3]), ints(&[0, 0, -1]), ints(&[4, 8, 5])];
    assert_eq!(of("index_add", &all, vec![("alpha", ParamValue::Float(2.0))]), [25, 2, 13]);
    assert_eq!(of("index_copy", &all, vec![]), [8, 2, 5]);
    let mean = ("reduction", ParamValue::Text("mean".into()));
    assert_eq!(of("scatter_reduce", &all, vec![mean.clone()]), [4, 2, 4]);
    let alone = ("include_self", ParamValue::Bool(false));
    assert_eq!(of("scatter_reduce", &all, vec![mean, alone]), [6, 2, 5]);
    let masked = [ints(&[1, 2, 3]), ints(&[0, 1, 1]), ints(&[7, 8])];
    assert_eq!(of("masked_scatter", &masked, vec![]), [1, 7, 8]);
}
