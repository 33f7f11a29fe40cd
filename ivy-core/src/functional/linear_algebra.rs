//! Linear algebra of the main namespace.

use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Request};
use crate::{Array, ErrorKind, Op, Result, Shape, shape};

describe! {
    MATMUL = "matmul", LinearAlgebra, Primary, (x1: Promoted, x2: Promoted), Promote -> [Compute],
    Bound::Matmul, params: (), example: [&[2, 2], &[2, 2]], Body::Op(lower_matmul)
}

fn lower_matmul(request: &Request<'_>) -> Result<Op> {
    let (a, b) = (request.shape(0), request.shape(1));
    let function = request.function.name;
    for (argument, x) in [("x1", a), ("x2", b)] {
        if x.is_empty() {
            let (expected, actual) = ("at least one axis".into(), x.into());
            return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
        }
    }
    let (k, rows) = (a[a.len() - 1], if b.len() == 1 { b[0] } else { b[b.len() - 2] });
    if k != rows {
        let expected = format!("{k} rows, as x1 has columns");
        return Err(ErrorKind::ShapeMismatch { function, argument: "x2", expected, actual: b.into() }.into());
    }
    if a.len() > 1 && b.len() > 1 {
        shape::broadcast(function, &[Shape::from(&a[..a.len() - 2]), Shape::from(&b[..b.len() - 2])])?;
    }
    Ok(Op::Matmul)
}

/// Matrix product. Leading axes broadcast; a one-dimensional operand is a row (`x1`) or a
/// column (`x2`), and its axis is absent from the result. float16 and bfloat16 accumulate in
/// float32, integers wrap.
///
/// ```
/// use ivy::prelude::*;
/// let a = Array::try_from([[1i32, 2], [3, 4]])?;
/// assert_eq!(ivy::matmul(&a, &Array::try_from([1i32, 1])?)?.to_vec::<i32>()?, [3, 7]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch),
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes) of the leading axes,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool.
pub fn matmul<'a, 'b>(x1: impl IntoOperand<'a>, x2: impl IntoOperand<'b>) -> Result<Array> {
    call_one(&MATMUL, &[x1.into_operand(), x2.into_operand()], &())
}
