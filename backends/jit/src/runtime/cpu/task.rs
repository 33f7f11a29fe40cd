//! Kernels with effects, on memory that is there.
//!
//! # Invariants
//!
//! - An argument of memory is a [`Cells`] of the parameter's type. What the code writes to is borrowed for
//!   that: it is no other argument's, and nobody else reads it. Code touches no element beyond its length.
//! - What launches guarantee is looked at before code runs, which relies on it.
//! - An element is in one range, which one task runs, once.

use super::launch::{Arguments, Shared, unfit};
use super::tasks::are_worth;
use crate::codegen::{Argument, Ready};
use crate::ir::{Access, BLOCK, Effects, Type};
use ivy_core::Result;
use ivy_core::host::scratch;
use ivy_kernels::parallel::tasks;
use std::ops::Range;

/// What a thread takes at a time at most: a multiple of every block.
const TASK: u64 = 1 << 15;
/// How many of these a thread has, so that none waits long for another.
const SHARES: u64 = 8;

/// What a parameter is given.
pub enum Cells<'m> {
    /// Elements of a type, which may be written to.
    Memory(Type, &'m mut [u8]),
    /// Elements of a type, which the code does not write to.
    Constant(Type, &'m [u8]),
    /// The bits of a value.
    Value(u64),
    /// The numbers of the elements.
    Numbers,
}

/// Runs the elements of a range, each once, by a kernel that writes to no [`Cells::Constant`]: in order on one thread where they are serial or that is asked
/// for, else on all where that pays.
///
/// # Errors
/// [`ivy_core::ErrorKind::InvalidArgument`] where arguments are not of the parameters' kinds, or a range has
/// no whole blocks; [`ivy_core::ErrorKind::Interrupted`].
pub fn task(
    kernel: &Ready,
    effects: Effects,
    cells: &mut [Cells<'_>],
    range: Range<i64>,
    threads: bool,
) -> Result<()> {
    let Ready { code, params, guarantees, .. } = kernel;
    let count = range.end.checked_sub(range.start).and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    if cells.len() != params.len() || !count.is_multiple_of(effects.block as usize) {
        return Err(unfit(&range));
    }
    let mut arguments = Arguments::new();
    for (cells, p) in cells.iter_mut().zip(params) {
        arguments.push(match cells {
            Cells::Memory(ty, bytes) if p.access.is_memory() && *ty == p.ty => {
                let length = (bytes.len() / ty.bytes()) as i64;
                Argument { base: bytes.as_mut_ptr(), stride: length, row: 0 }
            }
            Cells::Constant(ty, bytes) if p.access == Access::Memory && *ty == p.ty => {
                let length = (bytes.len() / ty.bytes()) as i64;
                Argument { base: bytes.as_ptr().cast_mut(), stride: length, row: 0 }
            }
            Cells::Value(bits) if p.access == Access::Uniform => {
                Argument { base: std::ptr::from_mut(bits).cast(), stride: 0, row: 0 }
            }
            Cells::Numbers if matches!(p.access, Access::Counter(_)) => {
                let first = std::ptr::without_provenance_mut(range.start as usize);
                Argument { base: first, stride: 1, row: 0 }
            }
            _ => return Err(unfit(&range)),
        });
    }
    if count == 0 {
        return Ok(());
    }
    guarantees.check(Some(&range), |n| arguments.get(n).map_or(0, |argument| argument.stride as u64))?;
    let parallel = threads && !effects.serial && are_worth(&**code, count);
    let threads = if parallel { rayon::current_num_threads() as u64 } else { 1 };
    let share = (count as u64 / (threads * SHARES)).clamp(u64::from(BLOCK), TASK);
    let each = if parallel { share.next_multiple_of(u64::from(BLOCK)) as usize } else { count };
    let shared = Shared(arguments);
    let part = |n: usize| {
        let begin = n * each;
        // SAFETY: the arguments are those of the parameters, as was looked at; no other task has these
        // elements; the range begins a block, and has whole ones.
        unsafe { code.run(shared.arguments(), begin, (begin + each).min(count), 1) };
    };
    scratch::guard("launch", || tasks(parallel, count.div_ceil(each), &part))
}
