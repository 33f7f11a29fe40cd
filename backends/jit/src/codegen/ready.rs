//! Kernels with their code.

use super::Code;
use crate::ir::{Guarantees, Param};
use std::time::Duration;

/// A kernel that is ready to run.
pub struct Ready {
    /// What runs.
    pub code: Box<dyn Code>,
    /// Its parameters, inputs first.
    pub params: Vec<Param>,
    /// What its launches guarantee.
    pub guarantees: Guarantees,
    /// Statements after the passes.
    pub statements: usize,
    /// A number that is the same for the same kernel, in every process.
    pub hash: u64,
    /// Whether it is machine code, or becomes that.
    pub is_machine: bool,
    /// Whether it is interpreted at first.
    pub is_tiered: bool,
    /// Why the generator that was asked for could not make it, so that the interpreter runs it.
    pub fallback: Option<String>,
    /// How long making it took.
    pub time: Duration,
    /// Whether its code was on disk.
    pub loaded: bool,
}
