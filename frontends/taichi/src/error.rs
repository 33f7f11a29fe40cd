//! Errors: values with fields, those about kernels with their place in the source.

use ivy_taichi_types::layout::LayoutError;
use ivy_taichi_types::{Place, Placed, PrimitiveType, TypeError};

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can be wrong with a call or a kernel.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// What the core or the engine refuses.
    #[error(transparent)]
    Core(#[from] ivy_core::Error),
    /// Types that do not go together.
    #[error(transparent)]
    Type(#[from] TypeError),
    /// The same, in a kernel.
    #[error(transparent)]
    TypeAt(#[from] Box<Placed<TypeError>>),
    /// What is wrong with a tree of fields, or an index of one.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// What a kernel may not do.
    #[error(transparent)]
    Kernel(#[from] Box<Placed<Misuse>>),
    /// The same, where there is no place.
    #[error(transparent)]
    Misuse(#[from] Misuse),
    /// An assertion that did not hold, or an index out of range, in a kernel that ran in debug mode. What it wrote
    /// before stays.
    #[error("{place}\n{text}")]
    Fault {
        /// What was wrong.
        text: String,
        /// Where.
        place: Place,
        /// True for an index.
        index: bool,
    },
    /// Arguments that a kernel was not written for.
    #[error("{kernel}: {what}")]
    Arguments {
        /// The kernel.
        kernel: &'static str,
        /// What is wrong.
        what: &'static str,
    },
    /// A field whose tree is destroyed.
    #[error("the field's tree was destroyed")]
    Destroyed,
    /// Values that a field has no place for.
    #[error("{function}: expected {expected:?}, got {given:?}")]
    Shape {
        /// The function.
        function: &'static str,
        /// The shape that the field has.
        expected: Vec<usize>,
        /// The shape that was given.
        given: Vec<usize>,
    },
    /// An array of another type than the field.
    #[error("{function}: the field is of {expected}, the array of {given}")]
    Elements {
        /// The function.
        function: &'static str,
        /// The field's type.
        expected: PrimitiveType,
        /// The array's.
        given: ivy_core::Dtype,
    },
    /// A target that is not there.
    #[error("arch {arch}: {why}")]
    Target {
        /// The target.
        arch: &'static str,
        /// Why not.
        why: String,
    },
}

/// What a kernel may not do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Misuse {
    /// An operation that the engine has no statements for.
    #[error("{what} is not supported on this target")]
    NoForm {
        /// The operation.
        what: String,
    },
    /// More values than a record has.
    #[error("at most {most} values can be printed or asserted at once, got {count}")]
    TooManyValues {
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// Something that stands where it has no meaning.
    #[error("{what}: {rule}")]
    Here {
        /// What stands there.
        what: String,
        /// Why it may not.
        rule: &'static str,
    },
    /// A name that there is nothing of.
    #[error("there is no {what} `{name}`")]
    NoSuch {
        /// What it would be.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A call with the wrong number of arguments.
    #[error("`{name}` takes {takes} argument(s), got {given}")]
    Arity {
        /// The function.
        name: String,
        /// How many it takes.
        takes: usize,
        /// How many there are.
        given: usize,
    },
    /// A pass or the frontend left IR that breaks a rule: a mistake of this library.
    #[error("after {pass}: {broken}")]
    Broken {
        /// The pass.
        pass: &'static str,
        /// The rules.
        broken: String,
    },
}
