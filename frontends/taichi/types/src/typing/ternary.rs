//! Operations of a condition and two values.

use super::{TernaryOp, Typed, Typing, common_shape, loaded};
use crate::{Result, Type, TypeError};

/// The typing of a choice (T-13): the values promote, the condition is of integers and keeps its type. The condition of `select` may be
/// a tensor of the values' shape, that of `ifte` is a single number.
///
/// # Errors
/// [`TypeError::Unsupported`] for a condition of floats, for shapes that differ, and for structs.
pub fn type_of_ternary(
    op: TernaryOp,
    condition: Type,
    on_true: Type,
    on_false: Type,
    typing: &Typing,
) -> Result<Typed<3>> {
    let refuse = || TypeError::Unsupported { op: op.symbol(), operands: vec![condition, on_true, on_false] };
    let (condition, truth) = loaded(condition).ok_or_else(refuse)?;
    let (a, left) = loaded(on_true).ok_or_else(refuse)?;
    let (b, right) = loaded(on_false).ok_or_else(refuse)?;
    let single = condition.shape().is_empty();
    if truth.is_real() || (op == TernaryOp::IfExpression && !single) {
        return Err(refuse());
    }
    let form = common_shape(&[condition, a, b]).ok_or_else(refuse)?;
    let found = typing.resolve(op.category(), &[left, right]).ok_or_else(refuse)?;
    let computed = found.compute.into();
    Ok(Typed {
        operands: [condition, a.with_element(computed), b.with_element(computed)],
        result: form.with_element(found.result.into()),
    })
}
