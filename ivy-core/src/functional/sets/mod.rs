//! Set functions: distinct elements and slices, membership.

mod standard;
mod unique_consecutive;
pub(super) mod unique_slices;

pub use standard::*;
pub use unique_consecutive::*;
