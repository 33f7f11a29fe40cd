//! Which element types an operation takes.

use crate::types::{ArrayType, VarType};
use crate::{Error, Result};

/// A set of element types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Domain {
    /// All.
    All,
    /// Numbers: all but bool.
    Numbers,
    /// Floats.
    Floats,
    /// Integers.
    Ints,
    /// Integers and bool.
    Bits,
    /// Truth values.
    Masks,
    /// Integers of 32 bits.
    Ints32,
}

impl Domain {
    pub fn contains(self, dtype: VarType) -> bool {
        match self {
            Domain::All => true,
            Domain::Numbers => !dtype.is_bool(),
            Domain::Floats => dtype.is_float(),
            Domain::Ints => dtype.is_int(),
            Domain::Bits => !dtype.is_float(),
            Domain::Masks => dtype.is_bool(),
            Domain::Ints32 => matches!(dtype, VarType::Int32 | VarType::UInt32),
        }
    }

    /// Refuses what a function does not take.
    pub fn check(self, function: &'static str, ty: ArrayType) -> Result<()> {
        match self.contains(ty.dtype()) {
            true => Ok(()),
            false => Err(Error::NotSupported { function, ty }),
        }
    }
}
