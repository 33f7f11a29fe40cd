//! The torch backend: arrays in libtorch tensors, by the crate `tch`.
//!
//! It needs the feature `libtorch` (of the facade: `torch`) and libtorch 2.13.0, which
//! `./setup-libtorch.sh` sets up; without the feature this crate registers the name `torch` and
//! says what is missing. libtorch is opened at the first call, from where it was at the build or from
//! the folder that `LIBTORCH` names: a program starts without it, too, and is told what is wrong.
//!
//! What libtorch computes exactly as ivy's rules demand runs natively; what follows from its
//! other ops with the same values is emulated; the rest runs in the reference kernels, on
//! libtorch's own memory. The backend's `support` says which, and the crate's tests hold every
//! answer against the reference. Sums, matrix products and functions such as the exponential
//! are libtorch's: within the bounds, but their last bits may differ from the reference's, and
//! from one kind of processor or number of threads to another.
//!
//! All fifteen dtypes are stored as libtorch's own.

#[cfg(any(test, not(feature = "libtorch")))]
mod absent;
#[cfg(feature = "libtorch")]
mod backend;
#[cfg(feature = "libtorch")]
mod convert;
#[cfg(feature = "libtorch")]
mod error;
#[cfg(all(feature = "libtorch", target_os = "linux", target_arch = "x86_64"))]
mod library;
#[cfg(all(feature = "libtorch", not(all(target_os = "linux", target_arch = "x86_64"))))]
#[path = "linked.rs"]
mod library;
#[cfg(feature = "libtorch")]
mod memory;
#[cfg(feature = "libtorch")]
mod ops;
#[cfg(feature = "libtorch")]
mod own;
#[cfg(feature = "libtorch")]
mod raw;
#[cfg(feature = "libtorch")]
mod start;
#[cfg(feature = "libtorch")]
mod stored;
#[cfg(feature = "libtorch")]
mod support;

#[cfg(not(feature = "libtorch"))]
use absent::create;
#[cfg(feature = "libtorch")]
use start::create;

#[cfg(feature = "libtorch")]
pub use backend::TorchBackend;
#[cfg(feature = "libtorch")]
pub use convert::{from_torch, to_torch};
#[cfg(feature = "libtorch")]
pub use tch;

use ivy_core::backend::Factory;

/// The version of libtorch that the support table was measured with, and that the backend runs on.
pub const VERSION: &str = "2.13.0";

/// How the registry makes a torch backend, under the name `torch`.
pub static FACTORY: Factory = Factory { name: "torch", create, priority: 20, places: &[] };

inventory::submit! { Factory { name: "torch", create, priority: 20, places: &[] } }
