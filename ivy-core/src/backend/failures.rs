//! The errors that every backend has, in its name.

use super::Value;
use crate::{Dtype, Error, ErrorKind, Function, Op};

/// A backend's name and version, for the errors that it makes.
///
/// ```
/// use ivy_core::backend::Failures;
/// use ivy_core::{Dtype, ErrorKind};
/// const FAILURES: Failures = Failures { backend: "mine", version: "1.0.0" };
/// let error = FAILURES.not_stored("from_host", Dtype::BFLOAT16);
/// assert!(matches!(error.kind(), ErrorKind::DtypeNotStored { backend, .. } if backend == "mine"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Failures {
    /// The name that users give.
    pub backend: &'static str,
    /// The version that the backend tells.
    pub version: &'static str,
}

impl Failures {
    /// What the backend's engine reported: [`ErrorKind::BackendFailure`].
    #[cold]
    pub fn failed(
        self,
        function: &'static str,
        dtypes: &[Dtype],
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Error {
        ErrorKind::BackendFailure {
            function,
            backend: self.backend.into(),
            version: self.version.into(),
            dtypes: dtypes.into(),
            source: source.into(),
        }
        .into()
    }

    /// An operand that another backend made: [`ErrorKind::InvalidArgument`].
    #[cold]
    pub fn foreign(self, function: &'static str, value: &Value) -> Error {
        ErrorKind::InvalidArgument {
            function,
            argument: "operand",
            value: format!("{value:?}, not of {}", self.backend),
            rule: "the array is one of the backend that runs the op; move it with `to_backend`",
        }
        .into()
    }

    /// A dtype that the backend cannot hold: [`ErrorKind::DtypeNotStored`].
    #[cold]
    pub fn not_stored(self, function: &'static str, dtype: Dtype) -> Error {
        ErrorKind::DtypeNotStored {
            function,
            dtype,
            backend: self.backend.into(),
            version: self.version.into(),
            remedy: "Cast it to a dtype that `ivy dtypes --backend BACKEND` lists as valid",
        }
        .into()
    }

    /// Dtypes with which no plan calls an op, where `stores` tells what the backend holds:
    /// [`ErrorKind::DtypeNotStored`] if one of them, or the result's, is not among it, else
    /// [`ErrorKind::InvalidArgument`].
    #[cold]
    pub fn refused(self, op: &Op, dtypes: &[Dtype], stores: impl Fn(Dtype) -> bool) -> Error {
        match dtypes.iter().copied().chain(op.result_dtype(dtypes)).find(|&d| !stores(d)) {
            Some(dtype) => self.not_stored(op.name(), dtype),
            None => ErrorKind::InvalidArgument {
                function: op.name(),
                argument: "operand dtypes",
                value: format!("{dtypes:?}"),
                rule: "not a combination that the primitive takes",
            }
            .into(),
        }
    }

    /// A function of which the backend has no form of its own: [`ErrorKind::InvalidArgument`].
    #[cold]
    pub fn no_own_form(self, function: &Function) -> Error {
        ErrorKind::InvalidArgument {
            function: function.name,
            argument: "backend",
            value: self.backend.into(),
            rule: "a backend that has a form of its own for the function on these operands",
        }
        .into()
    }
}
