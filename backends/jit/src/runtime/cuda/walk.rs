//! What a thread computes at a time, of results that have every element: decided for each launch, from
//! the steps and addresses of its inputs.

use super::space::{Input, Space};
use crate::codegen::ptx::{Nature, Shape, TILE, Walk, shared_bytes};
use crate::ir::Param;
use crate::runtime::Reading;

/// Threads for each multiprocessor: with fewer, one element a thread is sooner done.
const THREADS: usize = 1024;
/// What memory reads at least, in bytes.
const SECTOR: usize = 32;
/// Rows and columns that are worth a tile.
const LINES: usize = 8;
/// The shared memory that any kernel may have, in bytes.
const SHARED: usize = 48 << 10;
/// Tiles of a side from which on mirrored ones are too far apart for the caches, unless they follow one
/// another.
const APART: usize = 32;

/// What a launch may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Elements side by side.
    pub abreast: bool,
    /// Tiles.
    pub tiles: bool,
    /// The device's multiprocessors.
    pub processors: u32,
}

/// True for results that keep no device of so many multiprocessors busy: a thread computes one then.
pub(super) fn are_few(results: usize, processors: u32) -> bool {
    results < processors as usize * THREADS
}

impl Space {
    /// The best walk of a kernel with these parameters.
    pub fn best(&self, params: &[Param], nature: Nature, wanted: Wanted) -> Walk {
        let threads = wanted.processors as usize * THREADS;
        if self.shape() != Shape::Elements || are_few(self.results(), wanted.processors) {
            return Walk::SINGLE;
        }
        let tiles = if wanted.tiles { self.tiled(params, nature) } else { None };
        let abreast = |each| self.abreast(params, nature, each);
        let mut each = if wanted.abreast && tiles.is_none() { nature.most } else { 1 };
        while each > 1 && (abreast(each).is_none() || self.results() / (each as usize) < threads) {
            each /= 2;
        }
        tiles.or_else(|| abreast(each)).unwrap_or(Walk::SINGLE)
    }

    /// The walk of so many elements side by side; `None` if rows are not made of them.
    pub fn abreast(&self, params: &[Param], nature: Nature, each: u32) -> Option<Walk> {
        let (row, count) = (self.outer(), each as usize);
        let ragged = !self.lengths()[row].is_multiple_of(count);
        if each > nature.most || each < 2 || ragged && (row > 0 || nature.exact) {
            return None;
        }
        let whole = |(n, i): (usize, &Input)| {
            let bytes = (params[n].bytes() * count) as u64;
            let others = i.steps.iter().zip(self.lengths()).enumerate().filter(|(axis, _)| *axis != row);
            let steps = others.filter(|(_, (_, length))| **length > 1).map(|(_, (step, _))| step);
            i.reading == Reading::Walked
                && i.steps[row] == 1
                && i.address % bytes == 0
                && steps.into_iter().all(|step| step % count as isize == 0)
        };
        Some(Walk::Abreast { each, whole: self.bits(whole), ragged })
    }

    /// The walk in tiles; `None` if no input is better read along another axis than the row, or little
    /// of it.
    pub fn tiled(&self, params: &[Param], nature: Nature) -> Option<Walk> {
        let row = self.outer();
        if !nature.tiles || self.lengths()[row] < LINES {
            return None;
        }
        let near = |step: isize, p: &Param| step.unsigned_abs().saturating_mul(p.bytes()) < SECTOR;
        let turns = |(n, i): (usize, &Input), axis: usize| {
            i.reading == Reading::Walked
                && i.steps[axis] != 0
                && near(i.steps[axis], &params[n])
                && !near(i.steps[row], &params[n])
        };
        let gain = |axis: usize| -> usize {
            let inputs = self.inputs().iter().enumerate().filter(|&i| turns(i, axis));
            inputs.map(|(n, _)| params[n].bytes()).sum()
        };
        let axes = (0..row).filter(|&axis| self.lengths()[axis] >= LINES);
        let (gain, axis) = axes.map(|axis| (gain(axis), axis)).max()?;
        let mut left = SHARED;
        let transposed = self.bits(|(n, i)| {
            let bytes = shared_bytes(&params[n]);
            let fits = turns((n, i), axis) && bytes <= left;
            left -= if fits { bytes } else { 0 };
            fits
        });
        (gain > 0 && transposed > 0).then(|| Walk::Tiles {
            axis,
            transposed,
            mirrored: self.mirrors(axis, transposed),
        })
    }

    /// True if elements that are transposed are read as they are as well, as far from the diagonal.
    fn mirrors(&self, axis: usize, transposed: u32) -> bool {
        let row = self.outer();
        let [width, height] = [row, axis].map(|axis| self.lengths()[axis]);
        let mirror = |i: &Input| {
            let mut steps = i.steps.clone();
            steps.swap(axis, row);
            self.inputs().iter().any(|other| (other.address, &other.steps) == (i.address, &steps))
        };
        width == height
            && width.div_ceil(TILE as usize) >= APART
            && self.inputs().iter().enumerate().any(|(n, i)| n < 32 && transposed >> n & 1 > 0 && mirror(i))
    }

    /// A bit for each of the first 32 inputs that is chosen.
    fn bits(&self, mut chosen: impl FnMut((usize, &Input)) -> bool) -> u32 {
        let inputs = self.inputs().iter().enumerate().take(32);
        inputs.fold(0, |bits, (n, i)| bits | u32::from(chosen((n, i))) << n)
    }

    /// How many tiles a kernel walks, or pairs of tiles that mirror each other.
    pub(super) fn tiles(&self, axis: usize, mirrored: bool) -> usize {
        let row = self.outer();
        let [wide, high] = [row, axis].map(|axis| self.lengths()[axis].div_ceil(TILE as usize));
        let around: usize = (0..row).filter(|&a| a != axis).map(|a| self.lengths()[a]).product();
        around * if mirrored { wide * (wide / 2 + 1) } else { wide * high }
    }
}
