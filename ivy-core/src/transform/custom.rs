//! Functions with derivatives of their own.
//!
//! Mapped over a batch, a function and its rules are mapped each; under a derivative the rules stand in its place.

use super::batch::{self, first_axes, vmap};
use super::dual::{apart, is_dual, together};
use super::level::running;
use super::linear::{self, Transpose};
use super::{ops, outermost, refused};
use crate::backend::{BackendRef, CustomFunction as Kept};
use crate::{Array, Result};
use std::sync::Arc;

/// A function that keeps what its derivative needs: its results, and besides, the arrays for [`Backward`].
pub(crate) type Forward = Arc<dyn Fn(&[Array]) -> Result<(Vec<Array>, Vec<Array>)> + Send + Sync>;

/// From what was kept and the results' cotangents, those of the arguments; `None` for one without.
pub(crate) type Backward = Arc<dyn Fn(&[Array], &[Array]) -> Result<Vec<Option<Array>>> + Send + Sync>;

/// A function over the first axis of all its arguments.
fn mapped(f: &Kept) -> Kept {
    let f = f.clone();
    Arc::new(move |arguments: &[Array]| {
        vmap(&mut |entry| f(&entry), arguments, &vec![Some(0); arguments.len()], &mut first_axes)
    })
}

fn mapped_forward(forward: &Forward) -> Forward {
    let forward = forward.clone();
    Arc::new(move |arguments: &[Array]| {
        let mut count = 0;
        let mut both = |entry: Vec<Array>| -> Result<Vec<Array>> {
            let (mut results, kept) = forward(&entry)?;
            count = results.len();
            results.extend(kept);
            Ok(results)
        };
        let mut results = vmap(&mut both, arguments, &vec![Some(0); arguments.len()], &mut first_axes)?;
        let kept = results.split_off(count);
        Ok((results, kept))
    })
}

fn mapped_backward(backward: &Backward) -> Backward {
    let backward = backward.clone();
    Arc::new(move |kept: &[Array], cotangents: &[Array]| {
        let all: Vec<Array> = kept.iter().chain(cotangents).cloned().collect();
        let mut there: Vec<bool> = Vec::new();
        let mut given = |entry: Vec<Array>| -> Result<Vec<Array>> {
            let parts = backward(&entry[..kept.len()], &entry[kept.len()..])?;
            there = parts.iter().map(Option::is_some).collect();
            Ok(parts.into_iter().flatten().collect())
        };
        let mut parts = vmap(&mut given, &all, &vec![Some(0); all.len()], &mut first_axes)?.into_iter();
        Ok(there.into_iter().map(|there| if there { parts.next() } else { None }).collect())
    })
}

/// Calls a function of what is below a backend with tangents: it may use arrays that are there, and no others.
fn on_below<T>(
    backend: &BackendRef,
    f: impl FnOnce() -> Result<T>,
    arrays: impl Fn(&T) -> &[Array],
) -> Result<T> {
    let Some(below) = backend.wraps() else { return f() };
    let results = running(&below, f)?;
    match arrays(&results).iter().all(|x| x.backend().level() <= below.level()) {
        true => Ok(results),
        false => Err(refused(
            "custom derivative",
            "jvp",
            "has no rule for arrays that the function uses beside its arguments, and that are differentiated",
            "Give them as arguments, or use `stop_gradient` on them",
        )),
    }
}

fn lifted(backend: &BackendRef, arrays: Vec<Array>) -> Result<Vec<Array>> {
    arrays.iter().map(|x| Ok(x.lift_to("jvp", backend)?.into_owned())).collect()
}

/// Calls a function of arrays without tangents: with its rule, where their backend takes derivatives of what it notes.
fn on_noting(
    backend: &BackendRef,
    f: &Kept,
    arguments: &[Array],
    with_rule: impl FnOnce() -> Kept,
) -> Result<Vec<Array>> {
    if backend.wraps().is_some()
        && let Some(results) = backend.record_custom(&with_rule(), arguments)?
    {
        return Ok(results);
    }
    f(arguments)
}

/// Calls `f`; under a derivative `rule` instead, which takes the arguments and then their tangents, and gives
/// the results and then theirs.
pub(crate) fn custom_jvp(f: &Kept, rule: &Kept, arguments: &[Array]) -> Result<Vec<Array>> {
    let Some(backend) = outermost(arguments).cloned() else { return f(arguments) };
    if batch::is_batch(&backend) {
        return batch::enter(&backend, arguments, &mut |inner, batched| match batched {
            true => custom_jvp(&mapped(f), &mapped(rule), inner),
            false => custom_jvp(f, rule, inner),
        });
    }
    if !is_dual(&backend) {
        let with_rule = || -> Kept {
            let (f, rule) = (f.clone(), rule.clone());
            Arc::new(move |x: &[Array]| custom_jvp(&f, &rule, x))
        };
        return on_noting(&backend, f, arguments, with_rule);
    }
    let ((primals, tangents), pass) = apart(arguments, &backend)?;
    let Some(pass) = pass else {
        let results = on_below(&backend, || custom_jvp(f, rule, &primals), |results| results)?;
        return lifted(&backend, results);
    };
    let mut both = primals;
    for i in 0..tangents.len() {
        both.push(match &tangents[i] {
            Some(tangent) => tangent.clone(),
            None => ops::zeros_like(&both[i])?,
        });
    }
    let mut results = running_rule(&backend, rule, &both)?;
    let changes = results.split_off(results.len() / 2);
    let same = |(x, t): (&Array, &Array)| (x.dtype(), x.shape()) == (t.dtype(), t.shape());
    if changes.len() != results.len() || !results.iter().zip(&changes).all(same) {
        return Err(refused(
            "custom_jvp",
            "jvp",
            "got a tangent whose dtype or shape is not its result's from the rule",
            "Give the results, and as many tangents of their dtypes and shapes",
        ));
    }
    // On a tape, what depends on no tangent does not change.
    let is_reverse = tangents.iter().flatten().any(linear::is_linear);
    let changes = changes.into_iter().map(|t| (!is_reverse || linear::is_noted(&t)).then_some(t)).collect();
    Ok(together(&backend, (results, changes), pass))
}

/// Calls a rule of what is below a backend with tangents, which may be places of a tape.
fn running_rule(backend: &BackendRef, rule: &Kept, arguments: &[Array]) -> Result<Vec<Array>> {
    match backend.wraps() {
        Some(below) => running(&below, || rule(arguments)),
        None => rule(arguments),
    }
}

/// A function with a reverse rule.
#[derive(Clone)]
pub(crate) struct Reverse {
    /// The function.
    pub(crate) f: Kept,
    /// What is called in its place under reverse mode.
    pub(crate) forward: Forward,
    /// What is called on the way back.
    pub(crate) backward: Backward,
    /// Whether forward mode goes through the function itself; it is an error otherwise.
    pub(crate) has_jvp: bool,
}

/// Calls a function; under reverse mode its rules.
pub(crate) fn custom_vjp(of: &Reverse, arguments: &[Array]) -> Result<Vec<Array>> {
    let Reverse { f, forward, backward, has_jvp } = of;
    let Some(backend) = outermost(arguments).cloned() else { return f(arguments) };
    if batch::is_batch(&backend) {
        return batch::enter(&backend, arguments, &mut |inner, batched| match batched {
            true => {
                let (f, forward, backward) = (mapped(f), mapped_forward(forward), mapped_backward(backward));
                custom_vjp(&Reverse { f, forward, backward, has_jvp: *has_jvp }, inner)
            }
            false => custom_vjp(of, inner),
        });
    }
    if !is_dual(&backend) {
        // What is differentiated as it is computed once more on the way back, and not twice.
        let with_rule = || -> Kept {
            let of = of.clone();
            if of.has_jvp { of.f } else { Arc::new(move |x: &[Array]| custom_vjp(&of, x)) }
        };
        return on_noting(&backend, f, arguments, with_rule);
    }
    let ((primals, tangents), pass) = apart(arguments, &backend)?;
    let Some(pass) = pass else {
        let results = on_below(&backend, || custom_vjp(of, &primals), |results| results)?;
        return lifted(&backend, results);
    };
    if tangents.iter().flatten().any(|t| !linear::is_linear(t)) {
        if *has_jvp {
            return f(arguments);
        }
        return Err(refused(
            "custom_vjp",
            "jvp",
            "has no forward rule of a function with a reverse rule of its own",
            "Use `vjp` or `grad`, or give the function a forward rule with `custom_jvp`",
        ));
    }
    let (results, kept) = on_below(&backend, || forward(&primals), |both| &both.0)?;
    let backward = backward.clone();
    let transpose: Transpose = Arc::new(move |cotangents: &[Array]| backward(&kept, cotangents));
    let changes = linear::custom(&tangents, &results, transpose)?;
    Ok(together(&backend, (results, changes), pass))
}
