//! Functions that make arrays.

use crate::array::{AsArray, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Request};
use crate::{Array, Device, Dtype, Op, Result, Scalar, Shape, params};

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
from_dtype!(AsArrayParams, Filled);

params! {
    /// Keyword arguments of [`asarray`].
    pub struct AsArrayParams {
        /// The dtype; by default the elements' own, or the default dtype of host scalars.
        dtype: Option<Dtype> = None,
        /// The device.
        device: Option<Device> = None,
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
/// [`DtypeNotStored`](crate::ErrorKind::DtypeNotStored).
pub fn asarray(obj: impl AsArray, params: impl Into<AsArrayParams>) -> Result<Array> {
    call_one(&ASARRAY, &[obj.into_operand()?], &params.into())
}

params! {
    /// Arguments of [`zeros`], [`ones`] and [`empty`].
    pub struct Filled {
        /// The shape.
        shape: Shape = Shape::from([2]),
        /// The dtype; the default dtype if not given.
        dtype: Option<Dtype> = None,
        /// The device.
        device: Option<Device> = None,
    }
}

fn lower_filled(request: &Request<'_>, value: i128) -> Result<Op> {
    let shape = request.params::<Filled>().shape.clone();
    Ok(Op::Full { shape, dtype: request.compute, value: Scalar::Int(value) })
}

macro_rules! filled {
    ($($(#[$doc:meta])* $name:ident = $value:literal;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`SizeOverflow`](crate::ErrorKind::SizeOverflow),
            /// [`MemoryLimit`](crate::ErrorKind::MemoryLimit),
            /// [`DtypeNotStored`](crate::ErrorKind::DtypeNotStored).
            pub fn $name(shape: impl Into<Shape>, params: impl Into<Filled>) -> Result<Array> {
                describe! {
                    FUNCTION = stringify!($name), Creation, Primary, (), Default -> [Compute],
                    Bound::Exact, params: Filled::new(), example: [], Body::Op(|request| lower_filled(request, $value))
                }
                let params = Filled { shape: shape.into(), ..params.into() };
                call_one(&FUNCTION, &[] as &[Operand<'_>], &params)
            }
        )*
    };
}
filled! {
    /// An array of zeros.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// assert_eq!(ivy::zeros([2, 3], ())?.dtype(), Dtype::FLOAT32);
    /// assert_eq!(ivy::zeros(2, Dtype::BOOL)?.to_vec::<bool>()?, [false, false]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    zeros = 0;
    /// An array of ones.
    ones = 1;
    /// An array to be filled later: its elements are zeros here, since arrays are values.
    empty = 0;
}
