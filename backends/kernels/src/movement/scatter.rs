//! Writing elements at indices.

use super::index::Joint;
use super::join::{check_dtype, shape_mismatch};
use super::partition::{Partition, Payload};
use super::take::{CHUNK, check_axis};
use super::walk::{Odometer, Plan};
use super::{make_writable, no_width, raw, to_contiguous};
use crate::layout::invalid;
use crate::types::{match_dtype, match_width};
use ivy_core::host::{HostArray, HostView, is_contiguous, scratch};
use ivy_core::{Dtype, Result, ScatterOp, Shape};
use num_complex::{Complex32, Complex64};
use std::mem::MaybeUninit;

/// The dtypes of a scatter's indices: those of int32 and uint32 need not be converted first.
pub const INDICES: [Dtype; 3] = [Dtype::INT64, Dtype::INT32, Dtype::UINT32];

/// `x` with the places that [`super::gather`] reads combined with `updates`, which has the
/// gathered shape: set (of several updates for one place the last in index order stays), or as
/// [`ScatterOp::binary`] says, one after the other in index order (integers wrap, float16 and bfloat16
/// are computed in float32 and rounded each time).
///
/// # Errors
/// Those of [`super::gather`], where indices may be int32 and uint32 too, a dtype that the op does not take, and [`ivy_core::ErrorKind::DtypeMismatch`] or
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
/// As [`scatter`]; the elements of `x` are unchanged then, unless there is no memory to sort updates in or an interrupt
/// comes meanwhile: some updates may have been put then.
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
    let joint = Joint::new(NAME, &INDICES, x.shape(), x.strides(), indices)?;
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
    scratch::guard(NAME, || put(op, dtype, &places, bytes, start, &updates))?
}

/// Puts the updates at their places in memory, as an op says of elements of a dtype that it takes.
fn put(
    op: ScatterOp,
    dtype: Dtype,
    places: &Places<'_, '_>,
    bytes: &mut [u8],
    start: usize,
    updates: &HostView<'_>,
) -> Result<()> {
    match op {
        ScatterOp::Set => match_width!(dtype.bytes(), T => {
            // SAFETY: as for `put`: the array's own memory, layout and checked indices.
            unsafe { places.put::<T>(bytes, start, updates, &Set) }
        }, else => return Err(no_width("scatter", dtype))),
        // As everywhere, in float64.
        ScatterOp::Mul if dtype == Dtype::COMPLEX64 => {
            let wide = |z: Complex32| Complex64::new(f64::from(z.re), f64::from(z.im));
            places.combine::<Complex32>(bytes, start, updates, |a, b| {
                let product = wide(a) * wide(b);
                Complex32::new(product.re as f32, product.im as f32)
            });
        }
        // The bytes of bool are 0 and 1.
        _ if dtype == Dtype::BOOL => match op {
            ScatterOp::Add | ScatterOp::Max | ScatterOp::Or => {
                places.combine::<u8>(bytes, start, updates, |a, b| a | b);
            }
            _ => places.combine::<u8>(bytes, start, updates, |a, b| a & b),
        },
        _ => match_dtype!(dtype, int, T => match op {
            ScatterOp::Add => places.combine::<T>(bytes, start, updates, T::wrapping_add),
            ScatterOp::Mul => places.combine::<T>(bytes, start, updates, T::wrapping_mul),
            ScatterOp::Min => places.combine::<T>(bytes, start, updates, |a, b| if b < a { b } else { a }),
            ScatterOp::Max => places.combine::<T>(bytes, start, updates, |a, b| if b > a { b } else { a }),
            ScatterOp::And => places.combine::<T>(bytes, start, updates, |a, b| a & b),
            _ => places.combine::<T>(bytes, start, updates, |a, b| a | b),
        },
        else => match_dtype!(dtype, inexact, T => match op {
            ScatterOp::Add => places.combine::<T>(bytes, start, updates, |a, b| a + b),
            ScatterOp::Mul => places.combine::<T>(bytes, start, updates, |a, b| a * b),
            _ => match_dtype!(dtype, float, T => match op {
                ScatterOp::Min => places.combine::<T>(bytes, start, updates, less),
                _ => places.combine::<T>(bytes, start, updates, greater),
            },
            else => return Err(no_width("scatter", dtype))),
        },
        else => return Err(no_width("scatter", dtype)))),
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

/// What becomes of an update and of what stands at its place.
trait Put<T> {
    /// # Safety
    /// The place is of an element, which nobody else has to do with, initialized if it is read.
    unsafe fn element(&self, to: *mut T, update: T);

    /// # Safety
    /// The places hold a block each, and likewise.
    unsafe fn block(&self, block: &Plan, to: *mut T, from: *const T);
}

/// The update stands there.
struct Set;

impl<T: Copy + Send + Sync> Put<T> for Set {
    #[inline(always)]
    unsafe fn element(&self, to: *mut T, update: T) {
        // SAFETY: the caller's promise.
        unsafe { to.write(update) }
    }

    unsafe fn block(&self, block: &Plan, to: *mut T, from: *const T) {
        // SAFETY: the caller's promise.
        unsafe { raw::copy(&block.axes, to, from) }
    }
}

/// Both combined.
struct With<F>(F);

impl<T: Copy + Send + Sync, F: Fn(T, T) -> T + Copy> Put<T> for With<F> {
    #[inline(always)]
    unsafe fn element(&self, to: *mut T, update: T) {
        // SAFETY: the caller's promise.
        unsafe { to.write((self.0)(*to, update)) }
    }

    unsafe fn block(&self, block: &Plan, to: *mut T, from: *const T) {
        // SAFETY: the caller's promise.
        unsafe { raw::combine(&block.axes, to, from, self.0) }
    }
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
    fn combine<T: Copy + Send + Sync>(
        &self,
        bytes: &mut [u8],
        start: usize,
        updates: &HostView<'_>,
        with: impl Fn(T, T) -> T + Copy + Sync,
    ) {
        // SAFETY: the memory is initialized, and `put`'s own.
        unsafe { self.put::<T>(bytes, start, updates, &With(with)) }
    }

    /// Puts each block of updates at its place, those of one place in order.
    ///
    /// # Safety
    /// The target's first element is element `start` of the bytes, which hold every block, initialized if `how` reads it.
    unsafe fn put<T: Copy + Send + Sync>(
        &self,
        bytes: &mut [u8],
        start: usize,
        updates: &HostView<'_>,
        how: &(impl Put<T> + Sync),
    ) {
        let memory: &mut [MaybeUninit<T>] = raw::elements_mut(bytes);
        let to = memory.as_mut_ptr().cast::<T>().wrapping_add(start).wrapping_offset(self.block.to);
        let from = updates.as_ptr().cast::<T>().wrapping_offset(self.block.from);
        let (to, from) = (Address(to), Address(from.cast_mut()));
        let count = self.joint.shape.size();
        // Single updates that stand side by side need no walk.
        let single = self.block.axes.is_empty() && is_contiguous(&self.joint.shape, self.strides);
        let all = match single {
            // SAFETY: the updates stand side by side from there.
            true => unsafe { std::slice::from_raw_parts(from.0.cast_const(), count) },
            false => &[],
        };
        // SAFETY: as here.
        if unsafe { self.put_by_ranges(to, from, single.then_some(all), how) } {
            return;
        }
        let (mut distances, mut offsets) = ([0; CHUNK], [0; CHUNK]);
        for first in (0..count).step_by(CHUNK) {
            let distances = &mut distances[..CHUNK.min(count - first)];
            self.joint.distances(first, distances);
            if single {
                for (&mut distance, &update) in distances.iter_mut().zip(&all[first..]) {
                    // SAFETY: the place of an element.
                    unsafe { how.element(to.at(distance), update) };
                }
                continue;
            }
            let offsets = &mut offsets[..distances.len()];
            self.offsets(first, offsets);
            for (&mut distance, &mut offset) in distances.iter_mut().zip(offsets) {
                // SAFETY: the places of blocks.
                unsafe { how.block(&self.block, to.at(distance), from.at(offset)) };
            }
        }
    }

    /// [`Places::put`], sorted by ranges of places; false, and nothing is put, if one after the other is faster. Updates of
    /// single elements that stand side by side are given as `all`.
    ///
    /// # Safety
    /// As there, of the addresses of the first block's place and of the first update.
    unsafe fn put_by_ranges<T: Copy + Send + Sync>(
        &self,
        to: Address<T>,
        from: Address<T>,
        all: Option<&[T]>,
        how: &(impl Put<T> + Sync),
    ) -> bool {
        let count = self.joint.shape.size();
        let Some((lowest, span)) = self.joint.reach() else { return false };
        let Some(partition) = Partition::of(count, span, size_of::<T>()) else { return false };
        let keys = |first: usize, keys: &mut [u32]| self.keys(lowest, first, keys);
        let place = |key: u32| to.at(lowest + key as isize);
        let Some(all) = all else {
            let offsets = |first: usize, count: usize| {
                let mut offsets = scratch::filled(0, count);
                self.offsets(first, &mut offsets);
                offsets
            };
            return partition.run(count, &keys, &Payload::Made(&offsets), &|run: &[(u32, isize)]| {
                for &(key, at) in run {
                    // SAFETY: a range's places are one thread's, and hold a block each.
                    unsafe { how.block(&self.block, place(key), from.at(at)) };
                }
            });
        };
        partition.run(count, &keys, &Payload::There(all), &|run: &[(u32, T)]| {
            for &(key, update) in run {
                // SAFETY: likewise, of an element.
                unsafe { how.element(place(key), update) };
            }
        })
    }

    /// The places of the updates from a number on, counted from the lowest distance.
    fn keys(&self, lowest: isize, first: usize, keys: &mut [u32]) {
        let mut distances = [0; CHUNK];
        for (i, keys) in keys.chunks_mut(CHUNK).enumerate() {
            let distances = &mut distances[..keys.len()];
            self.joint.distances(first + i * CHUNK, distances);
            keys.iter_mut().zip(distances).for_each(|(key, distance)| *key = (*distance - lowest) as u32);
        }
    }

    /// The offsets of the updates from a number on.
    fn offsets(&self, first: usize, offsets: &mut [isize]) {
        let mut walk = Odometer::at(&self.joint.shape, [self.strides], first);
        for offset in offsets {
            *offset = walk.offsets[0];
            walk.step();
        }
    }
}

/// The address of an element, from which others are reached, by several threads.
#[derive(Clone, Copy)]
struct Address<T>(*mut T);

// SAFETY: an address of plain values. Who reads and writes there says why nobody else does.
unsafe impl<T: Copy + Send + Sync> Sync for Address<T> {}

impl<T> Address<T> {
    fn at(self, distance: isize) -> *mut T {
        self.0.wrapping_offset(distance)
    }
}
