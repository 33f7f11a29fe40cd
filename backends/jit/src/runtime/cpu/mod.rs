//! The host's processor: results in pooled memory, long launches over all cores.

mod fold;
mod launch;
mod space;
mod values;

pub use fold::fold;
pub use launch::launch;
pub use space::Space;
