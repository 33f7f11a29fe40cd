//! Single ops on arrays of one backend or of several that wrap each other, for rules: operands have the dtypes
//! that ops take, so nothing is planned.

use super::level::outermost;
use crate::backend::Value;
use crate::{Array, AxisPad, AxisSlice, BinaryOp, Dims, Dtype, Op, ReduceOp, Result, Scalar, Shape, UnaryOp};
use smallvec::SmallVec;
use std::borrow::Cow;

/// An op of one result.
pub(super) fn run(op: &Op, operands: &[&Array]) -> Result<Array> {
    let Some(backend) = outermost(operands.iter().copied()) else {
        unreachable!("`{}` of a rule has operands", op.name())
    };
    let arrays: SmallVec<[Cow<'_, Array>; 4]> =
        operands.iter().map(|x| x.lift_to(op.name(), backend)).collect::<Result<_>>()?;
    let values: SmallVec<[&Value; 4]> = arrays.iter().map(|x| x.value()).collect();
    Ok(Array::from_value(backend.clone(), backend.execute_one(op, &values)?))
}

pub(super) fn unary(op: UnaryOp, x: &Array) -> Result<Array> {
    run(&Op::Unary(op), &[x])
}

pub(super) fn binary(op: BinaryOp, a: &Array, b: &Array) -> Result<Array> {
    run(&Op::Binary(op), &[a, b])
}

pub(super) fn add(a: &Array, b: &Array) -> Result<Array> {
    binary(BinaryOp::Add, a, b)
}

pub(super) fn sub(a: &Array, b: &Array) -> Result<Array> {
    binary(BinaryOp::Subtract, a, b)
}

pub(super) fn mul(a: &Array, b: &Array) -> Result<Array> {
    binary(BinaryOp::Multiply, a, b)
}

pub(super) fn div(a: &Array, b: &Array) -> Result<Array> {
    binary(BinaryOp::Divide, a, b)
}

pub(super) fn neg(x: &Array) -> Result<Array> {
    unary(UnaryOp::Negative, x)
}

/// An op with a host scalar as the second operand.
pub(super) fn with_scalar(op: BinaryOp, x: &Array, value: f64) -> Result<Array> {
    let value = x.backend().execute_scalar(op, x.value(), scalar_of(value, x.dtype()), false)?;
    Ok(Array::from_value(x.backend().clone(), value))
}

/// An op with a host scalar as the first operand.
pub(super) fn scalar_with(value: f64, op: BinaryOp, x: &Array) -> Result<Array> {
    let value = x.backend().execute_scalar(op, x.value(), scalar_of(value, x.dtype()), true)?;
    Ok(Array::from_value(x.backend().clone(), value))
}

pub(super) fn scale(x: &Array, by: f64) -> Result<Array> {
    with_scalar(BinaryOp::Multiply, x, by)
}

/// A number as a scalar of a dtype's kind.
pub(super) fn scalar_of(value: f64, dtype: Dtype) -> Scalar {
    match dtype {
        d if d.is_bool() => Scalar::Bool(value != 0.0),
        d if d.is_int() => Scalar::Int(value as i128),
        _ => Scalar::Float(value),
    }
}

/// An array full of a number, on another array's backend.
pub(super) fn full(like: &Array, dtype: Dtype, shape: Shape, value: f64) -> Result<Array> {
    let backend = like.backend();
    let op = Op::Full { shape, dtype, value: scalar_of(value, dtype) };
    Ok(Array::from_value(backend.clone(), backend.execute_one(&op, &[])?))
}

pub(super) fn zeros_like(x: &Array) -> Result<Array> {
    full(x, x.dtype(), x.shape().clone(), 0.0)
}

/// The numbers from 0 below a length.
pub(crate) fn iota(like: &Array, len: usize) -> Result<Array> {
    let backend = like.backend();
    let op = Op::Arange { start: Scalar::Int(0), step: Scalar::Int(1), len, dtype: Dtype::INT64 };
    Ok(Array::from_value(backend.clone(), backend.execute_one(&op, &[])?))
}

pub(super) fn cast(x: &Array, dtype: Dtype) -> Result<Array> {
    match x.dtype() == dtype {
        true => Ok(x.clone()),
        false => run(&Op::Cast { dtype }, &[x]),
    }
}

pub(super) fn select(condition: &Array, a: &Array, b: &Array) -> Result<Array> {
    run(&Op::Where, &[condition, a, b])
}

pub(super) fn reshape(x: &Array, shape: impl Into<Shape>) -> Result<Array> {
    let shape = shape.into();
    match *x.shape() == shape {
        true => Ok(x.clone()),
        false => run(&Op::Reshape { shape }, &[x]),
    }
}

pub(super) fn broadcast_to(x: &Array, shape: &Shape) -> Result<Array> {
    match x.shape() == shape {
        true => Ok(x.clone()),
        false => run(&Op::BroadcastTo { shape: shape.clone() }, &[x]),
    }
}

pub(super) fn permute(x: &Array, axes: Dims) -> Result<Array> {
    match axes.iter().enumerate().all(|(i, &a)| i == a) {
        true => Ok(x.clone()),
        false => run(&Op::PermuteDims { axes }, &[x]),
    }
}

/// The array with an axis moved to another place.
pub(super) fn move_axis(x: &Array, from: usize, to: usize) -> Result<Array> {
    let mut axes: Dims = (0..x.ndim()).filter(|&a| a != from).collect();
    axes.insert(to, from);
    permute(x, axes)
}

/// The array with its last two axes exchanged.
pub(super) fn transpose(x: &Array) -> Result<Array> {
    let n = x.ndim();
    move_axis(x, n - 1, n - 2)
}

/// Conjugated as well.
pub(super) fn adjoint(x: &Array) -> Result<Array> {
    conj(&transpose(x)?)
}

/// The conjugate; of reals the array itself.
pub(super) fn conj(x: &Array) -> Result<Array> {
    match x.dtype().is_complex() {
        true => unary(UnaryOp::Conj, x),
        false => Ok(x.clone()),
    }
}

/// The real part; of reals the array itself.
pub(super) fn real(x: &Array) -> Result<Array> {
    match x.dtype().is_complex() {
        true => unary(UnaryOp::Real, x),
        false => Ok(x.clone()),
    }
}

pub(super) fn reduce(op: ReduceOp, x: &Array, axes: Dims, keepdims: bool) -> Result<Array> {
    run(&Op::Reduce { op, axes, keepdims }, &[x])
}

pub(super) fn sum(x: &Array, axes: Dims, keepdims: bool) -> Result<Array> {
    match axes.is_empty() {
        true => Ok(x.clone()),
        false => reduce(ReduceOp::Sum, x, axes, keepdims),
    }
}

/// What all axes are sliced by, one of them by `part`.
pub(super) fn slices(shape: &[usize], axis: usize, part: AxisSlice) -> Dims<AxisSlice> {
    let mut axes: Dims<AxisSlice> = shape.iter().map(|&len| AxisSlice { start: 0, step: 1, len }).collect();
    axes[axis] = part;
    axes
}

/// `len` elements of an axis from `start`.
pub(super) fn slice(x: &Array, axis: usize, start: usize, len: usize) -> Result<Array> {
    if start == 0 && len == x.shape()[axis] {
        return Ok(x.clone());
    }
    run(&Op::Slice { axes: slices(x.shape(), axis, AxisSlice { start, step: 1, len }) }, &[x])
}

/// An axis from its end to its beginning.
pub(super) fn flip(x: &Array, axis: usize) -> Result<Array> {
    let len = x.shape()[axis];
    if len < 2 {
        return Ok(x.clone());
    }
    run(&Op::Slice { axes: slices(x.shape(), axis, AxisSlice { start: len - 1, step: -1, len }) }, &[x])
}

/// Zeros before and after an axis.
pub(super) fn pad(x: &Array, axis: usize, before: usize, after: usize) -> Result<Array> {
    if (before, after) == (0, 0) {
        return Ok(x.clone());
    }
    let mut axes: Dims<AxisPad> = smallvec::smallvec![AxisPad { before: 0, after: 0 }; x.ndim()];
    axes[axis] = AxisPad { before, after };
    run(&Op::Pad { axes, value: scalar_of(0.0, x.dtype()) }, &[x])
}

/// An axis cut, or with zeros behind it, to a length.
pub(super) fn fit(x: &Array, axis: usize, len: usize) -> Result<Array> {
    let own = x.shape()[axis];
    if own > len { slice(x, axis, 0, len) } else { pad(x, axis, 0, len - own) }
}

/// An array of the shape, of which `x` was broadcast: the sum over what was repeated.
pub(super) fn sum_to(x: &Array, shape: &Shape) -> Result<Array> {
    if x.shape() == shape {
        return Ok(x.clone());
    }
    let extra = x.ndim() - shape.len();
    let repeated = |a: &usize| *a < extra || shape[*a - extra] == 1 && x.shape()[*a] != 1;
    let axes: Dims = (0..x.ndim()).filter(repeated).collect();
    reshape(&sum(x, axes, true)?, shape.clone())
}

/// The sum of what is there.
pub(super) fn add_some(a: Option<Array>, b: Option<Array>) -> Result<Option<Array>> {
    Ok(match (a, b) {
        (Some(a), Some(b)) => Some(add(&a, &b)?),
        (a, b) => a.or(b),
    })
}

/// A real array times the imaginary unit, as complex numbers of a dtype.
pub(super) fn times_i(x: &Array, dtype: Dtype) -> Result<Array> {
    let x = cast(x, dtype)?;
    let i = Scalar::Complex(num_complex::Complex64::new(0.0, 1.0));
    let value = x.backend().execute_scalar(BinaryOp::Multiply, x.value(), i, false)?;
    Ok(Array::from_value(x.backend().clone(), value))
}

/// Where an index counts from the end, the place that it means.
pub(super) fn places(index: &Array, len: usize) -> Result<Array> {
    let negative = with_scalar(BinaryOp::Less, index, 0.0)?;
    let backend = index.backend();
    let len = Scalar::Int(len as i128);
    let counted = backend.execute_scalar(BinaryOp::Add, index.value(), len, false)?;
    select(&negative, &Array::from_value(backend.clone(), counted), index)
}
