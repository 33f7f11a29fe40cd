//! JAX's functions over ivy, with its names, argument names, defaults and dtype rules.
//!
//! Each function is a row of `functions/*.tsv`: its arguments without a default come by position, the others by name
//! ([`kw!`]). Methods of arrays are those of the trait [`Methods`].

use ivy_core::Result;
use ivy_frontend::{ArrayLikes, Definition, Framework, Frontend, Tensor as AnyTensor};
pub use ivy_frontend::{Keywords, Value, kw};

/// The framework, as a type.
#[derive(Clone, Copy, Debug)]
pub struct Jax;

/// The frontend: its rows, versions, and calls by path.
pub static JAX: Frontend = Frontend::new(Definition {
    name: "jax",
    class: "Array",
    array_likes: ArrayLikes::Numbers,
    steps_back: true,
    views: &[],
    views_keep_graph: false,
    saved_results: &[],
    files: functions::FILES,
    specials: functions::SPECIALS,
})
.immutable();

impl Framework for Jax {
    fn frontend() -> &'static Frontend {
        &JAX
    }
}

/// An array with JAX's rules in its operators.
pub type Array = AnyTensor<Jax>;

#[allow(non_snake_case, clippy::too_many_arguments, clippy::module_inception, clippy::needless_lifetimes)]
mod functions {
    use super::{Array, Keywords, Result, Value};

    include!(concat!(env!("OUT_DIR"), "/functions.rs"));
}
pub use functions::*;

/// Functions of `jax.lax`: those of rows, and control flow.
pub mod lax {
    pub use crate::control_flow::{associative_scan, cond, fori_loop, map, scan, switch, while_loop};
    pub use crate::functions::lax::*;
}

mod control_flow;
mod special;
mod transformations;
pub mod tree;

pub use transformations::*;
