//! Errors: values with fields, in the content of Dr.Jit's messages.

use crate::types::{ArrayType, VarType};
use std::fmt::Display;

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can be wrong with a call.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// What the core refuses.
    #[error(transparent)]
    Core(#[from] ivy_core::Error),
    /// A name that no type has.
    #[error("no array type is called `{name}`")]
    UnknownType {
        /// The name.
        name: String,
    },
    /// A type that does not exist with such elements.
    #[error("{function}(<{of}>): there is no such type of {dtype} elements")]
    NoSuchType {
        /// The trait that was asked.
        function: &'static str,
        /// The type.
        of: ArrayType,
        /// The elements.
        dtype: VarType,
    },
    /// Operands whose types have no common one.
    #[error("{function}: incompatible arguments: {left} and {right}")]
    IncompatibleTypes {
        /// The operation.
        function: &'static str,
        /// The first type.
        left: ArrayType,
        /// The second type.
        right: ArrayType,
    },
    /// An operation that a type does not have.
    #[error("drjit.{function}(<{ty}>): operation not supported for this type")]
    NotSupported {
        /// The operation.
        function: &'static str,
        /// The type in which it would be computed.
        ty: ArrayType,
    },
    /// An operator that two types do not have.
    #[error("unsupported operand type(s) for {operator}: '{left}' and '{right}'")]
    UnsupportedOperands {
        /// The operator.
        operator: &'static str,
        /// The first operand's type.
        left: String,
        /// The second operand's type.
        right: String,
    },
    /// An order of what has none.
    #[error("{ty}: inequality comparisons are only permitted on ordinary arithmetic arrays")]
    NoOrder {
        /// The type.
        ty: ArrayType,
    },
    /// Vectors of several sizes, none of them 1.
    #[error("{function}: operands have incompatible sizes (sizes: {})", listed(sizes))]
    IncompatibleSizes {
        /// The operation.
        function: &'static str,
        /// All the sizes.
        sizes: Vec<usize>,
    },
    /// Tensors whose shapes do not broadcast.
    #[error("{function}: operands have incompatible shapes: {} and {}", tuple(left), tuple(right))]
    IncompatibleShapes {
        /// The operation.
        function: &'static str,
        /// The first shape.
        left: Vec<usize>,
        /// The second shape.
        right: Vec<usize>,
    },
    /// An operation whose part failed.
    #[error("drjit.{function}(<{ty}>): failed: {source}")]
    Failed {
        /// The operation.
        function: &'static str,
        /// Its argument's type.
        ty: ArrayType,
        /// Why.
        source: Box<Error>,
    },
    /// Too few or too many entries.
    #[error("{ty}: input has the wrong size (expected {expected} elements, got {got})")]
    WrongSize {
        /// The type that was to be made.
        ty: ArrayType,
        /// The entries that it has.
        expected: usize,
        /// The entries given.
        got: usize,
    },
    /// A tensor's elements that do not fill its shape.
    #[error("{ty}: input array has the wrong number of entries (got {got}, expected {expected})")]
    WrongEntries {
        /// The type that was to be made.
        ty: ArrayType,
        /// The entries of the shape.
        expected: usize,
        /// The entries given.
        got: usize,
    },
    /// A tensor whose shape is not that of the type.
    #[error(
        "{ty}: mismatched shape (axis {axis} has size {expected} in the target type, {got} in the source tensor)"
    )]
    MismatchedShape {
        /// The type that was to be made.
        ty: ArrayType,
        /// The axis.
        axis: usize,
        /// Its size in the type.
        expected: usize,
        /// Its size in the tensor.
        got: usize,
    },
    /// A value from which a type cannot be made.
    #[error("{ty}: broadcast from type '{from}' failed; convert element by element if that is meant")]
    CannotBroadcast {
        /// The type that was to be made.
        ty: ArrayType,
        /// The value's type.
        from: String,
    },
    /// A host value that an element cannot hold.
    #[error("{ty}: could not initialize element with the value {value}")]
    CannotInitialize {
        /// The type that was to be made.
        ty: ArrayType,
        /// The value.
        value: String,
    },
    /// A vector where a single value is needed.
    #[error(
        "{ty}: implicit conversion to 'bool' requires an array with at most 1 element (this one has {size} elements)"
    )]
    AmbiguousBool {
        /// The type.
        ty: ArrayType,
        /// The number of elements.
        size: usize,
    },
    /// An entry that is not there.
    #[error("{ty}: entry {index} is out of bounds (the array is of size {size})")]
    OutOfBounds {
        /// The type.
        ty: ArrayType,
        /// The entry asked for.
        index: i64,
        /// How many there are.
        size: usize,
    },
    /// A component that a type has not.
    #[error("{ty} does not have a '{name}' component")]
    NoComponent {
        /// The type.
        ty: ArrayType,
        /// The component's name.
        name: String,
    },
    /// Nested vectors of several sizes, where all of them are needed.
    #[error("{function}(<{ty}>): the array is ragged")]
    Ragged {
        /// The operation.
        function: &'static str,
        /// The type.
        ty: ArrayType,
    },
    /// An argument that breaks a rule.
    #[error("{function}: {argument} is {value}: {rule}")]
    InvalidArgument {
        /// The operation.
        function: &'static str,
        /// The argument.
        argument: &'static str,
        /// Its value.
        value: String,
        /// The rule.
        rule: &'static str,
    },
    /// A type other than the one demanded.
    #[error("{function}: {argument} is {actual}, {expected} is needed")]
    WrongType {
        /// The operation.
        function: &'static str,
        /// The argument.
        argument: &'static str,
        /// What is needed, in words.
        expected: String,
        /// The type given.
        actual: ArrayType,
    },
    /// A variable of a loop, or a result of a conditional, that does not keep its type or size.
    #[error("{function}: variable `{variable}` changes from {before} to {after}; it must keep type and size")]
    VariableChanged {
        /// The operation.
        function: &'static str,
        /// The path of the variable in the state.
        variable: String,
        /// Type and size before.
        before: String,
        /// Type and size after.
        after: String,
    },
    /// A format string that asks for what is not given.
    #[error(
        "drjit.format(): missing {what} argument \"{name}\" referenced by format string (at position {position})"
    )]
    MissingFormatArgument {
        /// Positional or keyword.
        what: &'static str,
        /// Its name or number.
        name: String,
        /// Where the format string refers to it.
        position: usize,
    },
    /// A format string without the end of a reference.
    #[error("drjit.format(): unmatched brace in format string (at position {position})")]
    UnmatchedBrace {
        /// Where the brace stands.
        position: usize,
    },
    /// A derivative of what does not depend on any variable with gradients.
    #[error(
        "drjit.{function}(): the argument does not depend on the input variable(s) being differentiated. \
         Enable gradients of the input with `enable_grad` before the computation, and use a type of a package `.ad`; \
         where it is right that there are none, pass `allow_no_grad`"
    )]
    NotDifferentiable {
        /// The operation.
        function: &'static str,
    },
    /// An instance that is not there any more, to which an array of instances refers.
    #[error(
        "{function}: the instance {number} was dropped; keep what is registered as long as arrays refer to it"
    )]
    InstanceDropped {
        /// The operation.
        function: &'static str,
        /// The number under which it was registered.
        number: u32,
    },
    /// An argument of a frozen function that is not as it was when the function was recorded.
    #[error("freeze: `{variable}` was {before} when the function was recorded, and is {after}")]
    FrozenChanged {
        /// The path of the argument.
        variable: String,
        /// What it was.
        before: String,
        /// What it is.
        after: String,
    },
    /// A parameter that an optimiser does not have, or cannot have.
    #[error("{function}: the parameter `{name}`: {rule}")]
    Parameter {
        /// The operation.
        function: &'static str,
        /// The parameter's name.
        name: String,
        /// The rule.
        rule: &'static str,
    },
    /// A captured variable with gradients within recorded code.
    #[error("{function}: recorded code uses a variable with gradients that is not part of its state")]
    CapturedGradient {
        /// The operation.
        function: &'static str,
    },
}

impl Error {
    /// The error as the cause of another one, of the operation of which it is a part.
    pub(crate) fn within(self, function: &'static str, ty: ArrayType) -> Error {
        Error::Failed { function, ty, source: Box::new(self) }
    }
}

/// A conversion that cannot fail has no error: so that those that can, and it, are ended alike.
impl From<std::convert::Infallible> for Error {
    fn from(never: std::convert::Infallible) -> Error {
        match never {}
    }
}

fn listed(values: &[impl Display]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A shape as Python writes it.
fn tuple(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        more => format!("({})", listed(more)),
    }
}
