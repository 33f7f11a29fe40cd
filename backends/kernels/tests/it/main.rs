//! The integration tests, one program.

mod exchange;
mod movement;
