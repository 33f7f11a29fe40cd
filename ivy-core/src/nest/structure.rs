//! What a nest is without its leaves.

use super::{Dict, List, Nest, Path};
use crate::{ErrorKind, Result};

/// One nest of a structure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Leaf,
    List(usize),
    Dict(Vec<String>),
}

impl Node {
    fn words(&self) -> String {
        match self {
            Node::Leaf => "a leaf".into(),
            Node::List(len) => format!("a list of {len}"),
            Node::Dict(keys) => format!("a dict of {keys:?}"),
        }
    }
}

/// The lists and dicts of a nest, and where its leaves stand. Two nests have the same structure if their lists are as
/// long and their dicts have the same keys in the same order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Structure {
    /// Each nest before what is in it.
    pub(super) nodes: Vec<Node>,
}

impl Structure {
    /// How many leaves there are.
    pub fn leaves(&self) -> usize {
        self.nodes.iter().filter(|n| **n == Node::Leaf).count()
    }

    /// The paths of the leaves, in order.
    pub fn paths(&self) -> Vec<Path> {
        let mut paths = Vec::new();
        self.walk(|node, path| {
            if self.nodes[node] == Node::Leaf {
                paths.push(path.clone());
            }
            true
        });
        paths
    }

    /// Calls a function with the number and the path of each node, as long as it gives true.
    pub(super) fn walk(&self, mut f: impl FnMut(usize, &Path) -> bool) {
        // The nests that the next node is in, with how many of their entries came already.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut path = Path::new();
        for (i, node) in self.nodes.iter().enumerate() {
            if let Some((outer, done)) = open.last_mut() {
                match &self.nodes[*outer] {
                    Node::Dict(keys) => path.push(keys[*done].as_str()),
                    _ => path.push(*done),
                }
                *done += 1;
            }
            if !f(i, &path) {
                return;
            }
            match node {
                Node::Leaf => drop(path.pop()),
                _ => open.push((i, 0)),
            }
            while let Some(&(outer, done)) = open.last() {
                let len = match &self.nodes[outer] {
                    Node::Dict(keys) => keys.len(),
                    Node::List(len) => *len,
                    Node::Leaf => 0,
                };
                if done < len {
                    break;
                }
                open.pop();
                path.pop();
            }
        }
    }

    /// The nest of this structure with the given leaves, in order.
    ///
    /// ```
    /// use ivy::Nest;
    /// let nest = Nest::list([Nest::Leaf(1), Nest::list([Nest::Leaf(2), Nest::Leaf(3)])]);
    /// let (structure, leaves) = nest.flatten();
    /// let doubled = structure.unflatten(leaves.into_iter().map(|x| 2 * x))?;
    /// assert_eq!(doubled.leaves(), [&2, &4, &6]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] for more or fewer leaves than there are places.
    pub fn unflatten<T>(&self, leaves: impl IntoIterator<Item = T>) -> Result<Nest<T>> {
        let mut leaves: Vec<T> = leaves.into_iter().collect();
        let places = self.leaves();
        if leaves.len() != places {
            let (function, argument) = ("unflatten", "leaves");
            let (value, rule) = (format!("{} for {places} places", leaves.len()), "one for each place");
            return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
        }
        // From the end, so that what is in a nest is there before it is; the first of it is the last that came.
        let mut made: Vec<Nest<T>> = Vec::new();
        for node in self.nodes.iter().rev() {
            let mut take = |len: usize| made.split_off(made.len() - len).into_iter().rev();
            let nest = match node {
                Node::Leaf => Nest::Leaf(leaves.pop().expect("leaves are counted")),
                Node::List(len) => Nest::List(take(*len).collect::<Vec<_>>().into()),
                Node::Dict(keys) => {
                    Nest::Dict(Dict::of(keys.iter().cloned().zip(take(keys.len())).collect()))
                }
            };
            made.push(nest);
        }
        Ok(made.pop().unwrap_or_else(|| Nest::List(List::from(Vec::new()))))
    }

    /// Refuses another structure, with the path where it differs.
    pub(super) fn check_same(&self, function: &'static str, other: &Structure) -> Result<()> {
        if self == other {
            return Ok(());
        }
        let mut difference = String::new();
        self.walk(|i, path| {
            let own = &self.nodes[i];
            match other.nodes.get(i) {
                Some(given) if given == own => true,
                given => {
                    let given = given.map_or("nothing".into(), Node::words);
                    let at = if path.steps().is_empty() { "itself".into() } else { path.to_string() };
                    difference = format!("{given} for {} at {at}", own.words());
                    false
                }
            }
        });
        let (argument, rule) = ("other", "nests of one structure");
        Err(ErrorKind::InvalidArgument { function, argument, value: difference, rule }.into())
    }
}
