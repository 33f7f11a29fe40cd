//! What each op is on arrays with a batch axis, the first one of all results.

use super::Batched;
use super::products;
use crate::transform::ops::{self, iota, move_axis, reshape, run};
use crate::transform::refused;
use crate::{Array, AxisPad, AxisSlice, Dims, Op, Result, Shape};
use smallvec::{SmallVec, smallvec};

/// The results of an op.
pub(super) type Results = SmallVec<[Array; 1]>;

/// Applies an op to operands of which one at least has a batch axis.
pub(super) fn batch(op: &Op, x: &[&Batched]) -> Result<Results> {
    let size = x.iter().find(|item| item.is_batched()).map_or(0, |item| item.inner.shape()[0]);
    let one = |op: &Op| -> Result<Results> { Ok(smallvec![run(op, &[&x[0].inner])?]) };
    Ok(match op {
        Op::Unary(_) | Op::Cast { .. } | Op::RandomBits { .. } => return one(op),
        Op::Binary(_) | Op::Where => {
            let ndim = x.iter().map(|item| item.shape().len()).max().unwrap_or(0);
            let aligned: SmallVec<[Array; 3]> =
                x.iter().map(|item| item.aligned(ndim)).collect::<Result<_>>()?;
            smallvec![run(op, &aligned.iter().collect::<Vec<_>>())?]
        }
        Op::Reshape { shape } => return one(&Op::Reshape { shape: led(size, shape) }),
        Op::BroadcastTo { shape } => {
            let x = x[0].aligned(shape.len())?;
            smallvec![run(&Op::BroadcastTo { shape: led(size, shape) }, &[&x])?]
        }
        Op::PermuteDims { axes } => {
            return one(&Op::PermuteDims {
                axes: std::iter::once(0).chain(axes.iter().map(|a| a + 1)).collect(),
            });
        }
        Op::Slice { axes } => return one(&Op::Slice { axes: whole_and(size, axes) }),
        Op::Pad { axes, value } => {
            let none = std::iter::once(AxisPad { before: 0, after: 0 });
            return one(&Op::Pad { axes: none.chain(axes.iter().copied()).collect(), value: *value });
        }
        Op::SetSlice { axes } => {
            let op = Op::SetSlice { axes: whole_and(size, axes) };
            smallvec![run(&op, &[&x[0].spread(size)?, &x[1].spread(size)?])?]
        }
        Op::Concat { axis } => {
            let all: SmallVec<[Array; 4]> = x.iter().map(|item| item.spread(size)).collect::<Result<_>>()?;
            smallvec![run(&Op::Concat { axis: axis + 1 }, &all.iter().collect::<Vec<_>>())?]
        }
        Op::Take { axis } => smallvec![take(*axis, size, x[0], x[1])?],
        Op::TakeAlongAxis { axis } => {
            let ndim = x[0].shape().len();
            let led = |item: &Batched| -> Result<Array> {
                if item.is_batched() { item.aligned(ndim) } else { item.spread(1) }
            };
            smallvec![run(&Op::TakeAlongAxis { axis: axis + 1 }, &[&led(x[0])?, &led(x[1])?])?]
        }
        Op::Gather { axes } => {
            let indices = aligned_indices(&x[1..])?;
            if !x[0].is_batched() {
                let all: Vec<&Array> = std::iter::once(&x[0].inner).chain(&indices).collect();
                return Ok(smallvec![run(op, &all)?]);
            }
            let entries = entries(&x[0].inner, size, &x[1..])?;
            let all: Vec<&Array> = [&x[0].inner, &entries].into_iter().chain(&indices).collect();
            smallvec![run(&Op::Gather { axes: axes + 1 }, &all)?]
        }
        Op::Scatter { axes, op } => {
            let (into, updates) = (x[0].spread(size)?, x[1].spread(size)?);
            let (indices, entries) = (aligned_indices(&x[2..])?, entries(&into, size, &x[2..])?);
            let all: Vec<&Array> = [&into, &updates, &entries].into_iter().chain(&indices).collect();
            smallvec![run(&Op::Scatter { axes: axes + 1, op: *op }, &all)?]
        }
        Op::Reduce { op, axes, keepdims } => {
            let axes = axes.iter().map(|a| a + 1).collect();
            return one(&Op::Reduce { op: *op, axes, keepdims: *keepdims });
        }
        Op::ArgReduce { max, axis: Some(axis), keepdims } => {
            return one(&Op::ArgReduce { max: *max, axis: Some(axis + 1), keepdims: *keepdims });
        }
        Op::ArgReduce { max, axis: None, keepdims } => {
            let flat = reshape(&x[0].inner, [size, x[0].shape().iter().product()])?;
            let found = run(&Op::ArgReduce { max: *max, axis: Some(1), keepdims: false }, &[&flat])?;
            let ones = if *keepdims { x[0].shape().len() } else { 0 };
            smallvec![reshape(&found, led(size, &vec![1; ones]))?]
        }
        Op::Scan { op, axis, include_initial } => {
            let (axis, include_initial) = (axis + 1, *include_initial);
            return one(&Op::Scan { op: *op, axis, include_initial });
        }
        Op::Sort { axis, descending } => return one(&Op::Sort { axis: axis + 1, descending: *descending }),
        Op::Argsort { axis, descending } => {
            return one(&Op::Argsort { axis: axis + 1, descending: *descending });
        }
        Op::SearchSorted { .. } if !x[0].is_batched() => smallvec![run(op, &[&x[0].inner, &x[1].inner])?],
        // Places count along one line: the entries one after the other.
        Op::SearchSorted { .. } | Op::Exchange { .. } => each(op, size, x)?,
        Op::Matmul => smallvec![products::matmul(x)?],
        Op::Conv(_) if size == 0 => none(op, x)?,
        Op::Conv(conv) => smallvec![products::conv(conv, size, x[0], x[1])?],
        Op::Linalg(linalg) => products::linalg(*linalg, x)?,
        Op::Fft { op, axis, n, scale } => {
            return one(&Op::Fft { op: *op, axis: axis + 1, n: *n, scale: *scale });
        }
        Op::Nonzero | Op::Unique => {
            return Err(refused(
                op.name(),
                "vmap",
                "has results of another length in each entry of the batch",
                "Use functions whose results have a shape that is known, such as `where` and `sort`",
            ));
        }
        Op::Full { .. } | Op::Arange { .. } | Op::Linspace { .. } | Op::Eye { .. } => {
            unreachable!("`{}` has no operand with a batch axis", op.name())
        }
    })
}

/// A shape behind the batch axis.
fn led(size: usize, shape: &[usize]) -> Shape {
    std::iter::once(size).chain(shape.iter().copied()).collect()
}

fn whole_and(size: usize, axes: &Dims<AxisSlice>) -> Dims<AxisSlice> {
    let whole = AxisSlice { start: 0, step: 1, len: size };
    std::iter::once(whole).chain(axes.iter().copied()).collect()
}

/// How many axes indices have together.
fn places(indices: &[&Batched]) -> usize {
    indices.iter().map(|item| item.shape().len()).max().unwrap_or(0)
}

fn aligned_indices(indices: &[&Batched]) -> Result<Vec<Array>> {
    let ndim = places(indices);
    indices.iter().map(|item| item.aligned(ndim)).collect()
}

/// The numbers of the entries, as an index beside others.
fn entries(beside: &Array, size: usize, indices: &[&Batched]) -> Result<Array> {
    let ones = vec![1; places(indices)];
    reshape(&iota(beside, size)?, led(size, &ones))
}

fn take(axis: usize, size: usize, x: &Batched, indices: &Batched) -> Result<Array> {
    match (x.is_batched(), indices.is_batched()) {
        (_, false) => run(&Op::Take { axis: axis + 1 }, &[&x.inner, &indices.inner]),
        (false, true) => {
            let count = indices.shape()[0];
            let flat = reshape(&indices.inner, [size * count])?;
            let taken = run(&Op::Take { axis }, &[&x.inner, &flat])?;
            let mut dims = Dims::from_slice(taken.shape());
            dims[axis] = size;
            dims.insert(axis + 1, count);
            move_axis(&reshape(&taken, Shape::from(dims))?, axis, 0)
        }
        (true, true) => {
            let front = move_axis(&x.inner, axis + 1, 1)?;
            let numbers = reshape(&iota(&front, size)?, [size, 1])?;
            let taken = run(&Op::Gather { axes: 2 }, &[&front, &numbers, &indices.inner])?;
            move_axis(&taken, 1, axis + 1)
        }
    }
}

/// An op on each entry by itself.
fn each(op: &Op, size: usize, x: &[&Batched]) -> Result<Results> {
    let mut lists: Vec<Vec<Array>> = Vec::new();
    for entry in 0..size {
        let own: SmallVec<[Array; 4]> = x
            .iter()
            .map(|item| match item.is_batched() {
                true => reshape(&ops::slice(&item.inner, 0, entry, 1)?, item.shape()),
                false => Ok(item.inner.clone()),
            })
            .collect::<Result<_>>()?;
        let backend = own[0].backend().clone();
        let values: SmallVec<[_; 4]> = own.iter().map(Array::value).collect();
        let results = backend.execute(op, &values)?;
        lists.resize_with(results.len(), Vec::new);
        for (list, value) in lists.iter_mut().zip(results) {
            let result = Array::from_value(backend.clone(), value);
            let shape = led(1, result.shape());
            list.push(reshape(&result, shape)?);
        }
    }
    if lists.is_empty() {
        return none(op, x);
    }
    lists.iter().map(|list| run(&Op::Concat { axis: 0 }, &list.iter().collect::<Vec<_>>())).collect()
}

/// The results of an op on the entries of a batch that has none.
fn none(op: &Op, x: &[&Batched]) -> Result<Results> {
    let shapes: Vec<Shape> = x.iter().map(|item| item.shape().into()).collect();
    let operands: Vec<_> = x.iter().zip(&shapes).map(|(item, shape)| (item.inner.dtype(), shape)).collect();
    let signature = op.result(op.name(), &operands)?;
    signature.into_iter().map(|(dtype, shape)| ops::full(&x[0].inner, dtype, led(0, &shape), 0.0)).collect()
}
