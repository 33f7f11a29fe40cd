//! Nodes and steps, and how operations make them.

use super::scope;
use crate::array::Leaf;
use crate::{Error, Result};
use ivy_core::{Array, Dtype, Shape, functional as f};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// A function of arrays that several calls of the core make up.
pub(crate) type Shared = Arc<dyn Fn(&[Array]) -> ivy_core::Result<Vec<Array>> + Send + Sync>;

/// What a step does. It is called again, on other backends, when the step is differentiated.
#[derive(Clone)]
pub(crate) enum Kernel {
    /// One result.
    Plain(fn(&[Array]) -> ivy_core::Result<Array>),
    /// Any number of results.
    Shared(Shared),
    /// Rules of the user's own.
    Custom(Arc<dyn super::custom::Rules>),
}

impl Kernel {
    pub(crate) fn one(f: impl Fn(&[Array]) -> ivy_core::Result<Array> + Send + Sync + 'static) -> Kernel {
        Kernel::Shared(Arc::new(move |inputs: &[Array]| Ok(vec![f(inputs)?])))
    }

    fn call(&self, inputs: &[Array]) -> Result<Vec<Array>> {
        match self {
            Kernel::Plain(f) => Ok(vec![f(inputs)?]),
            Kernel::Shared(f) => Ok(f(inputs)?),
            Kernel::Custom(rules) => rules.eval(inputs),
        }
    }
}

/// The place of an array in the graph. Equal if the same.
#[derive(Clone)]
pub(crate) struct Node(Arc<Inner>);

pub(super) struct Inner {
    id: u64,
    dtype: Dtype,
    shape: Shape,
    grad: Mutex<Option<Array>>,
    origin: Option<(Arc<Step>, usize)>,
    users: Mutex<Vec<Weak<Step>>>,
}

/// A call: the function, its arguments, and the nodes that stand for them.
pub(super) struct Step {
    kernel: Kernel,
    inputs: Vec<Array>,
    sources: Vec<Option<Node>>,
    /// The result's number, and its node, of each result that has one.
    outputs: Mutex<Vec<(usize, Weak<Inner>)>>,
    kinds: Vec<(Dtype, Shape)>,
}

/// Numbers grow from arguments to results: the order of a traversal.
static COUNTER: AtomicU64 = AtomicU64::new(1);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number that the next node gets.
pub(super) fn next_id() -> u64 {
    COUNTER.load(Ordering::Relaxed)
}

/// A variable of its own.
pub(crate) fn new_leaf(array: &Array) -> Node {
    Node::new(array, None)
}

impl Node {
    fn new(array: &Array, origin: Option<(Arc<Step>, usize)>) -> Node {
        Node(Arc::new(Inner {
            id: COUNTER.fetch_add(1, Ordering::Relaxed),
            dtype: array.dtype(),
            shape: array.shape().clone(),
            grad: Mutex::new(None),
            origin,
            users: Mutex::new(Vec::new()),
        }))
    }

    pub(crate) fn id(&self) -> u64 {
        self.0.id
    }

    pub(super) fn is_leaf(&self) -> bool {
        self.0.origin.is_none()
    }

    pub(super) fn step(&self) -> Option<&Arc<Step>> {
        self.0.origin.as_ref().map(|(step, _)| step)
    }

    pub(super) fn users(&self) -> Vec<Arc<Step>> {
        let mut users = lock(&self.0.users);
        users.retain(|user| user.strong_count() > 0);
        users.iter().filter_map(Weak::upgrade).collect()
    }

    pub(super) fn grad(&self) -> Option<Array> {
        lock(&self.0.grad).clone()
    }

    pub(super) fn set_grad(&self, grad: Option<Array>) {
        *lock(&self.0.grad) = grad;
    }

    /// The dtype and shape of the array and so of its gradient.
    pub(super) fn kind(&self) -> (Dtype, &Shape) {
        (self.0.dtype, &self.0.shape)
    }

    pub(super) fn accumulate(&self, more: &Array) -> Result<()> {
        let mut grad = lock(&self.0.grad);
        let sum = match grad.as_ref() {
            Some(old) => f::add(old, more)?,
            None => more.clone(),
        };
        *grad = Some(sum);
        Ok(())
    }
}

/// Long chains are taken apart one step after the other, not one within the other.
impl Drop for Inner {
    fn drop(&mut self) {
        let mut left: Vec<Arc<Step>> = self.origin.take().map(|(step, _)| step).into_iter().collect();
        while let Some(step) = left.pop() {
            let Some(mut step) = Arc::into_inner(step) else { continue };
            for node in step.sources.drain(..).flatten() {
                if let Some(mut inner) = Arc::into_inner(node.0) {
                    left.extend(inner.origin.take().map(|(step, _)| step));
                }
            }
        }
    }
}

impl Step {
    pub(super) fn sources(&self) -> impl Iterator<Item = &Node> {
        self.sources.iter().flatten()
    }

    pub(super) fn outputs(&self) -> Vec<(usize, Node)> {
        let outputs = lock(&self.outputs);
        outputs.iter().filter_map(|(number, node)| Some((*number, Node(node.upgrade()?)))).collect()
    }

    /// The function of the arguments that have nodes, as the core differentiates it: its results that have gradients.
    fn differentiable(&self) -> impl Fn(&Vec<Array>) -> ivy_core::Result<Vec<Array>> + '_ {
        move |given: &Vec<Array>| {
            let mut given = given.iter();
            let one = |(own, source): (&Array, &Option<Node>)| match source {
                Some(_) => given.next().unwrap_or(own).clone(),
                None => own.clone(),
            };
            let inputs: Vec<Array> = self.inputs.iter().zip(&self.sources).map(one).collect();
            let outputs = match &self.kernel {
                Kernel::Plain(f) => vec![f(&inputs)?],
                Kernel::Shared(f) => f(&inputs)?,
                Kernel::Custom(_) => Vec::new(),
            };
            Ok(outputs.into_iter().filter(|x| x.dtype().is_float()).collect())
        }
    }

    fn primals(&self) -> Vec<Array> {
        self.inputs.iter().zip(&self.sources).filter(|(_, s)| s.is_some()).map(|(x, _)| x.clone()).collect()
    }

    /// Takes the results' cotangents to those of the arguments that have nodes, in order.
    pub(super) fn pull(&self, given: &[(usize, Array)]) -> Result<Vec<Array>> {
        let cotangents = self.filled(given)?;
        if let Kernel::Custom(rules) = &self.kernel {
            let all = rules.backward(&self.inputs, &cotangents)?;
            return Ok(all
                .into_iter()
                .zip(&self.sources)
                .filter(|(_, s)| s.is_some())
                .map(|(x, _)| x)
                .collect());
        }
        let (_, back) = f::vjp(self.differentiable(), &self.primals())?;
        Ok(back.call(&cotangents)?)
    }

    /// Takes the tangents of the arguments that have nodes, zero where there is none, to those of the results.
    pub(super) fn push(&self) -> Result<Vec<(usize, Array)>> {
        let tangents: Vec<Array> = (self.inputs.iter().zip(&self.sources))
            .filter_map(|(x, source)| Some((x, source.as_ref()?)))
            .map(|(x, source)| source.grad().map_or_else(|| f::zeros_like(x, ()), Ok))
            .collect::<ivy_core::Result<_>>()?;
        let results = match &self.kernel {
            Kernel::Custom(rules) => rules.forward(&self.inputs, &self.all_tangents(tangents)?)?,
            _ => f::jvp(self.differentiable(), &self.primals(), &tangents)?.1,
        };
        let floats =
            (0..).zip(&self.kinds).filter(|(_, (dtype, _))| dtype.is_float()).map(|(number, _)| number);
        Ok(floats.zip(results).collect())
    }

    /// A tangent for each argument, in order.
    fn all_tangents(&self, given: Vec<Array>) -> Result<Vec<Array>> {
        let mut given = given.into_iter();
        let one = |(x, source): (&Array, &Option<Node>)| match source {
            Some(_) => Ok(given.next().map_or_else(|| f::zeros_like(x, ()), Ok)?),
            None => Ok(f::zeros_like(x, ())?),
        };
        self.inputs.iter().zip(&self.sources).map(one).collect()
    }

    /// A cotangent for each result of floats, zero where none is given.
    fn filled(&self, given: &[(usize, Array)]) -> Result<Vec<Array>> {
        let Some((_, like)) = given.first() else { return Ok(Vec::new()) };
        let one = |(number, (dtype, shape)): (usize, &(Dtype, Shape))| {
            let own = given.iter().find(|(own, _)| *own == number).map(|(_, x)| x.clone());
            own.map_or_else(|| crate::array::full_beside(like, shape, *dtype, 0.0.into()), Ok)
        };
        self.kinds.iter().enumerate().filter(|(_, (dtype, _))| dtype.is_float()).map(one).collect()
    }
}

/// Calls a function of one result.
pub(crate) fn run(function: &'static str, kernel: &Kernel, inputs: &[&Leaf]) -> Result<Leaf> {
    if let (Kernel::Plain(f), true) = (kernel, inputs.iter().all(|leaf| leaf.node.is_none())) {
        let arrays: smallvec::SmallVec<[Array; 3]> = inputs.iter().map(|leaf| leaf.array.clone()).collect();
        return Ok(Leaf::new(f(&arrays)?));
    }
    let mut results = run_all(function, kernel, inputs)?;
    let count = results.len();
    match (results.pop(), count) {
        (Some(result), 1) => Ok(result),
        _ => {
            let rule = "a function of one result has to give one";
            Err(Error::InvalidArgument { function, argument: "results", value: count.to_string(), rule })
        }
    }
}

/// Calls a function, and notes it where an argument has gradients: results of floats have nodes then.
pub(crate) fn run_all(function: &'static str, kernel: &Kernel, inputs: &[&Leaf]) -> Result<Vec<Leaf>> {
    let arrays: Vec<Array> = inputs.iter().map(|leaf| leaf.array.clone()).collect();
    let outputs = kernel.call(&arrays)?;
    let source = |leaf: &&Leaf| leaf.node.clone().filter(|node| scope::is_enabled(node.id()));
    let sources: Vec<Option<Node>> = inputs.iter().map(source).collect();
    if sources.iter().all(Option::is_none) || !outputs.iter().any(|x| x.dtype().is_float()) {
        return Ok(outputs.into_iter().map(Leaf::new).collect());
    }
    if scope::is_recording() {
        return Err(Error::CapturedGradient { function });
    }
    let kinds = outputs.iter().map(|x| (x.dtype(), x.shape().clone())).collect();
    let (kernel, made) = (kernel.clone(), Mutex::new(Vec::new()));
    let step = Arc::new(Step { kernel, inputs: arrays, sources, outputs: made, kinds });
    for source in step.sources() {
        lock(&source.0.users).push(Arc::downgrade(&step));
    }
    let one = |(number, array): (usize, Array)| {
        let node = array.dtype().is_float().then(|| Node::new(&array, Some((step.clone(), number))));
        lock(&step.outputs).extend(node.iter().map(|node| (number, Arc::downgrade(&node.0))));
        Leaf { array, node }
    };
    Ok(outputs.into_iter().enumerate().map(one).collect())
}
