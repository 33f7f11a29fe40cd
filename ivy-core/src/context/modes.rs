//! Ivy's setters and unsetters: each pushes on, or pops from, the current frame.

use super::frame::{Scope, current, pop, push, scope};
use super::other_modes::Mode;
use super::{CastModes, Context, settings};
use crate::backend::{BackendRef, DeviceLike, backend, on_device};
use crate::dtype::wrong_kind;
use crate::{Dtype, DtypeLike, Result, Rules};

/// One setting that was pushed.
pub(super) enum Setting {
    Backend(BackendRef),
    Device(BackendRef),
    Rules(Rules),
    Emulation(bool),
    Casting(CastModes),
    StrictCasts(bool),
    MemoryLimit(u64),
    Mode(Mode),
    Dtype(Dtype),
    Int(Dtype),
    Uint(Dtype),
    Float(Dtype),
    Complex(Dtype),
}

impl Setting {
    pub(super) fn apply(&self, context: &mut Context) {
        let settings = &mut context.settings;
        match self {
            Setting::Backend(b) | Setting::Device(b) => context.backend = Some(b.clone()),
            Setting::Rules(r) => settings.set_rules(*r),
            Setting::Emulation(on) => settings.emulation = *on,
            Setting::Casting(modes) => settings.casting = *modes,
            Setting::StrictCasts(on) => settings.strict_casts = *on,
            Setting::MemoryLimit(bytes) => settings.memory_limit = *bytes,
            Setting::Mode(mode) => mode.apply(&mut settings.modes),
            Setting::Dtype(d) => settings.defaults.dtype = Some(*d),
            Setting::Int(d) => settings.defaults.int = Some(*d),
            Setting::Uint(d) => settings.defaults.uint = Some(*d),
            Setting::Float(d) => settings.defaults.float = Some(*d),
            Setting::Complex(d) => settings.defaults.complex = Some(*d),
        }
    }
}

/// Makes a backend the current one (of this thread, in the current frame), by
/// `BACKEND[:PLACE][@VERSION]`. Arrays stay where they are; see [`crate::Array::to_backend`].
///
/// # Errors
/// [`crate::ErrorKind::UnknownBackend`], [`crate::ErrorKind::BackendUnavailable`]; the context
/// is then as before.
pub fn set_backend(name: &str) -> Result<()> {
    push(Setting::Backend(backend(name)?));
    Ok(())
}

/// Goes back to the backend before the last [`set_backend`]. Without one, nothing happens.
pub fn unset_backend() {
    pop(|s| matches!(s, Setting::Backend(_)));
}

/// Runs `f` with a backend as the current one.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::with_backend("ndarray", || ivy::zeros([2], ()))??;
/// assert_eq!(x.backend().name(), "ndarray");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`set_backend`]; `f` is then not called.
pub fn with_backend<T>(name: &str, f: impl FnOnce() -> T) -> Result<T> {
    let context = current().backend(backend(name)?);
    Ok(super::with(&context, f))
}

/// Alias of [`unset_backend`], under Ivy's other name for it.
pub fn previous_backend() {
    unset_backend();
}

/// The backend that creation functions use.
///
/// # Errors
/// [`crate::ErrorKind::UnknownBackend`] if no backend is registered.
pub fn current_backend() -> Result<BackendRef> {
    super::current_backend_or_default()
}

/// Makes the current backend's instance on a device the current one, until [`unset_default_device`]: arrays are
/// created there from now on. Arrays stay where they are.
///
/// # Errors
/// [`crate::ErrorKind::InvalidArgument`] for a name that no device has, [`crate::ErrorKind::BackendUnavailable`] where
/// the backend does not run on it; the context is then as before.
pub fn set_default_device(device: impl DeviceLike) -> Result<()> {
    push(Setting::Device(on_device(&current_backend()?, device.to_device()?)?));
    Ok(())
}

/// Goes back to the device before the last [`set_default_device`]. Without one, nothing happens.
pub fn unset_default_device() {
    pop(|s| matches!(s, Setting::Device(_)));
}

/// A default device until the guard is dropped.
///
/// ```
/// use ivy::context::DefaultDevice;
/// let _device = DefaultDevice::new("cpu")?;
/// assert_eq!(ivy::default_device((), ())?, ivy::Device::CPU);
/// # Ok::<(), ivy::Error>(())
/// ```
#[must_use = "the device is the default until the guard is dropped"]
pub struct DefaultDevice {
    _scope: Scope,
}

impl DefaultDevice {
    /// Puts the device in force.
    ///
    /// # Errors
    /// As [`set_default_device`].
    pub fn new(device: impl DeviceLike) -> Result<DefaultDevice> {
        let backend = on_device(&current_backend()?, device.to_device()?)?;
        Ok(DefaultDevice { _scope: scope(&current().backend(backend)) })
    }
}

/// Sets precise (true) or non-precise (false) promotion, until [`unset_precise_mode`].
pub fn set_precise_mode(precise: bool) {
    push(Setting::Rules(if precise { Rules::Precise } else { Rules::NonPrecise }));
}

/// Goes back to the rules before the last [`set_precise_mode`] or [`set_rules`].
pub fn unset_precise_mode() {
    pop(|s| matches!(s, Setting::Rules(_)));
}

/// True if the rules in force are the precise ones.
pub fn precise_mode() -> bool {
    settings().settings.rules == Rules::Precise
}

/// Sets the promotion rules, until [`unset_rules`].
pub fn set_rules(rules: Rules) {
    push(Setting::Rules(rules));
}

/// Goes back to the rules before the last [`set_rules`] or [`set_precise_mode`].
pub fn unset_rules() {
    unset_precise_mode();
}

/// The promotion rules in force.
pub fn rules() -> Rules {
    settings().settings.rules
}

/// Precise mode until the guard is dropped (spec I-29).
///
/// ```
/// use ivy_core::{Dtype, context::{PreciseMode, promote_types}};
/// {
///     let _mode = PreciseMode::new(false);
///     assert_eq!(promote_types(Dtype::FLOAT32, Dtype::INT32)?, Dtype::FLOAT32);
/// }
/// assert_eq!(promote_types(Dtype::FLOAT32, Dtype::INT32)?, Dtype::FLOAT64);
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[must_use = "the mode is in force until the guard is dropped"]
pub struct PreciseMode {
    _scope: Scope,
}

impl PreciseMode {
    /// Puts the mode in force.
    pub fn new(precise: bool) -> PreciseMode {
        let rules = if precise { Rules::Precise } else { Rules::NonPrecise };
        PreciseMode { _scope: scope(&current().rules(rules)) }
    }
}

/// Allows or forbids exact emulation and host fall-backs (decision S27), until [`unset_emulation`].
pub fn set_emulation(on: bool) {
    push(Setting::Emulation(on));
}

/// Goes back to the setting before the last [`set_emulation`].
pub fn unset_emulation() {
    pop(|s| matches!(s, Setting::Emulation(_)));
}

/// Whether emulation is allowed.
pub fn emulation() -> bool {
    settings().settings.emulation
}

/// Limits the bytes of one result, until [`unset_memory_limit`]. A call whose result would be
/// larger is refused before anything is allocated.
pub fn set_memory_limit(bytes: u64) {
    push(Setting::MemoryLimit(bytes));
}

/// Goes back to the limit before the last [`set_memory_limit`].
pub fn unset_memory_limit() {
    pop(|s| matches!(s, Setting::MemoryLimit(_)));
}

/// The limit on the bytes of one result.
pub fn memory_limit() -> u64 {
    settings().settings.memory_limit
}

macro_rules! default_dtype_modes {
    ($($set:ident $unset:ident $variant:ident $is:ident $kind:literal $what:literal;)*) => {
        $(
            #[doc = concat!("Sets the default ", $what, " dtype, until [`", stringify!($unset), "`].")]
            ///
            /// # Errors
            /// [`crate::ErrorKind::UnknownDtype`], or [`crate::ErrorKind::WrongDtypeKind`] for another kind.
            pub fn $set(dtype: impl DtypeLike) -> Result<()> {
                let dtype = dtype.to_dtype()?;
                if !dtype.$is() {
                    return Err(wrong_kind(stringify!($set), dtype, $kind));
                }
                push(Setting::$variant(dtype));
                Ok(())
            }

            #[doc = concat!("Goes back to the default before the last [`", stringify!($set), "`]; nothing if there is none.")]
            pub fn $unset() {
                pop(|s| matches!(s, Setting::$variant(_)));
            }
        )*
    };
}
default_dtype_modes! {
    set_default_int_dtype unset_default_int_dtype Int is_int "integer" "integer";
    set_default_uint_dtype unset_default_uint_dtype Uint is_uint "unsigned" "unsigned";
    set_default_float_dtype unset_default_float_dtype Float is_float "float" "float";
    set_default_complex_dtype unset_default_complex_dtype Complex is_complex "complex" "complex";
}

/// Sets the general default dtype, which is also the default of its kind where that kind has
/// none of its own, until [`unset_default_dtype`].
///
/// # Errors
/// [`crate::ErrorKind::UnknownDtype`].
pub fn set_default_dtype(dtype: impl DtypeLike) -> Result<()> {
    push(Setting::Dtype(dtype.to_dtype()?));
    Ok(())
}

/// Goes back to the default before the last [`set_default_dtype`]; nothing if there is none.
pub fn unset_default_dtype() {
    pop(|s| matches!(s, Setting::Dtype(_)));
}
