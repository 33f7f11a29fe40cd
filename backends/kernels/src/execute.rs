//! From an op to its kernel.

use crate::layout::{self, Layout, invalid};
use crate::{conv, elementwise, fft, linalg, matmul, movement, random, reduce, scan, search, sort};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Error, Op, Result};
use smallvec::{SmallVec, smallvec};
use std::borrow::Borrow;

/// The results of one op, mostly one.
pub type Results = SmallVec<[HostArray; 1]>;

/// Runs an op. The layout ops (reshape where strides allow, broadcast, permutation, slice) share
/// the operand's buffer; all others make new arrays.
///
/// # Errors
/// Those of the op's kernel, and [`ivy_core::ErrorKind::InvalidArgument`] for operands that
/// the op does not take ([`Op::result_dtype`] says which it does).
///
/// ```
/// use ivy_core::{BinaryOp, Op, host::HostArray};
/// let x = HostArray::from_vec(vec![1.0f32, 2.0], [2].into()).unwrap();
/// let sum = ivy_kernels::execute(&Op::Binary(BinaryOp::Add), &[&x, &x])?;
/// assert_eq!(sum[0].to_vec::<f32>()?, [2.0, 4.0]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
pub fn execute<A: Borrow<HostArray>>(op: &Op, operands: &[A]) -> Result<Results> {
    if let [x] = operands {
        let x = x.borrow();
        let shared = match op {
            Op::Reshape { shape } => Some(layout::reshape(x, shape)?),
            Op::BroadcastTo { shape } => Some(layout::broadcast_to(x, shape)?),
            Op::PermuteDims { axes } => Some(layout::permute_dims(x, axes)?),
            Op::Slice { axes } => Some(layout::slice(x, axes)?),
            _ => None,
        };
        if let Some(out) = shared {
            return Ok(smallvec![out]);
        }
    }
    let views: SmallVec<[HostView<'_>; 3]> = operands.iter().map(|x| x.borrow().view()).collect();
    execute_views(op, &views)
}

/// Runs an op on borrowed memory: every result is a new array, those of layout ops too.
///
/// # Errors
/// As [`execute`].
pub fn execute_views(op: &Op, operands: &[HostView<'_>]) -> Result<Results> {
    let one = match (op, operands) {
        (Op::Full { shape, dtype, value }, []) => elementwise::full(shape, *dtype, *value)?,
        (Op::Arange { start, step, len, dtype }, []) => elementwise::arange(*start, *step, *len, *dtype)?,
        (Op::Linspace { start, stop, len, endpoint, dtype }, []) => {
            elementwise::linspace(*start, *stop, *len, *endpoint, *dtype)?
        }
        (Op::Eye { rows, cols, k, dtype }, []) => elementwise::eye(*rows, *cols, *k, *dtype)?,
        (Op::Unary(op), [x]) => elementwise::unary(*op, *x)?,
        (Op::Binary(op), [a, b]) => elementwise::binary(*op, *a, *b)?,
        (Op::Where, [condition, a, b]) => elementwise::select(*condition, *a, *b)?,
        (Op::Cast { dtype }, [x]) => elementwise::cast(*x, *dtype)?,
        (Op::Reshape { shape }, [x]) => layout::reshape(&movement::to_contiguous(*x)?, shape)?,
        (Op::BroadcastTo { shape }, [x]) => relaid(x, Layout::of_view(x).broadcast(shape)?)?,
        (Op::PermuteDims { axes }, [x]) => relaid(x, Layout::of_view(x).permuted(axes)?)?,
        (Op::Slice { axes }, [x]) => relaid(x, Layout::of_view(x).sliced("slice", axes)?)?,
        (Op::Pad { axes, value }, [x]) => movement::pad(axes, *value, *x)?,
        (Op::SetSlice { axes }, [x, value]) => movement::set_slice(axes, *x, *value)?,
        (Op::Concat { axis }, arrays) => movement::concat(*axis, arrays)?,
        (Op::Take { axis }, [x, indices]) => movement::take(*axis, *x, *indices)?,
        (Op::TakeAlongAxis { axis }, [x, indices]) => movement::take_along_axis(*axis, *x, *indices)?,
        (Op::Gather { axes }, [x, indices @ ..]) if indices.len() == *axes => movement::gather(*x, indices)?,
        (Op::Scatter { axes, op }, [x, updates, indices @ ..]) if indices.len() == *axes => {
            movement::scatter(*op, *x, *updates, indices)?
        }
        (Op::Exchange { op }, [x, indices, values @ ..]) => {
            return movement::exchange(*op, *x, *indices, values).map(SmallVec::from_iter);
        }
        (Op::Nonzero, [x]) => return movement::nonzero(*x),
        (Op::Reduce { op, axes, keepdims }, [x]) => reduce::reduce(*op, axes, *keepdims, *x)?,
        (Op::ArgReduce { max, axis, keepdims }, [x]) => reduce::arg_reduce(*max, *axis, *keepdims, *x)?,
        (Op::Scan { op, axis, include_initial }, [x]) => scan::scan(*op, *axis, *include_initial, *x)?,
        (Op::Sort { axis, descending }, [x]) => sort::sort(*axis, *descending, *x)?,
        (Op::Argsort { axis, descending }, [x]) => sort::argsort(*axis, *descending, *x)?,
        (Op::SearchSorted { right }, [sorted, x]) => search::search_sorted(*right, *sorted, *x)?,
        (Op::Unique, [x]) => return search::unique(*x).map(SmallVec::from_iter),
        (Op::Linalg(op), operands) => return linalg::linalg(*op, operands),
        (Op::Conv(op), [x, w]) => conv::conv(op, *x, *w)?,
        (Op::Matmul, [a, b]) => matmul::matmul(*a, *b)?,
        (Op::Fft { op, axis, n, scale }, [x]) => fft::fft(*op, *axis, *n, *scale, *x)?,
        (Op::RandomBits { shape, dtype }, [state]) => random::random_bits(shape, *dtype, *state)?,
        _ => return Err(wrong_number(op, operands.len())),
    };
    Ok(smallvec![one])
}

fn relaid(x: &HostView<'_>, layout: Layout) -> Result<HostArray> {
    movement::to_contiguous(layout.view(x))
}

fn wrong_number(op: &Op, count: usize) -> Error {
    invalid(op.name(), "operands", count.to_string(), "the op takes another number of operands")
}
