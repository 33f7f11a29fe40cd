//! Indexing: elements taken, gathered, scattered, updated and masked.

pub(super) mod active_lanes;
pub(super) mod gather;
mod index_updates;
mod masked_fill;
mod put_along_axis;
mod ravel_index;
pub(super) mod scatter;
mod scatter_exchange;
mod scatter_reduce;
pub(super) mod standard;

pub use gather::*;
pub use index_updates::*;
pub use masked_fill::*;
pub use put_along_axis::*;
pub use ravel_index::*;
pub use scatter::*;
pub use scatter_exchange::*;
pub use scatter_reduce::*;
pub use standard::*;
