//! candle's errors as ivy's.

use crate::VERSION;
use ivy_core::backend::Value;
use ivy_core::{Dtype, Error, ErrorKind};

/// A failure that candle reported.
#[cold]
pub(crate) fn failed(function: &'static str, dtypes: &[Dtype], source: candle_core::Error) -> Error {
    ErrorKind::BackendFailure {
        function,
        backend: "candle".into(),
        version: VERSION.into(),
        dtypes: dtypes.into(),
        source: Box::new(source),
    }
    .into()
}

/// A value that another backend made.
#[cold]
pub(crate) fn foreign(function: &'static str, value: &Value) -> Error {
    ErrorKind::InvalidArgument {
        function,
        argument: "operand",
        value: format!("{value:?}"),
        rule: "the array is not one of the candle backend; move it with `to_backend`",
    }
    .into()
}

/// A dtype that candle tensors cannot hold.
#[cold]
pub(crate) fn not_stored(function: &'static str, dtype: Dtype) -> Error {
    ErrorKind::DtypeNotStored {
        function,
        dtype,
        backend: "candle".into(),
        version: VERSION.into(),
        remedy: "Cast it to a dtype that `ivy dtypes --backend candle` lists as valid",
    }
    .into()
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
