//! Casting modes (spec I-50): which casts may be put in where a dtype is not supported, and
//! whether casts that nobody wrote are allowed at all.

use super::frame::{Scope, current, push, remove, scope};
use super::{modes::Setting, settings};
use crate::{Error, ErrorKind};
use std::{fmt, str::FromStr};

/// One casting mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CastMode {
    /// From integers to the default float dtype where no integer is supported, and from floats
    /// or bool to the default integer dtype where no float, or not bool, is.
    Crosscast,
    /// To the next supported dtype of the same kind that holds every value.
    Upcast,
    /// To the next lower supported dtype of the same kind.
    Downcast,
}

impl CastMode {
    /// Every mode, in the order in which they are tried.
    pub const ALL: [CastMode; 3] = [CastMode::Crosscast, CastMode::Upcast, CastMode::Downcast];

    /// The name: crosscast, upcast or downcast.
    pub const fn name(self) -> &'static str {
        match self {
            CastMode::Crosscast => "crosscast",
            CastMode::Upcast => "upcast",
            CastMode::Downcast => "downcast",
        }
    }

    /// The setter that turns it on.
    pub const fn setter(self) -> &'static str {
        match self {
            CastMode::Crosscast => "crosscast_data_types",
            CastMode::Upcast => "upcast_data_types",
            CastMode::Downcast => "downcast_data_types",
        }
    }
}

impl fmt::Display for CastMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The casting modes that are on.
///
/// With all three on, crosscast is tried first, then upcast, then downcast. Otherwise crosscast
/// alone decides if it is on, else upcast alone, else downcast (spec I-52).
///
/// ```
/// use ivy_core::context::{CastMode, CastModes};
/// let modes: CastModes = "upcast,downcast".parse()?;
/// assert!(modes.contains(CastMode::Upcast) && !modes.contains(CastMode::Crosscast));
/// assert_eq!(modes.in_force(), [CastMode::Upcast]);
/// assert_eq!(CastModes::ALL.in_force(), CastMode::ALL);
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastModes(u8);

impl CastModes {
    /// No mode: an unsupported dtype is an error.
    pub const NONE: CastModes = CastModes(0);
    /// All three, as `cast_data_types` sets them.
    pub const ALL: CastModes = CastModes(0b111);

    /// These modes with one on or off.
    #[must_use]
    pub const fn with(self, mode: CastMode, on: bool) -> CastModes {
        let bit = 1 << mode as u8;
        CastModes(if on { self.0 | bit } else { self.0 & !bit })
    }

    /// True if the mode is on.
    pub const fn contains(self, mode: CastMode) -> bool {
        self.0 >> mode as u8 & 1 == 1
    }

    /// True if no mode is on.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The modes that are tried, in order: of several but not all, only the first acts.
    pub fn in_force(self) -> &'static [CastMode] {
        match CastMode::ALL.iter().position(|&m| self.contains(m)) {
            Some(_) if self == CastModes::ALL => &CastMode::ALL,
            Some(first) => &CastMode::ALL[first..=first],
            None => &[],
        }
    }
}

impl From<CastMode> for CastModes {
    fn from(mode: CastMode) -> CastModes {
        CastModes::NONE.with(mode, true)
    }
}

impl fmt::Display for CastModes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        let names: Vec<_> = CastMode::ALL.iter().filter(|&&m| self.contains(m)).map(|m| m.name()).collect();
        f.write_str(&names.join(","))
    }
}

impl FromStr for CastModes {
    type Err = Error;

    fn from_str(text: &str) -> Result<CastModes, Error> {
        text.split(',').try_fold(CastModes::NONE, |modes, word| {
            if let Some(&mode) = CastMode::ALL.iter().find(|m| m.name() == word) {
                return Ok(modes.with(mode, true));
            }
            match word {
                "all" | "cast" => Ok(CastModes::ALL),
                "none" => Ok(modes),
                _ => Err(ErrorKind::InvalidArgument {
                    function: "cast",
                    argument: "mode",
                    value: word.into(),
                    rule: "the modes are upcast, downcast, crosscast, all and none, joined by commas",
                }
                .into()),
            }
        })
    }
}

/// The casting modes that are on.
pub fn casting() -> CastModes {
    settings().settings.casting
}

/// Sets the casting modes that are on, all at once.
pub fn set_casting(modes: CastModes) {
    remove(|s| matches!(s, Setting::Casting(_)));
    push(Setting::Casting(modes));
}

/// Goes back to the casting modes that the frame began with.
pub fn unset_casting() {
    remove(|s| matches!(s, Setting::Casting(_)));
}

/// Turns upcasting on or off: an unsupported dtype goes to the next supported one of its kind
/// that holds every value, so float16 and bfloat16 both go to float32 (decision S22).
///
/// ```
/// use ivy::context::{self, CastMode};
/// context::upcast_data_types(true);
/// assert!(context::casting().contains(CastMode::Upcast));
/// context::upcast_data_types(false);
/// assert!(context::casting().is_empty());
/// ```
pub fn upcast_data_types(on: bool) {
    set_casting(casting().with(CastMode::Upcast, on));
}

/// Turns downcasting on or off: an unsupported dtype goes to the next lower supported one of
/// its kind; below float16 comes bfloat16.
pub fn downcast_data_types(on: bool) {
    set_casting(casting().with(CastMode::Downcast, on));
}

/// Turns crosscasting on or off: where a function takes no integers they go to the default
/// float dtype, and where it takes no floats those go to the default integer dtype.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([4.0f32, 6.0])?;
/// assert!(ivy::lcm(&x, &x).is_err());
/// ivy::context::crosscast_data_types(true);
/// assert_eq!(ivy::lcm(&x, &x)?.dtype(), Dtype::INT32);
/// # ivy::context::crosscast_data_types(false);
/// # Ok::<(), ivy::Error>(())
/// ```
pub fn crosscast_data_types(on: bool) {
    set_casting(casting().with(CastMode::Crosscast, on));
}

/// Turns all three modes on or off.
pub fn cast_data_types(on: bool) {
    set_casting(if on { CastModes::ALL } else { CastModes::NONE });
}

/// Casting modes until the guard is dropped.
///
/// ```
/// use ivy_core::context::{CastDataTypes, CastMode, CastModes, casting};
/// {
///     let _modes = CastDataTypes::new(CastMode::Upcast);
///     assert_eq!(casting(), CastMode::Upcast.into());
/// }
/// assert_eq!(casting(), CastModes::NONE);
/// ```
#[must_use = "the modes are in force until the guard is dropped"]
pub struct CastDataTypes {
    _scope: Scope,
}

impl CastDataTypes {
    /// Puts the modes in force.
    pub fn new(modes: impl Into<CastModes>) -> CastDataTypes {
        CastDataTypes { _scope: scope(&current().casting(modes)) }
    }
}

/// Makes implicit casts errors, or allows them again: promotion of operands of two dtypes,
/// integers becoming floats, casting modes. Casts that `astype` or `dtype=` ask for stay.
///
/// ```
/// use ivy::prelude::*;
/// let (x, y) = (ivy::zeros([2], Dtype::INT8)?, ivy::zeros([2], Dtype::INT16)?);
/// ivy::context::set_strict_casts(true);
/// assert!(matches!(ivy::add(&x, &y).unwrap_err().kind(), ivy::ErrorKind::ImplicitCast { .. }));
/// assert_eq!(ivy::add(ivy::astype(&x, "int16"), &y)?.dtype(), Dtype::INT16);
/// # ivy::context::set_strict_casts(false);
/// # Ok::<(), ivy::Error>(())
/// ```
pub fn set_strict_casts(on: bool) {
    remove(|s| matches!(s, Setting::StrictCasts(_)));
    push(Setting::StrictCasts(on));
}

/// Whether implicit casts are errors.
pub fn strict_casts() -> bool {
    settings().settings.strict_casts
}

/// Implicit casts are errors until the guard is dropped.
#[must_use = "the mode is in force until the guard is dropped"]
pub struct StrictCasts {
    _scope: Scope,
}

impl StrictCasts {
    /// Puts the mode in force.
    #[allow(clippy::new_without_default)]
    pub fn new() -> StrictCasts {
        StrictCasts { _scope: scope(&current().strict_casts(true)) }
    }
}
