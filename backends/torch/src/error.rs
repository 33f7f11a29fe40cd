//! libtorch's errors as ivy's.

use crate::VERSION;
use ivy_core::backend::{Failures, Value};
use ivy_core::host::scratch::Refused;
use ivy_core::{Dtype, Error};
use std::fmt;

/// What libtorch said, without the C++ backtrace that follows.
#[derive(Debug)]
pub(crate) struct Message(String);

impl Message {
    pub(crate) fn new(text: &str) -> Message {
        Message(text.lines().next().unwrap_or_default().trim_end().to_string())
    }

    /// The bytes that libtorch's allocator has not got, if it is that which it says.
    fn refused(&self) -> Option<Refused> {
        const SAYS: &str = "you tried to allocate ";
        let (before, after) = self.0.split_once(SAYS)?;
        let bytes = after.split_once(' ')?.0.parse().ok()?;
        before.contains("DefaultCPUAllocator").then_some(Refused(bytes))
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Message {}

impl From<tch::TchError> for Message {
    #[cold]
    fn from(error: tch::TchError) -> Message {
        match error {
            tch::TchError::Torch(text) => Message::new(&text),
            other => Message::new(&other.to_string()),
        }
    }
}

/// The backend, where it makes an error.
pub(crate) const FAILURES: Failures = Failures { backend: "torch", version: VERSION };

/// A failure that libtorch reported; that there is no memory is ivy's own error.
#[cold]
pub(crate) fn failed(function: &'static str, dtypes: &[Dtype], source: Message) -> Error {
    match source.refused() {
        Some(refused) => refused.by(function),
        None => FAILURES.failed(function, dtypes, source),
    }
}

/// A value that another backend made.
#[cold]
pub(crate) fn foreign(function: &'static str, value: &Value) -> Error {
    FAILURES.foreign(function, value)
}

/// A dtype that torch tensors cannot hold.
#[cold]
pub(crate) fn not_stored(function: &'static str, dtype: Dtype) -> Error {
    FAILURES.not_stored(function, dtype)
}

/// A failure inside an op: ivy's own error, or libtorch's, which gets its context later.
pub(crate) enum Fail {
    Ivy(Error),
    Torch(Message),
}

impl Fail {
    #[cold]
    pub(crate) fn into_error(self, function: &'static str, dtypes: &[Dtype]) -> Error {
        match self {
            Fail::Ivy(error) => error,
            Fail::Torch(message) => failed(function, dtypes, message),
        }
    }
}

impl From<Error> for Fail {
    fn from(error: Error) -> Fail {
        Fail::Ivy(error)
    }
}

impl From<Message> for Fail {
    fn from(message: Message) -> Fail {
        Fail::Torch(message)
    }
}

impl From<tch::TchError> for Fail {
    #[cold]
    fn from(error: tch::TchError) -> Fail {
        Fail::Torch(error.into())
    }
}
