//! The macro that writes index expressions.

/// An index expression: a `[Index; N]`, one entry for each part between commas.
///
/// | written | meaning |
/// |---|---|
/// | `3`, `-1`, `i + 1` | a position; its axis is dropped |
/// | `a..b`, `a..`, `..b`, `a..=b` | a slice; bounds may be negative and are clamped |
/// | `..` | the whole axis |
/// | `a..b;step`, `..;-1` | a slice with a step, as Python's `a:b:step` |
/// | `New` | a new axis of length 1 |
/// | `Ellipsis` | whole axes for all that the other entries leave over |
/// | `array`, `&array` | a mask (bool) or positions (integers) |
///
/// As in Python, and unlike in the `ndarray` crate, the bounds of a negative step are where it
/// starts and where it stops: `5..2;-1` selects 5, 4 and 3.
///
/// ```
/// use ivy::s;
/// assert_eq!(format!("{:?}", s![.., 1..;2, -1, New]), "[.., 1..;2, -1, New]");
/// ```
#[macro_export]
macro_rules! s {
    ($($index:expr $(; $step:expr)?),* $(,)?) => {{
        #[allow(unused_imports)]
        use $crate::array::{Ellipsis, New};
        // A slice with a negative step starts above where it stops.
        #[allow(clippy::reversed_empty_ranges)]
        let indices: [$crate::array::Index; _] = [$($crate::__index!($index $(; $step)?)),*];
        indices
    }};
}

/// One entry of [`s!`].
#[doc(hidden)]
#[macro_export]
macro_rules! __index {
    ($range:expr; $step:expr) => {
        $crate::array::IndexRange::from($range).step($step)
    };
    ($index:expr) => {
        $crate::array::Index::from($index)
    };
}
