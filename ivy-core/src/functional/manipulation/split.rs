//! Splits along an axis.

use super::{slice_axes, whole};
use crate::array::IntoOperand;
use crate::call::call;
use crate::dtype::wrong_kind;
use crate::function::{Body, Bound, Composition, Outputs, ParamField, ParamValue};
use crate::functional::astype;
use crate::{Array, Dims, Dtype, Error, ErrorKind, Result, Shape, params, shape};

/// Into which parts [`split`] divides an axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Splits {
    /// This many parts of one length.
    Number(i64),
    /// Parts of these lengths. One of them may be -1, which takes what the others leave.
    Sizes(Dims<i64>),
}

impl From<i64> for Splits {
    fn from(number: i64) -> Splits {
        Splits::Number(number)
    }
}

impl<const N: usize> From<[i64; N]> for Splits {
    fn from(sizes: [i64; N]) -> Splits {
        Splits::Sizes(Dims::from_slice(&sizes))
    }
}

impl From<&[i64]> for Splits {
    fn from(sizes: &[i64]) -> Splits {
        Splits::Sizes(Dims::from_slice(sizes))
    }
}

impl From<Vec<i64>> for Splits {
    fn from(sizes: Vec<i64>) -> Splits {
        Splits::Sizes(Dims::from_vec(sizes))
    }
}

impl TryFrom<&Array> for Splits {
    type Error = Error;

    /// The elements of an array of integers, which are read: lengths of one axis of them, or a number of parts
    /// of an array without axes.
    fn try_from(sizes: &Array) -> Result<Splits> {
        const FUNCTION: &str = "split";
        if !sizes.dtype().is_int() {
            return Err(wrong_kind(FUNCTION, sizes.dtype(), "integer"));
        }
        if sizes.ndim() > 1 {
            let (argument, expected) = ("num_or_size_splits", "at most one axis".into());
            let actual = sizes.shape().clone();
            return Err(ErrorKind::ShapeMismatch { function: FUNCTION, argument, expected, actual }.into());
        }
        let numbers = astype(sizes, Dtype::INT64)?.to_vec::<i64>()?;
        Ok(match (sizes.ndim(), &numbers[..]) {
            (0, [number]) => Splits::Number(*number),
            _ => Splits::from(numbers),
        })
    }
}

impl ParamField for Splits {
    const TYPE: &'static str = "int | Sequence[int] | Array";
    const RULE: &'static str = "a number of parts or their lengths, whole numbers";

    fn from_value(value: ParamValue) -> Option<Splits> {
        match value {
            ParamValue::Int(number) => Some(Splits::Number(number)),
            ParamValue::Ints(sizes) => Some(Splits::from(sizes)),
            _ => None,
        }
    }
}

params! {
    /// Keyword arguments of [`split`].
    pub struct Split {
        /// How many parts there are, or how long they are; parts of length 1 if not given.
        num_or_size_splits: Option<Splits> = None,
        /// The axis to split along.
        axis: i64 = 0,
        /// What a number that does not divide the axis's length means: parts of so many elements, and one more
        /// of what is left. Of a list of lengths, what is left is one more part as well.
        flag with_remainder,
    }
}

describe! {
    SPLIT = "split", Manipulation, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Split::new(), example: [&[2, 2]], Body::Compose(compose_split)
}

fn compose_split(call: &Composition<'_>) -> Result<Outputs> {
    let (x, function, params) = (call.array(0), call.function.name, call.params::<Split>());
    let axis = shape::normalize_axis(function, params.axis, x.ndim())?;
    let parts = Parts::new(function, params, x.shape()[axis])?;
    let mut outputs = Outputs::new();
    if outputs.try_reserve(parts.count()).is_err() {
        let (shape, dtype) = (Shape::from([parts.count()]), None);
        return Err(ErrorKind::SizeOverflow { function, shape, dtype }.into());
    }
    let mut start = 0;
    for k in 0..parts.count() {
        let mut axes = whole(x.shape());
        (axes[axis].start, axes[axis].len) = (start, parts.len(k));
        if axes[axis].len == 0 {
            // The place behind the last element is none.
            axes[axis].start = 0;
        }
        outputs.push(slice_axes(function, x, axes)?);
        start += parts.len(k);
    }
    Ok(outputs)
}

/// The lengths of parts that are all of an axis.
enum Parts {
    /// This many of one length.
    Equal(usize, usize),
    /// This many of one length, and what is left.
    Rest(usize, usize, usize),
    Listed(Dims),
}

impl Parts {
    fn new(function: &'static str, params: &Split, len: usize) -> Result<Parts> {
        let invalid = |value: String, rule: &'static str| -> Error {
            ErrorKind::InvalidArgument { function, argument: "num_or_size_splits", value, rule }.into()
        };
        let sizes = match &params.num_or_size_splits {
            None => return Ok(Parts::Equal(len, 1)),
            Some(Splits::Number(number)) => {
                let count = usize::try_from(*number).ok().filter(|n| *n > 0);
                let count = count.ok_or_else(|| invalid(number.to_string(), "at least one part"))?;
                return match len % count {
                    0 => Ok(Parts::Equal(count, len / count)),
                    rest if params.with_remainder => Ok(Parts::Rest(len / count, count, rest)),
                    _ => Err(invalid(
                        format!("{number} for {len} elements"),
                        "a number that divides the length of the axis, without `with_remainder`",
                    )),
                };
            }
            Some(Splits::Sizes(sizes)) => sizes,
        };
        let said = || format!("{:?} for {len} elements", sizes.as_slice());
        let free = sizes.iter().position(|&n| n == -1);
        if sizes.iter().any(|&n| n < -1) || free.is_some_and(|f| sizes[f + 1..].contains(&-1)) {
            return Err(invalid(said(), "lengths are 0 or more, or -1 once"));
        }
        let known = sizes.iter().try_fold(0usize, |sum, &n| sum.checked_add(n.max(0) as usize));
        let Some(rest) = known.and_then(|known| len.checked_sub(known)) else {
            return Err(invalid(said(), "no more than the axis has"));
        };
        let mut lens: Dims = sizes.iter().map(|&n| n.max(0) as usize).collect();
        match free {
            Some(free) => lens[free] = rest,
            None if rest > 0 && params.with_remainder => lens.push(rest),
            None if rest > 0 => {
                return Err(invalid(said(), "lengths that are all of the axis, without `with_remainder`"));
            }
            None => {}
        }
        Ok(Parts::Listed(lens))
    }

    fn count(&self) -> usize {
        match self {
            Parts::Equal(count, _) => *count,
            Parts::Rest(count, ..) => count + 1,
            Parts::Listed(lens) => lens.len(),
        }
    }

    fn len(&self, k: usize) -> usize {
        match self {
            Parts::Equal(_, len) => *len,
            Parts::Rest(count, len, rest) => {
                if k < *count {
                    *len
                } else {
                    *rest
                }
            }
            Parts::Listed(lens) => lens[k],
        }
    }
}

/// Split along an axis: the parts of an array along an axis, one behind the other: so many of one length, or of the
/// lengths given; without either, parts of length 1. [`concat`](super::concat()) joins them again.
///
/// A number that does not divide the axis's length is refused, unless `with_remainder` is set: then it is the
/// length of the parts, and what is left is one more, as in Ivy.
///
/// ```
/// use ivy::{Split, Splits, prelude::*};
/// let x = Array::try_from([1i32, 2, 3, 4, 5, 6])?;
/// let halves = ivy::split(&x, Split::new().num_or_size_splits(2))?;
/// assert_eq!(halves[1].to_vec::<i32>()?, [4, 5, 6]);
/// let parts = ivy::split(&x, Split::new().num_or_size_splits([1, -1, 2]))?;
/// assert_eq!(parts[1].to_vec::<i32>()?, [2, 3, 4]);
/// let fours = ivy::split(&x, Split::new().num_or_size_splits(4).with_remainder())?;
/// assert_eq!(fours[1].to_vec::<i32>()?, [5, 6]);
/// let sizes = Splits::try_from(&Array::try_from([5u8, 1])?)?;
/// assert_eq!(ivy::split(&x, Split::new().num_or_size_splits(sizes))?[1].to_vec::<i32>()?, [6]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), also for an array without axes;
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for no parts, a number that does not divide the length,
/// and lengths that are negative or not all of the axis; [`SizeOverflow`](crate::ErrorKind::SizeOverflow) for
/// more parts than there is memory for.
pub fn split<'a>(x: impl IntoOperand<'a>, params: impl Into<Split>) -> Result<Vec<Array>> {
    Ok(call(&SPLIT, &[x.into_operand()], &params.into())?.into_vec())
}
