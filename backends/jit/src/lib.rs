//! The native engine: it notes element-wise work instead of doing it, and compiles what is
//! noted into one kernel when a result is read.

pub mod codegen;
pub mod ir;
pub mod passes;
pub mod runtime;
