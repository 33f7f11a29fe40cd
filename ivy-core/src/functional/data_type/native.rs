//! Dtypes of the current backend: what it stores, and under which names.

use crate::backend::Storage;
use crate::dtype::MaybeDtype;
use crate::{Dtype, DtypeLike, DtypeSet, ErrorKind, Result, context};
use std::fmt;

/// A dtype as a backend stores it (spec I-07).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeDtype {
    /// The dtype that is stored.
    pub dtype: Dtype,
    /// The backend's name for what it stores.
    pub name: &'static str,
    /// How the values are kept, where it is not in the backend's dtype of that meaning.
    pub emulated: Option<&'static str>,
    /// The backend.
    pub backend: String,
}

impl fmt::Display for NativeDtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.name, self.backend)
    }
}

impl DtypeLike for NativeDtype {
    fn to_dtype(&self) -> Result<Dtype> {
        Ok(self.dtype)
    }
}

/// The current backend's form of a dtype.
///
/// ```
/// use ivy::prelude::*;
/// let native = ivy::as_native_dtype(Dtype::FLOAT32)?;
/// assert_eq!(ivy::as_ivy_dtype(&native)?, Dtype::FLOAT32);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`DtypeNotStored`](ErrorKind::DtypeNotStored) names the backend that lacks the dtype;
/// [`UnknownDtype`](ErrorKind::UnknownDtype), [`UnknownBackend`](ErrorKind::UnknownBackend).
pub fn as_native_dtype(dtype: impl DtypeLike) -> Result<NativeDtype> {
    let (dtype, backend) = (dtype.to_dtype()?, context::current_backend()?);
    let storage = backend.storage(dtype);
    let name = name_of(storage).ok_or_else(|| not_stored("as_native_dtype", dtype))?;
    let emulated = match storage {
        Storage::Emulated { how, .. } => Some(how),
        _ => None,
    };
    Ok(NativeDtype { dtype, name, emulated, backend: backend.name().into() })
}

fn not_stored(function: &'static str, dtype: Dtype) -> crate::Error {
    let backend = match context::current_backend() {
        Ok(backend) => backend,
        Err(error) => return error,
    };
    ErrorKind::DtypeNotStored {
        function,
        dtype,
        backend: backend.name().into(),
        version: backend.version().to_string(),
        remedy: "Use another dtype, or a backend that stores this one (`ivy dtypes` lists them)",
    }
    .into()
}

fn name_of(storage: Storage) -> Option<&'static str> {
    match storage {
        Storage::Native { name } | Storage::Emulated { name, .. } => Some(name),
        Storage::None => None,
    }
}

/// The dtype that the current backend stores natively under a name.
fn of_native_name(name: &str) -> Option<Dtype> {
    let backend = context::current_backend().ok()?;
    Dtype::all().find(|&d| matches!(backend.storage(d), Storage::Native { name: own } if own == name))
}

/// The dtype of whatever has or names one: dtypes, arrays, names, native dtypes, kinds of host
/// scalars, and the current backend's own names.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::as_ivy_dtype("double")?, Dtype::FLOAT64);
/// assert_eq!(ivy::as_ivy_dtype(ivy::ScalarKind::Float)?, Dtype::FLOAT32);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`UnknownDtype`](ErrorKind::UnknownDtype), which names the backend as well.
pub fn as_ivy_dtype(dtype: impl DtypeLike) -> Result<Dtype> {
    let error = match dtype.to_dtype() {
        Ok(dtype) => return Ok(dtype),
        Err(error) => error,
    };
    let ErrorKind::UnknownDtype { name, hint, .. } = error.kind() else { return Err(error) };
    of_native_name(name).ok_or_else(|| {
        let backend = context::current_backend().ok().map(|b| format!("{} {}", b.name(), b.version_text()));
        ErrorKind::UnknownDtype { name: name.clone(), hint: *hint, backend }.into()
    })
}

/// Whether a name is one under which the current backend stores a dtype.
///
/// ```
/// use ivy::prelude::*;
/// let native = ivy::as_native_dtype(Dtype::FLOAT32)?;
/// assert!(ivy::is_native_dtype(native.name));
/// assert!(!ivy::is_native_dtype("no such type"));
/// # Ok::<(), ivy::Error>(())
/// ```
pub fn is_native_dtype(name: &str) -> bool {
    context::current_backend()
        .is_ok_and(|backend| Dtype::all().any(|d| name_of(backend.storage(d)) == Some(name)))
}

/// Whether the argument has or names a dtype; dtypes are hashable, all of them.
///
/// ```
/// assert!(ivy::is_hashable_dtype("float32") && !ivy::is_hashable_dtype("foo"));
/// ```
pub fn is_hashable_dtype(dtype: impl DtypeLike) -> bool {
    dtype.to_dtype().is_ok()
}

/// Whether the current backend stores a dtype, natively or emulated; `None` is valid.
///
/// ```
/// use ivy::prelude::*;
/// assert!(ivy::valid_dtype("float32")? && ivy::valid_dtype(None::<Dtype>)?);
/// assert!(!ivy::invalid_dtype("float32")? && !ivy::invalid_dtype(None::<Dtype>)?);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`UnknownDtype`](ErrorKind::UnknownDtype).
pub fn valid_dtype(dtype: impl MaybeDtype) -> Result<bool> {
    Ok(dtype.maybe_dtype()?.is_none_or(|d| valid_dtypes().contains(d)))
}

/// Whether the current backend has no storage for a dtype; `None` is not invalid.
///
/// # Errors
/// [`UnknownDtype`](ErrorKind::UnknownDtype).
pub fn invalid_dtype(dtype: impl MaybeDtype) -> Result<bool> {
    valid_dtype(dtype).map(|valid| !valid)
}

/// The dtype itself where the current backend stores it, else the narrowest one there that holds
/// every value of it; `None` gives the default dtype. Nothing is ever lost, as Ivy's own rule
/// would for uint16.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::closest_valid_dtype("float32")?, Dtype::FLOAT32);
/// assert_eq!(ivy::closest_valid_dtype(None::<Dtype>)?, Dtype::FLOAT32);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`DtypeNotStored`](ErrorKind::DtypeNotStored) if no dtype of the backend holds the values,
/// [`UnknownDtype`](ErrorKind::UnknownDtype).
pub fn closest_valid_dtype(dtype: impl MaybeDtype) -> Result<Dtype> {
    let dtype = dtype.maybe_dtype()?.unwrap_or_else(|| context::current().settings.defaults.dtype());
    dtype.widened_within(valid_dtypes()).ok_or_else(|| not_stored("closest_valid_dtype", dtype))
}

/// The dtypes that the current backend stores, natively or emulated (decision S27). Without a
/// backend all are valid.
pub fn valid_dtypes() -> DtypeSet {
    match context::current_backend() {
        Ok(backend) => Dtype::all().filter(|&d| backend.storage(d) != Storage::None).collect(),
        Err(_) => DtypeSet::ALL,
    }
}

/// The dtypes that the current backend does not store.
pub fn invalid_dtypes() -> DtypeSet {
    DtypeSet::ALL - valid_dtypes()
}

/// Every dtype, in the order of the table (spec I-01).
///
/// ```
/// assert_eq!(ivy::all_dtypes().iter().next(), Some(ivy::Dtype::INT8));
/// assert_eq!(ivy::all_uint_dtypes().to_string(), "uint8, uint16, uint32, uint64");
/// ```
pub fn all_dtypes() -> DtypeSet {
    DtypeSet::ALL
}

macro_rules! dtype_sets {
    ($($set:ident $what:literal $all:ident $valid:ident $invalid:ident;)*) => {
        $(
            #[doc = concat!("Every ", $what, " dtype.")]
            pub fn $all() -> DtypeSet {
                DtypeSet::$set
            }

            #[doc = concat!("The ", $what, " dtypes that the current backend stores.")]
            pub fn $valid() -> DtypeSet {
                DtypeSet::$set & valid_dtypes()
            }

            #[doc = concat!("The ", $what, " dtypes that the current backend does not store.")]
            pub fn $invalid() -> DtypeSet {
                DtypeSet::$set - valid_dtypes()
            }
        )*
    };
}
dtype_sets! {
    NUMERIC "numeric" all_numeric_dtypes valid_numeric_dtypes invalid_numeric_dtypes;
    INTEGER "signed or unsigned integer" all_int_dtypes valid_int_dtypes invalid_int_dtypes;
    UNSIGNED "unsigned integer" all_uint_dtypes valid_uint_dtypes invalid_uint_dtypes;
    FLOAT "real float" all_float_dtypes valid_float_dtypes invalid_float_dtypes;
    COMPLEX "complex" all_complex_dtypes valid_complex_dtypes invalid_complex_dtypes;
}
