//! The input of a convolution with its padding and dilation in memory, and the elements of the last axis by their phase
//! within the stride: columns of `im2col` that follow each other along that axis are copied as vectors, from an address
//! that is the sum of one of the column and one of the row.

use super::input::{Axis, Windows};
use crate::matmul::{Entry, Packed, Strips, filled};
use ivy_core::Dims;
use ivy_core::host::scratch;
use smallvec::SmallVec;
use std::ops::Range;

/// Elements that are copied at once.
const CHUNK: usize = 8;

/// Most elements of a padded input: larger ones are read where they are, along lines that are long enough then.
const LARGEST: usize = 1 << 22;

/// Columns that follow each other along the last axis: the first one's number, how many there are, and where in memory
/// the first place of the window stands for the first of them.
type Run = (usize, usize, usize);

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
        let lines = windows.lines(&lens[..lens.len() - 1]);
        let seen: SmallVec<[_; 4]> =
            (0..count).map(|phase| windows.last.seen(phase as isize - windows.last.before, length)).collect();
        for (number, to) in all.chunks_exact_mut(stride / windows.channels).enumerate() {
            let (entry, channel) = (number / windows.channels, number % windows.channels);
            for (to, &line) in to.chunks_exact_mut(count * length).zip(&lines) {
                let Some(line) = line else { continue };
                let line = windows.line(entry, channel, line);
                for ((phase, to), (columns, from)) in to.chunks_exact_mut(length).enumerate().zip(&seen) {
                    match windows.last.between {
                        1 => windows.last.copy(&line[(*from).min(line.len())..], &mut to[columns.clone()]),
                        _ => windows.along(line, phase as isize - windows.last.before, to),
                    }
                }
            }
        }
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
        let taps = windows.outer.iter().map(|a| a.window).product::<usize>() * last.window;
        let mut rows = scratch::vec(windows.channels * taps);
        let mut tap = windows.tap(0);
        for _ in 0..windows.channels * taps {
            let along = tap.last * last.dilation as usize;
            let (phase, within) = (along % last.stride as usize, along / last.stride as usize);
            let outer = tap.outer.iter().zip(&windows.outer).zip(&steps);
            let outer: usize = outer.map(|((&tap, axis), step)| tap * axis.dilation as usize * step).sum();
            rows.push(tap.channel * size + outer + phase * length + within);
            windows.advance(&mut tap);
        }
        Padded { elements, stride, outer, last: last.out, rows }
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
        for (at, len, base) in self.runs(columns) {
            for done in (0..len).step_by(CHUNK) {
                let (at, base, len) = (at + done, base + done, CHUNK.min(len - done));
                let to = to.chunks_exact_mut(strip).map(|to| &mut to[at..]).zip(rows);
                // What a chunk has beyond its run belongs to the next one, which is written later, or is no column.
                let whole = at + CHUNK <= strip;
                for (to, &row) in to {
                    let from = &elements[base + row..];
                    match (from.first_chunk::<CHUNK>(), to.first_chunk_mut::<CHUNK>()) {
                        (Some(from), Some(to)) if whole => *to = *from,
                        _ => to.iter_mut().zip(&from[..len]).for_each(|(to, &from)| *to = from),
                    }
                }
            }
        }
        if count < strip {
            to.chunks_exact_mut(strip).take(rows.len()).for_each(|to| to[count..].fill(A::default()));
        }
    }
}
