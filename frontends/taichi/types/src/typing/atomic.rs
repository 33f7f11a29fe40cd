//! Operations that change a value in memory.

use super::{AtomicOp, TypeWarning, Typing, assign, fits, loaded};
use crate::{Result, Type, TypeError};

/// The typing of an atomic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomicTyped {
    /// What the value is cast to: the destination's type.
    pub value: Type,
    /// What it gives: the destination's type.
    pub result: Type,
    /// Whether the cast may lose precision.
    pub warning: Option<TypeWarning>,
}

/// The typing of an atomic operation (T-19): the value is cast to the destination's type, with a warning where an assignment would have
/// one; a single number goes into every element of a tensor.
///
/// # Errors
/// [`TypeError::Unsupported`] for bitwise operations on floats, for shapes that differ, and for structs.
pub fn type_of_atomic(op: AtomicOp, destination: Type, value: Type, typing: &Typing) -> Result<AtomicTyped> {
    let refuse = || TypeError::Unsupported { op: op.symbol(), operands: vec![destination, value] };
    let (dest, left) = loaded(destination).ok_or_else(refuse)?;
    let (source, right) = loaded(value).ok_or_else(refuse)?;
    // Only what is cast to the destination is computed with, so that the destination alone decides.
    typing.resolve(op.category(), &[left]).ok_or_else(refuse)?;
    if !fits(dest, source) {
        return Err(refuse());
    }
    let warning =
        assign::loses(left, right, typing).then_some(TypeWarning::Atomic { op, dest, value: source });
    Ok(AtomicTyped { value: source.with_element(left.into()), result: dest, warning })
}
