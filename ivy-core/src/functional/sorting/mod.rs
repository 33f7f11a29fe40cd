//! Sorting, and orders by several keys.

mod lexsort;
mod standard;

pub use lexsort::*;
pub use standard::*;
