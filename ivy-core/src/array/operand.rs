//! What functions take: arrays, expressions and host scalars.

use super::{Array, Expr};
use crate::plan::OperandSpec;
use crate::scalar::for_each_host_scalar;
use crate::{Defaults, Error, Scalar};
use std::borrow::Cow;

/// An operand of a call.
#[derive(Clone, Debug)]
pub enum Operand<'a> {
    /// An array, the caller's or the call's own.
    Array(Cow<'a, Array>),
    /// A host scalar.
    Scalar(Scalar),
    /// An optional operand that was left out.
    Absent,
    /// An earlier error, which the call gives back.
    Failed(Error),
}

impl Operand<'_> {
    /// The operand by itself, borrowing nothing. Arrays share their elements.
    pub fn into_owned(self) -> Operand<'static> {
        match self {
            Operand::Array(array) => Operand::Array(Cow::Owned(array.into_owned())),
            Operand::Scalar(scalar) => Operand::Scalar(scalar),
            Operand::Absent => Operand::Absent,
            Operand::Failed(error) => Operand::Failed(error),
        }
    }

    /// The host scalar, if it is one.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Operand::Scalar(value) => Some(*value),
            _ => None,
        }
    }

    /// The operand as the plan sees it. A failed one has no part in a plan.
    #[inline]
    pub(crate) fn spec(&self, defaults: &Defaults) -> OperandSpec {
        match self {
            Operand::Array(array) => array.spec(),
            Operand::Scalar(s) => OperandSpec::Weak(s.kind(), defaults.of_values(std::slice::from_ref(s))),
            Operand::Absent | Operand::Failed(_) => OperandSpec::Absent,
        }
    }
}

/// Anything that can be an operand: arrays and references to them, [`Expr`], results of calls
/// (an error passes through to the call that uses it), host scalars, and `Option`s of these
/// where an operand may be left out.
pub trait IntoOperand<'a> {
    /// The operand.
    fn into_operand(self) -> Operand<'a>;

    /// The array, if it is one: a call on arrays can then be seen to be one before any operand
    /// is made. `None` is always right.
    fn as_array(&self) -> Option<&Array> {
        None
    }

    /// The host scalar, if it is one, for the same reason. `None` is always right.
    fn as_scalar(&self) -> Option<Scalar> {
        None
    }
}

impl<'a> IntoOperand<'a> for Operand<'a> {
    fn into_operand(self) -> Operand<'a> {
        self
    }

    #[inline]
    fn as_array(&self) -> Option<&Array> {
        match self {
            Operand::Array(array) => Some(array),
            _ => None,
        }
    }

    #[inline]
    fn as_scalar(&self) -> Option<Scalar> {
        self.scalar()
    }
}

impl<'a> IntoOperand<'a> for &'a Array {
    #[inline]
    fn into_operand(self) -> Operand<'a> {
        Operand::Array(Cow::Borrowed(self))
    }

    #[inline]
    fn as_array(&self) -> Option<&Array> {
        Some(self)
    }
}

impl<'a> IntoOperand<'a> for Array {
    fn into_operand(self) -> Operand<'a> {
        Operand::Array(Cow::Owned(self))
    }

    #[inline]
    fn as_array(&self) -> Option<&Array> {
        Some(self)
    }
}

impl<'a> IntoOperand<'a> for crate::Result<Array> {
    fn into_operand(self) -> Operand<'a> {
        match self {
            Ok(array) => array.into_operand(),
            Err(error) => Operand::Failed(error),
        }
    }

    #[inline]
    fn as_array(&self) -> Option<&Array> {
        self.as_ref().ok()
    }
}

impl<'a> IntoOperand<'a> for Expr {
    fn into_operand(self) -> Operand<'a> {
        self.ok().into_operand()
    }

    #[inline]
    fn as_array(&self) -> Option<&Array> {
        self.as_result().ok()
    }
}

impl<'a> IntoOperand<'a> for &'a Expr {
    fn into_operand(self) -> Operand<'a> {
        match self.as_result() {
            Ok(array) => array.into_operand(),
            Err(error) => Operand::Failed(error.clone()),
        }
    }

    #[inline]
    fn as_array(&self) -> Option<&Array> {
        self.as_result().ok()
    }
}

impl<'a, T: IntoOperand<'a>> IntoOperand<'a> for Option<T> {
    fn into_operand(self) -> Operand<'a> {
        self.map_or(Operand::Absent, T::into_operand)
    }
}

macro_rules! scalar_operands {
    ($($t:ty,)*) => {
        $(impl<'a> IntoOperand<'a> for $t {
            fn into_operand(self) -> Operand<'a> {
                Operand::Scalar(self.into())
            }

            #[inline]
            fn as_scalar(&self) -> Option<Scalar> {
                Some((*self).into())
            }
        })*
    };
}
for_each_host_scalar!(scalar_operands);
