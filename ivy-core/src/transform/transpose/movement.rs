//! Ops that move elements.

use super::{Cotangents, not_linear};
use crate::transform::linear::Operand;
use crate::transform::ops::{
    self, broadcast_to, full, iota, permute, places, reshape, run, scale, select, slices, sum_to, zeros_like,
};
use crate::{Array, AxisSlice, BinaryOp, Dims, Dtype, Op, Result, ScatterOp, Shape, shape};
use smallvec::smallvec;

fn known(operand: &Operand) -> &Array {
    match operand {
        Operand::Known(x) => x,
        Operand::Noted { .. } => unreachable!("an index is known"),
    }
}

pub(super) fn transpose(op: &Op, operands: &[Operand], ct: &Array) -> Result<Cotangents> {
    let x = &operands[0];
    Ok(match op {
        Op::Reshape { .. } => smallvec![Some(reshape(ct, x.shape().clone())?)],
        Op::BroadcastTo { .. } => smallvec![Some(sum_to(ct, x.shape())?)],
        Op::PermuteDims { axes } => {
            let mut back: Dims = smallvec![0; axes.len()];
            axes.iter().enumerate().for_each(|(i, &a)| back[a] = i);
            smallvec![Some(permute(ct, back)?)]
        }
        Op::Slice { axes } => {
            let zeros = full(ct, ct.dtype(), x.shape().clone(), 0.0)?;
            smallvec![Some(run(&Op::SetSlice { axes: axes.clone() }, &[&zeros, ct])?)]
        }
        Op::Pad { axes, .. } => {
            let own = axes.iter().zip(x.shape().iter());
            let axes = own.map(|(pad, &len)| AxisSlice { start: pad.before, step: 1, len }).collect();
            smallvec![Some(run(&Op::Slice { axes }, &[ct])?)]
        }
        Op::SetSlice { axes } => {
            let into = match x.is_noted() {
                true => {
                    let zeros = full(ct, ct.dtype(), operands[1].shape().clone(), 0.0)?;
                    Some(run(op, &[ct, &zeros])?)
                }
                false => None,
            };
            let value = match operands[1].is_noted() {
                true => Some(run(&Op::Slice { axes: axes.clone() }, &[ct])?),
                false => None,
            };
            smallvec![into, value]
        }
        Op::Concat { axis } => {
            let mut start = 0;
            let mut parts = Cotangents::new();
            for operand in operands {
                let len = operand.shape()[*axis];
                let axes = slices(ct.shape(), *axis, AxisSlice { start, step: 1, len });
                parts.push(match operand.is_noted() {
                    true => Some(run(&Op::Slice { axes }, &[ct])?),
                    false => None,
                });
                start += len;
            }
            parts
        }
        Op::Take { axis } => {
            // Scatters are along leading axes.
            let front = ops::move_axis(ct, *axis, 0)?;
            let mut dims = Dims::from_slice(x.shape());
            let len = dims.remove(*axis);
            dims.insert(0, len);
            let sums = scatter_add(&front, Shape::from(dims), &[known(&operands[1])])?;
            smallvec![Some(ops::move_axis(&sums, 0, *axis)?), None]
        }
        Op::TakeAlongAxis { axis } => {
            smallvec![Some(along(ct, x.shape(), known(&operands[1]), *axis)?), None]
        }
        Op::Gather { .. } => {
            let indices: Vec<&Array> = operands[1..].iter().map(known).collect();
            let mut parts: Cotangents = smallvec![Some(scatter_add(ct, x.shape().clone(), &indices)?)];
            parts.extend(indices.iter().map(|_| None));
            parts
        }
        Op::Scatter { axes, op } => {
            let indices: Vec<&Array> = operands[2..].iter().map(known).collect();
            let mut parts = scattered(*axes, *op, operands, &indices, ct)?;
            parts.extend(indices.iter().map(|_| None));
            parts
        }
        _ => not_linear(op),
    })
}

/// Zeros of a shape, to which elements are added at the places that indices of the leading axes name.
fn scatter_add(updates: &Array, shape: Shape, indices: &[&Array]) -> Result<Array> {
    let zeros = full(updates, updates.dtype(), shape, 0.0)?;
    let scatter = Op::Scatter { axes: indices.len(), op: ScatterOp::Add };
    let operands: Vec<&Array> = [&zeros, updates].into_iter().chain(indices.iter().copied()).collect();
    run(&scatter, &operands)
}

/// What was taken along an axis added to where it came from, which are places of the flat array.
fn along(ct: &Array, of: &Shape, index: &Array, axis: usize) -> Result<Array> {
    let own: Shape = ct.shape().clone();
    let mut flat = scale(&places(index, of[axis])?, stride(of, axis) as f64)?;
    for other in (0..of.len()).filter(|&a| a != axis) {
        let mut dims: Dims = smallvec![1; of.len()];
        dims[other] = of[other];
        let numbers = scale(&iota(index, of[other])?, stride(of, other) as f64)?;
        flat = ops::add(&flat, &reshape(&numbers, Shape::from(dims))?)?;
    }
    let flat = reshape(&broadcast_to(&flat, &own)?, Shape::from([own.size()]))?;
    let sums = scatter_add(&reshape(ct, Shape::from([own.size()]))?, Shape::from([of.size()]), &[&flat])?;
    reshape(&sums, of.clone())
}

fn stride(shape: &[usize], axis: usize) -> usize {
    shape[axis + 1..].iter().product()
}

/// The cotangents of what a scatter changes, and of its updates.
fn scattered(
    axes: usize,
    op: ScatterOp,
    operands: &[Operand],
    indices: &[&Array],
    ct: &Array,
) -> Result<Cotangents> {
    let (x, updates) = (&operands[0], &operands[1]);
    let read = |from: &Array| {
        let all: Vec<&Array> = std::iter::once(from).chain(indices.iter().copied()).collect();
        run(&Op::Gather { axes }, &all)
    };
    let write = |into: &Array, op: ScatterOp, values: &Array| {
        let all: Vec<&Array> = [into, values].into_iter().chain(indices.iter().copied()).collect();
        run(&Op::Scatter { axes, op }, &all)
    };
    let noted = |operand: &Operand, of: &dyn Fn() -> Result<Array>| -> Result<Option<Array>> {
        if operand.is_noted() { of().map(Some) } else { Ok(None) }
    };
    Ok(match op {
        ScatterOp::Add => {
            smallvec![noted(x, &|| Ok(ct.clone()))?, noted(updates, &|| read(ct))?]
        }
        ScatterOp::Mul => {
            let by = known(updates);
            smallvec![noted(x, &|| write(ct, op, by))?, None]
        }
        ScatterOp::Set => {
            let zeros = || full(ct, ct.dtype(), updates.shape().clone(), 0.0);
            let of_updates = || -> Result<Array> {
                // Of several updates of one place, the one that stayed: its number is read back there.
                let places =
                    shape::broadcast("scatter", &indices.iter().map(|i| i.shape()).collect::<Vec<_>>())?;
                let behind = updates.shape().len() - places.len();
                let laid: Shape = places.iter().copied().chain(std::iter::repeat_n(1, behind)).collect();
                let numbers = reshape(&iota(ct, places.size())?, laid)?;
                let numbers = broadcast_to(&numbers, updates.shape())?;
                let none = full(ct, Dtype::INT64, x.shape().clone(), -1.0)?;
                let stayed = ops::binary(BinaryOp::Equal, &read(&write(&none, op, &numbers)?)?, &numbers)?;
                let read = read(ct)?;
                select(&stayed, &read, &zeros_like(&read)?)
            };
            smallvec![noted(x, &|| write(ct, op, &zeros()?))?, noted(updates, &of_updates)?]
        }
        _ => not_linear(&Op::Scatter { axes, op }),
    })
}
