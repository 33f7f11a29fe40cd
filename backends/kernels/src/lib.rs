//! The reference kernels: every primitive op, for every dtype, over arrays in host memory.
//!
//! A kernel is a plain function from [`HostView`]s to new [`HostArray`]s. No backend is known
//! here, so any backend may call these on its own CPU memory, without a copy.
//! [`execute`] runs an [`Op`](ivy_core::Op); the layout ops need no memory and stand in [`layout`].

pub mod conv;
pub mod elementwise;
mod execute;
pub mod fft;
#[doc(hidden)]
pub mod internals;
mod isa;
pub mod layout;
pub mod linalg;
mod lines;
pub mod matmul;
mod movement;
mod output;
pub mod parallel;
pub mod random;
pub mod reduce;
mod saturate;
mod scalar_math;
pub mod scan;
pub mod search;
mod sequence;
mod small;
pub mod sort;
mod types;

pub use execute::{Results, execute, execute_views};
pub use ivy_core::host::{HostArray, HostView};
pub use movement::{
    INDICES, check_indices, concat, exchange, gather, nonzero, scatter, scatter_in_place, set_slice,
    set_slice_in_place, take, take_along_axis, to_contiguous,
};
