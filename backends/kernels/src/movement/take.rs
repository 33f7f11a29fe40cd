//! Reading elements at indices.

use super::index::{broadcast_strides, joint_offsets, offsets};
use super::join::shape_mismatch;
use super::walk::{Odometer, Plan};
use super::{no_width, raw};
use crate::output::new_array;
use crate::types::match_width;
use ivy_core::host::{HostArray, HostView, contiguous_strides};
use ivy_core::{Dims, ErrorKind, Result, Shape, shape};
use rayon::prelude::*;
use std::mem::MaybeUninit;

/// The elements of `x` at `indices` (int64, in row-major order) along an axis, in place of it;
/// negative indices count from the end.
///
/// # Errors
/// [`ErrorKind::IndexOutOfRange`] with the first position that is, [`ErrorKind::AxisOutOfRange`],
/// [`ErrorKind::DtypeMismatch`] for indices of another dtype, or no memory.
pub fn take(axis: usize, x: HostView<'_>, indices: HostView<'_>) -> Result<HostArray> {
    check_axis("take", axis, &x)?;
    let offsets = offsets("take", &indices, axis, x.shape()[axis], x.strides()[axis])?;
    let mut shape = Dims::from_slice(x.shape());
    shape[axis] = offsets.len();
    blocks("take", &x, axis, &offsets, axis + 1, &shape.into())
}

/// For index arrays of one broadcast shape `s`, one for each of the leading axes of `x`: the
/// elements that they name together, of shape `s` and then the other axes of `x`.
///
/// # Errors
/// [`ErrorKind::IndexOutOfRange`] of the first array and position that is out of range,
/// [`ErrorKind::BroadcastShapes`], [`ErrorKind::AxisOutOfRange`] for more arrays than axes,
/// [`ErrorKind::DtypeMismatch`] for indices of another dtype, or no memory.
pub fn gather(x: HostView<'_>, indices: &[HostView<'_>]) -> Result<HostArray> {
    let axes = indices.len();
    if axes > 0 {
        check_axis("gather", axes - 1, &x)?;
    }
    let (lead, offsets) = joint_offsets("gather", x.shape(), x.strides(), indices)?;
    let shape = lead.iter().chain(&x.shape()[axes..]).copied().collect();
    blocks("gather", &x, 0, &offsets, axes, &shape)
}

/// For each index of the first `outer` axes and each offset: the block of the axes from `inner` on.
fn blocks(
    function: &'static str,
    x: &HostView<'_>,
    outer: usize,
    offsets: &[isize],
    inner: usize,
    shape: &Shape,
) -> Result<HostArray> {
    match_width!(x.dtype().bytes(), T => {
        // SAFETY: `fill_blocks` writes each block, and there is one for each part of the shape.
        unsafe {
            new_array::<T>(function, x.dtype(), shape, |out| fill_blocks(out, x, outer, offsets, inner))
        }
    }, else => Err(no_width(function, x.dtype())))
}

/// Each offset plus each index of the other axes is an element of `x`.
fn fill_blocks<T: Copy + Send + Sync>(
    out: &mut [MaybeUninit<T>],
    x: &HostView<'_>,
    outer: usize,
    offsets: &[isize],
    inner: usize,
) {
    if out.is_empty() {
        return;
    }
    let block = &x.shape()[inner..];
    let size: usize = block.iter().product();
    let plan = Plan::new(block, &contiguous_strides(block), &x.strides()[inner..]);
    let fill = |first: usize, mut out: &mut [MaybeUninit<T>]| {
        let mut walk = Odometer::at(&x.shape()[..outer], [&x.strides()[..outer]], first / offsets.len());
        let mut at = first % offsets.len();
        while !out.is_empty() {
            let (part, rest) = out.split_at_mut(out.len().min((offsets.len() - at) * size));
            let from = x.as_ptr().cast::<T>().wrapping_offset(walk.offsets[0]);
            // SAFETY: checked indices along the indexed axes, indices of the shape elsewhere.
            unsafe { raw::gather(part, from, &offsets[at..], &plan, size) };
            out = rest;
            at = 0;
            walk.step();
        }
    };
    let per_task = (raw::grain(size_of_val(out)) / (size * size_of::<T>())).max(1);
    if per_task.saturating_mul(size) >= out.len() {
        return fill(0, out);
    }
    out.par_chunks_mut(per_task * size).enumerate().for_each(|(i, part)| fill(i * per_task, part));
}

/// Along an axis the elements of `x` at `indices` (int64), which have `x`'s rank; the other
/// axes broadcast. Negative indices count from the end.
///
/// # Errors
/// [`ErrorKind::IndexOutOfRange`] with the first position that is, [`ErrorKind::AxisOutOfRange`],
/// [`ErrorKind::ShapeMismatch`] for another rank, [`ErrorKind::BroadcastShapes`],
/// [`ErrorKind::DtypeMismatch`] for indices of another dtype, or no memory.
pub fn take_along_axis(axis: usize, x: HostView<'_>, indices: HostView<'_>) -> Result<HostArray> {
    const NAME: &str = "take_along_axis";
    check_axis(NAME, axis, &x)?;
    let ndim = x.shape().len();
    if indices.shape().len() != ndim {
        return Err(shape_mismatch(NAME, "indices", format!("a shape of {ndim} axes"), indices.shape()));
    }
    let (mut a, mut b) = (Dims::from_slice(x.shape()), Dims::from_slice(indices.shape()));
    a[axis] = 1;
    b[axis] = 1;
    let mut dims = Dims::from_slice(&shape::broadcast(NAME, &[&a, &b])?);
    dims[axis] = indices.shape()[axis];
    let offsets = offsets(NAME, &indices, axis, x.shape()[axis], x.strides()[axis])?;
    let mut strides: Dims<isize> =
        a.iter().zip(x.strides()).map(|(&len, &s)| if len == 1 { 0 } else { s }).collect();
    strides[axis] = 0;
    let index_strides = broadcast_strides(indices.shape(), &dims);
    let shape = Shape::from(dims);
    match_width!(x.dtype().bytes(), T => {
        // SAFETY: `fill_along` writes each row, and the rows are the whole shape.
        unsafe {
            new_array::<T>(NAME, x.dtype(), &shape, |out| {
                fill_along(out, &x, &shape, [&strides, &index_strides], &offsets)
            })
        }
    }, else => Err(no_width(NAME, x.dtype())))
}

/// The strides are those of `x` and of `offsets` under the result's shape; each offset plus
/// each index times the strides of `x` is an element of `x`.
fn fill_along<T: Copy + Send + Sync>(
    out: &mut [MaybeUninit<T>],
    x: &HostView<'_>,
    shape: &[usize],
    strides: [&[isize]; 2],
    offsets: &[isize],
) {
    if out.is_empty() {
        return;
    }
    let last = shape.len() - 1;
    let (row, step, index_step) = (shape[last], strides[0][last], strides[1][last] as usize);
    let outer = strides.map(|s| &s[..last]);
    let fill = |first: usize, out: &mut [MaybeUninit<T>]| {
        let mut walk = Odometer::at(&shape[..last], outer, first);
        for part in out.chunks_exact_mut(row) {
            let from = x.as_ptr().cast::<T>().wrapping_offset(walk.offsets[0]);
            let chosen = &offsets[walk.offsets[1] as usize..];
            // SAFETY: checked indices along the axis, indices of the shape elsewhere.
            unsafe { raw::gather_along(part, from, step, |i| chosen[i * index_step]) };
            walk.step();
        }
    };
    let per_task = (raw::grain(size_of_val(out)) / (row * size_of::<T>())).max(1);
    if per_task.saturating_mul(row) >= out.len() {
        return fill(0, out);
    }
    out.par_chunks_mut(per_task * row).enumerate().for_each(|(i, part)| fill(i * per_task, part));
}

pub(super) fn check_axis(function: &'static str, axis: usize, x: &HostView<'_>) -> Result<()> {
    let ndim = x.shape().len();
    if axis < ndim {
        return Ok(());
    }
    Err(ErrorKind::AxisOutOfRange { function, axis: axis as i64, ndim }.into())
}
