//! Running code over a space, with fresh memory for the results.
//!
//! # Invariants
//!
//! - A [`Space`] leads to elements of its views only, and code reads what the space says: the
//!   parameters are compared before ([`Space::fits`]).
//! - Code runs on whole blocks. The rest of a row runs on scratch memory of a whole block, so
//!   that neither inputs nor results are touched beyond their ends.
//! - Each element of a result is written by one task, and by no other.

use super::space::Space;
use crate::codegen::{Argument, Code};
use crate::ir::{Access, Param};
use ivy_core::host::{Buffer, UniqueBuffer};
use ivy_core::{ErrorKind, Result};
use rayon::prelude::*;
use smallvec::SmallVec;

/// Below this many elements, other threads cost more than they bring.
const PARALLEL: usize = 1 << 16;
/// What a thread takes at a time.
const TASK: usize = 1 << 15;

type Arguments = SmallVec<[Argument; 8]>;

/// Addresses that tasks on other threads write to.
#[derive(Clone)]
struct Shared(Arguments);
// SAFETY: inputs are only read, and tasks write to different elements.
unsafe impl Sync for Shared {}

/// Runs code of a kernel with these parameters, inputs first, and gives the results' memory,
/// row-major, in the order of the parameters.
///
/// # Errors
/// No memory; [`ErrorKind::InvalidArgument`] for a space that the kernel was not made for.
pub fn launch(code: &dyn Code, params: &[Param], space: &Space<'_>) -> Result<SmallVec<[Buffer; 1]>> {
    if !space.fits(params) {
        return Err(ErrorKind::InvalidArgument {
            function: "launch",
            argument: "space",
            value: format!("{space:?}"),
            rule: "a kernel runs over spaces of the kind that it was made for",
        }
        .into());
    }
    let (rows, row) = (space.rows(), space.inner);
    let mut arguments: Arguments =
        space.inputs.iter().map(|w| Argument { base: w.first.cast_mut(), stride: w.inner as i64 }).collect();
    let mut results: SmallVec<[UniqueBuffer; 1]> = SmallVec::new();
    for p in &params[space.inputs.len()..] {
        let bytes = rows.checked_mul(row).and_then(|n| n.checked_mul(p.bytes()));
        let mut buffer = bytes.and_then(UniqueBuffer::allocate).ok_or_else(|| no_memory(rows, row, *p))?;
        arguments.push(Argument { base: buffer.as_uninit::<u8>().as_mut_ptr().cast(), stride: 1 });
        results.push(buffer);
    }
    let all = Shared(arguments);
    let task = |row_number: usize, begin: usize, end: usize| {
        // SAFETY: a row of the space, and a range of it that no other task writes.
        unsafe { range(code, params, space, &all, row_number, begin, end) }
    };
    if rows * row < PARALLEL {
        (0..rows).for_each(|r| task(r, 0, row));
    } else if row >= TASK {
        let each = row.div_ceil(TASK);
        (0..rows * each).into_par_iter().for_each(|t| {
            let begin = t % each * TASK;
            task(t / each, begin, (begin + TASK).min(row));
        });
    } else {
        let some = TASK.div_ceil(row.max(1));
        (0..rows.div_ceil(some)).into_par_iter().for_each(|t| {
            (t * some..((t + 1) * some).min(rows)).for_each(|r| task(r, 0, row));
        });
    }
    // SAFETY: the tasks have written every element of every result.
    Ok(results.into_iter().map(|b| unsafe { b.assume_init() }).collect())
}

fn no_memory(rows: usize, row: usize, param: Param) -> ivy_core::Error {
    let bytes = rows as u128 * row as u128 * param.bytes() as u128;
    ErrorKind::MemoryLimit { function: "launch", bytes, limit: isize::MAX as u128 }.into()
}

/// Runs a range of a row: whole blocks in place, the rest on scratch memory.
///
/// # Safety
/// The arguments are those of the space and its results; the range lies within the row, and no
/// other thread writes to it. It begins at a multiple of the code's block.
unsafe fn range(
    code: &dyn Code,
    params: &[Param],
    space: &Space<'_>,
    all: &Shared,
    row: usize,
    begin: usize,
    end: usize,
) {
    let mut arguments = all.0.clone();
    if !space.outer.is_empty() {
        let mut index = row;
        let mut offsets: SmallVec<[isize; 8]> = SmallVec::from_elem(0, space.inputs.len());
        for axis in (0..space.outer.len()).rev() {
            let at = (index % space.outer[axis]) as isize;
            index /= space.outer[axis];
            space.inputs.iter().zip(&mut offsets).for_each(|(w, o)| *o += at * w.outer[axis]);
        }
        for (argument, (walk, offset)) in arguments.iter_mut().zip(space.inputs.iter().zip(&offsets)) {
            argument.base = argument.base.wrapping_offset(offset * walk.bytes as isize);
        }
        for (argument, p) in arguments.iter_mut().zip(params).skip(space.inputs.len()) {
            argument.base = argument.base.wrapping_add(row * space.inner * p.bytes());
        }
    }
    let block = code.block();
    let whole = begin + (end - begin) / block * block;
    if whole > begin {
        // SAFETY: whole blocks within the row.
        unsafe { code.run(&arguments, begin, whole) };
    }
    if end > whole {
        // SAFETY: elements of the row, fewer than a block.
        unsafe { rest(code, params, &arguments, whole, end - whole) };
    }
}

/// A block of the widest elements.
type Scratch = [u128; 64];

/// Runs fewer elements than a block.
///
/// # Safety
/// As [`range`], for `count` elements from `begin` on.
#[cold]
unsafe fn rest(code: &dyn Code, params: &[Param], arguments: &[Argument], begin: usize, count: usize) {
    let block = code.block();
    assert!(block <= 64, "a scratch block holds what code computes at a time");
    let mut scratch: Vec<Scratch> = vec![[0; 64]; params.len()];
    let mut small: Arguments = SmallVec::new();
    for ((p, argument), scratch) in params.iter().zip(arguments).zip(&mut scratch) {
        let to = scratch.as_mut_ptr().cast::<u8>();
        let step = if p.access == Access::Strided { argument.stride as isize } else { 1 };
        match p.access {
            Access::Uniform => {
                small.push(*argument);
                continue;
            }
            Access::Out => {}
            _ => {
                for i in 0..count {
                    let from = step * (begin + i) as isize * p.bytes() as isize;
                    // SAFETY: element `begin + i` of an input, and room for it in the scratch block.
                    unsafe {
                        let from = argument.base.cast_const().offset(from);
                        from.copy_to_nonoverlapping(to.add(i * p.bytes()), p.bytes());
                    }
                }
            }
        }
        small.push(Argument { base: to, stride: 1 });
    }
    // SAFETY: scratch memory holds a whole block of zeros or elements for each parameter.
    unsafe { code.run(&small, 0, block) };
    for ((p, argument), scratch) in params.iter().zip(arguments).zip(&scratch) {
        if p.access == Access::Out {
            let from = scratch.as_ptr().cast::<u8>();
            // SAFETY: `count` elements from `begin` on are this task's to write.
            unsafe {
                from.copy_to_nonoverlapping(argument.base.add(begin * p.bytes()), count * p.bytes());
            }
        }
    }
}
