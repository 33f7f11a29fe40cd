//! Recorded calls of the real packages, replayed: `tests/data/*.jsonl` of a frontend's crate.
//!
//! A line is a call with the package's result, or the class of its error. Results are equal in dtype and shape, and as
//! weakly typed; integers and truth values are equal, floats within a tolerance; errors are errors. `tests/data/known.tsv` lists the calls whose
//! difference has a reason (path, the call's number or `*`, reason), `tests/data/tolerances.tsv` functions whose floats
//! are farther apart (path, for float64, for narrower ones, reason). A record itself may say so (`"tolerance": [t, reason]`),
//! or that its elements are free (`"compare": "shape"`). A listed difference that is gone fails as well.

mod compare;
mod decode;
mod direct;
mod gradcheck;
mod refusals;
mod replay;

pub use compare::{Tolerance, difference};
pub use decode::value;
pub use direct::{check_direct_calls, check_host_calls};
pub use gradcheck::Gradients;
pub use refusals::check_wrong_arguments;
pub use replay::{Report, replay};
