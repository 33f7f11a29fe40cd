//! The one error type: a value with fields, one pointer wide.

mod fields;
mod kind;
mod text;

pub use kind::ErrorKind;

use crate::Dtype;
use smallvec::SmallVec;
use std::{fmt, sync::Arc};

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, as a value: match on [`Error::kind`], print it for people.
///
/// ```
/// use ivy_core::{Dtype, ErrorKind};
/// let error = "flaot32".parse::<Dtype>().unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::UnknownDtype { .. }));
/// assert_eq!(error.to_string(), "flaot32 is not supported by ivy; did you mean float32?");
/// ```
#[derive(Clone)]
pub struct Error(Arc<Told>);

struct Told {
    kind: Arc<ErrorKind>,
    origin: Option<Box<str>>,
}

impl Error {
    /// The error's variant and fields.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The file and line of the call that is to blame, where a lazy backend tells of it in a later
    /// one and was asked to remember ([`caller`](crate::origin::caller)).
    pub fn origin(&self) -> Option<&str> {
        self.0.origin.as_deref()
    }

    /// The error as that of another function: the one for which an op was run, that of the op. One that somebody
    /// else has a handle of, and one that names no function, stays as it is.
    #[must_use]
    pub fn with_function(mut self, function: &'static str) -> Error {
        let own = Arc::get_mut(&mut self.0).and_then(|told| Arc::get_mut(&mut told.kind));
        if let Some(named) = own.and_then(ErrorKind::function_mut) {
            *named = function;
        }
        self
    }

    /// The error with the name that its argument has for the caller, where `name` knows one for it: a library that has
    /// other names for a function's parameters says its own. As [`Error::with_function`], an error that somebody else has
    /// a handle of stays as it is.
    ///
    /// ```
    /// let error = ivy::reshape([1, 2, 3], [2, 2], ()).unwrap_err();
    /// let told = error.with_argument(|theirs| (theirs == "x").then_some("a"));
    /// assert!(told.to_string().contains("a has shape (3,)"));
    /// ```
    #[must_use]
    pub fn with_argument(mut self, name: impl FnOnce(&str) -> Option<&'static str>) -> Error {
        let own = Arc::get_mut(&mut self.0).and_then(|told| Arc::get_mut(&mut told.kind));
        if let Some(kind) = own {
            kind.rename_argument(name);
        }
        self
    }

    /// The error with the place of the call that is to blame.
    #[must_use]
    pub fn with_origin(self, origin: impl Into<Box<str>>) -> Error {
        Error(Arc::new(Told { kind: self.0.kind.clone(), origin: Some(origin.into()) }))
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Error {
        Error(Arc::new(Told { kind: Arc::new(kind), origin: None }))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)?;
        self.origin().map_or(Ok(()), |origin| write!(f, "; the call was made at {origin}"))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)?;
        self.origin().map_or(Ok(()), |origin| write!(f, "; the call was made at {origin}"))
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(self.kind())
    }
}

/// The operand dtypes of a call, for an error.
pub type Dtypes = SmallVec<[Dtype; 4]>;
