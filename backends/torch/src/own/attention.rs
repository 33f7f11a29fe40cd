//! Attention by scaled products.

use super::Call;
use ivy_core::backend::Value;
use ivy_core::function::Coefficient;
use ivy_core::functional::Attention;
use ivy_core::{Result, Shape};
use tch::Tensor;

/// `softmax(query key^T scale) value`, with nothing left out at random, of operands whose leading axes are the same.
pub(super) fn run(call: &Call<'_>) -> Result<Option<Value>> {
    let params = call.params::<Attention>()?;
    let [query, key, value] = [0, 1, 2].map(|i| &call.operands[i].shape[..]);
    let rank = query.len();
    if params.training && params.dropout_p != 0.0 || !(0.0..=1.0).contains(&params.dropout_p) {
        return Ok(None);
    }
    let same_lead = rank >= 2
        && [key, value].iter().all(|shape| shape.len() == rank && shape[..rank - 2] == query[..rank - 2]);
    let fits = same_lead && key[rank - 1] == query[rank - 1] && value[rank - 2] == key[rank - 2];
    if !fits || [query, key, value].iter().any(|shape| shape.contains(&0)) {
        return Ok(None);
    }
    let shape: Shape = query[..rank - 1].iter().chain(&value[rank - 1..]).copied().collect();
    let [q, k, v] = [call.tensor(0)?, call.tensor(1)?, call.tensor(2)?];
    let (mask, causal) = (None::<Tensor>, params.is_causal);
    // Own forms are asked without arrays among the parameters.
    let scale = params.scale.as_ref().and_then(Coefficient::number);
    let result = Tensor::f_scaled_dot_product_attention(q, k, v, mask, 0.0, causal, scale, false);
    call.made(shape, result).map(Some)
}
