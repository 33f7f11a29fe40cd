//! Loops of each element.
//!
//! A condition is an array of truth values. Where it is true an element goes on; where it is false it keeps what it
//! has. A condition of one element decides for all of them, as in Ivy.
//!
//! A backend that records ([`Backend::record_loop`](crate::backend::Backend::record_loop)) makes
//! one kernel of a loop; on every other one, and where a loop does what cannot be recorded, it runs
//! step by step, with the same results.

use crate::array::{Array, common_backend, lift_all};
use crate::backend::{BackendRef, Value, Values};
use crate::functional::Any;
use crate::functional::control_flow::branch::{selected, under};
use crate::functional::control_flow::replayed::ReplayedSteps;
use crate::functional::control_flow::vars::{Vars, arrays_of, bool_array, check_same, values_of, vars_of};
use crate::functional::{any, broadcast_to, less, logical_and, reshape, where_};
use crate::{Dtype, ErrorKind, Op, Result, Scalar, Shape, active_mask, primitive, shape, transform};
use std::cell::RefCell;
use std::ops::Range;

/// While loop over arrays: repeats `body_fn` on the variables while `test_fn` is true: for each element by itself,
/// where the condition has several. Variables begin with the shapes to which they and the condition broadcast, and keep
/// dtype and shape; an element whose condition is false keeps what it has.
///
/// An index out of range is an error of elements that go on, as in [`if_else`](crate::functional::if_else).
///
/// The two functions may be called once more than the loop runs, or once or a few times in all: what they do
/// besides making arrays is not part of the loop. A backend that compiles, as `jit` does, makes one kernel
/// of a loop of which each element is made of the same element of what the loop carries; of any other loop,
/// such as one that takes neighbours or sums of it, it records the steps until two of them, one after the
/// other, have done the same with the same host values, and replays the last one as a function of
/// [`compile`](crate::functional::compile) from then on. A function that reads elements, or does something else with each call, is
/// called in each step.
///
/// ```
/// use ivy::prelude::*;
/// // How often each number can be halved.
/// let x = Array::try_from([8i32, 3, 12])?;
/// let [rest, count] = ivy::while_loop(
///     |[x, _]| ivy::equal(ivy::remainder(x, 2), 0),
///     |[x, n]| Ok([ivy::floor_divide(x, 2)?, ivy::add(n, 1)?]),
///     [x.clone(), ivy::zeros_like(&x, ())?],
/// )?;
/// assert_eq!(count.to_vec::<i32>()?, [3, 0, 2]);
/// assert_eq!(rest.to_vec::<i32>()?, [1, 3, 3]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of the two functions; [`DtypeMismatch`](crate::ErrorKind::DtypeMismatch) for a condition that
/// is not bool; [`VariableChanged`](crate::ErrorKind::VariableChanged) for a variable whose dtype or
/// shape the body changes; [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes) for a variable that
/// does not broadcast with the condition.
pub fn while_loop<V: Vars>(
    mut test_fn: impl FnMut(&V) -> Result<Array>,
    mut body_fn: impl FnMut(&V) -> Result<V>,
    vars: V,
) -> Result<V> {
    const NAME: &str = "while_loop";
    let mut test = |vars: &[Array]| test_fn(&vars_of(NAME, vars.to_vec())?);
    let mut body = |vars: &[Array]| Ok(body_fn(&vars_of(NAME, vars.to_vec())?)?.into_arrays());
    vars_of(NAME, repeat(NAME, &mut test, &mut body, vars.into_arrays(), &[])?)
}

/// While loop that scatters: [`while_loop`] with variables, by position, that all elements share, and scatter to in the body.
///
/// A target keeps its shape, whatever that of the condition, and is what the body makes of it. Scatters in the body are
/// done by the elements that go on: whose indices broadcast with the condition leave out the updates of the others.
///
/// On `jit` a loop whose targets nothing in it reads is one kernel, where the order of updates is not seen: of sums, bounds
/// and bits of integers of 32 and 64 bits, and of truth values that are set. Sums of floats are so within
/// `jit::engine::with_fast_sums` only. All other loops run step by step.
///
/// ```
/// use ivy::prelude::*;
/// // How many numbers take how many halvings until they are odd, counted as each ends.
/// let x = Array::try_from([8i64, 3, 12, 5])?;
/// let [_, n, met] = ivy::while_loop_with_targets(
///     |[x, ..]| ivy::equal(ivy::remainder(x, 2), 0),
///     |[x, n, met]| {
///         let met = ivy::scatter_flat(n, ivy::ones_like(n, ())?, ivy::ScatterFlat::new().out(met))?;
///         Ok([ivy::floor_divide(x, 2)?, ivy::add(n, 1)?, met])
///     },
///     [x.clone(), ivy::zeros_like(&x, ())?, ivy::zeros(3, Dtype::INT64)?],
///     &[2],
/// )?;
/// assert_eq!(n.to_vec::<i64>()?, [3, 0, 2, 0]);
/// // Two elements got through a first and a second step, one through a third.
/// assert_eq!(met.to_vec::<i64>()?, [2, 2, 1]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`while_loop`]; [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a target that is no variable.
pub fn while_loop_with_targets<V: Vars>(
    mut test_fn: impl FnMut(&V) -> Result<Array>,
    mut body_fn: impl FnMut(&V) -> Result<V>,
    vars: V,
    targets: &[usize],
) -> Result<V> {
    const NAME: &str = "while_loop_with_targets";
    let vars = vars.into_arrays();
    if let Some(beyond) = targets.iter().find(|&&target| target >= vars.len()) {
        let (value, rule) = (beyond.to_string(), "the position of a variable");
        return Err(ErrorKind::InvalidArgument { function: NAME, argument: "targets", value, rule }.into());
    }
    let mut test = |vars: &[Array]| test_fn(&vars_of(NAME, vars.to_vec())?);
    let mut body = |vars: &[Array]| {
        active_mask::scattering(|| Ok(body_fn(&vars_of(NAME, vars.to_vec())?)?.into_arrays()))
    };
    vars_of(NAME, repeat(NAME, &mut test, &mut body, vars, targets)?)
}

/// Counted loop over arrays: calls `body_fn` with each number of the range, an int64 array without axes, and the
/// variables, which it gives back changed: [`while_loop`] with a counter.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, 2.0])?;
/// let y = ivy::for_loop(0..3, |_, x: &Array| ivy::multiply(x, 2.0), x)?;
/// assert_eq!(y.to_vec::<f32>()?, [8.0, 16.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`while_loop`].
pub fn for_loop<V: Vars>(
    range: Range<i64>,
    mut body_fn: impl FnMut(&Array, &V) -> Result<V>,
    vars: V,
) -> Result<V> {
    const NAME: &str = "for_loop";
    let mut all = vars.into_arrays();
    let backend = common_backend(&all)?;
    let op =
        Op::Full { shape: Shape::default(), dtype: Dtype::INT64, value: Scalar::Int(range.start.into()) };
    primitive::check_support(NAME, &backend, &op, &[])?;
    // The counter comes last: the others keep their numbers, by which errors name them.
    all.push(crate::call::execute_one(&backend, &op, &[])?);
    let count = all.len() - 1;
    let mut test = |vars: &[Array]| less(&vars[count], range.end);
    let mut body = |vars: &[Array]| {
        let mut next = body_fn(&vars[count], &vars_of(NAME, vars[..count].to_vec())?)?.into_arrays();
        next.push(crate::functional::add(&vars[count], 1)?);
        Ok(next)
    };
    let mut last = repeat(NAME, &mut test, &mut body, all, &[])?;
    last.pop();
    vars_of(NAME, last)
}

/// A condition, where the elements at work may ask: of those around it, each of its elements belongs
/// to the ones that broadcast to it.
fn active_condition(function: &'static str, condition: Array) -> Result<Array> {
    let Some(mask) = active_mask::mask() else { return Ok(condition) };
    if transform::root(mask.backend()) != transform::root(condition.backend()) {
        return Ok(condition);
    }
    let (from, to) = (mask.shape().clone(), condition.shape().clone());
    let mask = match shape::broadcast(function, &[&from, &to]) {
        Ok(both) if both == to => mask,
        Ok(_) => {
            let extra = from.len().saturating_sub(to.len());
            let axes: Vec<i64> = (0..from.len())
                .filter(|&a| a < extra || from[a] != 1 && to[to.len() - (from.len() - a)] == 1)
                .map(|a| a as i64)
                .collect();
            let kept = any(&mask, Any::new().axis(axes).keepdims())?;
            let kept_shape: Vec<i64> = kept.shape()[extra..].iter().map(|&n| n as i64).collect();
            reshape(&kept, kept_shape, ())?
        }
        Err(_) => any(&mask, ())?,
    };
    logical_and(&condition, &mask)
}

/// The variables with the shapes to which they and the condition broadcast, if these are others; targets stay.
fn broadcast_vars(
    function: &'static str,
    vars: &[Array],
    condition: &Shape,
    targets: &[usize],
) -> Result<Option<Vec<Array>>> {
    let one = |(i, x): (usize, &Array)| match targets.contains(&i) {
        true => Ok(x.shape().clone()),
        false => shape::broadcast(function, &[x.shape(), condition]),
    };
    let shapes: Vec<Shape> = vars.iter().enumerate().map(one).collect::<Result<_>>()?;
    if shapes.iter().zip(vars).all(|(shape, x)| shape == x.shape()) {
        return Ok(None);
    }
    shapes.into_iter().zip(vars).map(|(shape, x)| broadcast_to(x, shape)).collect::<Result<_>>().map(Some)
}

type Test<'f> = &'f mut dyn FnMut(&[Array]) -> Result<Array>;

type Body<'f> = &'f mut dyn FnMut(&[Array]) -> Result<Vec<Array>>;

/// The loop, on the backend of its variables; on the outermost that appears in it where the functions bring arrays of
/// an outer level along.
fn repeat(
    function: &'static str,
    test_fn: Test<'_>,
    body_fn: Body<'_>,
    vars: Vec<Array>,
    targets: &[usize],
) -> Result<Vec<Array>> {
    let mut backend = common_backend(&vars)?;
    if transform::base_of(&vars)? == backend {
        return repeat_on(function, &backend, test_fn, body_fn, vars, targets);
    }
    loop {
        let outer: RefCell<Option<BackendRef>> = RefCell::new(None);
        let inner = backend.clone();
        let meets = |arrays: &[Array]| -> Result<()> {
            match transform::outermost(arrays) {
                Some(found) if found.level() > inner.level() => {
                    *outer.borrow_mut() = Some(found.clone());
                    Err(transform::escaped(function))
                }
                _ => Ok(()),
            }
        };
        let mut test = |vars: &[Array]| {
            let condition = test_fn(vars)?;
            meets(std::slice::from_ref(&condition)).map(|()| condition)
        };
        let mut body = |vars: &[Array]| {
            let next = body_fn(vars)?;
            meets(&next).map(|()| next)
        };
        let done = repeat_on(function, &backend, &mut test, &mut body, vars.clone(), targets);
        match outer.into_inner() {
            Some(found) => backend = found,
            None => return done,
        }
    }
}

/// The loop on a backend: recorded, or step by step.
fn repeat_on(
    function: &'static str,
    backend: &BackendRef,
    test_fn: Test<'_>,
    body_fn: Body<'_>,
    vars: Vec<Array>,
    targets: &[usize],
) -> Result<Vec<Array>> {
    let mut vars = lift_all(function, backend, vars)?;
    let mut test = |vars: &[Array]| -> Result<Array> {
        let condition = bool_array(function, "test_fn", test_fn(vars)?)?;
        let condition = active_condition(function, condition)?;
        Ok(condition.lift_to(function, backend)?.into_owned())
    };
    // The condition's shape, when it is known: it stays.
    let decides: RefCell<Option<Shape>> = RefCell::new(None);
    let mut test = |vars: &[Array]| -> Result<Array> {
        let condition = test(vars)?;
        let known = decides.borrow_mut().get_or_insert_with(|| condition.shape().clone()).clone();
        match *condition.shape() == known {
            true => Ok(condition),
            false => {
                let (expected, actual) = (known.to_string(), condition.shape().clone());
                Err(ErrorKind::ShapeMismatch { function, argument: "test_fn", expected, actual }.into())
            }
        }
    };
    let mut body = |condition: &Array, vars: &[Array]| -> Result<Vec<Array>> {
        let next = lift_all(function, backend, under(function, condition, || body_fn(vars))?)?;
        check_same(function, vars, &next)?;
        Ok(next)
    };
    loop {
        // What was recorded with other shapes than the variables must have.
        let (mut wider, last) = (false, RefCell::new(None));
        let recorded = {
            let mut test = |vars: &[Value]| -> Result<Values> {
                let vars = arrays_of(backend, vars.iter().cloned());
                let condition = test(&vars)?;
                wider = broadcast_vars(function, &vars, condition.shape(), targets)?.is_some();
                if wider {
                    let (expected, actual) = ("that of the variables".into(), condition.shape().clone());
                    let error = ErrorKind::ShapeMismatch { function, argument: "test_fn", expected, actual };
                    return Err(error.into());
                }
                *last.borrow_mut() = Some(condition.clone());
                Ok(std::iter::once(condition.into_value()).collect())
            };
            let mut body = |vars: &[Value]| -> Result<Values> {
                let vars = arrays_of(backend, vars.iter().cloned());
                let condition = last.borrow().clone();
                let next = match condition {
                    Some(condition) => body(&condition, &vars)?,
                    None => vars,
                };
                Ok(next.into_iter().map(Array::into_value).collect())
            };
            active_mask::recorded(|| backend.record_loop(&values_of(&vars), targets, &mut test, &mut body))
        };
        let known = decides.borrow().clone();
        match (recorded, known) {
            (Err(_), Some(shape)) if wider => {
                vars = broadcast_vars(function, &vars, &shape, targets)?.unwrap_or(vars);
            }
            (Err(error), _) => return Err(error),
            (Ok(Some(recorded)), _) => return Ok(arrays_of(backend, recorded)),
            (Ok(None), _) => break,
        }
    }
    let condition = test(&vars)?;
    vars = broadcast_vars(function, &vars, condition.shape(), targets)?.unwrap_or(vars);
    let mut goes_on = backend.is_abstract() || transform::any_true(&condition)?;
    // What the loop carries: its variables, and last the condition.
    let mut state = vars;
    state.push(condition);
    let count = state.len();
    let mut step = |mut vars: Vec<Array>| -> Result<Vec<Array>> {
        let Some(condition) = vars.pop() else { return Ok(vars) };
        let decides_for_all = condition.size() == 1 && !transform::varies(&condition);
        // Of many elements, those that go on have scattered to what they share.
        let is_shared = |i: usize| targets.contains(&i) && condition.size() != 1;
        let operands = if decides_for_all { None } else { selected(&condition, &vars, is_shared)? };
        let next = body(&condition, operands.as_ref().unwrap_or(&vars))?;
        let mut next = match decides_for_all {
            true => next,
            false => {
                let both = next.iter().zip(&vars).enumerate();
                let one = |(i, (new, old)): (usize, (&Array, &Array))| match is_shared(i) {
                    true => Ok(new.clone()),
                    false => where_(&condition, new, old),
                };
                both.map(one).collect::<Result<_>>()?
            }
        };
        if backend.is_abstract() {
            return Ok(next);
        }
        // Step by step: what waits would be computed again in each.
        backend.evaluate(&values_of(&next))?;
        let condition = test(&next)?;
        // What is read of it.
        let more = if condition.ndim() == 0 { None } else { Some(any(&condition, ())?) };
        next.extend([condition].into_iter().chain(more));
        Ok(next)
    };
    let mut steps = ReplayedSteps::default();
    while goes_on {
        state = steps.next(backend, state, &mut step)?;
        // Without values, one step shows what there is to know.
        if backend.is_abstract() {
            return Ok(state);
        }
        let more = if state.len() > count { state.pop() } else { None };
        let decides = more.as_ref().or(state.last());
        goes_on = decides.map_or(Ok(false), transform::any_true)?;
    }
    state.pop();
    Ok(state)
}
