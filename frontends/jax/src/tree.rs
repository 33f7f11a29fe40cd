//! Trees of arrays, as `jax.tree` has them: what [`Tree`] is implemented for.

use crate::Array;
use ivy_core::Result;
pub use ivy_core::nest::Tree;

/// The arrays of a tree, in order.
///
/// # Errors
/// [`InvalidArgument`](ivy_core::ErrorKind::InvalidArgument) for values too deep within each other.
pub fn leaves<T: Tree>(tree: &T) -> Result<Vec<Array>> {
    Ok(tree.arrays()?.into_iter().map(Array::from).collect())
}

/// The arrays of a tree, and its structure: a tree that [`unflatten`] puts other arrays in.
///
/// # Errors
/// As [`leaves`].
pub fn flatten<T: Tree>(tree: &T) -> Result<(Vec<Array>, T)> {
    let arrays = tree.arrays()?;
    let structure = tree.with_arrays(arrays.iter().cloned())?;
    Ok((arrays.into_iter().map(Array::from).collect(), structure))
}

/// A tree of a structure with other arrays.
///
/// # Errors
/// [`InvalidArgument`](ivy_core::ErrorKind::InvalidArgument) for more or fewer arrays than the structure has.
pub fn unflatten<T: Tree>(structure: &T, leaves: impl IntoIterator<Item = Array>) -> Result<T> {
    structure.with_arrays(leaves.into_iter().map(Array::into_ivy_array))
}

/// The tree with what a function makes of each array.
///
/// ```
/// use ivy_frontend_jax::{Array, numpy, tree};
/// # use ivy_backend_ndarray as _;
/// let pair = (Array::new([1.0, 2.0])?, Array::new([3])?);
/// let twice = tree::map(|x| numpy::add(x, x, ()), &pair)?;
/// assert_eq!(twice.0.ivy_array().to_vec::<f32>()?, [2.0, 4.0]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// Those of the function.
pub fn map<T: Tree>(f: impl Fn(&Array) -> Result<Array>, tree: &T) -> Result<T> {
    tree.map_arrays(&mut |_, x| f(&Array::from(x.clone())).map(Array::into_ivy_array))
}

/// The tree with what a function makes of each array and the one in its place in another tree.
///
/// # Errors
/// Those of the function; [`InvalidArgument`](ivy_core::ErrorKind::InvalidArgument) for trees of different numbers of arrays.
pub fn map2<T: Tree, U: Tree>(f: impl Fn(&Array, &Array) -> Result<Array>, tree: &T, other: &U) -> Result<T> {
    let pairs = leaves(tree)?.into_iter().zip(leaves(other)?);
    let made = pairs.map(|(a, b)| f(&a, &b)).collect::<Result<Vec<_>>>()?;
    unflatten(tree, made)
}

/// What a function makes of the arrays, one after the other, from a first value on.
///
/// # Errors
/// Those of the function.
pub fn reduce<T: Tree, A>(function: impl Fn(A, &Array) -> Result<A>, tree: &T, initializer: A) -> Result<A> {
    leaves(tree)?.iter().try_fold(initializer, function)
}

/// Whether all arrays are true.
///
/// # Errors
/// [`ShapeMismatch`](ivy_core::ErrorKind::ShapeMismatch) for an array of several elements.
pub fn all<T: Tree>(tree: &T) -> Result<bool> {
    reduce(|so_far, x| Ok(so_far && x.ivy_array().to_scalar()?.to_bool()), tree, true)
}
