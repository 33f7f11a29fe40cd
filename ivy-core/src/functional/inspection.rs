//! The standard's inspection functions: what the current backend can do and holds.
//!
//! ```
//! use ivy::inspection::{Dtypes, capabilities, default_device, default_dtypes, devices, dtypes};
//! assert!(capabilities().data_dependent_shapes);
//! assert!(devices()?.contains(&default_device()?));
//! assert_eq!(default_dtypes(None)?.indexing, ivy::Dtype::INT64);
//! let floats = dtypes(Dtypes::new().kind("real floating")?)?;
//! assert!(floats.contains(ivy::Dtype::FLOAT64) && !floats.contains(ivy::Dtype::BOOL));
//! # Ok::<(), ivy::Error>(())
//! ```

use super::DtypeKinds;
use crate::backend::{BackendRef, Device, Storage};
use crate::{Dtype, DtypeSet, ErrorKind, Result, context};

/// What the library can do, whatever the backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capabilities {
    /// Arrays are indexed by arrays of bool.
    pub boolean_indexing: bool,
    /// There are functions whose results' shapes depend on values, such as `nonzero`.
    pub data_dependent_shapes: bool,
    /// The greatest number of axes; `None` is no limit.
    pub max_dimensions: Option<usize>,
}

/// What the library can do, whatever the backend.
pub fn capabilities() -> Capabilities {
    Capabilities { boolean_indexing: true, data_dependent_shapes: true, max_dimensions: None }
}

/// The devices of the current backend, the one in use first.
///
/// # Errors
/// [`UnknownBackend`](ErrorKind::UnknownBackend) or
/// [`BackendUnavailable`](ErrorKind::BackendUnavailable) where there is no current backend.
pub fn devices() -> Result<Vec<Device>> {
    Ok(context::current_backend()?.devices())
}

/// The device that arrays of the current backend are on.
///
/// # Errors
/// As [`devices`].
pub fn default_device() -> Result<Device> {
    Ok(devices()?.first().copied().unwrap_or(Device::CPU))
}

/// The dtypes that are taken where none is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DefaultDtypes {
    /// Of real numbers.
    pub real_floating: Dtype,
    /// Of complex numbers.
    pub complex_floating: Dtype,
    /// Of integers.
    pub integral: Dtype,
    /// Of indices and counts.
    pub indexing: Dtype,
}

/// The dtypes that are taken where none is given, on a device of the current backend; they are the
/// same on all of them.
///
/// # Errors
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for a device that the backend does not have;
/// as [`devices`].
pub fn default_dtypes(device: Option<Device>) -> Result<DefaultDtypes> {
    backend_on("default_dtypes", device)?;
    let defaults = &context::settings().settings.defaults;
    Ok(DefaultDtypes {
        real_floating: defaults.float(),
        complex_floating: defaults.complex(),
        integral: defaults.int(),
        indexing: Dtype::INT64,
    })
}

/// Keyword arguments of [`dtypes`].
#[derive(Clone, Debug, Default)]
pub struct Dtypes {
    device: Option<Device>,
    kind: Option<DtypeSet>,
}

impl Dtypes {
    /// All dtypes, on the device in use.
    #[must_use]
    pub fn new() -> Dtypes {
        Dtypes::default()
    }

    /// Of a device.
    #[must_use]
    pub fn device(mut self, device: Device) -> Dtypes {
        self.device = Some(device);
        self
    }

    /// Of a kind, or of one of several, as [`isdtype`](super::isdtype) names them.
    ///
    /// # Errors
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) for a name that no kind has.
    pub fn kind(mut self, kind: impl DtypeKinds) -> Result<Dtypes> {
        self.kind = Some(kind.set()?);
        Ok(self)
    }
}

impl From<()> for Dtypes {
    fn from((): ()) -> Dtypes {
        Dtypes::default()
    }
}

/// The dtypes that the current backend holds, natively or emulated.
///
/// # Errors
/// As [`default_dtypes`].
pub fn dtypes(params: impl Into<Dtypes>) -> Result<DtypeSet> {
    let Dtypes { device, kind } = params.into();
    let backend = backend_on("dtypes", device)?;
    let held = |d: &Dtype| backend.storage(*d) != Storage::None && kind.is_none_or(|set| set.contains(*d));
    Ok(Dtype::all().filter(held).collect())
}

fn backend_on(function: &'static str, device: Option<Device>) -> Result<BackendRef> {
    let backend = context::current_backend()?;
    match device {
        Some(device) if !backend.devices().contains(&device) => {
            let (argument, value) = ("device", device.to_string());
            let rule = "not a device of the current backend (`devices` lists them)";
            Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into())
        }
        _ => Ok(backend),
    }
}
