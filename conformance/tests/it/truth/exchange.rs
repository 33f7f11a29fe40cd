//! Updates that say what stood before them.

use ivy_conformance::truth::{Arg, Call, Num, Tensor, Value, evaluate};
use ivy_core::Dtype;

#[test]
fn by_hand() {
    let ints = |data: &[i128]| {
        Arg::Array(Tensor::new(Dtype::INT8, &[data.len()], data.iter().map(|&i| Num::Int(i))))
    };
    let of = |function: &str, operands: &[Arg]| -> Vec<String> {
        let outputs = &[Dtype::INT8][..];
        let call = Call { function, operands, keywords: &vec![], compute: Dtype::INT8, outputs };
        let truths = evaluate(&call).expect("it has a truth");
        truths.into_iter().map(|truth| format!("{:?}", truth.data)).collect()
    };
    let exact =
        |data: &[i128]| format!("{:?}", data.iter().map(|&i| Value::Exact(Num::Int(i))).collect::<Vec<_>>());
    let mask = Arg::Array(Tensor::new(Dtype::BOOL, &[3], [true, false, true].map(Num::Bool)));
    let inc = of("scatter_inc", &[ints(&[5, 127]), ints(&[-1, 9, 1]), mask]);
    assert_eq!(inc, [exact(&[127, 0, -128]), exact(&[5, -127])]);
    let exch = of("scatter_exch", &[ints(&[5, 6]), ints(&[7]), ints(&[1, 1]), Arg::Absent]);
    assert_eq!(exch, [exact(&[6, 7]), exact(&[5, 7])]);
    let cas = of(
        "scatter_cas",
        &[ints(&[0, 0]), ints(&[0, 0, 1]), ints(&[1, 2, 3]), ints(&[1, 1, 1]), Arg::Absent],
    );
    let truths = format!("{:?}", [true, false, true].map(Value::truth));
    assert_eq!(cas, [exact(&[0, 1, 1]), truths, exact(&[0, 3])]);
}
