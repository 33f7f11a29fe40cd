//! Learning rates that rise and fall again and again.

use super::lr_scheduler::{LRScheduler, check_momentum};
use super::{Optimizer, Rule};
use ivy_core::Result;
use std::f64::consts::PI;

/// Cosine annealing to `eta_min` with warm restarts: over `t_0` steps first, each time `t_mult` times as many (I. Loshchilov and F.
/// Hutter, "SGDR", 2017).
///
/// ```
/// use ivy_frontend_torch::optim::{Optimizer, SGD, lr_scheduler};
/// let mut optimizer = Optimizer::new(SGD { lr: 1.0, ..SGD::default() });
/// let mut scheduler = lr_scheduler::CosineAnnealingWarmRestarts(&mut optimizer, 2, 2, 0.0);
/// scheduler.step(&mut optimizer)?;
/// assert!((optimizer.lrs()[0] - 0.5).abs() < 1e-9);
/// scheduler.step(&mut optimizer)?;
/// assert_eq!(optimizer.lrs(), [1.0]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[allow(non_snake_case)]
pub fn CosineAnnealingWarmRestarts<R: Rule>(
    optimizer: &mut Optimizer<R>,
    t_0: u64,
    t_mult: u64,
    eta_min: f64,
) -> LRScheduler {
    LRScheduler::new(optimizer, move |step, lr| {
        let (mut at, mut length) = (step, t_0.max(1));
        if t_mult <= 1 {
            at %= length;
        }
        while at >= length {
            (at, length) = (at - length, length.saturating_mul(t_mult));
        }
        eta_min + (lr - eta_min) * (1.0 + (PI * at as f64 / length as f64).cos()) / 2.0
    })
}

/// The settings of [`CyclicLR`]. Defaults: `step_size_up=2000, step_size_down=None, mode="triangular", gamma=1, cycle_momentum=True,
/// base_momentum=0.8, max_momentum=0.9`.
#[derive(Clone, Debug)]
pub struct Cyclic {
    /// The least learning rate.
    pub base_lr: f64,
    /// The greatest.
    pub max_lr: f64,
    /// The steps of a rise.
    pub step_size_up: u64,
    /// The steps of a fall; `None` for as many.
    pub step_size_down: Option<u64>,
    /// How high cycles are.
    pub mode: CyclicMode,
    /// Whether momentum goes the other way.
    pub cycle_momentum: bool,
    /// The least momentum.
    pub base_momentum: f64,
    /// The greatest.
    pub max_momentum: f64,
}

/// How high the cycles of [`CyclicLR`] are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CyclicMode {
    /// All alike.
    Triangular,
    /// Each half as high as the one before.
    Triangular2,
    /// Each step times this number, to the power of the step's number.
    ExpRange(f64),
}

impl Cyclic {
    /// Triangles between two learning rates, with the defaults.
    pub const fn new(base_lr: f64, max_lr: f64) -> Cyclic {
        Cyclic {
            base_lr,
            max_lr,
            step_size_up: 2000,
            step_size_down: None,
            mode: CyclicMode::Triangular,
            cycle_momentum: true,
            base_momentum: 0.8,
            max_momentum: 0.9,
        }
    }

    /// How far a step is from the least learning rate: 1 is the greatest.
    fn height(&self, step: u64) -> f64 {
        let up = self.step_size_up as f64;
        let total = up + self.step_size_down.unwrap_or(self.step_size_up) as f64;
        let ratio = up / total;
        let cycle = (1.0 + step as f64 / total).floor();
        let share = 1.0 + step as f64 / total - cycle;
        let height = if share <= ratio { share / ratio } else { (share - 1.0) / (ratio - 1.0) };
        height
            * match self.mode {
                CyclicMode::Triangular => 1.0,
                CyclicMode::Triangular2 => 0.5f64.powf(cycle - 1.0),
                CyclicMode::ExpRange(gamma) => gamma.powf(step as f64),
            }
    }
}

/// Triangles between two learning rates (L. Smith, "Cyclical learning rates", 2017).
///
/// # Errors
/// [`FrontendCall`](ivy_core::ErrorKind::FrontendCall) where momentum is to go along and the optimiser has none.
#[allow(non_snake_case)]
pub fn CyclicLR<R: Rule>(optimizer: &mut Optimizer<R>, cycle: Cyclic) -> Result<LRScheduler> {
    if cycle.cycle_momentum {
        check_momentum("optim.lr_scheduler.CyclicLR", optimizer)?;
    }
    let (rates, momenta) = (cycle.clone(), cycle.clone());
    let scheduler = LRScheduler::new(optimizer, move |step, _| {
        rates.base_lr + (rates.max_lr - rates.base_lr) * rates.height(step)
    });
    Ok(match cycle.cycle_momentum {
        true => scheduler.with_momentum(optimizer, move |step| {
            Some(momenta.max_momentum - (momenta.max_momentum - momenta.base_momentum) * momenta.height(step))
        }),
        false => scheduler,
    })
}
