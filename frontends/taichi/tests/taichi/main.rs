//! Tests of the rows of the specification, by their numbers.

mod errors;
mod examples;
mod fields;
mod ir;
mod kernels;
mod loops;
mod programs;
mod quant;
mod sparse;
mod spec;
mod support;

// Backends register themselves where their crates are linked.
use ivy_backend_jit as _;
