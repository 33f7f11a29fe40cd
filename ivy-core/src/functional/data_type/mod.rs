//! Data type functions: conversion, questions about dtypes, promotion, defaults, and the dtypes
//! of the current backend. Ivy's setters of defaults are those of [`crate::context`].

mod args;
mod defaults;
mod kinds;
mod native;
mod promote;

pub use crate::context::{
    set_default_complex_dtype, set_default_dtype, set_default_float_dtype, set_default_int_dtype,
    set_default_uint_dtype, unset_default_complex_dtype, unset_default_dtype, unset_default_float_dtype,
    unset_default_int_dtype, unset_default_uint_dtype,
};
pub use crate::support::{function_supported_dtypes, function_unsupported_dtypes};
pub use args::{DtypeArg, DtypeArgs};
pub use defaults::*;
pub use kinds::*;
pub use native::*;
pub use promote::*;

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

/// The target of [`astype`]: a dtype, its name, an array's dtype, or all keyword arguments.
pub trait IntoAsType {
    /// The keyword arguments.
    ///
    /// # Errors
    /// [`UnknownDtype`](crate::ErrorKind::UnknownDtype).
    fn into_as_type(self) -> Result<AsType>;
}

impl<T: DtypeLike> IntoAsType for T {
    fn into_as_type(self) -> Result<AsType> {
        Ok(AsType::new().dtype(self.to_dtype()?))
    }
}

impl IntoAsType for AsType {
    fn into_as_type(self) -> Result<AsType> {
        Ok(self)
    }
}

/// Cast: the elements converted to another dtype: floats to integers truncate and saturate, NaN gives 0; floats round
/// once, to nearest; integers wrap; anything to bool is "not zero".
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.9f32, -300.0, f32::NAN])?;
/// assert_eq!(ivy::astype(&x, Dtype::INT8)?.to_vec::<i8>()?, [1, -128, 0]);
/// assert_eq!(ivy::astype(&x, "bool")?.to_vec::<bool>()?, [true, true, true]);
/// let same = ivy::AsType::new().dtype(Dtype::FLOAT32).copy(false);
/// assert_eq!(ivy::astype(&x, same)?.dtype(), Dtype::FLOAT32);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`CastRefused`](crate::ErrorKind::CastRefused) from complex to real,
/// [`UnknownDtype`](crate::ErrorKind::UnknownDtype) for a name that no dtype has.
pub fn astype<'a>(x: impl IntoOperand<'a>, dtype: impl IntoAsType) -> Result<Array> {
    call_one(&ASTYPE, &[x.into_operand()], &dtype.into_as_type()?)
}

/// The dtype of an array. [`as_native_dtype`] gives the backend's.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::dtype(&ivy::zeros([2], "int8".parse::<Dtype>()?)?), Dtype::INT8);
/// # Ok::<(), ivy::Error>(())
/// ```
pub fn dtype(x: &Array) -> Dtype {
    x.dtype()
}

/// The width of a dtype (or an array's) in bits, both parts of a complex one together; 1 for
/// bool.
///
/// ```
/// assert_eq!((ivy::dtype_bits("complex64")?, ivy::dtype_bits("bool")?), (64, 1));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`UnknownDtype`](crate::ErrorKind::UnknownDtype).
pub fn dtype_bits(dtype: impl DtypeLike) -> Result<usize> {
    Ok(dtype.to_dtype()?.bits())
}
