//! Values in lists and dicts within each other. Nothing here is recursive, so that no depth is too great.

use super::structure::Node;
use super::{Path, Step, Structure};
use crate::{ErrorKind, Result};
use std::fmt;
use std::mem;
use std::ops::{Deref, DerefMut};

/// A value, or a list or dict of nests: what Ivy's functions of nests take.
///
/// ```
/// use ivy::Nest;
/// let nest = Nest::dict([("w", Nest::from(vec![1, 2])), ("b", Nest::Leaf(3))]);
/// assert_eq!(nest.map(|x| x * 10).leaves(), [&10, &20, &30]);
/// assert_eq!(nest.paths().iter().map(ToString::to_string).collect::<Vec<_>>(), ["w[0]", "w[1]", "b"]);
/// ```
pub enum Nest<T> {
    /// A value.
    Leaf(T),
    /// Nests in order.
    List(List<T>),
    /// Nests by name, in the order in which they were put in.
    Dict(Dict<T>),
}

/// The entries of a [`Nest::List`].
pub struct List<T>(Vec<Nest<T>>);

/// The entries of a [`Nest::Dict`]: each key is there once.
pub struct Dict<T>(Vec<(String, Nest<T>)>);

impl<T> List<T> {
    /// The entries by themselves.
    pub fn into_vec(mut self) -> Vec<Nest<T>> {
        mem::take(&mut self.0)
    }
}

impl<T> Dict<T> {
    /// Entries whose keys differ.
    pub(super) fn of(entries: Vec<(String, Nest<T>)>) -> Dict<T> {
        Dict(entries)
    }

    /// The nest of a key.
    pub fn get(&self, key: &str) -> Option<&Nest<T>> {
        self.0.iter().find(|e| e.0 == key).map(|e| &e.1)
    }

    /// The nest of a key, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Nest<T>> {
        self.0.iter_mut().find(|e| e.0 == key).map(|e| &mut e.1)
    }

    /// Puts a nest at a key, and gives the one that was there.
    pub fn insert(&mut self, key: impl Into<String>, nest: Nest<T>) -> Option<Nest<T>> {
        let key = key.into();
        if let Some(own) = self.get_mut(&key) {
            return Some(mem::replace(own, nest));
        }
        self.0.push((key, nest));
        None
    }

    /// Keys and nests in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Nest<T>)> + DoubleEndedIterator {
        self.0.iter().map(|(key, nest)| (key.as_str(), nest))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The entries by themselves.
    pub fn into_vec(mut self) -> Vec<(String, Nest<T>)> {
        mem::take(&mut self.0)
    }
}

/// Drops nests one after the other, and what is in them behind them.
fn drop_all<T>(mut waiting: Vec<Nest<T>>) {
    while let Some(nest) = waiting.pop() {
        match nest {
            Nest::Leaf(_) => {}
            Nest::List(mut list) => waiting.append(&mut list.0),
            Nest::Dict(mut dict) => waiting.extend(mem::take(&mut dict.0).into_iter().map(|e| e.1)),
        }
    }
}

impl<T> Drop for List<T> {
    fn drop(&mut self) {
        drop_all(mem::take(&mut self.0));
    }
}

impl<T> Drop for Dict<T> {
    fn drop(&mut self) {
        drop_all(mem::take(&mut self.0).into_iter().map(|e| e.1).collect());
    }
}

impl<T> From<Vec<Nest<T>>> for List<T> {
    fn from(entries: Vec<Nest<T>>) -> List<T> {
        List(entries)
    }
}

impl<T> Deref for List<T> {
    type Target = Vec<Nest<T>>;

    fn deref(&self) -> &Vec<Nest<T>> {
        &self.0
    }
}

impl<T> DerefMut for List<T> {
    fn deref_mut(&mut self) -> &mut Vec<Nest<T>> {
        &mut self.0
    }
}

impl<K: Into<String>, T> FromIterator<(K, Nest<T>)> for Dict<T> {
    /// Of several entries of one key the last one stays, where the first one stood.
    fn from_iter<I: IntoIterator<Item = (K, Nest<T>)>>(entries: I) -> Dict<T> {
        let mut dict = Dict(Vec::new());
        entries.into_iter().for_each(|(key, nest)| drop(dict.insert(key, nest)));
        dict
    }
}

impl<T> From<Vec<T>> for Nest<T> {
    /// A list of leaves.
    fn from(leaves: Vec<T>) -> Nest<T> {
        Nest::list(leaves.into_iter().map(Nest::Leaf))
    }
}

impl<T, const N: usize> From<[T; N]> for Nest<T> {
    /// A list of leaves.
    fn from(leaves: [T; N]) -> Nest<T> {
        Nest::list(leaves.into_iter().map(Nest::Leaf))
    }
}

impl<T> From<List<T>> for Nest<T> {
    fn from(list: List<T>) -> Nest<T> {
        Nest::List(list)
    }
}

impl<T> From<Dict<T>> for Nest<T> {
    fn from(dict: Dict<T>) -> Nest<T> {
        Nest::Dict(dict)
    }
}

impl<T> Nest<T> {
    /// A list of nests.
    pub fn list(entries: impl IntoIterator<Item = Nest<T>>) -> Nest<T> {
        Nest::List(List(entries.into_iter().collect()))
    }

    /// A dict of nests. Of several of one key the last one stays.
    pub fn dict<K: Into<String>>(entries: impl IntoIterator<Item = (K, Nest<T>)>) -> Nest<T> {
        Nest::Dict(entries.into_iter().collect())
    }

    /// The structure, and the leaves in order.
    pub fn flatten(&self) -> (Structure, Vec<&T>) {
        let (mut nodes, mut leaves, mut waiting) = (Vec::new(), Vec::new(), vec![self]);
        while let Some(nest) = waiting.pop() {
            nodes.push(match nest {
                Nest::Leaf(value) => {
                    leaves.push(value);
                    Node::Leaf
                }
                Nest::List(list) => {
                    waiting.extend(list.iter().rev());
                    Node::List(list.len())
                }
                Nest::Dict(dict) => {
                    waiting.extend(dict.iter().rev().map(|e| e.1));
                    Node::Dict(dict.iter().map(|e| e.0.to_string()).collect())
                }
            });
        }
        (Structure { nodes }, leaves)
    }

    /// The leaves in order.
    pub fn leaves(&self) -> Vec<&T> {
        self.flatten().1
    }

    /// The leaves in order, by themselves.
    pub fn into_leaves(self) -> Vec<T> {
        let (mut leaves, mut waiting) = (Vec::new(), vec![self]);
        while let Some(nest) = waiting.pop() {
            match nest {
                Nest::Leaf(value) => leaves.push(value),
                Nest::List(list) => waiting.extend(list.into_vec().into_iter().rev()),
                Nest::Dict(dict) => waiting.extend(dict.into_vec().into_iter().rev().map(|e| e.1)),
            }
        }
        leaves
    }

    /// The paths of the leaves, in order.
    pub fn paths(&self) -> Vec<Path> {
        self.flatten().0.paths()
    }

    /// The nest of what a function makes of each leaf.
    pub fn map<U>(&self, f: impl FnMut(&T) -> U) -> Nest<U> {
        let (structure, leaves) = self.flatten();
        let mapped: Vec<U> = leaves.into_iter().map(f).collect();
        structure.unflatten(mapped).expect("there are as many leaves as before")
    }

    /// The nest of what a function makes of each leaf, which is told where the leaf stands.
    ///
    /// # Errors
    /// The first one of the function.
    pub fn try_map<U>(&self, mut f: impl FnMut(&Path, &T) -> Result<U>) -> Result<Nest<U>> {
        let (structure, leaves) = self.flatten();
        let mut left = leaves.into_iter();
        let mut mapped: Result<Vec<U>> = Ok(Vec::new());
        structure.walk(|i, path| {
            if structure.nodes[i] != Node::Leaf {
                return true;
            }
            let made = left.next().map(|leaf| f(path, leaf));
            match (&mut mapped, made) {
                (Ok(list), Some(Ok(value))) => list.push(value),
                (_, Some(Err(error))) => mapped = Err(error),
                _ => {}
            }
            mapped.is_ok()
        });
        structure.unflatten(mapped?)
    }

    /// The nest of what a function makes of the leaves of two nests that stand at one place.
    ///
    /// ```
    /// use ivy::Nest;
    /// let (a, b) = (Nest::from([1, 2]), Nest::from([10, 20]));
    /// assert_eq!(a.zip_map(&b, |x, y| x + y)?.leaves(), [&11, &22]);
    /// let other = Nest::list([Nest::Leaf(1), Nest::from([2])]);
    /// assert!(a.zip_map(&other, |x, y| x + y).unwrap_err().to_string().contains("at [1]"));
    /// # Ok::<(), ivy::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] if the structures differ, with the path where they do.
    pub fn zip_map<U, R>(&self, other: &Nest<U>, mut f: impl FnMut(&T, &U) -> R) -> Result<Nest<R>> {
        let ((structure, own), (given, others)) = (self.flatten(), other.flatten());
        structure.check_same("zip_map", &given)?;
        structure.unflatten(own.into_iter().zip(others).map(|(x, y)| f(x, y)))
    }

    /// What stands at a path.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] if the path leads nowhere.
    pub fn get(&self, path: &Path) -> Result<&Nest<T>> {
        let mut here = self;
        for (i, step) in path.steps().iter().enumerate() {
            here = match (here, step) {
                (Nest::List(list), Step::Index(index)) => list.get(*index),
                (Nest::Dict(dict), Step::Key(key)) => dict.get(key),
                _ => None,
            }
            .ok_or_else(|| nowhere("index_nest", path, i))?;
        }
        Ok(here)
    }

    /// What stands at a path, to be changed.
    ///
    /// # Errors
    /// As [`get`](Nest::get).
    pub fn get_mut(&mut self, path: &Path) -> Result<&mut Nest<T>> {
        let mut here = self;
        for (i, step) in path.steps().iter().enumerate() {
            here = match (here, step) {
                (Nest::List(list), Step::Index(index)) => list.get_mut(*index),
                (Nest::Dict(dict), Step::Key(key)) => dict.get_mut(key),
                _ => None,
            }
            .ok_or_else(|| nowhere("set_nest_at_index", path, i))?;
        }
        Ok(here)
    }

    /// The paths of the leaves for which a function is true, in order.
    pub fn argwhere(&self, mut f: impl FnMut(&T) -> bool) -> Vec<Path> {
        let (structure, leaves) = self.flatten();
        let found = structure.paths().into_iter().zip(leaves).filter(|(_, leaf)| f(leaf));
        found.map(|(path, _)| path).collect()
    }
}

/// The error of a path whose step `i` does not exist.
fn nowhere(function: &'static str, path: &Path, i: usize) -> crate::Error {
    let before: Path = path.steps()[..i].iter().cloned().collect();
    let of = if i == 0 { "the nest".into() } else { before.to_string() };
    let (value, rule) = (format!("{path}, but {of} has no such entry"), "a path of the nest");
    ErrorKind::InvalidArgument { function, argument: "index", value, rule }.into()
}

impl<T: Clone> Clone for Nest<T> {
    fn clone(&self) -> Nest<T> {
        self.map(T::clone)
    }
}

impl<T: PartialEq> PartialEq for Nest<T> {
    fn eq(&self, other: &Nest<T>) -> bool {
        self.flatten() == other.flatten()
    }
}

impl<T: fmt::Debug> fmt::Debug for Nest<T> {
    /// The leaves by their paths.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (structure, leaves) = self.flatten();
        let paths = structure.paths().into_iter().map(|path| path.to_string());
        f.debug_map().entries(paths.zip(leaves)).finish()
    }
}
