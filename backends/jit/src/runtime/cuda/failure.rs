//! What goes wrong on a device.

use super::api::{Api, Code};
use ivy_core::backend::Failures;
use ivy_core::{Error, ErrorKind};
use std::fmt;

/// A failure of the driver's or a device's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// There is not so much memory.
    Memory {
        /// The bytes that were asked for.
        bytes: usize,
        /// The bytes that are free.
        free: usize,
    },
    /// The driver does not assemble a kernel.
    Assembly {
        /// What it says.
        log: String,
    },
    /// A call of the driver's, which may tell of a launch before.
    Call {
        /// The driver's function.
        call: &'static str,
        /// Its result.
        code: i32,
        /// The result's name.
        name: String,
        /// What it means.
        text: String,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Memory { bytes, free } => {
                write!(f, "the device has no {bytes} bytes of memory; {free} are free")
            }
            Failure::Assembly { log } => write!(f, "the driver does not assemble a kernel: {log}"),
            Failure::Call { call, name, text, .. } => write!(f, "{call}: {name}: {text}"),
        }
    }
}

impl std::error::Error for Failure {}

impl Failure {
    pub(super) fn of(api: &Api, Code { call, code }: Code) -> Failure {
        let (name, text) = api.describe(code);
        Failure::Call { call, code, name, text }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        match failure {
            // Not the limit that a program may set, though the device has one of its own.
            Failure::Memory { bytes, .. } => ErrorKind::no_memory("launch", bytes as u128).into(),
            other => {
                let failures = Failures { backend: "jit:cuda", version: env!("CARGO_PKG_VERSION") };
                failures.failed("launch", &[], other)
            }
        }
    }
}
