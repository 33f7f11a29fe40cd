//! Random numbers: PCG32 and Philox4x32, and arrays of their streams, bit for bit those of Dr.Jit on every backend.

mod generator;
mod pcg32;
mod philox;

pub use generator::{Generator, rng};
pub use pcg32::{PCG32_SEQUENCE, PCG32_STATE, Pcg32};
pub use philox::Philox4x32;

use crate::array::{AnyArray, IntoArg};
use crate::types::{ArrayType, Kind, VarType};
use crate::{Error, Result};

/// The direction in which a generator goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// On: numbers, and then the state after them.
    Next,
    /// Back: the state before, and the numbers that it gave.
    Previous,
}

/// What is drawn, of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// Random bits, UInt32 or UInt64.
    Bits(VarType),
    /// Floats uniform in [0, 1), of 23 bits, of double precision of 32; those of half precision are those of single precision, rounded, so
    /// that 1 is among them.
    Uniform(VarType),
    /// Floats of the standard normal distribution, by its inverse cumulative distribution function at uniform ones.
    Normal(VarType),
}

impl Draw {
    fn dtype(self) -> VarType {
        let (Draw::Bits(dtype) | Draw::Uniform(dtype) | Draw::Normal(dtype)) = self;
        dtype
    }
}

/// Random bits, UInt32 or UInt64, as floats uniform in [0, 1) with so many of the upper bits as their significand; of half precision those
/// of single precision, rounded.
fn uniform(bits: AnyArray, significand: u32, dtype: VarType) -> Result<AnyArray> {
    let width = if bits.ty().dtype() == VarType::UInt64 { 64 } else { 32 };
    let top = crate::right_shift(bits, width - significand)?;
    let computed = if dtype == VarType::Float16 { VarType::Float32 } else { dtype };
    let ty = top.ty().with_dtype(computed);
    let made = crate::multiply(top.cast_to(ty)?, 0.5f64.powi(significand as i32))?;
    made.cast_to(ty.with_dtype(dtype))
}

/// The elements of a flat array in a random order, the same for one seed on every backend: in that of the bits of [`Philox4x32`], of which equal ones
/// keep their order.
///
/// # Errors
/// [`Error::WrongType`] for what is no flat array.
pub fn shuffle(x: impl IntoArg, seed: u64) -> Result<AnyArray> {
    let x = crate::ops::array("shuffle", x.into_arg())?;
    if x.ty().kind() != Kind::Flat {
        let (function, argument, expected) = ("shuffle", "the array", "a flat array".into());
        return Err(Error::WrongType { function, argument, expected, actual: x.ty() });
    }
    let package = x.ty().package();
    let place = ArrayType::flat(package, VarType::UInt32).counter(x.len())?;
    let mut rng = Philox4x32::new(package, seed, [place.into_arg(), 0.into_arg(), 0.into_arg()], 10)?;
    let bits = rng.next_uint64x2()?;
    let order = crate::argsort(&bits.entries()[0])?;
    crate::gather(x.ty(), &x, order, true)
}
