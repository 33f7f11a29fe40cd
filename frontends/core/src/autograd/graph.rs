//! The graph: leaves, and nodes with their operands.

use super::hooks::{Hook, Hooks};
use super::kept::KeptOp;
use super::origin::Origin;
use crate::wrapper::Noted;
use ivy_core::backend::CustomFunction;
use ivy_core::{Array, BinaryOp, Dtype, Op, ReduceOp, Result, Shape, UnaryOp};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where a tensor comes from.
#[derive(Clone)]
pub(super) enum Edge {
    /// From nowhere: derivatives end here.
    Leaf(Arc<Leaf>),
    /// From a node: which of its results it is.
    Made(Arc<Made>, usize),
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A tensor that a program wants the gradient of.
#[derive(Default)]
pub(super) struct Leaf {
    gradient: Mutex<Option<Array>>,
    /// How often it was set.
    version: AtomicU64,
    /// Whether it is a variable, which a tape may watch unasked.
    variable: AtomicBool,
    pub(super) hooks: Hooks,
}

impl Leaf {
    pub(super) fn gradient(&self) -> Option<Array> {
        locked(&self.gradient).clone()
    }

    pub(super) fn set(&self, gradient: Option<Array>) {
        *locked(&self.gradient) = gradient;
        self.version.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn is_variable(&self) -> bool {
        self.variable.load(Ordering::Relaxed)
    }

    pub(super) fn make_variable(&self) {
        self.variable.store(true, Ordering::Relaxed);
    }

    /// How often the gradient was set.
    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }
}

/// The vector-Jacobian product of a node that the program defines: from the gradients of its results to those of its
/// inputs, `None` where there is none.
pub type Pullback = Arc<dyn Fn(&Node, &[Option<Array>]) -> Result<Vec<Option<Array>>> + Send + Sync>;

/// An operand of an op: what the tensor holds, with where it comes from.
pub(super) type Operand = Arc<Noted<Origin>>;
/// The operands of an op: most have two at most, which take no memory of their own.
pub(super) type Operands = SmallVec<[Operand; 2]>;
/// Where the operands of a node come from; `None` for constants.
pub(super) type Edges = SmallVec<[Option<Edge>; 2]>;
/// The dtypes and shapes of several arrays.
pub(super) type Forms = SmallVec<[(Dtype, Shape); 1]>;

/// What a node computes.
#[derive(Clone)]
pub(super) enum Rule {
    /// An op, with its operands.
    Op { op: KeptOp, operands: Operands },
    /// An op whose pullback reads no elements, once a walk has freed them.
    Linear(Box<Linear>),
    /// A function of the core with a derivative rule of its own.
    Function(Box<Function>),
    /// A function of the program's with a pullback of its own.
    Custom(Box<Custom>),
}

/// A function of the core with a derivative rule of its own.
#[derive(Clone)]
pub(super) struct Function {
    pub(super) function: CustomFunction,
    pub(super) operands: Operands,
    /// What its results are.
    pub(super) results: Forms,
}

/// A function with a pullback of its own.
#[derive(Clone)]
pub(super) struct Custom {
    pub(super) name: String,
    pub(super) pullback: Pullback,
    /// What its inputs are.
    pub(super) inputs: Vec<(Dtype, Shape)>,
    /// Where they come from.
    pub(super) edges: Edges,
}

/// An op without its operands.
#[derive(Clone)]
pub(super) struct Linear {
    pub(super) op: KeptOp,
    /// What the operands were.
    pub(super) operands: Forms,
    /// Where they came from.
    pub(super) edges: Edges,
}

impl Rule {
    /// The name of what it computes: an op's as the core has it, or a program's function.
    fn name(&self) -> Cow<'static, str> {
        match self {
            Rule::Op { op, .. } => Cow::Borrowed(op.name()),
            Rule::Linear(linear) => Cow::Borrowed(linear.op.name()),
            Rule::Function(_) => Cow::Borrowed("custom_function"),
            Rule::Custom(custom) => Cow::Owned(custom.name.clone()),
        }
    }

    /// Where the operands come from.
    fn edges(&self) -> Edges {
        let edges = |operands: &Operands| operands.iter().map(|operand| operand.note.edge()).collect();
        match self {
            Rule::Op { operands, .. } => edges(operands),
            Rule::Function(function) => edges(&function.operands),
            Rule::Custom(custom) => custom.edges.clone(),
            Rule::Linear(linear) => linear.edges.clone(),
        }
    }

    /// Whether the pullback reads elements that were saved: after a walk that freed them there is no other one.
    fn saves(&self) -> bool {
        match self {
            Rule::Custom(_) | Rule::Function(_) => true,
            Rule::Linear(_) => false,
            Rule::Op { op, .. } => op.with(|op| {
                !matches!(
                    op,
                    Op::Binary(BinaryOp::Add | BinaryOp::Subtract)
                        | Op::Unary(UnaryOp::Negative)
                        | Op::Reduce { op: ReduceOp::Sum | ReduceOp::Mean, .. }
                        | Op::Cast { .. }
                        | Op::Reshape { .. }
                        | Op::PermuteDims { .. }
                        | Op::BroadcastTo { .. }
                        | Op::Slice { .. }
                        | Op::Pad { .. }
                        | Op::Concat { .. }
                )
            }),
        }
    }
}

/// What is watched of a result.
#[derive(Default)]
struct Watched {
    /// Whether its gradient is retained, and the last one.
    retained: bool,
    gradient: Option<Array>,
    hooks: Arc<Hooks>,
}

/// What a node was computed of.
pub(super) enum Inputs {
    /// What the pullback needs.
    Saved(Rule),
    /// What is left once that has been freed.
    Freed(Box<Freed>),
}

/// What is left of the inputs of a node after the walk.
pub(super) struct Freed {
    /// The name of what it computed.
    name: Cow<'static, str>,
    /// Where the operands came from.
    edges: Edges,
}

/// What is watched of the results of a node, by their numbers.
type Watches = BTreeMap<usize, Watched>;

/// A node: a computation that was recorded. It is small, since it is moved into its place when it is made.
pub(super) struct Made {
    /// Nodes made later have greater numbers: a topological order.
    pub(super) number: u64,
    /// `None` while they are taken out.
    inputs: Mutex<Option<Inputs>>,
    /// How many results it has.
    pub(super) results: usize,
    /// Of most nodes nothing is.
    watched: Mutex<Option<Box<Watches>>>,
}

/// The number of a node that is made now.
#[inline]
pub(super) fn next_number() -> u64 {
    static NUMBERS: AtomicU64 = AtomicU64::new(0);
    NUMBERS.fetch_add(1, Ordering::Relaxed)
}

impl Made {
    pub(super) fn new(number: u64, rule: Rule, results: usize) -> Made {
        Made { number, inputs: Mutex::new(Some(Inputs::Saved(rule))), results, watched: Mutex::default() }
    }

    /// The name of what it computes: an op's as the core has it, or a program's function.
    fn name(&self) -> Cow<'static, str> {
        match &*locked(&self.inputs) {
            Some(Inputs::Saved(rule)) => rule.name(),
            Some(Inputs::Freed(freed)) => freed.name.clone(),
            None => Cow::Borrowed(""),
        }
    }

    /// Calls a function with what it computes, unless that has been freed.
    pub(super) fn with_rule<T>(&self, f: impl FnOnce(&Rule) -> T) -> Option<T> {
        match &*locked(&self.inputs) {
            Some(Inputs::Saved(rule)) => Some(f(rule)),
            Some(Inputs::Freed(_)) | None => None,
        }
    }

    /// What it computes; `None` once it has been freed.
    pub(super) fn rule(&self) -> Option<Rule> {
        self.with_rule(Rule::clone)
    }

    /// Where its operands come from.
    pub(super) fn edges(&self) -> Edges {
        match &*locked(&self.inputs) {
            Some(Inputs::Saved(rule)) => rule.edges(),
            Some(Inputs::Freed(freed)) => freed.edges.clone(),
            None => Edges::new(),
        }
    }

    /// Frees what was saved for the walk. A pullback that reads none of it stays, by what its operands were.
    pub(super) fn free(&self) {
        let mut inputs = locked(&self.inputs);
        let taken = inputs.take();
        let (left, saved) = match taken {
            Some(Inputs::Saved(rule)) if rule.saves() => {
                let freed = Freed { name: rule.name(), edges: rule.edges() };
                (Some(Inputs::Freed(freed.into())), Some(rule))
            }
            Some(Inputs::Saved(rule)) => match &rule {
                Rule::Op { op, operands } => {
                    let operands = operands.iter().map(|x| (x.inner.dtype, x.inner.shape.clone())).collect();
                    let linear = Linear { op: op.clone(), operands, edges: rule.edges() };
                    (Some(Inputs::Saved(Rule::Linear(linear.into()))), Some(rule))
                }
                _ => (Some(Inputs::Saved(rule)), None),
            },
            freed => (freed, None),
        };
        *inputs = left;
        // What goes with it does not wait for this node.
        drop(inputs);
        drop(saved);
    }

    /// Calls a function with what is watched of a result, from here on if nothing was.
    fn watched<T>(&self, at: usize, f: impl FnOnce(&mut Watched) -> T) -> T {
        f(locked(&self.watched).get_or_insert_default().entry(at).or_default())
    }

    /// Calls a function with what is watched of a result, if anything is.
    fn if_watched<T>(&self, at: usize, f: impl FnOnce(&mut Watched) -> T) -> Option<T> {
        locked(&self.watched).as_mut()?.get_mut(&at).map(f)
    }

    /// Retains the gradient of a result.
    pub(super) fn retain(&self, at: usize) {
        self.watched(at, |watched| watched.retained = true);
    }

    /// The gradient that was retained of a result.
    pub(super) fn retained(&self, at: usize) -> Option<Array> {
        self.if_watched(at, |watched| watched.gradient.clone()).flatten()
    }

    /// Adds a hook to a result.
    pub(super) fn hook(&self, at: usize, hook: Hook) -> u64 {
        self.watched(at, |watched| watched.hooks.add(hook))
    }

    /// Removes a hook.
    pub(super) fn unhook(&self, at: usize, id: u64) {
        self.if_watched(at, |watched| watched.hooks.remove(id));
    }

    /// Whether somebody watches a result.
    pub(super) fn is_watched(&self, at: usize) -> bool {
        self.if_watched(at, |_| ()).is_some()
    }

    /// Passes the gradient of a result through its hooks, and retains it if that was asked for.
    pub(super) fn watch(&self, at: usize, gradient: Array) -> Result<Array> {
        // Hooks are called without the lock: they may watch the same result.
        let Some(hooks) = self.if_watched(at, |watched| watched.hooks.clone()) else {
            return Ok(gradient);
        };
        let gradient = hooks.run(gradient)?;
        self.if_watched(at, |watched| {
            if watched.retained {
                watched.gradient = Some(gradient.clone());
            }
        });
        Ok(gradient)
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        if let Some(inputs) = self.take_inputs() {
            release(inputs);
        }
    }
}

impl Made {
    fn take_inputs(&mut self) -> Option<Inputs> {
        self.inputs.get_mut().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Edge {
    /// Takes out what the node was computed of that this is the last one to refer to.
    pub(super) fn into_inputs(self) -> Option<Inputs> {
        match self {
            Edge::Made(made, _) => Arc::into_inner(made)?.take_inputs(),
            Edge::Leaf(_) => None,
        }
    }
}

/// Releases what a node was computed of, and the nodes behind that nothing else refers to. Chains of nodes are as long as a program
/// runs: they are taken apart one after the other, not one in the other.
pub(super) fn release(inputs: Inputs) {
    let mut waiting = Vec::new();
    let mut next = Some(inputs);
    while let Some(inputs) = next {
        let of_operand = |operand: Operand| Arc::into_inner(operand)?.note.take_inputs();
        let of_operands = |operands: Operands| operands.into_iter().filter_map(of_operand);
        let of_edges = |edges: Edges| edges.into_iter().flatten().filter_map(Edge::into_inputs);
        match inputs {
            Inputs::Saved(Rule::Op { operands, .. }) => waiting.extend(of_operands(operands)),
            Inputs::Saved(Rule::Function(function)) => waiting.extend(of_operands(function.operands)),
            Inputs::Saved(Rule::Custom(custom)) => waiting.extend(of_edges(custom.edges)),
            Inputs::Saved(Rule::Linear(linear)) => waiting.extend(of_edges(linear.edges)),
            Inputs::Freed(freed) => waiting.extend(of_edges(freed.edges)),
        }
        next = waiting.pop();
    }
}

/// The name of the node of an op.
pub(super) fn node_name(op: &str) -> String {
    let word = |word: &str| match word.split_at_checked(1) {
        Some((first, rest)) => first.to_uppercase() + rest,
        None => String::new(),
    };
    format!("{}Backward0", op.split('_').map(word).collect::<String>())
}

/// A node of the graph, as programs see it.
#[derive(Clone)]
pub struct Node(pub(super) Edge);

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Node").field(&self.name()).finish()
    }
}

impl Node {
    /// Its name as PyTorch writes such: the op's name in the core (`MultiplyBackward0`), or the name of a function of the
    /// program's (`MyFunctionBackward`), or `AccumulateGrad` for a leaf.
    pub fn name(&self) -> String {
        let Edge::Made(made, _) = &self.0 else { return "AccumulateGrad".into() };
        match made.name() {
            Cow::Owned(name) => format!("{name}Backward"),
            Cow::Borrowed(op) => node_name(op),
        }
    }

    /// The nodes that its operands come from, with the number of their result; `None` for a constant.
    pub fn next(&self) -> Vec<Option<(Node, usize)>> {
        let Edge::Made(made, _) = &self.0 else { return Vec::new() };
        let next = |edge: &Option<Edge>| {
            let edge = edge.clone()?;
            let at = if let Edge::Made(_, at) = &edge { *at } else { 0 };
            Some((Node(edge), at))
        };
        made.edges().iter().map(next).collect()
    }

    /// A result of the node that was saved without its graph, as a part of the graph again.
    pub fn output(&self, at: usize, elements: &Array) -> Array {
        let edge = match &self.0 {
            Edge::Made(made, _) => Edge::Made(made.clone(), at),
            leaf => leaf.clone(),
        };
        super::backend::noted(elements, Some(edge))
    }
}
