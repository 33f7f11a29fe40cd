//! Data type functions.

use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound};
use crate::{Array, Device, Dtype, DtypeLike, Result, params};

params! {
    /// Keyword arguments of [`astype`].
    pub struct AsType {
        /// The dtype to convert to.
        dtype: Option<Dtype> = None,
        /// Whether a copy is made even if the dtype is the same. Arrays are values, so nothing
        /// but memory tells the difference, and none is made.
        copy: bool = true,
        /// The device of the result; the operand's if not given.
        device: Option<Device> = None,
    }
}

describe! {
    ASTYPE = "astype", DataType, Primary, (x: Promoted), LikeOperand -> [Compute],
    Bound::Exact, params: AsType::new().dtype(Dtype::FLOAT32), example: [&[2]], Body::Identity
}

/// The elements converted to another dtype: floats to integers truncate and saturate, NaN gives
/// 0; floats round once, to nearest; integers wrap; anything to bool is "not zero".
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.9f32, -300.0, f32::NAN])?;
/// assert_eq!(ivy::astype(&x, Dtype::INT8)?.to_vec::<i8>()?, [1, -128, 0]);
/// assert_eq!(ivy::astype(&x, "bool")?.to_vec::<bool>()?, [true, true, true]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`CastRefused`](crate::ErrorKind::CastRefused) from complex to real,
/// [`UnknownDtype`](crate::ErrorKind::UnknownDtype) for a name that no dtype has.
pub fn astype<'a>(x: impl IntoOperand<'a>, dtype: impl DtypeLike) -> Result<Array> {
    call_one(&ASTYPE, &[x.into_operand()], &AsType::new().dtype(dtype.to_dtype()?))
}
