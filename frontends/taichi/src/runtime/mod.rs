//! Programs, the memory of fields, and launches.

mod cache;
mod config;
mod launch;
mod program;
mod store;
mod tree;

pub use config::{Arch, Config};
pub use launch::{Argument, Definition, KernelArgument, Launched, Returned, Stage, launch, stages};
pub use program::{Counters, FieldTree, Program, current, init};
pub use store::{read, write};
pub use tree::Described;
