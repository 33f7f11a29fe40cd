//! What `#[kernel]` and `#[func]` write calls of: a [`Scope`] takes expressions and statements of a kernel and makes IR
//! of them, typed as Taichi types them.

mod calls;
mod cells;
mod checks;
mod flow;
mod messages;
mod operators;
mod places;
mod scope;
mod tensors;
mod value;

pub use scope::{Parameter, Scope};
pub use value::{AsLiteral, AsValue, Known, Tensor, Value};
