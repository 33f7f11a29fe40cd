//! Copies of arrays, and arrays of whatever can be one, under Ivy's names.

use crate::array::{Array, AsArray, IntoOperand};
use crate::call::{call_one, unary};
use crate::function::{Body, Bound};
use crate::{Device, Dtype, Result, params};

describe! {
    COPY_ARRAY = "copy_array", Creation, Primary, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: (), example: [&[2]], Body::Identity
}

/// A copy of an array. Arrays are values, which nothing else can change, so that both share their elements until one of
/// them is written to.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1i32, 2])?;
/// let mut y = ivy::copy_array(&x)?;
/// y.set([0.into()], 9)?;
/// assert_eq!((x.to_vec::<i32>()?, y.to_vec::<i32>()?), (vec![1, 2], vec![9, 2]));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// The backend's.
pub fn copy_array<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    unary(&COPY_ARRAY, x)
}

params! {
    /// Keyword arguments of [`native_array`].
    pub struct NativeArray {
        /// The dtype; by default the elements' own, or the default dtype of host scalars.
        dtype: Option<Dtype> = None,
        /// The device.
        device: Option<Device> = None,
    }
}

describe! {
    NATIVE_ARRAY = "native_array", Creation, Primary, (x: Promoted), LikeOperand -> [Compute],
    Bound::Exact, params: NativeArray::new(), example: [&[2]], Body::Identity
}

/// An array of host data or of another array, as [`asarray`](super::asarray) makes it. In Ivy it is one of the backend's
/// own type; arrays here are the backend's and say which one that is.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::native_array([1.5f32, 2.5], Dtype::FLOAT64)?;
/// assert_eq!(x.to_vec::<f64>()?, [1.5, 2.5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if rows differ in length,
/// [`ScalarOutOfRange`](crate::ErrorKind::ScalarOutOfRange),
/// [`DtypeNotStored`](crate::ErrorKind::DtypeNotStored).
pub fn native_array(x: impl AsArray, params: impl Into<NativeArray>) -> Result<Array> {
    call_one(&NATIVE_ARRAY, &[x.into_operand()?], &params.into())
}
