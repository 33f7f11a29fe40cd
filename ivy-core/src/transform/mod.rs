//! Transformations of functions, as backends that wrap another one: derivatives and `vmap`.
//!
//! An array of such a backend holds an array of the one below and something besides: a tangent
//! ([`dual`]), its place on a tape ([`linear`]), a batch axis ([`batch`]). To execute an op is to apply its
//! rule, which calls ops below. No function of the API knows of any of them; they nest in any order, and
//! work on every backend.
//!
//! There is one derivative rule an op, its linearisation (`jvp/`). Forward mode applies it to tangents on the
//! backend below. Reverse mode applies it to tangents on the tape, which notes the linear ops that a rule
//! calls; going back along the tape, each of these is transposed (`transpose/`). Only the two lists of what is
//! linear have to agree, and a rule is written once.

mod batch;
mod custom;
mod dual;
mod jvp;
mod level;
mod linear;
mod ops;
mod transpose;

pub(crate) use batch::{spread_over, vmap};
pub(crate) use custom::{Reverse, custom_jvp, custom_vjp};
pub(crate) use dual::{jvp, stop_gradient};
pub(crate) use level::{Running, Wrapper, base_of, batches_around, outermost, root};
pub(crate) use linear::{Pullback, vjp, vjp_of_op};
pub(crate) use ops::iota;

use crate::{Array, Error, ErrorKind, Result};

/// The error of what a transformation cannot do.
#[cold]
fn refused(
    function: &'static str,
    transformation: &'static str,
    reason: &'static str,
    remedy: &'static str,
) -> Error {
    ErrorKind::NotTransformable { function, transformation, reason, remedy }.into()
}

/// The error of an array that was kept beyond the call which made it.
#[cold]
pub(crate) fn escaped(function: &'static str) -> Error {
    refused(
        function,
        "a transformation",
        "has met an array that another call of a transformed function made",
        "Return arrays from the function instead of keeping them, or use `stop_gradient`",
    )
}

/// Refuses an array that a derivative is taken by, where its elements are to be read: they would be constants.
pub(crate) fn check_constant(function: &'static str, argument: &'static str, x: &Array) -> Result<()> {
    match dual::has_tangent(x) {
        true => Err(ErrorKind::TracedRead { function, argument }.into()),
        false => Ok(()),
    }
}

/// The elements on which a decision is made: below all derivatives and batches.
pub(crate) fn bottom(x: &Array) -> Array {
    let below = dual::below(x).or_else(|| batch::below(x).map(|(inner, _)| inner));
    below.map_or_else(|| x.clone(), bottom)
}

/// The elements that an array shows within transformations: without tangents, and of all entries of the batches that a
/// function is mapped over, whose lengths come first in its shape, the outermost first.
pub(crate) fn shown(x: &Array) -> (Array, Vec<usize>) {
    if let Some(primal) = dual::below(x) {
        return shown(primal);
    }
    let Some((inner, batched)) = batch::below(x) else { return (x.clone(), Vec::new()) };
    let (shown, mut batches) = shown(inner);
    if batched {
        batches.push(inner.shape()[0]);
    }
    (shown, batches)
}

/// True if any element is, in any entry of the batches that a function is mapped over.
pub(crate) fn any_true(x: &Array) -> Result<bool> {
    let x = bottom(x);
    // What is one element already is not reduced anew: an iteration of a loop that is replayed makes no nodes.
    if x.ndim() == 0 { x.item() } else { crate::functional::any(x, ())?.item() }
}

/// The array where a condition holds, and a constant elsewhere: an operand of a branch that only the elements of the
/// condition take. The value is the same, but nothing that the branch does with the others has a part in derivatives.
/// `None` where nothing is differentiated, and where the condition has more elements than the array.
pub(crate) fn constant_elsewhere(condition: &Array, x: &Array) -> Result<Option<Array>> {
    if !dual::is_differentiated(x) {
        return Ok(None);
    }
    match crate::shape::broadcast("where", &[condition.shape(), x.shape()]) {
        Ok(both) if both == *x.shape() => {
            crate::functional::where_(condition, x, stop_gradient(x)?).map(Some)
        }
        _ => Ok(None),
    }
}

/// True if an array may have other elements in each entry of a batch that a function is mapped over.
pub(crate) fn varies(x: &Array) -> bool {
    match (dual::below(x), batch::below(x)) {
        (Some(primal), _) => varies(primal),
        (None, Some((inner, batched))) => batched || varies(inner),
        (None, None) => false,
    }
}
