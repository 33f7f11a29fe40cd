//! What the engine tells, and can be told: the one part of the frontend that knows the engine.

mod flags;
mod log;

pub use flags::{FlagScope, JitFlag};
pub use ivy_backend_jit::engine::{Counters, Launch};
pub use log::{LogCallback, LogLevel, log_level, set_log_callback, set_log_level};

use crate::array::{AnyArray, Leaf, Traverse};
use crate::types::{ArrayType, Package, VarType};
use crate::{Error, Result};
use ivy_backend_jit::JitBackend;
use ivy_backend_jit::engine::{Engine, Variable};
use ivy_core::backend::{Data, Value};
use ivy_core::{Array, Scalar};

fn variable_of(leaf: &Leaf) -> Option<&Variable> {
    JitBackend::variable(&leaf.array)
}

/// An array that was evaluated as memory of its own, where it may be a literal: without a copy on the processor.
pub(crate) fn as_data(leaf: &Leaf) -> Result<Leaf> {
    if variable_of(leaf).is_none() {
        return Ok(leaf.clone());
    }
    let backend = leaf.array.backend();
    let value = backend.from_host(leaf.array.to_host()?)?;
    Ok(Leaf { array: Array::from_value(backend.clone(), value), node: leaf.node.clone() })
}

/// A literal as a constant of the kernels that it gets into; a value that no engine computes as it is.
pub(crate) fn as_constant(leaf: &Leaf) -> Result<Leaf> {
    let Some(literal) = variable_of(leaf) else { return Ok(leaf.clone()) };
    let engine = leaf.array.backend().as_any().downcast_ref().map(JitBackend::engine);
    let made = engine.filter(|_| leaf.node.is_none()).and_then(|engine| engine.constant(literal));
    let Some(made) = made else {
        return Err(Error::InvalidArgument {
            function: "make_literal",
            argument: "value",
            value: format!("an array of {} elements", leaf.array.size()),
            rule: "a literal: one value for all elements that is not computed, and has no gradients",
        });
    };
    let (dtype, shape) = (leaf.array.dtype(), leaf.array.shape().clone());
    let value = Value { dtype, shape, data: Data::new(made) };
    Ok(Leaf::new(Array::from_value(leaf.array.backend().clone(), value)))
}

/// The engine that computes a package's arrays: its switches, what it has launched, and what lives in it.
///
/// ```
/// use ivy_drjit::{Jit, JitFlag, Package, llvm::Float};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let jit = Jit::of(Package::LLVM)?;
/// {
///     let _scope = jit.scoped_set_flag(JitFlag::ValueNumbering, false);
///     assert!(!jit.flag(JitFlag::ValueNumbering));
/// }
/// assert!(jit.flag(JitFlag::ValueNumbering));
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
#[derive(Clone)]
pub struct Jit {
    /// An array of the engine, by which it is reached.
    anchor: Variable,
}

impl Jit {
    /// The bytes that a traced operation takes, besides those of its shape, which in Dr.Jit is a length.
    pub const NODE_BYTES: usize = JitBackend::NODE_BYTES;

    /// The engine of a package, the one in whose context this is called.
    ///
    /// # Errors
    /// [`Error::NotSupported`] for single values, which no engine computes; a backend that does not run here.
    pub fn of(package: Package) -> Result<Jit> {
        let ty = ArrayType::flat(package, VarType::Bool);
        let found = ty.filled([1], Scalar::Bool(false))?;
        let anchor = found.leaf().and_then(variable_of).cloned();
        Ok(Jit { anchor: anchor.ok_or(Error::NotSupported { function: "Jit", ty })? })
    }

    fn engine(&self) -> &Engine {
        self.anchor.engine()
    }

    /// The last launches, the oldest first, which are forgotten then (`dr.kernel_history`).
    pub fn kernel_history(&self) -> Vec<Launch> {
        self.engine().take_history()
    }

    /// Forgets the launches (`dr.kernel_history_clear`).
    pub fn kernel_history_clear(&self) {
        drop(self.kernel_history());
    }

    /// What was done so far: nodes, launches, kernels.
    pub fn counters(&self) -> Counters {
        self.engine().counters()
    }

    /// One line for each variable that lives: number, references, dtype, shape, what it is, and its label (`dr.whos`).
    pub fn whos(&self) -> String {
        self.engine().whos()
    }

    /// Waits until all that was launched is done (`dr.sync_thread`).
    ///
    /// # Errors
    /// That of the first launch that had one.
    pub fn synchronize(&self) -> Result<()> {
        Ok(self.engine().synchronize()?)
    }

    /// How many variables live that are not this handle's: what is left when a program has dropped its arrays was leaked.
    pub fn leaks(&self) -> usize {
        self.counters().live.saturating_sub(1)
    }
}

/// The variables of a value's arrays in an engine.
fn with_variables<T: Traverse, R>(value: &T, done: impl FnOnce(&[&Variable]) -> R) -> R {
    let leaves = crate::flow::leaves(value);
    let variables: Vec<&Variable> = leaves.iter().filter_map(variable_of).collect();
    done(&variables)
}

/// What a value's arrays are made of, as text in the language of Graphviz (`dr.graphviz`); nothing for arrays that no engine computes.
pub fn graphviz<T: Traverse>(value: &T) -> String {
    with_variables(value, |variables| {
        variables.first().map_or_else(String::new, |first| first.engine().graphviz(variables))
    })
}

/// Gives a value's arrays labels, by which [`Jit::whos`] and [`graphviz`] name them: several arrays have the paths within the value behind
/// it. No kernel depends on labels.
pub fn set_label<T: Traverse>(value: &T, label: &str) {
    let mut paths = Vec::new();
    value.paths(label, &mut paths);
    for (x, path) in value.arrays().iter().zip(&paths) {
        let mut number = 0;
        let several = x.ty().depth() > 0;
        x.for_each_leaf(&mut |leaf: &Leaf| {
            let own = if several { format!("{path}[{number}]") } else { path.clone() };
            number += 1;
            if let Some(variable) = variable_of(leaf) {
                variable.set_label(&own);
            }
        });
    }
}

/// How many of a value's flat arrays are not computed yet.
pub fn pending<T: Traverse>(value: &T) -> usize {
    let mut count = 0;
    value.visit(&mut |x: &AnyArray| {
        x.for_each_leaf(&mut |leaf| {
            count += usize::from(variable_of(leaf).is_some_and(Variable::is_pending))
        });
    });
    count
}

/// The number of an array's variable in the engine (`index`), the first one of a nested array; 0 of arrays that no engine computes.
pub fn variable_number(x: &AnyArray) -> u64 {
    with_variables(x, |variables| variables.first().map_or(0, |variable| variable.id().into()))
}

/// True if two arrays are one variable: the same array, or equal work of the same arrays.
pub fn is_same(a: &AnyArray, b: &AnyArray) -> bool {
    let ids = |x: &AnyArray| {
        with_variables(x, |variables| variables.iter().map(|variable| variable.id()).collect::<Vec<_>>())
    };
    let (a, b) = (ids(a), ids(b));
    !a.is_empty() && a == b
}
