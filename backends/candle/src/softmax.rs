//! candle's own form of softmax: four passes over a tensor, without a plan for each.

use crate::error::failed;
use crate::memory::{tensor_of, value_of};
use candle_core::Tensor;
use ivy_core::backend::{Support, Value};
use ivy_core::function::Params;
use ivy_core::functional::Softmax;
use ivy_core::{Dtype, Function, Result};

const NAME: &str = "softmax";

/// Native on the floats in which candle adds up exactly enough; the others are composed.
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
    if x.shape.contains(&0) {
        return Ok(Some(value_of(x.dtype, x.shape.clone(), tensor.clone())));
    }
    // Three axes, whatever the rank: before, along and after.
    let before = x.shape[..axis].iter().product();
    let after = x.shape[axis + 1..].iter().product();
    let out = along_middle(tensor, [before, x.shape[axis], after], &x.shape)
        .map_err(|e| failed(NAME, &[x.dtype], e))?;
    Ok(Some(value_of(x.dtype, x.shape.clone(), out)))
}

fn along_middle(x: &Tensor, dims: [usize; 3], shape: &[usize]) -> candle_core::Result<Tensor> {
    let x = x.contiguous()?.reshape(&dims)?;
    let powers = x.broadcast_sub(&x.max_keepdim(1)?)?.exp()?;
    powers.broadcast_div(&powers.sum_keepdim(1)?)?.reshape(shape)
}
