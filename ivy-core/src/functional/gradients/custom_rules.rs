//! Custom derivative rules, and rematerialization.

use crate::functional::gradients::transforms::vjp;
use crate::nest::Tree;
use crate::transform::{self, Reverse};
use crate::{Array, Result};
use std::sync::{Arc, Mutex, PoisonError};

/// A value that holds arrays and is kept for a derivative.
pub trait Keep: Tree + Send + Sync + 'static {}

impl<T: Tree + Send + Sync + 'static> Keep for T {}

fn copy<T: Tree>(x: &T) -> Result<T> {
    x.with_arrays(x.arrays()?)
}

/// What a call's values are like, of which its rules see arrays only.
struct Like<T>(Mutex<Option<T>>);

impl<T: Tree> Like<T> {
    fn new() -> Arc<Like<T>> {
        Arc::new(Like(Mutex::new(None)))
    }

    fn set(&self, value: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    }

    fn of(&self, arrays: &[Array]) -> Result<T> {
        match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(value) => value.with_arrays(arrays.iter().cloned()),
            None => unreachable!("the function was called before its rule"),
        }
    }
}

/// Custom vector-Jacobian product: a function whose reverse mode is a rule: under [`vjp`](crate::functional::vjp) and
/// [`grad`](crate::functional::grad), `forward` is called in its place, which gives its results and what is kept, and
/// on the way back `backward` makes the argument's cotangents of what was kept and of the results' cotangents.
/// Derivatives of the derivative are those of the ops that the rules call; a function that is mapped by
/// [`vmap`](crate::functional::vmap) has its rules mapped.
///
/// ```
/// use ivy::prelude::*;
/// // The logarithm of 1 + e^x, whose derivative does not overflow.
/// let softplus = ivy::custom_vjp(
///     |x: &Array| ivy::log1p(ivy::exp(x)?),
///     |x: &Array| Ok((ivy::log1p(ivy::exp(x)?)?, x.clone())),
///     |x: &Array, c: &Array| ivy::divide(c, ivy::add(ivy::exp(ivy::negative(x)?)?, 1.0)?),
/// );
/// let x = Array::from_vec(vec![200.0f32], [])?;
/// assert_eq!(ivy::grad(softplus)(&x)?.item::<f32>()?, 1.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Of the function that it gives: those of the three; [`NotTransformable`](crate::ErrorKind::NotTransformable) in
/// forward mode, for cotangents of other dtypes or shapes than the arguments', and for functions that use other
/// arrays that are differentiated.
pub fn custom_vjp<T: Keep, R: Keep, K: Keep>(
    f: impl Fn(&T) -> Result<R> + Send + Sync + 'static,
    forward: impl Fn(&T) -> Result<(R, K)> + Send + Sync + 'static,
    backward: impl Fn(&K, &R) -> Result<T> + Send + Sync + 'static,
) -> impl Fn(&T) -> Result<R> {
    reverse(Arc::new(f), Arc::new(forward), Arc::new(backward), false)
}

/// A function that takes part in calls by its rules.
fn reverse<T: Keep, R: Keep, K: Keep>(
    f: Arc<impl Fn(&T) -> Result<R> + Send + Sync + 'static>,
    forward: Arc<impl Fn(&T) -> Result<(R, K)> + Send + Sync + 'static>,
    backward: Arc<impl Fn(&K, &R) -> Result<T> + Send + Sync + 'static>,
    has_jvp: bool,
) -> impl Fn(&T) -> Result<R> {
    move |argument| {
        let (like, results, kept) = (Like::new(), Like::new(), Like::new());
        like.set(copy(argument)?);
        let plain = {
            let (f, like, results) = (f.clone(), like.clone(), results.clone());
            move |arrays: &[Array]| -> Result<Vec<Array>> {
                let made = f(&like.of(arrays)?)?;
                let arrays = made.arrays()?;
                results.set(made);
                Ok(arrays)
            }
        };
        let forward = {
            let (forward, results, kept) = (forward.clone(), results.clone(), kept.clone());
            move |arrays: &[Array]| -> Result<(Vec<Array>, Vec<Array>)> {
                let (made, more) = forward(&like.of(arrays)?)?;
                let both = (made.arrays()?, more.arrays()?);
                results.set(made);
                kept.set(more);
                Ok(both)
            }
        };
        let backward = {
            let (backward, results) = (backward.clone(), results.clone());
            move |more: &[Array], cotangents: &[Array]| -> Result<Vec<Option<Array>>> {
                let made = backward(&kept.of(more)?, &results.of(cotangents)?)?;
                Ok(made.arrays()?.into_iter().map(Some).collect())
            }
        };
        let (f, forward, backward) = (Arc::new(plain), Arc::new(forward), Arc::new(backward));
        let arrays = transform::custom_vjp(&Reverse { f, forward, backward, has_jvp }, &argument.arrays()?)?;
        results.of(&arrays)
    }
}

/// Custom Jacobian-vector product: a function whose forward mode is a rule, and so its reverse mode, which transposes
/// what the rule does with tangents: it calls linear functions of them. The rule takes the argument and its tangents,
/// and gives the results and theirs.
///
/// ```
/// use ivy::prelude::*;
/// // The distance to the next integer, as if it was a straight line.
/// let fraction = ivy::custom_jvp(
///     |x: &Array| ivy::subtract(x, ivy::floor(x)?),
///     |x: &Array, t: &Array| Ok((ivy::subtract(x, ivy::floor(x)?)?, ivy::multiply(t, 2.0)?)),
/// );
/// let x = Array::from_vec(vec![1.25f64], [])?;
/// assert_eq!(ivy::jvp(&fraction, &x, &x)?.1.item::<f64>()?, 2.5);
/// assert_eq!(ivy::grad(fraction)(&x)?.item::<f64>()?, 2.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Of the function that it gives: those of the two; [`NotTransformable`](crate::ErrorKind::NotTransformable) for
/// tangents of other dtypes or shapes than the results', and under reverse mode for a rule that is not linear in them.
pub fn custom_jvp<T: Keep, R: Keep>(
    f: impl Fn(&T) -> Result<R> + Send + Sync + 'static,
    rule: impl Fn(&T, &T) -> Result<(R, R)> + Send + Sync + 'static,
) -> impl Fn(&T) -> Result<R> {
    let (f, rule) = (Arc::new(f), Arc::new(rule));
    move |argument| {
        let (like, results) = (Like::new(), Like::new());
        like.set(copy(argument)?);
        let plain = {
            let (f, like, results) = (f.clone(), like.clone(), results.clone());
            move |arrays: &[Array]| -> Result<Vec<Array>> {
                let made = f(&like.of(arrays)?)?;
                let arrays = made.arrays()?;
                results.set(made);
                Ok(arrays)
            }
        };
        let rule = {
            let (rule, results) = (rule.clone(), results.clone());
            move |arrays: &[Array]| -> Result<Vec<Array>> {
                let (primals, tangents) = arrays.split_at(arrays.len() / 2);
                let (made, changes) = rule(&like.of(primals)?, &like.of(tangents)?)?;
                let mut both = made.arrays()?;
                both.extend(changes.arrays()?);
                results.set(made);
                Ok(both)
            }
        };
        let arrays =
            transform::custom_jvp(&(Arc::new(plain) as _), &(Arc::new(rule) as _), &argument.arrays()?)?;
        results.of(&arrays)
    }
}

/// Rematerialization: a function that keeps nothing but its argument for reverse mode: what it computes on the way is
/// computed again on the way back, which takes time and spares memory.
///
/// ```
/// use ivy::prelude::*;
/// let block = ivy::checkpoint(|x: &Array| ivy::sin(ivy::exp(x)?));
/// let x = Array::from_vec(vec![0.0f64], [])?;
/// assert_eq!(ivy::grad(block)(&x)?.item::<f64>()?, 1.0f64.cos());
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Of the function that it gives: those of the function; [`NotTransformable`](crate::ErrorKind::NotTransformable) for one
/// that uses other arrays that are differentiated.
pub fn checkpoint<T: Keep, R: Keep>(
    f: impl Fn(&T) -> Result<R> + Send + Sync + 'static,
) -> impl Fn(&T) -> Result<R> {
    let f = Arc::new(f);
    let (first, again) = (f.clone(), f.clone());
    let forward = move |x: &T| Ok((first(x)?, copy(x)?));
    let backward = move |x: &T, cotangents: &R| vjp(&*again, x)?.1.call(cotangents);
    reverse(f, Arc::new(forward), Arc::new(backward), true)
}
