//! The walk from results to leaves.

use super::backend::{self, around};
use super::graph::{Custom, Edge, Edges, Function, Leaf, Linear, Made, Node, Operand, Rule};
use super::{Recording, detached, differentiable, mode, overwritten};
use ivy_core::backend::{BackendRef, pull_op};
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, ErrorKind, Result, Shape};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a walk leaves of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Graph {
    /// What was saved for it is freed: a second walk is an error where it needs that.
    Freed,
    /// It stays for further walks.
    Retained,
    /// It stays, and the walk itself is recorded: gradients have gradients.
    Created,
}

/// What becomes of an input that the outputs do not depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unused {
    /// An error.
    Refused,
    /// No gradient.
    Absent,
    /// A gradient of zeros.
    Zeros,
}

fn invalid(argument: &'static str, value: &Array, rule: &'static str) -> ivy_core::Error {
    let value = format!("a tensor of {} and shape {}", value.dtype(), value.shape());
    ErrorKind::InvalidArgument { function: "autograd", argument, value, rule }.into()
}

/// Adds the gradients of outputs, each weighted by its own, to those of the leaves that they depend on: of `inputs` only,
/// if these are given. An output with one element needs no weight.
///
/// ```
/// use ivy_core::{Array, functional as f};
/// use ivy_frontend::autograd;
/// # use ivy_backend_ndarray as _;
/// let x = autograd::require_grad(&Array::try_from([1.0f64, 2.0, 3.0])?)?;
/// let y = f::sum(f::square(&x)?, ())?;
/// autograd::backward(&[y], &[], autograd::Graph::Freed, None)?;
/// assert_eq!(autograd::grad_of(&x).unwrap().to_vec::<f64>()?, [2.0, 4.0, 6.0]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] for an output that requires no gradient, one of several elements without a weight, and a
/// weight that is not as its output; those of the derivatives.
pub fn backward(
    outputs: &[Array],
    weights: &[Option<Array>],
    graph: Graph,
    inputs: Option<&[Array]>,
) -> Result<()> {
    let mut walk = Walk::begin(outputs, weights, Walking::new(graph, Unused::Absent))?;
    let create_graph = graph == Graph::Created;
    for x in inputs.unwrap_or_default() {
        walk.want(x)?;
    }
    let found = walk.run()?;
    for (leaf, gradient) in found.leaves {
        let wanted =
            |x: &Array| matches!(backend::edge(x), Some(Edge::Leaf(own)) if Arc::ptr_eq(&own, &leaf));
        if inputs.is_none_or(|inputs| inputs.iter().any(wanted)) {
            let sum = match leaf.gradient() {
                Some(known) => within(create_graph, || f::add(&known, &gradient))?,
                None => gradient,
            };
            leaf.set(Some(sum));
        }
    }
    Ok(())
}

/// The gradients of outputs, each weighted by its own and all added, by inputs: leaves, or tensors on the way.
///
/// # Errors
/// As [`backward`]; [`ErrorKind::InvalidArgument`] for an input that requires no gradient, or that is not used and may not be.
pub fn grad(
    outputs: &[Array],
    inputs: &[Array],
    weights: &[Option<Array>],
    graph: Graph,
    unused: Unused,
) -> Result<Vec<Option<Array>>> {
    grad_with(outputs, inputs, weights, Walking::new(graph, unused))
}

/// How [`grad_with`] walks.
#[derive(Clone, Copy, Debug)]
pub struct Walking<'a> {
    graph: Graph,
    unused: Unused,
    recording: Option<&'a Recording>,
    leaf_hooks: bool,
}

impl<'a> Walking<'a> {
    /// Through all of the graph, as [`grad`] does.
    pub fn new(graph: Graph, unused: Unused) -> Walking<'a> {
        Walking { graph, unused, recording: None, leaf_hooks: true }
    }

    /// Through what a tape has recorded: what was computed while it was off is a constant.
    #[must_use]
    pub fn recorded_by(self, recording: &'a Recording) -> Walking<'a> {
        Walking { recording: Some(recording), ..self }
    }

    /// Without the hooks of leaves, as `paddle.grad` does it.
    #[must_use]
    pub fn without_leaf_hooks(self) -> Walking<'a> {
        Walking { leaf_hooks: false, ..self }
    }
}

/// [`grad`], walking as it is told.
///
/// # Errors
/// As [`grad`].
pub fn grad_with(
    outputs: &[Array],
    inputs: &[Array],
    weights: &[Option<Array>],
    walking: Walking<'_>,
) -> Result<Vec<Option<Array>>> {
    let mut walk = Walk::begin(outputs, weights, walking)?;
    for x in inputs {
        walk.want(x)?;
    }
    let found = walk.run()?;
    let gradients = inputs.iter().map(|x| match (found.of(x), walking.unused) {
        (Some(gradient), _) => Ok(Some(gradient)),
        (None, Unused::Absent) => Ok(None),
        (None, Unused::Zeros) => f::zeros_like(detached(x), ()).map(Some),
        (None, Unused::Refused) => {
            Err(invalid("inputs", x, "the outputs do not depend on it; allow it to be unused"))
        }
    });
    gradients.collect()
}

/// Calls a function whose ops are noted or not.
fn within<T>(noted: bool, f: impl FnOnce() -> T) -> T {
    if noted { mode::enable_grad(f) } else { mode::no_grad(f) }
}

type Leaves = Vec<(Arc<Leaf>, Array)>;

/// Nodes that have cotangents and wait for those of all that came after them: by their numbers.
struct Walk<'a> {
    walking: Walking<'a>,
    waiting: BTreeMap<u64, (Arc<Made>, Vec<Option<Array>>)>,
    leaves: Leaves,
    wanted: Vec<(u64, usize)>,
}

/// The gradients at the end of a walk.
struct Found {
    leaves: Leaves,
    made: BTreeMap<(u64, usize), Array>,
}

impl Found {
    fn of(&self, x: &Array) -> Option<Array> {
        match backend::edge(x)? {
            Edge::Leaf(leaf) => {
                self.leaves.iter().find(|(own, _)| Arc::ptr_eq(own, &leaf)).map(|(_, g)| g.clone())
            }
            Edge::Made(made, at) => self.made.get(&(made.number, at)).cloned(),
        }
    }
}

/// The frameworks pair complex numbers with conjugates, the core without.
fn conjugated(x: Array) -> Result<Array> {
    if x.dtype().is_complex() { f::conj(&x) } else { Ok(x) }
}

impl<'a> Walk<'a> {
    fn begin(outputs: &[Array], weights: &[Option<Array>], walking: Walking<'a>) -> Result<Walk<'a>> {
        let (waiting, leaves, wanted) = (BTreeMap::new(), Vec::new(), Vec::new());
        let mut walk = Walk { walking, waiting, leaves, wanted };
        let create_graph = walking.graph == Graph::Created;
        for (i, y) in outputs.iter().enumerate() {
            let Some(edge) = backend::edge(y) else {
                return Err(invalid("outputs", y, "it does not require grad and does not have a grad_fn"));
            };
            let weight = match weights.get(i).cloned().flatten() {
                Some(weight) if weight.shape() != y.shape() || weight.dtype() != y.dtype() => {
                    return Err(invalid(
                        "grad_outputs",
                        &weight,
                        "the dtype and shape of its output are needed",
                    ));
                }
                Some(weight) => {
                    if create_graph {
                        weight
                    } else {
                        detached(&weight)
                    }
                }
                None if y.size() != 1 || !y.dtype().is_float() => {
                    return Err(invalid(
                        "outputs",
                        y,
                        "grad can be implicitly created only for scalar outputs",
                    ));
                }
                None => f::ones_like(detached(y), ())?,
            };
            within(create_graph, || walk.put(&edge, conjugated(weight)?))?;
        }
        Ok(walk)
    }

    /// Notes a tensor whose cotangent is asked for.
    fn want(&mut self, x: &Array) -> Result<()> {
        match backend::edge(x) {
            Some(Edge::Made(made, at)) => self.wanted.push((made.number, at)),
            Some(Edge::Leaf(_)) => {}
            None => {
                return Err(invalid("inputs", x, "one of the differentiated Tensors does not require grad"));
            }
        }
        Ok(())
    }

    /// Adds a cotangent to those of a tensor.
    fn put(&mut self, edge: &Edge, part: Array) -> Result<()> {
        let place = match edge {
            Edge::Made(made, at) => {
                let blank = || (made.clone(), vec![None; made.results]);
                &mut self.waiting.entry(made.number).or_insert_with(blank).1[*at]
            }
            Edge::Leaf(leaf) => {
                match self.leaves.iter_mut().find(|(own, _)| Arc::ptr_eq(own, leaf)) {
                    Some((_, sum)) => *sum = f::add(&*sum, &part)?,
                    None => self.leaves.push((leaf.clone(), part)),
                }
                return Ok(());
            }
        };
        *place = Some(match place.take() {
            Some(sum) => f::add(&sum, &part)?,
            None => part,
        });
        Ok(())
    }

    fn run(mut self) -> Result<Found> {
        let mut made = BTreeMap::new();
        let create_graph = self.walking.graph == Graph::Created;
        within(create_graph, || {
            while let Some((number, (node, mut cotangents))) = self.waiting.pop_last() {
                for (at, cotangent) in cotangents.iter_mut().enumerate() {
                    let Some(own) = cotangent else { continue };
                    let is_wanted = self.wanted.contains(&(number, at));
                    if !is_wanted && !node.is_watched(at) {
                        continue;
                    }
                    let gradient = node.watch(at, conjugated(own.clone())?)?;
                    *own = conjugated(gradient.clone())?;
                    if is_wanted {
                        made.insert((number, at), gradient);
                    }
                }
                if self.walking.recording.is_some_and(|recording| !recording.covers(number)) {
                    continue;
                }
                for (edge, part) in pulled(&node, &cotangents, create_graph)? {
                    self.put(&edge, part)?;
                }
                if self.walking.graph == Graph::Freed {
                    node.free();
                }
            }
            let leaf_hooks = self.walking.leaf_hooks;
            let gradient = |(leaf, x): (Arc<Leaf>, Array)| {
                let gradient = conjugated(x)?;
                let gradient = if leaf_hooks { leaf.hooks.run(gradient)? } else { gradient };
                Ok((leaf, gradient))
            };
            let leaves = self.leaves.into_iter().map(gradient);
            Ok(Found { leaves: leaves.collect::<Result<_>>()?, made })
        })
    }
}

/// An array on a backend around its own.
fn beside(x: &Array, backend: &BackendRef) -> Result<Array> {
    if x.backend() == backend {
        return Ok(x.clone());
    }
    match backend.wraps() {
        Some(below) => Ok(Array::from_value(backend.clone(), backend.lift(beside(x, &below)?)?)),
        None => Err(invalid("inputs", x, "arrays of two backends do not mix")),
    }
}

fn zeros(like: &Array, dtype: Dtype, shape: &Shape) -> Result<Array> {
    f::astype(f::broadcast_to(f::zeros_like(f::sum(like, ())?, ())?, shape.clone())?, dtype)
}

/// The cotangents of a node's operands, of its results' ones.
fn pulled(node: &Arc<Made>, cotangents: &[Option<Array>], create_graph: bool) -> Result<Vec<(Edge, Array)>> {
    match node.rule() {
        Some(Rule::Op { op, operands }) => {
            let arrays: SmallVec<[Array; 2]> = recorded(&operands, create_graph).collect();
            let active: SmallVec<[bool; 2]> = operands.iter().map(is_active).collect();
            overwritten::check(node.number, &op, &operands, &active)?;
            let given = weights(cotangents, create_graph)?;
            let parts = op.with(|op| pull_op(op, &arrays, &active, &given))?;
            Ok(active_edges(&operands).zip(parts).collect())
        }
        Some(Rule::Linear(linear)) => {
            let Linear { op, operands, edges } = *linear;
            let given = weights(cotangents, create_graph)?;
            let Some(like) = given.iter().flatten().next() else { return Ok(Vec::new()) };
            let blank = operands.iter().map(|(dtype, shape)| zeros(like, *dtype, shape));
            let arrays: SmallVec<[Array; 2]> = blank.collect::<Result<_>>()?;
            let noted =
                edges.into_iter().zip(&operands).map(|(edge, x)| edge.filter(|_| differentiable(x.0)));
            let edges: Edges = noted.collect();
            let active: SmallVec<[bool; 2]> = edges.iter().map(Option::is_some).collect();
            let parts = op.with(|op| pull_op(op, &arrays, &active, &given))?;
            Ok(edges.into_iter().flatten().zip(parts).collect())
        }
        Some(Rule::Function(function)) => pulled_back(&function, cotangents, create_graph),
        Some(Rule::Custom(custom)) => pulled_custom(node, &custom, cotangents),
        None => {
            let (function, argument, value) = ("autograd", "outputs", "a graph that was freed".into());
            let rule = "Trying to backward through the graph a second time; specify retain_graph=True the first time";
            Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into())
        }
    }
}

/// The cotangents of the inputs of a function of the program's, by its own pullback.
fn pulled_custom(
    node: &Arc<Made>,
    Custom { name, pullback, inputs, edges }: &Custom,
    cotangents: &[Option<Array>],
) -> Result<Vec<(Edge, Array)>> {
    let gradients = cotangents.iter().map(|x| x.clone().map(conjugated).transpose());
    let found = pullback(&Node(Edge::Made(node.clone(), 0)), &gradients.collect::<Result<Vec<_>>>()?)?;
    let wrong = |value: String, rule| {
        let (function, argument) = ("autograd", "backward");
        ivy_core::Error::from(ErrorKind::InvalidArgument { function, argument, value, rule })
    };
    if found.len() != inputs.len() {
        let value = format!("{name}: {} gradients for {} tensors", found.len(), inputs.len());
        return Err(wrong(value, "a function returns a gradient, or none, for each of its inputs"));
    }
    let mut parts = Vec::new();
    for ((gradient, edge), (dtype, shape)) in found.into_iter().zip(edges).zip(inputs) {
        let (Some(gradient), Some(edge)) = (gradient, edge) else { continue };
        if gradient.shape() != shape {
            let value = format!("{name}: shape {} for an input of shape {shape}", gradient.shape());
            return Err(wrong(value, "a gradient has the shape of its input"));
        }
        let gradient = if gradient.dtype() == *dtype { gradient } else { f::astype(gradient, *dtype)? };
        parts.push((edge.clone(), conjugated(gradient)?));
    }
    Ok(parts)
}

/// The cotangents of the operands of a function of the core's, by its rule.
fn pulled_back(
    Function { function, operands, results: forms }: &Function,
    cotangents: &[Option<Array>],
    create_graph: bool,
) -> Result<Vec<(Edge, Array)>> {
    let arrays: Vec<Array> = recorded(operands, create_graph).collect();
    let active: Vec<usize> = (0..arrays.len()).filter(|&i| is_active(&operands[i])).collect();
    let primals: Vec<Array> = active.iter().map(|&i| arrays[i].clone()).collect();
    let run = |given: &Vec<Array>| -> Result<Vec<Array>> {
        let Some(backend) = given.first().map(|x| x.backend().clone()) else { return Ok(Vec::new()) };
        let mut operands = arrays.clone();
        for (&i, x) in active.iter().zip(given) {
            operands[i] = x.clone();
        }
        function(&operands.iter().map(|x| beside(x, &backend)).collect::<Result<Vec<_>>>()?)
    };
    let (results, back) = f::vjp(run, &primals)?;
    let weights =
        results.iter().zip(cotangents).zip(forms).map(|((y, cotangent), (dtype, shape))| match cotangent {
            Some(cotangent) => weight(cotangent, create_graph),
            None => zeros(y, *dtype, shape),
        });
    let parts = back.call(&weights.collect::<Result<Vec<_>>>()?)?;
    Ok(active_edges(operands).zip(parts).collect())
}

/// The operands of a node, with the graph behind them if the walk is recorded: by which the gradient has a gradient.
fn recorded(operands: &[Operand], create_graph: bool) -> impl Iterator<Item = Array> {
    operands.iter().map(move |operand| match create_graph {
        true => backend::tensor(operand),
        false => operand.below(),
    })
}

/// Whether a derivative is taken by an operand.
fn is_active(operand: &Operand) -> bool {
    operand.note.is_recorded() && differentiable(operand.inner.dtype)
}

/// Where those operands come from.
fn active_edges(operands: &[Operand]) -> impl Iterator<Item = Edge> {
    operands.iter().filter(|operand| is_active(operand)).filter_map(|operand| operand.note.edge())
}

/// A cotangent where the walk computes.
fn weight(cotangent: &Array, create_graph: bool) -> Result<Array> {
    match create_graph {
        true => beside(cotangent, &around(&bottom(cotangent))),
        false => Ok(detached(cotangent)),
    }
}

/// Cotangents where the walk computes.
fn weights(cotangents: &[Option<Array>], create_graph: bool) -> Result<SmallVec<[Option<Array>; 1]>> {
    cotangents.iter().map(|x| x.as_ref().map(|x| weight(x, create_graph)).transpose()).collect()
}

/// The backend that computes an array.
fn bottom(x: &Array) -> BackendRef {
    detached(x).backend().clone()
}
