//! The input of a convolution with its padding and dilation in memory, and the elements of the last axis by their phase
//! within the stride: columns of `im2col` that follow each other along that axis are copied as vectors, from an address
//! that is the sum of one of the column and one of the row.

use super::copies::{Spread, Write, WriteRows};
use super::input::{Axis, CHUNK, Windows};
use crate::isa::dispatch;
use crate::matmul::{Entry, Packed, Rows, Strips, filled};
use ivy_core::Dims;
use ivy_core::host::scratch;
use smallvec::SmallVec;
use std::mem::MaybeUninit;
use std::ops::Range;

/// Most elements of a padded input: larger ones are read where they are, along lines that are long enough then.
const LARGEST: usize = 1 << 22;

/// Columns that follow each other along the last axis: the first one's number, how many there are, and where in memory
/// the first place of the window stands for the first of them.
pub(super) type Run = (usize, usize, usize);

/// Where elements of the input are in memory.
enum Elements<'a, A> {
    /// The input itself, which needs neither padding nor phases.
    Borrowed(&'a [A]),
    Padded(Packed<A>),
}

/// Channels of some entries of the batch, with padding and dilation.
pub(super) struct Padded<'a, A> {
    elements: Elements<'a, A>,
    /// Elements from one entry to the next.
    stride: usize,
    /// All axes but the last: places of the result, and elements from one of them to the next.
    outer: Dims<(usize, usize)>,
    /// Places of the result on the last axis.
    last: usize,
    /// For each row of `im2col`, the elements from a column's first one to what it has in this row.
    rows: Vec<usize>,
    /// The largest of them.
    reach: usize,
    /// Rows that follow each other along the last axis.
    window: usize,
}

impl Axis {
    /// Positions that windows reach, the first of which is the first one of the padding.
    fn span(&self) -> usize {
        (self.out - 1) * self.stride as usize + self.reach()
    }

    /// Positions that a window reaches.
    fn reach(&self) -> usize {
        (self.window - 1) * self.dilation as usize + 1
    }

    /// True if positions are places of the input, without padding that a window sees.
    fn is_bare(&self) -> bool {
        self.between == 1 && self.before == 0 && self.span() <= self.len
    }
}

/// The elements of the last axis in memory: as many phases as a window reaches, of so many elements each.
fn phases(last: &Axis) -> (usize, usize) {
    let stride = last.stride as usize;
    (stride.min(last.reach()), last.span().div_ceil(stride))
}

/// Writes what `windows` see of each channel, with so many positions of the outer axes and phases of so many elements, to
/// memory whose padding is there.
fn fill<E: Entry>(
    windows: &Windows<E>,
    positions: &[usize],
    (count, length): (usize, usize),
    all: &mut [E::Acc],
) {
    let last = &windows.last;
    let lines = windows.lines(positions);
    let seen: SmallVec<[_; 4]> =
        (0..count).map(|phase| last.seen(phase as isize - last.before, length)).collect();
    let (len, plane) = (last.len, lines.len() * count * length);
    let plain = last.stride == 1 && last.between == 1;
    if let [(columns, from)] = &seen[..]
        && plain
        && columns.len() >= CHUNK
    {
        // The last chunk may overlap the one before it.
        let chunks = || (0..columns.len()).step_by(CHUNK).map(|at| at.min(columns.len() - CHUNK));
        let mut parts = scratch::vec(lines.len() * columns.len().div_ceil(CHUNK));
        for (number, line) in lines.iter().enumerate() {
            let Some(line) = line else { continue };
            let (to, from) = (number * length + columns.start, line * len + from);
            parts.extend(chunks().map(|at| (to + at, from + at)));
        }
        return dispatch(Spread { windows, parts: &parts, plane, to: all });
    }
    for (number, to) in all.chunks_exact_mut(plane).enumerate() {
        let channel = windows.channel(number / windows.channels, number % windows.channels);
        for (to, &line) in to.chunks_exact_mut(count * length).zip(&lines) {
            let Some(line) = line else { continue };
            let line = &channel[line * len..][..len];
            for ((phase, to), (columns, from)) in to.chunks_exact_mut(length).enumerate().zip(&seen) {
                match last.between {
                    1 => last.copy(&line[(*from).min(line.len())..], &mut to[columns.clone()]),
                    _ => windows.along(line, phase as isize - last.before, to),
                }
            }
        }
    }
}

impl<'a, A: Copy + Default> Padded<'a, A> {
    /// What `windows` see of so many entries; `None` where the copy would be larger than what is packed from it, as
    /// with strides beyond the window, or is too large. Neither the result nor a window is empty.
    pub(super) fn new<E: Entry<Acc = A>>(windows: &Windows<'a, E>, entries: usize) -> Option<Padded<'a, A>> {
        let axes = windows.outer.iter().chain([&windows.last]);
        if axes.clone().all(Axis::is_bare)
            && windows.last.stride == 1
            && let Some(elements) = E::direct(windows.elements)
        {
            let lens: Dims = axes.map(|axis| axis.len).collect();
            return Some(Padded::over(Elements::Borrowed(elements), windows, windows.stride, &lens));
        }
        let packed = axes.clone().flat_map(|axis| [axis.out, axis.window]);
        let packed = { packed }.try_fold(entries * windows.channels, usize::checked_mul);
        let (count, length) = phases(&windows.last);
        let mut lens: Dims = windows.outer.iter().map(Axis::span).collect();
        lens.push(count * length);
        let stride = lens.iter().try_fold(windows.channels, |n, &len| n.checked_mul(len))?;
        let size = stride.checked_mul(entries).filter(|&n| n <= LARGEST.min(packed.unwrap_or(LARGEST)))?;
        let mut memory = scratch::buffer((size + CHUNK) * size_of::<A>());
        let all = &mut filled(&mut memory, A::default())[..size];
        fill(windows, &lens[..lens.len() - 1], (count, length), all);
        // SAFETY: all of it has been filled.
        let elements = Elements::Padded(unsafe { Packed::new(memory) });
        Some(Padded::over(elements, windows, stride, &lens))
    }

    /// Over elements whose axes have these lengths, the last one all its phases.
    fn over<E: Entry<Acc = A>>(
        elements: Elements<'a, A>,
        windows: &Windows<'a, E>,
        stride: usize,
        lens: &[usize],
    ) -> Padded<'a, A> {
        let last = &windows.last;
        let length = match elements {
            Elements::Borrowed(_) => last.len,
            Elements::Padded(_) => phases(last).1,
        };
        let mut size = lens[lens.len() - 1];
        let mut steps: Dims = Dims::from_elem(0, windows.outer.len());
        for (step, len) in steps.iter_mut().zip(lens).rev() {
            *step = size;
            size *= len;
        }
        let steps_of = |axis: &Axis, step: usize| (axis.out, step * axis.stride as usize);
        let outer = windows.outer.iter().zip(&steps).map(|(axis, &step)| steps_of(axis, step)).collect();
        let lines: usize = windows.outer.iter().map(|axis| axis.window).product();
        let mut of_channel: Vec<usize> = scratch::vec(lines * last.window);
        for line in 0..lines {
            let tap = windows.tap(line * last.window);
            let outer = tap.outer.iter().zip(&windows.outer).zip(&steps);
            let outer: usize = outer.map(|((&tap, axis), step)| tap * axis.dilation as usize * step).sum();
            let along = (0..last.window).map(|tap| tap * last.dilation as usize);
            let places = along.map(|at| at % last.stride as usize * length + at / last.stride as usize);
            of_channel.extend(places.map(|place| outer + place));
        }
        let mut rows = scratch::vec(windows.channels * of_channel.len());
        for channel in 0..windows.channels {
            rows.extend(of_channel.iter().map(|row| channel * size + row));
        }
        let reach = rows.iter().max().copied().unwrap_or_default();
        Padded { elements, stride, outer, last: last.out, rows, reach, window: last.window }
    }

    /// True if it is the input itself.
    pub(super) fn is_borrowed(&self) -> bool {
        matches!(self.elements, Elements::Borrowed(_))
    }

    fn elements(&self) -> &[A] {
        match &self.elements {
            Elements::Borrowed(elements) => elements,
            Elements::Padded(packed) => packed.elements(),
        }
    }

    /// Columns as runs, numbered from the first of them.
    fn runs(&self, columns: Range<usize>) -> SmallVec<[Run; 16]> {
        let mut runs = SmallVec::new();
        let mut next = columns.start;
        while next < columns.end {
            let (mut line, place) = (next / self.last, next % self.last);
            let end = (next + self.last - place).min(columns.end);
            let mut at = place;
            for &(out, step) in self.outer.iter().rev() {
                at += line % out * step;
                line /= out;
            }
            runs.push((next - columns.start, end - next, at + line * self.stride));
            next = end;
        }
        runs
    }
}

impl<A: Copy + Default + Sync> Strips<A> for Padded<'_, A> {
    fn write(&self, columns: Range<usize>, depth: Range<usize>, strip: usize, to: &mut [A]) {
        let (count, elements) = (columns.len(), self.elements());
        let rows = &self.rows[depth];
        let mut chunks: SmallVec<[Run; 16]> = SmallVec::new();
        for (at, len, base) in self.runs(columns) {
            let parts = (0..len).step_by(CHUNK);
            chunks.extend(parts.map(|done| (at + done, CHUNK.min(len - done), base + done)));
        }
        let whole =
            |&&(at, _, base): &&Run| at + CHUNK <= strip && base + self.reach + CHUNK <= elements.len();
        let (whole, rest) = chunks.split_at(chunks.iter().take_while(whole).count());
        let reach = |&(at, _, base): &Run| (at, &elements[base..][..self.reach + CHUNK]);
        let chunks = whole.iter().map(reach).collect();
        dispatch(Write { elements, rows, chunks, rest, count, strip, to });
    }
}

// SAFETY: the parts are all of a column's rows, the runs all columns, and of each part of a run every element is written.
unsafe impl<A: Copy + Default + Sync> Rows<A> for Padded<'_, A> {
    fn write_rows(&self, columns: Range<usize>, depth: Range<usize>, step: usize, to: &mut [MaybeUninit<A>]) {
        let mut parts = scratch::vec(depth.len());
        let mut next = depth.start;
        while next < depth.end {
            let end = (next + self.window - next % self.window).min(depth.end);
            let chunks = (next..end).step_by(CHUNK);
            parts.extend(chunks.map(|k| (k - depth.start, CHUNK.min(end - k), self.rows[k])));
            next = end;
        }
        let runs = self.runs(columns);
        dispatch(WriteRows {
            elements: self.elements(),
            reach: self.reach,
            runs: &runs,
            parts: &parts,
            step,
            to,
        });
    }
}
