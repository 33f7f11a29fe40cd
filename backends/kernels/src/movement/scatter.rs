//! Writing elements at indices.

use super::index::Joint;
use super::join::{check_dtype, shape_mismatch};
use super::take::{CHUNK, check_axis};
use super::walk::{Odometer, Plan};
use super::{make_writable, no_width, raw, to_contiguous};
use crate::layout::invalid;
use crate::types::{match_dtype, match_width};
use ivy_core::host::{HostArray, HostView, is_contiguous};
use ivy_core::{Dtype, Result, ScatterOp, Shape};
use num_complex::{Complex32, Complex64};
use std::mem::MaybeUninit;

/// `x` with the places that [`super::gather`] reads combined with `updates`, which has the
/// gathered shape: set (of several updates for one place the last in index order stays), or as
/// [`ScatterOp::binary`] says, one after the other in index order (integers wrap, float16 and bfloat16
/// are computed in float32 and rounded each time).
///
/// # Errors
/// Those of [`super::gather`], a dtype that the op does not take, and [`ivy_core::ErrorKind::DtypeMismatch`] or
/// [`ivy_core::ErrorKind::ShapeMismatch`] for updates that do not fit.
pub fn scatter(
    op: ScatterOp,
    x: HostView<'_>,
    updates: HostView<'_>,
    indices: &[HostView<'_>],
) -> Result<HostArray> {
    let mut out = to_contiguous(x)?;
    scatter_in_place(op, &mut out, updates, indices)?;
    Ok(out)
}

/// As [`scatter`], in place if `x` alone holds its memory, else in a copy that `x` becomes.
///
/// # Errors
/// As [`scatter`]; the elements of `x` are unchanged then.
pub fn scatter_in_place(
    op: ScatterOp,
    x: &mut HostArray,
    updates: HostView<'_>,
    indices: &[HostView<'_>],
) -> Result<()> {
    const NAME: &str = "scatter";
    check_dtype(NAME, "updates", &x.view(), &updates)?;
    let axes = indices.len();
    if axes > 0 {
        check_axis(NAME, axes - 1, &x.view())?;
    }
    make_writable(x)?;
    let joint = Joint::new(NAME, x.shape(), x.strides(), indices)?;
    let gathered: Shape = joint.shape.iter().chain(&x.shape()[axes..]).copied().collect();
    if *gathered != *updates.shape() {
        return Err(shape_mismatch(NAME, "updates", gathered.to_string(), updates.shape()));
    }
    if gathered.contains(&0) {
        return Ok(());
    }
    let (outer, inner) = updates.strides().split_at(joint.shape.len());
    let block = Plan::new(&x.shape()[axes..], &x.strides()[axes..], inner);
    let places = Places { joint: &joint, strides: outer, block };
    let (dtype, start) = (x.dtype(), x.offset());
    if !op.takes(dtype) {
        return Err(invalid(NAME, "dtype", dtype.to_string(), "not one that elements combine so in"));
    }
    let bytes = x.buffer_mut().unique_bytes().expect("make_writable left a memory of our own");
    match op {
        ScatterOp::Set => match_width!(dtype.bytes(), T => {
            // SAFETY: as for `put`: the array's own memory, layout and checked indices.
            unsafe { places.put::<T>(bytes, start, &updates, |to, from, block| raw::copy(&block.axes, to, from)) }
        }, else => return Err(no_width(NAME, dtype))),
        // As everywhere, in float64.
        ScatterOp::Mul if dtype == Dtype::COMPLEX64 => {
            let wide = |z: Complex32| Complex64::new(f64::from(z.re), f64::from(z.im));
            places.combine::<Complex32>(bytes, start, &updates, |a, b| {
                let product = wide(a) * wide(b);
                Complex32::new(product.re as f32, product.im as f32)
            });
        }
        // The bytes of bool are 0 and 1.
        _ if dtype == Dtype::BOOL => match op {
            ScatterOp::Add | ScatterOp::Max | ScatterOp::Or => {
                places.combine::<u8>(bytes, start, &updates, |a, b| a | b);
            }
            _ => places.combine::<u8>(bytes, start, &updates, |a, b| a & b),
        },
        _ => match_dtype!(dtype, int, T => match op {
            ScatterOp::Add => places.combine::<T>(bytes, start, &updates, T::wrapping_add),
            ScatterOp::Mul => places.combine::<T>(bytes, start, &updates, T::wrapping_mul),
            ScatterOp::Min => places.combine::<T>(bytes, start, &updates, |a, b| if b < a { b } else { a }),
            ScatterOp::Max => places.combine::<T>(bytes, start, &updates, |a, b| if b > a { b } else { a }),
            ScatterOp::And => places.combine::<T>(bytes, start, &updates, |a, b| a & b),
            _ => places.combine::<T>(bytes, start, &updates, |a, b| a | b),
        },
        else => match_dtype!(dtype, inexact, T => match op {
            ScatterOp::Add => places.combine::<T>(bytes, start, &updates, |a, b| a + b),
            ScatterOp::Mul => places.combine::<T>(bytes, start, &updates, |a, b| a * b),
            _ => match_dtype!(dtype, float, T => match op {
                ScatterOp::Min => places.combine::<T>(bytes, start, &updates, less),
                _ => places.combine::<T>(bytes, start, &updates, greater),
            },
            else => return Err(no_width(NAME, dtype))),
        },
        else => return Err(no_width(NAME, dtype)))),
    }
    Ok(())
}

/// The lesser, the first of equal ones; NaN stays NaN.
// Only a NaN differs from itself.
#[allow(clippy::eq_op)]
fn less<T: Copy + PartialOrd>(a: T, b: T) -> T {
    if a <= b || a != a { a } else { b }
}

/// The greater, likewise.
#[allow(clippy::eq_op)]
fn greater<T: Copy + PartialOrd>(a: T, b: T) -> T {
    if a >= b || a != a { a } else { b }
}

/// Where the blocks of updates go.
struct Places<'a, 'b> {
    /// The places in the target.
    joint: &'a Joint<'b>,
    /// The strides of the updates along the shape of the index arrays.
    strides: &'a [isize],
    /// The axes of a block.
    block: Plan,
}

impl Places<'_, '_> {
    fn combine<T: Copy>(
        &self,
        bytes: &mut [u8],
        start: usize,
        updates: &HostView<'_>,
        with: impl Fn(T, T) -> T + Copy,
    ) {
        // SAFETY: the memory is initialized, and `put`'s own.
        unsafe {
            self.put::<T>(bytes, start, updates, |to, from, block| raw::combine(&block.axes, to, from, with));
        }
    }

    /// Calls `put` with the addresses of each block in the target and in the updates, in order.
    ///
    /// # Safety
    /// The target's first element is element `start` of the bytes, which hold every block; `put` touches the block at the given addresses only.
    unsafe fn put<T: Copy>(
        &self,
        bytes: &mut [u8],
        start: usize,
        updates: &HostView<'_>,
        put: impl Fn(*mut T, *const T, &Plan),
    ) {
        let memory: &mut [MaybeUninit<T>] = raw::elements_mut(bytes);
        let to = memory.as_mut_ptr().cast::<T>().wrapping_add(start).wrapping_offset(self.block.to);
        let from = updates.as_ptr().cast::<T>().wrapping_offset(self.block.from);
        let mut walk = Odometer::at(&self.joint.shape, [self.strides], 0);
        let (mut distances, count) = ([0; CHUNK], self.joint.shape.size());
        // Single updates that stand side by side need no walk.
        let single = self.block.axes.is_empty() && is_contiguous(&self.joint.shape, self.strides);
        for first in (0..count).step_by(CHUNK) {
            let distances = &mut distances[..CHUNK.min(count - first)];
            self.joint.distances(first, distances);
            if single {
                for (i, &mut distance) in distances.iter_mut().enumerate() {
                    put(to.wrapping_offset(distance), from.wrapping_add(first + i), &self.block);
                }
                continue;
            }
            for &mut distance in distances {
                put(to.wrapping_offset(distance), from.wrapping_offset(walk.offsets[0]), &self.block);
                walk.step();
            }
        }
    }
}
