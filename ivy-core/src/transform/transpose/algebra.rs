//! Sums, products of matrices, transforms and solutions.

use super::{Cotangents, not_linear};
use crate::transform::linear::Operand;
use crate::transform::ops::{
    broadcast_to, cast, conj, fit, flip, iota, pad, real, reshape, run, scale, select, slice, sum_to,
    transpose as swapped, with_scalar,
};
use crate::{
    ArrangedConv, Array, BinaryOp, Dims, FftOp, FftScale, LinalgOp, Op, ReduceOp, Result, ScanOp, Shape,
};
use smallvec::smallvec;

pub(super) fn transpose(op: &Op, operands: &[Operand], ct: &Array) -> Result<Cotangents> {
    let x = &operands[0];
    Ok(match op {
        Op::Reduce { op: reduce, axes, .. } => {
            let mut kept = Dims::from_slice(x.shape());
            axes.iter().for_each(|&a| kept[a] = 1);
            let spread = broadcast_to(&reshape(ct, Shape::from(kept))?, x.shape())?;
            let count: usize = axes.iter().map(|&a| x.shape()[a]).product();
            smallvec![Some(match reduce {
                ReduceOp::Mean => with_scalar(BinaryOp::Divide, &spread, count as f64)?,
                _ => spread,
            })]
        }
        Op::Scan { axis, include_initial, .. } => {
            let ct = match include_initial {
                true => slice(ct, *axis, 1, x.shape()[*axis])?,
                false => ct.clone(),
            };
            let scan = Op::Scan { op: ScanOp::Sum, axis: *axis, include_initial: false };
            smallvec![Some(flip(&run(&scan, &[&flip(&ct, *axis)?])?, *axis)?)]
        }
        Op::Matmul => match operands {
            [a, Operand::Known(b)] => smallvec![Some(of_product(a.shape(), b, ct, true)?), None],
            [Operand::Known(a), b] => smallvec![None, Some(of_product(b.shape(), a, ct, false)?)],
            _ => not_linear(op),
        },
        Op::Conv(conv) => {
            let shapes = (operands[0].shape(), operands[1].shape());
            match operands {
                [_, Operand::Known(w)] => {
                    let arranged = conv.transpose_input(op.name(), shapes.0, shapes.1)?;
                    smallvec![Some(convolved(&arranged, ct, w)?), None]
                }
                [Operand::Known(x), _] => {
                    let arranged = conv.transpose_filter(op.name(), shapes.0, shapes.1)?;
                    smallvec![None, Some(convolved(&arranged, x, ct)?)]
                }
                _ => not_linear(op),
            }
        }
        Op::Fft { op, axis, n, scale } => {
            let ct = of_transform(*op, *axis, *n, *scale, x.shape()[*axis], ct)?;
            let ct = if x.dtype().is_complex() { ct } else { real(&ct)? };
            smallvec![Some(cast(&ct, x.dtype())?)]
        }
        Op::Linalg(solve) if solve.solves() => {
            let [Operand::Known(a), b] = operands else { not_linear(op) };
            let op = &Op::Linalg(match *solve {
                LinalgOp::SolveTriangular { upper, adjoint, unit_diagonal } => {
                    LinalgOp::SolveTriangular { upper: !upper, adjoint, unit_diagonal }
                }
                general => general,
            });
            // A column without an axis of its own is solved for each matrix.
            let ct = match b.shape().len() {
                1 => {
                    let column: Shape = ct.shape().iter().copied().chain([1]).collect();
                    reshape(&run(op, &[&swapped(a)?, &reshape(ct, column)?])?, ct.shape().clone())?
                }
                _ => run(op, &[&swapped(a)?, ct])?,
            };
            smallvec![None, Some(sum_to(&ct, b.shape())?)]
        }
        _ => not_linear(op),
    })
}

/// A convolution of operands that are arranged for it.
fn convolved(arranged: &ArrangedConv, input: &Array, window: &Array) -> Result<Array> {
    let each = |ops: &[Op], x: &Array| ops.iter().try_fold(x.clone(), |x, op| run(op, &[&x]));
    let (input, window) = (each(&arranged.input, input)?, each(&arranged.window, window)?);
    each(&arranged.result, &run(&Op::Conv(arranged.conv.clone()), &[&input, &window])?)
}

/// The cotangent of one operand of a matrix product; the other one is `by`, which comes second if `second`.
fn of_product(own: &Shape, by: &Array, ct: &Array, second: bool) -> Result<Array> {
    let line = |x: &Shape, row: bool| -> Shape {
        match (&x[..], row) {
            ([n], true) => [1, *n].into(),
            ([n], false) => [*n, 1].into(),
            _ => x.clone(),
        }
    };
    // Rows and columns of one-dimensional operands, and the result as if it had them.
    let (own_rows, by_rows) = (line(own, second), line(by.shape(), !second));
    let mut dims = Dims::from_slice(ct.shape());
    let (own_line, by_line) = (own.len() == 1, by.ndim() == 1);
    let (left, right) = if second { (own_line, by_line) } else { (by_line, own_line) };
    if right {
        dims.push(1);
    }
    if left {
        dims.insert(dims.len() - 1, 1);
    }
    let ct = reshape(ct, Shape::from(dims))?;
    let by = swapped(&reshape(by, by_rows)?)?;
    let product = if second { run(&Op::Matmul, &[&ct, &by])? } else { run(&Op::Matmul, &[&by, &ct])? };
    reshape(&sum_to(&product, &own_rows)?, own.clone())
}

/// The cotangent of what a transform of `n` points takes, whose line has `len` elements.
fn of_transform(op: FftOp, axis: usize, n: usize, by: FftScale, len: usize, ct: &Array) -> Result<Array> {
    let again = |op: FftOp, x: &Array| run(&Op::Fft { op, axis, n, scale: by }, &[x]);
    Ok(match op {
        // The matrix of the transform is symmetric.
        FftOp::Forward | FftOp::Inverse => fit(&again(op, ct)?, axis, len)?,
        FftOp::Real => {
            let all = pad(ct, axis, 0, n - ct.shape()[axis])?;
            fit(&real(&again(FftOp::Forward, &all)?)?, axis, len)?
        }
        FftOp::RealInverse => {
            // Each element but the first, and the one in the middle of an even line, stands for its conjugate, too.
            let half = conj(&again(FftOp::Real, ct)?)?;
            let number = iota(&half, n / 2 + 1)?;
            let first = with_scalar(BinaryOp::Equal, &number, 0.0)?;
            let middle = match n.is_multiple_of(2) {
                true => with_scalar(BinaryOp::Equal, &number, (n / 2) as f64)?,
                false => first.clone(),
            };
            let alone = run(&Op::Binary(BinaryOp::LogicalOr), &[&first, &middle])?;
            let mut dims: Dims = smallvec![1; half.ndim()];
            dims[axis] = n / 2 + 1;
            let alone = reshape(&alone, Shape::from(dims))?;
            fit(&select(&alone, &half, &scale(&half, 2.0)?)?, axis, len)?
        }
    })
}
