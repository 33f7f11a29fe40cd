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

use crate::engine::Variable;
use ivy_core::backend::{Data, Value};

/// A variable as a value of the backend.
pub(crate) fn value(variable: Variable) -> Value {
    let (dtype, shape) = variable.signature();
    Value { dtype, shape, data: Data::new(variable) }
}
