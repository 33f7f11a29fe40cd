//! `torch.optim`: optimisers, by the pure ones of [`ivy_nn::optim`], written in place into a module's parameters.
//!
//! An optimiser's settings are a struct, with PyTorch's names and defaults; [`Optimizer`] has them, for all parameters or a group of
//! them, and a state for each parameter.

mod cyclic;
pub mod lr_scheduler;
mod named;
mod rules;

pub use named::{Setting, SettingReader, StateEntries, StateEntry, StateReader, update};
pub use rules::{ASGD, Adadelta, Adagrad, Adam, AdamW, Adamax, NAdam, RAdam, RMSprop, Rprop, SGD};

use crate::autograd;
use crate::nn::{Module, PartMut};
use ivy_core::functional::{add, multiply, negative};
use ivy_core::{Array, Result};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// The settings of an optimiser: from a parameter, its gradient and its state to the next ones.
pub trait Rule: Clone + fmt::Debug {
    /// What is kept of each parameter.
    type State: fmt::Debug;

    /// The learning rate.
    fn lr(&self) -> f64;

    /// Another learning rate.
    fn set_lr(&mut self, lr: f64);

    /// Momentum, or the decay of the first moment; `None` where there is none.
    fn momentum(&self) -> Option<f64> {
        None
    }

    /// Another momentum, where there is one.
    fn set_momentum(&mut self, momentum: f64) {
        let _ = momentum;
    }

    /// Whether steps go up.
    fn maximize(&self) -> bool;

    /// The decay that is added to the gradient; decoupled decay is the rule's own.
    fn weight_decay(&self) -> f64;

    /// The next elements and state; the first step has no state.
    ///
    /// # Errors
    /// Those of arithmetic.
    fn update(
        &self,
        parameter: &Array,
        gradient: &Array,
        state: Option<&Self::State>,
    ) -> Result<(Array, Self::State)>;
}

/// A step of a parameter by a rule: up or down, with the decay that is added to gradients.
fn stepped<R: Rule>(
    rule: &R,
    parameter: &Array,
    gradient: &Array,
    state: Option<&R::State>,
) -> Result<(Array, R::State)> {
    let mut gradient = Cow::Borrowed(gradient);
    if rule.maximize() {
        gradient = Cow::Owned(negative(&*gradient)?);
    }
    if rule.weight_decay() != 0.0 {
        gradient = Cow::Owned(add(&*gradient, multiply(parameter, rule.weight_decay())?)?);
    }
    rule.update(parameter, &gradient, state)
}

/// Which parameters a group has, by their names.
type Members = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// An optimiser of a module's parameters.
///
/// ```
/// use ivy_backend_ndarray as _;
/// use ivy_frontend_torch::nn::{Forward, Linear, MSELoss, Module};
/// use ivy_frontend_torch::optim::{Optimizer, SGD};
/// use ivy_frontend_torch::{Tensor, autograd, manual_seed};
/// manual_seed(0, ())?;
/// let (x, y) = (Tensor::new([[0.0], [1.0], [2.0]])?, Tensor::new([[1.0], [3.0], [5.0]])?);
/// let mut model = Linear::new(1, 1, ())?;
/// let mut optimizer = Optimizer::new(SGD { lr: 0.1, momentum: 0.5, ..SGD::default() });
/// let loss = MSELoss::new(())?;
/// for _ in 0..200 {
///     model.zero_grad()?;
///     let loss = loss.forward(&model.forward(&x)?, &y)?;
///     autograd::functions::backward(loss, ())?;
///     optimizer.step(&mut model)?;
/// }
/// assert!((model.weight.to_vec::<f32>()?[0] - 2.0).abs() < 1e-3);
/// # Ok::<(), ivy_core::Error>(())
/// ```
pub struct Optimizer<R: Rule> {
    settings: R,
    groups: Vec<(Members, R)>,
    states: BTreeMap<String, R::State>,
}

impl<R: Rule> Optimizer<R> {
    /// An optimiser with settings for all parameters.
    pub const fn new(settings: R) -> Optimizer<R> {
        Optimizer { settings, groups: Vec::new(), states: BTreeMap::new() }
    }

    /// Other settings for the parameters whose names a function chooses. A parameter is in the first group that has it.
    ///
    /// ```
    /// use ivy_frontend_torch::optim::{AdamW, Optimizer};
    /// let plain = AdamW { weight_decay: 0.0, ..AdamW::default() };
    /// let optimizer = Optimizer::new(AdamW::default()).group(|name| name.ends_with("bias"), plain);
    /// assert_eq!(optimizer.lrs(), [1e-3, 1e-3]);
    /// ```
    #[must_use]
    pub fn group(
        mut self,
        members: impl Fn(&str) -> bool + Send + Sync + 'static,
        settings: R,
    ) -> Optimizer<R> {
        self.groups.push((Box::new(members), settings));
        self
    }

    /// Changes the parameters by their gradients; one without a gradient stays.
    ///
    /// # Errors
    /// Those of arithmetic. Parameters before the one that failed have been changed, with their states; it and those after it have not.
    pub fn step(&mut self, module: &mut (impl Module + ?Sized)) -> Result<()> {
        let Optimizer { settings, groups, states } = self;
        module.visit_mut("", &mut |name, part| {
            let PartMut::Parameter(parameter) = part else { return Ok(()) };
            let Some(gradient) = autograd::grad_of(parameter.ivy_array()) else { return Ok(()) };
            let rule = groups.iter().find(|(members, _)| members(name)).map_or(&*settings, |(_, rule)| rule);
            let elements = autograd::detached(parameter.ivy_array());
            let gradient = autograd::detached(&gradient);
            let (next, state) = stepped(rule, &elements, &gradient, states.get(name))?;
            parameter.copy_(&next.into())?;
            states.insert(name.to_owned(), state);
            Ok(())
        })
    }

    /// The settings of all groups, of those without a group of their own first.
    pub fn settings(&self) -> impl Iterator<Item = &R> {
        std::iter::once(&self.settings).chain(self.groups.iter().map(|(_, rule)| rule))
    }

    /// The settings of all groups, to be changed.
    pub fn settings_mut(&mut self) -> impl Iterator<Item = &mut R> {
        std::iter::once(&mut self.settings).chain(self.groups.iter_mut().map(|(_, rule)| rule))
    }

    /// The learning rates of all groups.
    pub fn lrs(&self) -> Vec<f64> {
        self.settings().map(Rule::lr).collect()
    }
}

impl<R: Rule> fmt::Debug for Optimizer<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings: Vec<&R> = self.settings().collect();
        f.debug_struct("Optimizer").field("settings", &settings).field("states", &self.states.len()).finish()
    }
}
