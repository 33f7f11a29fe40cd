//! `torch.optim.lr_scheduler`: learning rates by the number of the step.

pub use super::cyclic::{CosineAnnealingWarmRestarts, Cyclic, CyclicLR, CyclicMode};
use super::{Optimizer, Rule};
use crate::nn::refuse;
use ivy_core::Result;
use ivy_frontend::Fault;
use std::f64::consts::PI;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// What the learning rate of a group is at a step: of the step's number and the first learning rate.
type Rate = Box<dyn Fn(u64, f64) -> f64 + Send + Sync>;

/// Momentum at a step; `None` where it stays.
type Momentum = Box<dyn Fn(u64) -> Option<f64> + Send + Sync>;

/// A schedule of learning rates: set when it is made, and at each [`step`](LRScheduler::step).
///
/// ```
/// use ivy_frontend_torch::optim::{Optimizer, SGD, lr_scheduler};
/// let mut optimizer = Optimizer::new(SGD { lr: 0.1, ..SGD::default() });
/// let mut scheduler = lr_scheduler::StepLR(&mut optimizer, 2, 0.5);
/// scheduler.step(&mut optimizer)?;
/// scheduler.step(&mut optimizer)?;
/// assert_eq!(optimizer.lrs(), [0.05]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
pub struct LRScheduler {
    first: Vec<f64>,
    rate: Rate,
    /// Momentum at a step, where it goes along.
    momentum: Option<Momentum>,
    last_epoch: u64,
    total_steps: Option<u64>,
}

impl fmt::Debug for LRScheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LRScheduler")
            .field("first", &self.first)
            .field("last_epoch", &self.last_epoch)
            .finish_non_exhaustive()
    }
}

impl LRScheduler {
    pub(super) fn new<R: Rule>(
        optimizer: &mut Optimizer<R>,
        rate: impl Fn(u64, f64) -> f64 + Send + Sync + 'static,
    ) -> LRScheduler {
        let first = optimizer.lrs();
        let scheduler =
            LRScheduler { first, rate: Box::new(rate), momentum: None, last_epoch: 0, total_steps: None };
        scheduler.set(optimizer);
        scheduler
    }

    fn set<R: Rule>(&self, optimizer: &mut Optimizer<R>) {
        for (rule, &first) in optimizer.settings_mut().zip(&self.first) {
            rule.set_lr((self.rate)(self.last_epoch, first));
            if let Some(momentum) = self.momentum.as_ref().and_then(|momentum| momentum(self.last_epoch)) {
                rule.set_momentum(momentum);
            }
        }
    }

    /// With momentum that goes along.
    pub(super) fn with_momentum<R: Rule>(
        mut self,
        optimizer: &mut Optimizer<R>,
        momentum: impl Fn(u64) -> Option<f64> + Send + Sync + 'static,
    ) -> LRScheduler {
        self.momentum = Some(Box::new(momentum));
        self.set(optimizer);
        self
    }

    /// One step further.
    ///
    /// # Errors
    /// [`FrontendCall`](ivy_core::ErrorKind::FrontendCall) beyond the last step of [`OneCycleLR`].
    pub fn step<R: Rule>(&mut self, optimizer: &mut Optimizer<R>) -> Result<()> {
        let next = self.last_epoch.saturating_add(1);
        if let Some(total) = self.total_steps.filter(|&total| next >= total) {
            let rule = format!("the number of total steps is {total}");
            return Err(refuse(
                "optim.lr_scheduler.step",
                "step",
                (next + 1).to_string(),
                rule,
                Fault::Value,
            ));
        }
        self.last_epoch = next;
        self.set(optimizer);
        Ok(())
    }
}

/// The first learning rate times a function of the step's number.
#[allow(non_snake_case)]
pub fn LambdaLR<R: Rule>(
    optimizer: &mut Optimizer<R>,
    lr_lambda: impl Fn(u64) -> f64 + Send + Sync + 'static,
) -> LRScheduler {
    LRScheduler::new(optimizer, move |step, lr| lr * lr_lambda(step))
}

/// Staircase decay: times `gamma` after each `step_size` steps.
#[allow(non_snake_case)]
pub fn StepLR<R: Rule>(optimizer: &mut Optimizer<R>, step_size: u64, gamma: f64) -> LRScheduler {
    LRScheduler::new(optimizer, move |step, lr| lr * power(gamma, step / step_size.max(1)))
}

/// Times `gamma` at each of the milestones.
#[allow(non_snake_case)]
pub fn MultiStepLR<R: Rule>(optimizer: &mut Optimizer<R>, milestones: &[u64], gamma: f64) -> LRScheduler {
    let milestones = milestones.to_vec();
    LRScheduler::new(optimizer, move |step, lr| {
        lr * power(gamma, milestones.iter().filter(|&&milestone| milestone <= step).count() as u64)
    })
}

/// Exponential decay: times `gamma` at each step.
#[allow(non_snake_case)]
pub fn ExponentialLR<R: Rule>(optimizer: &mut Optimizer<R>, gamma: f64) -> LRScheduler {
    LRScheduler::new(optimizer, move |step, lr| lr * power(gamma, step))
}

/// Cosine annealing to `eta_min` over `t_max` steps (I. Loshchilov and F. Hutter, "SGDR", 2017).
#[allow(non_snake_case)]
pub fn CosineAnnealingLR<R: Rule>(optimizer: &mut Optimizer<R>, t_max: u64, eta_min: f64) -> LRScheduler {
    LRScheduler::new(optimizer, move |step, lr| {
        eta_min + (lr - eta_min) * (1.0 + (PI * step as f64 / t_max.max(1) as f64).cos()) / 2.0
    })
}

/// A factor that goes from `start_factor` to `end_factor` over `total_iters` steps.
#[allow(non_snake_case)]
pub fn LinearLR<R: Rule>(
    optimizer: &mut Optimizer<R>,
    start_factor: f64,
    end_factor: f64,
    total_iters: u64,
) -> LRScheduler {
    LRScheduler::new(optimizer, move |step, lr| {
        let share = step.min(total_iters) as f64 / total_iters.max(1) as f64;
        lr * (start_factor + (end_factor - start_factor) * share)
    })
}

/// Times `factor` for the first `total_iters` steps.
#[allow(non_snake_case)]
pub fn ConstantLR<R: Rule>(optimizer: &mut Optimizer<R>, factor: f64, total_iters: u64) -> LRScheduler {
    LRScheduler::new(optimizer, move |step, lr| if step < total_iters { lr * factor } else { lr })
}

/// Polynomial decay to 0 over `total_iters` steps.
#[allow(non_snake_case)]
pub fn PolynomialLR<R: Rule>(optimizer: &mut Optimizer<R>, total_iters: u64, power: f64) -> LRScheduler {
    LRScheduler::new(optimizer, move |step, lr| {
        lr * (1.0 - step.min(total_iters) as f64 / total_iters.max(1) as f64).powf(power)
    })
}

/// Times what a function gives of each step's number, from 1 on.
#[allow(non_snake_case)]
pub fn MultiplicativeLR<R: Rule>(
    optimizer: &mut Optimizer<R>,
    lr_lambda: impl Fn(u64) -> f64 + Send + Sync + 'static,
) -> LRScheduler {
    // The step that was asked for last, and the product up to it.
    let known = Mutex::new((0, 1.0));
    LRScheduler::new(optimizer, move |step, lr| {
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, product) = if known.0 <= step { *known } else { (0, 1.0) };
        *known = (step, (last + 1..=step).fold(product, |product, step| product * lr_lambda(step)));
        lr * known.1
    })
}

/// Several schedules one after the other, each from one of the milestones on. The first one was made first: its learning rates
/// are those of all.
///
/// # Errors
/// [`FrontendCall`](ivy_core::ErrorKind::FrontendCall) for no schedule, and for other than one milestone between two of them.
#[allow(non_snake_case)]
pub fn SequentialLR<R: Rule>(
    optimizer: &mut Optimizer<R>,
    schedulers: Vec<LRScheduler>,
    milestones: &[u64],
) -> Result<LRScheduler> {
    if schedulers.len() != milestones.len() + 1 {
        let rule = "one more schedule than milestones is needed";
        let given = format!("{} schedules and {} milestones", schedulers.len(), milestones.len());
        let name = "optim.lr_scheduler.SequentialLR";
        return Err(refuse(name, "milestones", given, rule, Fault::Value));
    }
    let first = schedulers[0].first.clone();
    let (mut rates, mut momenta) = (Vec::new(), Vec::new());
    for scheduler in schedulers {
        rates.push(scheduler.rate);
        momenta.push(scheduler.momentum);
    }
    let starts = [&[0], milestones].concat();
    let at = move |starts: &[u64], step: u64| {
        let number = starts[1..].iter().filter(|&&start| start <= step).count();
        (number, step - starts[number])
    };
    let own = starts.clone();
    let scheduler = LRScheduler {
        first,
        rate: Box::new(move |step, lr| {
            let (number, step) = at(&own, step);
            rates[number](step, lr)
        }),
        momentum: Some(Box::new(move |step| {
            let (number, step) = at(&starts, step);
            momenta[number].as_ref()?(step)
        })),
        last_epoch: 0,
        total_steps: None,
    };
    scheduler.set(optimizer);
    Ok(scheduler)
}

fn power(base: f64, exponent: u64) -> f64 {
    base.powi(i32::try_from(exponent).unwrap_or(i32::MAX))
}

/// The settings of [`OneCycleLR`]. Defaults: `pct_start=0.3, anneal_strategy="cos", cycle_momentum=True, base_momentum=0.85,
/// max_momentum=0.95, div_factor=25, final_div_factor=1e4, three_phase=False`.
#[derive(Clone, Debug)]
pub struct OneCycle {
    /// The greatest learning rate.
    pub max_lr: f64,
    /// The number of steps.
    pub total_steps: u64,
    /// The share of steps in which the learning rate rises.
    pub pct_start: f64,
    /// Whether it goes along lines instead of cosines.
    pub linear: bool,
    /// Whether momentum goes the other way.
    pub cycle_momentum: bool,
    /// The least momentum.
    pub base_momentum: f64,
    /// The greatest momentum.
    pub max_momentum: f64,
    /// The greatest learning rate over the first one.
    pub div_factor: f64,
    /// The first learning rate over the last one.
    pub final_div_factor: f64,
    /// Whether it falls as it rose, and then to the last one.
    pub three_phase: bool,
}

impl OneCycle {
    /// A cycle up to a learning rate, with the defaults.
    pub const fn new(max_lr: f64, total_steps: u64) -> OneCycle {
        OneCycle {
            max_lr,
            total_steps,
            pct_start: 0.3,
            linear: false,
            cycle_momentum: true,
            base_momentum: 0.85,
            max_momentum: 0.95,
            div_factor: 25.0,
            final_div_factor: 1e4,
            three_phase: false,
        }
    }

    /// The learning rate and the momentum of a step.
    fn at(&self, step: u64) -> (f64, f64) {
        let (max, initial) = (self.max_lr, self.max_lr / self.div_factor);
        let (low, most, least) = (initial / self.final_div_factor, self.max_momentum, self.base_momentum);
        let (rise, end) = (self.pct_start * self.total_steps as f64 - 1.0, self.total_steps as f64 - 1.0);
        let mut phases = vec![(rise, initial, max, most, least)];
        if self.three_phase {
            phases.extend([(2.0 * rise, max, initial, least, most), (end, initial, low, most, most)]);
        } else {
            phases.push((end, max, low, least, most));
        }
        let (step, mut begin) = (step as f64, 0.0);
        let between = |from: f64, to: f64, share: f64| match self.linear {
            true => from + (to - from) * share,
            false => to + (from - to) / 2.0 * (1.0 + (PI * share).cos()),
        };
        let last = phases.len() - 1;
        for (i, (end, from, to, first, second)) in phases.into_iter().enumerate() {
            if step <= end || i == last {
                let share = if end == begin { 1.0 } else { (step - begin) / (end - begin) };
                return (between(from, to, share), between(first, second, share));
            }
            begin = end;
        }
        (low, most)
    }
}

/// Refuses an optimiser without momentum where that is to go along.
pub(super) fn check_momentum<R: Rule>(name: &'static str, optimizer: &Optimizer<R>) -> Result<()> {
    match optimizer.settings().any(|rule| rule.momentum().is_none()) {
        true => {
            let rule = "optimizer must support momentum or beta1 with `cycle_momentum` option enabled";
            Err(refuse(name, "cycle_momentum", "True".into(), rule, Fault::Value))
        }
        false => Ok(()),
    }
}

/// One rise to the greatest learning rate and one fall (L. Smith and N. Topin, "Super-convergence", 2018).
///
/// # Errors
/// [`FrontendCall`](ivy_core::ErrorKind::FrontendCall) where momentum is to go along and the optimiser has none.
#[allow(non_snake_case)]
pub fn OneCycleLR<R: Rule>(optimizer: &mut Optimizer<R>, cycle: OneCycle) -> Result<LRScheduler> {
    if cycle.cycle_momentum {
        check_momentum("optim.lr_scheduler.OneCycleLR", optimizer)?;
    }
    let (rates, momenta) = (cycle.clone(), cycle.clone());
    let mut scheduler = LRScheduler {
        first: optimizer.lrs(),
        rate: Box::new(move |step, _| rates.at(step).0),
        momentum: None,
        last_epoch: 0,
        total_steps: Some(cycle.total_steps),
    };
    if cycle.cycle_momentum {
        scheduler.momentum = Some(Box::new(move |step| Some(momenta.at(step).1)));
    }
    scheduler.set(optimizer);
    Ok(scheduler)
}

/// The settings of [`ReduceLROnPlateau`]. Defaults: `mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0,
/// min_lr=0, eps=1e-8`.
#[derive(Clone, Copy, Debug)]
pub struct Plateau {
    /// Whether greater numbers are better.
    pub maximize: bool,
    /// What learning rates are multiplied by.
    pub factor: f64,
    /// How many steps without a better number are tolerated.
    pub patience: u64,
    /// How much better a number must be.
    pub threshold: f64,
    /// Whether the threshold is absolute, and not a share of the best number.
    pub absolute: bool,
    /// How many steps after a reduction are not counted.
    pub cooldown: u64,
    /// The least learning rate.
    pub min_lr: f64,
    /// Smaller changes of the learning rate are not made.
    pub eps: f64,
}

impl Default for Plateau {
    fn default() -> Plateau {
        let (threshold, min_lr, eps) = (1e-4, 0.0, 1e-8);
        let (maximize, absolute) = (false, false);
        Plateau { maximize, factor: 0.1, patience: 10, threshold, absolute, cooldown: 0, min_lr, eps }
    }
}

/// Times a factor where a number has not become better for some steps.
///
/// ```
/// use ivy_frontend_torch::optim::lr_scheduler::{Plateau, ReduceLROnPlateau};
/// use ivy_frontend_torch::optim::{Optimizer, SGD};
/// let mut optimizer = Optimizer::new(SGD { lr: 1.0, ..SGD::default() });
/// let mut scheduler = ReduceLROnPlateau::new(Plateau { patience: 1, ..Plateau::default() });
/// for loss in [0.5, 0.5, 0.5] {
///     scheduler.step(&mut optimizer, loss);
/// }
/// assert_eq!(optimizer.lrs(), [0.1]);
/// ```
#[derive(Clone, Debug)]
pub struct ReduceLROnPlateau {
    settings: Plateau,
    best: Option<f64>,
    bad: u64,
    cooling: u64,
}

impl ReduceLROnPlateau {
    /// With settings, before the first number.
    pub const fn new(settings: Plateau) -> ReduceLROnPlateau {
        ReduceLROnPlateau { settings, best: None, bad: 0, cooling: 0 }
    }

    fn is_better(&self, number: f64) -> bool {
        let (Some(best), Plateau { threshold, absolute, maximize, .. }) = (self.best, self.settings) else {
            return true;
        };
        let by = if absolute { threshold } else { best * threshold };
        if maximize { number > best + by } else { number < best - by }
    }

    /// Takes a number in, and reduces the learning rates where it is time to.
    pub fn step<R: Rule>(&mut self, optimizer: &mut Optimizer<R>, metric: f64) {
        if self.is_better(metric) {
            (self.best, self.bad) = (Some(metric), 0);
        } else {
            self.bad += 1;
        }
        if self.cooling > 0 {
            (self.cooling, self.bad) = (self.cooling - 1, 0);
        }
        let Plateau { patience, factor, min_lr, eps, cooldown, .. } = self.settings;
        if self.bad > patience {
            for rule in optimizer.settings_mut() {
                let lr = (rule.lr() * factor).max(min_lr);
                if rule.lr() - lr > eps {
                    rule.set_lr(lr);
                }
            }
            (self.cooling, self.bad) = (cooldown, 0);
        }
    }
}
