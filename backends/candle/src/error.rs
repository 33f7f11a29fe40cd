//! candle's errors as ivy's.

use crate::VERSION;
use ivy_core::backend::{Failures, Value};
use ivy_core::{Dtype, Error};

/// The backend, where it makes an error.
pub(crate) const FAILURES: Failures = Failures { backend: "candle", version: VERSION };

/// A failure that candle reported.
#[cold]
pub(crate) fn failed(function: &'static str, dtypes: &[Dtype], source: candle_core::Error) -> Error {
    FAILURES.failed(function, dtypes, source)
}

/// A value that another backend made.
#[cold]
pub(crate) fn foreign(function: &'static str, value: &Value) -> Error {
    FAILURES.foreign(function, value)
}

/// A dtype that candle tensors cannot hold.
#[cold]
pub(crate) fn not_stored(function: &'static str, dtype: Dtype) -> Error {
    FAILURES.not_stored(function, dtype)
}

/// A failure inside an op: ivy's own error, or candle's, which gets its context later.
pub(crate) enum Fail {
    Ivy(Error),
    Candle(Box<candle_core::Error>),
}

impl Fail {
    #[cold]
    pub(crate) fn into_error(self, function: &'static str, dtypes: &[Dtype]) -> Error {
        match self {
            Fail::Ivy(error) => error,
            Fail::Candle(error) => failed(function, dtypes, *error),
        }
    }
}

impl From<Error> for Fail {
    fn from(error: Error) -> Fail {
        Fail::Ivy(error)
    }
}

impl From<candle_core::Error> for Fail {
    fn from(error: candle_core::Error) -> Fail {
        Fail::Candle(Box::new(error))
    }
}
