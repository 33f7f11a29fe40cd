//! Positions on the Z curve.

use crate::array::{AnyArray, IntoArg};
use crate::ops::{Domain, array};
use crate::types::{ArrayType, Kind, Size, VarType};
use crate::{Error, Result};

/// The steps by which the bits of a number are moved apart: how far, and which bits are then right.
fn steps(dimensions: usize, bits: usize) -> Vec<(usize, u64)> {
    let own = bits / dimensions;
    let mut group = own.next_power_of_two();
    let mut steps = Vec::new();
    while group > 1 {
        group /= 2;
        let mask = (0..own).fold(0u64, |mask, bit| {
            let place = bit / group * group * dimensions + bit % group;
            if place < bits { mask | 1 << place } else { mask }
        });
        steps.push((group * (dimensions - 1), mask));
    }
    steps
}

fn dimensions(function: &'static str, ty: ArrayType) -> Result<usize> {
    match (ty.kind(), ty.sizes()) {
        (Kind::Array, [Size::Fixed(n @ (2 | 3))])
            if matches!(ty.dtype(), VarType::UInt32 | VarType::UInt64) =>
        {
            Ok((*n).into())
        }
        _ => {
            let expected = "an array of two or three unsigned integers of 32 or 64 bits".into();
            Err(Error::WrongType { function, argument: "the type", expected, actual: ty })
        }
    }
}

/// The place of a position on the Z curve: the bits of its two or three parts interleaved.
///
/// ```
/// use ivy_drjit::{llvm::Array2u, morton_encode};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// assert_eq!(morton_encode(&Array2u::new([5, 9])?)?.to_string(), "[147]");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
///
/// # Errors
/// [`Error::WrongType`] for other arrays.
pub fn morton_encode(position: impl IntoArg) -> Result<AnyArray> {
    let position = array("morton_encode", position.into_arg())?;
    let dimensions = dimensions("morton_encode", position.ty())?;
    let bits = position.ty().itemsize_v() * 8;
    let own = (1u64 << (bits / dimensions)) - 1;
    let mut code: Option<AnyArray> = None;
    for (shift, part) in position.entries().iter().enumerate() {
        let mut part = (part & own).ok()?;
        for (by, mask) in steps(dimensions, bits) {
            part = ((&part | (&part << by)) & mask).ok()?;
        }
        let part = (part << shift).ok()?;
        code = Some(match code {
            Some(code) => (code | part).ok()?,
            None => part,
        });
    }
    code.ok_or(Error::NotSupported { function: "morton_encode", ty: position.ty() })
}

/// The position of a place on the Z curve, of a type: the inverse of [`morton_encode`].
///
/// # Errors
/// [`Error::WrongType`] for other types; [`Error::NotSupported`] for what are no integers.
pub fn morton_decode(ty: ArrayType, code: impl IntoArg) -> Result<AnyArray> {
    let dimensions = dimensions("morton_decode", ty)?;
    let code = array("morton_decode", code.into_arg())?;
    Domain::Ints.check("morton_decode", code.ty())?;
    let (code, bits) = (code.cast_to(ty.leaf())?, ty.itemsize_v() * 8);
    let own = (1u64 << (bits / dimensions)) - 1;
    let steps = steps(dimensions, bits);
    let one = |shift: usize| {
        let mut part = (&code >> shift).ok()?;
        for (by, mask) in steps.iter().rev() {
            part = (&part & *mask).ok()?;
            part = (&part | (&part >> *by)).ok()?;
        }
        (part & own).ok()
    };
    Ok(AnyArray::from_entries(ty, (0..dimensions).map(one).collect::<Result<_>>()?))
}
