//! Reading elements at indices.

use super::index::{Indices, Joint, broadcast_strides};
use super::join::shape_mismatch;
use super::walk::{Odometer, Plan};
use super::{no_width, raw};
use crate::output::new_array;
use crate::parallel::chunks;
use crate::types::match_width;
use ivy_core::host::{HostArray, HostView, contiguous_strides, scratch};
use ivy_core::{Dims, Dtype, ErrorKind, Result, Shape, shape};
use std::mem::MaybeUninit;

/// How many distances are worked out at a time: few enough to stay in the nearest cache.
pub(super) const CHUNK: usize = 512;

/// The elements of `x` at `indices` (int64, in row-major order) along an axis, in place of it;
/// negative indices count from the end.
///
/// # Errors
/// [`ErrorKind::IndexOutOfRange`] with the first position that is, [`ErrorKind::AxisOutOfRange`],
/// [`ErrorKind::DtypeMismatch`] for indices of another dtype, or no memory.
pub fn take(axis: usize, x: HostView<'_>, indices: HostView<'_>) -> Result<HostArray> {
    const NAME: &str = "take";
    check_axis(NAME, axis, &x)?;
    let indices = Indices::new(NAME, &indices, axis, x.shape()[axis], x.strides()[axis])?;
    let mut shape = Dims::from_slice(x.shape());
    shape[axis] = indices.values().len();
    match_width!(x.dtype().bytes(), T => {
        // SAFETY: `fill_taken` writes a block for each index of each outer one, the whole shape.
        unsafe { new_array::<T>(NAME, x.dtype(), &shape.into(), |out| fill_taken(out, &x, axis, &indices)) }
    }, else => Err(no_width(NAME, x.dtype())))
}

/// For index arrays of one broadcast shape `s`, one for each of the leading axes of `x`: the
/// elements that they name together, of shape `s` and then the other axes of `x`.
///
/// # Errors
/// [`ErrorKind::IndexOutOfRange`] of the first array and position that is out of range,
/// [`ErrorKind::BroadcastShapes`], [`ErrorKind::AxisOutOfRange`] for more arrays than axes,
/// [`ErrorKind::DtypeMismatch`] for indices of another dtype, or no memory.
pub fn gather(x: HostView<'_>, indices: &[HostView<'_>]) -> Result<HostArray> {
    const NAME: &str = "gather";
    let axes = indices.len();
    if axes > 0 {
        check_axis(NAME, axes - 1, &x)?;
    }
    let joint = Joint::new(NAME, &[Dtype::INT64], x.shape(), x.strides(), indices)?;
    let shape = joint.shape.iter().chain(&x.shape()[axes..]).copied().collect();
    match_width!(x.dtype().bytes(), T => {
        // SAFETY: `fill_gathered` writes a block for each place, the whole shape.
        unsafe { new_array::<T>(NAME, x.dtype(), &shape, |out| fill_gathered(out, &x, &joint, axes)) }
    }, else => Err(no_width(NAME, x.dtype())))
}

/// Calls `fill` with parts of `out`, each of whole rows, and the number of its first row: on
/// several threads if there is much to do.
fn in_parts<T: Send>(
    out: &mut [MaybeUninit<T>],
    row: usize,
    fill: impl Fn(usize, &mut [MaybeUninit<T>]) + Sync,
) {
    let rows = (raw::grain(size_of_val(out)) / (row * size_of::<T>()).max(1)).max(1);
    if out.is_empty() {
        return;
    }
    if rows.saturating_mul(row) >= out.len() {
        return fill(0, out);
    }
    chunks(true, out, rows * row, &|i, part| fill(i * rows, part));
}

fn fill_taken<T: Copy + Send + Sync>(
    out: &mut [MaybeUninit<T>],
    x: &HostView<'_>,
    axis: usize,
    indices: &Indices<'_>,
) {
    let (outer, block) = (&x.shape()[..axis], &x.shape()[axis + 1..]);
    let (strides, inner) = (&x.strides()[..axis], &x.strides()[axis + 1..]);
    let count = indices.values().len();
    let size: usize = block.iter().product();
    if count * size == 0 {
        return;
    }
    let plan = Plan::new(block, &contiguous_strides(block), inner);
    if outer.iter().all(|&n| n == 1) {
        // Rows of one array: each index is used once.
        return in_parts(out, size, |first, part| {
            let mut distances = [0; CHUNK];
            let chosen = indices.values()[first..].chunks(CHUNK);
            for (part, chosen) in part.chunks_mut(CHUNK * size).zip(chosen) {
                for (distance, &index) in distances.iter_mut().zip(chosen) {
                    *distance = indices.distance(index);
                }
                // SAFETY: checked indices along the axis, indices of the shape elsewhere.
                unsafe { raw::gather(part, x.as_ptr().cast(), &distances, &plan, size) };
            }
        });
    }
    let distances: Vec<isize> =
        scratch::collected(indices.values().iter().map(|&index| indices.distance(index)));
    in_parts(out, count * size, |first, part| {
        let mut walk = Odometer::at(outer, [strides], first);
        for row in part.chunks_exact_mut(count * size) {
            let from = x.as_ptr().cast::<T>().wrapping_offset(walk.offsets[0]);
            // SAFETY: checked indices along the axis, indices of the shape elsewhere.
            unsafe { raw::gather(row, from, &distances, &plan, size) };
            walk.step();
        }
    });
}

fn fill_gathered<T: Copy + Send + Sync>(
    out: &mut [MaybeUninit<T>],
    x: &HostView<'_>,
    joint: &Joint<'_>,
    axes: usize,
) {
    let block = &x.shape()[axes..];
    let size: usize = block.iter().product();
    if out.is_empty() {
        return;
    }
    let plan = Plan::new(block, &contiguous_strides(block), &x.strides()[axes..]);
    in_parts(out, size, |first, part| {
        let mut distances = [0; CHUNK];
        for (i, part) in part.chunks_mut(CHUNK * size).enumerate() {
            let distances = &mut distances[..part.len() / size];
            joint.distances(first + i * CHUNK, distances);
            // SAFETY: checked indices along the indexed axes, indices of the shape elsewhere.
            unsafe { raw::gather(part, x.as_ptr().cast(), distances, &plan, size) };
        }
    });
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
    let index_strides = broadcast_strides(indices.shape(), &dims);
    let indices = Indices::new(NAME, &indices, axis, x.shape()[axis], x.strides()[axis])?;
    let mut strides: Dims<isize> =
        a.iter().zip(x.strides()).map(|(&len, &s)| if len == 1 { 0 } else { s }).collect();
    strides[axis] = 0;
    let shape = Shape::from(dims);
    match_width!(x.dtype().bytes(), T => {
        // SAFETY: `fill_along` writes each row, and the rows are the whole shape.
        unsafe {
            new_array::<T>(NAME, x.dtype(), &shape, |out| {
                fill_along(out, &x, &shape, [&strides, &index_strides], &indices)
            })
        }
    }, else => Err(no_width(NAME, x.dtype())))
}

/// The strides are those of `x` and of the indices under the result's shape.
fn fill_along<T: Copy + Send + Sync>(
    out: &mut [MaybeUninit<T>],
    x: &HostView<'_>,
    shape: &[usize],
    strides: [&[isize]; 2],
    indices: &Indices<'_>,
) {
    let last = shape.len() - 1;
    let (row, step, index_step) = (shape[last], strides[0][last], strides[1][last] as usize);
    let outer = strides.map(|s| &s[..last]);
    in_parts(out, row, |first, part| {
        let mut walk = Odometer::at(&shape[..last], outer, first);
        for part in part.chunks_exact_mut(row) {
            let from = x.as_ptr().cast::<T>().wrapping_offset(walk.offsets[0]);
            let chosen = &indices.values()[walk.offsets[1] as usize..];
            // SAFETY: checked indices along the axis, indices of the shape elsewhere.
            unsafe { raw::gather_along(part, from, step, |i| indices.distance(chosen[i * index_step])) };
            walk.step();
        }
    });
}

pub(super) fn check_axis(function: &'static str, axis: usize, x: &HostView<'_>) -> Result<()> {
    let ndim = x.shape().len();
    if axis < ndim {
        return Ok(());
    }
    Err(ErrorKind::AxisOutOfRange { function, axis: axis as i64, ndim }.into())
}
