//! Cross and outer products.

use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{expand_dims, moveaxis, multiply, reshape, subtract};
use crate::{Array, AxisSlice, Dims, ErrorKind, Op, Result, Shape, params, primitive, shape};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`cross`].
    pub struct Cross {
        /// The axis of the vectors.
        axis: i64 = -1,
        /// The axis of the vectors of `x1`, where it is another one.
        axisa: Option<i64> = None,
        /// The axis of the vectors of `x2`, where it is another one.
        axisb: Option<i64> = None,
        /// The axis of the products in the result, where it is another one.
        axisc: Option<i64> = None,
    }
}

describe! {
    CROSS = "cross", Linalg, Compositional, (x1: Promoted, x2: Promoted), Promote -> [Compute],
    Bound::Composed(2.0), params: Cross::new(), example: [&[3], &[3]], Body::Compose(compose_cross)
}

fn compose_cross(call: &Composition<'_>) -> Result<Outputs> {
    let (x1, x2, function) = (call.array(0), call.array(1), call.function.name);
    let &Cross { axis, axisa, axisb, axisc } = call.params::<Cross>();
    if axisa.is_none() && axisb.is_none() {
        shape::check_common_axis(function, axis, [x1.ndim(), x2.ndim()])?;
    }
    let mut vectors = Vec::new();
    for (argument, x, own) in [("x1", x1, axisa), ("x2", x2, axisb)] {
        let at = shape::normalize_axis(function, own.unwrap_or(axis), x.ndim())?;
        if x.shape()[at] != 3 {
            let expected = format!("length 3 on axis {at}");
            let actual = x.shape().clone();
            return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
        }
        vectors.push(moveaxis(x, at as i64, -1)?);
    }
    let lead = |x: &Array| Shape::from(&x.shape()[..x.ndim() - 1]);
    shape::broadcast(function, &[lead(&vectors[0]), lead(&vectors[1])])?;
    let part = |x: &Array, i: usize| {
        let mut axes: Dims<AxisSlice> =
            x.shape().iter().map(|&len| AxisSlice { start: 0, step: 1, len }).collect();
        axes[x.ndim() - 1] = AxisSlice { start: i, step: 1, len: 1 };
        primitive::run(function, &Op::Slice { axes }, &[x])
    };
    let (a, b) = (&vectors[0], &vectors[1]);
    let component = |i: usize| -> Result<Array> {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        subtract(multiply(part(a, j)?, part(b, k)?)?, multiply(part(a, k)?, part(b, j)?)?)
    };
    let parts = [component(0)?, component(1)?, component(2)?];
    let last = Op::Concat { axis: parts[0].ndim() - 1 };
    let product = primitive::run(function, &last, &[&parts[0], &parts[1], &parts[2]])?;
    // The axis stands where it was, counted from the end.
    let back = match axisc {
        Some(own) => shape::normalize_axis(function, own, product.ndim())? as i64,
        None if axis < 0 => axis,
        None => axis - x1.ndim() as i64,
    };
    Ok(smallvec![moveaxis(product, -1, back)?])
}

/// The cross products of vectors of three elements along an axis. The other axes broadcast;
/// integers wrap.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1i32, 0, 0])?;
/// let y = Array::try_from([[0i32, 1, 0], [0, 0, 1]])?;
/// assert_eq!(ivy::linalg::cross(&x, &y, ())?.to_vec::<i32>()?, [0, 0, 1, 0, -1, 0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for vectors of another length,
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes) of the other axes,
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an axis counted from the front where
/// the arrays differ in their number of axes, [`OutsideDomain`](crate::ErrorKind::OutsideDomain)
/// for bool.
pub fn cross<'a, 'b>(
    x1: impl IntoOperand<'a>,
    x2: impl IntoOperand<'b>,
    params: impl Into<Cross>,
) -> Result<Array> {
    call_one(&CROSS, &[x1.into_operand(), x2.into_operand()], &params.into())
}

describe! {
    OUTER = "outer", Linalg, Compositional, (x1: Promoted, x2: Promoted), Promote -> [Compute],
    Bound::Exact, params: (), example: [&[2], &[2]], Body::Compose(compose_outer)
}

fn compose_outer(call: &Composition<'_>) -> Result<Outputs> {
    let flat = |x: &Array| if x.ndim() == 1 { Ok(x.clone()) } else { reshape(x, -1, ()) };
    Ok(smallvec![multiply(expand_dims(flat(call.array(0))?, 1)?, expand_dims(flat(call.array(1))?, 0)?)?])
}

/// Outer product: the products of each element of one vector with each of another, as a matrix; nothing is conjugated.
/// Arrays of other axes are taken as the vectors of their elements.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1i32, 2])?;
/// let y = Array::try_from([3i32, 4, 5])?;
/// assert_eq!(ivy::linalg::outer(&x, &y)?.to_vec::<i32>()?, [3, 4, 5, 6, 8, 10]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool.
pub fn outer<'a, 'b>(x1: impl IntoOperand<'a>, x2: impl IntoOperand<'b>) -> Result<Array> {
    call_one(&OUTER, &[x1.into_operand(), x2.into_operand()], &())
}
