//! Which of several version keys speaks for a version.

use super::{key::VersionKey, version::Version};

/// The key that was chosen, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Resolved {
    /// Its index among the keys.
    pub index: usize,
    /// Why it was chosen.
    pub how: How,
}

/// Why a key was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// The key names this version.
    Exact,
    /// The first of the ranges, as written, that holds the version.
    Range,
    /// No key holds the version, so the last one is taken (decision S24).
    LastKey {
        /// Whether the version is newer than all that any key holds: the row is then older than
        /// the backend, and whoever shows it says so.
        older: bool,
    },
}

/// Chooses the key for a version: an exact key first, then the ranges in written order, else
/// the last key. `None` only where there are no keys.
///
/// ```
/// use ivy_dtype_tables::support::{How, VersionKey, resolve};
/// let keys: Vec<VersionKey> =
///     ["2.4.2 and below", "2.5.0 and above"].iter().map(|k| k.parse().unwrap()).collect();
/// let at = |v: &str| resolve(&keys, &v.parse().unwrap()).unwrap();
/// assert_eq!((at("2.2").index, at("2.2").how), (0, How::Range));
/// assert_eq!((at("2.4.3").index, at("2.4.3").how), (1, How::LastKey { older: false }));
/// assert_eq!(resolve(&[], &"2.2".parse().unwrap()), None);
/// ```
pub fn resolve(keys: &[VersionKey], version: &Version) -> Option<Resolved> {
    let exact = keys.iter().position(|k| k.is_exact() && k.contains(version));
    if let Some(index) = exact {
        return Some(Resolved { index, how: How::Exact });
    }
    if let Some(index) = keys.iter().position(|k| k.contains(version)) {
        return Some(Resolved { index, how: How::Range });
    }
    let older = keys.iter().all(|k| k.is_older_than(version));
    keys.len().checked_sub(1).map(|index| Resolved { index, how: How::LastKey { older } })
}
