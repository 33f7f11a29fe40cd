//! Operations of two operands.

use super::{BinaryOp, Typed, Typing, common_shape, loaded};
use crate::{PrimitiveType, Result, Type, TypeError};
use ivy_core::promotion::Category;

/// The typing of an operation on two operands: numbers, or vectors and matrices element by element, beside which single numbers
/// broadcast (T-04 to T-10, T-12, T-14, T-20). A shift's amount is cast to the left side; an integer exponent keeps its type.
///
/// # Errors
/// [`TypeError::Unsupported`] where the rules refuse the types, where shapes differ, and for structs.
pub fn type_of_binary(op: BinaryOp, a: Type, b: Type, typing: &Typing) -> Result<Typed<2>> {
    let refuse = || TypeError::Unsupported { op: op.symbol(), operands: vec![a, b] };
    let (a, left) = loaded(a).ok_or_else(refuse)?;
    let (b, right) = loaded(b).ok_or_else(refuse)?;
    let form = common_shape(&[a, b]).ok_or_else(refuse)?;
    let found = typing.resolve(op.category(), &[left, right]).ok_or_else(refuse)?;
    let own: [PrimitiveType; 2] = match op.category() {
        Category::Shift => [left, left],
        Category::Power if right.is_integral() => [left, right],
        _ => [found.compute, found.compute],
    };
    let operands = [a.with_element(own[0].into()), b.with_element(own[1].into())];
    Ok(Typed { operands, result: form.with_element(found.result.into()) })
}
