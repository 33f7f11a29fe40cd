//! Where something stands in a nest.

use crate::{ErrorKind, Result};
use std::fmt;

/// How many values within each other a [`Tree`](super::Tree) may have. A [`Nest`](super::Nest) may be deeper.
pub const MAX_DEPTH: usize = 500;

/// One step into a nest: the number of an entry, or the name of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// An entry of a list, counted from 0.
    Index(usize),
    /// A key of a dict, or a field.
    Key(String),
}

impl From<usize> for Step {
    fn from(index: usize) -> Step {
        Step::Index(index)
    }
}

impl From<&str> for Step {
    fn from(key: &str) -> Step {
        Step::Key(key.into())
    }
}

impl From<String> for Step {
    fn from(key: String) -> Step {
        Step::Key(key)
    }
}

/// The steps from a nest to something within it; none lead to the nest itself.
///
/// ```
/// use ivy::nest::{Path, Step};
/// let path = Path::from([Step::from("layers"), 0.into(), "weight".into()]);
/// assert_eq!(path.to_string(), "layers[0].weight");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(Vec<Step>);

impl Path {
    /// The path to a nest itself.
    pub fn new() -> Path {
        Path::default()
    }

    /// The steps, outermost first.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// One step further.
    pub fn push(&mut self, step: impl Into<Step>) {
        self.0.push(step.into());
    }

    /// Takes the last step back.
    pub fn pop(&mut self) -> Option<Step> {
        self.0.pop()
    }

    /// What a function gives with the path one step further.
    ///
    /// # Errors
    /// What the function gives; [`ErrorKind::InvalidArgument`] beyond [`MAX_DEPTH`] steps, so that values within each
    /// other, each of which is a call, end before the stack does.
    pub fn within<R>(&mut self, step: impl Into<Step>, f: impl FnOnce(&mut Path) -> Result<R>) -> Result<R> {
        if self.0.len() >= MAX_DEPTH {
            let (function, argument, value) = ("Tree", "depth", format!("more than {MAX_DEPTH}"));
            let rule = "values within each other are at most so many";
            return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
        }
        self.push(step);
        let result = f(self);
        self.pop();
        result
    }
}

impl<const N: usize> From<[Step; N]> for Path {
    fn from(steps: [Step; N]) -> Path {
        Path(steps.into())
    }
}

impl<S: Into<Step>> FromIterator<S> for Path {
    fn from_iter<I: IntoIterator<Item = S>>(steps: I) -> Path {
        Path(steps.into_iter().map(S::into).collect())
    }
}

impl fmt::Display for Path {
    /// As a program writes it: `layers[0].weight`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            match step {
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Key(key) if i == 0 => f.write_str(key)?,
                Step::Key(key) => write!(f, ".{key}")?,
            }
        }
        Ok(())
    }
}
