//! Where arrays live: `BACKEND[:PLACE][@VERSION]` (decision S38).

use super::BackendRef;
use crate::{Array, Error, ErrorKind, Result};
use std::{fmt, str::FromStr};

/// What kind of hardware a device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeviceKind {
    /// The host's processor.
    Cpu,
    /// An NVIDIA GPU.
    Cuda,
    /// An Apple GPU.
    Metal,
}

/// A device, such as `cpu` or `cuda:0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Device {
    /// The kind of hardware.
    pub kind: DeviceKind,
    /// Which one of its kind, from 0.
    pub index: usize,
}

impl Device {
    /// The host's processor.
    pub const CPU: Device = Device { kind: DeviceKind::Cpu, index: 0 };
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            DeviceKind::Cpu => f.write_str("cpu"),
            DeviceKind::Cuda => write!(f, "cuda:{}", self.index),
            DeviceKind::Metal => write!(f, "metal:{}", self.index),
        }
    }
}

impl FromStr for Device {
    type Err = Error;

    fn from_str(text: &str) -> Result<Device> {
        let (name, index) = text.split_once(':').unwrap_or((text, "0"));
        let kind = match name {
            "cpu" => Some(DeviceKind::Cpu),
            "cuda" | "gpu" => Some(DeviceKind::Cuda),
            "metal" | "mps" => Some(DeviceKind::Metal),
            _ => None,
        };
        match (kind, index.parse()) {
            (Some(kind), Ok(index)) => Ok(Device { kind, index }),
            _ => Err(ErrorKind::InvalidArgument {
                function: "device",
                argument: "name",
                value: text.into(),
                rule: "a device is cpu, cuda or metal, with an optional `:NUMBER`",
            }
            .into()),
        }
    }
}

/// What names a device: a [`Device`], its name, an array that lies on it, or a backend's place.
pub trait DeviceLike {
    /// The device.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] for a name that no device has.
    fn to_device(&self) -> Result<Device>;
}

impl DeviceLike for Device {
    fn to_device(&self) -> Result<Device> {
        Ok(*self)
    }
}

impl DeviceLike for str {
    fn to_device(&self) -> Result<Device> {
        self.parse()
    }
}

impl DeviceLike for String {
    fn to_device(&self) -> Result<Device> {
        self.parse()
    }
}

impl DeviceLike for BackendRef {
    fn to_device(&self) -> Result<Device> {
        Ok(self.devices().first().copied().unwrap_or(Device::CPU))
    }
}

impl DeviceLike for Array {
    fn to_device(&self) -> Result<Device> {
        self.backend().to_device()
    }
}

impl DeviceLike for Place {
    fn to_device(&self) -> Result<Device> {
        super::backend(&self.to_string())?.to_device()
    }
}

impl<T: DeviceLike + ?Sized> DeviceLike for &T {
    fn to_device(&self) -> Result<Device> {
        (**self).to_device()
    }
}

/// A parsed `BACKEND[:PLACE][@VERSION]`.
///
/// ```
/// let place: ivy_core::Place = "torch:cuda:0@2.13".parse()?;
/// assert_eq!(place.backend, "torch");
/// assert_eq!(place.place.as_deref(), Some("cuda:0"));
/// assert_eq!(place.version.as_deref(), Some("2.13"));
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The backend's name.
    pub backend: String,
    /// The device or code generator, if one is named.
    pub place: Option<String>,
    /// The version, if one is named: for questions only.
    pub version: Option<String>,
}

impl FromStr for Place {
    type Err = Error;

    fn from_str(text: &str) -> Result<Place> {
        let (rest, version) = match text.split_once('@') {
            Some((rest, version)) => (rest, Some(version.to_string())),
            None => (text, None),
        };
        let (backend, place) = match rest.split_once(':') {
            Some((backend, place)) => (backend, Some(place.to_string())),
            None => (rest, None),
        };
        let empty = |part: &Option<String>| part.as_deref() == Some("");
        if backend.is_empty() || empty(&place) || empty(&version) {
            return Err(ErrorKind::InvalidArgument {
                function: "backend",
                argument: "name",
                value: text.into(),
                rule: "a backend is named BACKEND[:PLACE][@VERSION], such as torch:cuda:0@2.13",
            }
            .into());
        }
        Ok(Place { backend: backend.into(), place, version })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.backend)?;
        if let Some(place) = &self.place {
            write!(f, ":{place}")?;
        }
        if let Some(version) = &self.version {
            write!(f, "@{version}")?;
        }
        Ok(())
    }
}

/// The rule that a device breaks which is not the backend's.
pub const NOT_HERE: &str = "an instance of a backend has one device; choose another backend, such as `jit:cuda`, or \
    move with `to_backend`";

/// A device beside the one that the backend computes on, for an error.
pub fn not_here(backend: &BackendRef, device: impl fmt::Display) -> String {
    match backend.devices().first() {
        Some(own) => format!("{device}, where {} is on {own}", backend.name()),
        None => device.to_string(),
    }
}
