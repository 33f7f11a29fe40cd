//! The four forms of a version key.

use super::{
    interval::{Cut, Interval},
    version::Version,
};
use std::{fmt, str::FromStr};

/// Which versions a row is for: `X`, `X and above`, `X and below` or `X to Y`.
///
/// A bound with fewer parts covers everything that begins with it (decision S5). Precisely:
///
/// * `2.2 and below` holds what precedes 2.2 and all that begins with 2.2: `2.2.3`, `2.2.post1`,
///   and the pre-releases `2.2rc1` and `2.2.4rc1`; not `2.3rc1`.
/// * `2.2 and above` holds from the release 2.2 on; not `2.2rc1`, which precedes it.
/// * `1.0 to 1.9` holds what `1.0 and above` and `1.9 and below` both hold, so `1.9.5`.
/// * A bound that is itself a pre-release covers no more than it says: `2.1rc1 and below` ends
///   with `2.1rc1`.
/// * `2.2` alone is no bound but one version: it holds `2.2`, `2.2.0` and `2.2.0+cu130`, not
///   `2.2.3`. For all of 2.2 write `2.2 to 2.2`.
///
/// [`Display`](fmt::Display) gives the text back. Keys are equal when they hold the same versions
/// in the same form: `2.2 and below` is not `2.2.0 and below`.
///
/// ```
/// use ivy_dtype_tables::support::{Version, VersionKey};
/// let holds = |key: &str, version: &str| {
///     key.parse::<VersionKey>().unwrap().contains(&version.parse::<Version>().unwrap())
/// };
/// assert!(holds("2.2 and below", "2.2.3") && !holds("2.2 and below", "2.3"));
/// assert!(holds("1.0 to 1.9", "1.9.5") && !holds("1.0 to 1.9", "1.10"));
/// assert!(holds("2.2 and above", "2.2.0") && !holds("2.2 and above", "2.2rc1"));
/// assert!(holds("1.12.1", "1.12.1.0") && !holds("1.12", "1.12.1"));
/// assert_eq!("1.0 to 1.9".parse::<VersionKey>().unwrap().to_string(), "1.0 to 1.9");
/// ```
#[derive(Clone, Debug)]
pub enum VersionKey {
    /// `X`: one version.
    Exact(Version),
    /// `X and above`.
    Above(Version),
    /// `X and below`.
    Below(Version),
    /// `X to Y`, both ends included.
    Range(Version, Version),
}

/// A text that is no version key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyError {
    /// The text as given.
    pub key: String,
    /// What is wrong with it.
    pub rule: String,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.rule)
    }
}

impl std::error::Error for KeyError {}

impl VersionKey {
    /// Whether the key holds the version.
    pub fn contains(&self, version: &Version) -> bool {
        self.interval().contains(version.point())
    }

    /// Whether it names one version only.
    pub fn is_exact(&self) -> bool {
        matches!(self, VersionKey::Exact(_))
    }

    /// Whether every version that the key holds precedes the given one.
    pub fn is_older_than(&self, version: &Version) -> bool {
        self.interval().high <= Cut::before(version.point())
    }

    pub(crate) fn interval(&self) -> Interval {
        let upper = |v: &Version| {
            if v.is_prerelease() { Cut::after(v.point()) } else { Cut::At(v.end_of_prefix(), false) }
        };
        let (low, high) = match self {
            VersionKey::Exact(v) => (Cut::before(v.point()), Cut::after(v.point())),
            VersionKey::Above(v) => (Cut::before(v.point()), Cut::High),
            VersionKey::Below(v) => (Cut::Low, upper(v)),
            VersionKey::Range(a, b) => (Cut::before(a.point()), upper(b)),
        };
        Interval { low, high }
    }
}

impl PartialEq for VersionKey {
    fn eq(&self, other: &Self) -> bool {
        // The parts count too, unlike for two versions: as bounds they cover different things.
        let same = |a: &Version, b: &Version| a == b && a.parts() == b.parts();
        match (self, other) {
            (VersionKey::Exact(a), VersionKey::Exact(b)) => a == b,
            (VersionKey::Above(a), VersionKey::Above(b)) => a == b,
            (VersionKey::Below(a), VersionKey::Below(b)) => same(a, b),
            (VersionKey::Range(a, c), VersionKey::Range(b, d)) => a == b && same(c, d),
            _ => false,
        }
    }
}

impl Eq for VersionKey {}

impl FromStr for VersionKey {
    type Err = KeyError;

    fn from_str(key: &str) -> Result<Self, KeyError> {
        let error = |rule: String| KeyError { key: key.to_string(), rule };
        let version = |text: &str| text.parse::<Version>().map_err(|e| error(e.to_string()));
        if let Some(v) = key.strip_suffix(" and above") {
            return Ok(VersionKey::Above(version(v)?));
        }
        if let Some(v) = key.strip_suffix(" and below") {
            return Ok(VersionKey::Below(version(v)?));
        }
        if let Some((a, b)) = key.split_once(" to ") {
            let range = VersionKey::Range(version(a)?, version(b)?);
            let Interval { low, high } = range.interval();
            return if low < high { Ok(range) } else { Err(error("the range ends before it begins".into())) };
        }
        if key.contains(' ') {
            return Err(error("expected `X`, `X and above`, `X and below` or `X to Y`".into()));
        }
        Ok(VersionKey::Exact(version(key)?))
    }
}

impl fmt::Display for VersionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VersionKey::Exact(v) => write!(f, "{v}"),
            VersionKey::Above(v) => write!(f, "{v} and above"),
            VersionKey::Below(v) => write!(f, "{v} and below"),
            VersionKey::Range(a, b) => write!(f, "{a} to {b}"),
        }
    }
}
