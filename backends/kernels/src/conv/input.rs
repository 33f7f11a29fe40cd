//! The input of a convolution as a matrix (`im2col`): a column for each entry of the batch and place of the result, a row for
//! each channel and place of the window. It is never in memory as a whole.

use crate::matmul::{Entry, Strips};
use ivy_core::Dims;
use smallvec::SmallVec;
use std::ops::Range;

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

/// Columns that follow each other along the last axis.
struct Run {
    columns: Range<usize>,
    /// The first element of the entry.
    entry: usize,
    /// Positions of the window's first place: on each axis, of the first of the columns.
    at: Dims<isize>,
}

/// A row: a channel, and a place of the window.
struct Tap {
    channel: usize,
    outer: Dims,
    last: usize,
}

/// Channels of some entries of the batch, as windows see them.
pub(super) struct Windows<'a, E> {
    elements: &'a [E],
    channels: usize,
    /// Elements from one entry to the next.
    stride: usize,
    /// Columns of an entry: places of its result.
    places: usize,
    /// All axes but the last.
    outer: Dims<Axis>,
    last: Axis,
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
    fn line(&self, run: &Run, through: &Tap) -> Option<usize> {
        let mut line = 0;
        let mut size = 1;
        for ((axis, &at), &tap) in self.outer.iter().zip(&run.at).zip(&through.outer).rev() {
            line += size * axis.element(at + tap as isize * axis.dilation)?;
            size *= axis.len;
        }
        Some(run.entry + (through.channel * size + line) * self.last.len)
    }

    /// The place of the window of a row.
    fn tap(&self, row: usize) -> Tap {
        let mut left = row / self.last.window;
        let mut outer: Dims = Dims::from_elem(0, self.outer.len());
        for (tap, axis) in outer.iter_mut().zip(&self.outer).rev() {
            *tap = left % axis.window;
            left /= axis.window;
        }
        Tap { channel: left, outer, last: row % self.last.window }
    }

    /// The place of the window of the row after one.
    fn advance(&self, tap: &mut Tap) {
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
    fn along(&self, line: &[E], position: isize, to: &mut [E::Acc]) {
        let Axis { stride, between, .. } = self.last;
        if between != 1 {
            for (j, to) in to.iter_mut().enumerate() {
                let element = self.last.element(position + j as isize * stride);
                *to = element.map_or(E::Acc::default(), |i| line[i].load());
            }
            return;
        }
        // The first column inside of the line, and the first one beyond it.
        let reach = |end: isize| {
            let columns =
                if stride == 1 { end - position } else { (end - position + stride - 1).div_euclid(stride) };
            columns.clamp(0, to.len() as isize)
        };
        let (begin, end) = (reach(0) as usize, reach(line.len() as isize) as usize);
        to[..begin].fill(E::Acc::default());
        to[end..].fill(E::Acc::default());
        if begin == end {
            return;
        }
        let from = (position + begin as isize * stride) as usize;
        let to = &mut to[begin..end];
        match stride {
            1 => to.iter_mut().zip(&line[from..]).for_each(|(to, x)| *to = x.load()),
            _ => {
                let elements = line[from..].iter().step_by(stride as usize);
                to.iter_mut().zip(elements).for_each(|(to, x)| *to = x.load());
            }
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
                match self.line(run, &tap) {
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
