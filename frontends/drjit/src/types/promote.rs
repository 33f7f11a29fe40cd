//! Promotion: the type in which an operation on several arrays is computed.

use super::{ArrayType, Kind, Size, VarType};
use crate::{Error, Result};
use ivy_core::ScalarKind;

/// The type to which two types promote (`dr.expr_t`).
///
/// The package is that of both; the element type is the greater one; flat arrays take the form of what is beside them, and arrays of
/// arrays broadcast. A complex number goes with an array of two, a quaternion with an array of four; matrices and tensors go with flat
/// arrays and themselves only.
///
/// # Errors
/// [`Error::IncompatibleTypes`] for types without a common one.
pub fn expr_t(a: ArrayType, b: ArrayType) -> Result<ArrayType> {
    let refuse = || Error::IncompatibleTypes { function: "expr_t", left: a, right: b };
    let package = a.package.promote(b.package).ok_or_else(refuse)?;
    let dtype = a.dtype.max(b.dtype);
    let form = form(a, b).ok_or_else(refuse)?;
    Ok(form.with_package(package).with_dtype(dtype))
}

/// The one of two types, or the broadcast of both, that says kind and sizes.
fn form(a: ArrayType, b: ArrayType) -> Option<ArrayType> {
    let numbers = |kind| matches!(kind, Kind::Complex | Kind::Quaternion);
    match (a.kind, b.kind) {
        (_, Kind::Flat) => Some(a),
        (Kind::Flat, _) => Some(b),
        (Kind::Array, Kind::Array) => broadcast(a, b),
        (x, y) if x == y => (a.sizes() == b.sizes()).then_some(a),
        (Kind::Array, other) if numbers(other) => (a.sizes() == b.sizes()).then_some(b),
        (other, Kind::Array) if numbers(other) => (a.sizes() == b.sizes()).then_some(a),
        _ => None,
    }
}

/// Arrays of arrays go together level by level, from outside to inside; a level of one entry broadcasts.
fn broadcast(a: ArrayType, b: ArrayType) -> Option<ArrayType> {
    let (deep, shallow) = if a.depth >= b.depth { (a, b) } else { (b, a) };
    let mut sizes = deep.sizes;
    for (own, &other) in sizes.iter_mut().zip(shallow.sizes()) {
        *own = match (*own, other) {
            (x, y) if x == y => x,
            // Types of any size have one level.
            (Size::Dynamic, _) | (_, Size::Dynamic) if deep.depth() == 1 => Size::Dynamic,
            (Size::Fixed(1), Size::Fixed(n)) | (Size::Fixed(n), Size::Fixed(1)) => Size::Fixed(n.max(1)),
            _ => return None,
        };
    }
    Some(ArrayType { sizes, ..deep })
}

/// The type in which an operation with a host scalar is computed: the scalar takes the array's element type where that is of its kind
/// or wider, else int becomes Int32 and float Float32.
///
/// # Errors
/// [`Error::NotSupported`] for complex scalars, which are no elements of Dr.Jit's arrays.
pub fn scalar_type(function: &'static str, ty: ArrayType, scalar: ScalarKind) -> Result<ArrayType> {
    let dtype = scalar_dtype(ty.dtype, scalar).ok_or(Error::NotSupported { function, ty })?;
    Ok(ty.with_dtype(dtype))
}

/// The elements of [`scalar_type`]; `None` for complex numbers.
pub(crate) fn scalar_dtype(dtype: VarType, scalar: ScalarKind) -> Option<VarType> {
    Some(match scalar {
        ScalarKind::Bool => dtype,
        ScalarKind::Int if dtype.is_bool() => VarType::Int32,
        ScalarKind::Int => dtype,
        ScalarKind::Float if dtype.is_float() => dtype,
        ScalarKind::Float => VarType::Float32,
        ScalarKind::Complex => return None,
    })
}
