//! Scatters with a reduction along an axis.

use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::dtype::wrong_kind;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::indexing::gather::mismatch;
use crate::functional::manipulation::slice_axes;
use crate::functional::{
    Arange, Filled, Reduction, arange, astype, divide, floor_divide, full, maximum, reshape,
};
use crate::{AxisSlice, Dims, Dtype, Op, Result, Scalar, ScatterOp, Shape, iinfo, params, primitive, shape};
use smallvec::{SmallVec, smallvec};

/// What [`scatter_reduce`] makes of the elements of a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ScatterReduction {
    /// Their sum; of bool, whether one is true.
    #[default]
    Sum,
    /// Their product; of bool, whether all are true.
    Prod,
    /// Their mean; of integers, rounded down. Not of bool.
    Mean,
    /// The greatest; NaN if one is NaN. Not of complex numbers.
    Amax,
    /// The least; NaN if one is NaN. Not of complex numbers.
    Amin,
}

param_words! { ScatterReduction: "sum" => Sum, "prod" => Prod, "mean" => Mean, "amax" => Amax, "amin" => Amin }

params! {
    /// Arguments of [`scatter_reduce`].
    pub struct ScatterReduce {
        /// The axis that the indices are of; an argument of the function.
        axis: i64 = 0,
        /// What becomes of the elements of a place; an argument of the function.
        reduction: ScatterReduction = ScatterReduction::Sum,
        /// Whether the array's own element is among those of its place.
        include_self: bool = true,
    }
}

describe! {
    SCATTER_REDUCE = "scatter_reduce", Indexing, Mixed, (x: Promoted, index: Index, source: Promoted),
    Promote -> [Compute], Bound::Sum, params: ScatterReduce::new(), example: [&[3, 2], &[2, 2], &[2, 2]],
    Body::Compose(compose)
}

/// The value that changes no element in a reduction.
fn identity(reduction: ScatterReduction, dtype: Dtype) -> Result<Scalar> {
    let greatest = reduction == ScatterReduction::Amin;
    Ok(match reduction {
        ScatterReduction::Sum | ScatterReduction::Mean if dtype.is_bool() => Scalar::Bool(false),
        ScatterReduction::Sum | ScatterReduction::Mean => Scalar::Int(0),
        ScatterReduction::Prod if dtype.is_bool() => Scalar::Bool(true),
        ScatterReduction::Prod => Scalar::Int(1),
        _ if dtype.is_bool() => Scalar::Bool(greatest),
        _ if dtype.is_int() => Scalar::Int(if greatest { iinfo(dtype)?.max } else { iinfo(dtype)?.min }),
        _ => Scalar::Float(if greatest { f64::INFINITY } else { f64::NEG_INFINITY }),
    })
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (function, compute, p) = (call.function.name, call.compute, call.params::<ScatterReduce>());
    let (x, index, source) = (call.array(0), call.array(1), call.array(2));
    let axis = shape::normalize_axis(function, p.axis, x.ndim())?;
    let (own, given) = (x.shape(), index.shape());
    let fits = |a: usize| a == axis || given[a] <= own[a];
    if given.len() != own.len() || !(0..own.len()).all(fits) {
        let expected = format!("lengths of at most {own} but for axis {axis}");
        return Err(mismatch(function, "index", expected, given));
    }
    let covers = |(&n, &m): (&usize, &usize)| n <= m;
    if source.ndim() != given.len() || !given.iter().zip(source.shape().iter()).all(covers) {
        return Err(mismatch(function, "source", format!("lengths of at least {given}"), source.shape()));
    }
    let (op, mean) = match p.reduction {
        ScatterReduction::Sum => (Reduction::Sum.op(), false),
        ScatterReduction::Prod => (Reduction::Mul.op(), false),
        ScatterReduction::Mean => (Reduction::Sum.op(), true),
        ScatterReduction::Amax => (Reduction::Max.op(), false),
        ScatterReduction::Amin => (Reduction::Min.op(), false),
    };
    if !op.takes(compute) || (mean && compute.is_bool()) {
        return Err(wrong_kind(function, compute, if mean { "numeric" } else { "real" }));
    }
    let used: Dims<AxisSlice> = given.iter().map(|&len| AxisSlice { start: 0, step: 1, len }).collect();
    let source = slice_axes(function, source, used)?;
    let numbers = |a: usize| {
        if a == axis {
            return Ok(index.clone());
        }
        let mut lengths = Dims::from_elem(1, own.len());
        lengths[a] = given[a];
        reshape(arange(given[a], Arange::new().dtype(Dtype::INT64))?, Shape::from(lengths), ())
    };
    let indices = (0..own.len()).map(numbers).collect::<Result<SmallVec<[Array; 4]>>>()?;
    let put = |op: ScatterOp, to: &Array, updates: &Array| {
        let mut operands: SmallVec<[&Array; 6]> = smallvec![to, updates];
        operands.extend(&indices);
        primitive::run(function, &Op::Scatter { axes: own.len(), op }, &operands)
    };
    let filled = |shape: &Shape, value: Scalar, dtype| full(shape, value, Filled::new().dtype(dtype));
    // Sums and products are rounded to 16 bits once (decision S18).
    let small = compute.is_float()
        && compute.bytes() == 2
        && !matches!(p.reduction, ScatterReduction::Amax | ScatterReduction::Amin);
    let accumulator = if small { Dtype::FLOAT32 } else { compute };
    let upcast = |x: &Array| if small { astype(x, accumulator) } else { Ok(x.clone()) };
    let mut to = upcast(x)?;
    if !p.include_self {
        to = put(ScatterOp::Set, &to, &filled(given, identity(p.reduction, accumulator)?, accumulator)?)?;
    }
    let mut result = put(op, &to, &upcast(&source)?)?;
    if mean {
        let real = accumulator.real_part();
        let first = filled(own, Scalar::Int(i128::from(p.include_self)), Dtype::INT64)?;
        let count = put(ScatterOp::Add, &first, &filled(given, Scalar::Int(1), Dtype::INT64)?)?;
        // Places without elements keep their own one.
        let count = astype(maximum(count, 1)?, if real.is_int() { Dtype::INT64 } else { real })?;
        result = match accumulator.is_int() {
            true if accumulator == Dtype::UINT64 => floor_divide(&result, astype(count, accumulator)?)?,
            true => astype(floor_divide(astype(&result, Dtype::INT64)?, count)?, accumulator)?,
            false => divide(&result, astype(count, accumulator)?)?,
        };
    }
    Ok(smallvec![if small { astype(result, compute)? } else { result }])
}

/// Scatter with a reduction: an array whose elements are reduced with those of `source`: the element at a place of
/// `source` goes to the same place of the array, but along the axis to where `index` says at that place. Negative
/// indices count from the end. The arrays have one number of axes; `index` may be shorter than the other two, of
/// `source` only what it covers counts, and its length along the axis may be any.
///
/// With `include_self` false an element of the array that others go to is not among them; one that none goes to stays
/// in any case. Integers wrap, their means are rounded down, and float16 and bfloat16 are computed in float32.
///
/// ```
/// use ivy::{ScatterReduce, ScatterReduction, prelude::*};
/// let x = Array::try_from([1.0f32, 2.0, 3.0])?;
/// let (index, source) = (Array::try_from([0i64, 0, 2])?, Array::try_from([4.0f32, 7.0, 5.0])?);
/// let of = |reduction, params| ivy::scatter_reduce(&x, 0, &index, &source, reduction, params)?.to_vec::<f32>();
/// assert_eq!(of(ScatterReduction::Sum, ScatterReduce::new())?, [12.0, 2.0, 8.0]);
/// assert_eq!(of(ScatterReduction::Mean, ScatterReduce::new())?, [4.0, 2.0, 4.0]);
/// assert_eq!(of(ScatterReduction::Amin, ScatterReduce::new().include_self(false))?, [4.0, 2.0, 5.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange), with the first position;
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), also for an array without axes;
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for indices or a source that do not fit;
/// [`WrongDtypeKind`](crate::ErrorKind::WrongDtypeKind) for a reduction that the dtype does not have.
pub fn scatter_reduce<'a, 'b, 'c>(
    x: impl IntoOperand<'a>,
    axis: i64,
    index: impl IntoOperand<'b>,
    source: impl IntoOperand<'c>,
    reduction: ScatterReduction,
    params: impl Into<ScatterReduce>,
) -> Result<Array> {
    let operands = [x.into_operand(), index.into_operand(), source.into_operand()];
    call_one(&SCATTER_REDUCE, &operands, &params.into().axis(axis).reduction(reduction))
}
