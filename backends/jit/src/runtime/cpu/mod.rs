//! The host's processor: results in pooled memory, long launches over all cores.

mod launch;
mod space;

pub use launch::launch;
pub use space::Space;
