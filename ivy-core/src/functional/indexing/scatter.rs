//! Scatters with a combining function, under Ivy's names.

use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::dtype::wrong_kind;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::indexing::active_lanes::{Spare, lanes, nowhere, zeros};
use crate::functional::indexing::gather::{index_arrays, mismatch};
use crate::functional::{Filled, astype, full, where_};
use crate::{Dtype, ErrorKind, Op, Operand, Result, Scalar, ScatterOp, Shape, iinfo, params, primitive};
use smallvec::{SmallVec, smallvec};
use std::mem;

/// What becomes of several updates of one place, and of what stands there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// Their sum; of bool, whether one is true.
    #[default]
    Sum,
    /// The last one, in the order of the indices.
    Replace,
    /// The least; NaN if one is NaN. Not of complex numbers.
    Min,
    /// The greatest, likewise.
    Max,
    /// Their product; of bool, whether all are true.
    Mul,
    /// The bits that all have; integers and bool.
    And,
    /// The bits that one has; integers and bool.
    Or,
}

impl Reduction {
    pub(in crate::functional) fn op(self) -> ScatterOp {
        match self {
            Reduction::Sum => ScatterOp::Add,
            Reduction::Replace => ScatterOp::Set,
            Reduction::Min => ScatterOp::Min,
            Reduction::Max => ScatterOp::Max,
            Reduction::Mul => ScatterOp::Mul,
            Reduction::And => ScatterOp::And,
            Reduction::Or => ScatterOp::Or,
        }
    }

    /// Refuses elements of a dtype that do not combine so.
    pub(in crate::functional) fn check(self, function: &'static str, dtype: Dtype) -> Result<()> {
        let bits = matches!(self, Reduction::And | Reduction::Or);
        match self.op().takes(dtype) {
            true => Ok(()),
            false => Err(wrong_kind(function, dtype, if bits { "integer or bool" } else { "real" })),
        }
    }

    /// The value that changes no update, of elements of a dtype; `None` where zero is it, or is
    /// replaced.
    fn identity(self, dtype: Dtype) -> Result<Option<Scalar>> {
        let end = |least: bool| -> Result<Scalar> {
            Ok(match dtype.is_float() {
                true => Scalar::Float(if least { f64::NEG_INFINITY } else { f64::INFINITY }),
                false if dtype.is_bool() => Scalar::Bool(!least),
                false => Scalar::Int(if least { iinfo(dtype)?.min } else { iinfo(dtype)?.max }),
            })
        };
        Ok(match self {
            Reduction::Sum | Reduction::Replace | Reduction::Or => None,
            Reduction::Min => Some(end(false)?),
            Reduction::Max => Some(end(true)?),
            Reduction::Mul | Reduction::And if dtype.is_bool() => Some(Scalar::Bool(true)),
            Reduction::Mul => Some(Scalar::Int(1)),
            Reduction::And if dtype.is_uint() => Some(end(false)?),
            Reduction::And => Some(Scalar::Int(-1)),
        })
    }
}

param_words! { Reduction: "sum" => Sum, "replace" => Replace, "min" => Min, "max" => Max, "mul" => Mul, "and" => And, "or" => Or }

/// How updates are put where they go: a hint, as Dr.Jit has them, which never changes a result. Updates are done in
/// the order of the indices whatever it is, and what a caller says of the indices is not relied on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ScatterMode {
    /// The library chooses.
    #[default]
    Auto,
    /// One after the other in the target.
    Direct,
    /// Those of neighbours are combined before.
    Local,
    /// The caller says that no two updates have one place.
    NoConflicts,
    /// Into copies of the target, which are combined at the end.
    Expand,
    /// The caller says that each place has exactly one update.
    Permute,
}

param_words! {
    ScatterMode: "auto" => Auto, "direct" => Direct, "local" => Local, "no_conflicts" => NoConflicts,
    "expand" => Expand, "permute" => Permute
}

params! {
    /// Keyword arguments of [`scatter_nd`].
    pub struct ScatterNd {
        /// The result's shape; required unless `out` is given, whose shape it is then.
        shape: Option<Shape> = None,
        /// What becomes of several updates of one place.
        reduction: Reduction = Reduction::Sum,
        /// A hint, which changes no result.
        mode: ScatterMode = ScatterMode::Auto,
        /// The array whose elements the updates are combined with; it stays as it is.
        operand out,
        /// Which updates take place; it broadcasts to the shape of the places. Where it is false nothing is done,
        /// and the index is not looked at.
        operand mask,
    }
}

params! {
    /// Keyword arguments of [`scatter_flat`].
    pub struct ScatterFlat {
        /// The result's length; required unless `out` is given, whose length it is then.
        size: Option<usize> = None,
        /// What becomes of several updates of one place.
        reduction: Reduction = Reduction::Sum,
        /// A hint, which changes no result.
        mode: ScatterMode = ScatterMode::Auto,
        /// The array whose elements the updates are combined with; it stays as it is.
        operand out,
        /// Which updates take place; it broadcasts to the shape of the places. Where it is false nothing is done,
        /// and the index is not looked at.
        operand mask,
    }
}

describe! {
    SCATTER_ND = "scatter_nd", Indexing, Mixed,
    (indices: Index, updates: Promoted, out: Promoted optional, mask: Condition optional), Promote -> [Compute],
    Bound::Sum, params: ScatterNd::new(), example: [&[2, 1], &[2], &[4]],
    Body::Compose(compose_scatter_nd)
}

fn compose_scatter_nd(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params) = (call.function.name, call.params::<ScatterNd>());
    let shape = target(function, "shape", params.shape.as_ref(), call.arrays[2].as_ref())?;
    let indices = index_arrays(function, call.array(0), &shape)?;
    Ok(smallvec![scatter(call, indices, shape, params.reduction)?])
}

describe! {
    SCATTER_FLAT = "scatter_flat", Indexing, Mixed,
    (indices: Index, updates: Promoted, out: Promoted optional, mask: Condition optional), Promote -> [Compute],
    Bound::Sum, params: ScatterFlat::new(), example: [&[2], &[2], &[4]],
    Body::Compose(compose_scatter_flat)
}

fn compose_scatter_flat(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params) = (call.function.name, call.params::<ScatterFlat>());
    let (indices, out) = (call.array(0), call.arrays[2].as_ref());
    let one = |argument, x: Option<&Array>| match x {
        Some(x) if x.ndim() != 1 => Err(mismatch(function, argument, "one axis".into(), x.shape())),
        _ => Ok(()),
    };
    one("indices", Some(indices))?;
    one("out", out)?;
    let size = params.size.map(|n| Shape::from([n]));
    let shape = target(function, "size", size.as_ref(), out)?;
    Ok(smallvec![scatter(call, smallvec![indices.clone()], shape, params.reduction)?])
}

/// The shape of the result.
fn target(
    function: &'static str,
    argument: &'static str,
    shape: Option<&Shape>,
    out: Option<&Array>,
) -> Result<Shape> {
    match (shape, out) {
        (Some(shape), Some(out)) if shape != out.shape() => {
            Err(mismatch(function, "out", format!("{shape}, as `{argument}` says,"), out.shape()))
        }
        (Some(shape), _) => Ok(shape.clone()),
        (None, Some(out)) => Ok(out.shape().clone()),
        (None, None) => {
            let (value, rule) = ("none".into(), "needed unless `out` is given");
            Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into())
        }
    }
}

/// The updates of a call combined with its `out`, or with each other in zeros of a shape; an array of indices for each axis.
fn scatter(
    call: &Composition<'_>,
    mut indices: SmallVec<[Array; 2]>,
    shape: Shape,
    reduction: Reduction,
) -> Result<Array> {
    let (function, dtype, op) = (call.function.name, call.compute, reduction.op());
    reduction.check(function, dtype)?;
    let places = indices[0].shape().clone();
    let written: Shape = places.iter().chain(&shape[indices.len()..]).copied().collect();
    let updates = call.array(1);
    if crate::shape::broadcast(function, &[updates.shape(), &written]).ok().as_ref() != Some(&written) {
        let expected = format!("one that broadcasts to {written}");
        return Err(mismatch(function, "updates", expected, updates.shape()));
    }
    let updates = primitive::run(function, &Op::BroadcastTo { shape: written.clone() }, &[updates])?;
    let (mut shape, mut spare) = (shape, None);
    if let Some(mask) = &call.arrays[3] {
        let lanes = lanes(function, mask, &places)?;
        if nowhere(function, &indices, 0, &shape, &lanes)? {
            return call.arrays[2].clone().map_or_else(|| zeros(shape, dtype), Ok);
        }
        let made = Spare::new(function, &indices, &shape, &lanes)?;
        (indices, shape) = (made.indices.clone(), made.shape.clone());
        spare = Some(made);
    }
    // Sums and products are rounded to 16 bits once (decision S18).
    let small = dtype.is_float() && dtype.bytes() == 2 && matches!(op, ScatterOp::Add | ScatterOp::Mul);
    let accumulator = if small { Dtype::FLOAT32 } else { dtype };
    let put = |op, to: &Array, updates: &Array| {
        let mut operands: SmallVec<[&Array; 4]> = smallvec![to, updates];
        operands.extend(&indices);
        primitive::run(function, &Op::Scatter { axes: indices.len(), op }, &operands)
    };
    let filled = |value: Scalar, dtype| full(shape.clone(), value, Filled::new().dtype(dtype));
    let zero = |dtype: Dtype| zeros(shape.clone(), dtype);
    let upcast = |x: &Array| if small { astype(x, accumulator) } else { Ok(x.clone()) };
    let updates = upcast(&updates)?;
    let result = match (&call.arrays[2], reduction.identity(dtype)?) {
        (Some(out), _) => {
            let to = upcast(out)?;
            let to = spare.as_ref().map_or(Ok(to.clone()), |spare| spare.with(function, &to))?;
            put(op, &to, &updates)?
        }
        (None, None) => put(op, &zero(accumulator)?, &updates)?,
        // Places without updates are zero, whatever the reduction begins with.
        (None, Some(identity)) => {
            let combined = put(op, &filled(identity, accumulator)?, &updates)?;
            let yes = full(written, true, Filled::new().dtype(Dtype::BOOL))?;
            let reached = put(ScatterOp::Set, &zero(Dtype::BOOL)?, &yes)?;
            where_(&reached, &combined, zero(accumulator)?)?
        }
    };
    let result = spare.map_or(Ok(result.clone()), |spare| spare.without(function, &result))?;
    if small { astype(&result, dtype) } else { Ok(result) }
}

/// N-D scatter: updates at places of an array of a shape: the last axis of `indices` has the place of each update along
/// the first axes of the shape; negative ones count from the end. `updates` broadcasts to the shape of the places,
/// followed by the axes that no index is for.
///
/// Updates of one place are combined by the reduction, one after the other in the order of the
/// indices, on every backend; places without an update are zero. With `out` the result is that array,
/// its elements combined with the updates of their place in the same way (or replaced by them); it has
/// the dtype that both promote to. Integers wrap; of float16 and bfloat16, sums and products are
/// computed in float32. Updates that a mask leaves out are as if they were not there.
///
/// ```
/// use ivy::{Reduction, ScatterNd, prelude::*};
/// let (places, x) = (Array::try_from([[0i64], [0], [-1]])?, Array::try_from([3i32, 5, 4])?);
/// let sums = ivy::scatter_nd(&places, &x, ScatterNd::new().shape([4]))?;
/// assert_eq!(sums.to_vec::<i32>()?, [8, 0, 0, 4]);
/// let greatest = ScatterNd::new().out(&sums).reduction(Reduction::Max);
/// assert_eq!(ivy::scatter_nd(&places, 7, greatest)?.to_vec::<i32>()?, [8, 0, 0, 7]);
/// let some = ScatterNd::new().shape([4]).mask(&Array::try_from([true, false, true])?);
/// assert_eq!(ivy::scatter_nd(&places, &x, some)?.to_vec::<i32>()?, [3, 0, 0, 4]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange), with the first position among the
/// indices of its axis; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for indices, updates, an
/// `out` or a mask that do not fit; [`InvalidArgument`](crate::ErrorKind::InvalidArgument) without a shape;
/// [`WrongDtypeKind`](crate::ErrorKind::WrongDtypeKind) for a reduction that the dtype does not have.
pub fn scatter_nd<'a, 'b>(
    indices: impl IntoOperand<'a>,
    updates: impl IntoOperand<'b>,
    params: impl Into<ScatterNd>,
) -> Result<Array> {
    let mut params = params.into();
    let [out, mask] = [&mut params.out, &mut params.mask].map(|x| mem::replace(x, Operand::Absent));
    call_one(&SCATTER_ND, &[indices.into_operand(), updates.into_operand(), out, mask], &params)
}

/// 1-D scatter: [`scatter_nd`] into an array of one axis: `indices` has one axis, too, and a place for each update.
/// [`scatter_exch`](crate::functional::scatter_exch) says as well what stood there before each.
///
/// ```
/// use ivy::{ScatterFlat, prelude::*};
/// let (places, x) = (Array::try_from([2i64, 0, 2])?, Array::try_from([1.5f32, 2.0, 3.0])?);
/// let sums = ivy::scatter_flat(&places, &x, ScatterFlat::new().size(3usize))?;
/// assert_eq!(sums.to_vec::<f32>()?, [2.0, 0.0, 4.5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`scatter_nd`].
#[doc(alias = "scatter")]
#[doc(alias = "scatter_add")]
#[doc(alias = "scatter_reduce")]
pub fn scatter_flat<'a, 'b>(
    indices: impl IntoOperand<'a>,
    updates: impl IntoOperand<'b>,
    params: impl Into<ScatterFlat>,
) -> Result<Array> {
    let mut params = params.into();
    let [out, mask] = [&mut params.out, &mut params.mask].map(|x| mem::replace(x, Operand::Absent));
    call_one(&SCATTER_FLAT, &[indices.into_operand(), updates.into_operand(), out, mask], &params)
}
