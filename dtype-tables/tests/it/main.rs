//! The integration tests, one program.

mod declared;
mod lint;
mod measured;
mod tables;
mod version_keys;
