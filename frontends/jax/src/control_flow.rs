//! Control flow of `jax.lax` over trees of arrays: `cond`, `switch`, `while_loop`, `fori_loop`, `scan`, `map`,
//! `associative_scan`.
//!
//! A backend that records makes one kernel of a loop; any other one runs it step by step.

use crate::{Array, JAX};
use ivy_core::context::Defaults;
use ivy_core::functional::{self, AssociativeScan};
use ivy_core::nest::Tree;
use ivy_core::{Array as IvyArray, ErrorKind, Index, Result};

/// The other arrays in the structure of a tree.
fn like<T: Tree>(tree: &T, arrays: &[IvyArray]) -> Result<T> {
    tree.with_arrays(arrays.iter().cloned())
}

/// What one of two functions gives, by a truth value without axes. Both may be run; they give arrays of the same dtypes
/// and shapes.
///
/// # Errors
/// Those of the functions; [`DtypeMismatch`](ErrorKind::DtypeMismatch) for a predicate that is not bool.
pub fn cond<T: Tree, R: Tree>(
    pred: &Array,
    true_fun: impl Fn(&T) -> Result<R>,
    false_fun: impl Fn(&T) -> Result<R>,
    operand: &T,
) -> Result<R> {
    let mut made = None;
    let arrays = {
        let first = |arrays: &Vec<IvyArray>| {
            let result = true_fun(&like(operand, arrays)?)?;
            let arrays = result.arrays()?;
            made = Some(result);
            Ok(arrays)
        };
        let second = |arrays: &Vec<IvyArray>| false_fun(&like(operand, arrays)?)?.arrays();
        functional::if_else(|_| Ok(pred.ivy_array().clone()), first, second, operand.arrays()?)?
    };
    result_of(made, &arrays)
}

fn result_of<R: Tree>(made: Option<R>, arrays: &[IvyArray]) -> Result<R> {
    match made {
        Some(made) => like(&made, arrays),
        None => unreachable!("a branch was run"),
    }
}

/// What the branch of a number gives; numbers beyond the branches are the first or the last one.
///
/// # Errors
/// Those of the branches; [`InvalidArgument`](ErrorKind::InvalidArgument) without branches.
pub fn switch<T: Tree, R: Tree>(
    index: &Array,
    branches: &[functional::Branch<'_, T, R>],
    operand: &T,
) -> Result<R> {
    let last = branches.len().saturating_sub(1) as i64;
    let index = JAX.call("numpy.clip", &[index.into(), 0.into(), last.into()], ().into())?;
    let made = std::cell::RefCell::new(None);
    let wrapped: Vec<_> = branches
        .iter()
        .map(|branch| {
            |arrays: &Vec<IvyArray>| -> Result<Vec<IvyArray>> {
                let result = branch(&like(operand, arrays)?)?;
                let arrays = result.arrays()?;
                *made.borrow_mut() = Some(result);
                Ok(arrays)
            }
        })
        .collect();
    let listed: Vec<functional::Branch<'_, Vec<IvyArray>, Vec<IvyArray>>> =
        wrapped.iter().map(|branch| branch as functional::Branch<'_, _, _>).collect();
    let arrays = match index.as_array() {
        Some(index) => functional::switch(index, &listed, operand.arrays()?)?,
        None => functional::switch(
            index.as_scalar().map_or(0, |s| s.to_i128() as i64),
            &listed,
            operand.arrays()?,
        )?,
    };
    let made = made.borrow_mut().take();
    result_of(made, &arrays)
}

/// Repeats a function on a value while a condition holds. The value keeps its dtypes and shapes.
///
/// # Errors
/// Those of the functions; [`VariableChanged`](ErrorKind::VariableChanged) for an array whose dtype or shape changes.
pub fn while_loop<T: Tree>(
    cond_fun: impl Fn(&T) -> Result<Array>,
    body_fun: impl Fn(&T) -> Result<T>,
    init_val: &T,
) -> Result<T> {
    let arrays = functional::while_loop(
        |arrays: &Vec<IvyArray>| cond_fun(&like(init_val, arrays)?).map(Array::into_ivy_array),
        |arrays: &Vec<IvyArray>| body_fun(&like(init_val, arrays)?)?.arrays(),
        init_val.arrays()?,
    )?;
    like(init_val, &arrays)
}

/// Calls a function with each number from `lower` to before `upper` and a value, which it gives back changed.
///
/// ```
/// use ivy_frontend_jax::{Array, lax, numpy};
/// # use ivy_backend_ndarray as _;
/// let sum = lax::fori_loop(0, 5, |i, x: &Array| numpy::add(x, i, ()), &Array::new(0)?)?;
/// assert_eq!(sum.ivy_array().to_vec::<i32>()?, [10]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// Those of the function; [`VariableChanged`](ErrorKind::VariableChanged) for an array whose dtype or shape changes.
pub fn fori_loop<T: Tree>(
    lower: i64,
    upper: i64,
    body_fun: impl Fn(&Array, &T) -> Result<T>,
    init_val: &T,
) -> Result<T> {
    let int = Defaults::of(JAX.version().rules).int();
    let arrays = functional::for_loop(
        lower..upper.max(lower),
        |iteration, arrays: &Vec<IvyArray>| {
            let iteration = Array::from(functional::astype(iteration, int)?);
            body_fun(&iteration, &like(init_val, arrays)?)?.arrays()
        },
        init_val.arrays()?,
    )?;
    like(init_val, &arrays)
}

/// Calls a function with a carried value and each entry of `xs` along its first axes, and stacks what it gives beside.
///
/// # Errors
/// Those of the function; [`ShapeMismatch`](ErrorKind::ShapeMismatch) for arrays of different lengths or without axes;
/// [`VariableChanged`](ErrorKind::VariableChanged) for a carried array whose dtype or shape changes.
pub fn scan<C: Tree, X: Tree, Y: Tree>(
    f: impl Fn(&C, &X) -> Result<(C, Y)>,
    init: &C,
    xs: &X,
) -> Result<(C, Y)> {
    let arrays = xs.arrays()?;
    let length = length_of("scan", &arrays)?;
    let entry = |i: i64| xs.map_arrays(&mut |_, x| functional::get_item(x, [Index::Int(i)]));
    let mut carried = like(init, &init.arrays()?)?;
    if length == 0 {
        // The structure of what there would be, of nothing.
        let nothing = xs.map_arrays(&mut |_, x| {
            functional::zeros(x.shape()[1..].to_vec(), functional::Filled::new().dtype(x.dtype()))
        })?;
        let (_, y) = f(&carried, &nothing)?;
        let none = y.map_arrays(&mut |_, y| {
            let shape: Vec<usize> = [0].into_iter().chain(y.shape().iter().copied()).collect();
            functional::zeros(shape, functional::Filled::new().dtype(y.dtype()))
        })?;
        return Ok((carried, none));
    }
    let mut given: Vec<Y> = Vec::new();
    for i in 0..length as i64 {
        let (next, y) = f(&carried, &entry(i)?)?;
        unchanged(&carried, &next)?;
        carried = next;
        given.push(y);
    }
    let columns = given.iter().map(Tree::arrays).collect::<Result<Vec<_>>>()?;
    let stacked =
        (0..columns[0].len()).map(|column| functional::stack(columns.iter().map(|row| &row[column]), ()));
    let stacked = stacked.collect::<Result<Vec<_>>>()?;
    Ok((carried, like(&given[0], &stacked)?))
}

/// The common length of the first axes.
fn length_of(function: &'static str, arrays: &[IvyArray]) -> Result<usize> {
    let lengths: Vec<Option<usize>> = arrays.iter().map(|x| x.shape().first().copied()).collect();
    match lengths.first() {
        Some(Some(length)) if lengths.iter().all(|l| *l == Some(*length)) => Ok(*length),
        _ => {
            let actual =
                arrays.iter().find(|x| x.shape().first() != arrays[0].shape().first() || x.ndim() == 0);
            let actual = actual.map_or_else(ivy_core::Shape::default, |x| x.shape().clone());
            let (argument, expected) = ("xs", "first axes of one length".into());
            Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into())
        }
    }
}

fn unchanged<C: Tree>(before: &C, after: &C) -> Result<()> {
    for (variable, (old, new)) in before.arrays()?.iter().zip(after.arrays()?).enumerate() {
        if old.dtype() != new.dtype() || old.shape() != new.shape() {
            let function = "scan";
            let (before, before_shape) = (old.dtype(), old.shape().clone());
            let (after, after_shape) = (new.dtype(), new.shape().clone());
            return Err(ErrorKind::VariableChanged {
                function,
                variable,
                before,
                before_shape,
                after,
                after_shape,
            }
            .into());
        }
    }
    Ok(())
}

/// Calls a function with each entry of `xs` along its first axes, and stacks the results.
///
/// # Errors
/// As [`scan`].
pub fn map<X: Tree, Y: Tree>(f: impl Fn(&X) -> Result<Y>, xs: &X) -> Result<Y> {
    scan(|(): &(), x: &X| Ok(((), f(x)?)), &(), xs).map(|(_, ys)| ys)
}

/// The running results of an associative function along an axis, by a tree of calls.
///
/// # Errors
/// Those of the function; [`AxisOutOfRange`](ErrorKind::AxisOutOfRange).
pub fn associative_scan(
    fun: impl Fn(&Array, &Array) -> Result<Array>,
    elems: &Array,
    reverse: bool,
    axis: i64,
) -> Result<Array> {
    let both = |a: &IvyArray, b: &IvyArray| {
        fun(&Array::from(a.clone()), &Array::from(b.clone())).map(Array::into_ivy_array)
    };
    let params = AssociativeScan::new().axis(axis);
    let params = if reverse { params.reverse() } else { params };
    functional::associative_scan(elems.ivy_array(), both, params).map(Array::from)
}
