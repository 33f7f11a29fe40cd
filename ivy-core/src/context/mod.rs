//! The settings in force.

mod defaults;

pub use defaults::Defaults;
