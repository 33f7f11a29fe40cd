//! Runs a [`Kernel`] over broadcast, strided operands: the one place that turns views into
//! pointers, for every element-wise operation.

use super::kernel::Kernel;
use crate::isa::{self, Isa};
use crate::output::new_array;
use crate::parallel::{pays, tasks};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dims, Dtype, Result, Shape, shape};
use smallvec::SmallVec;
use std::mem::MaybeUninit;

/// Bytes of an operand that are gathered at a time; three such blocks fit in the first cache.
pub(super) const BLOCK: usize = 8192;
/// Results of fewer elements are made by one thread.
pub const PARALLEL: usize = 256 << 10;
/// Elements that a thread takes at a time.
const CHUNK: usize = 64 << 10;

/// One operand: where it starts, its width, and a stride for each axis of the joint shape.
#[derive(Clone)]
struct Source {
    base: *const u8,
    width: usize,
    strides: Dims<isize>,
    /// Row-major and dense over the joint shape.
    flat: bool,
}

/// Everything that the threads share.
struct Job<const N: usize> {
    kernel: Kernel<N>,
    level: Isa,
    dims: Dims,
    sources: [Source; N],
    out: *mut u8,
    out_width: usize,
    /// Elements in a gathered block.
    block: usize,
}

// SAFETY: operands are only read, and each part of the result is written by one thread.
unsafe impl<const N: usize> Sync for Job<N> {}

/// The result of `kernel` over the operands, broadcast to a common shape.
///
/// # Errors
/// Shapes that do not broadcast, no memory.
///
/// # Safety
/// `kernel` takes operands of the views' dtypes and gives elements of `dtype`.
pub(super) unsafe fn drive<const N: usize>(
    function: &'static str,
    dtype: Dtype,
    operands: [HostView<'_>; N],
    kernel: Kernel<N>,
) -> Result<HostArray> {
    let first = operands[0].shape();
    let alike = operands.iter().all(|x| x.shape() == first && x.is_contiguous());
    let shape =
        if alike { Shape::from(first) } else { shape::broadcast(function, &operands.map(|x| x.shape()))? };
    let fill = |out: &mut [MaybeUninit<u8>]| {
        let n = out.len() / dtype.bytes();
        if n == 0 {
            return;
        }
        let level = isa::best();
        if alike && n < PARALLEL {
            // SAFETY: `n` contiguous elements each, of the kernel's types; the result is fresh.
            unsafe { kernel(operands.map(|x| x.as_ptr()), out.as_mut_ptr().cast(), n, level) };
            return;
        }
        let (dims, sources) = joint(&shape, &operands);
        let widest = sources.iter().map(|s| s.width).max().unwrap_or(1);
        let (out, out_width) = (out.as_mut_ptr().cast(), dtype.bytes());
        Job { kernel, level, dims, sources, out, out_width, block: BLOCK / widest }.run(n);
    };
    // SAFETY: kernels write all results that they are given, and a job covers them all.
    unsafe { new_array_bytes(function, dtype, &shape, fill) }
}

/// As [`new_array`], over bytes.
///
/// # Safety
/// That of [`new_array`].
unsafe fn new_array_bytes(
    function: &'static str,
    dtype: Dtype,
    shape: &Shape,
    fill: impl FnOnce(&mut [MaybeUninit<u8>]),
) -> Result<HostArray> {
    macro_rules! of_width {
        ($t:ty) => {
            // SAFETY: the caller's promise.
            unsafe {
                new_array::<$t>(function, dtype, shape, |out| {
                    let bytes = size_of_val(out);
                    fill(std::slice::from_raw_parts_mut(out.as_mut_ptr().cast(), bytes))
                })
            }
        };
    }
    match dtype.bytes() {
        1 => of_width!(u8),
        2 => of_width!(u16),
        4 => of_width!(u32),
        8 => of_width!(u64),
        _ => of_width!([u64; 2]),
    }
}

/// The common axes of the operands: axes of length 1 are dropped, and axes that every operand
/// walks like one are merged. Strides of broadcast axes are 0.
fn joint<const N: usize>(shape: &[usize], operands: &[HostView<'_>; N]) -> (Dims, [Source; N]) {
    let stride = |x: &HostView<'_>, axis: usize| {
        let missing = shape.len() - x.shape().len();
        if axis < missing || x.shape()[axis - missing] == 1 { 0 } else { x.strides()[axis - missing] }
    };
    let mut dims = Dims::new();
    let mut strides: [Dims<isize>; N] = std::array::from_fn(|_| Dims::new());
    for (axis, &len) in shape.iter().enumerate().filter(|&(_, &len)| len != 1) {
        let merges = !dims.is_empty()
            && operands.iter().zip(&strides).all(|(x, s)| s[s.len() - 1] == stride(x, axis) * len as isize);
        if merges {
            *dims.last_mut().expect("an axis to merge with") *= len;
        } else {
            dims.push(len);
        }
        for (x, s) in operands.iter().zip(&mut strides) {
            if merges {
                s.pop();
            }
            s.push(stride(x, axis));
        }
    }
    if dims.is_empty() {
        dims.push(1);
        strides.iter_mut().for_each(|s| s.push(1));
    }
    let sources = std::array::from_fn(|i| Source {
        base: operands[i].as_ptr(),
        width: operands[i].dtype().bytes(),
        flat: ivy_core::host::is_contiguous(&dims, &strides[i]),
        strides: std::mem::take(&mut strides[i]),
    });
    (dims, sources)
}

/// A block of an operand, aligned for elements of every dtype.
#[repr(align(64))]
pub(super) struct Scratch([MaybeUninit<u8>; BLOCK]);

impl Scratch {
    #[inline(always)]
    pub(super) fn new() -> Scratch {
        Scratch([MaybeUninit::uninit(); BLOCK])
    }

    /// The first bytes.
    pub(super) fn first(&mut self, bytes: usize) -> &mut [MaybeUninit<u8>] {
        &mut self.0[..bytes]
    }

    pub(super) fn as_ptr(&self) -> *const u8 {
        self.0.as_ptr().cast()
    }
}

impl<const N: usize> Job<N> {
    fn run(&self, n: usize) {
        if !pays(n, PARALLEL) || rayon::current_num_threads() == 1 {
            return self.part(0, n);
        }
        tasks(true, n.div_ceil(CHUNK), &|i| self.part(i * CHUNK, n.min((i + 1) * CHUNK)));
    }

    /// Computes the elements `low..high` of the result, counted in row-major order.
    fn part(&self, low: usize, high: usize) {
        let mut scratch: [Scratch; N] = std::array::from_fn(|_| Scratch::new());
        let mut filled = [false; N];
        let mut index: Dims = SmallVec::from_elem(0, self.dims.len());
        let (mut rest, last) = (low, self.dims.len() - 1);
        for (i, &len) in index.iter_mut().zip(&self.dims).rev() {
            *i = rest % len;
            rest /= len;
        }
        let row = self.dims[last];
        let long_rows = row >= 128;
        // A row that is dense, or all of one element, needs no copy (or one for the whole part).
        let dense = |s: &Source| s.flat || long_rows && s.strides[last] == 1;
        let single = |s: &Source| s.strides.iter().all(|&s| s == 0);
        let all_dense = self.sources.iter().all(dense);
        let mut at = low;
        while at < high {
            let mut count = if all_dense { high - at } else { self.block.min(high - at) };
            if long_rows {
                count = count.min(row - index[last]);
            }
            let mut pointers = [std::ptr::null(); N];
            for i in 0..N {
                let source = &self.sources[i];
                pointers[i] = if source.flat {
                    source.base.wrapping_add(at * source.width)
                } else if dense(source) {
                    source.at(&index)
                } else {
                    let to = scratch[i].0.as_mut_ptr().cast::<u8>();
                    if !filled[i] {
                        let count = if single(source) { self.block.min(high - low) } else { count };
                        // SAFETY: the index and those after it are within the shape, or do not
                        // matter with strides of 0; `count` elements fit in a block.
                        unsafe { source.gather(&self.dims, &index, count, to) };
                        filled[i] = single(source);
                    }
                    to
                };
            }
            // SAFETY: `count` elements of each operand were gathered, or stand there in a row.
            unsafe { (self.kernel)(pointers, self.out.add(at * self.out_width), count, self.level) };
            at += count;
            advance(&mut index, &self.dims, count);
        }
    }
}

/// Moves an index on by some elements in row-major order; past the end it becomes zero.
fn advance(index: &mut [usize], dims: &[usize], count: usize) {
    let mut carry = count;
    for (i, &len) in index.iter_mut().zip(dims).rev() {
        *i += carry;
        if *i < len {
            return;
        }
        carry = *i / len;
        *i %= len;
    }
}

impl Source {
    fn at(&self, index: &[usize]) -> *const u8 {
        let offset: isize = index.iter().zip(&self.strides).map(|(&i, &s)| i as isize * s).sum();
        self.base.wrapping_offset(offset * self.width as isize)
    }

    /// Copies `count` elements from an index on, in row-major order.
    ///
    /// # Safety
    /// The elements are within the operand; `to` has room for them and is aligned for 16 bytes.
    unsafe fn gather(&self, dims: &[usize], index: &[usize], count: usize, to: *mut u8) {
        // SAFETY: the caller's promise, and the width is the type's.
        unsafe {
            match self.width {
                1 => self.gather_as::<u8>(dims, index, count, to),
                2 => self.gather_as::<u16>(dims, index, count, to),
                4 => self.gather_as::<u32>(dims, index, count, to),
                // complex64 may be aligned to 4 only.
                8 => self.gather_as::<[u32; 2]>(dims, index, count, to),
                _ => self.gather_as::<[u64; 2]>(dims, index, count, to),
            }
        }
    }

    /// # Safety
    /// That of [`Source::gather`], for a type of the width.
    unsafe fn gather_as<T: Copy>(&self, dims: &[usize], index: &[usize], count: usize, to: *mut u8) {
        let last = dims.len() - 1;
        let (mut to, mut left) = (to.cast::<T>(), count);
        let mut index: Dims = SmallVec::from_slice(index);
        let step = self.strides[last];
        while left > 0 {
            let run = left.min(dims[last] - index[last]);
            let from = self.at(&index).cast::<T>();
            // SAFETY: a run stays within its row, and `to` has room for all of it.
            unsafe {
                match step {
                    1 => std::ptr::copy_nonoverlapping(from, to, run),
                    0 => std::slice::from_raw_parts_mut(to.cast::<MaybeUninit<T>>(), run)
                        .fill(MaybeUninit::new(from.read())),
                    _ => (0..run).for_each(|i| to.add(i).write(from.offset(i as isize * step).read())),
                }
                to = to.add(run);
            }
            left -= run;
            advance(&mut index, dims, run);
        }
    }
}
