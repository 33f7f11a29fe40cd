//! A view taken apart into sequences: some axes number them, the others run along each.

use crate::small::Value;
use ivy_core::Dims;
use ivy_core::host::{HostView, scratch};
use std::{marker::PhantomData, ops::Range, slice};

/// Lengths and strides of some axes, with those merged that walk memory as one.
#[derive(Clone, Debug)]
struct Axes {
    lens: Dims,
    strides: Dims<isize>,
}

impl Axes {
    fn new(axes: impl Iterator<Item = (usize, isize)>) -> Axes {
        let mut merged = Axes { lens: Dims::new(), strides: Dims::new() };
        for (len, stride) in axes.filter(|a| a.0 != 1) {
            match (merged.lens.last_mut(), merged.strides.last_mut()) {
                (Some(l), Some(s)) if *s == stride.wrapping_mul(len as isize) => {
                    *l *= len;
                    *s = stride;
                }
                _ => {
                    merged.lens.push(len);
                    merged.strides.push(stride);
                }
            }
        }
        merged
    }

    fn size(&self) -> usize {
        self.lens.iter().product()
    }

    /// The offset of the index with this number in row-major order.
    #[inline(always)]
    fn offset(&self, mut number: usize) -> isize {
        let mut offset = 0;
        for (&len, &stride) in self.lens.iter().zip(&self.strides).rev() {
            offset += (number % len) as isize * stride;
            number /= len;
        }
        offset
    }

    /// Calls `visit(offset, count, stride)` for each run along the last axis of a range of
    /// indices.
    #[inline(always)]
    fn runs(&self, range: Range<usize>, mut visit: impl FnMut(isize, usize, isize)) {
        let (Some(&len), Some(&stride)) = (self.lens.last(), self.strides.last()) else {
            return visit(0, range.len(), 0);
        };
        let mut at = range.start;
        while at < range.end {
            let count = (len - at % len).min(range.end - at);
            visit(self.offset(at), count, stride);
            at += count;
        }
    }
}

/// The elements of a view as `count` sequences of `len` elements, both in row-major order.
#[derive(Clone, Debug)]
pub(crate) struct Sequences<'a, T> {
    base: *const T,
    kept: Axes,
    along: Axes,
    /// How many sequences.
    pub count: usize,
    /// How many elements each has.
    pub len: usize,
    view: PhantomData<&'a [T]>,
}

// SAFETY: a shared borrow of plain values.
unsafe impl<T: Value> Send for Sequences<'_, T> {}
// SAFETY: likewise.
unsafe impl<T: Value> Sync for Sequences<'_, T> {}

impl<'a, T: Value> Sequences<'a, T> {
    /// Sequences along `axes`, of elements read as `T`, which has the dtype's width.
    pub fn new(x: HostView<'a>, axes: &[usize]) -> Sequences<'a, T> {
        assert_eq!(size_of::<T>(), x.dtype().bytes());
        let pick = |wanted: bool| {
            let axes = (0..x.shape().len()).filter(move |a| axes.contains(a) == wanted);
            Axes::new(axes.map(|a| (x.shape()[a], x.strides()[a])))
        };
        let (kept, along) = (pick(false), pick(true));
        let (count, len) = (kept.size(), along.size());
        let base = x.as_ptr().cast::<T>();
        assert!(count * len == 0 || base.is_aligned());
        Sequences { base, kept, along, count, len, view: PhantomData }
    }

    /// Every element, as one sequence.
    pub fn flat(x: HostView<'a>) -> Sequences<'a, T> {
        Sequences::new(x, &(0..x.shape().len()).collect::<Dims>())
    }

    /// A part of a sequence, if it stands as such in memory.
    #[inline(always)]
    pub fn slice(&self, sequence: usize, range: Range<usize>) -> Option<&'a [T]> {
        assert!(sequence < self.count && range.start <= range.end && range.end <= self.len);
        let plain = match self.along.strides.as_slice() {
            [] => true,
            [stride] => *stride == 1,
            _ => false,
        };
        if range.is_empty() {
            return Some(&[]);
        }
        let start = self.kept.offset(sequence) + range.start as isize;
        // SAFETY: the indices are within the shape (just checked), so the elements are within
        // the view's bytes, which are borrowed for 'a.
        plain.then(|| unsafe { slice::from_raw_parts(self.base.offset(start), range.len()) })
    }

    /// Appends a part of a sequence to a vector.
    #[inline(always)]
    pub fn gather(&self, sequence: usize, range: Range<usize>, to: &mut Vec<T>) {
        assert!(sequence < self.count && range.end <= self.len);
        let start = self.kept.offset(sequence);
        scratch::reserve(to, range.len());
        self.along.runs(range, |offset, count, stride| {
            // SAFETY: the indices are within the shape, so the elements are within the view.
            let at = |i: isize| unsafe { self.base.offset(start + offset + i * stride) };
            match stride {
                // SAFETY: likewise, and they are side by side.
                1 => to.extend_from_slice(unsafe { slice::from_raw_parts(at(0), count) }),
                // SAFETY: likewise.
                _ => to.extend((0..count as isize).map(|i| unsafe { *at(i) })),
            }
        });
    }

    /// A part of a sequence: in place, or copied into `buffer`.
    #[inline(always)]
    pub fn part<'b>(&self, sequence: usize, range: Range<usize>, buffer: &'b mut Vec<T>) -> &'b [T]
    where
        'a: 'b,
    {
        if let Some(slice) = self.slice(sequence, range.clone()) {
            return slice;
        }
        buffer.clear();
        self.gather(sequence, range, buffer);
        buffer
    }

    /// One element.
    #[inline(always)]
    pub fn at(&self, sequence: usize, i: usize) -> T {
        assert!(sequence < self.count && i < self.len);
        // SAFETY: the index is within the shape.
        unsafe { *self.base.offset(self.kept.offset(sequence) + self.along.offset(i)) }
    }

    /// How many neighbouring sequences have their elements side by side in memory: their
    /// elements at one place are a slice, which [`Sequences::row`] gives.
    pub fn row_len(&self) -> usize {
        match self.kept.strides.last() {
            Some(1) => self.kept.lens[self.kept.lens.len() - 1],
            _ => 1,
        }
    }

    /// Element `i` of the sequences in a range, which must not cross a multiple of
    /// [`Sequences::row_len`].
    #[inline(always)]
    pub fn row(&self, sequences: Range<usize>, i: usize) -> &'a [T] {
        let row = self.row_len();
        assert!(sequences.start < sequences.end && sequences.end <= self.count && i < self.len);
        assert!(sequences.start / row == (sequences.end - 1) / row);
        let start = self.kept.offset(sequences.start) + self.along.offset(i);
        // SAFETY: the indices are within the shape, and along the last axis the stride is 1.
        unsafe { slice::from_raw_parts(self.base.offset(start), sequences.len()) }
    }
}
