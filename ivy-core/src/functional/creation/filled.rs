//! Constant arrays of a shape.

use crate::array::{IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Request};
use crate::promotion::check_scalar;
use crate::{Array, Device, Dtype, Op, Result, Scalar, Shape, params};

params! {
    /// Arguments of [`zeros`], [`ones`], [`empty`] and [`full`].
    pub struct Filled {
        /// The shape.
        shape: Shape = Shape::from([2]),
        /// The dtype; if not given, the default dtype, or for [`full`] that of the value.
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

describe! {
    FULL = "full", Creation, Primary, (fill_value: Value), Infer -> [Compute],
    Bound::Exact, params: Filled::new(), example: [], Body::Op(lower_full)
}

fn lower_full(request: &Request<'_>) -> Result<Op> {
    let value = request.scalar(0).unwrap_or(Scalar::Int(0));
    check_scalar(request.function.name, value, request.compute)?;
    let shape = request.params::<Filled>().shape.clone();
    Ok(Op::Full { shape, dtype: request.compute, value })
}

/// An array of one value. Without `dtype` it has the default dtype of the value's kind, or the
/// next wider one that holds the value. With it, the value converts as [`astype`](super::super::astype)
/// does, but an integer must fit.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::full([2, 2], 7, ())?;
/// assert_eq!((x.dtype(), x.to_vec::<i32>()?), (Dtype::INT32, vec![7; 4]));
/// assert_eq!(ivy::full(1, 1i64 << 31, ())?.dtype(), Dtype::INT64);
/// assert_eq!(ivy::full(1, 0.5, Dtype::FLOAT16)?.dtype(), Dtype::FLOAT16);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ScalarOutOfRange`](crate::ErrorKind::ScalarOutOfRange),
/// [`CastRefused`](crate::ErrorKind::CastRefused) for a complex value and a real dtype,
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an array in the value's place, and
/// those of [`zeros`].
pub fn full<'a>(
    shape: impl Into<Shape>,
    fill_value: impl IntoOperand<'a>,
    params: impl Into<Filled>,
) -> Result<Array> {
    let params = Filled { shape: shape.into(), ..params.into() };
    call_one(&FULL, &[fill_value.into_operand()], &params)
}
