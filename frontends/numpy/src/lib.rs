//! NumPy's functions over ivy, with its names, argument names, defaults and dtype rules.
//!
//! Each function is a row of `functions/*.tsv`: its arguments without a default come by position, the others by name
//! ([`kw!`]). Methods of arrays are those of the trait [`Methods`]. What no row can say is in `special/`.
//!
//! Random numbers are of ivy's own generator, Philox4x32-10 of a key and a counter: the same on every backend, and others
//! than NumPy's for a seed. Functions that change an array in place give the array as it is afterwards.

mod special;
mod views;

use ivy_core::Result;
use ivy_frontend::{ArrayLikes, Definition, Framework, Frontend, Tensor as AnyTensor};
pub use ivy_frontend::{Keywords, Operator, Value, kw};

/// The framework, as a type.
#[derive(Clone, Copy, Debug)]
pub struct NumPy;

/// The frontend: its rows, versions, and calls by path.
pub static NUMPY: Frontend = Frontend::new(Definition {
    name: "numpy",
    class: "ndarray",
    array_likes: ArrayLikes::All,
    steps_back: true,
    views: views::VIEWS,
    views_keep_graph: false,
    saved_results: &[],
    files: functions::FILES,
    specials: functions::SPECIALS,
});

impl Framework for NumPy {
    fn frontend() -> &'static Frontend {
        &NUMPY
    }
}

/// An array with NumPy's rules in its operators.
pub type NdArray = AnyTensor<NumPy>;

#[allow(non_snake_case, clippy::too_many_arguments, clippy::module_inception, clippy::needless_lifetimes)]
mod functions {
    use super::{Keywords, NdArray, Result, Value};

    include!(concat!(env!("OUT_DIR"), "/functions.rs"));
}
pub use functions::*;
