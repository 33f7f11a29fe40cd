//! Normalization over the last axes.

use super::Call;
use ivy_core::backend::Value;
use ivy_core::functional::LayerNorm;
use ivy_core::{Dims, Result};

/// `(x - mean) / sqrt(variance + eps) scale + offset` over the last axes, with a scale and an offset of just these.
pub(super) fn run(call: &Call<'_>) -> Result<Option<Value>> {
    let (params, x) = (call.params::<LayerNorm>()?, call.operands[0]);
    let rank = x.shape.len() as i64;
    let mut over: Dims<i64> =
        params.normalized_idxs.0.iter().map(|&axis| if axis < 0 { axis + rank } else { axis }).collect();
    over.sort_unstable();
    let first = rank - over.len() as i64;
    let last_ones = !over.is_empty() && over.iter().copied().eq(first..rank) && first >= 0;
    if !last_ones || params.new_std != 1.0 || params.eps.is_nan() || params.eps < 0.0 {
        return Ok(None);
    }
    let normalized = &x.shape[first as usize..];
    if x.shape.contains(&0) || call.operands[1..].iter().any(|y| y.shape[..] != *normalized) {
        return Ok(None);
    }
    let lengths: Dims<i64> = normalized.iter().map(|&n| n as i64).collect();
    let beside = |i: usize| if call.operands.len() > i { call.tensor(i).map(Some) } else { Ok(None) };
    let (scale, offset) = (beside(1)?, beside(2)?);
    let result = call.tensor(0)?.f_layer_norm(&lengths[..], scale, offset, params.eps, false);
    call.made(x.shape.clone(), result).map(Some)
}
