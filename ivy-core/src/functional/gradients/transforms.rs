//! Derivatives: vector-Jacobian and Jacobian-vector products, gradients, Jacobians, Hessians.
//!
//! They are taken of the ops that a function calls, on any backend, and nest to any order. What a function is
//! differentiated by is a [`Tree`]: an array, or a list, tuple or struct of arrays, all of them floats or complex
//! numbers. Arrays that a function uses beside its argument are constants, as are integers and bools.
//!
//! Complex numbers follow JAX's convention: a cotangent `c` and a tangent `t` are paired as the real part of the sum of
//! `c t`, without conjugates. So the gradient of a real function of `x + i y` is `df/dx - i df/dy`, and the direction of
//! steepest ascent its conjugate.

use crate::functional::reshape;
use crate::nest::{Path, Tree};
use crate::transform::{self, Pullback};
use crate::{Array, Dtype, ErrorKind, Op, Result, Shape};

/// The arrays of a value, all of them floats or complex numbers.
fn differentiable<T: Tree>(function: &'static str, value: &T) -> Result<Vec<Array>> {
    let mut arrays = Vec::new();
    value.flatten(&mut |_: &Path, x| {
        let dtype = x.dtype();
        if !dtype.is_float() && !dtype.is_complex() {
            return Err(ErrorKind::WrongDtypeKind { function, dtype, expected: "float or complex" }.into());
        }
        arrays.push(x.clone());
        Ok(())
    })?;
    Ok(arrays)
}

/// Refuses arrays that have not the dtypes and shapes of others.
fn check_like(function: &'static str, argument: &'static str, given: &[Array], like: &[Array]) -> Result<()> {
    if given.len() != like.len() {
        let value = format!("{} arrays", given.len());
        let rule = "as many arrays as it goes with";
        return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
    }
    for (x, like) in given.iter().zip(like) {
        if x.shape() != like.shape() {
            let (expected, actual) = (like.shape().to_string(), x.shape().clone());
            return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
        }
        if x.dtype() != like.dtype() {
            let (expected, actual) = (like.dtype(), x.dtype());
            return Err(ErrorKind::DtypeMismatch { function, argument, expected, actual }.into());
        }
    }
    Ok(())
}

/// A function of a value as one of a list of arrays, which leaves what it gave behind.
fn listed<'a, T: Tree, R: Tree>(
    f: impl Fn(&T) -> Result<R> + 'a,
    of: &'a T,
    made: &'a mut Option<R>,
) -> impl FnMut(Vec<Array>) -> Result<Vec<Array>> + 'a {
    move |arrays| {
        let results = f(&of.with_arrays(arrays)?)?;
        let arrays = results.arrays()?;
        *made = Some(results);
        Ok(arrays)
    }
}

fn again<R: Tree>(made: Option<R>, arrays: Vec<Array>) -> Result<R> {
    match made {
        Some(made) => made.with_arrays(arrays),
        None => unreachable!("the function was called"),
    }
}

/// What takes cotangents of a function's results back to those of its argument: what [`vjp`] gives.
pub struct Vjp<T, R> {
    argument: T,
    results: R,
    pullback: Pullback,
}

impl<T: Tree, R: Tree> Vjp<T, R> {
    /// The argument's cotangents. May be called again, with others.
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument),
    /// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) or
    /// [`DtypeMismatch`](crate::ErrorKind::DtypeMismatch) for cotangents that are not as the results are, and
    /// those of the ops that compute them.
    pub fn call(&self, cotangents: &R) -> Result<T> {
        let given = cotangents.arrays()?;
        check_like("vjp", "cotangents", &given, &self.results.arrays()?)?;
        let given: Vec<Option<Array>> = given.into_iter().map(Some).collect();
        self.argument.with_arrays(self.pullback.pull(&given)?)
    }
}

/// Vector-Jacobian product: a function's results, and what takes their cotangents back to the argument: reverse mode.
/// Its time is that of the function a few times over, whatever the number of arguments; what the function has computed
/// on the way is kept until then.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, 2.0, 3.0])?;
/// let (y, back) = ivy::vjp(|x: &Array| ivy::square(x), &x)?;
/// assert_eq!(y.to_vec::<f32>()?, [1.0, 4.0, 9.0]);
/// let weights = Array::try_from([1.0f32, 0.0, 10.0])?;
/// assert_eq!(back.call(&weights)?.to_vec::<f32>()?, [2.0, 0.0, 60.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of the function; [`WrongDtypeKind`](crate::ErrorKind::WrongDtypeKind) for an argument of integers or
/// bools; [`NotTransformable`](crate::ErrorKind::NotTransformable) for an op that has no derivative.
pub fn vjp<T: Tree, R: Tree>(f: impl Fn(&T) -> Result<R>, primals: &T) -> Result<(R, Vjp<T, R>)> {
    let arguments = differentiable("vjp", primals)?;
    let mut made = None;
    let (outputs, pullback) = transform::vjp(&mut listed(&f, primals, &mut made), &arguments)?;
    let (results, argument) = (again(made, outputs)?, primals.with_arrays(arguments)?);
    let kept = results.with_arrays(results.arrays()?)?;
    Ok((results, Vjp { argument, results: kept, pullback }))
}

/// Jacobian-vector product: a function's results, and how they change where its argument changes by the tangents:
/// forward mode. Its time is that of the function a few times over for each direction.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([0.0f64, 1.0])?;
/// let direction = Array::try_from([1.0f64, 0.5])?;
/// let (y, change) = ivy::jvp(|x: &Array| ivy::sum(ivy::square(x)?, ()), &x, &direction)?;
/// assert_eq!((y.item::<f64>()?, change.item::<f64>()?), (1.0, 1.0));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`vjp`]; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) or
/// [`DtypeMismatch`](crate::ErrorKind::DtypeMismatch) for tangents that are not as the argument is.
pub fn jvp<T: Tree, R: Tree>(f: impl Fn(&T) -> Result<R>, primals: &T, tangents: &T) -> Result<(R, R)> {
    let arguments = differentiable("jvp", primals)?;
    let given = tangents.arrays()?;
    check_like("jvp", "tangents", &given, &arguments)?;
    let given: Vec<Option<Array>> = given.into_iter().map(Some).collect();
    let mut made = None;
    let (outputs, changes) = transform::jvp(&mut listed(&f, primals, &mut made), &arguments, &given)?;
    let both = outputs.iter().zip(changes);
    let changes = both.map(|(y, change)| change.map_or_else(|| full_like(y, 0.0), Ok));
    let changes: Vec<Array> = changes.collect::<Result<_>>()?;
    let results = again(made, outputs)?;
    let changes = results.with_arrays(changes)?;
    Ok((results, changes))
}

/// An array full of a number, as another one.
fn full_like(x: &Array, value: f64) -> Result<Array> {
    crate::functional::full_like(x, value, ())
}

/// Value and gradient: the function that gives a function's value and its gradient: the function gives one real number.
///
/// ```
/// use ivy::prelude::*;
/// let loss = |(w, b): &(Array, Array)| ivy::sum(ivy::square((w * 3.0 - b).ok()?)?, ());
/// let at = (Array::try_from([1.0f32, 2.0])?, Array::try_from([1.0f32, 1.0])?);
/// let (value, (of_w, of_b)) = ivy::value_and_grad(loss)(&at)?;
/// assert_eq!(value.item::<f32>()?, 29.0);
/// assert_eq!((of_w.to_vec::<f32>()?, of_b.to_vec::<f32>()?), (vec![12.0, 30.0], vec![-4.0, -10.0]));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Of the function that it gives: those of [`vjp`]; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a result
/// with axes, and [`WrongDtypeKind`](crate::ErrorKind::WrongDtypeKind) for one that is no float.
pub fn value_and_grad<T: Tree>(f: impl Fn(&T) -> Result<Array>) -> impl Fn(&T) -> Result<(Array, T)> {
    move |x| {
        let (value, back) = vjp(&f, x)?;
        let (function, dtype) = ("grad", value.dtype());
        if value.ndim() != 0 {
            let (expected, actual) = ("a result without axes".into(), value.shape().clone());
            return Err(ErrorKind::ShapeMismatch { function, argument: "func", expected, actual }.into());
        }
        if !dtype.is_float() {
            return Err(ErrorKind::WrongDtypeKind { function, dtype, expected: "float" }.into());
        }
        let gradient = back.call(&full_like(&value, 1.0)?)?;
        Ok((value, gradient))
    }
}

/// Gradient: the function that gives a function's gradient, as [`value_and_grad`] does.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::from_vec(vec![2.0f64], [])?;
/// let cube = |x: &Array| ivy::pow(x, 3.0);
/// let once = ivy::grad(cube);
/// assert_eq!(once(&x)?.item::<f64>()?, 12.0);
/// assert_eq!(ivy::grad(&once)(&x)?.item::<f64>()?, 12.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Of the function that it gives: those of [`value_and_grad`].
pub fn grad<T: Tree>(f: impl Fn(&T) -> Result<Array>) -> impl Fn(&T) -> Result<T> {
    let both = value_and_grad(f);
    move |x| Ok(both(x)?.1)
}

/// Stopped gradient: the array as a constant: nothing before it has a part in derivatives.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::from_vec(vec![3.0f32], [])?;
/// let f = |x: &Array| ivy::multiply(x, ivy::stop_gradient(x));
/// assert_eq!(ivy::grad(f)(&x)?.item::<f32>()?, 3.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// None of its own; it is a `Result` so that it stands where other functions do.
pub fn stop_gradient(x: &Array) -> Result<Array> {
    transform::stop_gradient(x)
}

/// For each element an array in which it is one and all others are zero, one after the other.
fn basis(like: &Array) -> Result<Array> {
    let (backend, count) = (like.backend(), like.size());
    let op = Op::Eye { rows: count, cols: count, k: 0, dtype: like.dtype() };
    let units = Array::from_value(backend.clone(), backend.execute_one(&op, &[])?);
    reshape(units, std::iter::once(count).chain(like.shape().iter().copied()).collect::<Shape>(), ())
}

/// Refuses results that have no derivative.
fn check_float(function: &'static str, y: &Array) -> Result<()> {
    let dtype: Dtype = y.dtype();
    match dtype.is_float() || dtype.is_complex() {
        true => Ok(()),
        false => Err(ErrorKind::WrongDtypeKind { function, dtype, expected: "float or complex" }.into()),
    }
}

/// The derivatives of nothing, or by nothing.
fn no_elements(y: &Array, x: &Array) -> Result<Option<Array>> {
    if y.size() != 0 && x.size() != 0 {
        return Ok(None);
    }
    let shape: Shape = y.shape().iter().chain(x.shape().iter()).copied().collect();
    let zeros = crate::functional::zeros(shape, crate::functional::Filled::new().dtype(y.dtype()))?;
    zeros.to_backend(x.backend()).map(Some)
}

/// The derivatives by rows: one cotangent for each element of the result.
fn rows(y: &Array, x: &Array, back: &Vjp<Array, Array>) -> Result<Array> {
    let shape: Shape = y.shape().iter().chain(x.shape().iter()).copied().collect();
    reshape(crate::functional::vmap(|c: &Array| back.call(c), ())(&basis(y)?)?, shape, ())
}

/// The derivatives by columns: one tangent for each element of the argument.
fn columns(f: impl Fn(&Array) -> Result<Array>, y: &Array, x: &Array) -> Result<Array> {
    let shape: Shape = y.shape().iter().chain(x.shape().iter()).copied().collect();
    let column = |t: &Array| Ok(jvp(&f, x, t)?.1);
    reshape(
        crate::functional::vmap(column, crate::functional::Vmap::new().out_axes([-1]))(&basis(x)?)?,
        shape,
        (),
    )
}

/// Jacobian: the function that gives the derivative of each element of a function's result by each element of its
/// argument, with the axes of the result and then those of the argument: by reverse mode where the result is the
/// smaller one, else by forward mode. Where the one has no rule for what the function does, the other is taken.
/// [`jacrev`] and [`jacfwd`] are one of them alone.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f64, 2.0])?;
/// let reversed = |x: &Array| ivy::multiply(ivy::flip(x, ())?, Array::try_from([1.0f64, 10.0])?);
/// assert_eq!(ivy::jacobian(reversed)(&x)?.to_vec::<f64>()?, [0.0, 1.0, 10.0, 0.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Of the function that it gives: those of [`vjp`] and [`jvp`]; [`WrongDtypeKind`](crate::ErrorKind::WrongDtypeKind)
/// for an argument or a result of integers or bools.
pub fn jacobian(f: impl Fn(&Array) -> Result<Array>) -> impl Fn(&Array) -> Result<Array> {
    move |x| {
        check_float("jacobian", x)?;
        let (y, back) = match vjp(&f, x) {
            Ok(done) => done,
            // What has no reverse rule may have a forward one.
            Err(error) if matches!(error.kind(), ErrorKind::NotTransformable { .. }) => {
                return jacfwd(&f)(x).map_err(|_| error);
            }
            Err(error) => return Err(error),
        };
        check_float("jacobian", &y)?;
        if let Some(none) = no_elements(&y, x)? {
            return Ok(none);
        }
        // What is real has the same derivative both ways.
        let either = y.dtype().is_float() && x.dtype().is_float();
        if either && y.size() <= x.size() {
            return rows(&y, x, &back);
        }
        match columns(&f, &y, x) {
            Err(error) if either && matches!(error.kind(), ErrorKind::NotTransformable { .. }) => {
                rows(&y, x, &back).map_err(|_| error)
            }
            done => done,
        }
    }
}

/// Reverse-mode Jacobian: a row for each element of the result. Of complex numbers it is that of a holomorphic
/// function.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f64, 2.0])?;
/// let outer = |x: &Array| ivy::multiply(ivy::reshape(x, [2, 1], ())?, x);
/// assert_eq!(ivy::jacrev(outer)(&x)?.to_vec::<f64>()?, [2.0, 0.0, 2.0, 1.0, 2.0, 1.0, 0.0, 4.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Of the function that it gives: those of [`vjp`]; [`WrongDtypeKind`](crate::ErrorKind::WrongDtypeKind) for an
/// argument or a result of integers or bools.
pub fn jacrev(f: impl Fn(&Array) -> Result<Array>) -> impl Fn(&Array) -> Result<Array> {
    move |x| {
        check_float("jacrev", x)?;
        let (y, back) = vjp(&f, x)?;
        check_float("jacrev", &y)?;
        match no_elements(&y, x)? {
            Some(none) => Ok(none),
            None => rows(&y, x, &back),
        }
    }
}

/// Forward-mode Jacobian: a column for each element of the argument.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f64, 2.0])?;
/// assert_eq!(ivy::jacfwd(|x: &Array| ivy::square(x))(&x)?.to_vec::<f64>()?, [2.0, 0.0, 0.0, 4.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Of the function that it gives: those of [`jvp`]; [`WrongDtypeKind`](crate::ErrorKind::WrongDtypeKind) for an
/// argument or a result of integers or bools.
pub fn jacfwd(f: impl Fn(&Array) -> Result<Array>) -> impl Fn(&Array) -> Result<Array> {
    move |x| {
        check_float("jacfwd", x)?;
        let (y, _) = jvp(&f, x, &full_like(x, 0.0)?)?;
        check_float("jacfwd", &y)?;
        match no_elements(&y, x)? {
            Some(none) => Ok(none),
            None => columns(&f, &y, x),
        }
    }
}

/// Hessian: the function that gives the second derivatives of a function of one real number: [`jacobian`] of [`grad`].
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f64, 2.0])?;
/// let f = |x: &Array| ivy::prod(ivy::square(x)?, ());
/// assert_eq!(ivy::hessian(f)(&x)?.to_vec::<f64>()?, [8.0, 8.0, 8.0, 2.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Of the function that it gives: those of [`jacobian`] and [`grad`].
pub fn hessian(f: impl Fn(&Array) -> Result<Array>) -> impl Fn(&Array) -> Result<Array> {
    jacobian(grad(f))
}

/// [`vjp`] of a function that gives a pair: its results, and what else it gives, which has no part in derivatives.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f64, 2.0])?;
/// let f = |x: &Array| Ok((ivy::sum(ivy::square(x)?, ())?, ivy::max(x, ())?));
/// let (y, back, greatest) = ivy::vjp_with_aux(f, &x)?;
/// assert_eq!((y.item::<f64>()?, greatest.item::<f64>()?), (5.0, 2.0));
/// assert_eq!(back.call(&Array::from_vec(vec![1.0f64], [])?)?.to_vec::<f64>()?, [2.0, 4.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`vjp`].
pub fn vjp_with_aux<T: Tree, R: Tree, A: Tree>(
    f: impl Fn(&T) -> Result<(R, A)>,
    primals: &T,
) -> Result<(R, Vjp<T, R>, A)> {
    // The results come first among the arrays, and a place without a cotangent counts as zeros.
    let ((results, aux), Vjp { argument, pullback, .. }) = vjp(f, primals)?;
    let kept = results.with_arrays(results.arrays()?)?;
    Ok((results, Vjp { argument, results: kept, pullback }, aux))
}

/// [`jvp`] of a function that gives a pair: its results, how they change, and what else it gives.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f64, 2.0])?;
/// let f = |x: &Array| Ok((ivy::sum(ivy::square(x)?, ())?, ivy::max(x, ())?));
/// let (y, change, greatest) = ivy::jvp_with_aux(f, &x, &x)?;
/// assert_eq!([y.item::<f64>()?, change.item::<f64>()?, greatest.item::<f64>()?], [5.0, 10.0, 2.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`jvp`].
pub fn jvp_with_aux<T: Tree, R: Tree, A: Tree>(
    f: impl Fn(&T) -> Result<(R, A)>,
    primals: &T,
    tangents: &T,
) -> Result<(R, R, A)> {
    let ((results, aux), (changes, _)) = jvp(f, primals, tangents)?;
    Ok((results, changes, aux))
}

/// A function's linear approximation at a point: what [`linearize`] gives.
pub struct Linearized<F, T, R> {
    function: F,
    argument: T,
    results: R,
    pullback: Pullback,
}

impl<F: Fn(&T) -> Result<R>, T: Tree, R: Tree> Linearized<F, T, R> {
    /// How the results change where the argument changes by the tangents. May be called again, with others.
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument),
    /// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) or
    /// [`DtypeMismatch`](crate::ErrorKind::DtypeMismatch) for tangents that are not as the argument is, and
    /// those of the ops that compute the changes.
    pub fn call(&self, tangents: &T) -> Result<R> {
        let given = tangents.arrays()?;
        check_like("linearize", "tangents", &given, &self.argument.arrays()?)?;
        match self.pullback.push(&given)? {
            None => Ok(jvp(&self.function, &self.argument, tangents)?.1),
            Some(changes) => {
                let results = self.results.arrays()?;
                let both = changes.into_iter().zip(&results);
                let changes = both.map(|(change, y)| change.map_or_else(|| full_like(y, 0.0), Ok));
                self.results.with_arrays(changes.collect::<Result<Vec<_>>>()?)
            }
        }
    }
}

/// Linearization: a function's results, and its linear approximation there, which takes tangents of the argument to
/// those of the results: [`jvp`], of which the function is computed once for many tangents.
///
/// A part with a reverse rule of its own ([`checkpoint`](crate::functional::checkpoint)) is computed again for each.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f64, 2.0])?;
/// let (y, along) = ivy::linearize(|x: &Array| ivy::sum(ivy::square(x)?, ()), &x)?;
/// assert_eq!(y.item::<f64>()?, 5.0);
/// assert_eq!(along.call(&x)?.item::<f64>()?, 10.0);
/// assert_eq!(along.call(&Array::try_from([0.0f64, 1.0])?)?.item::<f64>()?, 4.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`vjp`].
pub fn linearize<F: Fn(&T) -> Result<R>, T: Tree, R: Tree>(
    f: F,
    primals: &T,
) -> Result<(R, Linearized<F, T, R>)> {
    let (results, Vjp { argument, results: kept, pullback }) = vjp(&f, primals)?;
    Ok((results, Linearized { function: f, argument, results: kept, pullback }))
}
