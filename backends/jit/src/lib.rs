//! The native engine: it notes element-wise work, views and reductions instead of doing them, and
//! compiles what is noted into one kernel when a result is read.
//!
//! From above to below: the adapter ([`JitBackend`]) makes array ops nodes of a [`trace`];
//! [`schedule`] takes what a result needs into one kernel; [`lower`] writes each operation in
//! the kernel [`ir`]; [`passes`] make it smaller; [`codegen`] turns it into machine code by a
//! libLLVM that is opened at run time, interprets it, or writes PTX for a CUDA driver;
//! [`runtime`] runs it; [`cache`] keeps it. A [`program`] of kernels that may write comes from no trace.
//! All but the adapter know dtypes, ops and shapes only, and nothing of functions. A module uses only
//! those below it; `.ci/check_layers.py` has the order.
//!
//! Fused or not, with every switch on or off, by either generator and on any number of threads,
//! a result has the same bits. Only the sign and payload of a NaN are not promised.
//!
//! What has no form in the engine yet (sorting, matrix products and
//! more) runs in the reference kernels on the same memory, and says so.

mod adapter;
pub mod cache;
pub mod codegen;
pub mod engine;
mod environment;
#[doc(hidden)]
pub mod internals;
pub mod ir;
pub mod kernel;
mod kind;
pub mod log;
pub mod lower;
pub mod passes;
pub mod program;
pub mod runtime;
pub mod schedule;
pub mod trace;

pub use adapter::{FACTORY, JitBackend};
