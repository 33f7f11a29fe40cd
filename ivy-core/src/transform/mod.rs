//! Transformations of functions, as backends that wrap another one: derivatives.
//!
//! An array of such a backend holds an array of the one below and something besides: a tangent
//! ([`dual`]), or its place on a tape ([`linear`]). To execute an op is to apply its rule, which calls ops
//! below. No function of the API knows of any of them; they nest in any order, and work on every backend.
//!
//! There is one derivative rule an op, its linearisation (`jvp/`). Forward mode applies it to tangents on the
//! backend below. Reverse mode applies it to tangents on the tape, which notes the linear ops that a rule
//! calls; going back along the tape, each of these is transposed (`transpose/`). Only the two lists of what is
//! linear have to agree, and a rule is written once.

mod dual;
mod jvp;
mod level;
mod linear;
mod ops;
mod transpose;

pub(crate) use dual::{jvp, stop_gradient};
pub(crate) use level::{Wrapper, outermost};
pub(crate) use linear::{Pullback, vjp};

use crate::{Error, ErrorKind};

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
