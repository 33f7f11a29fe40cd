//! Nests: values in lists, dicts and structs within each other, such as the parameters of a model.
//!
//! A [`Nest`] is data: leaves of one type in lists and dicts. A [`Tree`] is any value that holds arrays, most of all a
//! struct with `#[derive(Tree)]`; Ivy's functions of nests are functions of these.

mod entries;
mod functions;
mod path;
mod structure;
mod tree;

pub use entries::{Dict, List, Nest};
pub use functions::*;
pub use ivy_derive::Tree;
pub use path::{MAX_DEPTH, Path, Step};
pub use structure::Structure;
pub use tree::{Change, Tree, Visit};
