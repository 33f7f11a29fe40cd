//! Ivy's functions of nests, on every value that holds arrays.

use super::{Path, Tree};
use crate::{Array, ErrorKind, Result};

/// The same value with what a function makes of each array.
///
/// ```
/// use ivy::prelude::*;
/// let pair = (Array::try_from([1i32, 2])?, vec![Array::try_from([3i32])?]);
/// let (a, b) = ivy::nested_map(|x| ivy::multiply(x, 2), &pair)?;
/// assert_eq!((a.to_vec::<i32>()?, b[0].to_vec::<i32>()?), (vec![2, 4], vec![6]));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// The function's first one; [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for values deeper within each other
/// than [`MAX_DEPTH`](super::MAX_DEPTH).
pub fn nested_map<T: Tree>(mut f: impl FnMut(&Array) -> Result<Array>, x: &T) -> Result<T> {
    x.map_arrays(&mut |_, x| f(x))
}

/// The paths of the arrays for which a function is true, in order.
///
/// ```
/// use ivy::prelude::*;
/// let nest = vec![ivy::zeros(2, ())?, ivy::ones((), Dtype::INT32)?];
/// let whole = ivy::nested_argwhere(&nest, |x| Ok(x.dtype().is_int()))?;
/// assert_eq!(whole[0].to_string(), "[1]");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`nested_map`].
pub fn nested_argwhere<T: Tree>(nest: &T, mut f: impl FnMut(&Array) -> Result<bool>) -> Result<Vec<Path>> {
    let mut found = Vec::new();
    nest.flatten(&mut |path, x| {
        if f(x)? {
            found.push(path.clone());
        }
        Ok(())
    })?;
    Ok(found)
}

/// Whether a function is true for one of the arrays.
///
/// # Errors
/// As [`nested_map`].
pub fn nested_any<T: Tree>(nest: &T, mut f: impl FnMut(&Array) -> Result<bool>) -> Result<bool> {
    let mut any = false;
    nest.flatten(&mut |_, x| {
        any = any || f(x)?;
        Ok(())
    })?;
    Ok(any)
}

/// The array at a path.
///
/// ```
/// use ivy::{nest::Path, prelude::*};
/// let nest = vec![ivy::zeros(2, ())?, ivy::ones(1, ())?];
/// assert_eq!(ivy::index_nest(&nest, &Path::from([1.into()]))?.to_vec::<f32>()?, [1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a path at which no array stands.
pub fn index_nest<T: Tree>(nest: &T, index: &Path) -> Result<Array> {
    let mut found = None;
    nest.flatten(&mut |path, x| {
        if path == index {
            found = Some(x.clone());
        }
        Ok(())
    })?;
    found.ok_or_else(|| no_array("index_nest", index))
}

/// The same value with another array at a path.
///
/// ```
/// use ivy::{nest::Path, prelude::*};
/// let nest = (ivy::zeros(2, ())?, ivy::ones(1, ())?);
/// let changed = ivy::set_nest_at_index(&nest, &Path::from([0.into()]), &nest.1)?;
/// assert_eq!(changed.0.to_vec::<f32>()?, [1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`index_nest`].
pub fn set_nest_at_index<T: Tree>(nest: &T, index: &Path, value: &Array) -> Result<T> {
    changed("set_nest_at_index", nest, index, |_| Ok(value.clone()))
}

/// The same value with what a function makes of the array at a path.
///
/// # Errors
/// The function's; else as [`index_nest`].
pub fn map_nest_at_index<T: Tree>(
    nest: &T,
    index: &Path,
    f: impl FnMut(&Array) -> Result<Array>,
) -> Result<T> {
    changed("map_nest_at_index", nest, index, f)
}

fn changed<T: Tree>(
    function: &'static str,
    nest: &T,
    index: &Path,
    mut f: impl FnMut(&Array) -> Result<Array>,
) -> Result<T> {
    let mut found = false;
    let made = nest.map_arrays(&mut |path, x| {
        if path != index {
            return Ok(x.clone());
        }
        found = true;
        f(x)
    })?;
    if found { Ok(made) } else { Err(no_array(function, index)) }
}

fn no_array(function: &'static str, index: &Path) -> crate::Error {
    let rule = "a path at which an array stands";
    ErrorKind::InvalidArgument { function, argument: "index", value: index.to_string(), rule }.into()
}
