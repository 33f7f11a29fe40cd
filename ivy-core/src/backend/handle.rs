//! A counted reference to a backend, with an identity that is never used again.

use super::{AbstractBackend, Backend};
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
}

/// A backend instance. Clones refer to the same instance; arrays of two instances do not mix, but
/// for those of one device ([`Backend::shares_device`]).
#[derive(Clone)]
pub struct BackendRef(Arc<Entry>);

/// A reference that does not keep the instance alive.
pub(super) struct WeakBackendRef(Weak<Entry>);

impl WeakBackendRef {
    pub(super) fn upgrade(&self) -> Option<BackendRef> {
        self.0.upgrade().map(BackendRef)
    }
}

impl BackendRef {
    /// An instance of its own.
    pub fn new(backend: impl Backend) -> BackendRef {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        BackendRef(Arc::new(Entry { id, backend: Box::new(backend), abstracted: OnceCell::new() }))
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
