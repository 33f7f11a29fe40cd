//! Programs over rows on a device, in one launch.
//!
//! # The promise
//! As in [`super::launch`]: the space leads to elements of its inputs' memory, values have memory for every
//! row, and the function reads and writes no others. What it has in shared memory lies within the bytes
//! that [`Rows`] gives a block: a team's is its parts of folds and then its slots, each for a whole row,
//! whose elements a thread reads only where it has written them.

use super::device::{Device, Kernel};
use super::failure::Failure;
use super::launch::{WAVES, memory, unfit};
use super::pool::Memory;
use super::space::Space;
use crate::codegen::From;
use crate::codegen::ptx::{
    ABREAST, APART, ARGUMENT_BYTES, PART, PARTIAL, Piece, RowWords, RowsForm, Shape, Slots, Stand, Team,
    WARP, WIDEST, Way, takes,
};
use crate::ir::fold::{BLOCK, LANES};
use crate::ir::{Access, Code, Param};
use crate::runtime::Reading;
use ivy_core::Result;

/// Parts of a row that warps compute, at most.
const PARTS: usize = (WARP * WARP) as usize;
/// Warps of a block, at most: for rows of no more parts, which has each warp do one, and for others, whose
/// threads have more registers.
const WARPS: usize = 32;
const FEWER: usize = 16;
/// Elements that are enough for a thread.
const ENOUGH: usize = 16;
/// Rows of so many elements have them apart, even where they may be read side by side.
const SHORT: usize = 64;
/// Elements farther from each other than this are better found by threads side by side in columns.
const NEAR: isize = 4;

/// How a program runs over the rows of a space.
pub struct Rows<'s> {
    space: &'s Space,
    /// The form of the function.
    pub form: RowsForm,
    /// For each value: its parameter, if it is in memory, and the elements that it has for a row.
    values: Vec<Option<(Param, usize)>>,
    /// For each input.
    params: Vec<Param>,
    /// Threads of a block, rows at a time of one, and the bytes that a team shares.
    threads: u32,
    teams: usize,
    bytes: usize,
    /// Where each slot begins.
    slots: Vec<usize>,
    parts: usize,
}

impl<'s> Rows<'s> {
    /// How these pieces run; `None` if they, or the rows, are of a kind that no function is for, or need
    /// more shared memory than there is.
    pub fn new(device: &Device, space: &'s Space, pieces: &[Piece<'_>]) -> Option<Rows<'s>> {
        let count = pieces.iter().map(|piece| piece.gives.len()).sum();
        let (row, rows) = (*space.lengths().last()?, space.rows());
        let small = |n: usize| n > 0 && n < 1 << 31;
        if space.shape() != Shape::Along || !takes(pieces) || !small(row) || !small(rows) {
            return None;
        }
        let params = params(space, pieces)?;
        let values = values(pieces, count, row)?;
        let walks = space.inputs().iter().zip(&params);
        let far = |(input, p): (&super::Input, &Param)| {
            let step = input.steps[space.outer()];
            let bytes = step.checked_mul(p.bytes() as isize);
            let scattered = input.reading != Reading::Counted && step.abs() > NEAR;
            scattered || bytes.is_none_or(|b| i32::try_from(b).is_err())
        };
        if walks.clone().any(far) {
            return None;
        }
        let moves = |input: &super::Input| input.steps[space.outer()] != 0;
        let aligned = |(input, p): (&super::Input, &Param)| {
            let bytes = (p.bytes() * ABREAST as usize).min(WIDEST);
            let whole = |step: &isize| (step.unsigned_abs() * p.bytes()).is_multiple_of(bytes);
            let outer = &input.steps[..space.outer()];
            p.access == Access::Linear
                && input.address.is_multiple_of(bytes as u64)
                && outer.iter().all(whole)
        };
        let read: Vec<_> = walks.clone().filter(|(i, _)| i.reading == Reading::Walked && moves(i)).collect();
        let wide = row.is_multiple_of(ABREAST as usize)
            && (read.is_empty() || read.iter().any(|&walk| aligned(walk)));
        // Of a row of few steps, folds are most of the work. Where there are no elements, a loop might have no end.
        let ends = !pieces.iter().any(|piece| piece.kernel.has(Code::Loop));
        let apart = ends && (row <= SHORT || !wide && row <= BLOCK);
        let (stand, wide) = if apart { (Stand::Apart, false) } else { (Stand::Beside, wide) };
        let abreast = match stand {
            Stand::Apart => (row.div_ceil(APART as usize).next_power_of_two() as u32).min(ABREAST),
            Stand::Beside if wide => ABREAST,
            Stand::Beside => 1,
        };
        let way = |walk: (&super::Input, &Param)| match walk.0.steps.iter().all(|&s| s == 0) {
            true => Way::Fixed,
            false if wide && aligned(walk) => Way::Aligned,
            false => Way::Walked,
        };
        let ways: Vec<Way> = walks.clone().map(way).collect();
        let blocks = row.div_ceil(BLOCK);
        let parts = blocks.div_ceil(abreast as usize);
        if parts > PARTS {
            return None;
        }
        let (team, threads, teams) = match parts {
            1 => {
                let group = if apart { APART } else { LANES as u32 / abreast };
                let threads = group * blocks.next_power_of_two() as u32;
                let steps = row.min(BLOCK).div_ceil(LANES) as u32;
                (Team::Part { threads, steps }, PART, (PART / threads) as usize)
            }
            _ => {
                // As many for each warp.
                let many = parts > WARPS;
                let warps = parts.div_ceil(parts.div_ceil(if many { FEWER } else { WARPS }));
                let threads = warps as u32 * WARP;
                (Team::Block { most: threads.next_power_of_two(), many }, threads, 1)
            }
        };
        let folds = pieces.iter().flat_map(|piece| &piece.kernel.params);
        let folds: usize = folds.filter(|p| p.access.along().is_some()).map(|p| p.parts as usize).sum();
        let partials = if teams == 1 && parts > 1 { folds * parts * PARTIAL } else { 0 };
        let room = |staged: bool| {
            let slots = Slots::of(pieces, params.len(), count, staged);
            let mut end = partials.next_multiple_of(WIDEST);
            let mut begins = Vec::new();
            for bytes in &slots.bytes {
                begins.push(end);
                // A row of one step stays in registers.
                let bytes = if apart && row <= LANES { 0 } else { row * bytes };
                end += bytes.next_multiple_of(WIDEST);
            }
            (slots, begins, end)
        };
        // What is read again comes from the caches, if a block would be alone with it in shared memory.
        let (staged, plain) = (room(true), room(false));
        let most = device.shared as usize;
        let (slots, begins, bytes) =
            if staged.2 * teams <= (plain.2 * teams).max(most / 2) { staged } else { plain };
        let form = RowsForm { outer: space.outer(), abreast, stand, team, ways, slots };
        let rows = Rows { space, form, values, params, threads, teams, bytes, slots: begins, parts };
        (bytes * teams <= most && rows.words(&[]).len() * 8 <= ARGUMENT_BYTES).then_some(rows)
    }

    /// Runs the function of the form, and gives the values that are in memory: a number for each row of
    /// folds, the elements of the last one if it is none.
    ///
    /// # Errors
    /// No memory, and what a launch before ended with; [`ivy_core::ErrorKind::InvalidArgument`] for inputs
    /// that are not found as the form says.
    pub fn launch(&self, kernel: &Kernel) -> Result<Vec<Option<Memory>>> {
        let rows = self.space.rows();
        let made = |value: &Option<(Param, usize)>| {
            let room = |(p, each): (Param, usize)| match rows.checked_mul(each) {
                Some(count) => memory(kernel, count, &p).map_err(ivy_core::Error::from),
                None => Err(unfit(self.space)),
            };
            value.map(room).transpose()
        };
        let results: Vec<Option<Memory>> = self.values.iter().map(made).collect::<Result<_>>()?;
        let addresses: Vec<u64> = results.iter().flatten().map(Memory::address).collect();
        self.start(kernel, &self.words(&addresses))?;
        Ok(results)
    }

    fn start(&self, kernel: &Kernel, words: &[u64]) -> Result<(), Failure> {
        let device = kernel.device();
        // All at once: a processor begins with the next block as soon as one has ended. What a thread finds out for
        // all rows is not worth it for a few elements.
        let rows = self.space.rows();
        let elements = match self.form.team {
            Team::Part { steps, .. } => (steps * self.form.abreast) as usize,
            Team::Block { .. } => ENOUGH,
        };
        let spare = rows / (self.teams * device.processors as usize * WAVES);
        let blocks = rows.div_ceil(self.teams * (ENOUGH / elements).min(spare).max(1));
        let shared = (self.bytes * self.teams) as u32;
        device.start_sharing(kernel, blocks as u32, ((self.threads, 1), shared), words)
    }

    /// The argument, with values in memory at these addresses.
    fn words(&self, addresses: &[u64]) -> Vec<u64> {
        let lengths = self.space.lengths();
        let mut words = vec![0; 4];
        words[RowWords::ROWS] = self.space.rows() as u64;
        words[RowWords::LENGTH] = lengths[self.space.outer()] as u64;
        words[RowWords::PARTS] = self.parts as u64;
        words[RowWords::BYTES] = self.bytes as u64;
        words.extend(lengths[..self.space.outer()].iter().map(|&l| l as u64));
        for (input, p) in self.space.inputs().iter().zip(&self.params) {
            words.push(input.address);
            words.extend(input.steps.iter().map(|&s| (s as i64).wrapping_mul(p.bytes() as i64) as u64));
        }
        words.extend(addresses);
        words.extend(self.slots.iter().map(|&s| s as u64));
        words
    }
}

/// The parameter that each input is; `None` if pieces do not read it alike, or as the space has it.
fn params(space: &Space, pieces: &[Piece<'_>]) -> Option<Vec<Param>> {
    let mut params: Vec<Option<Param>> = vec![None; space.inputs().len()];
    for piece in pieces {
        for (from, &p) in piece.from.iter().zip(&piece.kernel.params) {
            let From::Outside(input) = *from else { continue };
            let known = *params.get_mut(input)?.get_or_insert(p);
            if known != p || p.access != space.access(input) {
                return None;
            }
        }
    }
    params.into_iter().collect()
}

/// What is in memory of each value; `None` if pieces read what is not there by then, or otherwise.
fn values(pieces: &[Piece<'_>], count: usize, row: usize) -> Option<Vec<Option<(Param, usize)>>> {
    let mut made: Vec<Option<Param>> = vec![None; count];
    for piece in pieces {
        for (from, p) in piece.from.iter().zip(&piece.kernel.params) {
            let From::Value(value) = *from else { continue };
            let given = (*made.get(value)?)?;
            let access = if given.access.along().is_some() { Access::Uniform } else { Access::Linear };
            if (p.ty, p.parts, p.access) != (given.ty, given.parts, access) {
                return None;
            }
        }
        for (p, &value) in piece.kernel.params[piece.from.len()..].iter().zip(piece.gives) {
            if !p.access.is_result() || made.get_mut(value)?.replace(*p).is_some() {
                return None;
            }
        }
    }
    let number = |(value, p): (usize, Option<Param>)| {
        let p = p?;
        let each = if p.access.along().is_some() { 1 } else { row };
        Some((p.access.along().is_some() || value + 1 == count).then_some((p, each)))
    };
    made.into_iter().enumerate().map(number).collect()
}
