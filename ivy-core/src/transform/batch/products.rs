//! Products of matrices, convolutions and decompositions of batches.

use super::Batched;
use super::rules::Results;
use crate::transform::ops::{move_axis, reshape, run};
use crate::{Array, ConvOp, Dims, LinalgOp, Op, Result, Shape};
use smallvec::{SmallVec, smallvec};

/// A shape with the batch axis, where the operand has one, and axes of length 1 behind it up to `ndim`.
fn laid(item: &Batched, own: &[usize], ndim: usize) -> Result<Array> {
    if !item.is_batched() {
        return reshape(&item.inner, own);
    }
    let ones = std::iter::repeat_n(1, ndim - own.len());
    let shape: Shape =
        std::iter::once(item.inner.shape()[0]).chain(ones).chain(own.iter().copied()).collect();
    reshape(&item.inner, shape)
}

pub(super) fn matmul(x: &[&Batched]) -> Result<Array> {
    let (a, b) = (x[0].shape(), x[1].shape());
    let row: Dims = if a.len() == 1 { smallvec![1, a[0]] } else { Dims::from_slice(a) };
    let column: Dims = if b.len() == 1 { smallvec![b[0], 1] } else { Dims::from_slice(b) };
    let ndim = row.len().max(column.len());
    let product = run(&Op::Matmul, &[&laid(x[0], &row, ndim)?, &laid(x[1], &column, ndim)?])?;
    let mut dims = Dims::from_slice(product.shape());
    if b.len() == 1 {
        dims.pop();
    }
    if a.len() == 1 {
        dims.remove(dims.len() - usize::from(b.len() > 1) - 1);
    }
    reshape(&product, Shape::from(dims))
}

pub(super) fn linalg(op: LinalgOp, x: &[&Batched]) -> Result<Results> {
    let run_all = |operands: &[&Array]| -> Result<Results> {
        let backend = operands[0].backend();
        let values: SmallVec<[_; 2]> = operands.iter().map(|x| x.value()).collect();
        let results = backend.execute(&Op::Linalg(op), &values)?;
        Ok(results.into_iter().map(|v| Array::from_value(backend.clone(), v)).collect())
    };
    let [a, b] = x else { return run_all(&[&x[0].inner]) };
    let (line, ndim) = (b.shape().len() == 1, a.shape().len().max(b.shape().len()));
    let own: Dims = match line {
        true => smallvec![b.shape()[0], 1],
        false => Dims::from_slice(b.shape()),
    };
    // A matrix that is the same for all has its own axes only, which broadcast.
    let solution = run_all(&[&laid(a, a.shape(), ndim)?, &laid(b, &own, ndim)?])?;
    if !line {
        return Ok(solution);
    }
    solution
        .into_iter()
        .map(|x| {
            let mut dims = Dims::from_slice(x.shape());
            dims.pop();
            reshape(&x, Shape::from(dims))
        })
        .collect()
}

/// Convolutions of a batch as one: the entries are more of what is convolved, or groups.
pub(super) fn conv(conv: &ConvOp, size: usize, x: &Batched, w: &Batched) -> Result<Array> {
    let merged = |a: usize, x: &Array| -> Result<Array> {
        let mut dims = Dims::from_slice(x.shape());
        let next = dims.remove(a + 1);
        dims[a] *= next;
        reshape(x, Shape::from(dims))
    };
    let split = |a: usize, x: &Array| -> Result<Array> {
        let mut dims = Dims::from_slice(x.shape());
        dims[a] /= size.max(1);
        dims.insert(a, size);
        reshape(x, Shape::from(dims))
    };
    let convolve = |conv: &ConvOp, x: &Array, w: &Array| run(&Op::Conv(conv.clone()), &[x, w]);
    if !w.is_batched() && conv.batch_groups == 1 {
        return split(0, &convolve(conv, &merged(0, &x.inner)?, &w.inner)?);
    }
    if !x.is_batched() && conv.groups == 1 && conv.batch_groups == 1 {
        let y = convolve(conv, &x.inner, &merged(0, &w.inner)?)?;
        return move_axis(&split(1, &y)?, 1, 0);
    }
    let (x, w) = (x.spread(size)?, merged(0, &w.spread(size)?)?);
    let mut wide = conv.clone();
    let x = match conv.batch_groups {
        1 => {
            wide.groups *= size;
            merged(1, &move_axis(&x, 0, 1)?)?
        }
        _ => {
            wide.batch_groups *= size;
            merged(0, &x)?
        }
    };
    move_axis(&split(1, &convolve(&wide, &x, &w)?)?, 1, 0)
}
