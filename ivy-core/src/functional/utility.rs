//! Utility functions: logical reductions, counts of non-zero elements, finite differences.

use super::searching::positions;
use super::statistical::reduced_axes;
use super::{Reduce, Sum, subtract, sum};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Composition, Outputs, Request};
use crate::{
    Array, AxisSlice, Dims, Dtype, ErrorKind, Op, ReduceOp, Result, Shape, params, primitive, shape,
};
use smallvec::smallvec;
use std::mem;

/// Keyword arguments of [`all`], those that all reductions have.
pub type All = Reduce;
/// Keyword arguments of [`any`], those that all reductions have.
pub type Any = Reduce;

params! {
    /// Keyword arguments of [`count_nonzero`].
    pub struct CountNonzero {
        /// The axes to count over; all if not given.
        axis: Option<Axes> = None,
        /// Keep these axes, with length 1.
        flag keepdims,
        /// The dtype of the counts; int64 if not given.
        dtype: Option<Dtype> = None,
    }
}

fn lower_truth(request: &Request<'_>, op: ReduceOp) -> Result<Op> {
    let params = request.params::<All>();
    let axes = reduced_axes(request.function.name, &params.axis, request.shape(0).len())?;
    Ok(Op::Reduce { op, axes, keepdims: params.keepdims })
}

describe! {
    ALL = "all", Utility, Primary, (x: Promoted), Truth -> [Bool],
    Bound::Exact, params: All::new(), example: [&[2, 2]], Body::Op(|request| lower_truth(request, ReduceOp::All))
}

/// Logical conjunction over axes: true if every element over the axes is not zero; true of nothing. NaN is not zero.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1.0f32, 0.0], [f32::NAN, -1.0]])?;
/// assert_eq!(ivy::all(&x, All::new().axis(1))?.to_vec::<bool>()?, [false, true]);
/// assert!(ivy::any(&x, ())?.item::<bool>()?);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis).
pub fn all<'a>(x: impl IntoOperand<'a>, params: impl Into<All>) -> Result<Array> {
    call_one(&ALL, &[x.into_operand()], &params.into())
}

describe! {
    ANY = "any", Utility, Primary, (x: Promoted), Truth -> [Bool],
    Bound::Exact, params: Any::new(), example: [&[2, 2]], Body::Op(|request| lower_truth(request, ReduceOp::Any))
}

/// Logical disjunction over axes: true if any element over the axes is not zero; false of nothing. NaN is not zero.
///
/// # Errors
/// As [`all`].
pub fn any<'a>(x: impl IntoOperand<'a>, params: impl Into<Any>) -> Result<Array> {
    call_one(&ANY, &[x.into_operand()], &params.into())
}

describe! {
    COUNT_NONZERO = "count_nonzero", Searching, Mixed, (x: Promoted), Truth -> [Index],
    Bound::Exact, params: CountNonzero::new(), example: [&[2, 2]], Body::Compose(compose_count_nonzero)
}

fn compose_count_nonzero(call: &Composition<'_>) -> Result<Outputs> {
    let (x, CountNonzero { axis, keepdims, dtype }) = (call.array(0), call.params::<CountNonzero>().clone());
    reduced_axes(call.function.name, &axis, x.ndim())?;
    let counts = sum(x, Sum { axis, keepdims, dtype: Some(Dtype::INT64) })?;
    Ok(smallvec![positions(counts, dtype)?])
}

/// Count of non-zero elements: how many elements over the axes are not zero; int64. NaN is not zero.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[0i32, 1], [2, 3]])?;
/// assert_eq!(ivy::count_nonzero(&x, CountNonzero::new().axis(0))?.to_vec::<i64>()?, [1, 2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`all`].
pub fn count_nonzero<'a>(x: impl IntoOperand<'a>, params: impl Into<CountNonzero>) -> Result<Array> {
    call_one(&COUNT_NONZERO, &[x.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`diff`].
    pub struct Diff {
        /// The axis along which neighbours are.
        axis: i64 = -1,
        /// How often differences are taken.
        n: i64 = 1,
        /// An array to put before the operand along the axis, of the same shape but for the
        /// axis; one without axes, or a host scalar, stands for one element a row.
        operand prepend,
        /// An array to put after the operand, likewise.
        operand append,
    }
}

describe! {
    DIFF = "diff", Utility, Mixed, (x: Promoted, prepend: Promoted optional, append: Promoted optional),
    Promote -> [Compute], Bound::Composed(1.0), params: Diff::new(), example: [&[2], &[], &[]],
    Body::Compose(compose_diff)
}

/// Finite differences: the differences of neighbours along an axis, `x[i + 1] - x[i]`, taken `n` times; integers wrap.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1i32, 2, 4, 7])?;
/// assert_eq!(ivy::diff(&x, ())?.to_vec::<i32>()?, [1, 2, 3]);
/// assert_eq!(ivy::diff(&x, Diff::new().n(2))?.to_vec::<i32>()?, [1, 1]);
/// assert_eq!(ivy::diff(&x, Diff::new().prepend(0))?.to_vec::<i32>()?, [1, 1, 2, 3]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a negative `n`,
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for `prepend` or `append`,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool.
pub fn diff<'a>(x: impl IntoOperand<'a>, params: impl Into<Diff>) -> Result<Array> {
    let mut params = params.into();
    let absent = || crate::Operand::Absent;
    let prepend = mem::replace(&mut params.prepend, absent());
    let append = mem::replace(&mut params.append, absent());
    call_one(&DIFF, &[x.into_operand(), prepend, append], &params)
}

fn compose_diff(call: &Composition<'_>) -> Result<Outputs> {
    let function = call.function.name;
    let (x, params) = (call.array(0), call.params::<Diff>());
    let axis = shape::normalize_axis(function, params.axis, x.ndim())?;
    if params.n < 0 {
        let (value, rule) = (params.n.to_string(), "0 or more");
        return Err(ErrorKind::InvalidArgument { function, argument: "n", value, rule }.into());
    }
    let before = end(function, "prepend", x, axis, call.arrays[1].as_ref())?;
    let after = end(function, "append", x, axis, call.arrays[2].as_ref())?;
    let parts: Vec<&Array> = before.iter().chain([x]).chain(&after).collect();
    let mut x = match parts.len() {
        1 => x.clone(),
        _ => primitive::run(function, &Op::Concat { axis }, &parts)?,
    };
    for _ in 0..params.n {
        let length = x.shape()[axis];
        if length == 0 {
            break;
        }
        let part = |start: usize| -> Result<Array> {
            let mut axes: Dims<AxisSlice> =
                x.shape().iter().map(|&len| AxisSlice { start: 0, step: 1, len }).collect();
            axes[axis] = AxisSlice { start, step: 1, len: length - 1 };
            primitive::run(function, &Op::Slice { axes }, &[&x])
        };
        x = subtract(part(1)?, part(0)?)?;
    }
    Ok(smallvec![x])
}

/// What is put at one end of `x`, in `x`'s shape but for the axis.
fn end(
    function: &'static str,
    argument: &'static str,
    x: &Array,
    axis: usize,
    given: Option<&Array>,
) -> Result<Option<Array>> {
    let Some(given) = given else { return Ok(None) };
    if given.ndim() == 0 {
        let mut one = Dims::from_slice(x.shape());
        one[axis] = 1;
        let op = Op::BroadcastTo { shape: Shape::from(one) };
        return primitive::run(function, &op, &[given]).map(Some);
    }
    let (a, b) = (given.shape(), x.shape());
    if a.len() == b.len() && (0..a.len()).all(|i| i == axis || a[i] == b[i]) {
        return Ok(Some(given.clone()));
    }
    let (expected, actual) = (format!("{b} but for axis {axis}, or no axes,"), a.clone());
    Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into())
}
