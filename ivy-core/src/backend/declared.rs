//! A backend as its tables describe it, for questions about versions that are not installed.

use super::registry::{backend, covers};
use super::{AbstractBackend, Place};
use super::{Backend, BackendRef, Device, DeviceKind, Storage, Support, Value, Values};
use crate::function::Params;
use crate::host::HostArray;
use crate::support::{self, tables};
use crate::{Dtype, DtypeSet, Error, ErrorKind, Function, Op, Result};
use once_cell::sync::Lazy;
use smallvec::SmallVec;
use std::any::Any;
use std::sync::{PoisonError, RwLock};

/// What the tables declare of one version of a backend. Arrays on it have dtypes and shapes
/// only, and to run anything is [`ErrorKind::BackendUnavailable`].
pub struct DeclaredBackend {
    name: String,
    version: tables::Version,
    device: Device,
    valid: DtypeSet,
}

impl DeclaredBackend {
    /// The version that is asked about, as it was written.
    pub fn asked_version(&self) -> &tables::Version {
        &self.version
    }
}

/// A backend to ask about: the installed one, or with `@VERSION` of another version what the
/// tables declare. `torch@1.12.1` can be asked about wherever the tables are.
///
/// ```
/// use ivy::backend::question_backend;
/// let old = question_backend("torch@2.0.1")?;
/// assert_eq!((old.name(), old.version().to_string()), ("torch", "2.0.1".to_string()));
/// assert!(ivy::set_backend("numpy@1.25").is_err());
/// assert!(question_backend("numpy@1.25").is_ok());
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::UnknownBackend`] for a name that is neither registered nor in the tables,
/// [`ErrorKind::BackendUnavailable`] without a version for one that cannot run here, and
/// [`ErrorKind::InvalidArgument`] for what is no version or device.
pub fn question_backend(name: &str) -> Result<BackendRef> {
    let place: Place = name.parse()?;
    let installed = backend(name);
    let Some(asked) = place.version.as_deref() else { return installed };
    if let Ok(installed) = installed {
        return Ok(installed);
    }
    if !support::is_described(&place.backend) {
        let unversioned = Place { version: None, ..place };
        return backend(&unversioned.to_string()).and(installed);
    }
    let version = measured_version(&place.backend, asked).unwrap_or(asked).parse().map_err(|_| {
        let rule = "a version is numbers joined by dots, with an optional pre-release such as rc1";
        Error::from(ErrorKind::InvalidArgument {
            function: "backend",
            argument: "version",
            value: asked.into(),
            rule,
        })
    })?;
    let device = place.place.as_deref().map_or(Ok(Device::CPU), str::parse).or_else(|error: Error| {
        // A place that is no device, such as a code generator, is on one.
        let here = backend(&Place { version: None, ..place.clone() }.to_string());
        here.ok().and_then(|here| here.devices().first().copied()).ok_or(error)
    })?;
    Ok(declared_backend(place.backend, version, device))
}

/// The measured version that begins with the one asked about.
fn measured_version(backend: &str, asked: &str) -> Option<&'static str> {
    let of_backend = tables::measured_files().iter().filter(|(name, ..)| *name == backend);
    of_backend.map(|(_, version, ..)| *version).find(|version| covers(asked, version))
}

/// One shared instance for each backend, version and device, so that plans are kept.
fn declared_backend(name: String, version: tables::Version, device: Device) -> BackendRef {
    static KNOWN: Lazy<RwLock<Vec<BackendRef>>> = Lazy::new(Default::default);
    let same = |b: &&BackendRef| {
        b.name() == name && declared_of(b).is_some_and(|d| d.version == version && d.device == device)
    };
    if let Some(found) = KNOWN.read().unwrap_or_else(PoisonError::into_inner).iter().find(same) {
        return found.clone();
    }
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known.iter().find(same) {
        return found.clone();
    }
    let valid = valid_dtypes(&name, &version);
    let made =
        BackendRef::new(DeclaredBackend { name: name.clone(), version: version.clone(), device, valid });
    known.push(made.clone());
    made
}

/// The dtypes that the backend had: as measured, else as listed, else all.
fn valid_dtypes(name: &str, version: &tables::Version) -> DtypeSet {
    if tables::measured(name, version.as_str()).is_some() {
        return DtypeSet::ALL;
    }
    tables::valid_dtypes(name, version).map_or(DtypeSet::ALL, |(bits, ..)| DtypeSet::from_bits(bits))
}

/// The declared backend behind a reference, if it is one.
pub(crate) fn declared_of(backend: &BackendRef) -> Option<&DeclaredBackend> {
    backend.as_any().downcast_ref()
}

impl Backend for DeclaredBackend {
    fn name(&self) -> &str {
        &self.name
    }

    /// The version with three numbers; [`DeclaredBackend::asked_version`] is as it was written.
    fn version(&self) -> semver::Version {
        let part = |i| self.version.part(i);
        semver::Version::new(part(0), part(1), part(2))
    }

    fn devices(&self) -> Vec<Device> {
        vec![self.device]
    }

    fn storage(&self, dtype: Dtype) -> Storage {
        match self.valid.contains(dtype) {
            true => Storage::Native { name: dtype.name() },
            false => Storage::None,
        }
    }

    /// Tables are keyed by function, which plans look up; ops below them have no rows.
    fn support(&self, _: &Op, _: &[Dtype]) -> Support {
        Support::Native
    }

    fn execute(&self, op: &Op, operands: &[&Value]) -> Result<Values> {
        let operands: SmallVec<[_; 4]> = operands.iter().map(|v| (v.dtype, &v.shape)).collect();
        let signature = op.result(op.name(), &operands)?;
        Ok(signature.into_iter().map(|(dtype, shape)| AbstractBackend::value(dtype, shape)).collect())
    }

    fn execute_function(&self, _: &'static Function, _: &dyn Params, _: &[&Value]) -> Result<Option<Values>> {
        Err(self.unavailable())
    }

    fn from_host(&self, array: HostArray) -> Result<Value> {
        Ok(AbstractBackend::value(array.dtype(), array.shape().clone()))
    }

    fn to_host(&self, _: &Value) -> Result<HostArray> {
        Err(self.unavailable())
    }

    fn is_abstract(&self) -> bool {
        true
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl DeclaredBackend {
    fn unavailable(&self) -> Error {
        ErrorKind::BackendUnavailable {
            name: format!("{}@{}", self.name, self.version),
            reason: "it is known by its tables only".into(),
            remedy: "Other versions can be asked about, not run".into(),
        }
        .into()
    }
}

/// The tables' word for a device.
pub(crate) fn table_device(device: Device) -> tables::Device {
    match device.kind {
        DeviceKind::Cpu => tables::Device::Cpu,
        DeviceKind::Cuda | DeviceKind::Metal => tables::Device::Gpu,
    }
}
