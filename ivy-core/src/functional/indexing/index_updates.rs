//! Additions, copies and fills at indices along an axis.

use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::dtype::wrong_kind;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::indexing::gather::mismatch;
use crate::functional::{Arange, Filled, arange, astype, broadcast_to, full, multiply, reshape};
use crate::promotion::check_scalar;
use crate::{Dims, Dtype, ErrorKind, Op, Result, Scalar, ScatterOp, Shape, params, primitive, shape};
use smallvec::{SmallVec, smallvec};

params! {
    /// Arguments of [`index_add`].
    pub struct IndexAdd {
        /// The axis that the indices are of; an argument of the function.
        axis: i64 = 0,
        /// What the source is multiplied by: a whole number for integers.
        alpha: f64 = 1.0,
    }
}

params! {
    /// Arguments of [`index_copy`] and [`index_fill`].
    pub struct IndexCopy {
        /// The axis that the indices are of; an argument of the function.
        axis: i64 = 0,
    }
}
/// Arguments of [`index_fill`], the same as of [`index_copy`].
pub type IndexFill = IndexCopy;

/// The axis, and the shape of the array with a part for each index instead of its own parts along the axis.
fn written(function: &'static str, x: &Array, index: &Array, axis: i64) -> Result<(usize, Shape)> {
    let axis = shape::normalize_axis(function, axis, x.ndim())?;
    if index.ndim() > 1 {
        return Err(mismatch(function, "index", "at most one axis".into(), index.shape()));
    }
    let mut lengths = Dims::from_slice(x.shape());
    lengths[axis] = index.size();
    let written = Shape::from(lengths);
    written.checked_size(function, x.dtype())?;
    Ok((axis, written))
}

/// The array with updates at the places of an axis that the indices name, in their order.
fn updated(
    function: &'static str,
    op: ScatterOp,
    x: &Array,
    updates: &Array,
    index: &Array,
    axis: usize,
) -> Result<Array> {
    let mut indices: SmallVec<[Array; 4]> = SmallVec::new();
    for (a, &length) in x.shape()[..axis].iter().enumerate() {
        let mut column = Dims::from_elem(1, axis + 1);
        column[a] = length;
        indices.push(reshape(arange(length, Arange::new().dtype(Dtype::INT64))?, Shape::from(column), ())?);
    }
    indices.push(if index.ndim() == 0 { reshape(index, [1], ())? } else { index.clone() });
    let mut operands: SmallVec<[&Array; 6]> = smallvec![x, updates];
    operands.extend(&indices);
    primitive::run(function, &Op::Scatter { axes: axis + 1, op }, &operands)
}

/// A source that broadcasts to the parts that are written, with their shape.
fn spread(function: &'static str, source: &Array, to: &Shape) -> Result<Array> {
    if shape::broadcast(function, &[source.shape(), to]).ok().as_ref() != Some(to) {
        return Err(mismatch(function, "source", format!("one that broadcasts to {to}"), source.shape()));
    }
    broadcast_to(source, to)
}

describe! {
    INDEX_ADD = "index_add", Indexing, Mixed, (x: Promoted, index: Index, source: Promoted), Promote -> [Compute],
    Bound::Sum, params: IndexAdd::new(), example: [&[3, 2], &[2], &[2, 2]], Body::Compose(compose_add)
}

fn compose_add(call: &Composition<'_>) -> Result<Outputs> {
    let (function, compute, p) = (call.function.name, call.compute, call.params::<IndexAdd>());
    let (x, index, source) = (call.array(0), call.array(1), call.array(2));
    let (axis, parts) = written(function, x, index, p.axis)?;
    // Sums of small floats are rounded to 16 bits once (decision S18).
    let small = compute.is_float() && compute.bytes() == 2;
    let widened = |x: &Array| if small { astype(x, Dtype::FLOAT32) } else { Ok(x.clone()) };
    let (to, mut source) = (widened(x)?, widened(source)?);
    if p.alpha != 1.0 {
        if compute.is_bool() {
            return Err(wrong_kind(function, compute, "numeric, where `alpha` is not 1,"));
        }
        let factor = match compute.is_int() {
            true if p.alpha.fract() == 0.0 => Scalar::Int(p.alpha as i128),
            true => {
                let (value, rule) = (p.alpha.to_string(), "a whole number, for integers");
                return Err(ErrorKind::InvalidArgument { function, argument: "alpha", value, rule }.into());
            }
            false => Scalar::Float(p.alpha),
        };
        check_scalar(function, factor, compute)?;
        source = multiply(&source, factor)?;
    }
    let sums = updated(function, ScatterOp::Add, &to, &spread(function, &source, &parts)?, index, axis)?;
    Ok(smallvec![if small { astype(sums, compute)? } else { sums }])
}

/// Indexed addition: an array to which the parts of `source` are added, multiplied by `alpha`: part `k` along the axis
/// to part `index[k]` of the array, each as often as it is named. Negative indices count from the end. `source` has the
/// array's shape with as many parts as there are indices, or broadcasts to that. Integers wrap, bool is "or", and
/// float16 and bfloat16 are computed in float32.
///
/// ```
/// use ivy::{IndexAdd, prelude::*};
/// let x = Array::try_from([[1i32, 1], [1, 1], [1, 1]])?;
/// let (index, source) = (Array::try_from([2i64, 0, 2])?, Array::try_from([[1i32, 2], [3, 4], [5, 6]])?);
/// assert_eq!(ivy::index_add(&x, 0, &index, &source, ())?.to_vec::<i32>()?, [4, 5, 1, 1, 7, 9]);
/// let twice = ivy::index_add(&x, 0, &index, &source, IndexAdd::new().alpha(2.0))?;
/// assert_eq!(twice.to_vec::<i32>()?, [7, 9, 1, 1, 13, 17]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange), [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), also
/// for an array without axes; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for indices of more than one axis, and
/// a source that does not fit; [`InvalidArgument`](crate::ErrorKind::InvalidArgument),
/// [`ScalarOutOfRange`](crate::ErrorKind::ScalarOutOfRange) and
/// [`WrongDtypeKind`](crate::ErrorKind::WrongDtypeKind) for an `alpha` that the dtype does not have.
pub fn index_add<'a, 'b, 'c>(
    x: impl IntoOperand<'a>,
    axis: i64,
    index: impl IntoOperand<'b>,
    source: impl IntoOperand<'c>,
    params: impl Into<IndexAdd>,
) -> Result<Array> {
    let operands = [x.into_operand(), index.into_operand(), source.into_operand()];
    call_one(&INDEX_ADD, &operands, &params.into().axis(axis))
}

describe! {
    INDEX_COPY = "index_copy", Indexing, Mixed, (x: Promoted, index: Index, source: Promoted), Promote -> [Compute],
    Bound::Exact, params: IndexCopy::new(), example: [&[3, 2], &[2], &[2, 2]], Body::Compose(compose_copy)
}

fn compose_copy(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, index) = (call.function.name, call.array(0), call.array(1));
    let (axis, parts) = written(function, x, index, call.params::<IndexCopy>().axis)?;
    let source = spread(function, call.array(2), &parts)?;
    Ok(smallvec![updated(function, ScatterOp::Set, x, &source, index, axis)?])
}

/// Indexed copy: an array with parts replaced by those of `source`: part `k` along the axis stands at part `index[k]`
/// of the result, the last one of those for one place. Negative indices count from the end; `source` has the array's
/// shape with as many parts as there are indices, or broadcasts to that.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 2, 3], [4, 5, 6]])?;
/// let (index, source) = (Array::try_from([-1i64, 0])?, Array::try_from([[7i32, 8], [9, 10]])?);
/// assert_eq!(ivy::index_copy(&x, 1, &index, &source)?.to_vec::<i32>()?, [8, 2, 7, 10, 5, 9]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange), [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), also
/// for an array without axes; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for indices of more than one axis, and
/// a source that does not fit.
pub fn index_copy<'a, 'b, 'c>(
    x: impl IntoOperand<'a>,
    axis: i64,
    index: impl IntoOperand<'b>,
    source: impl IntoOperand<'c>,
) -> Result<Array> {
    let operands = [x.into_operand(), index.into_operand(), source.into_operand()];
    call_one(&INDEX_COPY, &operands, &IndexCopy::new().axis(axis))
}

describe! {
    INDEX_FILL = "index_fill", Indexing, Mixed, (x: Kept, index: Index, value: Value), LikeOperand -> [Compute],
    Bound::Exact, params: IndexFill::new(), example: [&[3, 2], &[2], &[]], Body::Compose(compose_fill)
}

fn compose_fill(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, index) = (call.function.name, call.array(0), call.array(1));
    let (axis, parts) = written(function, x, index, call.params::<IndexFill>().axis)?;
    let value = call.scalar(2).unwrap_or(Scalar::Int(0));
    check_scalar(function, value, call.compute)?;
    let filled = full(parts, value, Filled::new().dtype(call.compute))?;
    Ok(smallvec![updated(function, ScatterOp::Set, x, &filled, index, axis)?])
}

/// Indexed fill: an array with a value in all parts along the axis that the indices name; negative ones count from the
/// end. The dtype is the array's.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 2, 3], [4, 5, 6]])?;
/// assert_eq!(ivy::index_fill(&x, 1, &Array::try_from([0i64, 2])?, -1)?.to_vec::<i32>()?, [-1, 2, -1, -1, 5, -1]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange), [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), also
/// for an array without axes; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for indices of more than one axis;
/// [`ScalarOutOfRange`](crate::ErrorKind::ScalarOutOfRange) and [`CastRefused`](crate::ErrorKind::CastRefused) for a
/// value that the dtype does not hold.
pub fn index_fill<'a, 'b>(
    x: impl IntoOperand<'a>,
    axis: i64,
    index: impl IntoOperand<'b>,
    value: impl Into<Scalar>,
) -> Result<Array> {
    let operands = [x.into_operand(), index.into_operand(), Operand::Scalar(value.into())];
    call_one(&INDEX_FILL, &operands, &IndexFill::new().axis(axis))
}
