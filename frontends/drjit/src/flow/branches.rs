//! Conditionals.

use super::{
    Carrier, Mode, check_state, condition, cores, has_gradients, leaves, masked, names, of_threads,
    with_cores, without_gradients,
};
use crate::ad::recorded;
use crate::array::{AnyArray, Traverse, common_size};
use crate::ops::array;
use crate::{Error, IntoArg, JitBackend, Result};
use ivy_core::Array;
use ivy_core::functional as f;

/// A function that is one of several.
pub type Branch<'f, A, R> = &'f dyn Fn(&A) -> Result<R>;

/// What one of two functions gives, for each thread by its condition. Both are called, each with its threads as the mask of gathers and scatters,
/// unless the condition is the host's.
///
/// # Errors
/// [`Error::VariableChanged`] for results of different types or sizes; [`Error::WrongType`] for a condition that is no flat mask; those of
/// the functions.
pub fn if_stmt<A: Traverse + Clone, R: Traverse>(
    args: A,
    cond: impl IntoArg,
    yes: impl Fn(&A) -> Result<R>,
    no: impl Fn(&A) -> Result<R>,
    mode: Mode,
) -> Result<R> {
    const NAME: &str = "if_stmt";
    let cond = array(NAME, cond.into_arg())?;
    condition(NAME, &cond)?;
    let host = cond.ty().backend_v() == JitBackend::None;
    if mode == Mode::Scalar || mode == Mode::Auto && host {
        return if cond.to_bool()? { yes(&args) } else { no(&args) };
    }
    let evaluated = || {
        let cond = crate::ad::detach(&cond)?;
        let first = masked(&cond, || yes(&args))??;
        let second = masked(crate::invert(&cond)?, || no(&args))??;
        chosen(NAME, &cond, first, second)
    };
    if mode == Mode::Evaluated || has_gradients(&args) && mode == Mode::Auto {
        return evaluated();
    }
    match symbolic_if(NAME, &args, &cond, &yes, &no) {
        Err(error) if mode == Mode::Auto && crate::ad::is_captured(&error) => evaluated(),
        result => result,
    }
}

/// The first where the mask is true, the second elsewhere.
fn chosen<R: Traverse>(function: &'static str, mask: &AnyArray, first: R, second: R) -> Result<R> {
    check_state(function, &names(&first), &first, &second)?;
    let mut seconds = second.arrays().into_iter();
    first.map(&mut |first| {
        let Some(second) = seconds.next() else { return Ok(first.clone()) };
        let width = first.width().unwrap_or(1).max(second.width().unwrap_or(1));
        if common_size(&[mask.len(), width]).is_none() {
            let sizes = vec![mask.len(), width];
            return Err(Error::IncompatibleSizes { function, sizes });
        }
        crate::select(mask, first, &second)?.cast_to(first.ty())
    })
}

fn symbolic_if<A: Traverse, R: Traverse>(
    function: &'static str,
    args: &A,
    cond: &AnyArray,
    yes: &dyn Fn(&A) -> Result<R>,
    no: &dyn Fn(&A) -> Result<R>,
) -> Result<R> {
    if has_gradients(args) {
        return Err(Error::CapturedGradient { function });
    }
    let size = cond.len();
    let (mut made, mut carrier) = (None::<R>, Carrier::new());
    let mut call = |arrays: &Vec<Array>, f: &dyn Fn(&A) -> Result<R>| {
        let mut one = || {
            let result = of_threads(size, || recorded(|| f(&with_cores(args, arrays)?)))?;
            without_gradients(function, &result)?;
            if let Some(first) = &made {
                check_state(function, &names(first), first, &result)?;
            }
            let flat = cores(&result);
            made.get_or_insert(result);
            flat.into_iter().map(|x| wide(x, size)).collect()
        };
        carrier.carry(one())
    };
    let cell = std::cell::RefCell::new(&mut call);
    let decides = condition(function, cond)?.array;
    let result = f::if_else(
        |_| Ok(decides),
        |arrays: &Vec<Array>| (cell.borrow_mut())(arrays, yes),
        |arrays: &Vec<Array>| (cell.borrow_mut())(arrays, no),
        cores(args),
    );
    let result: Vec<Array> = carrier.finish(result)?;
    let made = made.ok_or(Error::NotSupported { function, ty: cond.ty() })?;
    with_cores(&made, &result)
}

fn wide(x: Array, size: usize) -> Result<Array> {
    match x.size() == 1 && size > 1 && x.ndim() == 1 {
        true => Ok(f::broadcast_to(&x, [size])?),
        false => Ok(x),
    }
}

/// What the function of a number gives, for each thread by its index. Each function is called with its threads as the mask of gathers and
/// scatters; where the index is recorded too, they are a tree of conditionals of which a branch that nobody takes is not computed.
///
/// # Errors
/// [`Error::VariableChanged`] for results of different types or sizes; [`Error::WrongType`] for an index that is no flat integer array;
/// [`Error::InvalidArgument`] for no functions; the core's error for an index out of range.
pub fn switch<A: Traverse + Clone, R: Traverse>(
    index: impl IntoArg,
    functions: &[Branch<'_, A, R>],
    args: A,
    mode: Mode,
) -> Result<R> {
    const NAME: &str = "switch";
    let index = array(NAME, index.into_arg())?;
    if index.ty().kind() != crate::Kind::Flat || !index.ty().is_integral_v() {
        let expected = "a flat array of integers".into();
        return Err(Error::WrongType { function: NAME, argument: "index", expected, actual: index.ty() });
    }
    let Some((first, rest)) = functions.split_first() else {
        let (argument, rule) = ("functions", "one at least");
        return Err(Error::InvalidArgument { function: NAME, argument, value: "none".into(), rule });
    };
    let host = index.ty().backend_v() == JitBackend::None;
    if mode == Mode::Scalar || mode == Mode::Auto && host {
        let number = index.item(0)?.to_i128();
        let chosen = usize::try_from(number).ok().and_then(|number| functions.get(number));
        let out = || Error::OutOfBounds { ty: index.ty(), index: number as i64, size: functions.len() };
        return chosen.ok_or_else(out)?(&args);
    }
    check_range(NAME, &index, functions.len())?;
    let evaluated = || {
        let mut result = masked(crate::eq(&index, 0)?, || first(&args))??;
        for (number, function) in (1u32..).zip(rest) {
            let mask = crate::eq(&index, number)?;
            let own = masked(&mask, || function(&args))??;
            result = chosen(NAME, &mask, own, result)?;
        }
        Ok(result)
    };
    if mode == Mode::Evaluated || has_gradients(&args) && mode == Mode::Auto {
        return evaluated();
    }
    match symbolic_switch(NAME, &index, functions, &args) {
        Err(error) if mode == Mode::Auto && crate::ad::is_captured(&error) => evaluated(),
        result => result,
    }
}

/// Every index is that of a function: asked before anything is called, outside of recorded code.
fn check_range(function: &'static str, index: &AnyArray, count: usize) -> Result<()> {
    if crate::ad::is_recording() {
        return Ok(());
    }
    let wrong = crate::any((crate::ge(index, count as u32)? | crate::lt(index, 0)?).ok()?, ())?;
    match wrong.to_bool()? {
        true => {
            let (argument, rule) = ("index", "below the number of functions");
            let value = format!("not below {count} for some thread");
            Err(Error::InvalidArgument { function, argument, value, rule })
        }
        false => Ok(()),
    }
}

fn symbolic_switch<A: Traverse, R: Traverse>(
    function: &'static str,
    index: &AnyArray,
    functions: &[Branch<'_, A, R>],
    args: &A,
) -> Result<R> {
    if has_gradients(args) {
        return Err(Error::CapturedGradient { function });
    }
    let size = index.len();
    let shared = std::cell::RefCell::new((None::<R>, Carrier::new()));
    let call = |arrays: &Vec<Array>, f: &dyn Fn(&A) -> Result<R>| {
        let one = || {
            let result = of_threads(size, || recorded(|| f(&with_cores(args, arrays)?)))?;
            without_gradients(function, &result)?;
            let made = &mut shared.borrow_mut().0;
            if let Some(first) = made.as_ref() {
                check_state(function, &names(first), first, &result)?;
            }
            let flat = cores(&result);
            made.get_or_insert(result);
            flat.into_iter().map(|x| wide(x, size)).collect::<Result<Vec<Array>>>()
        };
        let result = one();
        shared.borrow_mut().1.carry(result)
    };
    let branches: Vec<_> = functions.iter().map(|f| move |arrays: &Vec<Array>| call(arrays, *f)).collect();
    let branches: Vec<f::Branch<'_, Vec<Array>, Vec<Array>>> = branches.iter().map(|b| b as _).collect();
    let leaf = index.core_of(function)?;
    let result = f::switch(leaf, &branches, cores(args));
    let (made, carrier) = shared.into_inner();
    let result = carrier.finish(result)?;
    let made = made.ok_or(Error::NotSupported { function, ty: index.ty() })?;
    with_cores(&made, &result)
}

/// What a function gives of the instance that each thread has: [`switch`] with the instances in the place of functions.
///
/// # Errors
/// As [`switch`].
pub fn dispatch<T, A: Traverse + Clone, R: Traverse>(
    instances: &[T],
    index: impl IntoArg,
    function: impl Fn(&T, &A) -> Result<R>,
    args: A,
    mode: Mode,
) -> Result<R> {
    let calls: Vec<_> = instances.iter().map(|instance| |args: &A| function(instance, args)).collect();
    let calls: Vec<Branch<'_, A, R>> = calls.iter().map(|call| call as _).collect();
    switch(index, &calls, args, mode)
}

/// Evaluates what is pending of a value, in one kernel where it can be.
///
/// # Errors
/// Those of the evaluation.
pub fn eval<T: Traverse>(value: &T) -> Result<()> {
    let leaves = leaves(value);
    Ok(f::evaluate(leaves.iter().map(|leaf| &leaf.array))?)
}
