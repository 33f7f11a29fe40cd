//! Loops.

use super::{
    Carrier, Mode, check_state, condition, cores, has_gradients, masked, names, of_threads, with_cores,
    without_gradients,
};
use crate::ad::recorded;
use crate::array::{AnyArray, Leaf, Traverse, common_size};
use crate::{Error, JitBackend, Result};
use ivy_core::functional as f;
use ivy_core::{Array, Shape};
use std::cell::RefCell;

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
    while_loop_with_targets(state, &[], cond, body, mode)
}

/// [`while_loop`] with variables, by their numbers among the arrays of the state, that are targets: what scatters of the threads that go on
/// make of them is taken as it is, whatever their size. Variables of another size than the condition are targets in any case.
///
/// ```
/// use ivy_drjit::{AnyArray, Mode, lt, llvm::{Int, UInt}, scatter_add, while_loop_with_targets};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// // Each thread adds to the place of its neighbour until it has counted so far.
/// let (count, place) = (Int::new([1, 3])?.into_any(), UInt::new([1, 0])?);
/// let (_, sums) = while_loop_with_targets(
///     (count, Int::new([0, 0])?.into_any()),
///     &[1],
///     |(count, _)| lt(0, count),
///     |(count, sums)| Ok(((count - 1).ok()?, scatter_add(sums, 1, &place, true)?)),
///     Mode::Auto,
/// )?;
/// assert_eq!(sums.to_string(), "[3, 1]");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
///
/// # Errors
/// As [`while_loop`].
pub fn while_loop_with_targets<S: Traverse + Clone>(
    state: S,
    targets: &[usize],
    cond: impl Fn(&S) -> Result<AnyArray>,
    body: impl Fn(&S) -> Result<S>,
    mode: Mode,
) -> Result<S> {
    let run = Loop { names: names(&state), targets, cond: &cond, body: &body };
    // Of the state as it is given: what decides how the loop is done is the first step's, too.
    let first = cond(&state)?;
    match mode {
        Mode::Scalar => run.scalar(state, first),
        Mode::Evaluated => run.evaluated(state, first),
        Mode::Symbolic => run.symbolic(state, first),
        Mode::Auto => {
            condition(NAME, &first)?;
            if first.ty().backend_v() == JitBackend::None {
                return run.scalar(state, first);
            }
            if has_gradients(&state) || first.leaf().is_some_and(|leaf| leaf.node.is_some()) {
                return run.evaluated(state, first);
            }
            match run.symbolic(state.clone(), first.clone()) {
                Err(error) if crate::ad::is_captured(&error) => run.evaluated(state, first),
                result => result,
            }
        }
    }
}

/// The positions of flat arrays that are targets, or have another size than the condition.
fn targets(arrays: &[Array], declared: &[bool], size: usize) -> Vec<usize> {
    let own = |(i, x): &(usize, &Array)| {
        declared.get(*i).copied().unwrap_or(false) || common_size(&[size, x.size()]).is_none()
    };
    arrays.iter().enumerate().filter(own).map(|(i, _)| i).collect()
}

struct Loop<'a, S> {
    names: Vec<String>,
    /// The numbers of the state's arrays that are targets.
    targets: &'a [usize],
    cond: &'a dyn Fn(&S) -> Result<AnyArray>,
    body: &'a dyn Fn(&S) -> Result<S>,
}

impl<S: Traverse + Clone> Loop<'_, S> {
    fn scalar(&self, mut state: S, first: AnyArray) -> Result<S> {
        let mut goes_on = first;
        while goes_on.to_bool()? {
            let next = (self.body)(&state)?;
            check_state(NAME, &self.names, &state, &next)?;
            state = next;
            goes_on = (self.cond)(&state)?;
        }
        Ok(state)
    }

    fn evaluated(&self, mut state: S, first: AnyArray) -> Result<S> {
        let (mut active, mut goes_on) = (None::<AnyArray>, first);
        loop {
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
            state = merged(&goes_on, self.targets, &state, next)?;
            crate::eval(&state)?;
            active = Some(goes_on);
            goes_on = (self.cond)(&state)?;
        }
    }

    fn symbolic(&self, mut state: S, first: AnyArray) -> Result<S> {
        if has_gradients(&state) {
            return Err(Error::CapturedGradient { function: NAME });
        }
        let mut size = condition(NAME, &first)?.array.size();
        loop {
            let grown = RefCell::new(Vec::new());
            match (self.recorded(&state, size, &grown), grown.into_inner()) {
                (result, grown) if grown.is_empty() => return result,
                // Variables of one element that become ones of many have had many from the start.
                (_, grown) => {
                    let mut arrays = cores(&state);
                    for (number, shape) in grown {
                        arrays[number] = f::broadcast_to(&arrays[number], shape)?;
                    }
                    state = with_cores(&state, &arrays)?;
                    size = condition(NAME, &(self.cond)(&state)?)?.array.size();
                }
            }
        }
    }

    /// Records the loop, whose condition has so many elements; says which single elements become vectors in its body, and fails then.
    fn recorded(&self, state: &S, size: usize, grown: &RefCell<Vec<(usize, Shape)>>) -> Result<S> {
        let (begin, targets) = self.begin(state, size)?;
        let vectors = begin.iter().enumerate().filter(|(i, x)| !targets.contains(i) && x.ndim() == 1);
        let sizes: Vec<usize> = vectors.map(|(_, x)| x.size()).chain([size]).collect();
        let threads = common_size(&sizes).unwrap_or(size);
        let (mut in_test, mut in_body) = (Carrier::new(), Carrier::new());
        let of = |arrays: &Vec<Array>| with_cores(state, arrays);
        let test = |arrays: &Vec<Array>| {
            let one = || {
                let tested = of_threads(threads, || recorded(|| (self.cond)(&of(arrays)?)))?;
                let leaf: Leaf = condition(NAME, &tested)?;
                Ok(leaf.array)
            };
            in_test.carry(one())
        };
        let body = |arrays: &Vec<Array>| {
            let one = || {
                let before = of(arrays)?;
                let after = of_threads(threads, || recorded(|| (self.body)(&before)))?;
                without_gradients(NAME, &after)?;
                check_state(NAME, &self.names, &before, &after)?;
                Ok(cores(&after))
            };
            let after = in_body.carry(one())?;
            let grows = |(_, (old, new)): &(usize, (&Array, &Array))| old.size() == 1 && new.size() > 1;
            let found = arrays.iter().zip(&after).enumerate().filter(grows);
            grown.borrow_mut().extend(found.map(|(number, (_, new))| (number, new.shape().clone())));
            arrays.iter().zip(after).map(|(old, new)| widened(new, old)).collect()
        };
        let result = f::while_loop_with_targets(test, body, begin, &targets);
        let carrier = if in_test.error.is_some() { in_test } else { in_body };
        with_cores(state, &carrier.finish(result)?)
    }

    /// The state's arrays as long as the condition, which decides how many threads there are, and which of them are
    /// targets.
    fn begin(&self, state: &S, size: usize) -> Result<(Vec<Array>, Vec<usize>)> {
        let mut declared = Vec::new();
        for (number, x) in state.arrays().iter().enumerate() {
            x.for_each_leaf(&mut |_| declared.push(self.targets.contains(&number)));
        }
        let one = |(x, &target): (Array, &bool)| match x.size() == 1 && size > 1 && x.ndim() == 1 && !target {
            true => Ok(f::broadcast_to(&x, [size])?),
            false => Ok(x),
        };
        let arrays: Vec<Array> = cores(state).into_iter().zip(&declared).map(one).collect::<Result<_>>()?;
        let targets = targets(&arrays, &declared, size);
        Ok((arrays, targets))
    }
}

fn widened(new: Array, old: &Array) -> ivy_core::Result<Array> {
    match new.size() == 1 && old.size() != 1 {
        true => f::broadcast_to(&new, old.shape().clone()),
        false => Ok(new),
    }
}

/// What the threads that go on have made of the state, and the others keep. Targets, and what has another size than the mask, were made by
/// masked operations, and are taken as they are.
fn merged<S: Traverse>(mask: &AnyArray, targets: &[usize], old: &S, new: S) -> Result<S> {
    let mut olds = old.arrays().into_iter().enumerate();
    new.map(&mut |new| {
        let Some((number, old)) = olds.next() else { return Ok(new.clone()) };
        let width = new.width().unwrap_or(1);
        match common_size(&[mask.len(), width]).is_some() && !targets.contains(&number) {
            true => crate::select(mask, new, &old)?.cast_to(new.ty()),
            false => Ok(new.clone()),
        }
    })
}
