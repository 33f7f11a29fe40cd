//! Shares along an axis, and their logarithms.

use super::Call;
use ivy_core::Result;
use ivy_core::backend::Value;
use ivy_core::functional::{LogSoftmax, Softmax};

/// `exp(x - max) / sum(exp(x - max))` along an axis, the last if none is given.
pub(super) fn softmax(call: &Call<'_>) -> Result<Option<Value>> {
    let shape = &call.operands[0].shape;
    let axis = call.params::<Softmax>()?.axis_of(shape)?;
    call.made(shape.clone(), call.tensor(0)?.f_softmax(axis as i64, None)).map(Some)
}

/// The logarithm of that.
pub(super) fn log_softmax(call: &Call<'_>) -> Result<Option<Value>> {
    let shape = &call.operands[0].shape;
    let axis = call.params::<LogSoftmax>()?.axis_of(shape)?;
    call.made(shape.clone(), call.tensor(0)?.f_log_softmax(axis as i64, None)).map(Some)
}
