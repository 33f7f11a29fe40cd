//! A counted reference to a backend, with an identity that is never used again.

use super::{AbstractBackend, Backend};
use crate::transform::Wrapper;
use once_cell::sync::OnceCell;
use std::{
    fmt,
    ops::Deref,
    sync::atomic::{AtomicU32, Ordering},
    sync::{Arc, Weak},
};

struct Entry {
    id: u32,
    backend: Box<dyn Backend>,
    abstracted: OnceCell<BackendRef>,
    wrappers: [OnceCell<BackendRef>; Wrapper::COUNT],
}

/// A backend instance. Clones refer to the same instance; arrays of two instances do not mix, but
/// for those of one device ([`Backend::shares_device`]).
#[derive(Clone)]
pub struct BackendRef(Arc<Entry>);

/// A reference that does not keep the instance alive.
pub(crate) struct WeakBackendRef(Weak<Entry>);

impl WeakBackendRef {
    pub(crate) fn upgrade(&self) -> Option<BackendRef> {
        self.0.upgrade().map(BackendRef)
    }
}

impl BackendRef {
    /// An instance of its own.
    pub fn new(backend: impl Backend) -> BackendRef {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let (abstracted, wrappers) = (OnceCell::new(), Default::default());
        BackendRef(Arc::new(Entry { id, backend: Box::new(backend), abstracted, wrappers }))
    }

    /// The backend that does this one's ops under a transformation: one instance for all calls, so that plans
    /// are made once.
    pub(crate) fn wrapped(&self, wrapper: Wrapper) -> BackendRef {
        let base = || WeakBackendRef(Arc::downgrade(&self.0));
        self.0.wrappers[wrapper as usize].get_or_init(|| wrapper.around(self, base())).clone()
    }

    /// How many backends this one wraps, one in the other.
    pub(crate) fn level(&self) -> usize {
        self.wraps().map_or(0, |below| 1 + below.level())
    }

    /// The instance's number.
    #[inline]
    pub(crate) fn id(&self) -> u32 {
        self.0.id
    }

    /// The version in words: as it was asked for, where only the tables know it.
    pub fn version_text(&self) -> String {
        super::declared_of(self).map_or_else(|| self.version().to_string(), |d| d.asked_version().to_string())
    }

    /// The abstract form of this backend: same support, no values. An abstract one is its own.
    pub fn to_abstract(&self) -> BackendRef {
        if self.is_abstract() {
            return self.clone();
        }
        // A strong reference would be a cycle: the wrapper is kept by what it wraps.
        let target = WeakBackendRef(Arc::downgrade(&self.0));
        self.0.abstracted.get_or_init(|| BackendRef::new(AbstractBackend::new(self, target))).clone()
    }
}

impl Deref for BackendRef {
    type Target = dyn Backend;
    #[inline]
    fn deref(&self) -> &(dyn Backend + 'static) {
        &*self.0.backend
    }
}

impl PartialEq for BackendRef {
    #[inline]
    fn eq(&self, other: &BackendRef) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for BackendRef {}

impl fmt::Debug for BackendRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name(), self.version())
    }
}
