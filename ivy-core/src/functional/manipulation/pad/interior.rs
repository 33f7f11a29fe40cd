//! Interior padding: a value between the elements of axes, and at both ends.

use super::{ConstantPad, PadWidth, constant_pad};
use crate::array::Array;
use crate::function::{ParamField, ParamValue};
use crate::functional::manipulation::slice_along;
use crate::functional::reshape;
use crate::{AxisPad, Op, primitive};
use crate::{Dims, ErrorKind, Result, Scalar, Shape};
use std::fmt;

/// How much [`pad`](super::pad) puts where: pairs of before and after, or triples that also say how many elements are put
/// between neighbours, which [`PadMode::Dilated`](super::PadMode::Dilated) takes.
///
/// ```
/// use ivy::{Pad, PadAmounts, PadMode, prelude::*};
/// let x = Array::try_from([1i32, 2, 3])?;
/// let dilated = |amounts| ivy::pad(&x, amounts, Pad::new().mode(PadMode::Dilated));
/// assert_eq!(dilated(PadAmounts::dilated([(1, 0, 1)]))?.to_vec::<i32>()?, [0, 1, 0, 2, 0, 3]);
/// assert_eq!(dilated(PadAmounts::dilated([(-1, 2, 0)]))?.to_vec::<i32>()?, [2, 3, 0, 0]);
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum PadAmounts {
    /// Before and after each axis.
    Pairs(PadWidth),
    /// Before and after each axis, where negative numbers take elements away, and between neighbours: one triple for each
    /// axis, or one for all.
    Triples(Dims<(i64, i64, usize)>),
}

impl PadAmounts {
    /// Numbers before, after and between, for each axis or for all.
    pub fn dilated<const N: usize>(triples: [(i64, i64, usize); N]) -> PadAmounts {
        PadAmounts::Triples(triples.into_iter().collect())
    }
}

impl<T: Into<PadWidth>> From<T> for PadAmounts {
    fn from(pairs: T) -> PadAmounts {
        PadAmounts::Pairs(pairs.into())
    }
}

impl fmt::Display for PadAmounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PadAmounts::Pairs(pairs) => pairs.fmt(f),
            PadAmounts::Triples(triples) => write!(f, "{:?}", &triples[..]),
        }
    }
}

impl ParamField for PadAmounts {
    const TYPE: &'static str = "int | Sequence[int] | Sequence[Sequence[int]]";
    const RULE: &'static str = "a width, a pair (before, after), or one of either for each axis, none of them negative; \
        in the mode `dilated` triples (before, after, between)";

    fn from_value(value: ParamValue) -> Option<PadAmounts> {
        let lists = match &value {
            ParamValue::Ints(list) => std::slice::from_ref(list),
            ParamValue::IntLists(lists) => &lists[..],
            _ => &[],
        };
        if lists.is_empty() || lists.iter().any(|list| list.len() != 3) {
            return PadWidth::from_value(value).map(PadAmounts::Pairs);
        }
        let triple = |list: &Vec<i64>| Some((list[0], list[1], usize::try_from(list[2]).ok()?));
        lists.iter().map(triple).collect::<Option<_>>().map(PadAmounts::Triples)
    }
}

impl PadAmounts {
    /// The pairs; triples are an error.
    pub(super) fn pairs(&self, function: &'static str) -> Result<&PadWidth> {
        match self {
            PadAmounts::Pairs(pairs) => Ok(pairs),
            PadAmounts::Triples(_) => {
                let (argument, value) = ("pad_width", self.to_string());
                let rule = "pairs (before, after); triples are for the mode `dilated`";
                Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into())
            }
        }
    }

    /// The triple of each axis.
    fn triples(&self, function: &'static str, ndim: usize) -> Result<Dims<(i64, i64, usize)>> {
        match self {
            PadAmounts::Pairs(pairs) => {
                let pairs = pairs.of_axes(function, "pad_width", ndim)?;
                let signed = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
                Ok(pairs.into_iter().map(|(before, after)| (signed(before), signed(after), 0)).collect())
            }
            PadAmounts::Triples(triples) => match triples[..] {
                [one] => Ok((0..ndim).map(|_| one).collect()),
                _ if triples.len() == ndim => Ok(triples.clone()),
                _ => {
                    let (argument, value) = ("pad_width", format!("{self} with ndim {ndim}"));
                    let rule = "one triple (before, after, between), or one for each axis";
                    Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into())
                }
            },
        }
    }
}

/// A value between the elements of each axis, and before and after them, of which negative numbers take some away.
pub(super) fn dilated(
    function: &'static str,
    x: &Array,
    amounts: &PadAmounts,
    value: Scalar,
) -> Result<Array> {
    let triples = amounts.triples(function, x.ndim())?;
    let mut lengths = Dims::new();
    for (&len, &(before, after, between)) in x.shape().iter().zip(&triples) {
        let spread = len as i128 + len.saturating_sub(1) as i128 * between as i128;
        let length = spread + i128::from(before) + i128::from(after);
        let Ok(length) = usize::try_from(length) else {
            let (argument, value) = ("pad_width", amounts.to_string());
            let rule = "no axis loses more elements than it has";
            return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
        };
        lengths.push(length);
    }
    Shape::from(lengths).checked_size(function, x.dtype())?;
    let mut result = x.clone();
    for (axis, &(before, after, between)) in triples.iter().enumerate() {
        if between > 0 && x.shape()[axis] > 1 {
            result = dilate_axis(function, &result, axis, between + 1, value)?;
        }
        let around = |n: i64| n.max(0) as usize;
        let mut widths = vec![(0, 0); x.ndim()];
        widths[axis] = (around(before), around(after));
        if widths[axis] != (0, 0) {
            result = constant_pad(result, widths, ConstantPad::new().value(value))?;
        }
        let (first, last) = (around(-before.max(-i64::MAX)), around(-after.max(-i64::MAX)));
        if first + last > 0 {
            let len = result.shape()[axis] - first - last;
            result = slice_along(function, &result, axis, first, 1, len)?;
        }
    }
    Ok(result)
}

/// Dilation of an axis: elements `dilation` apart, with a value between them.
pub(in crate::functional) fn dilate_axis(
    function: &'static str,
    x: &Array,
    axis: usize,
    dilation: usize,
    value: Scalar,
) -> Result<Array> {
    let len = x.shape()[axis];
    if len < 2 {
        return Ok(x.clone());
    }
    let mut shape = Dims::from_slice(x.shape());
    shape.insert(axis + 1, 1);
    let apart = reshape(x, Shape::from(shape.clone()), ())?;
    let mut axes: Dims<AxisPad> = shape.iter().map(|_| AxisPad { before: 0, after: 0 }).collect();
    axes[axis + 1].after = dilation - 1;
    shape[axis + 1] = dilation;
    Shape::from(shape.clone()).checked_size(function, x.dtype())?;
    let apart = primitive::run(function, &Op::Pad { axes, value }, &[&apart])?;
    shape.remove(axis + 1);
    shape[axis] = len * dilation;
    let all = reshape(&apart, Shape::from(shape), ())?;
    slice_along(function, &all, axis, 0, 1, (len - 1) * dilation + 1)
}
