//! Programs of kernels that may write to memory: what frontends with imperative kernels stand on.
//!
//! A [`Program`] is a sequence of [`Task`]s, each a kernel over a range of elements, which is given by the
//! host or read from memory when the task begins. What a task has written the next one sees. It runs on
//! [`Memory`] that is there, as often as wanted, and tells what its elements had to say in a [`Report`].
//!
//! Each element of a range runs exactly once. Whatever numbers a kernel computes, it touches no memory but
//! that of its arguments; a record ([`crate::ir::Builder::record`]) says where one was out of bounds.
//!
//! # Order
//!
//! Elements run in any order, and together, so that two of them may write to one place, or one of them read
//! what another writes, by atomics only; else what is read is any of what was there. Where what atomics leave
//! depends on the order ([`Kernel::order_matters`]: sums of floats, places of a list), elements run one after
//! the other, on one thread, unless the task asks for [`Order::Fast`]: then results are the same bits
//! on every target, for any number of threads. A sum of floats is that of the elements in their order.

pub(crate) mod format;
mod memory;
mod report;
mod run;
mod target;

pub use format::{Piece, escaped, pieces};
pub use memory::{Memory, MemoryLocation};
pub use report::{Fault, Report, Site, SiteKind};
pub use run::Program;
pub use target::{CompiledTask, Cpu, Cuda, Target, TaskLaunch};

use crate::ir::{Kernel, Type};

/// In which order elements run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// One after the other where the order matters, else in any.
    #[default]
    Deterministic,
    /// In any, even where sums of floats and places of a list come out otherwise each time. On a device sums
    /// of float32 take subnormal numbers for zeros.
    Fast,
    /// One after the other: each element sees all that those before it have written.
    Serial,
}

/// The end of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// A number.
    Fixed(i64),
    /// The program's scalar with this number, an i64.
    Scalar(usize),
    /// The element of memory with a number, an i32 or i64, when the task begins: the length of a list.
    Memory {
        /// Which of the program's memories.
        memory: usize,
        /// Which element.
        element: usize,
    },
}

/// What a parameter of a kernel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// One of the program's memories.
    Memory(usize),
    /// One of its scalars.
    Scalar(usize),
    /// The number of the element.
    Element,
    /// The log, which the program has itself.
    Log,
}

/// A kernel over a range.
#[derive(Clone, Debug)]
pub struct Task {
    /// The kernel, which has effects.
    pub kernel: Kernel,
    /// The first element's number, which memory does not say.
    pub begin: Bound,
    /// The number after the last element's.
    pub end: Bound,
    /// What each parameter is.
    pub arguments: Vec<Argument>,
    /// In which order the elements run.
    pub order: Order,
}

/// A value that a program is given when it runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scalar {
    /// Its type.
    pub ty: Type,
    /// Its bits.
    pub bits: u64,
}

impl Scalar {
    /// An i64.
    pub const fn int(value: i64) -> Scalar {
        Scalar { ty: Type::I64, bits: value as u64 }
    }
}
