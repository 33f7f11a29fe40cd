//! Ivy's modes beside dtypes and backends: small numbers that functions add, digits of printed arrays, arrays of other
//! devices, and in-place writes.

use super::frame::{pop, push};
use super::modes::Setting;
use super::settings;
use crate::{Error, ErrorKind, Result};
use std::{fmt, str::FromStr};

/// A number above 0, as a setting.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SmallNumber(u64);

impl SmallNumber {
    fn new(function: &'static str, value: f64) -> Result<SmallNumber> {
        if value.is_finite() && value > 0.0 {
            return Ok(SmallNumber(value.to_bits()));
        }
        let (argument, value, rule) = ("value", value.to_string(), "a finite number above 0");
        Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into())
    }

    /// The number.
    pub fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl fmt::Debug for SmallNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// How writes in place are taken: `out`, `inplace_update`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InplaceMode {
    /// On every backend.
    #[default]
    Lenient,
    /// On backends with memory that is written; on one that records its work instead they are an error.
    Strict,
}

impl fmt::Display for InplaceMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InplaceMode::Lenient => "lenient",
            InplaceMode::Strict => "strict",
        })
    }
}

impl FromStr for InplaceMode {
    type Err = Error;

    fn from_str(name: &str) -> Result<InplaceMode> {
        match name {
            "lenient" => Ok(InplaceMode::Lenient),
            "strict" => Ok(InplaceMode::Strict),
            _ => {
                let (function, argument, value) = ("set_inplace_mode", "mode", name.into());
                let rule = "lenient or strict";
                Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into())
            }
        }
    }
}

/// The settings of this page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Modes {
    /// What [`stable_pow`](crate::functional::stable_pow) adds to bases (1e-5).
    pub min_base: SmallNumber,
    /// What [`stable_divide`](crate::functional::stable_divide) adds to denominators (1e-12).
    pub min_denominator: SmallNumber,
    /// Most digits after the point of a printed number (8).
    pub array_significant_figures: usize,
    /// Whether arrays of other backends and devices are moved to where a function is computed (false).
    pub soft_device: bool,
    /// How writes in place are taken.
    pub inplace: InplaceMode,
}

impl Default for Modes {
    fn default() -> Modes {
        Modes {
            min_base: SmallNumber(1e-5f64.to_bits()),
            min_denominator: SmallNumber(1e-12f64.to_bits()),
            array_significant_figures: 8,
            soft_device: false,
            inplace: InplaceMode::Lenient,
        }
    }
}

impl Modes {
    /// The same with another [`min_base`](Modes::min_base).
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] for what is not above 0.
    pub fn with_min_base(self, value: f64) -> Result<Modes> {
        Ok(Modes { min_base: SmallNumber::new("set_min_base", value)?, ..self })
    }

    /// The same with another [`min_denominator`](Modes::min_denominator).
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] for what is not above 0.
    pub fn with_min_denominator(self, value: f64) -> Result<Modes> {
        Ok(Modes { min_denominator: SmallNumber::new("set_min_denominator", value)?, ..self })
    }
}

/// One of them that was set.
#[derive(Clone, Copy)]
pub(super) enum Mode {
    MinBase(SmallNumber),
    MinDenominator(SmallNumber),
    Figures(usize),
    SoftDevice(bool),
    Inplace(InplaceMode),
}

impl Mode {
    pub(super) fn apply(self, modes: &mut Modes) {
        match self {
            Mode::MinBase(value) => modes.min_base = value,
            Mode::MinDenominator(value) => modes.min_denominator = value,
            Mode::Figures(count) => modes.array_significant_figures = count,
            Mode::SoftDevice(on) => modes.soft_device = on,
            Mode::Inplace(mode) => modes.inplace = mode,
        }
    }
}

fn modes() -> Modes {
    settings().settings.modes
}

/// Sets what [`stable_pow`](crate::functional::stable_pow) adds to bases, until [`unset_min_base`].
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] for what is not above 0.
pub fn set_min_base(value: f64) -> Result<()> {
    push(Setting::Mode(Mode::MinBase(SmallNumber::new("set_min_base", value)?)));
    Ok(())
}

/// Goes back to the number before the last [`set_min_base`].
pub fn unset_min_base() {
    pop(|s| matches!(s, Setting::Mode(Mode::MinBase(_))));
}

/// What [`stable_pow`](crate::functional::stable_pow) adds to bases.
pub fn min_base() -> f64 {
    modes().min_base.get()
}

/// Sets what [`stable_divide`](crate::functional::stable_divide) adds to denominators, until [`unset_min_denominator`].
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] for what is not above 0.
pub fn set_min_denominator(value: f64) -> Result<()> {
    push(Setting::Mode(Mode::MinDenominator(SmallNumber::new("set_min_denominator", value)?)));
    Ok(())
}

/// Goes back to the number before the last [`set_min_denominator`].
pub fn unset_min_denominator() {
    pop(|s| matches!(s, Setting::Mode(Mode::MinDenominator(_))));
}

/// What [`stable_divide`](crate::functional::stable_divide) adds to denominators.
pub fn min_denominator() -> f64 {
    modes().min_denominator.get()
}

/// Sets the most digits after the point that arrays are printed with, until [`unset_array_significant_figures`].
pub fn set_array_significant_figures(figures: usize) {
    push(Setting::Mode(Mode::Figures(figures)));
}

/// Goes back to the digits before the last [`set_array_significant_figures`].
pub fn unset_array_significant_figures() {
    pop(|s| matches!(s, Setting::Mode(Mode::Figures(_))));
}

/// The most digits after the point that arrays are printed with.
pub fn array_significant_figures() -> usize {
    modes().array_significant_figures
}

/// Sets whether arrays of other backends and devices are moved to where a function is computed, which is else an
/// error, until [`unset_soft_device_mode`]. That is the backend of the first array.
pub fn set_soft_device_mode(on: bool) {
    push(Setting::Mode(Mode::SoftDevice(on)));
}

/// Goes back to the mode before the last [`set_soft_device_mode`].
pub fn unset_soft_device_mode() {
    pop(|s| matches!(s, Setting::Mode(Mode::SoftDevice(_))));
}

/// Whether arrays of other backends and devices are moved to where a function is computed.
pub fn soft_device_mode() -> bool {
    modes().soft_device
}

/// Sets how writes in place are taken, until [`unset_inplace_mode`].
pub fn set_inplace_mode(mode: InplaceMode) {
    push(Setting::Mode(Mode::Inplace(mode)));
}

/// Goes back to the mode before the last [`set_inplace_mode`].
pub fn unset_inplace_mode() {
    pop(|s| matches!(s, Setting::Mode(Mode::Inplace(_))));
}

/// How writes in place are taken.
pub fn inplace_mode() -> InplaceMode {
    modes().inplace
}

/// Refuses a write in place that the mode does not allow on an array's backend.
pub(crate) fn check_inplace(function: &'static str, target: &crate::Array) -> Result<()> {
    if modes().inplace == InplaceMode::Lenient || !target.backend().is_lazy() {
        return Ok(());
    }
    let value = format!("an array of {}, which records its work", target.backend().name());
    let rule = "in the strict in-place mode its backend writes memory";
    Err(ErrorKind::InvalidArgument { function, argument: "the target", value, rule }.into())
}
