//! Versions of frameworks: which rules are in force.

use crate::Frontend;
use crate::lifetime::{self, Number};
use ivy_core::context::{Defaults, Layer};
use ivy_core::{Dtype, Error, ErrorKind, Result, Rules};
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::OnceLock;

/// A version of a framework, with what its calls are made in.
#[derive(Debug)]
pub struct Version {
    /// The version, as the framework writes it: `2.13`.
    pub name: &'static str,
    /// Its promotion rules.
    pub rules: Rules,
    pub(crate) number: Number,
    layer: Layer,
    /// The same with each of [`FLOATS`] as the default float dtype.
    of_floats: [OnceLock<Layer>; FLOATS.len()],
}

/// The float dtypes that a program may make the default.
const FLOATS: [Dtype; 4] = [Dtype::FLOAT16, Dtype::BFLOAT16, Dtype::FLOAT32, Dtype::FLOAT64];

impl Version {
    /// What its calls are made in with a default float dtype: one of [`FLOATS`], counted from 1, or its own for 0.
    #[inline]
    fn layer(&self, float: u8) -> &Layer {
        match usize::from(float).checked_sub(1) {
            None => &self.layer,
            Some(at) => self.of_floats[at].get_or_init(|| {
                let float = FLOATS[at];
                let complex = if float == Dtype::FLOAT64 { Dtype::COMPLEX128 } else { Dtype::COMPLEX64 };
                let defaults =
                    Defaults { float: Some(float), complex: Some(complex), ..Defaults::of(self.rules) };
                Layer::new(self.rules, defaults)
            }),
        }
    }
}

/// The versions of a frontend, the one in force by default first.
pub(crate) fn versions(frontend: &str) -> Vec<Version> {
    let lines = include_str!("versions.tsv").lines().filter(|line| !line.starts_with('#'));
    let version = |line: &'static str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [of, name, rules] = cells[..] else { return None };
        let rules = rules.parse().ok()?;
        (of == frontend).then(|| {
            let layer = Layer::new(rules, Defaults::of(rules));
            Version { name, rules, number: lifetime::number(name), layer, of_floats: Default::default() }
        })
    };
    lines.filter_map(version).collect()
}

/// How many frontends can have a version of their own in force.
const FRONTENDS: usize = 16;

thread_local! {
    /// The places of the versions in force, by the frontends' slots.
    static IN_FORCE: [Cell<u8>; FRONTENDS] = const { [const { Cell::new(0) }; FRONTENDS] };
    /// The default float dtypes in force, by the frontends' slots: places in [`FLOATS`] from 1, or 0 for the rules' own.
    static FLOAT: [Cell<u8>; FRONTENDS] = const { [const { Cell::new(0) }; FRONTENDS] };
}

/// A version in force until the guard is dropped. It stays on its thread.
#[must_use = "the version is in force until the guard is dropped"]
pub struct VersionScope {
    slot: usize,
    previous: u8,
    not_send: PhantomData<*const ()>,
}

impl Drop for VersionScope {
    fn drop(&mut self) {
        let _ = IN_FORCE.try_with(|all| all[self.slot].set(self.previous));
    }
}

impl Frontend {
    fn in_force(&self) -> usize {
        IN_FORCE.with(|all| all[self.slot()].get()).into()
    }

    /// The version in force on this thread.
    #[inline]
    pub fn version(&self) -> &Version {
        &self.versions()[self.in_force()]
    }

    /// What calls are made in on this thread: the rules of the version in force, and default dtypes.
    #[inline]
    pub fn layer(&self) -> &Layer {
        self.version().layer(FLOAT.with(|all| all[self.slot()].get()))
    }

    /// Sets the default float dtype of this thread's calls until it is set again: that of numbers without one, and of
    /// float functions of integers. The default complex dtype goes with it. `None` is the one of the framework's rules.
    ///
    /// # Errors
    /// [`ErrorKind::WrongDtypeKind`] for a dtype that is no real float.
    pub fn set_default_float(&self, dtype: Option<Dtype>) -> Result<()> {
        let place = match dtype {
            None => 0,
            Some(dtype) => match FLOATS.iter().position(|&float| float == dtype) {
                Some(at) => at as u8 + 1,
                None => {
                    let (function, expected) = ("set_default_dtype", "float");
                    return Err(ErrorKind::WrongDtypeKind { function, dtype, expected }.into());
                }
            },
        };
        FLOAT.with(|all| all[self.slot()].set(place));
        Ok(())
    }

    /// Puts a version in force on this thread until it is set again.
    ///
    /// # Errors
    /// [`ErrorKind::FrontendVersion`] for one that the frontend does not know.
    pub fn set_version(&self, version: &str) -> Result<()> {
        let found = self.find_version(version)?;
        IN_FORCE.with(|all| all[self.slot()].set(found));
        Ok(())
    }

    /// Puts a version in force until the guard is dropped.
    ///
    /// # Errors
    /// [`ErrorKind::FrontendVersion`] for one that the frontend does not know.
    pub fn version_scope(&self, version: &str) -> Result<VersionScope> {
        let found = self.find_version(version)?;
        let previous = IN_FORCE.with(|all| all[self.slot()].replace(found));
        Ok(VersionScope { slot: self.slot(), previous, not_send: PhantomData })
    }

    fn find_version(&self, version: &str) -> Result<u8> {
        let found = self.versions().iter().position(|v| v.name == version);
        found.and_then(|at| u8::try_from(at).ok()).ok_or_else(|| {
            let known = self.versions().iter().map(|v| v.name.into()).collect();
            Error::from(ErrorKind::FrontendVersion { frontend: self.name(), version: version.into(), known })
        })
    }
}

/// The place of a frontend among those that have a version in force.
pub(crate) fn next_slot() -> usize {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed).min(FRONTENDS - 1)
}
