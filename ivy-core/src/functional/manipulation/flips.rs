//! Flips, rotations and circular shifts.

use super::{Concat, check_rank, concat, flat, reshape, slice_axes, swapaxes, whole};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Composition, Outputs, Request};
use crate::{Array, Dims, ErrorKind, Op, Result, params, shape};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`flip`].
    pub struct Flip {
        /// The axes to reverse; all if not given.
        axis: Option<Axes> = None,
    }
}

describe! {
    FLIP = "flip", Manipulation, Primary, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Flip::new(), example: [&[2, 2]], Body::Op(lower_flip)
}

fn lower_flip(request: &Request<'_>) -> Result<Op> {
    let from = request.shape(0);
    let reversed: Dims = match &request.params::<Flip>().axis {
        Some(axes) => shape::normalize_axes(request.function.name, &axes.0, from.len())?,
        None => (0..from.len()).collect(),
    };
    let mut axes = whole(from);
    for a in reversed {
        if axes[a].len > 1 {
            (axes[a].start, axes[a].step) = (axes[a].len - 1, -1);
        }
    }
    Ok(Op::Slice { axes })
}

/// Reversal of the elements along one, several or all axes.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 2], [3, 4]])?;
/// assert_eq!(ivy::flip(&x, ())?.to_vec::<i32>()?, [4, 3, 2, 1]);
/// assert_eq!(ivy::flip(&x, Flip::new().axis(0))?.to_vec::<i32>()?, [3, 4, 1, 2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis).
pub fn flip<'a>(x: impl IntoOperand<'a>, params: impl Into<Flip>) -> Result<Array> {
    call_one(&FLIP, &[x.into_operand()], &params.into())
}

params! {
    /// Arguments of [`roll`].
    pub struct Roll {
        /// By how many places elements move towards the end; negative towards the front.
        shift: Axes = Axes::from(1),
        /// The axis of each shift; without it the array is rolled as if it were flat.
        axis: Option<Axes> = None,
    }
}

describe! {
    ROLL = "roll", Manipulation, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Roll::new(), example: [&[2, 2]], Body::Compose(compose_roll)
}

fn compose_roll(call: &Composition<'_>) -> Result<Outputs> {
    let (x, params, function) = (call.array(0), call.params::<Roll>(), call.function.name);
    let (shifts, axes) = (&params.shift.0, params.axis.as_ref().map(|a| &a.0));
    let counts_fit = match axes {
        None => shifts.len() == 1,
        Some(axes) => shifts.len() == 1 || shifts.len() == axes.len(),
    };
    if !counts_fit {
        let of = axes.map_or("no axis".into(), |a| format!("axes {:?}", a.as_slice()));
        let value = format!("{:?} for {of}", shifts.as_slice());
        let rule = "one shift, or one for each axis";
        return Err(ErrorKind::InvalidArgument { function, argument: "shift", value, rule }.into());
    }
    let Some(axes) = axes else {
        let rolled = roll_axis(function, flat(x)?, shifts[0], 0)?;
        return Ok(smallvec![reshape(rolled, x.shape(), ())?]);
    };
    let mut rolled = x.clone();
    for (i, &axis) in axes.iter().enumerate() {
        // An axis that is named twice moves twice.
        let axis = shape::normalize_axis(function, axis, x.ndim())?;
        rolled = roll_axis(function, rolled, shifts[i.min(shifts.len() - 1)], axis)?;
    }
    Ok(smallvec![rolled])
}

fn roll_axis(function: &'static str, x: Array, shift: i64, axis: usize) -> Result<Array> {
    let len = x.shape()[axis];
    if len == 0 {
        return Ok(x);
    }
    // The last `tail` elements come first.
    let tail = shift.rem_euclid(len as i64) as usize;
    if tail == 0 {
        return Ok(x);
    }
    let part = |start: usize, len: usize| {
        let mut axes = whole(x.shape());
        (axes[axis].start, axes[axis].len) = (start, len);
        slice_axes(function, &x, axes)
    };
    concat([part(len - tail, tail)?, part(0, len - tail)?], Concat::new().axis(axis as i64))
}

/// Circular shift: the elements moved along axes; those that leave at one end come in at the other. Without axes the
/// array is rolled in row-major order.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 2, 3], [4, 5, 6]])?;
/// assert_eq!(ivy::roll(&x, 1, ())?.to_vec::<i32>()?, [6, 1, 2, 3, 4, 5]);
/// let left = ivy::roll(&x, -1, Roll::new().axis(1))?;
/// assert_eq!(left.to_vec::<i32>()?, [2, 3, 1, 5, 6, 4]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if there are several shifts and not as
/// many axes, [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange).
pub fn roll<'a>(x: impl IntoOperand<'a>, shift: impl Into<Axes>, params: impl Into<Roll>) -> Result<Array> {
    let params = Roll { shift: shift.into(), ..params.into() };
    call_one(&ROLL, &[x.into_operand()], &params)
}

params! {
    /// Keyword arguments of [`rot90`].
    pub struct Rot90 {
        /// By how many quarters of a turn; negative the other way round.
        k: i64 = 1,
        /// The two axes of the plane: the turn is from the first one towards the second.
        axes: Axes = Axes::from([0, 1]),
    }
}

describe! {
    ROT90 = "rot90", Manipulation, Compositional, (m: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Rot90::new(), example: [&[2, 2]], Body::Compose(compose_rot90)
}

fn compose_rot90(call: &Composition<'_>) -> Result<Outputs> {
    let (x, function, params) = (call.array(0), call.function.name, call.params::<Rot90>());
    let &[a, b] = &shape::normalize_axes(function, &params.axes.0, x.ndim())?[..] else {
        let (argument, value) = ("axes", format!("{:?}", params.axes.0.as_slice()));
        let rule = "two axes that differ";
        return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
    };
    let (a, b) = (a as i64, b as i64);
    let reversed = |x: &Array, axes: &[i64]| flip(x, Flip::new().axis(axes));
    Ok(smallvec![match params.k.rem_euclid(4) {
        0 => x.clone(),
        1 => swapaxes(reversed(x, &[b])?, a, b)?,
        2 => reversed(x, &[a, b])?,
        _ => reversed(&swapaxes(x, a, b)?, &[b])?,
    }])
}

/// Rotation by 90 degrees: by `k` quarters in the plane of two axes, from the first one towards the
/// second: for `k` = 1 the last column becomes the first row.
///
/// ```
/// use ivy::{Rot90, prelude::*};
/// let x = Array::try_from([[1i32, 2], [3, 4]])?;
/// assert_eq!(ivy::rot90(&x, ())?.to_vec::<i32>()?, [2, 4, 1, 3]);
/// assert_eq!(ivy::rot90(&x, Rot90::new().k(-1))?.to_vec::<i32>()?, [3, 1, 4, 2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) unless two axes are named,
/// [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis) for one axis twice,
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange).
pub fn rot90<'a>(m: impl IntoOperand<'a>, params: impl Into<Rot90>) -> Result<Array> {
    call_one(&ROT90, &[m.into_operand()], &params.into())
}

fn compose_flip(call: &Composition<'_>, axis: i64) -> Result<Outputs> {
    check_rank(call.function.name, call.array(0), axis as usize + 1)?;
    Ok(smallvec![flip(call.array(0), Flip::new().axis(axis))?])
}

macro_rules! flips {
    ($($(#[$doc:meta])* $name:ident = $axis:literal;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for an array without that axis.
            pub fn $name<'a>(m: impl IntoOperand<'a>) -> Result<Array> {
                describe! {
                    FUNCTION = stringify!($name), Manipulation, Compositional, (m: Kept), LikeOperand -> [Compute],
                    Bound::Exact, params: (), example: [&[2, 2]],
                    Body::Compose(|call| compose_flip(call, $axis))
                }
                call_one(&FUNCTION, &[m.into_operand()], &())
            }
        )*
    };
}

flips! {
    /// Reversal of the elements along the first axis.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([[1i32, 2], [3, 4]])?;
    /// assert_eq!(ivy::flipud(&x)?.to_vec::<i32>()?, [3, 4, 1, 2]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    flipud = 0;
    /// Reversal of the elements along the second axis.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([[1i32, 2], [3, 4]])?;
    /// assert_eq!(ivy::fliplr(&x)?.to_vec::<i32>()?, [2, 1, 4, 3]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    fliplr = 1;
}
