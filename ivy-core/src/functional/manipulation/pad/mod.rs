//! Padding.

mod edge_values;
pub(in crate::functional) mod interior;
mod modes;
mod pad_width;

pub use interior::PadAmounts;
pub use modes::*;
pub use pad_width::*;

use super::check_lengths;
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Request};
use crate::promotion::check_scalar;
use crate::{AxisPad, Dims, Op, Result, Scalar, Shape, params};
use std::mem;

params! {
    /// Arguments of [`constant_pad`].
    pub struct ConstantPad {
        /// How many elements are put before and after each axis.
        pad_width: PadWidth = PadWidth::from(1),
        /// What is put there; 0 if not given.
        operand value,
    }
}

describe! {
    CONSTANT_PAD = "constant_pad", Manipulation, Primary, (x: Kept, value: Value optional), LikeOperand -> [Compute],
    Bound::Exact, params: ConstantPad::new(), example: [&[2], &[]],
    Body::Op(|request| lower_pad(request, &request.params::<ConstantPad>().pad_width))
}

fn lower_pad(request: &Request<'_>, width: &PadWidth) -> Result<Op> {
    let (function, shape) = (request.function.name, request.shape(0));
    let widths = width.of_axes(function, "pad_width", shape.len())?;
    let axes = widths.into_iter().map(|(before, after)| AxisPad { before, after }).collect::<Dims<_>>();
    let value = request.operands.get(1).and_then(Operand::scalar).unwrap_or(Scalar::Int(0));
    check_scalar(function, value, request.compute)?;
    check_lengths(function, request.compute, &padded(shape, &axes))?;
    Ok(Op::Pad { axes, value })
}

/// The shape after padding; lengths that no axis has are the greatest number.
fn padded(shape: &[usize], axes: &[AxisPad]) -> Shape {
    let longer = |(&len, pad): (&usize, &AxisPad)| len.saturating_add(pad.before).saturating_add(pad.after);
    shape.iter().zip(axes).map(longer).collect()
}

/// Constant padding: one value before and after the elements of each axis. The value converts as for
/// [`full`](crate::functional::full).
///
/// ```
/// use ivy::{ConstantPad, prelude::*};
/// let x = Array::try_from([[1i32, 2]])?;
/// let framed = ivy::constant_pad(&x, 1, ConstantPad::new().value(7))?;
/// assert_eq!(framed.to_vec::<i32>()?, [7, 7, 7, 7, 7, 1, 2, 7, 7, 7, 7, 7]);
/// let below = ivy::constant_pad(&x, [(0, 1), (0, 0)], ())?;
/// assert_eq!(below.to_vec::<i32>()?, [1, 2, 0, 0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for several pairs that are not one for each
/// axis, and for an array in the value's place;
/// [`ScalarOutOfRange`](crate::ErrorKind::ScalarOutOfRange) for an integer that the dtype does not
/// hold, [`CastRefused`](crate::ErrorKind::CastRefused) for a complex value and a real dtype,
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow), [`MemoryLimit`](crate::ErrorKind::MemoryLimit).
pub fn constant_pad<'a>(
    x: impl IntoOperand<'a>,
    pad_width: impl Into<PadWidth>,
    params: impl Into<ConstantPad>,
) -> Result<Array> {
    let mut params = ConstantPad { pad_width: pad_width.into(), ..params.into() };
    let value = mem::replace(&mut params.value, Operand::Absent);
    call_one(&CONSTANT_PAD, &[x.into_operand(), value], &params)
}

params! {
    /// The argument of [`zero_pad`].
    pub struct ZeroPad {
        /// How many zeros are put before and after each axis.
        pad_width: PadWidth = PadWidth::from(1),
    }
}

describe! {
    ZERO_PAD = "zero_pad", Manipulation, Primary, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: ZeroPad::new(), example: [&[2]],
    Body::Op(|request| lower_pad(request, &request.params::<ZeroPad>().pad_width))
}

/// Zero padding: zeros before and after the elements of each axis; false for bool.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.5f32, 2.5])?;
/// assert_eq!(ivy::zero_pad(&x, (1, 2))?.to_vec::<f32>()?, [0.0, 1.5, 2.5, 0.0, 0.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`constant_pad`], but for those of a value.
pub fn zero_pad<'a>(x: impl IntoOperand<'a>, pad_width: impl Into<PadWidth>) -> Result<Array> {
    call_one(&ZERO_PAD, &[x.into_operand()], &ZeroPad { pad_width: pad_width.into() })
}
