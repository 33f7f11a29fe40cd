//! Einstein summation.

pub mod parse;
mod plan;
mod run;

use super::pattern_text::Text;
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::precision::{downcast, upcast};
use crate::{Result, Shape, params};
use plan::Plan;
use smallvec::smallvec;

params! {
    /// The arguments of [`einsum`].
    pub struct Einsum {
        /// The subscripts of the operands, and those of the result.
        equation: String = String::from("ij,jk->ik"),
    }
}

describe! {
    EINSUM = "einsum", LinearAlgebra, Mixed, (operands: Promoted; variadic), Promote -> [Compute],
    Bound::Matmul, params: Einsum::new(), example: [&[2, 2], &[2, 2]], Body::Compose(compose)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let function = call.function.name;
    let text = Text { function, argument: "equation", text: &call.params::<Einsum>().equation };
    let arrays: Vec<&Array> = (0..call.arrays.len()).map(|i| call.array(i)).collect();
    let shapes: Vec<&Shape> = arrays.iter().map(|x| x.shape()).collect();
    let plan = Plan::new(text, &parse::parse(text)?, &shapes)?;
    let result: Shape = plan.output.iter().map(|&index| plan.len(index)).collect();
    result.checked_size(function, call.compute)?;
    // A small float is rounded once, by the only step there is or at the end of several.
    let arrays: Vec<Array> = match plan.is_one_step() {
        true => arrays.into_iter().cloned().collect(),
        false => arrays.into_iter().map(upcast).collect::<Result<_>>()?,
    };
    Ok(smallvec![downcast(run::run(function, &plan, arrays)?, call.compute)?])
}

/// Einstein summation: the sum of products of the operands' elements that an equation names: each axis of an operand
/// has an index, a letter; elements are multiplied where equal indices have equal values, and added over the indices
/// that the result lacks.
///
/// - `ij,jk->ik` is the matrix product, `ij->ji` the transpose, `i,j->ij` the outer product, `bij,bjk->bik` a product
///   of stacks of matrices.
/// - An index that an operand has twice is its diagonal: `ii->i`, and `ii->` the trace.
/// - `...` stands for all other axes, which broadcast.
/// - Without an arrow the result has the axes of `...`, and then the indices that occur once, in alphabetical order.
/// - Axes of length 1 broadcast, and spaces mean nothing.
///
/// More than two operands are contracted by pairs, in an order that keeps what is between small. A pair of which
/// something is added is one `matmul`. float16 and bfloat16 accumulate in float32, integers wrap.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 2], [3, 4]])?;
/// assert_eq!(ivy::einsum("ij,kj->ik", [&x, &x])?.to_vec::<i32>()?, [5, 11, 11, 25]);
/// assert_eq!(ivy::einsum("ii", [&x])?.item::<i32>()?, 5);
/// assert_eq!(ivy::einsum("...i->...", [&x])?.to_vec::<i32>()?, [3, 7]);
/// let wrong = ivy::einsum("ij,jk->iz", [&x, &x]).unwrap_err();
/// assert!(wrong.to_string().contains("at character 8, `z`"));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an equation that is none, or that does not go with the
/// operands' numbers of axes; it names the place in the text.
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for an index of two lengths,
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow), [`MemoryLimit`](crate::ErrorKind::MemoryLimit),
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool.
pub fn einsum<'a, T: IntoOperand<'a>>(
    equation: impl Into<String>,
    operands: impl IntoIterator<Item = T>,
) -> Result<Array> {
    let operands: Vec<Operand<'a>> = operands.into_iter().map(T::into_operand).collect();
    call_one(&EINSUM, &operands, &Einsum::new().equation(equation))
}
