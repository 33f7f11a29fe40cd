//! `Tensor.view` with a dtype: the same bytes as elements of another one.

use super::support::{Out, runtime, tensor};
use ivy_frontend::{Call, Value, views};

/// `are_dtypes(arguments)`: whether there is one argument, and it is a dtype.
pub(crate) fn are_dtypes(call: &mut Call<'_>) -> Out {
    Ok(Value::Bool(matches!(call.value(0).items(), Some([Value::Dtype(_)]))))
}

/// `viewed_as(self, dtype)`
pub(crate) fn viewed_as(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    let Some(dtype) = call.dtype(1)? else { return Ok(x.into()) };
    let (from, to) = (x.dtype(), dtype);
    let sizes = format!("to view {from} as {to} (different element sizes)");
    if from.bytes() != to.bytes() {
        let Some(last) = x.shape().last() else {
            return Err(runtime(call, "dtype", format!("self.dim() cannot be 0 {sizes}")));
        };
        let stride = views::tracked_view(&x).and_then(|view| view.strides().last().copied()).unwrap_or(1);
        if stride != 1 {
            let rule = format!("self.stride(-1) must be 1 {sizes}, but got {stride}");
            return Err(runtime(call, "dtype", rule));
        }
        let share = to.bytes() / from.bytes();
        if share > 1 && last % share != 0 {
            let rule = format!("self.size(-1) must be divisible by {share} {sizes}, but got {last}");
            return Err(runtime(call, "dtype", rule));
        }
    }
    match views::reinterpreted(&x, dtype)? {
        Some(found) => Ok(found.into()),
        None => Err(runtime(
            call,
            "dtype",
            format!("the bytes of the last dimension are no whole number {sizes}"),
        )),
    }
}
