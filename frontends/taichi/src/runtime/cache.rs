//! Compiled kernels, by what they were compiled for.

use crate::lower::Lowered;
use crate::span::Span;
use ivy_backend_jit::ir::Type;
use ivy_backend_jit::program::Program;
use ivy_taichi_types::PrimitiveType;
use std::collections::HashMap;
use std::sync::Arc;

/// What a kernel was compiled for: its definition's address, and its arguments' layouts and templates as text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The definition.
    pub definition: usize,
    /// The arguments.
    pub arguments: String,
}

/// A kernel that is ready.
pub struct Compiled {
    /// The engine's tasks.
    pub program: Program,
    /// The types and lengths of the memories that tasks share.
    pub shared: Vec<(Type, usize)>,
    /// Where each site of records is.
    pub spans: Vec<Option<Span>>,
    /// The type of the result.
    pub result: Option<PrimitiveType>,
}

impl Compiled {
    /// A kernel of an engine's program.
    pub fn new(program: Program, lowered: Lowered, result: Option<PrimitiveType>) -> Compiled {
        Compiled { program, shared: lowered.shared, spans: lowered.spans, result }
    }
}

/// Compiled kernels.
pub type Cache = HashMap<Key, Arc<Compiled>>;
