//! Running programs over rows: all pieces on a few rows, then on the next ones.
//!
//! # Invariants
//!
//! Those of [`super::launch`]; a task has rows of its own, and writes to them, in the result and
//! in the folds' results, and to memory that is its own. A piece reads of other pieces only what
//! they have written for the same rows before.

use super::launch::{Arguments, Shared, Written, arrived, range, room, seek, suits, unfit};
use super::space::{LINE, Space};
use super::tasks::{WORTH, each};
use super::values::Values;
use crate::codegen::{Argument, Code};
use crate::ir::fold::{BLOCK, Join};
use crate::ir::{Access, Param};
use ivy_core::Result;
use ivy_core::host::UniqueBuffer;
use std::collections::HashMap;
use std::ops::Range;

/// Bytes of the rows at hand, in inputs and in what is kept of them: about half of a nearest cache.
const NEAR: usize = 24 << 10;
/// Elements of the rows that a thread takes at a time.
const TASK: usize = 1 << 16;

/// Where a piece's input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// An input of the space.
    Outside(usize),
    /// A piece before.
    Piece(usize),
}

/// A piece: code of a kernel with one result, and where its inputs come from.
pub struct Piece<'a> {
    /// What runs.
    pub code: &'a dyn Code,
    /// The kernel's parameters, the inputs first.
    pub params: &'a [Param],
    /// For each input.
    pub from: &'a [From],
}

/// What becomes of a piece's result.
#[derive(Clone, Copy)]
enum To {
    /// A number for each row.
    Fold(Join),
    /// It is kept for the rows at hand.
    Kept,
    /// It is the program's.
    Result,
}

impl Piece<'_> {
    fn result(&self) -> Option<Param> {
        self.params.get(self.from.len()).copied().filter(|_| self.params.len() == self.from.len() + 1)
    }
}

/// What each piece's result becomes; `None` if the pieces do not fit each other and the space.
fn results(space: &Space<'_>, pieces: &[Piece<'_>]) -> Option<Vec<(Param, To)>> {
    let mut all: Vec<(Param, To)> = Vec::new();
    for (number, piece) in pieces.iter().enumerate() {
        let result = piece.result()?;
        for (&from, p) in piece.from.iter().zip(piece.params) {
            let fits = match from {
                From::Outside(input) => input < space.inputs.len() && space.takes(input, *p),
                From::Piece(before) => {
                    let (given, to) = all.get(before)?;
                    let access = if matches!(to, To::Fold(_)) { Access::Uniform } else { Access::Linear };
                    (p.ty, p.parts, p.access) == (given.ty, given.parts, access)
                }
            };
            if !fits {
                return None;
            }
        }
        let to = match result.access {
            Access::Along(join) => To::Fold(join),
            Access::Out if number + 1 < pieces.len() => To::Kept,
            Access::Out | Access::Stream if number + 1 == pieces.len() => To::Result,
            _ => return None,
        };
        all.push((result, to));
    }
    Some(all)
}

/// Memory of all rows that a piece writes: of folds, and of the result.
struct Whole {
    buffer: UniqueBuffer,
    /// Where the result begins in it, and how many bytes that is from its beginning.
    base: *mut u8,
    first: usize,
}

impl Whole {
    fn new(rows: usize, row: usize, param: Param, space: &Space<'_>, placing: bool) -> Result<Whole> {
        let (buffer, base, first) = room(rows, row, param, placing.then_some(0), space)?;
        Ok(Whole { buffer, base: base.wrapping_add(first), first })
    }
}

/// Runs a program's pieces over the rows of a space, and gives what they have written in memory: a
/// number for each row of folds, the elements of the last piece if it is none, nothing of others. Large
/// ones begin at a place that suits the inputs, if that is wanted.
///
/// # Errors
/// No memory; [`ivy_core::ErrorKind::InvalidArgument`] for pieces that were not made for the space
/// or for each other.
pub fn rows(space: &Space<'_>, pieces: &[Piece<'_>], placing: bool) -> Result<Vec<Option<Written>>> {
    let suited = space.down.is_none() && space.rows() * space.inner > 0;
    let suited = suited && pieces.iter().all(|piece| suits(piece.code, space));
    let fitting = results(space, pieces).filter(|_| suited);
    let Some(results) = fitting else { return Err(unfit(space)) };
    let (count, row) = (space.rows(), space.inner);
    let whole: Vec<Option<Whole>> = results
        .iter()
        .map(|&(param, to)| match to {
            To::Fold(_) => Whole::new(count, 1, param, space, placing).map(Some),
            To::Result => Whole::new(count, row, param, space, placing).map(Some),
            To::Kept => Ok(None),
        })
        .collect::<Result<_>>()?;
    let streams = results.iter().any(|(p, _)| p.access == Access::Stream);
    let plan = Plan::new(space, pieces, &results, &whole);
    let (of_line, lines) = space.lines();
    let cost: usize = pieces.iter().map(|p| p.code.cost()).sum();
    let parallel = (count * row).saturating_mul(cost) >= WORTH && rayon::current_num_threads() > 1;
    // A line may have fewer rows than are at hand at a time.
    let some = match parallel {
        true => (TASK / row).next_multiple_of(plan.block).max(plan.block).min(of_line),
        false => of_line,
    };
    let parts = of_line.div_ceil(some);
    each(parallel, lines * parts, |task| {
        let begin = task % parts * some;
        plan.run(task / parts, begin..(begin + some).min(of_line));
        if streams {
            arrived();
        }
    });
    let written = |(w, (p, _)): (Option<Whole>, (Param, To))| {
        let Whole { buffer, first, .. } = w?;
        // SAFETY: the tasks have written the numbers and elements of every row; the rest is zero.
        Some(Written { buffer: unsafe { buffer.assume_init() }, first: first / p.bytes() })
    };
    Ok(whole.into_iter().zip(results).map(written).collect())
}

/// What does not change from task to task.
struct Plan<'p> {
    space: &'p Space<'p>,
    pieces: &'p [Piece<'p>],
    results: &'p [(Param, To)],
    /// The inputs' arguments.
    inputs: Shared,
    /// Where the whole of a piece's result is, if it is in memory.
    whole: Shared,
    /// Rows at hand.
    block: usize,
}

impl<'p> Plan<'p> {
    fn new(
        space: &'p Space<'p>,
        pieces: &'p [Piece<'p>],
        results: &'p [(Param, To)],
        whole: &[Option<Whole>],
    ) -> Plan<'p> {
        let row = space.inner;
        let read: usize = space.inputs.iter().filter(|w| w.inner != 0).map(|w| w.bytes).sum();
        let kept: usize =
            results.iter().filter(|(_, to)| matches!(to, To::Kept)).map(|(p, _)| p.bytes()).sum();
        let block = (NEAR / ((read + kept).max(1) * row)).max(1);
        let base = |w: &Option<Whole>| w.as_ref().map_or(std::ptr::null_mut(), |w| w.base);
        let whole = whole.iter().map(|w| Argument { base: base(w), stride: 1, row: 0 }).collect();
        let inputs = Shared(super::launch::arguments(space));
        Plan { space, pieces, results, inputs, whole: Shared(whole), block }
    }

    /// Runs the pieces on some rows of a line.
    fn run(&self, line: usize, rows: Range<usize>) {
        let (row, blocks) = (self.space.inner, self.space.inner.div_ceil(BLOCK));
        let first = line * self.space.lines().0;
        let most = self.block.min(rows.len());
        let mut own: Vec<Own> = self.results.iter().map(|&(p, to)| Own::new(p, to, most, row)).collect();
        let mut inputs = self.inputs.0.clone();
        seek(self.space, &mut inputs, line, rows.start);
        let mut all: Vec<Arguments> =
            (0..self.pieces.len()).map(|number| self.arguments(number, &inputs, &mut own)).collect();
        for begin in rows.clone().step_by(self.block) {
            let count = self.block.min(rows.end - begin);
            let at = first + begin;
            for (number, piece) in self.pieces.iter().enumerate() {
                let (param, to) = self.results[number];
                let arguments = &mut all[number];
                for (argument, from) in arguments.iter_mut().zip(piece.from) {
                    match *from {
                        From::Outside(input) => argument.base = inputs[input].base,
                        From::Piece(before) => {
                            if let (given, To::Fold(_)) = self.results[before] {
                                argument.base = self.whole.0[before].base.wrapping_add(at * given.bytes());
                            }
                        }
                    }
                }
                if let (To::Result, Some(result)) = (to, arguments.last_mut()) {
                    result.base = self.whole.0[number].base.wrapping_add(at * row * param.bytes());
                }
                // SAFETY: rows of the space, what pieces before have written for these rows, and
                // memory of this task or rows of the result that are no other task's.
                unsafe {
                    match to {
                        To::Fold(_) => piece.code.run(arguments, 0, row, count),
                        _ => range(piece.code, piece.params, arguments, count, 0..row),
                    }
                }
                if let (To::Fold(join), Own::Folds(values)) = (to, &mut own[number]) {
                    values.pairs(join, (count, blocks), param.parts as usize);
                    values.settle(join);
                    let to = self.whole.0[number].base.wrapping_add(at * param.bytes());
                    // SAFETY: the folds of rows of this task, and their places among those of all rows.
                    unsafe { values.address().copy_to_nonoverlapping(to, count * param.bytes()) };
                }
            }
            for (argument, walk) in inputs.iter_mut().zip(&self.space.inputs) {
                let offset = argument.row as isize * count as isize * walk.bytes as isize;
                argument.base = argument.base.wrapping_offset(offset);
            }
        }
    }

    /// A piece's arguments, but for the addresses that change with the rows at hand.
    fn arguments(&self, number: usize, inputs: &Arguments, own: &mut [Own]) -> Arguments {
        let (piece, row) = (&self.pieces[number], self.space.inner);
        let mut arguments = Arguments::new();
        for (from, param) in piece.from.iter().zip(piece.params) {
            arguments.push(match *from {
                From::Outside(input) => {
                    let mut argument = inputs[input];
                    if matches!(param.access, Access::Ahead | Access::StepAhead(_)) {
                        argument.stride = argument.row * self.block as i64;
                    }
                    argument
                }
                From::Piece(before) => match self.results[before].1 {
                    To::Kept => Argument { base: own[before].address(), stride: 1, row: row as i64 },
                    _ => Argument { base: std::ptr::null_mut(), stride: 0, row: 1 },
                },
            });
        }
        let long = if matches!(self.results[number].1, To::Fold(_)) { row.div_ceil(BLOCK) } else { row };
        arguments.push(Argument { base: own[number].address(), stride: 1, row: long as i64 });
        arguments
    }
}

/// A line of the caches, which only its address leads to.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line(#[allow(dead_code)] [u8; LINE]);

/// A task's own memory for a piece's result on the rows at hand.
enum Own {
    /// Folds of blocks of rows.
    Folds(Values),
    /// Elements.
    Elements(Vec<Line>),
    /// None is needed.
    None,
}

impl Own {
    fn new(param: Param, to: To, rows: usize, row: usize) -> Own {
        match to {
            To::Fold(_) => {
                Own::Folds(Values::new(param.ty, rows * row.div_ceil(BLOCK) * param.parts as usize, 0))
            }
            To::Kept => Own::Elements(vec![Line([0; LINE]); (rows * row * param.bytes()).div_ceil(LINE)]),
            To::Result => Own::None,
        }
    }

    fn address(&mut self) -> *mut u8 {
        match self {
            Own::Folds(values) => values.address(),
            Own::Elements(lines) => lines.as_mut_ptr().cast(),
            Own::None => std::ptr::null_mut(),
        }
    }
}

/// For each piece, by where its inputs come from, of which ones it is to ask for what is next: the
/// first piece that reads an input waits for it, and the second one, which need not, asks.
pub fn asks(from: &[Vec<From>]) -> Vec<Vec<bool>> {
    let mut readers: HashMap<usize, usize> = HashMap::new();
    let mut second = |from: &From| match *from {
        From::Outside(input) => {
            let count = readers.entry(input).or_default();
            *count += 1;
            *count == 2
        }
        From::Piece(_) => false,
    };
    from.iter().map(|piece| piece.iter().map(&mut second).collect()).collect()
}
