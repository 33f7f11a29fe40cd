//! Learning rate schedules.

use std::f64::consts::PI;

/// Learning rate schedule: a pure function of the number of steps that were taken.
///
/// ```
/// use ivy::nn::optim::Schedule;
/// let rate = Schedule::Cosine { from: 1.0, to: 0.0, steps: 10 }.after_warmup(4);
/// assert_eq!((rate.at(0), rate.at(2), rate.at(4), rate.at(14), rate.at(99)), (0.25, 0.75, 1.0, 0.0, 0.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Schedule {
    /// A constant learning rate.
    Constant(f64),
    /// Cosine annealing from one learning rate to another.
    Cosine {
        /// The first rate.
        from: f64,
        /// The last one.
        to: f64,
        /// How many steps lead there.
        steps: u64,
    },
    /// Exponential decay: `from * factor^(step / every)`.
    Exponential {
        /// The first rate.
        from: f64,
        /// What it is multiplied by.
        factor: f64,
        /// After how many steps.
        every: u64,
    },
    /// Piecewise constant: the first learning rate, and from each of the steps on another one; the steps ascend.
    Piecewise {
        /// The first rate.
        from: f64,
        /// Steps and the rates from them on.
        then: Vec<(u64, f64)>,
    },
    /// Linear warm-up to the first learning rate, and then another schedule from its beginning.
    Warmup {
        /// How many steps.
        steps: u64,
        /// What follows.
        then: Box<Schedule>,
    },
}

impl Schedule {
    /// The schedule after a linear warm-up.
    #[must_use]
    pub fn after_warmup(self, steps: u64) -> Schedule {
        Schedule::Warmup { steps, then: Box::new(self) }
    }

    /// The learning rate of a step; the first one is 0.
    pub fn at(&self, step: u64) -> f64 {
        match self {
            Schedule::Constant(rate) => *rate,
            Schedule::Cosine { from, to, steps } => {
                let part = if *steps == 0 { 1.0 } else { (step as f64 / *steps as f64).min(1.0) };
                if part == 1.0 { *to } else { to + (from - to) * 0.5 * (1.0 + (PI * part).cos()) }
            }
            Schedule::Exponential { from, factor, every } => {
                from * factor.powf(step as f64 / (*every).max(1) as f64)
            }
            Schedule::Piecewise { from, then } => {
                then.iter().take_while(|(first, _)| *first <= step).last().map_or(*from, |(_, rate)| *rate)
            }
            Schedule::Warmup { steps, then } if step < *steps => {
                then.at(0) * (step + 1) as f64 / *steps as f64
            }
            Schedule::Warmup { steps, then } => then.at(step - steps),
        }
    }
}
