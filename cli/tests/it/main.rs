//! The integration tests, one program.

#[cfg(feature = "torch")]
mod broken_libtorch;
mod command_line;
