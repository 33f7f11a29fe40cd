//! Loops.

use super::{Carrier, Mode, check_state, condition, cores, has_gradients, masked, names, with_cores};
use crate::ad::recorded;
use crate::array::{AnyArray, Leaf, Traverse, common_size};
use crate::{Error, JitBackend, Result};
use ivy_core::Array;
use ivy_core::functional as f;

const NAME: &str = "while_loop";

/// Repeats a function on a state while a condition is true, for each thread by itself: a thread whose condition is false keeps what it has.
///
/// Recorded loops ([`Mode::Symbolic`]) run their functions once, and become one kernel. They have no gradients: with gradients loops go step by
/// step, with the threads that go on as the mask of gathers and scatters. A variable of another size than the condition is the target of
/// scatters, of the threads that go on; sums of integers in one stay in the kernel.
///
/// ```
/// use ivy_drjit::{AnyArray, Mode, add, eq, llvm::Int, while_loop, zeros_like};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// // How often each number can be halved.
/// let x = Int::new([8, 3, 12])?.into_any();
/// let halved = while_loop(
///     (x.clone(), zeros_like(&x)?),
///     |(x, _)| eq(x & 1, 0),
///     |(x, n)| Ok(((x >> 1).ok()?, (n + 1).ok()?)),
///     Mode::Auto,
/// )?;
/// assert_eq!(halved.1.to_string(), "[3, 0, 2]");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
///
/// # Errors
/// [`Error::VariableChanged`] for a variable that changes its type or size, with its path; [`Error::WrongType`] for a condition that is no flat
/// mask; those of the functions.
pub fn while_loop<S: Traverse + Clone>(
    state: S,
    cond: impl Fn(&S) -> Result<AnyArray>,
    body: impl Fn(&S) -> Result<S>,
    mode: Mode,
) -> Result<S> {
    let run = Loop { names: names(&state), cond: &cond, body: &body };
    match mode {
        Mode::Scalar => run.scalar(state),
        Mode::Evaluated => run.evaluated(state),
        Mode::Symbolic => run.symbolic(state),
        Mode::Auto => {
            let first = cond(&state)?;
            condition(NAME, &first)?;
            if first.ty().backend_v() == JitBackend::None {
                return run.scalar(state);
            }
            if has_gradients(&state) || first.leaf().is_some_and(|leaf| leaf.node.is_some()) {
                return run.evaluated(state);
            }
            match run.symbolic(state.clone()) {
                Err(error) if crate::ad::is_captured(&error) => run.evaluated(state),
                result => result,
            }
        }
    }
}

/// The positions of flat arrays that have another size than the condition.
fn targets(arrays: &[Array], size: usize) -> Vec<usize> {
    let own = |(_, x): &(usize, &Array)| common_size(&[size, x.size()]).is_none();
    arrays.iter().enumerate().filter(own).map(|(i, _)| i).collect()
}

struct Loop<'a, S> {
    names: Vec<String>,
    cond: &'a dyn Fn(&S) -> Result<AnyArray>,
    body: &'a dyn Fn(&S) -> Result<S>,
}

impl<S: Traverse + Clone> Loop<'_, S> {
    fn scalar(&self, mut state: S) -> Result<S> {
        while (self.cond)(&state)?.to_bool()? {
            let next = (self.body)(&state)?;
            check_state(NAME, &self.names, &state, &next)?;
            state = next;
        }
        Ok(state)
    }

    fn evaluated(&self, mut state: S) -> Result<S> {
        let mut active: Option<AnyArray> = None;
        loop {
            let mut goes_on = (self.cond)(&state)?;
            condition(NAME, &goes_on)?;
            if let Some(before) = &active {
                goes_on = crate::bitwise_and(before, &goes_on)?;
            }
            goes_on = crate::ad::detach(&goes_on)?;
            if !crate::any(&goes_on, ())?.to_bool()? {
                return Ok(state);
            }
            let next = masked(&goes_on, || (self.body)(&state))??;
            check_state(NAME, &self.names, &state, &next)?;
            state = merged(&goes_on, &state, next)?;
            crate::eval(&state)?;
            active = Some(goes_on);
        }
    }

    fn symbolic(&self, state: S) -> Result<S> {
        if has_gradients(&state) {
            return Err(Error::CapturedGradient { function: NAME });
        }
        let (mut in_test, mut in_body) = (Carrier::new(), Carrier::new());
        let of = |arrays: &Vec<Array>| with_cores(&state, arrays);
        let test = |arrays: &Vec<Array>| {
            let one = || {
                let leaf: Leaf = condition(NAME, &recorded(|| (self.cond)(&of(arrays)?))?)?;
                Ok(leaf.array)
            };
            in_test.carry(one())
        };
        let body = |arrays: &Vec<Array>| {
            let one = || {
                let before = of(arrays)?;
                let after = recorded(|| (self.body)(&before))?;
                check_state(NAME, &self.names, &before, &after)?;
                Ok(cores(&after))
            };
            let after = in_body.carry(one())?;
            // A variable of one element that becomes one of many has had many from the start.
            arrays.iter().zip(after).map(|(old, new)| widened(new, old)).collect()
        };
        let (begin, targets) = self.begin(&state)?;
        let result = f::while_loop_with_targets(test, body, begin, &targets);
        let carrier = if in_test.error.is_some() { in_test } else { in_body };
        with_cores(&state, &carrier.finish(result)?)
    }

    /// The state's arrays as long as the condition, which decides how many threads there are, and which of them are
    /// targets.
    fn begin(&self, state: &S) -> Result<(Vec<Array>, Vec<usize>)> {
        let size = condition(NAME, &(self.cond)(state)?)?.array.size();
        let one = |x: Array| match x.size() == 1 && size > 1 && x.ndim() == 1 {
            true => Ok(f::broadcast_to(&x, [size])?),
            false => Ok(x),
        };
        let arrays: Vec<Array> = cores(state).into_iter().map(one).collect::<Result<_>>()?;
        let targets = targets(&arrays, size);
        Ok((arrays, targets))
    }
}

fn widened(new: Array, old: &Array) -> ivy_core::Result<Array> {
    match new.size() == 1 && old.size() != 1 {
        true => f::broadcast_to(&new, old.shape().clone()),
        false => Ok(new),
    }
}

/// What the threads that go on have made of the state, and the others keep. What has another size than the mask was made by masked
/// operations, and is taken as it is.
fn merged<S: Traverse>(mask: &AnyArray, old: &S, new: S) -> Result<S> {
    let mut olds = old.arrays().into_iter();
    new.map(&mut |new| {
        let Some(old) = olds.next() else { return Ok(new.clone()) };
        let width = new.width().unwrap_or(1);
        match common_size(&[mask.len(), width]).is_some() {
            true => crate::select(mask, new, &old)?.cast_to(new.ty()),
            false => Ok(new.clone()),
        }
    })
}
