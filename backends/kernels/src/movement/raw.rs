//! The loops that move elements by address.
//!
//! # Invariants
//!
//! Callers pass addresses and strides of which every index lies in memory that they may read
//! (`from`) or own exclusively (`to`), aligned for `T`. The two never overlap: the target is
//! borrowed mutably. No two indices of a target stand at the same place, so that threads may
//! write parts of it.

use super::index::Index;
use super::walk::{Axis, Odometer, Plan};
use crate::parallel::{pays, tasks};
use ivy_core::Dims;
use ivy_core::host::scratch;
use std::mem::MaybeUninit;

/// Below this many bytes a copy stays on its thread: waking another costs more.
const PARALLEL: usize = 1 << 20;
/// The bytes that one task moves at most.
const GRAIN: usize = 256 << 10;

/// Fewer elements than this are a short run.
const SHORT: usize = 8;

/// How many bytes of output one task should make: all of them if they are few.
pub(super) fn grain(bytes: usize) -> usize {
    match rayon::current_num_threads() {
        threads if threads > 1 && pays(bytes, PARALLEL) => GRAIN.min(bytes.div_ceil(threads)),
        _ => usize::MAX,
    }
}

/// A strided copy, ready to run.
pub(super) struct Copy<T> {
    to: *mut T,
    from: *const T,
    axes: Dims<Axis>,
}

// SAFETY: parts of a copy write different places and read shared memory that nobody writes.
unsafe impl<T: Send + Sync> Sync for Copy<T> {}

impl<T: std::marker::Copy + Send + Sync> Copy<T> {
    /// A copy between the first elements of two layouts.
    ///
    /// # Safety
    /// The module's invariants hold for the plan's layouts from these addresses.
    pub unsafe fn new(plan: &Plan, to: *mut T, from: *const T) -> Copy<T> {
        let mut axes = plan.axes.clone();
        // A transpose runs in tiles: the axis that is fastest in the source goes next to the
        // one that is fastest in the target.
        if let [outer @ .., last] = axes.as_slice()
            && last.from.unsigned_abs() > 1
            && let Some(i) = outer.iter().position(|axis| axis.from == 1)
        {
            let axis = axes.remove(i);
            axes.insert(axes.len() - 1, axis);
        }
        // A short last axis costs more in starting than in copying: a long one runs inside.
        if let [.., long, short] = axes.as_mut_slice()
            && short.len < SHORT
            && long.len > short.len
            && (short.to, short.from) != (1, 1)
        {
            std::mem::swap(long, short);
        }
        Copy { to: to.wrapping_offset(plan.to), from: from.wrapping_offset(plan.from), axes }
    }

    /// Runs it, on several threads if it is large.
    pub fn run(self) {
        let size: usize = self.axes.iter().map(|axis| axis.len).product();
        let grain = grain(size * size_of::<T>());
        if size * size_of::<T>() <= grain {
            // SAFETY: the invariants, which `new` was promised.
            return unsafe { copy(&self.axes, self.to, self.from) };
        }
        let mut parts = scratch::vec(2 * (size * size_of::<T>()).div_ceil(grain));
        self.split(size, grain, &mut parts);
        tasks(true, parts.len(), &|i| {
            let Copy { axes, to, from } = &parts[i];
            // SAFETY: likewise; a part is run once.
            unsafe { copy(axes, *to, *from) }
        });
    }

    /// Halves along the outermost axis, until each has few bytes enough.
    fn split(mut self, size: usize, grain: usize, parts: &mut Vec<Copy<T>>) {
        if size * size_of::<T>() <= grain {
            return parts.push(self);
        }
        while self.axes[0].len == 1 {
            self.axes.remove(0);
        }
        let axis = self.axes[0];
        let (half, rest) = (axis.len / 2, size / axis.len);
        let mut second = Copy {
            to: self.to.wrapping_offset(axis.to * half as isize),
            from: self.from.wrapping_offset(axis.from * half as isize),
            axes: self.axes.clone(),
        };
        second.axes[0].len = axis.len - half;
        self.axes[0].len = half;
        self.split(half * rest, grain, parts);
        second.split((axis.len - half) * rest, grain, parts);
    }
}

/// Copies along all axes, on this thread.
///
/// # Safety
/// The module's invariants.
#[inline]
pub(super) unsafe fn copy<T: std::marker::Copy>(axes: &[Axis], to: *mut T, from: *const T) {
    match axes {
        // SAFETY: the only index.
        [] => unsafe { to.write(*from) },
        // SAFETY: the caller's promise.
        [row] => unsafe { copy_row(*row, to, from) },
        [outer @ .., a, b] => {
            let tiled =
                b.to == 1 && a.from == 1 && b.from.unsigned_abs() > 1 && a.len >= SHORT && b.len >= SHORT;
            // SAFETY: every address is that of an index of the layouts.
            for_each(outer, |t, f| unsafe {
                let (to, from) = (to.offset(t), from.offset(f));
                match (tiled, size_of::<T>()) {
                    (true, 1) => transpose::<T, 64>(*a, *b, to, from),
                    (true, 2 | 4) => transpose::<T, 32>(*a, *b, to, from),
                    (true, _) => transpose::<T, 16>(*a, *b, to, from),
                    _ => {
                        for i in 0..a.len as isize {
                            copy_row(*b, to.offset(i * a.to), from.offset(i * a.from));
                        }
                    }
                }
            });
        }
    }
}

/// Calls `visit` with both offsets of each index of some axes.
fn for_each(axes: &[Axis], mut visit: impl FnMut(isize, isize)) {
    if axes.is_empty() {
        return visit(0, 0);
    }
    let shape: Dims = axes.iter().map(|axis| axis.len).collect();
    let to: Dims<isize> = axes.iter().map(|axis| axis.to).collect();
    let from: Dims<isize> = axes.iter().map(|axis| axis.from).collect();
    let mut walk = Odometer::at(&shape, [&to, &from], 0);
    for _ in 0..shape.iter().product() {
        visit(walk.offsets[0], walk.offsets[1]);
        walk.step();
    }
}

#[inline]
unsafe fn copy_row<T: std::marker::Copy>(axis: Axis, to: *mut T, from: *const T) {
    let Axis { len, to: t, from: f } = axis;
    // SAFETY: the caller's promise, for each index along the axis.
    unsafe {
        match (t, f) {
            (1, 1) => to.copy_from_nonoverlapping(from, len),
            (1, 0) => {
                std::slice::from_raw_parts_mut(to.cast::<MaybeUninit<T>>(), len).fill(MaybeUninit::new(*from))
            }
            (1, -1) => (0..len).for_each(|i| to.add(i).write(*from.sub(i))),
            // Fixed strides, for the compiler to make vectors of.
            (1, 2) => (0..len).for_each(|i| to.add(i).write(*from.add(i * 2))),
            (1, 3) => (0..len).for_each(|i| to.add(i).write(*from.add(i * 3))),
            (1, 4) => (0..len).for_each(|i| to.add(i).write(*from.add(i * 4))),
            (1, _) => (0..len).for_each(|i| to.add(i).write(*from.offset(i as isize * f))),
            _ => (0..len as isize).for_each(|i| to.offset(i * t).write(*from.offset(i * f))),
        }
    }
}

/// Copies two axes of which `a` is fastest in the source and `b` in the target, by square tiles
/// of a cache line's width: each line is read and written once, whatever the strides.
unsafe fn transpose<T: std::marker::Copy, const B: usize>(a: Axis, b: Axis, to: *mut T, from: *const T) {
    let mut tile = [[MaybeUninit::<T>::uninit(); B]; B];
    for i in (0..a.len).step_by(B) {
        for j in (0..b.len).step_by(B) {
            let (rows, columns) = (B.min(a.len - i), B.min(b.len - j));
            // SAFETY: the caller's promise: (i..i + rows, j..j + columns) are indices.
            unsafe {
                let to = to.offset(i as isize * a.to).add(j);
                let from = from.add(i).offset(j as isize * b.from);
                for (k, line) in tile[..columns].iter_mut().enumerate() {
                    let source = from.offset(k as isize * b.from).cast::<MaybeUninit<T>>();
                    line.as_mut_ptr().copy_from_nonoverlapping(source, rows);
                }
                for k in 0..rows {
                    let target = to.offset(k as isize * a.to).cast::<MaybeUninit<T>>();
                    if columns == B {
                        for (l, line) in tile.iter().enumerate() {
                            target.add(l).write(line[k]);
                        }
                    } else {
                        for (l, line) in tile[..columns].iter().enumerate() {
                            target.add(l).write(line[k]);
                        }
                    }
                }
            }
        }
    }
}

/// Combines each element of the target with its element of the source.
///
/// # Safety
/// The module's invariants, and the target is initialized.
#[inline]
pub(super) unsafe fn combine<T: std::marker::Copy>(
    axes: &[Axis],
    to: *mut T,
    from: *const T,
    with: impl Fn(T, T) -> T,
) {
    let [outer @ .., row] = axes else {
        // SAFETY: the only index.
        return unsafe { to.write(with(*to, *from)) };
    };
    for_each(outer, |t, f| {
        for i in 0..row.len as isize {
            // SAFETY: the caller's promise, for each index.
            unsafe {
                let place = to.offset(t + i * row.to);
                place.write(with(*place, *from.offset(f + i * row.from)));
            }
        }
    });
}

/// Fills `out` with blocks, one for each offset.
///
/// # Safety
/// The module's invariants hold for the block from each offset; `out` has room for the blocks,
/// each of `size` elements, and the block's target is contiguous.
pub(super) unsafe fn gather<T: std::marker::Copy>(
    out: &mut [MaybeUninit<T>],
    from: *const T,
    offsets: &[isize],
    block: &Plan,
    size: usize,
) {
    if block.axes.is_empty() {
        for (to, &offset) in out.iter_mut().zip(offsets) {
            // SAFETY: the caller's promise.
            to.write(unsafe { *from.offset(offset) });
        }
        return;
    }
    for (to, &offset) in out.chunks_exact_mut(size).zip(offsets) {
        // SAFETY: the caller's promise; the chunk has the block's size.
        unsafe { copy(&block.axes, to.as_mut_ptr().cast(), from.offset(offset)) }
    }
}

/// Fills `out` with elements `step` apart, each moved by its own offset as well.
///
/// # Safety
/// Element `i` at `i * step + offset(i)` from `from` may be read, for each `i` of `out`.
pub(super) unsafe fn gather_along<T: std::marker::Copy>(
    out: &mut [MaybeUninit<T>],
    from: *const T,
    step: isize,
    offset: impl Fn(usize) -> isize,
) {
    for (i, to) in out.iter_mut().enumerate() {
        // SAFETY: the caller's promise.
        to.write(unsafe { *from.offset(i as isize * step + offset(i)) });
    }
}

/// Aligned bytes as indices.
pub(super) fn indices<I: Index>(bytes: &[u8]) -> &[I] {
    if bytes.is_empty() {
        return &[];
    }
    assert!((bytes.as_ptr() as usize).is_multiple_of(align_of::<I>()));
    // SAFETY: aligned, and within the bytes; any bytes are an integer.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / size_of::<I>()) }
}

/// The bytes as elements of `T`; a rest that is no whole element is left out.
pub(super) fn elements_mut<T: std::marker::Copy>(bytes: &mut [u8]) -> &mut [MaybeUninit<T>] {
    if bytes.is_empty() {
        return &mut [];
    }
    assert!((bytes.as_ptr() as usize).is_multiple_of(align_of::<T>()));
    let len = bytes.len() / size_of::<T>();
    // SAFETY: aligned, and within the bytes. The callers in `movement` write values only, so
    // that the bytes stay initialized.
    unsafe { std::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), len) }
}
