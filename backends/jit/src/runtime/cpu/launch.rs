//! Running code over a space, with fresh memory for the results.
//!
//! # Invariants
//!
//! - A [`Space`] leads to elements of its views only, but for what is guarded, of which a kernel reads
//!   elements only; and code reads what the space says: the parameters are compared before
//!   ([`Space::fits`]).
//! - Code runs on ranges that are long enough for it. Fewer elements run on scratch memory, so
//!   that neither inputs nor results are touched beyond their ends; but not where elements of an input
//!   are not there everywhere, which rows have vectors enough for.
//! - Each element of a result is written by one task, and by no other; a flag is an atomic byte.

use super::flag::Flag;
use super::space::{LINE, Space};
use super::tasks::are_worth;
use crate::codegen::llvm::LANES;
use crate::codegen::{Argument, Code};
use crate::ir::{Access, Param, Steps};
use ivy_core::host::{Buffer, UniqueBuffer, scratch};
use ivy_core::{ErrorKind, Result};
use ivy_kernels::parallel::tasks;
use smallvec::SmallVec;
use std::mem::MaybeUninit;
use std::ops::Range;

/// Rows and columns of what a thread takes at a time where rows stand side by side, so that what
/// is read of them stays in the nearer caches.
const SQUARE: usize = 256;
/// What a thread takes at a time: a power of two, and a multiple of every block.
pub(super) const TASK: usize = 1 << 15;

/// How many bytes of a page.
const PAGE: usize = 4096;
/// How far ahead memory is asked for, in bytes.
const AHEAD: usize = 8192;
/// How far ahead memory is asked for, in bytes, by code that takes several vectors at a time, since it takes long for each.
const FAR: usize = 16384;
/// How far ahead memory is asked for, of rows that are walked beside others that are transposed: the next tile.
const BESIDE: usize = 64;

/// A result in memory.
pub struct Written {
    /// Its memory.
    pub buffer: Buffer,
    /// How many bytes of it stand before its first element.
    pub first: usize,
}

pub(super) type Arguments = SmallVec<[Argument; 8]>;

/// Addresses that tasks on other threads write to.
#[derive(Clone)]
pub(super) struct Shared(pub(super) Arguments);
// SAFETY: inputs are only read, and tasks write to different elements.
unsafe impl Sync for Shared {}

impl Shared {
    /// All of them together, so that closures take no pointer by itself.
    pub(super) fn arguments(&self) -> &Arguments {
        &self.0
    }
}

/// The error for code that is not of this kind of space.
pub(super) fn unfit(space: &impl std::fmt::Debug) -> ivy_core::Error {
    ErrorKind::InvalidArgument {
        function: "launch",
        argument: "space",
        value: format!("{space:?}"),
        rule: "a kernel runs over spaces of the kind that it was made for",
    }
    .into()
}

/// True if code may run on the rows of a space: where elements may be missing, none is copied.
pub(super) fn suits(code: &dyn Code, space: &Space<'_>) -> bool {
    !space.is_guarded() || space.inner >= code.least()
}

/// The inputs' addresses: those of the first element of the first row.
pub(super) fn arguments(space: &Space<'_>) -> Arguments {
    let row = |w: &super::space::Walk| w.outer.last().copied().unwrap_or(0) as i64;
    let argument = |w| Argument { base: first(w), stride: w.inner as i64, row: row(w) };
    space.inputs.iter().map(argument).collect()
}

/// The arguments of the inputs, where memory is asked for what comes so many bytes later.
pub(super) fn asking(params: &[Param], space: &Space<'_>, bytes: usize) -> Arguments {
    let mut all = arguments(space);
    for (argument, p) in all.iter_mut().zip(params).filter(|(_, p)| p.access.asks()) {
        let far = (bytes / p.bytes()) as i64;
        argument.stride = if matches!(p.access, Access::StepAhead(..0)) { -far } else { far };
    }
    all
}

fn first(walk: &super::space::Walk) -> *mut u8 {
    walk.first.cast_mut()
}

/// Calls `task(line, rows, elements)` for squares of the space, on all cores where that pays; all but
/// the first begin so many rows and elements after a multiple of [`SQUARE`].
fn squares(
    parallel: bool,
    space: &Space<'_>,
    lead: [usize; 2],
    task: impl Fn(usize, Range<usize>, Range<usize>) + Sync,
) {
    let ((rows, lines), row) = (space.lines(), space.inner);
    let count = |length: usize, lead: usize| (length.saturating_sub(lead) / SQUARE).max(1);
    // The last one takes what is left, so that none is too short.
    let part = |i: usize, length: usize, lead: usize| {
        let begin = if i == 0 { 0 } else { i * SQUARE + lead };
        let end = if i + 1 == count(length, lead) { length } else { (i + 1) * SQUARE + lead };
        begin..end
    };
    let (down, along) = (count(rows, lead[0]), count(row, lead[1]));
    let square = |line: usize, r: usize, c: usize| {
        task(line, part(r, rows, lead[0]), part(c, row, lead[1]));
    };
    // A matrix and its own transpose read the same squares for two that mirror each other: the second
    // one, next to the first, finds them in the caches.
    tasks(parallel, lines * down * along, &|t| {
        let (line, r, c) = (t / along / down, t / along % down, t % along);
        let mirrored = r != c && c < down && r < along;
        if !mirrored || r < c {
            square(line, r, c);
        }
        if mirrored && r < c {
            square(line, c, r);
        }
    });
}

/// Calls `task(line, rows, elements)` for parts of the space, on all cores where that pays; in a
/// single row, all but the first begin `lead` elements after a multiple of [`TASK`].
pub(super) fn split(
    parallel: bool,
    space: &Space<'_>,
    least: usize,
    lead: usize,
    task: impl Fn(usize, Range<usize>, Range<usize>) + Sync,
) {
    let ((rows, lines), row) = (space.lines(), space.inner);
    if !parallel {
        (0..lines).for_each(|line| task(line, 0..rows, 0..row));
    } else if row >= TASK {
        // The last part takes what is left, so that none is too short.
        let parts = ((row - lead) / TASK).max(1).min(row / least.max(1));
        tasks(true, rows * lines * parts, &|t| {
            let (part, number) = (t % parts, t / parts);
            let begin = if part == 0 { 0 } else { part * TASK + lead };
            let end = if part + 1 == parts { row } else { (part + 1) * TASK + lead };
            task(number / rows, number % rows..number % rows + 1, begin..end);
        });
    } else {
        let some = TASK.div_ceil(row.max(1)).min(rows);
        let parts = rows.div_ceil(some);
        tasks(true, lines * parts, &|t| {
            let begin = t % parts * some;
            task(t / parts, begin..(begin + some).min(rows), 0..row);
        });
    }
}

/// Moves the inputs to a row of a line.
pub(super) fn seek(space: &Space<'_>, arguments: &mut [Argument], line: usize, row: usize) {
    let Some((_, outer)) = space.outer.split_last() else { return };
    let mut index = line;
    let mut at: SmallVec<[isize; 4]> = SmallVec::from_elem(0, outer.len());
    for axis in (0..outer.len()).rev() {
        at[axis] = (index % outer[axis]) as isize;
        index /= outer[axis];
    }
    for (argument, walk) in arguments.iter_mut().zip(&space.inputs) {
        let lines: isize = at.iter().zip(&walk.outer).map(|(a, s)| a * s).sum();
        let offset = lines + row as isize * argument.row as isize;
        argument.base = argument.base.wrapping_offset(offset * walk.bytes as isize);
    }
}

/// Runs code of a kernel with these parameters, inputs first, whose results have every element,
/// and gives the results, row-major, in the order of the parameters. Large ones begin at a place that
/// suits the inputs, if that is wanted.
///
/// # Errors
/// No memory; [`ErrorKind::InvalidArgument`] for a space that the kernel was not made for;
/// [`ErrorKind::IndexOutOfRange`], without more, if a check failed; [`ErrorKind::Interrupted`].
pub fn launch(
    code: &dyn Code,
    params: &[Param],
    space: &Space<'_>,
    placing: bool,
) -> Result<SmallVec<[Written; 1]>> {
    let results_of = &params[space.inputs.len().min(params.len())..];
    let results_of = results_of.split_last().map_or(results_of, |(last, rest)| match last.access {
        Access::Flag => rest,
        _ => results_of,
    });
    if !space.fits(params) || !results_of.iter().all(|p| matches!(p.access, Access::Out | Access::Stream)) {
        return Err(unfit(space));
    }
    if !suits(code, space) {
        return Err(unfit(space));
    }
    let (rows, row) = (space.rows(), space.inner);
    let streams = results_of.iter().any(|p| p.access == Access::Stream);
    let transposed = params.iter().any(|p| p.access == Access::Transposed);
    let widest = results_of.iter().map(|p| p.bytes()).max().unwrap_or(1);
    // Rows that do not begin lines cost more than inputs whose vectors cross them.
    let whole = results_of.iter().all(|p| p.parts <= 2);
    let leads = streams && placing && whole && (transposed || space.outer.is_empty());
    let lead = if leads { space.lead(widest) } else { 0 };
    let ahead = match transposed {
        true => BESIDE,
        false if code.least() > LANES => FAR,
        false => AHEAD,
    };
    let mut all = asking(params, space, ahead);
    let mut results: SmallVec<[(UniqueBuffer, usize); 1]> = SmallVec::new();
    for p in results_of {
        let (buffer, base, first) = room(rows, row, *p, placing.then_some(lead), space)?;
        all.push(Argument { base: base.wrapping_add(first), stride: 1, row: row as i64 });
        results.push((buffer, first));
    }
    let flag = Flag::default();
    all.push(flag.argument());
    if rows * row > 0 {
        let (all, count) = (Shared(all), space.lines().0);
        let parallel = are_worth(code, rows * row);
        let task = |line: usize, rows: Range<usize>, elements: Range<usize>| {
            let mut arguments = { &all }.0.clone();
            seek(space, &mut arguments, line, rows.start);
            let results = arguments.iter_mut().zip(params).skip(space.inputs.len());
            for (argument, p) in results.filter(|(_, p)| p.access.is_result()) {
                let offset = (line * count + rows.start) * row * p.bytes();
                argument.base = argument.base.wrapping_add(offset);
            }
            // SAFETY: rows of the space, and a range of them that no other task writes.
            unsafe { range(code, params, &arguments, rows.len(), elements) };
            if streams {
                arrived();
            }
        };
        scratch::guard("launch", || match transposed {
            true => squares(parallel, space, [space.lead_of_rows(), lead], task),
            false => split(parallel, space, code.least(), lead, task),
        })?;
    }
    flag.result()?;
    // SAFETY: the tasks have written every element of every result, and what is before them is zero.
    let written = |(b, first): (UniqueBuffer, usize)| Written { buffer: unsafe { b.assume_init() }, first };
    Ok(results.into_iter().map(written).collect())
}

/// Memory for results of a single row within the caches, whose arguments come behind those that there are.
///
/// # Errors
/// No memory.
pub(super) fn results(
    written: &[Param],
    row: usize,
    all: &mut Arguments,
) -> Result<SmallVec<[UniqueBuffer; 1]>> {
    let mut results = SmallVec::new();
    for p in written {
        let buffer = row.checked_mul(p.bytes()).and_then(UniqueBuffer::allocate);
        let mut buffer = buffer.ok_or_else(|| no_memory(1, row, *p))?;
        let base = buffer.as_uninit::<u8>().as_mut_ptr().cast();
        all.push(Argument { base, stride: 1, row: row as i64 });
        results.push(buffer);
    }
    Ok(results)
}

/// Memory of a result, its address, and how many bytes into it the result begins: 0, or where one that
/// goes past the caches is placed, whose element `lead` begins a line.
///
/// # Errors
/// No memory.
pub(super) fn room(
    rows: usize,
    row: usize,
    p: Param,
    lead: Option<usize>,
    space: &Space<'_>,
) -> Result<(UniqueBuffer, *mut u8, usize)> {
    let lead = lead.filter(|_| p.access == Access::Stream);
    let spare = if lead.is_some() { PAGE } else { 0 };
    let bytes = rows.checked_mul(row).and_then(|n| n.checked_mul(p.bytes())?.checked_add(spare));
    let mut buffer = bytes.and_then(UniqueBuffer::allocate).ok_or_else(|| no_memory(rows, row, p))?;
    let base: *mut u8 = buffer.as_uninit::<u8>().as_mut_ptr().cast();
    let first = lead.map_or(0, |lead| place(base as usize, p, lead, space));
    // What stands before the first element, and after the last one, is memory of the result, too.
    let all = buffer.as_uninit::<u8>();
    all[..first].fill(MaybeUninit::new(0));
    let end = all.len() - (spare - first);
    all[end..].fill(MaybeUninit::new(0));
    Ok((buffer, base, first))
}

/// How many bytes into its memory a result begins that goes past the caches: element `lead` begins a
/// line, and within a page the result follows the inputs that are walked as fast at the greatest
/// distance. A processor knows what is being written by the place in a page, and lets reads of the
/// same place wait.
fn place(base: usize, p: Param, lead: usize, space: &Space<'_>) -> usize {
    let alike = || space.inputs.iter().filter(|w| w.is_in_order() && w.bytes == p.bytes());
    let behind = |first: usize| {
        alike().map(|w| (base + first).wrapping_sub(w.first as usize) % PAGE).min().unwrap_or(0)
    };
    let begin = (LINE - lead * p.bytes() % LINE) % LINE;
    (0..PAGE / LINE).map(|line| begin + line * LINE).rev().max_by_key(|&first| behind(first)).unwrap_or(begin)
}

/// Waits until what went past the caches is there, before others are told so.
pub(super) fn arrived() {
    std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
}

pub(super) fn no_memory(rows: usize, row: usize, param: Param) -> ivy_core::Error {
    let bytes = rows as u128 * row as u128 * param.bytes() as u128;
    ErrorKind::no_memory("launch", bytes).into()
}

/// Runs a range of some rows: in place what the code takes, the rest on scratch memory.
///
/// # Safety
/// The arguments are those of rows of a space and its results; the range lies within the rows, and
/// no other thread writes to it.
pub(super) unsafe fn range(
    code: &dyn Code,
    params: &[Param],
    arguments: &[Argument],
    rows: usize,
    elements: Range<usize>,
) {
    let (least, Range { start, end }) = (code.least(), elements);
    let whole = if end - start < least { start } else { end };
    if whole > start {
        // SAFETY: within the rows, and long enough.
        unsafe { code.run(arguments, start, whole, rows) };
    }
    for row in (0..rows).filter(|_| end > whole) {
        let moved = |(a, p): (&Argument, &Param)| {
            let offset = a.row as isize * row as isize * p.bytes() as isize;
            Argument { base: a.base.wrapping_offset(offset), ..*a }
        };
        let arguments: Arguments = arguments.iter().zip(params).map(moved).collect();
        // SAFETY: elements of the row, fewer than the code takes.
        unsafe { rest(code, params, &arguments, whole, end - whole) };
    }
}

/// Memory for 16 of the widest elements at the largest step, which only its address leads to.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Scratch(#[allow(dead_code)] [u128; 64]);

/// Runs fewer elements than code takes at least.
///
/// # Safety
/// As [`range`], for `count` elements of one row from `begin` on.
#[cold]
unsafe fn rest(code: &dyn Code, params: &[Param], arguments: &[Argument], begin: usize, count: usize) {
    // What is gathered cannot be copied: lanes without an element read that of the first lane.
    let walks = |(p, a): (&Param, &Argument)| matches!(p.access, Access::Gather(Steps::Any)) && a.stride != 0;
    if count > 1 && params.iter().zip(arguments).any(walks) {
        for i in begin..begin + count {
            // SAFETY: as here.
            unsafe { rest(code, params, arguments, i, 1) };
        }
        return;
    }
    let least = code.least();
    let blocks = least.div_ceil(16).max(1);
    let mut scratch: Vec<Scratch> = vec![Scratch([0; 64]); params.len() * blocks];
    let mut small: Arguments = SmallVec::new();
    for ((p, argument), scratch) in params.iter().zip(arguments).zip(scratch.chunks_mut(blocks)) {
        let bytes = p.bytes() as isize;
        // Elements from one to the next, where they come from and where they go.
        let (from, to) = match p.access {
            Access::Strided => (argument.stride as isize, 1),
            Access::Step(step) | Access::StepAhead(step) => (isize::from(step), isize::from(step)),
            _ => (1, 1),
        };
        let start = if to < 0 { -to * (least as isize - 1) * bytes } else { 0 };
        // SAFETY: within the scratch block, which holds `least` elements at any step.
        let first = unsafe { scratch.as_mut_ptr().cast::<u8>().offset(start) };
        match p.access {
            Access::Uniform | Access::Flag => {
                small.push(*argument);
                continue;
            }
            Access::Gather(_) => {
                let offset = argument.stride as isize * begin as isize * bytes;
                let base = argument.base.wrapping_offset(if count == 1 { offset } else { 0 });
                small.push(Argument { base, stride: 0, row: 0 });
                continue;
            }
            Access::Counter(steps) => {
                let step = if steps == Steps::One { 1 } else { argument.stride as isize };
                let base = argument.base.wrapping_offset(step * begin as isize);
                small.push(Argument { base, ..*argument });
                continue;
            }
            access if access.is_result() => {}
            _ => {
                // The last one again and again, where there are no more: a loop of other elements may
                // not end.
                for i in 0..least as isize {
                    let number = begin as isize + i.min(count as isize - 1);
                    // SAFETY: an element of an input, and room for it in the scratch block.
                    unsafe {
                        let from = argument.base.cast_const().offset(number * from * bytes);
                        from.copy_to_nonoverlapping(first.offset(i * to * bytes), p.bytes());
                    }
                }
            }
        }
        small.push(Argument { base: first, stride: 1, row: 0 });
    }
    // SAFETY: scratch memory holds enough zeros or elements for each parameter, and is aligned.
    unsafe { code.run(&small, 0, least, 1) };
    for ((p, argument), scratch) in params.iter().zip(arguments).zip(scratch.chunks(blocks)) {
        if p.access.is_result() {
            let from = scratch.as_ptr().cast::<u8>();
            // SAFETY: `count` elements from `begin` on are this task's to write.
            unsafe {
                from.copy_to_nonoverlapping(argument.base.add(begin * p.bytes()), count * p.bytes());
            }
        }
    }
}
