//! The reverse derivative of one op, for backends that note ops and walk back over them.

use crate::{Array, ErrorKind, Op, Result, transform};

/// The vector-Jacobian product of one op: the cotangents of its operands that are `wanted`, which are floats or complex
/// numbers, in their order. A result without a cotangent counts as one of zeros.
///
/// The op is not computed again unless its derivative is made of its results (`exp`, `max`): that of a product or a
/// convolution is not.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::{BinaryOp, Op};
/// let (x, y) = (Array::try_from([2.0f64, 3.0])?, Array::try_from([5.0f64, 7.0])?);
/// let ones = Array::try_from([1.0f64, 1.0])?;
/// let multiply = Op::Binary(BinaryOp::Multiply);
/// let found = ivy::backend::pull_op(&multiply, &[x, y], &[true, false], &[Some(ones)])?;
/// assert_eq!(found[0].to_vec::<f64>()?, [5.0, 7.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// The operands are those that the op takes, as for [`Backend::execute`](super::Backend::execute).
///
/// # Errors
/// [`NotTransformable`](crate::ErrorKind::NotTransformable) for an op without a derivative;
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for another number of `wanted` than of operands, and where one is
/// wanted that is no float; those of the ops that compute it.
pub fn pull_op(
    op: &Op,
    operands: &[Array],
    wanted: &[bool],
    cotangents: &[Option<Array>],
) -> Result<Vec<Array>> {
    let refused = |value: String, rule| {
        let (function, argument) = ("pull_op", "wanted");
        Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into())
    };
    if wanted.len() != operands.len() {
        let value = format!("{} of {} operands", wanted.len(), operands.len());
        return refused(value, "each operand is wanted or not");
    }
    let changes = |x: &Array| x.dtype().is_float() || x.dtype().is_complex();
    if let Some((x, _)) = operands.iter().zip(wanted).find(|(x, wanted)| **wanted && !changes(x)) {
        return refused(format!("an operand of {}", x.dtype()), "floats and complex numbers have cotangents");
    }
    transform::vjp_of_op(op, operands, wanted)?.pull(cotangents)
}
