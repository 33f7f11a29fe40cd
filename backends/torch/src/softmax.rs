//! libtorch's own form of softmax: one pass, without a plan for each step.

use crate::error::failed;
use crate::memory::{tensor_of, value_of};
use ivy_core::backend::{Support, Value};
use ivy_core::function::Params;
use ivy_core::functional::Softmax;
use ivy_core::{Dtype, Function, Result};

const NAME: &str = "softmax";

/// Native on the floats in which libtorch adds up exactly enough; the others are composed.
pub(crate) fn support(function: &Function, operands: &[Dtype]) -> Option<Support> {
    let own = function.name == NAME && matches!(operands, [Dtype::FLOAT32 | Dtype::FLOAT64]);
    own.then_some(Support::Native)
}

/// `exp(x - max) / sum(exp(x - max))` along an axis, the last if none is given.
pub(crate) fn run(params: &dyn Params, operands: &[&Value]) -> Result<Option<Value>> {
    let (Some(params), [x]) = (params.as_any().downcast_ref::<Softmax>(), operands) else {
        return Ok(None);
    };
    let axis = params.axis_of(&x.shape)?;
    let tensor = tensor_of(NAME, x)?;
    let out = tensor.f_softmax(axis as i64, None).map_err(|e| failed(NAME, &[x.dtype], e.into()))?;
    Ok(Some(value_of(x.dtype, x.shape.clone(), out, false)))
}
