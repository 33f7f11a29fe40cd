//! A launch over one row, whose inputs are as many elements side by side, or one: no space is walked.
//!
//! # Invariants
//!
//! - What a kernel reads are the elements of [`Held`] memory, of which there are enough ([`suits`]); what
//!   it writes is fresh memory of as many elements as the row has.

use super::super::Held;
use super::launch::{Arguments, range, results};
use super::tasks::are_worth;
use crate::codegen::Argument;
use crate::codegen::Ready;
use crate::ir::{Access, Param};
use ivy_core::Result;
use ivy_core::host::Buffer;
use smallvec::SmallVec;
use std::cell::Cell;
use std::ops::{Range, RangeInclusive};

/// Bytes that a core's own cache does not hold, or not with room to spare, but mostly: walked from the
/// front again and again, each line is gone by the time that it is read again.
const TURNING: RangeInclusive<usize> = 1 << 20..=4 << 20;
/// Elements that are walked from the front by themselves: vectors enough that memory is read ahead.
pub const STRETCH: usize = 1 << 14;

thread_local! {
    /// Whether this thread has walked such a row from the end the last time.
    static FROM_THE_END: Cell<bool> = const { Cell::new(false) };
}

/// The stretches of a row of so many elements, in order.
pub fn stretches(row: usize) -> impl DoubleEndedIterator<Item = Range<usize>> {
    let count = (row / STRETCH).max(1);
    // The last one takes what is left, so that none is too short.
    (0..count).map(move |i| i * STRETCH..if i + 1 == count { row } else { (i + 1) * STRETCH })
}

/// True if a row with so many bytes is to be walked from the end: every other one is, so that it begins
/// with what has been read and written last.
pub fn turns(bytes: usize) -> bool {
    TURNING.contains(&bytes) && !FROM_THE_END.replace(!FROM_THE_END.get())
}

/// True if a parameter finds its elements in an input of a row of so many.
fn suits(p: Param, input: &Held, row: usize) -> bool {
    let elements = match p.access {
        Access::Linear => row,
        Access::Uniform => 1,
        _ => return false,
    };
    input.reach().is_some_and(|(first, bytes)| {
        elements.checked_mul(p.bytes()).is_some_and(|needed| needed <= bytes)
            && (first as usize).is_multiple_of(p.ty.bytes())
    })
}

/// Runs a kernel over a row of so many elements and gives its results; `None` for one that wants another
/// kind of space, or several threads. It may be walked from the end, if that is wanted.
///
/// # Errors
/// No memory.
pub fn row(
    ready: &Ready,
    row: usize,
    inputs: &[Held],
    turning: bool,
) -> Result<Option<SmallVec<[Buffer; 1]>>> {
    let (code, params) = (&*ready.code, &ready.params[..]);
    let Some((read, written)) = params.split_at_checked(inputs.len()) else { return Ok(None) };
    let fit = read.iter().zip(inputs).all(|(p, input)| suits(*p, input, row))
        && written.iter().all(|p| p.access == Access::Out)
        && row > 0;
    if !fit || are_worth(code, row) {
        return Ok(None);
    }
    let mut all = Arguments::new();
    for (p, input) in read.iter().zip(inputs) {
        let Some((first, _)) = input.reach() else { return Ok(None) };
        let stride = i64::from(p.access == Access::Linear);
        all.push(Argument { base: first.cast_mut(), stride, row: 0 });
    }
    let memory = results(written, row, &mut all)?;
    let walked = params.iter().filter(|p| matches!(p.access, Access::Linear | Access::Out));
    let bytes = row.saturating_mul(walked.map(|p| p.bytes()).sum());
    // SAFETY: every input has the elements of the row, or the one, that its parameter's access names,
    // aligned; the results are fresh memory for as many, of which each stretch has its own.
    let run = |stretch| unsafe { range(code, params, &all, 1, stretch) };
    match turning && turns(bytes) {
        true => stretches(row).rev().for_each(run),
        false => run(0..row),
    }
    // SAFETY: every element of every result has been written.
    Ok(Some(memory.into_iter().map(|buffer| unsafe { buffer.assume_init() }).collect()))
}
