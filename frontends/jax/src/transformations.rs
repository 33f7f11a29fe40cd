//! Transformations of functions: `grad`, `value_and_grad`, `vjp`, `jvp`, `jacobian`, `hessian`, `vmap`, `jit`, `checkpoint`, `custom_vjp`,
//! `custom_jvp`.
//!
//! What a function takes and gives are trees of arrays ([`Tree`]): arrays, lists, tuples and structs of them. Several
//! arguments are a tuple.

use crate::Array;
use ivy_core::functional::{self, Keep};
pub use ivy_core::functional::{Vjp, Vmap};
use ivy_core::nest::Tree;
use ivy_core::{Array as IvyArray, Dtype, Result, Shape};
use ivy_frontend::weak_types;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// The function that gives the gradient of a function's result, which has no axes, by its argument.
///
/// ```
/// use ivy_frontend_jax::{Array, grad, numpy};
/// # use ivy_backend_ndarray as _;
/// let slope = grad(|x: &Array| numpy::sum(numpy::square(x, ())?, ()));
/// let x = Array::new([1.0, -2.0])?;
/// assert_eq!(slope(&x)?.ivy_array().to_vec::<f32>()?, [2.0, -4.0]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// Those of the function; [`ShapeMismatch`](ivy_core::ErrorKind::ShapeMismatch) for a result with axes.
pub fn grad<T: Tree>(fun: impl Fn(&T) -> Result<Array>) -> impl Fn(&T) -> Result<T> {
    functional::grad(plain(fun))
}

/// Likewise with the result itself first.
///
/// # Errors
/// As [`grad`].
pub fn value_and_grad<T: Tree>(fun: impl Fn(&T) -> Result<Array>) -> impl Fn(&T) -> Result<(Array, T)> {
    let both = functional::value_and_grad(plain(fun));
    move |x| both(x).map(|(value, gradient)| (Array::from(value), gradient))
}

/// A function of trees whose result is an array by itself.
fn plain<T>(fun: impl Fn(&T) -> Result<Array>) -> impl Fn(&T) -> Result<IvyArray> {
    move |x| fun(x).map(Array::into_ivy_array)
}

/// The result, and what takes cotangents of it back to the argument.
///
/// # Errors
/// Those of the function.
pub fn vjp<T: Tree, R: Tree>(fun: impl Fn(&T) -> Result<R>, primals: &T) -> Result<(R, Vjp<T, R>)> {
    functional::vjp(fun, primals)
}

/// The result, and its change along that of the argument.
///
/// # Errors
/// Those of the function; [`ShapeMismatch`](ivy_core::ErrorKind::ShapeMismatch) for tangents of other shapes than the argument's.
pub fn jvp<T: Tree, R: Tree>(fun: impl Fn(&T) -> Result<R>, primals: &T, tangents: &T) -> Result<(R, R)> {
    functional::jvp(fun, primals, tangents)
}

/// A function of one array that gives another one.
fn one(fun: impl Fn(&Array) -> Result<Array>) -> impl Fn(&IvyArray) -> Result<IvyArray> {
    move |x| fun(&Array::from(x.clone())).map(Array::into_ivy_array)
}

/// The function that gives the derivatives of each element of the result by each of the argument: the axes of the result
/// come first.
///
/// # Errors
/// Those of the function.
pub fn jacobian(fun: impl Fn(&Array) -> Result<Array>) -> impl Fn(&Array) -> Result<Array> {
    let all = functional::jacobian(one(fun));
    move |x| all(x.ivy_array()).map(Array::from)
}

/// The function that gives the second derivatives of a result without axes.
///
/// # Errors
/// Those of the function.
pub fn hessian(fun: impl Fn(&Array) -> Result<Array>) -> impl Fn(&Array) -> Result<Array> {
    let all = functional::hessian(one(fun));
    move |x| all(x.ivy_array()).map(Array::from)
}

/// The function that does with a batch what a function does with one entry. `()` maps over the first axes;
/// [`Vmap`] says others.
///
/// # Errors
/// Those of the function; [`ShapeMismatch`](ivy_core::ErrorKind::ShapeMismatch) for batches of different lengths.
pub fn vmap<T: Tree, R: Tree>(
    fun: impl Fn(&T) -> Result<R>,
    axes: impl Into<Vmap>,
) -> impl Fn(&T) -> Result<R> {
    functional::vmap(fun, axes)
}

/// The function without the cost of its calls: run once for each kind of arguments, and replayed after that by the
/// backends that record.
///
/// ```
/// use ivy_frontend_jax::{Array, jit, numpy};
/// # use ivy_backend_ndarray as _;
/// let scaled = jit(|(x, y): &(Array, Array)| numpy::add(numpy::multiply(x, 2.0, ())?, y, ()));
/// let pair = (Array::new([1.0, 2.0])?, Array::new([0.5, 0.5])?);
/// assert_eq!(scaled(&pair)?.ivy_array().to_vec::<f32>()?, [2.5, 4.5]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// Those of the function; [`InvalidArgument`](ivy_core::ErrorKind::InvalidArgument) for an argument of another structure than the
/// first call's.
pub fn jit<T: Tree, R: Tree>(fun: impl Fn(&T) -> Result<R>) -> impl Fn(&T) -> Result<R> {
    let fun = Rc::new(fun);
    let state = Rc::new(Structures { argument: RefCell::new(None), results: RefCell::new(HashMap::new()) });
    let compiled = functional::compile({
        let (fun, state) = (fun.clone(), state.clone());
        move |arrays: &Vec<IvyArray>| {
            let made = fun(&state.argument(arrays)?)?;
            let results = made.arrays()?;
            state.results.borrow_mut().insert(kinds(arrays), made);
            Ok(results)
        }
    });
    let paths = OnceCell::new();
    move |argument| {
        let (arrays, own) = (argument.arrays()?, (argument.paths()?, weak_types(argument)?));
        if *paths.get_or_init(|| own.clone()) != own {
            return fun(argument);
        }
        *state.argument.borrow_mut() = Some(argument.with_arrays(arrays.iter().cloned())?);
        let results = compiled.call(&arrays)?;
        match state.results.borrow().get(&kinds(&arrays)) {
            Some(like) => like.with_arrays(results),
            None => unreachable!("what is replayed was run on such arguments"),
        }
    }
}

/// What a function of trees has beside its arrays.
struct Structures<T, R> {
    /// That of the argument of the call that is made.
    argument: RefCell<Option<T>>,
    /// Those of results, by the dtypes and shapes of the arguments.
    results: RefCell<HashMap<Vec<(Dtype, Shape)>, R>>,
}

impl<T: Tree, R> Structures<T, R> {
    fn argument(&self, arrays: &[IvyArray]) -> Result<T> {
        match &*self.argument.borrow() {
            Some(like) => like.with_arrays(arrays.iter().cloned()),
            None => unreachable!("an argument is there before the function is called"),
        }
    }
}

fn kinds(arrays: &[IvyArray]) -> Vec<(Dtype, Shape)> {
    arrays.iter().map(|x| (x.dtype(), x.shape().clone())).collect()
}

/// The function with its inner values computed again for derivatives, and not kept.
///
/// # Errors
/// Those of the function.
pub fn checkpoint<T: Keep, R: Keep>(
    fun: impl Fn(&T) -> Result<R> + Send + Sync + 'static,
) -> impl Fn(&T) -> Result<R> {
    functional::checkpoint(fun)
}

/// A function with a backward rule of its own: `fwd` gives the result and what `bwd` needs, which takes cotangents of the
/// result to those of the argument.
///
/// # Errors
/// Those of the functions.
pub fn custom_vjp<T: Keep, R: Keep, K: Keep>(
    fun: impl Fn(&T) -> Result<R> + Send + Sync + 'static,
    fwd: impl Fn(&T) -> Result<(R, K)> + Send + Sync + 'static,
    bwd: impl Fn(&K, &R) -> Result<T> + Send + Sync + 'static,
) -> impl Fn(&T) -> Result<R> {
    functional::custom_vjp(fun, fwd, bwd)
}

/// A function with a forward rule of its own, which gives the result and its change.
///
/// # Errors
/// Those of the functions.
pub fn custom_jvp<T: Keep, R: Keep>(
    fun: impl Fn(&T) -> Result<R> + Send + Sync + 'static,
    jvp: impl Fn(&T, &T) -> Result<(R, R)> + Send + Sync + 'static,
) -> impl Fn(&T) -> Result<R> {
    functional::custom_jvp(fun, jvp)
}
