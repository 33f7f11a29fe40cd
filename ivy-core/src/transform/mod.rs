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

pub(crate) use batch::vmap;
pub(crate) use custom::{Reverse, custom_jvp, custom_vjp};
pub(crate) use dual::{jvp, stop_gradient};
pub(crate) use level::{Wrapper, outermost};
pub(crate) use linear::{Pullback, vjp};

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

/// The elements on which a decision is made: below all derivatives and batches.
fn bottom(x: &Array) -> Array {
    let below = dual::below(x).or_else(|| batch::below(x).map(|(inner, _)| inner));
    below.map_or_else(|| x.clone(), bottom)
}

/// True if any element is, in any entry of the batches that a function is mapped over.
pub(crate) fn any_true(x: &Array) -> Result<bool> {
    let x = bottom(x);
    // What is one element already is not reduced anew: a turn of a loop that is replayed makes no nodes.
    if x.ndim() == 0 { x.item() } else { crate::functional::any(x, ())?.item() }
}

/// True if an array may have other elements in each entry of a batch that a function is mapped over.
pub(crate) fn varies(x: &Array) -> bool {
    match (dual::below(x), batch::below(x)) {
        (Some(primal), _) => varies(primal),
        (None, Some((inner, batched))) => batched || varies(inner),
        (None, None) => false,
    }
}
