//! Values that hold arrays.

use super::{Nest, Path, Step};
use crate::{Array, ErrorKind, Result, Scalar};
use std::collections::BTreeMap;

/// What is called with each array and where it stands.
pub type Visit<'a> = &'a mut dyn FnMut(&Path, &Array) -> Result<()>;

/// What makes another array of each, told where it stands.
pub type Change<'a> = &'a mut dyn FnMut(&Path, &Array) -> Result<Array>;

/// A value that holds arrays: an array, lists, tuples, options and maps of such values, a [`Nest`] of arrays, and structs
/// and enums with `#[derive(Tree)]`. Functions of nests, and gradients with respect to several arrays, take any of them.
///
/// The arrays have an order, that of fields and entries, and each a [`Path`]. Plain data (numbers, truth values, strings)
/// holds no arrays, and stays as it is; a field with `#[tree(skip)]` is taken for such, whatever it is, and is cloned.
///
/// ```
/// use ivy::{Tree, prelude::*};
///
/// #[derive(Tree)]
/// struct Linear {
///     weight: Array,
///     bias: Option<Array>,
///     #[tree(skip)]
///     name: &'static str,
/// }
///
/// let layer = Linear { weight: ivy::ones([2, 2], ())?, bias: Some(ivy::zeros(2, ())?), name: "first" };
/// let more = layer.map_arrays(&mut |_, x| ivy::add(x, 1))?;
/// assert_eq!(more.bias.as_ref().unwrap().to_vec::<f32>()?, [1.0, 1.0]);
/// let paths: Vec<String> = layer.paths()?.iter().map(ToString::to_string).collect();
/// assert_eq!((paths, more.name), (vec!["weight".into(), "bias".into()], "first"));
/// # Ok::<(), ivy::Error>(())
/// ```
pub trait Tree: Sized {
    /// Calls a function with each array, with its path, that begins with `path`.
    ///
    /// # Errors
    /// The function's first one, and that of [`Path::within`].
    fn flatten_at(&self, path: &mut Path, visit: Visit<'_>) -> Result<()>;

    /// The same value with what a function makes of each array.
    ///
    /// # Errors
    /// The function's first one, and that of [`Path::within`].
    fn map_arrays_at(&self, path: &mut Path, change: Change<'_>) -> Result<Self>;

    /// Calls a function with each array and its path, in order.
    ///
    /// # Errors
    /// The function's first one; [`ErrorKind::InvalidArgument`] for values deeper within each other than
    /// [`MAX_DEPTH`](super::MAX_DEPTH).
    fn flatten(&self, visit: Visit<'_>) -> Result<()> {
        self.flatten_at(&mut Path::new(), visit)
    }

    /// The same value with what a function makes of each array, in order.
    ///
    /// # Errors
    /// As [`flatten`](Tree::flatten).
    fn map_arrays(&self, change: Change<'_>) -> Result<Self> {
        self.map_arrays_at(&mut Path::new(), change)
    }

    /// The arrays in order.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] for values too deep within each other.
    fn arrays(&self) -> Result<Vec<Array>> {
        let mut arrays = Vec::new();
        self.flatten(&mut |_, x| {
            arrays.push(x.clone());
            Ok(())
        })?;
        Ok(arrays)
    }

    /// The paths of the arrays, in order.
    ///
    /// # Errors
    /// As [`arrays`](Tree::arrays).
    fn paths(&self) -> Result<Vec<Path>> {
        let mut paths = Vec::new();
        self.flatten(&mut |path, _| {
            paths.push(path.clone());
            Ok(())
        })?;
        Ok(paths)
    }

    /// The same value with other arrays, in order: the inverse of [`arrays`](Tree::arrays).
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] for more or fewer arrays than there are, or values too deep within each other.
    fn with_arrays(&self, arrays: impl IntoIterator<Item = Array>) -> Result<Self> {
        let wrong = |value: &str| -> crate::Error {
            let (function, argument, rule) = ("with_arrays", "arrays", "one for each array of the value");
            ErrorKind::InvalidArgument { function, argument, value: value.into(), rule }.into()
        };
        let mut left = arrays.into_iter();
        let made = self.map_arrays(&mut |_, _| left.next().ok_or_else(|| wrong("too few")))?;
        match left.next() {
            None => Ok(made),
            Some(_) => Err(wrong("too many")),
        }
    }
}

impl Tree for Array {
    fn flatten_at(&self, path: &mut Path, visit: Visit<'_>) -> Result<()> {
        visit(path, self)
    }

    fn map_arrays_at(&self, path: &mut Path, change: Change<'_>) -> Result<Array> {
        change(path, self)
    }
}

impl Tree for Nest<Array> {
    fn flatten_at(&self, path: &mut Path, visit: Visit<'_>) -> Result<()> {
        self.try_map(|own, x| at(path, own, |path| visit(path, x))).map(drop)
    }

    fn map_arrays_at(&self, path: &mut Path, change: Change<'_>) -> Result<Nest<Array>> {
        self.try_map(|own, x| at(path, own, |path| change(path, x)))
    }
}

/// What a function gives with a path behind another one.
fn at<R>(path: &mut Path, more: &Path, f: impl FnOnce(&Path) -> R) -> R {
    more.steps().iter().for_each(|step| path.push(step.clone()));
    let result = f(path);
    more.steps().iter().for_each(|_| drop(path.pop()));
    result
}

impl<T: Tree> Tree for Option<T> {
    fn flatten_at(&self, path: &mut Path, visit: Visit<'_>) -> Result<()> {
        self.as_ref().map_or(Ok(()), |inner| inner.flatten_at(path, visit))
    }

    fn map_arrays_at(&self, path: &mut Path, change: Change<'_>) -> Result<Option<T>> {
        self.as_ref().map(|inner| inner.map_arrays_at(path, change)).transpose()
    }
}

impl<T: Tree> Tree for Box<T> {
    fn flatten_at(&self, path: &mut Path, visit: Visit<'_>) -> Result<()> {
        (**self).flatten_at(path, visit)
    }

    fn map_arrays_at(&self, path: &mut Path, change: Change<'_>) -> Result<Box<T>> {
        (**self).map_arrays_at(path, change).map(Box::new)
    }
}

/// Calls a function with each array of entries by their steps.
fn flatten_entries<'a, T: Tree + 'a, S: Into<Step>>(
    entries: impl Iterator<Item = (S, &'a T)>,
    path: &mut Path,
    visit: Visit<'_>,
) -> Result<()> {
    for (step, entry) in entries {
        path.within(step, |path| entry.flatten_at(path, &mut *visit))?;
    }
    Ok(())
}

impl<T: Tree> Tree for Vec<T> {
    fn flatten_at(&self, path: &mut Path, visit: Visit<'_>) -> Result<()> {
        flatten_entries(self.iter().enumerate(), path, visit)
    }

    fn map_arrays_at(&self, path: &mut Path, change: Change<'_>) -> Result<Vec<T>> {
        let one = |(i, x): (usize, &T)| path.within(i, |path| x.map_arrays_at(path, &mut *change));
        self.iter().enumerate().map(one).collect()
    }
}

impl<T: Tree, const N: usize> Tree for [T; N] {
    fn flatten_at(&self, path: &mut Path, visit: Visit<'_>) -> Result<()> {
        flatten_entries(self.iter().enumerate(), path, visit)
    }

    fn map_arrays_at(&self, path: &mut Path, change: Change<'_>) -> Result<[T; N]> {
        let one = |(i, x): (usize, &T)| path.within(i, |path| x.map_arrays_at(path, &mut *change));
        let made = self.iter().enumerate().map(one).collect::<Result<Vec<T>>>()?;
        Ok(made.try_into().unwrap_or_else(|_| unreachable!("there are as many as before")))
    }
}

impl<T: Tree> Tree for BTreeMap<String, T> {
    fn flatten_at(&self, path: &mut Path, visit: Visit<'_>) -> Result<()> {
        flatten_entries(self.iter().map(|(key, x)| (key.as_str(), x)), path, visit)
    }

    fn map_arrays_at(&self, path: &mut Path, change: Change<'_>) -> Result<BTreeMap<String, T>> {
        let one = |(key, x): (&String, &T)| {
            let made = path.within(key.as_str(), |path| x.map_arrays_at(path, &mut *change))?;
            Ok((key.clone(), made))
        };
        self.iter().map(one).collect()
    }
}

macro_rules! tuples {
    ($(($($t:ident $i:tt),+);)*) => {
        $(impl<$($t: Tree),+> Tree for ($($t,)+) {
            fn flatten_at(&self, path: &mut Path, visit: Visit<'_>) -> Result<()> {
                $(path.within($i, |path| self.$i.flatten_at(path, &mut *visit))?;)+
                Ok(())
            }

            fn map_arrays_at(&self, path: &mut Path, change: Change<'_>) -> Result<Self> {
                Ok(($(path.within($i, |path| self.$i.map_arrays_at(path, &mut *change))?,)+))
            }
        })*
    };
}
tuples! {
    (A 0);
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
    (A 0, B 1, C 2, D 3, E 4);
    (A 0, B 1, C 2, D 3, E 4, F 5);
}

macro_rules! plain {
    ($($t:ty),*) => {
        $(impl Tree for $t {
            fn flatten_at(&self, _: &mut Path, _: Visit<'_>) -> Result<()> {
                Ok(())
            }

            fn map_arrays_at(&self, _: &mut Path, _: Change<'_>) -> Result<Self> {
                Ok(self.clone())
            }
        })*
    };
}
plain!((), bool, char, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64, String, Scalar);
