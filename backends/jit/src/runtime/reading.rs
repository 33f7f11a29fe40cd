//! How the elements of an input are read, on the processor and on devices.

use crate::ir::{Access, Steps};

/// How the elements of an input are read, which a launch walks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// Where the walk leads to.
    #[default]
    Walked,
    /// At computed distances from there.
    Gathered,
    /// There, if the kernel says that an element stands there.
    Guarded,
    /// Where the walk leads to, in rows of so many elements side by side: each is an element of as many parts.
    Rows(u8),
    /// Not at all: the number that the address would be, of elements of one byte, is the value.
    Counted,
}

impl Reading {
    /// How many elements are the parts of one.
    pub(crate) fn columns(self) -> u8 {
        if let Reading::Rows(count) = self { count } else { 1 }
    }

    /// How a kernel finds them, for any step along a row.
    pub(super) fn access(self, step: isize) -> Access {
        match (self, Steps::of(step)) {
            (Reading::Walked | Reading::Rows(_), Steps::None) => Access::Uniform,
            (Reading::Walked | Reading::Rows(_), Steps::One) => Access::Linear,
            (Reading::Walked | Reading::Rows(_), Steps::Any) => Access::Strided,
            (Reading::Gathered, steps) => Access::Gather(steps),
            (Reading::Guarded, steps) => Access::Guarded(steps),
            (Reading::Counted, steps) => Access::Counter(steps),
        }
    }

    /// How a kernel finds the elements, in the way that does for every step.
    pub(super) fn general(self) -> Access {
        self.access(isize::MAX)
    }
}
