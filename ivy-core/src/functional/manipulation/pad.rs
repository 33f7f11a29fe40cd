//! Arrays made longer at both ends of their axes.

use super::check_lengths;
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs, ParamField, ParamValue, Request};
use crate::functional::{Take, take};
use crate::promotion::check_scalar;
use crate::{AxisPad, Dims, Dtype, ErrorKind, Op, Result, Scalar, Shape, params};
use smallvec::smallvec;
use std::{fmt, mem};

/// How many elements are put before and after each axis: a pair for each, or one pair for all. A
/// number stands for a pair of that number twice.
///
/// ```
/// use ivy::PadWidth;
/// assert_eq!(PadWidth::from(2), PadWidth::from((2, 2)));
/// assert_eq!(PadWidth::from([(0, 1), (2, 0)]).to_string(), "((0, 1), (2, 0))");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PadWidth(Dims<AxisPad>);

impl PadWidth {
    /// The pair of each of `ndim` axes.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] if there are several pairs, and not one for each axis.
    fn of_axes(&self, function: &'static str, ndim: usize) -> Result<Dims<AxisPad>> {
        match self.0[..] {
            [pair] => Ok(Dims::from_elem(pair, ndim)),
            ref pairs if pairs.len() == ndim => Ok(self.0.clone()),
            _ => {
                let rule = "one pair (before, after), or one for each axis";
                let value = format!("{self} with ndim {ndim}");
                Err(ErrorKind::InvalidArgument { function, argument: "pad_width", value, rule }.into())
            }
        }
    }
}

impl fmt::Display for PadWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs: Vec<String> = self.0.iter().map(|p| format!("({}, {})", p.before, p.after)).collect();
        match &pairs[..] {
            [one] => f.write_str(one),
            all => write!(f, "({})", all.join(", ")),
        }
    }
}

impl From<usize> for PadWidth {
    fn from(width: usize) -> PadWidth {
        PadWidth::from((width, width))
    }
}

impl From<(usize, usize)> for PadWidth {
    fn from(pair: (usize, usize)) -> PadWidth {
        PadWidth::from([pair])
    }
}

impl<const N: usize> From<[(usize, usize); N]> for PadWidth {
    fn from(pairs: [(usize, usize); N]) -> PadWidth {
        PadWidth::from(&pairs[..])
    }
}

impl From<&[(usize, usize)]> for PadWidth {
    fn from(pairs: &[(usize, usize)]) -> PadWidth {
        PadWidth(pairs.iter().map(|&(before, after)| AxisPad { before, after }).collect())
    }
}

impl From<Vec<(usize, usize)>> for PadWidth {
    fn from(pairs: Vec<(usize, usize)>) -> PadWidth {
        PadWidth::from(&pairs[..])
    }
}

impl ParamField for PadWidth {
    const RULE: &'static str =
        "a width, a pair (before, after), or one of either for each axis, none of them negative";

    fn from_value(value: ParamValue) -> Option<PadWidth> {
        let width = |i: i64| usize::try_from(i).ok();
        let pair = |list: &[i64]| match *list {
            [both] => width(both).map(|w| (w, w)),
            [before, after] => width(before).zip(width(after)),
            _ => None,
        };
        match value {
            ParamValue::Int(i) => width(i).map(PadWidth::from),
            ParamValue::Ints(list) if list.is_empty() => Some(PadWidth(Dims::new())),
            ParamValue::Ints(list) => pair(&list).map(PadWidth::from),
            ParamValue::IntLists(lists) => {
                let pairs: Option<Vec<_>> = lists.iter().map(|list| pair(list)).collect();
                pairs.map(PadWidth::from)
            }
            _ => None,
        }
    }
}

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
    let axes = width.of_axes(function, shape.len())?;
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

/// One value before and after the elements of each axis. The value converts as for
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

/// Zeros before and after the elements of each axis; false for bool.
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

/// What [`pad`] puts before and after the elements of an axis, here 1 2 3, three at each end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PadMode {
    /// One value: 0 0 0 **1 2 3** 0 0 0.
    #[default]
    Constant,
    /// The nearest element: 1 1 1 **1 2 3** 3 3 3.
    Edge,
    /// The elements mirrored at the ends, which are not repeated: 2 3 2 **1 2 3** 2 1 2.
    Reflect,
    /// The elements mirrored, the ends with them: 3 2 1 **1 2 3** 3 2 1.
    Symmetric,
    /// The elements again from the other end: 1 2 3 **1 2 3** 1 2 3.
    Wrap,
}

impl PadMode {
    /// Which of `len` elements, at least one, stands at a place that counts from the first one.
    fn source(self, place: i64, len: i64) -> i64 {
        let mirrored = |period: i64, last: i64| {
            let at = place.rem_euclid(period);
            if at < len { at } else { last - at }
        };
        match self {
            PadMode::Wrap => place.rem_euclid(len),
            PadMode::Symmetric => mirrored(2 * len, 2 * len - 1),
            PadMode::Reflect if len > 1 => mirrored(2 * len - 2, 2 * len - 2),
            PadMode::Constant | PadMode::Edge | PadMode::Reflect => place.clamp(0, len - 1),
        }
    }
}

param_words! { PadMode: "constant" => Constant, "edge" => Edge, "reflect" => Reflect, "symmetric" => Symmetric, "wrap" => Wrap }

params! {
    /// Arguments of [`pad`].
    pub struct Pad {
        /// How many elements are put before and after each axis.
        pad_width: PadWidth = PadWidth::from(1),
        /// What they are.
        mode: PadMode = PadMode::Constant,
        /// The value of [`PadMode::Constant`]; 0 if not given. Other modes have no use for it.
        operand constant_values,
    }
}

describe! {
    PAD = "pad", Manipulation, Compositional, (input: Kept, constant_values: Value optional),
    LikeOperand -> [Compute], Bound::Exact, params: Pad::new(), example: [&[2], &[]],
    Body::Compose(compose_pad)
}

fn compose_pad(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params, x) = (call.function.name, call.params::<Pad>(), call.array(0));
    let axes = params.pad_width.of_axes(function, x.ndim())?;
    if params.mode == PadMode::Constant {
        // The error names this function, not the one below.
        check_scalar(function, call.scalar(1).unwrap_or(Scalar::Int(0)), call.compute)?;
        let pairs: Vec<_> = axes.iter().map(|pad| (pad.before, pad.after)).collect();
        let value = call.scalar(1).unwrap_or(Scalar::Int(0));
        return Ok(smallvec![constant_pad(x, pairs, ConstantPad::new().value(value))?]);
    }
    check_lengths(function, call.compute, &padded(x.shape(), &axes))?;
    let mut longer = x.clone();
    for (axis, pad) in axes.iter().enumerate().filter(|(_, pad)| pad.before + pad.after > 0) {
        let len = x.shape()[axis];
        if len == 0 {
            let (value, rule) = (x.shape().to_string(), "there is no element to repeat along an empty axis");
            return Err(ErrorKind::InvalidArgument { function, argument: "input", value, rule }.into());
        }
        let places = len + pad.before + pad.after;
        // The indices are one more array of the axis's length.
        Shape::from([places]).checked_size(function, Dtype::INT64)?;
        let first = -(pad.before as i64);
        let sources: Vec<i64> =
            (first..first + places as i64).map(|place| params.mode.source(place, len as i64)).collect();
        let sources = Array::from_vec(sources, places)?;
        longer = take(&longer, &sources, Take::new().axis(axis as i64))?;
    }
    Ok(smallvec![longer])
}

/// Elements put before and after those of each axis, in one of several ways ([`PadMode`]). Of
/// NumPy's modes those are here that put one value or elements of the array; where those of one axis
/// meet those of another, later axes repeat what the earlier ones have put.
///
/// ```
/// use ivy::{Pad, PadMode, prelude::*};
/// let x = Array::try_from([1i32, 2, 3])?;
/// let mirrored = ivy::pad(&x, (2, 1), Pad::new().mode(PadMode::Reflect))?;
/// assert_eq!(mirrored.to_vec::<i32>()?, [3, 2, 1, 2, 3, 2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of [`constant_pad`]; [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an axis
/// without elements and a mode that repeats them.
pub fn pad<'a>(
    input: impl IntoOperand<'a>,
    pad_width: impl Into<PadWidth>,
    params: impl Into<Pad>,
) -> Result<Array> {
    let mut params = Pad { pad_width: pad_width.into(), ..params.into() };
    let value = mem::replace(&mut params.constant_values, Operand::Absent);
    call_one(&PAD, &[input.into_operand(), value], &params)
}
