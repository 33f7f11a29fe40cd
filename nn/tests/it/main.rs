//! The integration tests, one program.

mod file;
mod models;
mod optim;
