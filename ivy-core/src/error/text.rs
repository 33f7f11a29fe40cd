//! Parts of the sentences of errors.

use crate::{Dtype, Rules, Scalar, Shape};
use std::fmt;

/// Prints a list with commas.
pub(super) struct Listed<'a, T>(pub(super) &'a [T]);

impl<T: fmt::Display> fmt::Display for Listed<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// How a variable is kept as it is.
pub(super) fn kept(before: Dtype, after: Dtype, before_shape: &Shape, after_shape: &Shape) -> String {
    match (before == after, before_shape == after_shape) {
        (false, true) => format!("give it as {before} (`astype`), or begin with {after}"),
        (true, false) => format!("give it with the shape {before_shape}, or begin with {after_shape}"),
        _ => format!("give it as {before} {before_shape}, or begin with {after} {after_shape}"),
    }
}

/// The argument and value of an error, where it has them.
pub(super) fn argued(argument: &str, value: &str) -> String {
    match (argument, value) {
        ("", _) => String::new(),
        (_, "") => format!("{argument}: "),
        _ => format!("{argument} = {value}: "),
    }
}

/// An operand by its name; words such as `an operand` are none.
pub(super) fn operand_named(operand: &str) -> String {
    if operand.contains(' ') { operand.into() } else { format!("operand {operand}") }
}

/// A second sentence, if there is one.
pub(super) fn sentence(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(". {text}") }
}

/// Names that are like one that is not there.
pub(super) fn nearest_names(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; there are: {}", nearest.join(", ")) }
}

/// What stands before a word.
pub(super) fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

/// The row that refuses two dtypes; of one that a set does not know, the sets that do.
pub(super) fn no_entry(rules: Rules, left: Dtype, right: Dtype) -> String {
    let knows = |rules: Rules, dtype: Dtype| rules.lookup(dtype, dtype).is_some();
    match [left, right].into_iter().find(|&dtype| !knows(rules, dtype)) {
        Some(dtype) => {
            let sets: Vec<&str> =
                Rules::ALL.into_iter().filter(|&r| knows(r, dtype)).map(Rules::name).collect();
            let others =
                if sets.is_empty() { String::new() } else { format!("; these do: {}", sets.join(", ")) };
            format!(", which do not know {dtype}{others}")
        }
        None => format!(" ({}, row {left}, column {right})", rules.table()),
    }
}

/// What to do with a number that a dtype does not hold.
pub(super) fn wider(value: &Scalar) -> String {
    let wide = [Dtype::INT16, Dtype::INT32, Dtype::INT64, Dtype::UINT64];
    match wide.into_iter().find(|&dtype| value.fits(dtype)) {
        Some(dtype) => format!("{dtype} holds it: cast the array with `astype`, or give that as the dtype"),
        None => "No integer dtype holds it; a float dtype does, rounded".into(),
    }
}

/// Why so many bytes are too many: a limit that was set, or what the machine has.
pub(super) fn no_room(limit: u128) -> String {
    match limit < isize::MAX as u128 {
        true => format!("the limit is {limit}. Raise it with `set_memory_limit`"),
        false => "which the system has not got".into(),
    }
}

/// Prints which matrix of a stack.
pub(super) struct At<'a>(pub(super) &'a Option<Shape>);

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(index) => write!(f, " at {index} of the stack"),
            None => Ok(()),
        }
    }
}
