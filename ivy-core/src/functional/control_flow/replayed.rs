//! Steps of a loop that runs step by step: recorded by a backend that can, and then done again without
//! calling the loop's functions.
//!
//! What these do besides making arrays is not seen. So steps are recorded until two of them, one after
//! the other, have done the same with the same constants: functions that count their calls, or draw
//! random numbers, do not, and are called in each step.

use crate::array::Array;
use crate::backend::{BackendRef, Replay, Value, Values};
use crate::functional::control_flow::vars::{arrays_of, values_of};
use crate::{Result, plan};

/// How many steps of one loop are recorded at most. The first one may have its variables
/// in another order in memory than all others.
const TRIES: u32 = 4;

/// One step of a loop: from its carry to the next carry, and what the condition reads.
pub(in crate::functional) type StepFn<'f> = &'f mut dyn FnMut(Vec<Array>) -> Result<Vec<Array>>;

/// The steps of a loop.
#[derive(Default)]
pub(in crate::functional) struct ReplayedSteps {
    last: Option<Box<dyn Replay>>,
    /// Whether the last recording stands for all steps.
    sure: bool,
    tries: u32,
}

impl ReplayedSteps {
    /// Does one more, by its functions or without.
    ///
    /// # Errors
    /// Those of the step, and of evaluation.
    pub(in crate::functional) fn next(
        &mut self,
        backend: &BackendRef,
        state: Vec<Array>,
        step: StepFn<'_>,
    ) -> Result<Vec<Array>> {
        if let Some(replay) = self.last.as_ref().filter(|_| self.sure) {
            if let Some(results) = replay.replay(&state)? {
                return Ok(arrays_of(backend, results));
            }
            // Of another kind, or with an error, which the functions tell.
            self.sure = false;
        }
        // Casts that somebody looks at are of calls.
        if self.tries == TRIES || !backend.records() || plan::records_casts() {
            return step(state);
        }
        self.tries += 1;
        let inputs = values_of(&state);
        drop(state);
        let mut recorded = |inputs: &[Value]| -> Result<Values> {
            let results = step(arrays_of(backend, inputs.iter().cloned()))?;
            Ok(results.into_iter().map(Array::into_value).collect())
        };
        let (results, replay) = backend.record(&inputs, &mut recorded)?;
        match (&self.last, replay) {
            (_, None) => self.tries = TRIES,
            (Some(last), Some(replay)) if replay.is_like(&**last) => self.sure = true,
            (_, replay) => self.last = replay,
        }
        Ok(arrays_of(backend, results))
    }
}
