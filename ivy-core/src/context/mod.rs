//! The context: which backend, promotion rules, defaults and modes are in force.
//!
//! A [`Context`] is a value. Each thread has a stack of frames; a frame is entered with
//! [`with`] or a [`Scope`] guard, and Ivy's `set_*` and `unset_*` act on the current frame.
//! The bottom frame of a thread starts as the process default ([`set_process_default`]).

mod casting;
mod defaults;
mod frame;
mod generator;
mod guards;
mod layer;
mod modes;
mod other_modes;

pub use casting::*;
pub use defaults::Defaults;
pub use frame::{Prepared, Scope, call_scope, current, scope, set_process_default, with};
pub(crate) use frame::{current_backend_id, current_backend_or_default, enter_internal, settings};
pub use generator::SharedGenerator;
pub(crate) use generator::{generator, set_generator};
pub use guards::*;
pub use layer::{Layer, LayerScope, enter_layer};
pub use modes::*;
pub(crate) use other_modes::check_inplace;
pub use other_modes::{
    InplaceMode, Modes, SmallNumber, array_significant_figures, inplace_mode, min_base, min_denominator,
    set_array_significant_figures, set_inplace_mode, set_min_base, set_min_denominator, set_soft_device_mode,
    soft_device_mode, unset_array_significant_figures, unset_inplace_mode, unset_min_base,
    unset_min_denominator, unset_soft_device_mode,
};

use crate::backend::BackendRef;
use crate::{Result, Rules};
use once_cell::sync::{Lazy, OnceCell};
use std::{
    collections::HashMap,
    sync::{PoisonError, RwLock},
};

/// Everything that a call depends on besides its arguments and backend.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// The promotion rules.
    pub rules: Rules,
    /// The default dtypes.
    pub defaults: Defaults,
    /// Whether a backend may emulate what it lacks, or run it on the host (decision S27).
    pub emulation: bool,
    /// Whether a backend's own form of a function may replace the composition.
    pub overrides: bool,
    /// The casts that may be put in where a dtype is not supported.
    pub casting: CastModes,
    /// Whether casts that nobody wrote are errors.
    pub strict_casts: bool,
    /// The most bytes that one result may have.
    pub memory_limit: u64,
    /// Ivy's other modes.
    pub modes: Modes,
}

impl Settings {
    /// Puts promotion rules in force, with their default dtypes where none is set.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        self.defaults.rules = rules;
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            rules: Rules::Precise,
            defaults: Defaults::default(),
            emulation: true,
            overrides: true,
            casting: CastModes::NONE,
            strict_casts: false,
            memory_limit: isize::MAX as u64,
            modes: Modes::default(),
        }
    }
}

/// A value that can be put in force: settings, and a backend if one is named.
///
/// ```
/// use ivy_core::{Context, Dtype, Rules, context};
/// let non_precise = Context::new().rules(Rules::NonPrecise);
/// let common = context::with(&non_precise, || context::promote_types(Dtype::FLOAT32, Dtype::INT32));
/// assert_eq!(common?, Dtype::FLOAT32);
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The backend that creation functions use; the preferred one if none is named.
    pub backend: Option<BackendRef>,
    /// The settings.
    pub settings: Settings,
    /// The generator of random numbers; if none is named, that of the context around it, and of none that of the
    /// process. Wherever the context is entered, on any thread, draws are of the one generator.
    pub generator: Option<SharedGenerator>,
}

impl Context {
    /// The defaults: precise rules, float32 and int32, no backend named.
    #[must_use]
    pub fn new() -> Context {
        Context::default()
    }

    /// With a backend.
    #[must_use]
    pub fn backend(mut self, backend: impl Into<BackendRef>) -> Context {
        self.backend = Some(backend.into());
        self
    }

    /// With a generator of random numbers.
    #[must_use]
    pub fn generator(mut self, generator: crate::functional::Generator) -> Context {
        self.generator = Some(generator.into());
        self
    }

    /// With promotion rules.
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Context {
        self.settings.set_rules(rules);
        self
    }

    /// With default dtypes.
    #[must_use]
    pub fn defaults(mut self, defaults: Defaults) -> Context {
        self.settings.defaults = Defaults { rules: self.settings.rules, ..defaults };
        self
    }

    /// With emulation on or off.
    #[must_use]
    pub fn emulation(mut self, on: bool) -> Context {
        self.settings.emulation = on;
        self
    }

    /// With backends' own forms of functions, or with compositions only.
    #[must_use]
    pub fn overrides(mut self, on: bool) -> Context {
        self.settings.overrides = on;
        self
    }

    /// With casting modes, and no others.
    #[must_use]
    pub fn casting(mut self, modes: impl Into<CastModes>) -> Context {
        self.settings.casting = modes.into();
        self
    }

    /// With implicit casts as errors, or allowed.
    #[must_use]
    pub fn strict_casts(mut self, on: bool) -> Context {
        self.settings.strict_casts = on;
        self
    }

    /// With Ivy's other modes.
    #[must_use]
    pub fn modes(mut self, modes: Modes) -> Context {
        self.settings.modes = modes;
        self
    }

    /// With a limit on the bytes of one result.
    #[must_use]
    pub fn memory_limit(mut self, bytes: u64) -> Context {
        self.settings.memory_limit = bytes;
        self
    }
}

impl From<&BackendRef> for BackendRef {
    fn from(backend: &BackendRef) -> BackendRef {
        backend.clone()
    }
}

/// Settings with a small number: the same settings, the same number.
pub(crate) struct Interned {
    pub(crate) id: u32,
    pub(crate) settings: Settings,
    /// Those in which compositions run under these.
    internal: OnceCell<&'static Interned>,
    /// Those that come of putting layers over these, by the layers' slots.
    layered: [OnceCell<&'static Interned>; layer::LAYERS],
}

/// The number of some settings. Distinct settings are few, so they are kept for good.
pub(crate) fn intern(settings: &Settings) -> &'static Interned {
    static KNOWN: Lazy<RwLock<HashMap<Settings, &'static Interned>>> = Lazy::new(Default::default);
    if settings.defaults.rules != settings.rules {
        let mut settings = settings.clone();
        settings.defaults.rules = settings.rules;
        return intern(&settings);
    }
    if let Some(found) = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(settings) {
        return found;
    }
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    let id = known.len() as u32;
    known.entry(settings.clone()).or_insert_with(|| {
        Box::leak(Box::new(Interned {
            id,
            settings: settings.clone(),
            internal: OnceCell::new(),
            layered: [const { OnceCell::new() }; layer::LAYERS],
        }))
    })
}

/// The dtype that two dtypes promote to under the rules in force.
///
/// # Errors
/// [`crate::ErrorKind::NoPromotion`] where the rules have no entry.
pub fn promote_types(a: crate::Dtype, b: crate::Dtype) -> Result<crate::Dtype> {
    crate::promotion::promote(settings().settings.rules, a, b)
}
