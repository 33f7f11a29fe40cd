//! The devices that support tables tell apart.

use std::fmt;

/// A kind of device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Device {
    /// The processor.
    Cpu,
    /// A graphics card.
    Gpu,
    /// A tensor processing unit.
    Tpu,
}

impl Device {
    /// All devices, in the order in which they are printed.
    pub const ALL: [Device; 3] = [Device::Cpu, Device::Gpu, Device::Tpu];

    /// The name in tables: `cpu`, `gpu`, `tpu`.
    pub fn name(self) -> &'static str {
        ["cpu", "gpu", "tpu"][self as usize]
    }

    /// The device of a table's name.
    pub fn from_name(name: &str) -> Option<Device> {
        Device::ALL.into_iter().find(|d| d.name() == name)
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A set of devices.
///
/// ```
/// use ivy_dtype_tables::support::{Device, Devices};
/// let set = Devices::of(&[Device::Cpu, Device::Gpu]);
/// assert_eq!(set.to_string(), "cpu,gpu");
/// assert_eq!(Devices::ALL.to_string(), "all");
/// assert!(!set.contains(Device::Tpu));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Devices(u8);

impl Devices {
    /// What the key `all` expands to.
    pub const ALL: Devices = Devices(0b111);

    /// The set of the given devices.
    pub fn of(devices: &[Device]) -> Self {
        Devices(devices.iter().fold(0, |set, &d| set | 1 << d as u8))
    }

    /// Whether the device is in the set.
    pub fn contains(self, device: Device) -> bool {
        self.0 & 1 << device as u8 != 0
    }

    /// The devices of both sets.
    pub fn union(self, other: Devices) -> Devices {
        Devices(self.0 | other.0)
    }

    /// The devices that both sets have.
    pub fn intersection(self, other: Devices) -> Devices {
        Devices(self.0 & other.0)
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The devices, in order.
    pub fn iter(self) -> impl Iterator<Item = Device> {
        Device::ALL.into_iter().filter(move |&d| self.contains(d))
    }
}

impl fmt::Display for Devices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Devices::ALL {
            return f.pad("all");
        }
        f.pad(&self.iter().map(Device::name).collect::<Vec<_>>().join(","))
    }
}
