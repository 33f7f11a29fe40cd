//! What can be wrong with types: values with fields, in the content of Taichi's messages.

use crate::{PrimitiveType, Type};

/// Everything that can be wrong with a type or an operation on types.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TypeError {
    /// A name that no type has.
    #[error("no type is called `{name}`")]
    UnknownType {
        /// The name.
        name: String,
    },
    /// A name that no target has.
    #[error("no target is called `{name}`")]
    UnknownTarget {
        /// The name.
        name: String,
    },
    /// A set of rules that is none of Taichi's.
    #[error("the {rules} rules are none of Taichi's: `taichi` and `taichi-1.7` are")]
    Rules {
        /// The rules.
        rules: ivy_core::Rules,
    },
    /// A default type of the wrong kind.
    #[error("{setting} must be {rule}, got {ty}")]
    Default {
        /// `default_ip` or `default_fp`.
        setting: &'static str,
        /// What it must be.
        rule: &'static str,
        /// What it was to be.
        ty: PrimitiveType,
    },
    /// A tensor without elements.
    #[error("a vector or matrix has at least one element, got the shape {shape:?}")]
    EmptyTensor {
        /// The shape.
        shape: Vec<usize>,
    },
    /// A tensor of too many elements.
    #[error("a vector or matrix has at most {max} elements, got the shape {shape:?}", max = crate::types::MAX_ELEMENTS)]
    TensorTooLarge {
        /// The shape.
        shape: Vec<usize>,
    },
    /// A tensor of what is no number.
    #[error("{element} is no number: it cannot be an element of a vector or matrix")]
    NoElement {
        /// The element.
        element: Type,
    },
    /// A name that two members of a struct have.
    #[error("two members are called `{name}`")]
    DuplicateMember {
        /// The name.
        name: String,
    },
    /// A quantised number of too many bits, or of none.
    #[error("{what} of {bits} bits: a quantised type has 1 to {max}")]
    QuantBits {
        /// What has the bits.
        what: &'static str,
        /// How many.
        bits: u32,
        /// The most that it can have.
        max: u32,
    },
    /// A type in which quantised numbers cannot be computed with.
    #[error("compute type {compute}: it must be {rule}")]
    ComputeType {
        /// The type.
        compute: PrimitiveType,
        /// What it must be.
        rule: &'static str,
    },
    /// A scale that is no factor.
    #[error("the scale of a number of fixed point is positive and finite, got {scale}")]
    Scale {
        /// The scale.
        scale: f64,
    },
    /// A word of no machine.
    #[error("a word has 8, 16, 32 or 64 bits, got {bits}")]
    WordBits {
        /// The bits.
        bits: u32,
    },
    /// A type that is not packed in words.
    #[error("{ty} is no quantised type that can be packed here")]
    NotQuant {
        /// The type.
        ty: Type,
    },
    /// More bits than a word has.
    #[error("the members need {needed} bits, and the word has {bits}")]
    WordFull {
        /// The bits needed.
        needed: u32,
        /// The bits of the word.
        bits: u32,
    },
    /// Numbers that cannot share an exponent.
    #[error("only two or more quantised floats of equal exponents share one, got {types:?}")]
    SharedExponent {
        /// The types.
        types: Vec<Type>,
    },
    /// An operation that operands of these types do not have.
    #[error("unsupported operand type(s) for '{op}': {}", listed(operands))]
    Unsupported {
        /// The operation, as it is written.
        op: &'static str,
        /// The operands' types.
        operands: Vec<Type>,
    },
    /// An operation of floats on something else.
    #[error("'{op}' takes real inputs only, however '{operand}' is provided")]
    RealOnly {
        /// The operation.
        op: &'static str,
        /// The operand's type.
        operand: Type,
    },
    /// A cast that does not exist.
    #[error("'{op}' from {from} to {to}: {rule}")]
    Cast {
        /// `cast` or `bit_cast`.
        op: &'static str,
        /// The type of the value.
        from: Type,
        /// The type that it was to have.
        to: Type,
        /// Why not.
        rule: &'static str,
    },
    /// An integer that the default integer type does not hold.
    #[error(
        "integer literal {value} exceeds the range of default_ip {ip}: give it a type of its own, as in `u64({value})`, or set another \
         default_ip"
    )]
    Literal {
        /// The value.
        value: i128,
        /// The default.
        ip: PrimitiveType,
    },
    /// Values that make no value of a type.
    #[error("{ty} has {expected} numbers, got {given}")]
    Components {
        /// The type.
        ty: Type,
        /// How many it has.
        expected: usize,
        /// How many there were.
        given: usize,
    },
    /// A name that is no member.
    #[error("{ty} has no member `{name}`")]
    NoMember {
        /// The struct.
        ty: Type,
        /// The name.
        name: String,
    },
    /// A name of components that a vector does not have.
    #[error("{ty} has no component `{name}`: {rule}")]
    Swizzle {
        /// The vector.
        ty: Type,
        /// The name.
        name: String,
        /// Why not.
        rule: &'static str,
    },
}

/// A result whose error is a [`TypeError`].
pub type Result<T, E = TypeError> = std::result::Result<T, E>;

/// `'f32' and 'i32'`.
fn listed(types: &[Type]) -> String {
    let quoted: Vec<String> = types.iter().map(|ty| format!("'{ty}'")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.join(""),
    }
}
