//! What the tests of this crate look into. They are a program of their own, so that the engine is compiled once; nothing
//! here is part of the interface, or stays as it is.

pub use crate::codegen::llvm::estimates::{MISSED, of_all_exponents, settles, stepped, steps};
pub use crate::codegen::llvm::find::{Candidates, version_of};
pub use crate::codegen::llvm::roots::{CLOSE, RANGE};
pub use crate::engine::lock::Lock;
pub use crate::engine::queue::{Queue, Task};
pub use crate::ir::effects::ATOMIC;
pub use crate::ir::intervals::{binary, compare, limits};
pub use crate::program::format::shown;
pub use crate::runtime::cpu::row::{STRETCH, stretches, turns};
pub use crate::runtime::cpu::values::Values;
pub use crate::schedule::scratch::Notes;
pub use crate::trace::known::Known;
pub use crate::trace::node::{NONE, NodeId};

use crate::codegen::llvm::packed::Packing;
use crate::engine::Variable;
use crate::ir::{Kernel, Type};
use crate::trace::Kind;
use ivy_core::Dtype;

/// What an operation counts for where kernels are kept short.
pub fn cost(kind: Kind, dtype: Dtype) -> usize {
    kind.cost(dtype).into()
}

/// The types of what is queued, and the number of statements after the loop, where elements are packed.
pub fn packing(kernel: &Kernel) -> Option<(Vec<Type>, usize)> {
    Packing::of(kernel).map(|packing| (packing.types(kernel), packing.late.len()))
}

/// A bound of the statements that a value takes.
pub fn weight(x: &Variable) -> usize {
    x.weight()
}

/// Counts the statements that a value truly takes; true if that is more than one kernel has.
pub fn weigh(x: &Variable) -> bool {
    x.weigh()
}
