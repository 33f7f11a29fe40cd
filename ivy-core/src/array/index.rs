//! What stands between the brackets of an index expression.

use super::Array;
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

/// One entry of an index expression, written with [`s!`](crate::s) or converted from integers,
/// ranges and arrays.
///
/// The meaning is NumPy's and the Array API's: an integer selects one position and drops its
/// axis; a slice selects positions by Python's rules; an integer array gathers; a bool array
/// selects the places where it is true, over as many axes as it has.
#[derive(Clone)]
pub enum Index {
    /// One position, counted from the end if negative; its axis is dropped.
    Int(i64),
    /// Positions from `start` to before `stop`, `step` apart, as Python's `start:stop:step`:
    /// bounds count from the end if negative and are clamped to the axis; a negative step
    /// walks backwards; a step of 0 is an error of the call.
    Slice {
        /// The first position; `None` for the end from which the step walks.
        start: Option<i64>,
        /// The bound that is not reached; `None` for the end to which the step walks.
        stop: Option<i64>,
        /// The distance between positions.
        step: i64,
    },
    /// Full slices for all the axes that the other entries leave over; at most once.
    Ellipsis,
    /// A new axis of length 1.
    NewAxis,
    /// A mask (bool) or positions (integers).
    Array(Array),
}

/// A new axis of length 1 in an index expression: `s![.., New]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct New;

/// All remaining axes in an index expression: `s![Ellipsis, 0]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ellipsis;

mod sealed {
    pub trait Sealed {}
}

/// An integer that can be a position or a bound of a slice.
pub trait IndexInt: Copy + sealed::Sealed {
    /// The value; what no axis can have (above `i64::MAX`) becomes `i64::MAX`.
    fn to_i64(self) -> i64;
}

/// The bounds of a slice, before a step is known. Made from Rust's ranges.
///
/// An inclusive range `a..=b` ends with position `b`, in the direction of the step; `..=-1`
/// therefore reaches the end of the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexRange {
    start: Option<i64>,
    stop: Option<i64>,
    inclusive: bool,
}

impl IndexRange {
    /// The slice with these bounds and a step.
    ///
    /// ```
    /// use ivy::array::{Index, IndexRange};
    /// let slice = IndexRange::from(7..=0).step(-2);
    /// assert!(matches!(slice, Index::Slice { start: Some(7), stop: None, step: -2 }));
    /// ```
    pub fn step(self, step: impl IndexInt) -> Index {
        let step = step.to_i64();
        let stop = match self.stop {
            // One further in the direction of the step; past either end there is no bound.
            Some(last) if self.inclusive => match (step < 0, last) {
                (false, -1) | (true, 0) => None,
                (false, _) => last.checked_add(1),
                (true, _) => last.checked_sub(1),
            },
            stop => stop,
        };
        Index::Slice { start: self.start, stop, step }
    }
}

macro_rules! index_ints {
    ($($t:ty),*) => {
        $(
            impl sealed::Sealed for $t {}
            impl IndexInt for $t {
                fn to_i64(self) -> i64 {
                    i64::try_from(self).unwrap_or(i64::MAX)
                }
            }
            impl From<$t> for Index {
                fn from(position: $t) -> Index {
                    Index::Int(position.to_i64())
                }
            }
        )*
    };
}
index_ints!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

macro_rules! index_ranges {
    ($($range:ident, |$r:ident| $start:expr, $stop:expr, $inclusive:literal;)*) => {
        $(
            impl<T: IndexInt> From<$range<T>> for IndexRange {
                fn from($r: $range<T>) -> IndexRange {
                    let to_i64 = |bound: T| Some(bound.to_i64());
                    IndexRange {
                        start: $start.and_then(to_i64),
                        stop: $stop.and_then(to_i64),
                        inclusive: $inclusive,
                    }
                }
            }
            impl<T: IndexInt> From<$range<T>> for Index {
                fn from(range: $range<T>) -> Index {
                    IndexRange::from(range).step(1)
                }
            }
        )*
    };
}
index_ranges! {
    Range, |r| Some(r.start), Some(r.end), false;
    RangeFrom, |r| Some(r.start), None::<T>, false;
    RangeTo, |r| None::<T>, Some(r.end), false;
    RangeInclusive, |r| Some(*r.start()), Some(*r.end()), true;
    RangeToInclusive, |r| None::<T>, Some(r.end), true;
}

impl From<RangeFull> for IndexRange {
    fn from(_: RangeFull) -> IndexRange {
        IndexRange { start: None, stop: None, inclusive: false }
    }
}

impl From<RangeFull> for Index {
    fn from(_: RangeFull) -> Index {
        Index::Slice { start: None, stop: None, step: 1 }
    }
}

impl From<New> for Index {
    fn from(_: New) -> Index {
        Index::NewAxis
    }
}

impl From<Ellipsis> for Index {
    fn from(_: Ellipsis) -> Index {
        Index::Ellipsis
    }
}

impl From<Array> for Index {
    fn from(array: Array) -> Index {
        Index::Array(array)
    }
}

impl From<&Array> for Index {
    fn from(array: &Array) -> Index {
        Index::Array(array.clone())
    }
}

impl From<&Index> for Index {
    fn from(index: &Index) -> Index {
        index.clone()
    }
}

impl std::fmt::Debug for Index {
    /// The entry as `s!` takes it; an array by its dtype and shape alone.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Index::Int(i) => write!(f, "{i}"),
            Index::Slice { start, stop, step } => {
                let bound = |b: &Option<i64>| b.map_or(String::new(), |b| b.to_string());
                write!(f, "{}..{}", bound(start), bound(stop))?;
                if *step == 1 { Ok(()) } else { write!(f, ";{step}") }
            }
            Index::Ellipsis => f.write_str("Ellipsis"),
            Index::NewAxis => f.write_str("New"),
            Index::Array(array) => write!(f, "{}{}", array.dtype(), array.shape()),
        }
    }
}
