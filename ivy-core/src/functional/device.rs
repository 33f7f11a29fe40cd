//! Where arrays are, and which devices there are.

pub use crate::context::{DefaultDevice, set_default_device, unset_default_device};

use crate::array::Array;
use crate::backend::{self, Device, DeviceKind, DeviceLike, Place, backends};
use crate::{Result, context};
use std::collections::HashSet;

/// The device that an array lies on.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::dev(&ivy::zeros([2], ())?).to_string(), "cpu");
/// # Ok::<(), ivy::Error>(())
/// ```
pub fn dev(x: &Array) -> Device {
    x.backend().devices().first().copied().unwrap_or(Device::CPU)
}

/// A device that may be left out: `()` and `None` name none.
pub trait MaybeDevice {
    /// The device, if one is named.
    ///
    /// # Errors
    /// Those of [`DeviceLike::to_device`].
    fn maybe_device(&self) -> Result<Option<Device>>;
}

impl MaybeDevice for () {
    fn maybe_device(&self) -> Result<Option<Device>> {
        Ok(None)
    }
}

impl<T: DeviceLike> MaybeDevice for T {
    fn maybe_device(&self) -> Result<Option<Device>> {
        self.to_device().map(Some)
    }
}

impl<T: DeviceLike> MaybeDevice for Option<T> {
    fn maybe_device(&self) -> Result<Option<Device>> {
        self.as_ref().map(DeviceLike::to_device).transpose()
    }
}

/// The device of a call that may name one: `device`, else that of `item`, else the one on which the current backend
/// creates arrays.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::zeros([2], ())?;
/// assert_eq!(ivy::default_device((), &x)?, ivy::dev(&x));
/// assert_eq!(ivy::default_device("cuda:1", &x)?.to_string(), "cuda:1");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a name that no device has,
/// [`UnknownBackend`](crate::ErrorKind::UnknownBackend) if no backend is registered.
pub fn default_device(device: impl MaybeDevice, item: impl MaybeDevice) -> Result<Device> {
    match device.maybe_device()? {
        Some(device) => Ok(device),
        None => match item.maybe_device()? {
            Some(device) => Ok(device),
            None => context::current_backend()?.to_device(),
        },
    }
}

/// The device that is meant: of a name (`cpu`, `cuda:0`; `gpu` and `mps` are `cuda` and `metal`), a backend's place, or
/// an array.
///
/// ```
/// assert_eq!(ivy::as_ivy_dev("gpu:1")?.to_string(), "cuda:1");
/// let place: ivy::Place = "ndarray:cpu".parse()?;
/// assert_eq!(ivy::as_ivy_dev(&place)?, ivy::Device::CPU);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a name that no device has; of a place those of
/// [`backend`](crate::backend::backend).
pub fn as_ivy_dev(device: impl DeviceLike) -> Result<Device> {
    device.to_device()
}

/// The current backend's form of a device: the place by which its instance there is found.
///
/// ```
/// let native = ivy::with_backend("ndarray", || ivy::as_native_dev("cpu"))??;
/// assert_eq!(native.to_string(), "ndarray:cpu");
/// assert_eq!(ivy::as_ivy_dev(&native)?, ivy::Device::CPU);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`BackendUnavailable`](crate::ErrorKind::BackendUnavailable) where the current backend does not run on the device;
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a name that no device has.
pub fn as_native_dev(device: impl DeviceLike) -> Result<Place> {
    let (current, device) = (context::current_backend()?, device.to_device()?);
    backend::on_device(&current, device)?;
    Ok(Place { backend: current.name().into(), place: Some(device.to_string()), version: None })
}

/// How many NVIDIA GPUs the registered backends compute on, each counted once.
///
/// ```
/// assert_eq!(ivy::gpu_is_available(), ivy::num_gpus() > 0);
/// ```
pub fn num_gpus() -> usize {
    let devices = backends().into_iter().filter_map(|b| b.instance.ok()).flat_map(|b| b.devices());
    devices.filter(|device| device.kind == DeviceKind::Cuda).collect::<HashSet<_>>().len()
}

/// Whether a registered backend computes on an NVIDIA GPU.
pub fn gpu_is_available() -> bool {
    num_gpus() > 0
}

/// How many threads the host's processor runs at once; 1 where that is not known.
///
/// ```
/// assert!(ivy::num_cpu_cores() >= ivy::num_physical_cpu_cores());
/// ```
pub fn num_cpu_cores() -> usize {
    std::thread::available_parallelism().map_or(1, |count| count.get())
}

/// How many cores the host's processor has, each of which may run several threads. Where the system does not say
/// (Linux does, in `/sys/devices/system/cpu`), as many as [`num_cpu_cores`].
pub fn num_physical_cpu_cores() -> usize {
    let siblings = |cpu: usize| {
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
        std::fs::read_to_string(path).ok()
    };
    let threads = num_cpu_cores();
    let cores: HashSet<String> = (0..threads).filter_map(siblings).collect();
    if cores.is_empty() { threads } else { cores.len() }
}
