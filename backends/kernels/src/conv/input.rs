//! The input of a convolution as a matrix (`im2col`): a column for each entry of the batch and place of the result, a row for
//! each channel and place of the window. It is never in memory as a whole.

use crate::matmul::{Entry, Strips};
use ivy_core::Dims;
use ivy_core::host::scratch;
use smallvec::SmallVec;
use std::ops::Range;

/// Elements that are copied at once.
pub(super) const CHUNK: usize = 8;

/// A spatial axis. Positions count the elements after dilation, from the first one; no number here is above
/// 2^60, as [`ivy_core::ConvOp::out_shape`] has checked.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    pub len: usize,
    /// The length of the result.
    pub out: usize,
    pub window: usize,
    pub stride: isize,
    pub before: isize,
    /// How far neighbours of the input stand from each other.
    pub between: isize,
    /// How far neighbours of the window stand from each other.
    pub dilation: isize,
}

impl Axis {
    /// The position that the first place of the window has at a place of the result.
    fn first(&self, out: usize) -> isize {
        out as isize * self.stride - self.before
    }

    /// The element at a position, if there is one.
    fn element(&self, position: isize) -> Option<usize> {
        if self.between == 1 {
            // Nothing negative is below the length.
            return Some(position as usize).filter(|&i| i < self.len);
        }
        if position < 0 || position % self.between != 0 {
            return None;
        }
        Some((position / self.between) as usize).filter(|&i| i < self.len)
    }
}

impl Axis {
    /// Of so many columns from a position on, those that see an element, and the first element seen. Not of a dilated axis.
    pub(super) fn seen(&self, position: isize, columns: usize) -> (Range<usize>, usize) {
        let stride = self.stride;
        let reach = |end: isize| {
            let columns_before =
                if stride == 1 { end - position } else { (end - position + stride - 1).div_euclid(stride) };
            columns_before.clamp(0, columns as isize)
        };
        let (begin, end) = (reach(0), reach(self.len as isize));
        (begin as usize..end as usize, (position + begin * stride).max(0) as usize)
    }

    /// Every element at the distance of the stride, from the first one on.
    pub(super) fn copy<E: Entry>(&self, from: &[E], to: &mut [E::Acc]) {
        match self.stride {
            1 => {
                let len = to.len().min(from.len());
                // Short lines are the most frequent: without the call that a longer copy is worth.
                let (chunks, rest) = from[..len].as_chunks::<CHUNK>();
                let (to_chunks, to_rest) = to[..len].as_chunks_mut::<CHUNK>();
                to_chunks.iter_mut().zip(chunks).for_each(|(to, from)| *to = from.map(E::load));
                to_rest.iter_mut().zip(rest).for_each(|(to, x)| *to = x.load());
            }
            stride => {
                let elements = from.iter().step_by(stride as usize);
                to.iter_mut().zip(elements).for_each(|(to, x)| *to = x.load());
            }
        }
    }
}

/// Columns that follow each other along the last axis.
struct Run {
    columns: Range<usize>,
    /// The first element of the entry.
    entry: usize,
    /// Positions of the window's first place: on each axis, of the first of the columns.
    at: Dims<isize>,
}

/// A row: a channel, and a place of the window.
pub(super) struct Tap {
    pub channel: usize,
    pub outer: Dims,
    pub last: usize,
}

/// Channels of some entries of the batch, as windows see them.
pub(super) struct Windows<'a, E> {
    pub elements: &'a [E],
    pub channels: usize,
    /// Elements from one entry to the next.
    pub stride: usize,
    /// Columns of an entry: places of its result.
    places: usize,
    /// All axes but the last.
    pub outer: Dims<Axis>,
    pub last: Axis,
}

impl<'a, E: Entry> Windows<'a, E> {
    /// Channels one after the other, each with these axes, of which there is at least one; `stride` elements from an
    /// entry's to the next one's.
    pub(super) fn new(
        elements: &'a [E],
        channels: usize,
        stride: usize,
        mut axes: Dims<Axis>,
    ) -> Windows<'a, E> {
        let places = axes.iter().map(|a| a.out).product();
        let last = axes.pop().expect("a convolution has a spatial axis");
        Windows { elements, channels, stride, places, outer: axes, last }
    }

    /// Columns as runs, numbered from the first of them.
    fn runs(&self, columns: Range<usize>) -> SmallVec<[Run; 4]> {
        let mut runs = SmallVec::new();
        let mut next = columns.start;
        while next < columns.end {
            let (entry, place) = (next / self.places, next % self.places);
            let (mut row, place) = (place / self.last.out, place % self.last.out);
            let end = (next + self.last.out - place).min(columns.end);
            let mut at: Dims<isize> = Dims::from_elem(0, self.outer.len() + 1);
            for (to, axis) in at.iter_mut().zip(&self.outer).rev() {
                *to = axis.first(row % axis.out);
                row /= axis.out;
            }
            at[self.outer.len()] = self.last.first(place);
            let columns = next - columns.start..end - columns.start;
            runs.push(Run { columns, entry: entry * self.stride, at });
            next = end;
        }
        runs
    }

    /// Where the line of the input stands that a run sees through a place of the window; `None` outside.
    fn seen_line(&self, run: &Run, through: &Tap) -> Option<usize> {
        let mut line = 0;
        let mut size = 1;
        for ((axis, &at), &tap) in self.outer.iter().zip(&run.at).zip(&through.outer).rev() {
            line += size * axis.element(at + tap as isize * axis.dilation)?;
            size *= axis.len;
        }
        Some(run.entry + (through.channel * size + line) * self.last.len)
    }

    /// For so many positions of each of the outer axes, from the first one of the padding on: the number of the line
    /// within a channel, `None` outside.
    pub(super) fn lines(&self, positions: &[usize]) -> Vec<Option<usize>> {
        let line = |mut number: usize| {
            let (mut line, mut size) = (0, 1);
            for (axis, &count) in self.outer.iter().zip(positions).rev() {
                line += size * axis.element((number % count) as isize - axis.before)?;
                size *= axis.len;
                number /= count;
            }
            Some(line)
        };
        scratch::collected((0..positions.iter().product()).map(line))
    }

    /// The lines of an entry's channel.
    pub(super) fn channel(&self, entry: usize, channel: usize) -> &[E] {
        let size = self.outer.iter().map(|axis| axis.len).product::<usize>() * self.last.len;
        &self.elements[entry * self.stride + channel * size..][..size]
    }

    /// The place of the window of a row.
    pub(super) fn tap(&self, row: usize) -> Tap {
        let mut left = row / self.last.window;
        let mut outer: Dims = Dims::from_elem(0, self.outer.len());
        for (tap, axis) in outer.iter_mut().zip(&self.outer).rev() {
            *tap = left % axis.window;
            left /= axis.window;
        }
        Tap { channel: left, outer, last: row % self.last.window }
    }

    /// The place of the window of the row after one.
    pub(super) fn advance(&self, tap: &mut Tap) {
        tap.last += 1;
        if tap.last < self.last.window {
            return;
        }
        tap.last = 0;
        for (tap, axis) in tap.outer.iter_mut().zip(&self.outer).rev() {
            *tap += 1;
            if *tap < axis.window {
                return;
            }
            *tap = 0;
        }
        tap.channel += 1;
    }

    /// What a run sees of a line from a position on.
    pub(super) fn along(&self, line: &[E], position: isize, to: &mut [E::Acc]) {
        let Axis { stride, between, .. } = self.last;
        if between != 1 {
            for (j, to) in to.iter_mut().enumerate() {
                let element = self.last.element(position + j as isize * stride);
                *to = element.map_or(E::Acc::default(), |i| line[i].load());
            }
            return;
        }
        let (columns, from) = self.last.seen(position, to.len());
        to[..columns.start].fill(E::Acc::default());
        to[columns.end..].fill(E::Acc::default());
        if !columns.is_empty() {
            self.last.copy(&line[from..], &mut to[columns]);
        }
    }
}

impl<E: Entry> Strips<E::Acc> for Windows<'_, E> {
    fn write(&self, columns: Range<usize>, depth: Range<usize>, strip: usize, to: &mut [E::Acc]) {
        let taps: usize = self.outer.iter().map(|a| a.window).product::<usize>() * self.last.window;
        assert!(depth.end <= self.channels * taps);
        let count = columns.len();
        let runs = self.runs(columns);
        let mut tap = self.tap(depth.start);
        for to in to.chunks_exact_mut(strip).take(depth.len()) {
            let along = tap.last as isize * self.last.dilation;
            for run in &runs {
                let to = &mut to[run.columns.clone()];
                match self.seen_line(run, &tap) {
                    Some(line) => {
                        let line = &self.elements[line..line + self.last.len];
                        self.along(line, run.at[self.outer.len()] + along, to);
                    }
                    None => to.fill(E::Acc::default()),
                }
            }
            to[count..].fill(E::Acc::default());
            self.advance(&mut tap);
        }
    }
}
