//! The graph: leaves, and nodes with their operands.

use super::hooks::{Hook, Hooks};
use super::kept::KeptOp;
use crate::wrapper::Noted;
use ivy_core::backend::CustomFunction;
use ivy_core::{Array, BinaryOp, Dtype, Op, ReduceOp, Result, Shape, UnaryOp};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where a tensor comes from.
#[derive(Clone)]
pub(super) enum Edge {
    /// From nowhere: derivatives end here.
    Leaf(Arc<Leaf>),
    /// From a node: which of its results it is.
    Made(Arc<Made>, usize),
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A tensor that a program wants the gradient of.
#[derive(Default)]
pub(super) struct Leaf {
    gradient: Mutex<Option<Array>>,
    /// How often it was set.
    version: AtomicU64,
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

    /// How often the gradient was set.
    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }
}

/// The vector-Jacobian product of a node that the program defines: from the gradients of its results to those of its
/// inputs, `None` where there is none.
pub type Pullback = Arc<dyn Fn(&Node, &[Option<Array>]) -> Result<Vec<Option<Array>>> + Send + Sync>;

/// An operand of an op: what the tensor holds, with where it comes from.
pub(super) type Operand = Arc<Noted<Option<Edge>>>;
/// The operands of an op: most have two at most, which take no memory of their own.
pub(super) type Operands = SmallVec<[Operand; 2]>;
/// Where the operands of a node come from; `None` for constants.
pub(super) type Edges = SmallVec<[Option<Edge>; 2]>;
/// What the results of a node are.
pub(super) type Results = SmallVec<[(Dtype, Shape); 1]>;

/// What a node computes.
#[derive(Clone)]
pub(super) enum Rule {
    /// An op, with its operands.
    Op { op: KeptOp, operands: Operands },
    /// An op whose pullback reads no elements, once a walk has freed them.
    Linear(Box<Linear>),
    /// A function of the core with a derivative rule of its own, with its operands.
    Function { function: CustomFunction, operands: Operands },
    /// A function of the program's with a pullback of its own.
    Custom(Box<Custom>),
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
    pub(super) operands: Results,
    /// Where they came from.
    pub(super) edges: Edges,
}

impl Rule {
    /// Where the operands come from.
    fn edges(&self) -> Edges {
        match self {
            Rule::Op { operands, .. } | Rule::Function { operands, .. } => {
                operands.iter().map(|operand| operand.note.clone()).collect()
            }
            Rule::Custom(custom) => custom.edges.clone(),
            Rule::Linear(linear) => linear.edges.clone(),
        }
    }

    /// Whether the pullback reads elements that were saved: after a walk that freed them there is no other one.
    fn saves(&self) -> bool {
        match self {
            Rule::Custom(_) | Rule::Function { .. } => true,
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
enum Inputs {
    /// What the pullback needs.
    Saved(Rule),
    /// Where the operands came from, once that has been freed.
    Freed(Edges),
}

/// A node: a computation that was recorded.
pub(super) struct Made {
    /// Nodes made later have greater numbers: a topological order.
    pub(super) number: u64,
    /// The name of what it computes: an op's as the core has it, or a program's function.
    name: Cow<'static, str>,
    inputs: Mutex<Inputs>,
    pub(super) results: Results,
    watched: Mutex<BTreeMap<usize, Watched>>,
}

static NUMBERS: AtomicU64 = AtomicU64::new(0);

impl Made {
    pub(super) fn new(rule: Rule, results: Results) -> Made {
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let name = match &rule {
            Rule::Op { op, .. } => Cow::Borrowed(op.with(Op::name)),
            Rule::Linear(linear) => Cow::Borrowed(linear.op.with(Op::name)),
            Rule::Function { .. } => Cow::Borrowed("custom_function"),
            Rule::Custom(custom) => Cow::Owned(custom.name.clone()),
        };
        Made { number, name, inputs: Mutex::new(Inputs::Saved(rule)), results, watched: Mutex::default() }
    }

    /// What it computes; `None` once it has been freed.
    pub(super) fn rule(&self) -> Option<Rule> {
        match &*locked(&self.inputs) {
            Inputs::Saved(rule) => Some(rule.clone()),
            Inputs::Freed(_) => None,
        }
    }

    /// Where its operands come from.
    pub(super) fn edges(&self) -> Edges {
        match &*locked(&self.inputs) {
            Inputs::Saved(rule) => rule.edges(),
            Inputs::Freed(edges) => edges.clone(),
        }
    }

    /// Frees what was saved for the walk. A pullback that reads none of it stays, by what its operands were.
    pub(super) fn free(&self) {
        let mut inputs = locked(&self.inputs);
        let (left, saved) = match std::mem::replace(&mut *inputs, Inputs::Freed(Edges::new())) {
            Inputs::Saved(rule) if rule.saves() => (Inputs::Freed(rule.edges()), Some(rule)),
            Inputs::Saved(rule) => match &rule {
                Rule::Op { op, operands } => {
                    let operands =
                        operands.iter().map(|x| (x.inner.dtype(), x.inner.shape().clone())).collect();
                    let linear = Linear { op: op.clone(), operands, edges: rule.edges() };
                    (Inputs::Saved(Rule::Linear(linear.into())), Some(rule))
                }
                _ => (Inputs::Saved(rule), None),
            },
            freed => (freed, None),
        };
        *inputs = left;
        // What goes with it does not wait for this node.
        drop(inputs);
        drop(saved);
    }

    /// Retains the gradient of a result.
    pub(super) fn retain(&self, at: usize) {
        locked(&self.watched).entry(at).or_default().retained = true;
    }

    /// The gradient that was retained of a result.
    pub(super) fn retained(&self, at: usize) -> Option<Array> {
        locked(&self.watched).get(&at).and_then(|watched| watched.gradient.clone())
    }

    /// Adds a hook to a result.
    pub(super) fn hook(&self, at: usize, hook: Hook) -> u64 {
        locked(&self.watched).entry(at).or_default().hooks.add(hook)
    }

    /// Removes a hook.
    pub(super) fn unhook(&self, at: usize, id: u64) {
        if let Some(watched) = locked(&self.watched).get(&at) {
            watched.hooks.remove(id);
        }
    }

    /// Whether somebody watches a result.
    pub(super) fn is_watched(&self, at: usize) -> bool {
        locked(&self.watched).contains_key(&at)
    }

    /// Passes the gradient of a result through its hooks, and retains it if that was asked for.
    pub(super) fn watch(&self, at: usize, gradient: Array) -> Result<Array> {
        // Hooks are called without the lock: they may watch the same result.
        let Some(hooks) = locked(&self.watched).get(&at).map(|watched| watched.hooks.clone()) else {
            return Ok(gradient);
        };
        let gradient = hooks.run(gradient)?;
        if let Some(watched) = locked(&self.watched).get_mut(&at).filter(|watched| watched.retained) {
            watched.gradient = Some(gradient.clone());
        }
        Ok(gradient)
    }
}

impl Drop for Made {
    /// Chains of nodes are as long as a program runs: they are taken apart one after the other, not one in the other.
    fn drop(&mut self) {
        let mut waiting = Vec::new();
        self.take_nodes(&mut waiting);
        while let Some(made) = waiting.pop() {
            if let Some(mut made) = Arc::into_inner(made) {
                made.take_nodes(&mut waiting);
            }
        }
    }
}

impl Made {
    /// Takes out the nodes that it holds; those of operands that somebody else has stay theirs.
    fn take_nodes(&mut self, waiting: &mut Vec<Arc<Made>>) {
        let inputs = self.inputs.get_mut().unwrap_or_else(PoisonError::into_inner);
        let made = |edge: Option<Edge>| if let Some(Edge::Made(made, _)) = edge { Some(made) } else { None };
        match std::mem::replace(inputs, Inputs::Freed(Edges::new())) {
            Inputs::Saved(Rule::Op { operands, .. } | Rule::Function { operands, .. }) => {
                let own = operands.into_iter().filter_map(Arc::into_inner);
                waiting.extend(own.filter_map(|operand| made(operand.note)));
            }
            Inputs::Saved(Rule::Custom(custom)) => waiting.extend(custom.edges.into_iter().filter_map(made)),
            Inputs::Freed(edges) => waiting.extend(edges.into_iter().filter_map(made)),
            Inputs::Saved(Rule::Linear(linear)) => waiting.extend(linear.edges.into_iter().filter_map(made)),
        }
    }
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
        match &made.name {
            Cow::Owned(name) => format!("{name}Backward"),
            Cow::Borrowed(op) => {
                let word = |word: &str| match word.split_at_checked(1) {
                    Some((first, rest)) => first.to_uppercase() + rest,
                    None => String::new(),
                };
                format!("{}Backward0", op.split('_').map(word).collect::<String>())
            }
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
