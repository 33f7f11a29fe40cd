//! Cross-backend conformance: the truth about every function, the calls that are tried, the
//! cells that come out, and the report.

pub mod cell;
pub mod expect;
mod judge;
pub mod mirror;
pub mod probe;
pub mod report;
pub mod rng;
mod rule_sets;
pub mod run;
pub mod sample;
pub mod truth;
pub mod ulp;

pub use cell::{Cell, CellState, Report};
pub use run::{Options, Progress, run};
