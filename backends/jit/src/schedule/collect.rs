//! Which nodes a kernel takes in, each under the map by which the iteration space finds its
//! elements.

use super::{Input, Job, STEP, Source, Step};
use crate::runtime::Elements;
use crate::trace::{Affine, Kind, Map, NONE, NodeId, Trace, WordHash};
use ivy_core::Dims;
use ivy_core::host::contiguous_strides;
use std::collections::HashMap;

/// How coordinates of the iteration space find a node's elements.
#[derive(Clone, PartialEq, Eq)]
enum Where {
    /// The node has the space's shape.
    Same,
    /// The node has one element.
    One,
    /// By coordinates.
    Map(Map),
    /// By the number in row-major order, which is enough for all that is under the node.
    Order(Affine),
}

const SAME: u32 = 0;
const ONE: u32 = 1;

/// A node that is needed under more than one map is evaluated first if it takes more
/// operations than this.
const REPEATED: u32 = 8;

/// What is folded is evaluated first if others refer to it, and it takes more operations than this.
const SHARED: u32 = 24;

type Found = (NodeId, u32);

struct Frame {
    at: Found,
    operands: [Found; 3],
    open: bool,
}

struct Collector<'t> {
    trace: &'t Trace,
    space: Dims,
    wheres: Vec<Where>,
    job: Job,
    input_of: HashMap<NodeId, Vec<u32>, WordHash>,
    steps: HashMap<Found, u32, WordHash>,
    first_map: HashMap<NodeId, u32, WordHash>,
}

impl Job {
    /// What it takes to evaluate a pending node in one kernel.
    ///
    /// # Errors
    /// A pending node that must be evaluated first, where fusion stops.
    pub(crate) fn collect(trace: &Trace, root: NodeId) -> Result<Job, NodeId> {
        let node = trace.node(root);
        let mut job = Job {
            inputs: Vec::new(),
            steps: Vec::new(),
            fold: None,
            space: node.shape.clone(),
            shape: node.shape.clone(),
            dtype: node.dtype,
        };
        let mut top = root;
        if let Kind::Fold(join) = node.kind {
            top = node.operands[0];
            let under = trace.node(top);
            // Others want it too: once is enough.
            if under.is_pending() && under.refs > 1 && under.weight > SHARED {
                return Err(top);
            }
            job.space = under.shape.clone();
            job.fold = Some((join, node.literal[0]));
        }
        let mut collector = Collector {
            trace,
            space: Dims::from_slice(&job.space),
            wheres: vec![Where::Same, Where::One],
            job,
            input_of: HashMap::default(),
            steps: HashMap::default(),
            first_map: HashMap::default(),
        };
        let found = collector.resolve((top, SAME))?;
        collector.nodes(found)?;
        if collector.job.steps.is_empty() {
            collector.number(found);
        }
        Ok(collector.job)
    }
}

impl Collector<'_> {
    /// Takes in a node and all that it needs, each after its operands.
    fn nodes(&mut self, root: Found) -> Result<(), NodeId> {
        if !self.trace.node(root.0).is_pending() {
            return Ok(());
        }
        let none = [(NONE, SAME); 3];
        let mut stack = vec![Frame { at: root, operands: none, open: false }];
        while let Some(frame) = stack.last_mut() {
            let at = frame.at;
            if !frame.open {
                frame.open = true;
                if self.steps.contains_key(&at) {
                    stack.pop();
                    continue;
                }
                self.admit(at)?;
                let mut operands = none;
                for (i, &operand) in self.trace.node(at.0).operands.iter().enumerate() {
                    if operand != NONE {
                        operands[i] = self.operand(at, operand)?;
                    }
                }
                if let Some(frame) = stack.last_mut() {
                    frame.operands = operands;
                }
                // In reverse: the first operand comes first.
                for &found in operands.iter().rev().filter(|o| o.0 != NONE) {
                    if self.trace.node(found.0).is_pending() && !self.steps.contains_key(&found) {
                        stack.push(Frame { at: found, operands: none, open: false });
                    }
                }
                continue;
            }
            let operands = frame.operands;
            stack.pop();
            if self.steps.contains_key(&at) {
                continue;
            }
            let numbers = operands.map(|o| if o.0 == NONE { NONE } else { self.number(o) });
            let node = self.trace.node(at.0);
            self.steps.insert(at, self.job.steps.len() as u32);
            self.job.steps.push(Step { kind: node.kind, dtype: node.dtype, operands: numbers });
        }
        Ok(())
    }

    /// Refuses what is better evaluated first.
    fn admit(&mut self, (id, at): Found) -> Result<(), NodeId> {
        if matches!(self.trace.node(id).kind, Kind::Fold(_)) {
            return Err(id);
        }
        let first = *self.first_map.entry(id).or_insert(at);
        if first != at && self.trace.node(id).weight > REPEATED {
            return Err(id);
        }
        Ok(())
    }

    /// True if a node's elements would be computed more than once each: an axis of the space
    /// makes no difference to them, others do.
    fn repeats(&self, at: u32) -> bool {
        let long = || (0..self.space.len()).filter(|&a| self.space[a] > 1);
        let ignores: &dyn Fn(usize) -> bool = match &self.wheres[at as usize] {
            Where::Same | Where::One => return false,
            Where::Map(map) => &|a| map.ignores(a),
            Where::Order(order) => &|a| order.steps.get(a).is_none_or(|&s| s == 0),
        };
        long().any(ignores) && !long().all(ignores)
    }

    fn intern(&mut self, found: Where) -> u32 {
        // The two that have names of their own stand first; there are few.
        let known = self.wheres.iter().position(|w| *w == found);
        known.unwrap_or_else(|| {
            self.wheres.push(found);
            self.wheres.len() - 1
        }) as u32
    }

    /// An operand of a node that is found like this: what it is a view of, and how that is found.
    fn operand(&mut self, (id, at): Found, operand: NodeId) -> Result<Found, NodeId> {
        let (whole, node) = (&self.trace.node(id).shape, self.trace.node(operand));
        if node.kind == Kind::Literal || node.shape.size() == 1 {
            return self.resolve((operand, ONE));
        }
        if node.shape == *whole || matches!(self.wheres[at as usize], Where::Order(_)) {
            return self.resolve((operand, at));
        }
        let map = Map::broadcast(&node.shape, whole);
        let map = match &self.wheres[at as usize] {
            Where::Map(outer) => map.after(outer),
            _ => map,
        };
        let at = self.intern(Where::Map(map));
        if node.is_pending() && self.repeats(at) {
            return Err(operand);
        }
        self.resolve((operand, at))
    }

    /// Follows views to what they are views of.
    fn resolve(&mut self, (mut id, mut at): Found) -> Result<Found, NodeId> {
        loop {
            let node = self.trace.node(id);
            let inner = node.operands[0];
            let map = match (node.kind, &node.map) {
                (Kind::View, Some(map)) => (**map).clone(),
                (Kind::Reshape, _) => {
                    let under = self.trace.node(inner);
                    if under.shape.size() == 1 || under.kind == Kind::Literal {
                        (id, at) = (inner, ONE);
                        continue;
                    }
                    let in_order = Elements::is_contiguous;
                    if node.flat || under.data.as_deref().is_some_and(in_order) {
                        let order = match &self.wheres[at as usize] {
                            Where::Order(order) => order.clone(),
                            Where::Map(map) => map.order(&node.shape),
                            _ => Affine { offset: 0, steps: contiguous_strides(&self.space) },
                        };
                        // In the space's own order, the number is enough: that is the same for
                        // every shape.
                        at = self.intern(Where::Order(order));
                        id = inner;
                        continue;
                    }
                    // What is there, but not in order, is reshaped by itself.
                    let first = if under.is_pending() { inner } else { id };
                    Map::reshape(&under.shape, &node.shape).ok_or(first)?
                }
                _ => return Ok((id, at)),
            };
            let map = match &self.wheres[at as usize] {
                Where::Map(outer) => map.after(outer),
                Where::One => map.after(&Map::same(0)),
                Where::Same => map,
                // What is a view is not in order, and has no order over it.
                Where::Order(_) => return Err(id),
            };
            at = self.intern(Where::Map(map));
            id = inner;
            if self.trace.node(id).is_pending() && self.repeats(at) {
                return Err(id);
            }
        }
    }

    /// The number of an operand: of the step that computes it, or of an input.
    fn number(&mut self, found: Found) -> u32 {
        if let Some(&step) = self.steps.get(&found) {
            return STEP | step;
        }
        let (id, at) = found;
        let node = self.trace.node(id);
        let zero = || Affine { offset: 0, steps: Dims::from_elem(0, self.space.len()) };
        let mut place = match (&node.data, &self.wheres[at as usize]) {
            (Some(array), Where::Same) => {
                Affine { offset: 0, steps: array.strides().iter().copied().collect() }
            }
            (Some(array), Where::Map(map)) => map.place(array.strides()),
            (Some(_), Where::Order(order)) => order.clone(),
            _ => zero(),
        };
        place.steps.resize(self.space.len(), 0);
        for (step, &length) in place.steps.iter_mut().zip(&self.space) {
            if length == 1 {
                *step = 0;
            }
        }
        let known = self.input_of.entry(id).or_default();
        let inputs = &mut self.job.inputs;
        if let Some(&same) = known.iter().find(|&&i| inputs[i as usize].place == place) {
            return same;
        }
        known.push(inputs.len() as u32);
        let source = match &node.data {
            Some(array) => Source::Array((**array).clone()),
            None => Source::Literal(node.literal),
        };
        inputs.push(Input { node: id, dtype: node.dtype, source, place });
        inputs.len() as u32 - 1
    }
}
