//! Running programs over rows: all pieces on a few rows, then on the next ones.
//!
//! # Invariants
//!
//! Those of [`super::launch`]; a task has rows of its own, and writes to them, in the result and
//! in the folds' results, and to memory that is its own. A piece reads of other pieces only what
//! they have written for the same rows before. What is behind is done for the rows before; for the
//! first rows, of which nothing is there yet, it is done with zeros, and done again; and with it
//! the last rows' first piece is. Such a number of a row is read before it is written again.

use super::launch::{Arguments, Shared, Written, arrived, range, room, seek, suits, unfit};
use super::space::{LINE, Space, Walk};
use super::tasks::is_worth;
use super::values::Values;
use crate::codegen::llvm::SIDE_BY_SIDE;
use crate::codegen::{Argument, Code, From};
use crate::ir::fold::{BLOCK, Join, LANES};
use crate::ir::{Access, Param};
use ivy_core::Result;
use ivy_core::host::{UniqueBuffer, scratch};
use ivy_kernels::parallel::tasks;
use std::collections::HashMap;
use std::ops::Range;

/// Bytes of the rows at hand, in inputs and in what is kept of them: about half of a nearest cache.
const NEAR: usize = 24 << 10;
/// Elements of the rows that a thread takes at a time.
const TASK: usize = 1 << 16;
/// Times that rows are at hand, of which one more makes no difference.
const LONG: usize = 16;

/// A piece: code of a kernel, where its inputs come from, and what its results are.
pub struct Piece<'a> {
    /// What runs.
    pub code: &'a dyn Code,
    /// The kernel's parameters, the inputs first.
    pub params: &'a [Param],
    /// For each input.
    pub from: &'a [From],
    /// The number of each result among the values of all pieces.
    pub gives: &'a [usize],
    /// So many inputs and results, the first ones, are of the rows before those at hand. Only one piece has
    /// some.
    pub behind: [usize; 2],
}

/// What becomes of a value.
#[derive(Clone, Copy)]
enum To {
    /// A number for each row; whether the kernel does all of it.
    Fold(Join, bool),
    /// It is kept for the rows at hand.
    Kept,
    /// It is the program's.
    Result,
}

impl Piece<'_> {
    fn results(&self) -> &[Param] {
        &self.params[self.from.len().min(self.params.len())..]
    }
}

/// Which piece has something that is behind.
fn late(pieces: &[Piece<'_>]) -> Option<usize> {
    pieces.iter().position(|piece| piece.behind != [0; 2])
}

/// What becomes of each value; `None` if the pieces do not fit each other and the space.
fn values(space: &Space<'_>, pieces: &[Piece<'_>]) -> Option<Vec<(Param, To)>> {
    let count = pieces.iter().map(|piece| piece.gives.len()).sum::<usize>();
    let mut all: Vec<Option<(usize, Param, To)>> = vec![None; count];
    let late = late(pieces);
    for (number, piece) in pieces.iter().enumerate() {
        let [inputs, results] = piece.behind;
        let other = late.is_some_and(|late| late != number) && piece.behind != [0; 2];
        if other
            || inputs > piece.from.len()
            || results > piece.gives.len()
            || piece.results().len() != piece.gives.len()
        {
            return None;
        }
        for (&param, &value) in piece.results().iter().zip(piece.gives) {
            let to = match param.access {
                Access::Along(join) => To::Fold(join, false),
                Access::Row(join) => To::Fold(join, true),
                Access::Out if value + 1 < count => To::Kept,
                Access::Out | Access::Stream if value + 1 == count => To::Result,
                _ => return None,
            };
            let place = all.get_mut(value)?;
            if place.replace((number, param, to)).is_some() {
                return None;
            }
        }
    }
    for (number, piece) in pieces.iter().enumerate() {
        for (i, (&from, p)) in piece.from.iter().zip(piece.params).enumerate() {
            let fits = match from {
                From::Outside(input) => input < space.inputs.len() && space.takes(input, *p),
                From::Value(value) => {
                    let (maker, given, to) = all.get(value).copied()??;
                    let access = if matches!(to, To::Fold(..)) { Access::Uniform } else { Access::Linear };
                    // What is kept of the rows before is there until the piece that makes it has run.
                    let there = match (i < piece.behind[0], to) {
                        (true, To::Kept) => maker >= number,
                        (true, _) => true,
                        (false, _) => maker < number,
                    };
                    there && (p.ty, p.parts, p.access) == (given.ty, given.parts, access)
                }
            };
            if !fits {
                return None;
            }
        }
    }
    all.into_iter().map(|value| value.map(|(_, param, to)| (param, to))).collect()
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

/// Runs a program's pieces over the rows of a space, and gives the values that are in memory: a
/// number for each row of folds, the elements of the last one if it is none, nothing of others. Large
/// ones begin at a place that suits the inputs, if that is wanted.
///
/// # Errors
/// No memory; [`ivy_core::ErrorKind::InvalidArgument`] for pieces that were not made for the space
/// or for each other.
pub fn rows(space: &Space<'_>, pieces: &[Piece<'_>], placing: bool) -> Result<Vec<Option<Written>>> {
    let suited = space.down.is_none() && space.rows() * space.inner > 0;
    let suited = suited && pieces.iter().all(|piece| suits(piece.code, space));
    let fitting = values(space, pieces).filter(|_| suited);
    let Some(values) = fitting else { return Err(unfit(space)) };
    let (count, row) = (space.rows(), space.inner);
    let whole: Vec<Option<Whole>> = values
        .iter()
        .map(|&(param, to)| match to {
            To::Fold(..) => Whole::new(count, 1, param, space, placing).map(Some),
            To::Result => Whole::new(count, row, param, space, placing).map(Some),
            To::Kept => Ok(None),
        })
        .collect::<Result<_>>()?;
    let streams = values.iter().any(|(p, _)| p.access == Access::Stream);
    let plan = Plan::new(space, pieces, &values, &whole);
    let (of_line, lines) = space.lines();
    let cost: usize = pieces.iter().map(|p| p.code.cost()).sum();
    let parallel = is_worth((count * row).saturating_mul(cost));
    // What is behind is done once more for each task.
    let least = if late(pieces).is_some() { LONG * plan.block } else { plan.block };
    // A line may have fewer rows than are at hand at a time.
    let some = match parallel {
        true => (TASK / row).next_multiple_of(plan.block).max(least).min(of_line),
        false => of_line,
    };
    let parts = of_line.div_ceil(some);
    let task = |task: usize| {
        let begin = task % parts * some;
        plan.run(task / parts, begin..(begin + some).min(of_line));
        if streams {
            arrived();
        }
    };
    scratch::guard("launch", || tasks(parallel, lines * parts, &task))?;
    let written = |w: Option<Whole>| {
        let Whole { buffer, first, .. } = w?;
        // SAFETY: the tasks have written the numbers and elements of every row; the rest is zero.
        Some(Written { buffer: unsafe { buffer.assume_init() }, first })
    };
    Ok(whole.into_iter().map(written).collect())
}
/// What does not change from task to task.
struct Plan<'p> {
    space: &'p Space<'p>,
    pieces: &'p [Piece<'p>],
    values: &'p [(Param, To)],
    /// The inputs' arguments.
    inputs: Shared,
    /// Where the whole of a value is, if it is in memory.
    whole: Shared,
    /// Rows at hand, at most.
    block: usize,
}

/// The rows at hand, and those before them.
struct Rows {
    now: usize,
    before: usize,
    count: usize,
}

impl Rows {
    fn at(&self, behind: bool) -> usize {
        if behind { self.before } else { self.now }
    }
}

impl<'p> Plan<'p> {
    fn new(
        space: &'p Space<'p>,
        pieces: &'p [Piece<'p>],
        values: &'p [(Param, To)],
        whole: &[Option<Whole>],
    ) -> Plan<'p> {
        let row = space.inner;
        let bytes = |w: &Walk| if w.inner == 0 { 0 } else { w.bytes };
        let read: usize = space.inputs.iter().map(bytes).sum();
        let again = pieces.iter().flat_map(|piece| &piece.from[..piece.behind[0]]).map(|from| match *from {
            From::Outside(input) => bytes(&space.inputs[input]),
            From::Value(_) => 0,
        });
        let bytes = values.iter().filter(|(_, to)| matches!(to, To::Kept)).map(|(p, _)| p.bytes());
        let near = (read + again.sum::<usize>()) * row + bytes.sum::<usize>() * kept(row);
        let block = (NEAR / near.max(1)).max(1);
        let base = |w: &Option<Whole>| w.as_ref().map_or(std::ptr::null_mut(), |w| w.base);
        let whole = whole.iter().map(|w| Argument { base: base(w), stride: 1, row: 0 }).collect();
        let inputs = Shared(super::launch::arguments(space));
        Plan { space, pieces, values, inputs, whole: Shared(whole), block }
    }

    /// Runs the pieces on some rows of a line, as many at a time each time: the last ones may overlap those
    /// before.
    fn run(&self, line: usize, rows: Range<usize>) {
        let first = line * self.space.lines().0 + rows.start;
        let times = rows.len().div_ceil(self.block);
        let count = rows.len().div_ceil(times);
        let mut own: Vec<Own> =
            self.values.iter().map(|&(p, to)| Own::new(p, to, count, self.space.inner)).collect();
        let mut inputs = self.inputs.0.clone();
        seek(self.space, &mut inputs, line, rows.start);
        let mut all: Vec<Arguments> =
            (0..self.pieces.len()).map(|number| self.arguments(number, &inputs, count, &mut own)).collect();
        let late = late(self.pieces);
        if late.is_some() {
            for (&(param, to), whole) in self.values.iter().zip(&self.whole.0) {
                if let To::Fold(..) = to {
                    // SAFETY: the numbers of the task's first rows.
                    unsafe { whole.base.add(first * param.bytes()).write_bytes(0, count * param.bytes()) };
                }
            }
        }
        let begin = |time: usize| (time.min(times - 1) * count).min(rows.len() - count);
        for time in 0..times + usize::from(late.is_some()) {
            let at = Rows { now: begin(time), before: begin(time.saturating_sub(1)), count };
            // At the end there is only what is behind, and with it what is beside it.
            let at_work = |number: &usize| time < times || late == Some(*number);
            for number in (0..self.pieces.len()).filter(at_work) {
                self.piece(number, &mut all[number], &inputs, first, &at, &mut own);
            }
        }
    }

    /// Runs a piece on the rows at hand of those of a task, which begin with `first`.
    fn piece(
        &self,
        number: usize,
        arguments: &mut Arguments,
        inputs: &Arguments,
        first: usize,
        at: &Rows,
        own: &mut [Own],
    ) {
        let (piece, row) = (&self.pieces[number], self.space.inner);
        let whole = |value: usize, rows: usize, bytes: usize| {
            self.whole.0[value].base.wrapping_add((first + rows) * bytes)
        };
        let [late_inputs, late_results] = piece.behind;
        for (i, (argument, from)) in arguments.iter_mut().zip(piece.from).enumerate() {
            let rows = at.at(i < late_inputs);
            match *from {
                From::Outside(input) => {
                    let offset =
                        inputs[input].row as isize * rows as isize * self.space.inputs[input].bytes as isize;
                    argument.base = inputs[input].base.wrapping_offset(offset);
                }
                From::Value(value) => {
                    if let (given, To::Fold(..)) = self.values[value] {
                        argument.base = whole(value, rows, given.bytes());
                    }
                }
            }
        }
        let results = arguments.iter_mut().skip(piece.from.len()).zip(piece.gives);
        for (i, (argument, &value)) in results.enumerate() {
            let rows = at.at(i < late_results);
            match self.values[value] {
                (param, To::Fold(_, true)) => argument.base = whole(value, rows, param.bytes()),
                (param, To::Result) => argument.base = whole(value, rows, row * param.bytes()),
                _ => {}
            }
        }
        // SAFETY: rows of the space, what pieces have written for these rows before, and memory of this
        // task or rows of the result that are no other task's.
        unsafe { range(piece.code, piece.params, arguments, at.count, 0..row) };
        for (i, &value) in piece.gives.iter().enumerate() {
            if let ((param, To::Fold(join, false)), Own::Folds(values)) =
                (self.values[value], &mut own[value])
            {
                values.pairs(join, (at.count, row.div_ceil(BLOCK)), param.parts as usize);
                values.settle(join);
                let to = whole(value, at.at(i < late_results), param.bytes());
                // SAFETY: the folds of rows of this task, and their places among those of all rows.
                unsafe { values.address().copy_to_nonoverlapping(to, at.count * param.bytes()) };
            }
        }
    }

    /// A piece's arguments, but for the addresses that change with the rows at hand.
    fn arguments(&self, number: usize, inputs: &Arguments, count: usize, own: &mut [Own]) -> Arguments {
        let (piece, row) = (&self.pieces[number], self.space.inner);
        let mut arguments = Arguments::new();
        for (from, param) in piece.from.iter().zip(piece.params) {
            arguments.push(match *from {
                From::Outside(input) => {
                    let mut argument = inputs[input];
                    if param.access.asks() {
                        argument.stride = argument.row * count as i64;
                    }
                    argument
                }
                From::Value(value) => match self.values[value].1 {
                    To::Kept => Argument { base: own[value].address(), stride: 1, row: kept(row) as i64 },
                    _ => Argument { base: std::ptr::null_mut(), stride: 0, row: 1 },
                },
            });
        }
        for &value in piece.gives {
            let long = match self.values[value].1 {
                To::Fold(_, false) => row.div_ceil(BLOCK),
                To::Fold(_, true) => 1,
                To::Kept => kept(row),
                To::Result => row,
            };
            arguments.push(Argument { base: own[value].address(), stride: 1, row: long as i64 });
        }
        arguments
    }
}

/// A line of the caches, which only its address leads to.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line(#[allow(dead_code)] [u8; LINE]);

/// Elements from a row that is kept to the next: no vector of one row reaches into another, even without
/// writing there, since what is read of that would wait for it.
fn kept(row: usize) -> usize {
    row.next_multiple_of(if row < SIDE_BY_SIDE { LANES } else { SIDE_BY_SIDE })
}

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
            To::Fold(_, false) => {
                Own::Folds(Values::new(param.ty, rows * row.div_ceil(BLOCK) * param.parts as usize, 0))
            }
            To::Kept => Own::Elements(scratch::filled(
                Line([0; LINE]),
                (rows * kept(row) * param.bytes()).div_ceil(LINE),
            )),
            To::Fold(_, true) | To::Result => Own::None,
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

/// True if there are so many rows, one after the other, that what is done for some of them beside those
/// before may be done once more.
pub fn is_long(space: &Space<'_>) -> bool {
    let read: usize = space.inputs.iter().filter(|w| w.inner != 0).map(|w| w.bytes).sum();
    space.lines().0.saturating_mul(space.inner).saturating_mul(read) >= LONG * NEAR
}

/// For each piece, by where its inputs come from and how many are behind, of which ones it is to ask for
/// what is next: the first piece that reads an input waits for it, and the second one, which need not, asks.
pub fn asks<'f>(from: impl Iterator<Item = (&'f [From], usize)>) -> Vec<Vec<bool>> {
    let mut readers: HashMap<usize, usize> = HashMap::new();
    let mut second = |from: &From, behind: bool| match *from {
        From::Outside(input) if !behind => {
            let count = readers.entry(input).or_default();
            *count += 1;
            *count == 2
        }
        _ => false,
    };
    let mut of = |(from, behind): (&[From], usize)| {
        from.iter().enumerate().map(|(i, from)| second(from, i < behind)).collect()
    };
    from.map(&mut of).collect()
}
