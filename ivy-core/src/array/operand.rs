//! What functions take: arrays, expressions and host scalars.

use super::Array;
use crate::{Error, Scalar};

/// An operand of a call.
pub enum Operand<'a> {
    /// An array of the caller's.
    Array(std::borrow::Cow<'a, Array>),
    /// A host scalar.
    Scalar(Scalar),
    /// An optional operand that was left out.
    Absent,
    /// An earlier error, which the call gives back.
    Failed(Error),
}

/// Anything that can be an operand.
pub trait IntoOperand<'a> {
    /// The operand.
    fn into_operand(self) -> Operand<'a>;
}

impl<'a> IntoOperand<'a> for Operand<'a> {
    fn into_operand(self) -> Operand<'a> {
        self
    }
}

impl<'a> IntoOperand<'a> for &'a Array {
    #[inline]
    fn into_operand(self) -> Operand<'a> {
        Operand::Array(std::borrow::Cow::Borrowed(self))
    }
}

impl<'a> IntoOperand<'a> for Array {
    fn into_operand(self) -> Operand<'a> {
        Operand::Array(std::borrow::Cow::Owned(self))
    }
}

impl<'a> IntoOperand<'a> for crate::Result<Array> {
    fn into_operand(self) -> Operand<'a> {
        match self {
            Ok(array) => array.into_operand(),
            Err(error) => Operand::Failed(error),
        }
    }
}

impl<'a, T: Into<Scalar>> IntoOperand<'a> for T {
    fn into_operand(self) -> Operand<'a> {
        Operand::Scalar(self.into())
    }
}
