//! The adapter: arrays of the functional API are variables of an engine, and ops nodes of its trace.

mod backend;
mod creation;
mod nodes;
mod order;
mod random;
mod reduction;
mod search;
mod support;

pub use backend::{FACTORY, JitBackend};
