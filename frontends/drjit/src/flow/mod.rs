//! Control flow on arrays: loops and conditionals of each thread.

mod branches;
mod loops;
mod mask;
mod registry;
mod variables;

pub use branches::{Branch, dispatch, eval, if_stmt, switch};
pub use loops::{while_loop, while_loop_with_targets};
pub use mask::masked;
pub(crate) use mask::{active_mask, threads};
pub use registry::{Instances, Registry};
pub use variables::{Variables, as_condition};

use mask::of_threads;

use crate::array::{AnyArray, Leaf, Traverse};
use crate::{Error, Result};
use ivy_core::Array;

/// How control flow is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// By what is given: a condition of the `scalar` package on the host; recorded where nothing has gradients, else step by step.
    #[default]
    Auto,
    /// Recorded: the functions run once, for all iterations or all threads.
    Symbolic,
    /// Step by step, with a mask of the threads that go on.
    Evaluated,
    /// On the host: the condition has one element.
    Scalar,
}

/// The flat arrays of a value, in order.
pub(crate) fn leaves<T: Traverse>(value: &T) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    value.visit(&mut |x: &AnyArray| x.for_each_leaf(&mut |leaf| leaves.push(leaf.clone())));
    leaves
}

pub(crate) fn has_gradients<T: Traverse>(value: &T) -> bool {
    leaves(value).iter().any(|leaf| leaf.node.is_some())
}

/// Refuses what recorded code gives if it is a captured variable with gradients, which it would lose.
fn without_gradients<T: Traverse>(function: &'static str, value: &T) -> Result<()> {
    if has_gradients(value) { Err(Error::CapturedGradient { function }) } else { Ok(()) }
}

pub(crate) fn cores<T: Traverse>(value: &T) -> Vec<Array> {
    leaves(value).into_iter().map(|leaf| leaf.array).collect()
}

/// The same value with other flat arrays, in order.
pub(crate) fn with_cores<T: Traverse>(value: &T, arrays: &[Array]) -> Result<T> {
    let mut arrays = arrays.iter();
    value.map(&mut |x| {
        let (ty, lengths) = (x.ty(), x.lengths());
        let mut count = 0;
        x.for_each_leaf(&mut |_| count += 1);
        let mut own = arrays.by_ref().take(count).cloned().map(Leaf::new).collect::<Vec<_>>().into_iter();
        AnyArray::from_leaves(ty, &lengths, &mut own)
    })
}

/// Runs a function of values as one of the core's arrays, and keeps its own error, which the core's cannot hold.
pub(crate) struct Carrier {
    error: Option<Error>,
}

impl Carrier {
    pub(crate) fn new() -> Carrier {
        Carrier { error: None }
    }

    pub(crate) fn carry<T>(&mut self, result: Result<T>) -> ivy_core::Result<T> {
        result.map_err(|error| match error {
            Error::Core(error) => error,
            other => {
                let told = ivy_core::ErrorKind::InvalidArgument {
                    function: "drjit",
                    argument: "function",
                    value: other.to_string(),
                    rule: "it must not fail",
                };
                self.error = Some(other);
                told.into()
            }
        })
    }

    pub(crate) fn finish<T>(self, result: ivy_core::Result<T>) -> Result<T> {
        match (result, self.error) {
            (Err(_), Some(own)) => Err(own),
            (result, _) => Ok(result?),
        }
    }
}

/// Refuses a value whose arrays have changed their types or sizes.
fn check_state<T: Traverse>(function: &'static str, names: &[String], before: &T, after: &T) -> Result<()> {
    let told = |x: &AnyArray| {
        let size = x.width().map_or("ragged".into(), |width| width.to_string());
        format!("{} of size {size}", x.ty())
    };
    let (before, after) = (before.arrays(), after.arrays());
    if before.len() != after.len() {
        let (before, after) = (before.len().to_string(), after.len().to_string());
        return Err(Error::VariableChanged {
            function,
            variable: "the number of arrays".into(),
            before,
            after,
        });
    }
    for (i, (old, new)) in before.iter().zip(&after).enumerate() {
        let (old_width, new_width) = (old.width(), new.width());
        let grown = old_width != new_width && old_width != Some(1) && new_width != Some(1);
        if old.ty() != new.ty() || grown || old.lengths() != new.lengths() {
            let variable = names.get(i).cloned().unwrap_or_else(|| i.to_string());
            return Err(Error::VariableChanged { function, variable, before: told(old), after: told(new) });
        }
    }
    Ok(())
}

/// The names of a value's arrays, for errors.
fn names<T: Traverse>(value: &T) -> Vec<String> {
    let mut names = Vec::new();
    value.paths("state", &mut names);
    names
}

/// A condition's one flat array.
fn condition(function: &'static str, x: &AnyArray) -> Result<Leaf> {
    match x.leaf() {
        Some(leaf) if x.ty().is_mask_v() && x.ty().kind() == crate::Kind::Flat => Ok(leaf.clone()),
        _ => {
            let expected = "a flat mask".into();
            Err(Error::WrongType { function, argument: "the condition", expected, actual: x.ty() })
        }
    }
}
