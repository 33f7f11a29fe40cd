//! A launch over one row, whose inputs are as many elements side by side, or one: no space is walked.
//!
//! # The promise
//! As in [`super::launch`]: what a kernel reads are the elements of [`Held`] memory, of which there are
//! enough ([`suits`]); what it writes is fresh memory of as many elements as the row has.

use super::super::Held;
use super::device::Kernel;
use super::kept::Kept;
use super::launch::{memory, start};
use super::pool::Memory;
use super::walk::are_few;
use crate::codegen::ptx::{Form, Shape, Walk};
use crate::ir::{Access, Param};
use ivy_core::Result;
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// What a kernel for such a row is made for.
pub const FLAT: Form = Form::new(0, false);

/// True if a parameter finds so many elements of a row from a place in memory on.
fn suits(p: Param, memory: &Memory, first: usize, row: usize) -> bool {
    let elements = if p.access == Access::Linear { row } else { 1 };
    let end = elements.checked_mul(p.bytes()).and_then(|bytes| bytes.checked_add(first));
    end.is_some_and(|end| end <= memory.bytes()) && first.is_multiple_of(p.ty.bytes())
}

/// True if a kernel with these parameters may run over a row of so many elements of such inputs; of many, it may
/// want another form.
pub fn is_row(kept: &Kept, params: &[Param], row: usize, inputs: &[Held]) -> bool {
    let Some((read, written)) = params.split_at_checked(inputs.len()) else { return false };
    let fits = |(p, held): (&Param, &Held)| {
        matches!(p.access, Access::Linear | Access::Uniform)
            && match held {
                Held::Device(memory, first) => suits(*p, memory, *first, row),
                Held::Literal(_) => p.access == Access::Uniform,
                Held::Memory(..) => false,
            }
    };
    row > 0
        && are_few(row, kept.device().processors)
        && matches!(written, [Param { access: Access::Out, .. }])
        && read.iter().zip(inputs).all(fits)
}

/// Runs a kernel with these parameters, which `code` gives for the form [`FLAT`], over a row, and gives its
/// result; `None` for one that wants another kind of space.
///
/// # Errors
/// Those of `code`; no memory, and what a launch before ended with.
pub fn row(
    kept: &Kept,
    params: &[Param],
    row: usize,
    inputs: &[Held],
    code: impl FnOnce() -> Result<Arc<Kernel>>,
) -> Result<Option<Memory>> {
    if !is_row(kept, params, row, inputs) {
        return Ok(None);
    }
    let kernel = &*code()?;
    // Kept until the launch was started.
    let mut literals: SmallVec<[Arc<Memory>; 4]> = SmallVec::new();
    let mut words: SmallVec<[u64; 16]> = smallvec![row as u64, 1, row as u64];
    for (p, held) in params.iter().zip(inputs) {
        let address = match held {
            Held::Device(memory, first) => memory.address() + *first as u64,
            Held::Literal(value) => {
                let literal = kept.literal(*value)?;
                let address = literal.address();
                literals.push(literal);
                address
            }
            Held::Memory(..) => return Ok(None),
        };
        words.extend([address, u64::from(p.access == Access::Linear)]);
    }
    let result = memory(kernel, row, &params[inputs.len()])?;
    words.push(result.address());
    start(kernel, (Shape::Elements, Walk::SINGLE), row, &words)?;
    Ok(Some(result))
}
