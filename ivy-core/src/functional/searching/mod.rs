//! Searching: positions of extremes and of non-zero elements, binary search, bins.

mod digitize;
mod select;
pub(super) mod standard;

pub use digitize::*;
pub use select::*;
pub use standard::*;
