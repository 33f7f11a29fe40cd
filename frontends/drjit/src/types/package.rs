//! The packages: where arrays are computed, and whether they can be differentiated.

use ivy_core::backend::{BackendRef, DeviceKind, backend};
use ivy_core::context::current_backend;
use std::fmt;
use std::sync::OnceLock;

/// What computes a package's arrays. The order is that of promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JitBackend {
    /// Single values, in the reference backend.
    None,
    /// The engine on the processor: `jit:llvm`, or the engine's instance that is current.
    Llvm,
    /// The engine on an NVIDIA GPU: `jit:cuda`, or the engine's instance that is current.
    Cuda,
}

/// A package of array types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Package {
    /// What computes.
    pub backend: JitBackend,
    /// Whether operations are recorded for derivatives.
    pub ad: bool,
}

impl Package {
    /// Single values.
    pub const SCALAR: Package = Package { backend: JitBackend::None, ad: false };
    /// Arrays on the processor.
    pub const LLVM: Package = Package { backend: JitBackend::Llvm, ad: false };
    /// Differentiable arrays on the processor.
    pub const LLVM_AD: Package = Package { backend: JitBackend::Llvm, ad: true };
    /// Arrays on a GPU.
    pub const CUDA: Package = Package { backend: JitBackend::Cuda, ad: false };
    /// Differentiable arrays on a GPU.
    pub const CUDA_AD: Package = Package { backend: JitBackend::Cuda, ad: true };

    /// Every package.
    pub const ALL: [Package; 5] =
        [Package::SCALAR, Package::LLVM, Package::LLVM_AD, Package::CUDA, Package::CUDA_AD];

    /// The package of the machine's best backend: `cuda` where there is a GPU that runs, else `llvm`.
    pub fn auto(ad: bool) -> Package {
        let backend = if has_backend(JitBackend::Cuda) { JitBackend::Cuda } else { JitBackend::Llvm };
        Package { backend, ad }
    }

    /// The package's name, as Dr.Jit's module is called.
    pub const fn name(self) -> &'static str {
        match (self.backend, self.ad) {
            (JitBackend::None, _) => "scalar",
            (JitBackend::Llvm, false) => "llvm",
            (JitBackend::Llvm, true) => "llvm.ad",
            (JitBackend::Cuda, false) => "cuda",
            (JitBackend::Cuda, true) => "cuda.ad",
        }
    }

    /// The package of a name.
    pub fn of_name(name: &str) -> Option<Package> {
        Package::ALL.into_iter().find(|p| p.name() == name)
    }

    /// True where a value stands for many threads.
    pub const fn is_jit(self) -> bool {
        !matches!(self.backend, JitBackend::None)
    }

    /// The package that holds values of both: `None` for the processor's and a GPU's, which do not mix.
    pub(crate) fn promote(self, other: Package) -> Option<Package> {
        let (low, high) = (self.backend.min(other.backend), self.backend.max(other.backend));
        let apart = low == JitBackend::Llvm && high == JitBackend::Cuda;
        (!apart).then_some(Package { backend: high, ad: self.ad || other.ad })
    }

    /// The core's backend for arrays that are made. The engine's instance that is current takes precedence over the
    /// default one, so that a program under `with_backend("jit:interp", ..)` runs there.
    pub(crate) fn instance(self) -> ivy_core::Result<BackendRef> {
        let (wanted, kind) = match self.backend {
            JitBackend::None => return backend("ndarray"),
            JitBackend::Llvm => ("jit:llvm", DeviceKind::Cpu),
            JitBackend::Cuda => ("jit:cuda", DeviceKind::Cuda),
        };
        let current = current_backend()?;
        let fits = current.name() == "jit" && current.devices().iter().any(|device| device.kind == kind);
        if fits {
            return Ok(current);
        }
        // Instances by name stay as long as the process.
        static KNOWN: [OnceLock<BackendRef>; 2] = [OnceLock::new(), OnceLock::new()];
        let known = &KNOWN[usize::from(kind == DeviceKind::Cuda)];
        match known.get() {
            Some(known) => Ok(known.clone()),
            None => {
                let made = backend(wanted)?;
                Ok(known.get_or_init(|| made).clone())
            }
        }
    }
}

/// Whether a backend can run here (`dr.has_backend`).
pub fn has_backend(which: JitBackend) -> bool {
    Package { backend: which, ad: false }.instance().is_ok()
}

impl fmt::Display for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
