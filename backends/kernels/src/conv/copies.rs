//! Copies from an input to a padded one, and from that to packed operands, in chunks of a fixed length.

use super::input::{CHUNK, Windows};
use super::padded::Run;
use crate::isa::Kernel;
use crate::matmul::Entry;
use smallvec::SmallVec;
use std::array::from_fn;
use std::mem::MaybeUninit;

/// The lines of all channels, with padding between them.
pub(super) struct Spread<'a, E: Entry> {
    pub windows: &'a Windows<'a, E>,
    /// Chunks of a channel: where each goes, and where it comes from.
    pub parts: &'a [(usize, usize)],
    /// Elements of a channel with padding.
    pub plane: usize,
    pub to: &'a mut [E::Acc],
}

impl<E: Entry> Kernel for Spread<'_, E> {
    const WIDE: bool = true;
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let channels = self.windows.channels;
        for (number, to) in self.to.chunks_exact_mut(self.plane).enumerate() {
            let channel = self.windows.channel(number / channels, number % channels);
            for &(at, from) in self.parts {
                let from = channel[from..].first_chunk::<CHUNK>().expect("a chunk of a line");
                *to[at..].first_chunk_mut().expect("a whole chunk") = from.map(E::load);
            }
        }
    }
}

/// Rows of a strip.
pub(super) struct Write<'a, A> {
    pub elements: &'a [A],
    pub rows: &'a [usize],
    /// Columns that are copied as chunks, and all that rows have from the first of them on. What a chunk has beyond its run
    /// belongs to the next one, which is written later, or is no column.
    pub chunks: SmallVec<[(usize, &'a [A]); 16]>,
    /// Columns after those.
    pub rest: &'a [Run],
    pub count: usize,
    pub strip: usize,
    pub to: &'a mut [A],
}

impl<A: Copy + Default> Write<'_, A> {
    /// With so many chunks that follow each other from the first column on, and nothing else.
    #[inline(always)]
    fn side_by_side<const N: usize>(self) {
        let from: [&[A]; N] = from_fn(|i| self.chunks[i].1);
        let len = from[0].len();
        let from = from.map(|from| &from[..len]);
        for (to, &row) in self.to.chunks_exact_mut(N * CHUNK).zip(self.rows) {
            for (to, from) in to.as_chunks_mut::<CHUNK>().0.iter_mut().zip(from) {
                *to = *from[row..].first_chunk().expect("no row is beyond the reach");
            }
        }
    }
}

impl<A: Copy + Default> Kernel for Write<'_, A> {
    const WIDE: bool = true;
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let places = self.chunks.iter().map(|&(at, _)| at);
        if self.rest.is_empty() && self.count == self.strip && places.eq((0..self.strip).step_by(CHUNK)) {
            match self.chunks.len() {
                2 => return self.side_by_side::<2>(),
                4 => return self.side_by_side::<4>(),
                _ => {}
            }
        }
        for (to, &row) in self.to.chunks_exact_mut(self.strip).zip(self.rows) {
            for &(at, from) in &self.chunks {
                let from = from[row..].first_chunk::<CHUNK>().expect("no row is beyond the reach");
                *to[at..].first_chunk_mut().expect("a whole chunk") = *from;
            }
            for &(at, len, base) in self.rest {
                let from = &self.elements[base + row..][..len];
                to[at..][..len].iter_mut().zip(from).for_each(|(to, &from)| *to = from);
            }
            to[self.count..].fill(A::default());
        }
    }
}

/// Columns of `im2col`, each one after the other.
pub(super) struct WriteRows<'a, A> {
    pub elements: &'a [A],
    pub reach: usize,
    pub runs: &'a [Run],
    /// Of a column, elements that follow each other: the first one's number, how many there are, and where in memory they
    /// are from what the column has first.
    pub parts: &'a [Run],
    /// Elements from one column to the next.
    pub step: usize,
    pub to: &'a mut [MaybeUninit<A>],
}

impl<A: Copy> Kernel for WriteRows<'_, A> {
    const WIDE: bool = true;
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let bases = self.runs.iter().flat_map(|&(_, len, base)| base..base + len);
        for (to, base) in self.to.chunks_exact_mut(self.step).zip(bases) {
            // What a chunk has beyond its part belongs to the next one, which is written later, or is not read.
            match self.elements[base..].get(..self.reach + CHUNK) {
                Some(from) if self.parts.iter().all(|&(at, ..)| at + CHUNK <= self.step) => {
                    for &(at, _, row) in self.parts {
                        let from = from[row..].first_chunk::<CHUNK>().expect("no row is beyond the reach");
                        *to[at..].first_chunk_mut().expect("a whole chunk") = from.map(MaybeUninit::new);
                    }
                }
                _ => {
                    for &(at, len, row) in self.parts {
                        let from = &self.elements[base + row..][..len];
                        to[at..][..len].iter_mut().zip(from).for_each(|(to, &from)| _ = to.write(from));
                    }
                }
            }
        }
    }
}
