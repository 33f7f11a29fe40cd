//! Optimisers by PyTorch's names of their classes, settings and states, as bindings have them.

use super::{ASGD, Adadelta, Adagrad, Adam, AdamW, Adamax, NAdam, RAdam, RMSprop, Rprop, Rule, SGD, stepped};
use ivy_core::{Array, ErrorKind, Result};
use ivy_nn::optim::{
    AdadeltaState, AdagradState, AdamState, AdamaxState, AsgdState, NAdamState, RmsPropState, RpropState,
};
use std::fmt;

/// A setting of an optimiser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Setting {
    /// A number.
    Number(f64),
    /// A truth value.
    Bool(bool),
    /// Two numbers: `betas`.
    Pair(f64, f64),
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Number(x) => write!(f, "{x}"),
            Setting::Bool(b) => write!(f, "{b}"),
            Setting::Pair(a, b) => write!(f, "({a}, {b})"),
        }
    }
}

/// What is kept of a parameter, under a name.
#[derive(Clone, Debug)]
pub enum StateEntry {
    /// An array of the parameter's shape.
    Array(Array),
    /// A number; the number of steps is one.
    Number(f64),
}

/// The settings by their names; what is not there has its default.
pub type SettingReader<'a> = &'a dyn Fn(&str) -> Option<Setting>;

/// The entries of a parameter's state by their names; none before the first step.
pub type StateReader<'a> = &'a dyn Fn(&str) -> Option<StateEntry>;

/// The entries of a state after a step.
pub type StateEntries = Vec<(&'static str, StateEntry)>;

/// A step of a parameter by the optimiser of a name: its next elements, and its next state with PyTorch's names
/// (`step`, `exp_avg`, `momentum_buffer` and others). The arrays are those of no graph.
///
/// ```
/// use ivy_backend_ndarray as _;
/// use ivy_core::Array;
/// use ivy_frontend_torch::optim::{Setting, update};
/// let (p, g) = (Array::try_from([1.0f32])?, Array::try_from([4.0f32])?);
/// let settings = |name: &str| (name == "lr").then_some(Setting::Number(0.1));
/// let (next, state) = update("Adam", &settings, &p, &g, &|_| None)?;
/// assert!((next.to_vec::<f32>()?[0] - 0.9).abs() < 1e-6);
/// assert_eq!(state.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["step", "exp_avg", "exp_avg_sq"]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] for another name, for a setting of another kind and for a state of which a part lacks; those of
/// arithmetic.
pub fn update(
    class: &str,
    settings: SettingReader<'_>,
    parameter: &Array,
    gradient: &Array,
    state: StateReader<'_>,
) -> Result<(Array, StateEntries)> {
    macro_rules! one_of {
        ($($rule:ident)*) => {
            match class {
                $(stringify!($rule) => of::<$rule>(settings, parameter, gradient, state),)*
                other => Err(unknown(other)),
            }
        };
    }
    one_of!(SGD Adam AdamW RMSprop Adagrad Adadelta Adamax NAdam RAdam Rprop ASGD)
}

/// Settings that need an entry of the state; the momentum of SGD begins when it is set.
const NEEDED: [(&str, &str); 3] =
    [("amsgrad", "max_exp_avg_sq"), ("centered", "grad_avg"), ("momentum", "momentum_buffer")];

fn of<R: Named>(
    settings: SettingReader<'_>,
    parameter: &Array,
    gradient: &Array,
    state: StateReader<'_>,
) -> Result<(Array, StateEntries)> {
    let rule = R::with(settings)?;
    let before = R::state(state);
    if before.is_none() && state("step").is_some() {
        let rule = "the state of a parameter that was stepped has all entries of its optimiser";
        return Err(refused("state", "a part of one".into(), rule));
    }
    let is_set = |name: &str| settings(name).and_then(bool::read).unwrap_or(false);
    let lacks = |(setting, entry): &&(&str, &str)| is_set(setting) && state(entry).is_none();
    if let Some((setting, entry)) = NEEDED.iter().find(lacks).filter(|_| R::COUNTS && before.is_some()) {
        let rule = "what is kept for a setting is kept from the first step on";
        return Err(refused("state", format!("a state without {entry} for {setting}"), rule));
    }
    let steps = u64::get(state, "step").unwrap_or(0);
    let (next, after) = stepped(&rule, parameter, gradient, before.as_ref())?;
    let mut entries = StateEntries::new();
    if R::COUNTS {
        (steps + 1).put("step", &mut entries);
    }
    rule.entries(after, steps + 1, &mut entries);
    Ok((next, entries))
}

#[cold]
fn refused(argument: &'static str, value: String, rule: &'static str) -> ivy_core::Error {
    ErrorKind::InvalidArgument { function: "torch.optim", argument, value, rule }.into()
}

#[cold]
fn unknown(class: &str) -> ivy_core::Error {
    let rule =
        "SGD, Adam, AdamW, RMSprop, Adagrad, Adadelta, Adamax, NAdam, RAdam, Rprop and ASGD have rules here";
    refused("class", class.to_owned(), rule)
}

/// A type of settings.
trait FromSetting: Sized {
    /// What is told of a setting of another one.
    const WANTED: &str;
    fn read(setting: Setting) -> Option<Self>;
}

impl FromSetting for f64 {
    const WANTED: &str = "a number is needed";

    fn read(setting: Setting) -> Option<f64> {
        match setting {
            Setting::Number(x) => Some(x),
            Setting::Bool(b) => Some(f64::from(u8::from(b))),
            Setting::Pair(..) => None,
        }
    }
}

impl FromSetting for bool {
    const WANTED: &str = "a truth value is needed";

    fn read(setting: Setting) -> Option<bool> {
        match setting {
            Setting::Bool(b) => Some(b),
            Setting::Number(x) => Some(x != 0.0),
            Setting::Pair(..) => None,
        }
    }
}

impl FromSetting for (f64, f64) {
    const WANTED: &str = "two numbers are needed";

    fn read(setting: Setting) -> Option<(f64, f64)> {
        match setting {
            Setting::Pair(a, b) => Some((a, b)),
            _ => None,
        }
    }
}

fn read<T: FromSetting>(name: &'static str, setting: Setting) -> Result<T> {
    T::read(setting).ok_or_else(|| refused(name, setting.to_string(), T::WANTED))
}

/// A type of what states have.
trait Field: Sized {
    /// The entry of a name; `None` where a state is not there without it.
    fn get(state: StateReader<'_>, name: &str) -> Option<Self>;
    /// Adds an entry.
    fn put(self, name: &'static str, entries: &mut StateEntries);
}

impl Field for Array {
    fn get(state: StateReader<'_>, name: &str) -> Option<Array> {
        match state(name)? {
            StateEntry::Array(array) => Some(array),
            StateEntry::Number(_) => None,
        }
    }

    fn put(self, name: &'static str, entries: &mut StateEntries) {
        entries.push((name, StateEntry::Array(self)));
    }
}

impl Field for f64 {
    fn get(state: StateReader<'_>, name: &str) -> Option<f64> {
        match state(name)? {
            StateEntry::Number(x) => Some(x),
            StateEntry::Array(_) => None,
        }
    }

    fn put(self, name: &'static str, entries: &mut StateEntries) {
        entries.push((name, StateEntry::Number(self)));
    }
}

impl Field for u64 {
    fn get(state: StateReader<'_>, name: &str) -> Option<u64> {
        f64::get(state, name).map(|x| x as u64)
    }

    fn put(self, name: &'static str, entries: &mut StateEntries) {
        (self as f64).put(name, entries);
    }
}

/// What a state may have or not.
impl<T: Field> Field for Option<T> {
    fn get(state: StateReader<'_>, name: &str) -> Option<Option<T>> {
        Some(T::get(state, name))
    }

    fn put(self, name: &'static str, entries: &mut StateEntries) {
        if let Some(field) = self {
            field.put(name, entries);
        }
    }
}

/// A rule with PyTorch's names.
trait Named: Rule {
    /// Whether its state says how many steps were taken.
    const COUNTS: bool = true;
    /// The rule with these settings.
    fn with(settings: SettingReader<'_>) -> Result<Self>;
    /// The state of a parameter that has been stepped before.
    fn state(state: StateReader<'_>) -> Option<Self::State>;
    /// Adds what is kept after so many steps.
    fn entries(&self, state: Self::State, steps: u64, entries: &mut StateEntries);
}

/// The settings of a rule, by the names of its fields.
macro_rules! with_settings {
    ($($setting:ident)*) => {
        fn with(settings: SettingReader<'_>) -> Result<Self> {
            let mut rule = Self::default();
            $(if let Some(value) = settings(stringify!($setting)) {
rule.$setting = read(stringify!($setting), value)?;
            })*
            Ok(rule)
        }
    };
}

/// Rules whose states are structs: a name for each field but the number of steps, which all have that have it.
macro_rules! named {
    ($($rule:ident($($setting:ident)*) $state:ident { $($field:ident $name:literal)* $(; $steps:ident)? };)*) => {$(
        impl Named for $rule {
            with_settings!($($setting)*);

            fn state(state: StateReader<'_>) -> Option<$state<Array>> {
                Some($state { $($field: Field::get(state, $name)?,)* $($steps: Field::get(state, "step")?)? })
            }

            fn entries(&self, state: $state<Array>, _: u64, entries: &mut StateEntries) {
                $(state.$field.put($name, entries);)*
            }
        }
    )*};
}
named! {
    Adam(lr betas eps weight_decay amsgrad maximize)
        AdamState { mean "exp_avg" square "exp_avg_sq" max_square "max_exp_avg_sq"; steps };
    AdamW(lr betas eps weight_decay amsgrad maximize)
        AdamState { mean "exp_avg" square "exp_avg_sq" max_square "max_exp_avg_sq"; steps };
    RAdam(lr betas eps weight_decay decoupled_weight_decay maximize)
        AdamState { mean "exp_avg" square "exp_avg_sq" max_square "max_exp_avg_sq"; steps };
    Adamax(lr betas eps weight_decay maximize) AdamaxState { mean "exp_avg" norm "exp_inf"; steps };
    NAdam(lr betas eps weight_decay momentum_decay decoupled_weight_decay maximize)
        NAdamState { mean "exp_avg" square "exp_avg_sq" product "mu_product"; steps };
    RMSprop(lr alpha eps weight_decay momentum centered maximize)
        RmsPropState { square "square_avg" mean "grad_avg" velocity "momentum_buffer" };
    Adagrad(lr lr_decay weight_decay initial_accumulator_value eps maximize) AdagradState { sum "sum"; steps };
    Adadelta(lr rho eps weight_decay maximize) AdadeltaState { square "square_avg" step "acc_delta" };
    Rprop(lr etas step_sizes maximize) RpropState { gradient "prev" size "step_size" };
}

impl Named for SGD {
    const COUNTS: bool = false;
    with_settings!(lr momentum dampening weight_decay nesterov maximize);

    fn state(state: StateReader<'_>) -> Option<Option<Array>> {
        Field::get(state, "momentum_buffer")
    }

    fn entries(&self, velocity: Option<Array>, _: u64, entries: &mut StateEntries) {
        velocity.put("momentum_buffer", entries);
    }
}

impl Named for ASGD {
    with_settings!(lr lambd alpha t0 weight_decay maximize);

    fn state(state: StateReader<'_>) -> Option<AsgdState<Array>> {
        let (average, rate) = (Field::get(state, "ax")?, Field::get(state, "eta")?);
        Some(AsgdState { average, rate, steps: Field::get(state, "step")? })
    }

    fn entries(&self, state: AsgdState<Array>, steps: u64, entries: &mut StateEntries) {
        state.rate.put("eta", entries);
        // The weight of the next step's elements in the average.
        (1.0 / (steps as f64 - self.t0).max(1.0)).put("mu", entries);
        state.average.put("ax", entries);
    }
}
