//! The integration tests, one program.

mod backend;
mod reference;
