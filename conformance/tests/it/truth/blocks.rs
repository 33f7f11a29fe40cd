//! Reductions of blocks.

use ivy_conformance::truth::{Arg, Call, Keywords, Num, Tensor, Value, evaluate};
use ivy_core::Dtype;
use ivy_core::function::ParamValue;

#[test]
fn by_hand() {
    let x = Arg::Array(Tensor::new(Dtype::INT32, &[5], [3, 1, 2, 5, 4].map(Num::Int)));
    let of = |function: &str, more: Keywords| -> Vec<i128> {
        let keywords = [vec![("block_size", ParamValue::Int(3))], more].concat();
        let (compute, outputs) = (Dtype::INT32, &[Dtype::INT32][..]);
        let operands = std::slice::from_ref(&x);
        let call = Call { function, operands, keywords: &keywords, compute, outputs };
        let int = |value: &Value| match value {
            Value::Exact(x) => x.int(),
            other => panic!("{other:?}"),
        };
        evaluate(&call).expect("it has a truth")[0].data.iter().map(int).collect()
    };
    let how = |name: &str| ("reduction", ParamValue::Text(name.into()));
    let flag = |name, on| (name, ParamValue::Bool(on));
    assert_eq!(of("block_reduce", vec![]), [6, 9]);
    assert_eq!(of("block_reduce", vec![how("min")]), [1, 4]);
    assert_eq!(of("block_prefix_reduce", vec![]), [0, 3, 4, 0, 5]);
    assert_eq!(of("block_prefix_reduce", vec![how("and")]), [-1, 3, 1, -1, 5]);
    let back = vec![how("max"), flag("exclusive", false), flag("reverse", true)];
    assert_eq!(of("block_prefix_reduce", back), [3, 2, 2, 5, 4]);
}
