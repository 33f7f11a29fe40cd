//! Taichi's fields and kernels for `ivyrs.taichi`: programs, fields, and the scope that Python's syntax trees are
//! written to.

mod error;
mod field;
mod program;
mod quant;
mod scope;
mod tree;

pub(crate) use field::TaichiField;
pub(crate) use program::{TaichiProgram, TaichiSignature, TaichiSource};
pub(crate) use quant::TaichiQuantType;
pub(crate) use scope::{TaichiScope, TaichiValue, taichi_functions};
pub(crate) use tree::{TaichiTree, TaichiTreeBuilder};
