//! A launch over one row, whose inputs are as many elements side by side, or one: no space is walked.
//!
//! # Invariants
//!
//! - What a kernel reads are the elements of [`Held`] memory, of which there are enough ([`suits`]); what
//!   it writes is fresh memory of as many elements as the row has.

use super::super::Held;
use super::launch::{Arguments, range, results};
use super::tasks::are_worth;
use crate::cache::Ready;
use crate::codegen::Argument;
use crate::ir::{Access, Param};
use ivy_core::Result;
use ivy_core::host::Buffer;
use smallvec::SmallVec;

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
/// kind of space, or several threads.
///
/// # Errors
/// No memory.
pub fn row(ready: &Ready, row: usize, inputs: &[Held]) -> Result<Option<SmallVec<[Buffer; 1]>>> {
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
    // SAFETY: every input has the elements of the row, or the one, that its parameter's access names,
    // aligned; the results are fresh memory for as many.
    unsafe { range(code, params, &all, 1, 0..row) };
    // SAFETY: every element of every result has been written.
    Ok(Some(memory.into_iter().map(|buffer| unsafe { buffer.assume_init() }).collect()))
}
