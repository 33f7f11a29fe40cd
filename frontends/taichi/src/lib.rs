//! Taichi's fields and kernels over the engine.
//!
//! [`init`] sets a [`Program`] up. It has [`Field`]s; functions with `#[kernel]` run on them. A kernel is written in
//! Rust's syntax and typed as Taichi types it: an outermost `for` is parallel, `+=` on an element of a field is atomic,
//! and a variable keeps its first type.
//!
//! ```
//! use ivy_taichi::{Config, Field, init, kernel};
//!
//! #[kernel]
//! fn step(x: &Field<f32>, dt: f32) {
//!     for i in x {
//!         x[i] += dt * i;
//!     }
//! }
//!
//! let program = init(Config::new())?;
//! let x = program.field::<f32>(&[4])?;
//! step(&x, 0.5)?;
//! assert_eq!(x.to_vec()?, [0.0, 0.5, 1.0, 1.5]);
//! # Ok::<(), ivy_taichi::Error>(())
//! ```
//!
//! From above to below: [`front`] makes [`ir`] of what the macros write; [`passes`] make tasks of it; [`lower`] makes the
//! engine's kernels of these, which the program runs.

mod error;
mod field;
pub mod front;
mod host;
pub mod ir;
pub mod lower;
mod number;
pub mod passes;
mod runtime;
mod span;

pub use error::{Error, Misuse, Result};
pub use field::{AnyField, Field, FieldNode, UntypedField};
pub use host::{Element, Matrix, Number, Vector};
pub use ivy_taichi_macros::{func, kernel};
pub use ivy_taichi_types as types;
pub use runtime::{
    Arch, Argument, Config, Counters, Definition, FieldTree, KernelArgument, Launched, Program, Returned,
    Stage, current, init, launch, stages,
};
pub use span::{Source, Span};
