//! Samples that derivatives go through.

use super::{Out, axis, lengths};
use crate::{Call, autograd, compute};
use ivy_core::functional as f;

/// `gumbel_softmax(logits, temperature, hard, axis)`: samples of a relaxed categorical distribution (E. Jang and others, 2017);
/// with `hard` one-hot ones, whose derivative is that of the relaxed ones.
///
/// # Errors
/// For an axis that there is not, and for what are no floats.
pub fn gumbel_softmax(call: &mut Call<'_>) -> Out {
    let (logits, temperature, hard) = (call.array(0)?, call.float(1)?, call.flag(2)?);
    let along = axis(call, call.int(3)?, logits.ndim())? as i64;
    let (shape, dtype) = (lengths(&logits), logits.dtype());
    let noise = f::negative(f::log(compute!(call, "exponential", [], shape = shape, dtype = dtype)?)?)?;
    let soft = f::divide(f::add(&logits, &noise)?, temperature)?;
    let soft = compute!(call, "softmax", [&soft], axis = along)?;
    if !hard {
        return Ok(soft.into());
    }
    let best = compute!(call, "argmax", [&soft], axis = along)?;
    let length = logits.shape()[along as usize] as i64;
    let chosen = compute!(call, "one_hot", [&best, length], axis = along, dtype = soft.dtype())?;
    // The value is the choice, the derivative that of the shares.
    Ok(f::add(f::subtract(&chosen, autograd::detached(&soft))?, &soft)?.into())
}
