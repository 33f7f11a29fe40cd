//! Cross-backend conformance: the truth about every function, the calls that are tried, the
//! cells that come out, and the report.

pub mod truth;
