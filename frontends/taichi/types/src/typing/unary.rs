//! Operations of one operand, and casts.

use super::{Typed, Typing, UnaryOp, loaded};
use crate::{PrimitiveType, Result, Type, TypeError, TypeKind};
use ivy_core::promotion::Category;

/// The typing of an operation on one operand (T-11): sqrt, exp, log and the reciprocals cast integers to the default float type,
/// trigonometric functions and those that round refuse them, bitwise and logical ones refuse floats. `frexp` gives a struct of the
/// fraction `x` and the exponent `exp`.
///
/// # Errors
/// [`TypeError::RealOnly`], [`TypeError::Unsupported`].
pub fn type_of_unary(op: UnaryOp, operand: Type, typing: &Typing) -> Result<Typed<1>> {
    let refuse = || match op.category() {
        Category::Trigonometric | Category::Floor | Category::Round => {
            TypeError::RealOnly { op: op.symbol(), operand }
        }
        _ => TypeError::Unsupported { op: op.symbol(), operands: vec![operand] },
    };
    let (form, element) = loaded(operand).ok_or_else(refuse)?;
    let found = typing.resolve(op.category(), &[element]).ok_or_else(refuse)?;
    let computed = form.with_element(found.compute.into());
    let result = match op {
        UnaryOp::Frexp => {
            let exponent = form.with_element(PrimitiveType::I32.into());
            Type::structure([("x", computed), ("exp", exponent)])?
        }
        _ => form.with_element(found.result.into()),
    };
    Ok(Typed { operands: [computed], result })
}

/// The type of a value once cast: element by element on vectors and matrices (T-15, T-21).
///
/// # Errors
/// [`TypeError::Cast`] for structs and addresses, and for a target that is no primitive type.
pub fn type_of_cast(from: Type, to: Type) -> Result<Type> {
    let refuse = |rule| TypeError::Cast { op: "cast", from, to, rule };
    let target = to.primitive().ok_or_else(|| refuse("the target must be a primitive type"))?;
    if let TypeKind::Struct { .. } = from.kind() {
        return Err(refuse("structs have no casts: cast their members"));
    }
    let (form, _) = loaded(from).ok_or_else(|| refuse("the value must be of numbers"))?;
    Ok(form.with_element(target.into()))
}

/// The type of a value whose bits are read as another type of the same width (T-16).
///
/// # Errors
/// [`TypeError::Cast`] as [`type_of_cast`], and for widths that differ.
pub fn type_of_bit_cast(from: Type, to: Type) -> Result<Type> {
    let refuse = |rule| TypeError::Cast { op: "bit_cast", from, to, rule };
    let target = to.primitive().ok_or_else(|| refuse("the target must be a primitive type"))?;
    let (form, element) = loaded(from).ok_or_else(|| refuse("the value must be of numbers"))?;
    if element.bits() != target.bits() {
        return Err(refuse("both must be of the same width"));
    }
    Ok(form.with_element(target.into()))
}
