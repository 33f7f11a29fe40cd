//! Memory of the host.

mod buffer;
mod huge;
mod scratch;
mod small;
