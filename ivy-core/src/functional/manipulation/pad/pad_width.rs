//! Padding widths and values: a pair for each axis, or one for all.

use crate::array::Array;
use crate::function::{ParamField, ParamValue};
use crate::{Dims, ErrorKind, Result, Scalar};
use std::fmt;

/// One thing for the beginning and one for the end of each axis: a pair for each of them, or one pair
/// for all. A single thing stands for a pair of it twice.
///
/// ```
/// use ivy::PadWidth;
/// assert_eq!(PadWidth::from(2), PadWidth::from((2, 2)));
/// assert_eq!(PadWidth::from([(0, 1), (2, 0)]).to_string(), "((0, 1), (2, 0))");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AxisPairs<T>(Dims<(T, T)>);

/// How many elements are put before and after each axis.
pub type PadWidth = AxisPairs<usize>;

/// The values that are put, or that ramps lead to, before and after each axis.
pub type PadValues = AxisPairs<Scalar>;

impl<T: Copy + fmt::Display> AxisPairs<T> {
    /// The pair of each of `ndim` axes.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] if there are several pairs, and not one for each axis.
    pub(super) fn of_axes(
        &self,
        function: &'static str,
        argument: &'static str,
        ndim: usize,
    ) -> Result<Dims<(T, T)>> {
        match self.0[..] {
            [pair] => Ok((0..ndim).map(|_| pair).collect()),
            ref pairs if pairs.len() == ndim => Ok(self.0.clone()),
            _ => {
                let rule = "one pair (before, after), or one for each axis";
                let value = format!("{self} with ndim {ndim}");
                Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into())
            }
        }
    }
}

impl PadValues {
    /// The value that all are, if they are one.
    pub(super) fn single(&self) -> Option<Scalar> {
        match self.0[..] {
            [(before, after)] if before == after => Some(before),
            _ => None,
        }
    }
}

impl<T: fmt::Display> fmt::Display for AxisPairs<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs: Vec<String> =
            self.0.iter().map(|(before, after)| format!("({before}, {after})")).collect();
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

impl<T: Into<Scalar>> From<T> for PadValues {
    fn from(value: T) -> PadValues {
        let value = value.into();
        AxisPairs(Dims::from_iter([(value, value)]))
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
        AxisPairs(pairs.iter().copied().collect())
    }
}

impl From<Vec<(usize, usize)>> for PadWidth {
    fn from(pairs: Vec<(usize, usize)>) -> PadWidth {
        PadWidth::from(&pairs[..])
    }
}

impl<T: Into<Scalar>> From<(T, T)> for PadValues {
    fn from(pair: (T, T)) -> PadValues {
        PadValues::from([pair])
    }
}

impl<T: Into<Scalar>, const N: usize> From<[(T, T); N]> for PadValues {
    fn from(pairs: [(T, T); N]) -> PadValues {
        AxisPairs(pairs.into_iter().map(|(before, after)| (before.into(), after.into())).collect())
    }
}

impl From<&[(Scalar, Scalar)]> for PadValues {
    fn from(pairs: &[(Scalar, Scalar)]) -> PadValues {
        AxisPairs(pairs.iter().copied().collect())
    }
}

/// One thing, a pair of them, or one or two for each axis, as a binding hands them over.
fn from_lists<T: Copy>(lists: Vec<Vec<T>>) -> Option<AxisPairs<T>> {
    let pair = |list: Vec<T>| match list[..] {
        [both] => Some((both, both)),
        [before, after] => Some((before, after)),
        _ => None,
    };
    lists.into_iter().map(pair).collect::<Option<_>>().map(AxisPairs)
}

impl ParamField for PadWidth {
    const TYPE: &'static str = "int | Sequence[int] | Sequence[Sequence[int]]";
    const RULE: &'static str =
        "a width, a pair (before, after), or one of either for each axis, none of them negative";

    fn from_value(value: ParamValue) -> Option<PadWidth> {
        let lists = match value {
            ParamValue::Int(i) => vec![vec![i]],
            ParamValue::Ints(list) if list.is_empty() => vec![],
            ParamValue::Ints(list) => vec![list],
            ParamValue::IntLists(lists) => lists,
            _ => return None,
        };
        let width = |i: i64| usize::try_from(i).ok();
        let widths = |list: Vec<i64>| list.into_iter().map(width).collect::<Option<Vec<_>>>();
        from_lists(lists.into_iter().map(widths).collect::<Option<_>>()?)
    }
}

impl ParamField for PadValues {
    const TYPE: &'static str = "complex | Sequence[complex] | Sequence[Sequence[complex]]";
    const RULE: &'static str = "a number, a pair (before, after), or one of either for each axis";

    fn from_value(value: ParamValue) -> Option<PadValues> {
        let scalars = |list: Vec<i64>| list.into_iter().map(Scalar::from).collect();
        let lists = match value {
            ParamValue::Bool(b) => vec![vec![b.into()]],
            ParamValue::Int(i) => vec![vec![i.into()]],
            ParamValue::Float(x) => vec![vec![x.into()]],
            ParamValue::Scalar(scalar) => vec![vec![scalar]],
            ParamValue::Ints(list) if list.is_empty() => vec![],
            ParamValue::Ints(list) => vec![scalars(list)],
            ParamValue::IntLists(lists) => lists.into_iter().map(scalars).collect(),
            ParamValue::Scalars(list) => vec![list],
            ParamValue::ScalarLists(lists) => lists,
            _ => return None,
        };
        from_lists(lists)
    }
}

/// The values that [`PadMode::Constant`](super::PadMode::Constant) puts: numbers, or an array.
///
/// ```
/// use ivy::{Pad, prelude::*};
/// let x = ivy::asarray([1.0, 2.0], Dtype::FLOAT64)?;
/// let around = |value: &Array| ivy::sum(ivy::pad(&x, (1, 2), Pad::new().constant_values(value))?, ());
/// let value = ivy::asarray(0.5, Dtype::FLOAT64)?;
/// assert_eq!((around(&value)?.item::<f64>()?, ivy::grad(around)(&value)?.item::<f64>()?), (4.5, 3.0));
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum PadConstants {
    /// Numbers before and after each axis.
    Values(PadValues),
    /// The element of an array without axes, everywhere. Under `vmap` each entry has its own.
    Array(Array),
}

impl fmt::Display for PadConstants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PadConstants::Values(values) => values.fmt(f),
            PadConstants::Array(x) => write!(f, "an array of {} and shape {}", x.dtype(), x.shape()),
        }
    }
}

impl<T: Into<PadValues>> From<T> for PadConstants {
    fn from(values: T) -> PadConstants {
        PadConstants::Values(values.into())
    }
}

impl From<&Array> for PadConstants {
    fn from(value: &Array) -> PadConstants {
        PadConstants::Array(value.clone())
    }
}

impl From<Array> for PadConstants {
    fn from(value: Array) -> PadConstants {
        PadConstants::Array(value)
    }
}

impl ParamField for PadConstants {
    const TYPE: &'static str = "Array | complex | Sequence[complex] | Sequence[Sequence[complex]]";
    const RULE: &'static str = "a number or an array without axes, a pair (before, after) of numbers, or one of either for each axis";

    fn from_value(value: ParamValue) -> Option<PadConstants> {
        match value {
            ParamValue::Array(x) if x.ndim() == 0 => Some(PadConstants::Array(x)),
            value => PadValues::from_value(value).map(PadConstants::Values),
        }
    }

    fn variant(&self) -> u64 {
        u64::from(matches!(self, PadConstants::Array(_)))
    }

    fn as_array(&self) -> Option<&Array> {
        match self {
            PadConstants::Array(x) => Some(x),
            PadConstants::Values(_) => None,
        }
    }
}

/// How many elements at each end of an axis the statistics of [`PadMode`](super::PadMode) are of: a
/// number, or pairs as for [`PadWidth`]. More than an axis has stand for all of it.
///
/// ```
/// use ivy::StatLength;
/// assert_eq!(StatLength::from(3), StatLength::from((3, 3)));
/// assert_ne!(StatLength::from(3), StatLength::WHOLE);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StatLength(Option<PadWidth>);

impl StatLength {
    /// All elements of each axis.
    pub const WHOLE: StatLength = StatLength(None);

    /// The lengths at both ends of each of `ndim` axes.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] if there are several pairs, and not one for each axis.
    pub(super) fn of_axes(&self, function: &'static str, ndim: usize) -> Result<Dims<(usize, usize)>> {
        match &self.0 {
            Some(lengths) => lengths.of_axes(function, "stat_length", ndim),
            None => Ok((0..ndim).map(|_| (usize::MAX, usize::MAX)).collect()),
        }
    }
}

impl<T: Into<PadWidth>> From<T> for StatLength {
    fn from(lengths: T) -> StatLength {
        StatLength(Some(lengths.into()))
    }
}

impl ParamField for StatLength {
    const TYPE: &'static str = "int | Sequence[int] | Sequence[Sequence[int]] | None";
    const RULE: &'static str =
        "a number of elements, a pair of them, or one of either for each axis, none of them negative";

    fn from_value(value: ParamValue) -> Option<StatLength> {
        Option::from_value(value).map(StatLength)
    }
}
