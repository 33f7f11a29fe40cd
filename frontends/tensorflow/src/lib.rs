//! TensorFlow's functions over ivy, with its names, argument names, defaults and dtype rules.
//!
//! Each function is a row of `functions/*.tsv`: its arguments without a default come by position, the others by name
//! ([`kw!`]). Methods of arrays are those of the trait [`Methods`].

mod special;
mod tape;

use ivy_core::Result;
use ivy_frontend::{ArrayLikes, Definition, Framework, Frontend, Tensor as AnyTensor};
pub use ivy_frontend::{Keywords, Value, kw};
pub use tape::{GradientTape, UnconnectedGradients, Variable, is_recording};

/// The framework, as a type.
#[derive(Clone, Copy, Debug)]
pub struct TensorFlow;

/// The frontend: its rows, versions, and calls by path.
pub static TENSORFLOW: Frontend = Frontend::new(Definition {
    name: "tensorflow",
    class: "Tensor",
    array_likes: ArrayLikes::All,
    steps_back: true,
    views: &[],
    views_keep_graph: false,
    saved_results: &[],
    files: functions::FILES,
    specials: functions::SPECIALS,
});

impl Framework for TensorFlow {
    fn frontend() -> &'static Frontend {
        &TENSORFLOW
    }
}

/// An array with TensorFlow's rules in its operators.
pub type Tensor = AnyTensor<TensorFlow>;

#[allow(non_snake_case, clippy::too_many_arguments, clippy::module_inception, clippy::needless_lifetimes)]
mod functions {
    use super::{Keywords, Result, Tensor, Value};

    include!(concat!(env!("OUT_DIR"), "/functions.rs"));
}
pub use functions::*;
