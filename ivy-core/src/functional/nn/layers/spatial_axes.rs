//! Spatial axes of layers: numbers for each, paddings, data formats.

use super::invalid;
use crate::function::{ParamField, ParamValue};
use crate::{Array, Dims, Result};

/// A number for each spatial axis, or one for all of them.
///
/// ```
/// use ivy::PerAxis;
/// assert_eq!(PerAxis::from(2), PerAxis::from([2]));
/// assert_ne!(PerAxis::from([2, 1]), PerAxis::from(2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PerAxis(Dims);

impl PerAxis {
    /// The numbers as they were given.
    pub(super) fn each(&self) -> &[usize] {
        &self.0
    }

    /// The numbers of `spatial` axes, which are `least` or more.
    pub(super) fn of(
        &self,
        function: &'static str,
        argument: &'static str,
        spatial: usize,
        least: usize,
    ) -> Result<Dims> {
        let all: Dims = match self.0[..] {
            [one] => Dims::from_elem(one, spatial),
            ref each if each.len() == spatial => self.0.clone(),
            ref other => {
                let value = format!("{other:?} for {spatial} axes");
                return Err(invalid(function, argument, value, "one number, or one for each spatial axis"));
            }
        };
        match all.iter().find(|&&n| n < least || n > isize::MAX as usize) {
            Some(n) => Err(invalid(function, argument, n.to_string(), "numbers of 1 or more are needed")),
            None => Ok(all),
        }
    }
}

impl From<usize> for PerAxis {
    fn from(number: usize) -> PerAxis {
        PerAxis(Dims::from_slice(&[number]))
    }
}

impl<const N: usize> From<[usize; N]> for PerAxis {
    fn from(numbers: [usize; N]) -> PerAxis {
        PerAxis(Dims::from_slice(&numbers))
    }
}

impl From<&[usize]> for PerAxis {
    fn from(numbers: &[usize]) -> PerAxis {
        PerAxis(Dims::from_slice(numbers))
    }
}

impl From<Vec<usize>> for PerAxis {
    fn from(numbers: Vec<usize>) -> PerAxis {
        PerAxis(Dims::from_vec(numbers))
    }
}

impl ParamField for PerAxis {
    const TYPE: &'static str = "int | Sequence[int]";
    const RULE: &'static str = "a whole number, or one for each axis, none of them negative";

    fn from_value(value: ParamValue) -> Option<PerAxis> {
        let numbers = match value {
            ParamValue::Int(i) => vec![i],
            ParamValue::Ints(list) => list,
            _ => return None,
        };
        numbers.into_iter().map(|i| usize::try_from(i).ok()).collect::<Option<Dims>>().map(PerAxis)
    }
}

/// What stands before and after the elements of each spatial axis.
///
/// ```
/// use ivy::Padding;
/// assert_eq!(Padding::from(1), Padding::from((1, 1)));
/// assert_eq!(Padding::from([(0, 1), (2, 0)]), Padding::Explicit(vec![(0, 1), (2, 0)]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Padding {
    /// Nothing: windows that fit whole, `"VALID"`.
    Valid,
    /// As many elements as make the result `ceil(length / stride)` long, the odd one behind: `"SAME"`.
    Same,
    /// The same, the odd one before: `"SAME_LOWER"`.
    SameLower,
    /// Pairs (before, after), one for each spatial axis or one for all. Negative numbers, which take elements
    /// away, are for convolutions only.
    Explicit(Vec<(i64, i64)>),
}

impl From<i64> for Padding {
    fn from(both: i64) -> Padding {
        Padding::Explicit(vec![(both, both)])
    }
}

impl From<(i64, i64)> for Padding {
    fn from(pair: (i64, i64)) -> Padding {
        Padding::Explicit(vec![pair])
    }
}

impl<const N: usize> From<[(i64, i64); N]> for Padding {
    fn from(pairs: [(i64, i64); N]) -> Padding {
        Padding::Explicit(pairs.to_vec())
    }
}

impl From<Vec<(i64, i64)>> for Padding {
    fn from(pairs: Vec<(i64, i64)>) -> Padding {
        Padding::Explicit(pairs)
    }
}

impl ParamField for Padding {
    const TYPE: &'static str = "str | int | Sequence[int] | Sequence[Sequence[int]]";
    const RULE: &'static str =
        "one of SAME, SAME_LOWER, VALID, a number, or pairs (before, after), one for each spatial axis";

    fn from_value(value: ParamValue) -> Option<Padding> {
        let pair = |list: &Vec<i64>| match list[..] {
            [both] => Some((both, both)),
            [before, after] => Some((before, after)),
            _ => None,
        };
        Some(match value {
            ParamValue::Text(word) => match &*word {
                "VALID" => Padding::Valid,
                "SAME" => Padding::Same,
                "SAME_LOWER" => Padding::SameLower,
                _ => return None,
            },
            ParamValue::Int(both) => Padding::from(both),
            // A number for each axis, as PyTorch has it.
            ParamValue::Ints(list) => Padding::Explicit(list.into_iter().map(|n| (n, n)).collect()),
            ParamValue::IntLists(lists) => Padding::Explicit(lists.iter().map(pair).collect::<Option<_>>()?),
            _ => return None,
        })
    }
}

/// A window along one axis.
#[derive(Clone, Copy)]
pub(super) struct Span {
    /// The input's length, after its dilation.
    pub(super) len: usize,
    /// The window's length, with its dilation.
    pub(super) window: usize,
    pub(super) stride: usize,
}

impl Span {
    /// The length of `len` elements with neighbours `dilation` from each other.
    pub(super) fn dilated(len: usize, dilation: usize) -> usize {
        if len == 0 { 0 } else { (len - 1).saturating_mul(dilation).saturating_add(1) }
    }

    fn same(self) -> i64 {
        let out = self.len.div_ceil(self.stride);
        let needed = (out.saturating_sub(1)).saturating_mul(self.stride).saturating_add(self.window);
        if out == 0 { 0 } else { i64::try_from(needed.saturating_sub(self.len)).unwrap_or(i64::MAX) }
    }
}

impl Padding {
    /// The pairs of some spatial axes.
    pub(super) fn of(&self, function: &'static str, spans: &[Span]) -> Result<Dims<(i64, i64)>> {
        Ok(match self {
            Padding::Valid => spans.iter().map(|_| (0, 0)).collect(),
            Padding::Same => spans.iter().map(|s| (s.same() / 2, s.same() - s.same() / 2)).collect(),
            Padding::SameLower => spans.iter().map(|s| (s.same() - s.same() / 2, s.same() / 2)).collect(),
            Padding::Explicit(pairs) => match pairs[..] {
                [pair] => spans.iter().map(|_| pair).collect(),
                ref each if each.len() == spans.len() => each.iter().copied().collect(),
                ref other => {
                    let value = format!("{other:?} for {} axes", spans.len());
                    let rule = "one pair (before, after), or one for each spatial axis";
                    return Err(invalid(function, "padding", value, rule));
                }
            },
        })
    }
}

/// Where the channels stand among an array's axes: N is the batch, C the channels, and D, H and W are the
/// spatial axes. `ChannelLast` and `ChannelFirst` go with any number of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DataFormat {
    /// The batch, the spatial axes, the channels: `"channel_last"`, or `"NSC"`.
    #[default]
    ChannelLast,
    /// The batch, the channels, the spatial axes: `"channel_first"`, or `"NCS"`.
    ChannelFirst,
    /// `"NWC"`.
    Nwc,
    /// `"NCW"`.
    Ncw,
    /// `"NHWC"`.
    Nhwc,
    /// `"NCHW"`.
    Nchw,
    /// `"NDHWC"`.
    Ndhwc,
    /// `"NCDHW"`.
    Ncdhw,
}

param_words! {
    DataFormat: "channel_last" => ChannelLast, "channel_first" => ChannelFirst,
    "NSC" => ChannelLast, "NCS" => ChannelFirst, "NWC" => Nwc, "NCW" => Ncw,
    "NHWC" => Nhwc, "NCHW" => Nchw, "NDHWC" => Ndhwc, "NCDHW" => Ncdhw
}

impl DataFormat {
    /// Whether the channels stand before the spatial axes, of which there are so many.
    pub(in crate::functional::nn) fn is_first(self, function: &'static str, spatial: usize) -> Result<bool> {
        let (first, axes) = match self {
            DataFormat::ChannelLast => (false, spatial),
            DataFormat::ChannelFirst => (true, spatial),
            DataFormat::Nwc => (false, 1),
            DataFormat::Ncw => (true, 1),
            DataFormat::Nhwc => (false, 2),
            DataFormat::Nchw => (true, 2),
            DataFormat::Ndhwc => (false, 3),
            DataFormat::Ncdhw => (true, 3),
        };
        if axes != spatial {
            let value = format!("{self:?} for {spatial} spatial axes");
            return Err(invalid(function, "data_format", value, "a format with as many spatial axes"));
        }
        Ok(first)
    }

    /// The axes of an array of this format in the order batch, channels, spatial axes; and those that
    /// bring this order back into the format.
    pub(super) fn orders(self, function: &'static str, spatial: usize) -> Result<(Dims, Dims)> {
        let n = spatial + 2;
        Ok(match self.is_first(function, spatial)? {
            true => ((0..n).collect(), (0..n).collect()),
            false => (
                [0, n - 1].into_iter().chain(1..n - 1).collect(),
                [0].into_iter().chain(2..n).chain([1]).collect(),
            ),
        })
    }

    /// The spatial axes of an array of this format.
    pub(super) fn spatial_axes(
        self,
        function: &'static str,
        x: &Array,
        spatial: usize,
        argument: &'static str,
    ) -> Result<Dims> {
        let first = self.is_first(function, spatial)?;
        if x.ndim() != spatial + 2 {
            return Err(super::mismatch(function, argument, format!("{} axes", spatial + 2), x));
        }
        Ok(if first { (2..spatial + 2).collect() } else { (1..spatial + 1).collect() })
    }
}

/// Where the channels stand among the axes of filters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FilterFormat {
    /// The window's axes, then the channels.
    #[default]
    ChannelLast,
    /// The channels, then the window's axes.
    ChannelFirst,
}

param_words! { FilterFormat: "channel_last" => ChannelLast, "channel_first" => ChannelFirst }
