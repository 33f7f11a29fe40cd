//! The integration tests, one program.

mod ops;
mod values;
