//! The machine behind ivy's frontends.
//!
//! A [`Frontend`] is another framework's namespace over ivy's functions: its names, argument names and defaults, its
//! dtype rules, its errors. Its functions are rows of tables (`ivy-frontend-rows` has the language). A call binds the
//! arguments by the framework's signature, enters the frontend's [layer](ivy_core::context::Layer) of rules, and
//! evaluates the row's body, whose calls are those of the core's functions. What no row can say is code of the
//! frontend's crate, a [`Special`].
//!
//! [`Tensor`] is an array that carries the rules of a frontend in its operators; each frontend's crate names it.

mod arrays;
pub mod autograd;
mod bind;
mod builtins;
mod call;
mod casting;
mod classes;
mod core_call;
mod direct;
mod dtypes;
mod entry;
mod error;
mod eval;
mod expr;
mod frontend;
mod guards;
mod host;
mod index;
mod keywords;
mod lifetime;
mod names;
mod signatures;
mod specialised;
pub mod specials;
mod tensor;
mod tree;
mod ufunc;
mod value;
mod version;
pub mod views;
mod wrapper;

pub use arrays::from_scalars;
pub use call::{Call, Special};
pub use classes::error_class;
pub use dtypes::dtype_named;
pub use entry::Entry;
pub use error::{Fault, refuse};
pub use expr::{TensorExpr, TensorOperand};
pub use frontend::{ArrayLikes, Definition, Frontend, TypedArray};
pub use index::{error_of_index, indices};
pub use keywords::Keywords;
pub use signatures::{
    CoreResults, CoreSignature, OnlyValue, core_signature, core_signatures, missing_signatures,
    parameter_types,
};
pub use specialised::{Argument, HostValue};
pub use tensor::{Framework, Operator, Tensor};
pub use tree::weak_types;
pub use ufunc::ufunc_identity;
pub use value::{SharedGenerator, Value};
pub use version::{Version, VersionScope};
pub use views::{View, ViewMut, Viewing};

/// The language of rows.
pub use ivy_frontend_rows as rows;
