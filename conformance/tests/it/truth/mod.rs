//! Truths of calls, checked by hand and against recorded values.

mod blocks;
mod dense;
mod elementwise;
mod exchange;
mod made;
mod num;
mod rearrange;
mod sampling;
mod scatter;
mod shuffle;
mod updates;

use ivy_conformance::truth::{Arg, Call, Keywords, Value, evaluate};
use ivy_core::Dtype;

/// The elements of the first result of a call in float64.
fn floats_of(function: &str, operands: &[Arg], keywords: Keywords) -> Vec<f64> {
    let (compute, outputs) = (Dtype::FLOAT64, &[Dtype::FLOAT64][..]);
    let call = Call { function, operands, keywords: &keywords, compute, outputs };
    let float = |value: &Value| match value {
        Value::Exact(x) => x.re(),
        Value::Near { re, .. } => re.hi,
        other => panic!("{other:?}"),
    };
    evaluate(&call).expect("it has a truth")[0].data.iter().map(float).collect()
}
