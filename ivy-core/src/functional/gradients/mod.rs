//! Derivatives of functions of arrays: transforms, nests, rules of the caller's own.

mod custom_rules;
mod nested;
mod transforms;

pub use custom_rules::*;
pub use nested::*;
pub use transforms::*;
