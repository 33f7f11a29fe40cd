//! Constant arrays in the shape and dtype of another array.

use super::{Filled, full, zeros};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::{Array, Device, Dtype, Result, Scalar, params};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`zeros_like`], [`ones_like`], [`empty_like`] and [`full_like`].
    pub struct Like {
        /// The dtype; the operand's if not given.
        dtype: Option<Dtype> = None,
        /// The device; the operand's if not given.
        device: Option<Device> = None,
    }
}

fn like(call: &Composition<'_>, value: Scalar) -> Result<Outputs> {
    let params = Filled { device: call.params::<Like>().device, ..Filled::new().dtype(call.compute) };
    let shape = call.array(0).shape();
    Ok(smallvec![match value {
        Scalar::Int(0) => zeros(shape, params)?,
        value => full(shape, value, params)?,
    }])
}

macro_rules! likes {
    ($($(#[$doc:meta])* $name:ident = $value:literal;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`MemoryLimit`](crate::ErrorKind::MemoryLimit),
            /// [`DtypeNotStored`](crate::ErrorKind::DtypeNotStored).
            pub fn $name<'a>(x: impl IntoOperand<'a>, params: impl Into<Like>) -> Result<Array> {
                describe! {
                    FUNCTION = stringify!($name), Creation, Compositional, (x: Kept), LikeOperand -> [Compute],
                    Bound::Exact, params: Like::new(), example: [&[2]],
                    Body::Compose(|call| like(call, Scalar::Int($value)))
                }
                call_one(&FUNCTION, &[x.into_operand()], &params.into())
            }
        )*
    };
}
likes! {
    /// Zeros in the shape and dtype of an array.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([[1i16, 2], [3, 4]])?;
    /// assert_eq!(ivy::zeros_like(&x, ())?.to_vec::<i16>()?, [0; 4]);
    /// assert_eq!(ivy::zeros_like(&x, Dtype::BOOL)?.dtype(), Dtype::BOOL);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    zeros_like = 0;
    /// Ones in the shape and dtype of an array.
    ones_like = 1;
    /// An array to be filled later, in the shape and dtype of another: its elements are zeros
    /// here, since arrays are values.
    empty_like = 0;
}

describe! {
    FULL_LIKE = "full_like", Creation, Compositional, (x: Kept, fill_value: Value), LikeOperand -> [Compute],
    Bound::Exact, params: Like::new(), example: [&[2]], Body::Compose(compose_full_like)
}

fn compose_full_like(call: &Composition<'_>) -> Result<Outputs> {
    like(call, call.scalar(1).unwrap_or(Scalar::Int(0)))
}

/// One value in the shape and dtype of an array. The value converts as for [`full`].
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.5f32, 2.5])?;
/// assert_eq!(ivy::full_like(&x, 3, ())?.to_vec::<f32>()?, [3.0, 3.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ScalarOutOfRange`](crate::ErrorKind::ScalarOutOfRange) for an integer that the dtype does not
/// hold, [`CastRefused`](crate::ErrorKind::CastRefused) for a complex value and a real dtype,
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an array in the value's place.
pub fn full_like<'a, 'b>(
    x: impl IntoOperand<'a>,
    fill_value: impl IntoOperand<'b>,
    params: impl Into<Like>,
) -> Result<Array> {
    call_one(&FULL_LIKE, &[x.into_operand(), fill_value.into_operand()], &params.into())
}
