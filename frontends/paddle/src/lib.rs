//! Paddle's functions over ivy, with its names, argument names, defaults and dtype rules.
//!
//! Each function is a row of `functions/*.tsv`: its arguments without a default come by position, the others by name
//! ([`kw!`]). Methods of arrays are those of the trait [`Methods`].

pub mod autograd;
mod special;
mod views;

use ivy_core::Result;
use ivy_frontend::{ArrayLikes, Definition, Framework, Frontend, Tensor as AnyTensor};
pub use ivy_frontend::{Keywords, Value, kw};

/// The framework, as a type.
#[derive(Clone, Copy, Debug)]
pub struct Paddle;

/// The frontend: its rows, versions, and calls by path.
pub static PADDLE: Frontend = Frontend::new(Definition {
    name: "paddle",
    class: "Tensor",
    array_likes: ArrayLikes::Numbers,
    steps_back: true,
    views: views::VIEWS,
    views_keep_graph: true,
    saved_results: &[],
    files: functions::FILES,
    specials: functions::SPECIALS,
});

impl Framework for Paddle {
    fn frontend() -> &'static Frontend {
        &PADDLE
    }
}

/// An array with Paddle's rules in its operators.
pub type Tensor = AnyTensor<Paddle>;

#[allow(non_snake_case, clippy::too_many_arguments, clippy::module_inception, clippy::needless_lifetimes)]
mod functions {
    use super::{Keywords, Result, Tensor, Value};

    include!(concat!(env!("OUT_DIR"), "/functions.rs"));
}
pub use functions::*;
