//! From which version of a framework on, and up to which, it has a name.

use crate::{Entry, Frontend};
use ivy_core::{ErrorKind, Result};

/// A version as numbers: `2.4`.
pub(crate) type Number = (u16, u16);

/// The versions that have a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lifetime {
    since: Option<Number>,
    until: Option<Number>,
}

/// The numbers of a version, up to what is no number: of `0.10-x64` those of `0.10`.
pub(crate) fn number(version: &str) -> Number {
    let mut parts = version.split(['.', '-']).map(|part| part.parse().unwrap_or(0));
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0))
}

/// The lifetime of a name, if not every version has it.
pub(crate) fn of(frontend: &str, path: &str) -> Option<Lifetime> {
    include_str!("lifetimes.tsv").lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [name, since, until, paths] = cells[..] else { return None };
        let bound = |cell: &str| (cell != "-").then(|| number(cell));
        let known = name == frontend && paths.split(' ').any(|known| known == path);
        known.then(|| Lifetime { since: bound(since), until: bound(until) })
    })
}

impl Entry {
    /// Whether the version in force has the name.
    #[inline]
    pub(crate) fn is_there(&self) -> bool {
        self.lifetime.is_none_or(|lifetime| {
            let now = self.frontend.version().number;
            lifetime.since.is_none_or(|since| now >= since) && lifetime.until.is_none_or(|until| now < until)
        })
    }

    /// Refuses a name that the version in force lacks, or has dropped.
    pub(crate) fn check_version(&self) -> Result<()> {
        let (Some(lifetime), false) = (self.lifetime, self.is_there()) else { return Ok(()) };
        let frontend: &Frontend = self.frontend;
        let told = |(major, minor): Number| format!("{major}.{minor}");
        let history = match (lifetime.since, lifetime.until) {
            (Some(since), _) if frontend.version().number < since => format!("it came with {}", told(since)),
            (_, Some(until)) => format!("{} has dropped it", told(until)),
            _ => String::new(),
        };
        let remedy = format!("version {} is in force, and {history}", frontend.version().name);
        let (frontend, name) = (frontend.name(), self.path.clone());
        Err(ErrorKind::FrontendName { frontend, name, nearest: Vec::new(), remedy }.into())
    }
}
