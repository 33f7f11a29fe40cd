//! uint16, uint32 and uint64, on which libtorch has few ops, as the signed integers of the same
//! bits: sums, products and moves are the same bits, and with the top bit inverted the order is
//! the same, too.

use super::Call;
use crate::error::{Fail, not_stored};
use crate::raw;
use crate::stored::{kind, signed};
use ivy_core::Dtype;
use tch::Tensor;

/// libtorch's number of a dtype.
pub(super) fn number(function: &'static str, dtype: Dtype) -> Result<i32, Fail> {
    kind(dtype).ok_or_else(|| Fail::Ivy(not_stored(function, dtype)))
}

/// A tensor of an unsigned dtype read as signed; `None` for the other dtypes.
pub(super) fn as_signed(call: &Call<'_>, tensor: &Tensor, dtype: Dtype) -> Result<Option<Tensor>, Fail> {
    let Some(signed) = signed(dtype) else { return Ok(None) };
    Ok(Some(raw::reinterpreted(tensor, number(call.function, signed)?)?))
}

/// Likewise, with the top bit inverted.
pub(super) fn ordered(call: &Call<'_>, tensor: &Tensor, dtype: Dtype) -> Result<Option<Tensor>, Fail> {
    let Some(tensor) = as_signed(call, tensor, dtype)? else { return Ok(None) };
    Ok(Some(tensor.f_bitwise_xor_tensor(&top_bit(call, dtype)?)?))
}

/// The 0-d signed tensor with only the top bit set.
pub(super) fn top_bit(call: &Call<'_>, dtype: Dtype) -> Result<Tensor, Fail> {
    let bit = Tensor::f_from_slice(&[i64::MIN >> (64 - dtype.bits())])?.f_squeeze()?;
    let signed = signed(dtype).unwrap_or(dtype);
    Ok(raw::converted(&bit, number(call.function, signed)?, false)?.f_to(call.device)?)
}

/// A signed tensor read as the unsigned dtype again.
pub(super) fn back(call: &Call<'_>, tensor: &Tensor, dtype: Dtype) -> Result<Tensor, Fail> {
    Ok(raw::reinterpreted(tensor, number(call.function, dtype)?)?)
}
