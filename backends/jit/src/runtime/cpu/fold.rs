//! Running code whose result is a fold: blocks of rows, or pairs of lanes of columns, and then the
//! rest of the order that [`crate::ir::fold`] describes.
//!
//! # Invariants
//!
//! Those of [`super::launch`]; and a task writes to values of its own, or to blocks of the shared
//! ones that are no other task's.

use super::flag::Flag;
use super::launch::{Shared, TASK, asking, seek, split, unfit};
use super::space::Space;
use super::tasks::are_worth;
use super::values::Values;
use crate::codegen::{Argument, Code};
use crate::ir::fold::{BLOCK, Join, LANES};
use crate::ir::{Access, Param};
use ivy_core::Result;
use ivy_core::host::{Buffer, scratch};
use ivy_kernels::parallel::tasks;
use std::ops::Range;
use std::sync::OnceLock;

/// Columns that are folded together: their partial rows stay in the nearer caches.
const TILE: usize = 4096;
/// Fewer columns are not worth a thread.
const NARROW: usize = 256;
/// Blocks of a row whose values are folded at once: a power of two, as many as a task has.
const GROUP: usize = TASK / BLOCK;
/// How far ahead memory is asked for along rows: for what is read soon.
const ALONG: usize = 8192;
/// And across them: for what the same row is read for when all others have been.
const ACROSS: usize = 256;
/// Rows of a part of a long column: a power of two of blocks.
const PART: usize = 1024;

/// Runs code of a kernel with these parameters, inputs first and one result that is a fold, and
/// gives the result's memory: an element for each row of the space, or for each column.
///
/// # Errors
/// [`ivy_core::ErrorKind::InvalidArgument`] for a space that the kernel was not made for, or that
/// has nothing to fold; [`ivy_core::ErrorKind::IndexOutOfRange`], without more, if a check failed.
pub fn fold(code: &dyn Code, params: &[Param], space: &Space<'_>) -> Result<Buffer> {
    let flag = Flag::default();
    let set = flag.argument();
    let (inputs, written) = params.split_at(space.inputs.len().min(params.len()));
    let result = match written {
        [result] => *result,
        [result, last] if last.access == Access::Flag => *result,
        _ => return Err(unfit(space)),
    };
    if !space.fits(params) || space.rows() * space.inner == 0 || inputs.iter().any(|p| p.access.is_written())
    {
        return Err(unfit(space));
    }
    let folded = match (result.access, space.down) {
        (Access::Along(join) | Access::Row(join), None) => {
            scratch::guard("launch", || along(code, params, space, join, set))?
        }
        (Access::Across(join), Some(long)) if long > 0 => {
            scratch::guard("launch", || across(code, params, space, join, long, set))?
        }
        _ => return Err(unfit(space)),
    };
    flag.result()?;
    Ok(folded)
}

fn along(code: &dyn Code, params: &[Param], space: &Space<'_>, join: Join, flag: Argument) -> Buffer {
    let (number, result) = (space.inputs.len(), params[space.inputs.len()]);
    let (parts, bytes) = (result.parts as usize, result.bytes());
    let (blocks, count) = (space.inner.div_ceil(BLOCK), space.lines().0);
    // Blocks are folded while they are near: those of a group, which stand under one node of the order.
    let groups = blocks.div_ceil(GROUP);
    let mut values = Values::new(result.ty, space.rows() * groups * parts, 0);
    let mut all = asking(params, space, ALONG);
    all.push(Argument { base: values.address(), stride: 1, row: groups as i64 });
    all.push(flag);
    let all = Shared(all);
    split(are_worth(code, space.rows() * space.inner), space, BLOCK, 0, |line, rows, elements| {
        let (mut near, some) = match result.access {
            Access::Row(_) => (None, if groups == 1 { rows.len() } else { 1 }),
            _ => (Some(Values::new(result.ty, GROUP * parts, 0)), (GROUP / blocks).max(1)),
        };
        for first in rows.clone().step_by(some.max(1)) {
            let some = some.min(rows.end - first);
            let mut begin = elements.start;
            while begin < elements.end {
                let end = elements.end.min(begin + GROUP * BLOCK);
                let mut arguments = { &all }.0.clone();
                seek(space, &mut arguments, line, first);
                // The groups of this task, which are no other task's: of several rows, each has one.
                let place = (line * count + first) * groups + begin / (GROUP * BLOCK);
                let to = { &all }.0[number].base.wrapping_add(place * bytes);
                let Some(near) = &mut near else {
                    arguments[number].base = to;
                    let pair = code.twins() && some == 1 && begin + 2 * GROUP * BLOCK <= elements.end;
                    if pair {
                        // Two groups of a row are as two rows.
                        for (argument, walk) in arguments.iter_mut().zip(&space.inputs) {
                            argument.row = (walk.inner * (GROUP * BLOCK) as isize) as i64;
                        }
                        arguments[number].row = 1;
                    }
                    let some = if pair { 2 } else { some };
                    // SAFETY: rows of the space, or parts of one, from the beginning of a group on, and the
                    // groups' values.
                    unsafe { code.run(&arguments, begin, end, some) };
                    begin += if pair { 2 * GROUP * BLOCK } else { GROUP * BLOCK };
                    continue;
                };
                let count_here = (end - begin).div_ceil(BLOCK);
                // Blocks are counted from element 0.
                let base = near.address().wrapping_sub(begin / BLOCK * bytes);
                arguments[number] = Argument { base, stride: 1, row: count_here as i64 };
                // SAFETY: rows of the space, from the beginning of a block on, and the blocks' values.
                unsafe { code.run(&arguments, begin, end, some) };
                near.pairs(join, (some, count_here), parts);
                // SAFETY: the groups' values; of several rows, each has one group.
                unsafe { near.address().copy_to_nonoverlapping(to, some * bytes) };
                begin += GROUP * BLOCK;
            }
        }
    });
    if groups > 1 {
        values.pairs(join, (space.rows(), groups), parts);
        values.truncate(space.rows() * parts);
    }
    values.finish(join)
}

/// Partial results of columns, in pairs as they come.
struct Runs {
    join: Join,
    runs: Vec<Values>,
    spare: Vec<Values>,
    count: usize,
}

impl Runs {
    fn push(&mut self, part: Values) {
        let mut run = part;
        for _ in 0..self.count.trailing_ones() {
            let Some(mut before) = self.runs.pop() else { break };
            before.join(self.join, 0, &run);
            self.spare.push(run);
            run = before;
        }
        self.runs.push(run);
        self.count += 1;
    }

    fn finish(mut self) -> Option<Values> {
        let mut all = self.runs.pop()?;
        while let Some(mut before) = self.runs.pop() {
            before.join(self.join, 0, &all);
            all = before;
        }
        Some(all)
    }
}

fn across(
    code: &dyn Code,
    params: &[Param],
    space: &Space<'_>,
    join: Join,
    down: usize,
    flag: Argument,
) -> Buffer {
    let result = params[space.inputs.len()];
    let (columns, rows, parts) = (space.inner, space.rows(), result.parts as usize);
    // The number of threads may choose the tiles: no column depends on another.
    let tile = TILE.min(columns.div_ceil(rayon::current_num_threads()).max(NARROW));
    let tiles = (columns / tile).max(1);
    let pieces = if rows * tiles >= 16 { 1 } else { down.div_ceil(PART) };
    let mut all = asking(params, space, ACROSS);
    all.push(flag);
    let all = Shared(all);
    let of = |t: usize| {
        let end = if t + 1 == tiles { columns } else { (t + 1) * tile };
        t * tile..end
    };
    // Tiles beside each other are in the same rows, and follow each other.
    let numbers = |t: usize| (t / tiles / pieces, t / tiles % pieces, t % tiles);
    let task = |t: usize| {
        let (row, piece, tile) = numbers(t);
        let tile = of(tile);
        let mut arguments = { &all }.0.clone();
        let (count, _) = space.lines();
        seek(space, &mut arguments, row / count, row % count);
        let long = if pieces == 1 { down } else { PART };
        let down = piece * long..((piece + 1) * long).min(down);
        fold_tile(code, result, space, join, (&arguments, tile, down))
    };
    let total = rows * tiles * pieces;
    let folded: Vec<OnceLock<Option<Values>>> = scratch::collected((0..total).map(|_| OnceLock::new()));
    tasks(are_worth(code, rows * columns * down), total, &|t| {
        let (row, piece, tile) = numbers(t);
        _ = folded[(row * tiles + tile) * pieces + piece].set(task(t));
    });
    let mut values = Values::new(result.ty, rows * columns * parts, 0);
    let mut folded = folded.into_iter().map(|f| f.into_inner().flatten());
    for number in 0..rows * tiles {
        let mut runs = Runs { join, runs: Vec::new(), spare: Vec::new(), count: 0 };
        folded.by_ref().take(pieces).flatten().for_each(|piece| runs.push(piece));
        if let Some(tile) = runs.finish() {
            values.put((number / tiles * columns + of(number % tiles).start) * parts, &tile);
        }
    }
    values.finish(join)
}

/// Lanes that meet first are so many apart.
const HALF: usize = LANES / 2;

/// Some rows of some columns of one row of the space.
fn fold_tile(
    code: &dyn Code,
    result: Param,
    space: &Space<'_>,
    join: Join,
    (arguments, tile, down): (&[Argument], Range<usize>, Range<usize>),
) -> Option<Values> {
    let identity = join.identity(result.ty);
    let mut runs = Runs { join, runs: Vec::new(), spare: Vec::new(), count: 0 };
    let fresh = || Values::new(result.ty, tile.len() * result.parts as usize, identity);
    let mut low = fresh();
    for start in down.clone().step_by(BLOCK) {
        let length = BLOCK.min(down.end - start);
        for q in 0..HALF {
            // Pairs of lanes in the order in which halves of halves meet.
            let lane = q.reverse_bits() >> (usize::BITS - HALF.trailing_zeros());
            let mut to = runs.spare.pop().unwrap_or_else(fresh);
            // A lane into memory, joined with what is so many values away from there.
            let run = |lane: usize, to: &mut Values, before: i64| {
                let mut arguments: super::launch::Arguments = arguments.into();
                for (argument, walk) in arguments.iter_mut().zip(&space.inputs) {
                    let offset = walk.down * (start + lane) as isize + walk.inner * tile.start as isize;
                    argument.base = argument.base.wrapping_offset(offset * walk.bytes as isize);
                    argument.row = (walk.down * LANES as isize) as i64;
                }
                // Before the flag, which is the last.
                let result = Argument { base: to.address(), stride: before, row: 0 };
                arguments.insert(space.inputs.len(), result);
                let rows = (length - lane).div_ceil(LANES);
                // SAFETY: every 32nd row of the block from the lane on, in the tile's columns, which are
                // enough for any code, and as many values where they go and where those before are.
                unsafe { code.run(&arguments, 0, tile.len(), rows) };
            };
            match length.saturating_sub(lane) {
                0 => to.fill(identity),
                1..=HALF => run(lane, &mut to, 0),
                _ => {
                    run(lane, &mut low, 0);
                    let from = low.address() as isize - to.address() as isize;
                    run(lane + HALF, &mut to, (from / result.ty.bytes() as isize) as i64);
                }
            }
            runs.push(to);
        }
    }
    runs.finish()
}
