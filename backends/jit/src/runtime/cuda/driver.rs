//! The CUDA driver of the machine, if it has one.

use super::api::Api;
use super::failure::Failure;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The environment variable that names a driver; nothing else is tried then.
pub const VARIABLE: &str = "IVY_CUDA";

/// The oldest version of the driver that has every function in use.
pub const LEAST: (u32, u32) = (11, 0);
/// The least compute capability that the kernels' text is for.
pub const CAPABILITY: (u32, u32) = (7, 0);

/// What to do where there is none.
pub const REMEDY: &str = "Install NVIDIA's driver for the machine's GPU (no toolkit is needed), or use `jit`, \
    which runs on the processor";

/// A CUDA driver.
pub struct Driver {
    pub(super) api: Api,
    /// Major and minor.
    pub version: (u32, u32),
    /// Where it was found.
    pub path: PathBuf,
    /// How many devices it has.
    pub devices: usize,
}

/// Why there is no driver, or no device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absent {
    /// No library was found, or none that is a driver.
    Driver {
        /// Where it was looked for, and what was wrong there.
        searched: Vec<String>,
    },
    /// The driver is older than [`LEAST`].
    TooOld {
        /// Its version.
        version: (u32, u32),
    },
    /// The driver has no device.
    Devices,
    /// The driver has no device of that number.
    Number {
        /// The number that was asked for.
        number: usize,
        /// How many devices there are.
        devices: usize,
    },
    /// The device is older than [`CAPABILITY`].
    Capability {
        /// Its own.
        capability: (u32, u32),
    },
    /// The driver does not begin.
    Failed(Failure),
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = LEAST;
        match self {
            Absent::Driver { searched } => {
                write!(f, "no CUDA driver was found; searched: {}", searched.join("; "))
            }
            Absent::TooOld { version } => {
                let (a, b) = version;
                write!(f, "the CUDA driver is for CUDA {a}.{b}, and {major}.{minor} is the oldest of use")
            }
            Absent::Devices => f.write_str("the CUDA driver has no device"),
            Absent::Number { number, devices } => {
                write!(f, "there is no device {number}; the CUDA driver counts {devices} from 0")
            }
            Absent::Capability { capability: (a, b) } => {
                let (major, minor) = CAPABILITY;
                write!(
                    f,
                    "the device has compute capability {a}.{b}, and {major}.{minor} is the least of use"
                )
            }
            Absent::Failed(failure) => write!(f, "the CUDA driver does not begin: {failure}"),
        }
    }
}

/// The process's driver: looked for once.
///
/// # Errors
/// [`Absent`]: why there is none, or none with a device.
pub fn driver() -> Result<&'static Driver, &'static Absent> {
    static FOUND: OnceLock<Result<&'static Driver, Absent>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let named = std::env::var_os(VARIABLE).filter(|v| !v.is_empty());
        let names: &[&str] = &["libcuda.so.1", "libcuda.so"];
        let paths: Vec<PathBuf> = match &named {
            Some(named) => vec![named.into()],
            None => names.iter().map(PathBuf::from).collect(),
        };
        let mut searched = Vec::new();
        for path in paths {
            match Driver::open(&path) {
                Err(Absent::Driver { searched: reasons }) => searched.extend(reasons),
                other => return other,
            }
        }
        Err(Absent::Driver { searched })
    });
    found.as_ref().copied()
}

impl Driver {
    /// Opens a driver, which stays open.
    ///
    /// # Errors
    /// [`Absent`].
    pub fn open(path: &Path) -> Result<&'static Driver, Absent> {
        /// The driver's code for a machine without a device.
        const NO_DEVICE: i32 = 100;
        let api = Api::open(path)
            // The system's loader begins with the path as well.
            .map_err(|reason| match path.to_str().is_some_and(|path| reason.starts_with(path)) {
                true => reason,
                false => format!("{}: {reason}", path.display()),
            })
            .map_err(|reason| Absent::Driver { searched: vec![reason] })?;
        let failed = |api: &Api, code| Absent::Failed(Failure::of(api, code));
        if let Err(code) = api.init() {
            return Err(if code.code == NO_DEVICE { Absent::Devices } else { failed(&api, code) });
        }
        let version = api.version().map_err(|code| failed(&api, code))?;
        if version < LEAST {
            return Err(Absent::TooOld { version });
        }
        let devices = api.devices().map_err(|code| failed(&api, code))?;
        if devices == 0 {
            return Err(Absent::Devices);
        }
        Ok(Box::leak(Box::new(Driver { api, version, path: path.into(), devices })))
    }
}
