//! The integration tests, one program.

mod casting;
mod compiled;
mod context;
mod control_flow;
mod engine;
mod errors;
mod gather_in_loops;
mod gradients;
mod lanes;
mod laws;
mod levels;
mod loop_programs;
mod numpy_programs;
mod packing;
mod places;
mod programs;
mod replayed_loops;
mod scatter_in_loops;
mod scatter_programs;
mod short_calls;
mod support;
mod ulp;
mod wrong_input;
