//! Small floats computed in float32 and rounded once.

use super::astype;
use crate::array::Array;
use crate::{Dtype, Result};

/// Upcast: float16, bfloat16 and the 8-bit floats as float32, so that several roundings do not show; every other
/// dtype as it is.
pub(super) fn upcast(x: &Array) -> Result<Array> {
    match x.dtype() {
        d if d.is_float() && d.bits() < 32 => astype(x, Dtype::FLOAT32),
        _ => Ok(x.clone()),
    }
}

/// Downcast: what was computed of [`upcast`] operands, in a dtype.
pub(super) fn downcast(x: Array, dtype: Dtype) -> Result<Array> {
    if x.dtype() == dtype { Ok(x) } else { astype(x, dtype) }
}
