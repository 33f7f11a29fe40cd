//! Variables with names: the state of loops that are written plainly.

use crate::Result;
use crate::array::{AnyArray, IntoArg, Traverse};

/// A tuple of variables, whose names errors tell of: what [`syntax`](macro@crate::syntax) makes the state of loops and conditionals.
#[derive(Clone, Debug)]
pub struct Variables<T> {
    names: &'static [&'static str],
    values: T,
}

impl<T> Variables<T> {
    /// Variables of these names, in order.
    pub fn new(names: &'static [&'static str], values: T) -> Variables<T> {
        Variables { names, values }
    }

    /// The variables.
    pub fn values(&self) -> &T {
        &self.values
    }

    /// The variables.
    pub fn into_values(self) -> T {
        self.values
    }
}

impl<T: Traverse> Traverse for Variables<T> {
    fn visit(&self, visit: &mut dyn FnMut(&AnyArray)) {
        self.values.visit(visit);
    }

    fn map(&self, change: &mut dyn FnMut(&AnyArray) -> Result<AnyArray>) -> Result<Variables<T>> {
        Ok(Variables { names: self.names, values: self.values.map(change)? })
    }

    /// The names of the variables in the place of their numbers.
    fn paths(&self, _: &str, paths: &mut Vec<String>) {
        let mut own = Vec::new();
        self.values.paths("", &mut own);
        paths.extend(own.into_iter().map(|path| self.named(&path).unwrap_or(path)));
    }

    fn host_values(&self, prefix: &str, values: &mut Vec<String>) {
        self.values.host_values(prefix, values);
    }
}

impl<T> Variables<T> {
    fn named(&self, path: &str) -> Option<String> {
        let (number, rest) = path.strip_prefix('[')?.split_once(']')?;
        Some(format!("{}{rest}", self.names.get(number.parse::<usize>().ok()?)?))
    }
}

/// What stands as a condition, as an array: a mask, or a truth value of the host.
///
/// # Errors
/// The error that an expression holds.
pub fn as_condition(x: impl IntoArg) -> Result<AnyArray> {
    crate::ops::array("condition", x.into_arg())
}
