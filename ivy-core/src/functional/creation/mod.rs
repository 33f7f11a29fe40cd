//! Creation functions.

mod copies;
mod filled;
mod geomspace;
mod grids;
mod kaiser;
mod like;
mod linspace;
mod logspace;
mod one_hot;
mod ranges;
mod segments;
mod tri;
mod triangles;
mod windows;

pub use copies::*;
pub use filled::*;
pub use geomspace::*;
pub use grids::*;
pub use kaiser::*;
pub use like::*;
pub use linspace::*;
pub use logspace::*;
pub use one_hot::*;
pub use ranges::*;
pub use segments::*;
pub use tri::*;
pub use triangles::*;
pub use windows::*;

use crate::array::{AsArray, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound};
use crate::{Array, Device, Dtype, ErrorKind, Result, params};

/// Conversions that let a dtype alone stand for a parameter struct.
macro_rules! from_dtype {
    ($($name:ident),*) => {
        $(
            impl From<Dtype> for $name {
                fn from(dtype: Dtype) -> Self {
                    Self::new().dtype(dtype)
                }
            }
        )*
    };
}
from_dtype!(AsArrayParams, Filled, Like, Arange, Linspace, Eye);
from_dtype!(
    Geomspace,
    Tri,
    HammingWindow,
    KaiserWindow,
    KaiserBesselDerivedWindow,
    Logspace,
    NativeArray,
    OneHot,
    VorbisWindow,
    Window
);

params! {
    /// Keyword arguments of [`asarray`].
    pub struct AsArrayParams {
        /// The dtype; by default the elements' own, or the default dtype of host scalars.
        dtype: Option<Dtype> = None,
        /// The device.
        device: Option<Device> = None,
        /// `false` forbids a copy. Arrays are values, so nothing but memory tells whether one
        /// was made; the conversion of an array to another dtype is refused.
        copy: Option<bool> = None,
    }
}

describe! {
    ASARRAY = "asarray", Creation, Primary, (x: Promoted), LikeOperand -> [Compute],
    Bound::Exact, params: AsArrayParams::new(), example: [&[2]], Body::Identity
}

/// An array of host data or of another array: nested lists keep their elements' dtype, host
/// scalars take the default dtype of their kind and value.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::asarray([[1i64, 2], [3, 4]], ())?;
/// assert_eq!((x.dtype(), x.shape().to_string()), (Dtype::INT64, "(2, 2)".into()));
/// assert_eq!(ivy::asarray(1.0, ())?.dtype(), Dtype::FLOAT32);
/// assert_eq!(ivy::asarray([1, 2], Dtype::FLOAT16)?.dtype(), Dtype::FLOAT16);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if rows differ in length,
/// [`ScalarOutOfRange`](crate::ErrorKind::ScalarOutOfRange),
/// [`DtypeNotStored`](crate::ErrorKind::DtypeNotStored); [`InvalidArgument`](crate::ErrorKind::InvalidArgument)
/// where `copy` is false and the array has another dtype.
pub fn asarray(obj: impl AsArray, params: impl Into<AsArrayParams>) -> Result<Array> {
    let (operand, params) = (obj.into_operand()?, params.into());
    if let (Operand::Array(array), Some(false), Some(dtype)) = (&operand, params.copy, params.dtype)
        && array.dtype() != dtype
    {
        return Err(ErrorKind::InvalidArgument {
            function: ASARRAY.name,
            argument: "copy",
            value: format!("false, from {} to {dtype}", array.dtype()),
            rule: "another dtype needs a copy",
        }
        .into());
    }
    call_one(&ASARRAY, &[operand], &params)
}
