//! Recorded loops once more, step by step: which index was out of range, of those in a loop whose kernel
//! has found that one was.
//!
//! In each step, what was recorded is copied, with elements in the place of the loop's symbols, and its
//! indices are looked at in the order in which the program asked for them. Loops within are nodes of
//! their own then, and find theirs likewise.

use super::record::elementwise;
use super::variable::State;
use super::{Engine, Variable, misfit};
use crate::runtime::Elements;
use crate::schedule::IndexCheck;
use crate::trace::{Flow, Gather, Gathers, Kind, More, NONE, Node, NodeId, Scatter, Trace};
use ivy_core::Result;
use ivy_core::hash::WordHash;
use smallvec::SmallVec;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Nodes, and what stands for them in a step.
type Copies = HashMap<NodeId, Variable, WordHash>;

impl Engine {
    /// Runs the loop that a node comes out of step by step, until an index is out of range.
    ///
    /// # Errors
    /// That index's; those of evaluation.
    pub(super) fn diagnose_loop(&self, node: NodeId) -> Result<()> {
        let engine = self.trace().keeper().ok_or_else(|| misfit("gather"))?;
        let found = {
            let mut state = self.trace();
            let owner = state.node(node).operands[0];
            match state.nodes_of_loop(owner) {
                None => None,
                Some((vars, symbols, roots)) => {
                    let reads = [&roots[..1], &roots[1..]].map(|roots| reads(&state, roots));
                    let mut handle = |ids: &[NodeId]| -> Vec<Variable> {
                        ids.iter().map(|&id| state.another(&engine, id)).collect()
                    };
                    Some((handle(&vars), symbols, handle(&roots), reads))
                }
            }
        };
        // Somebody else has its results.
        let Some((mut vars, symbols, roots, reads)) = found else { return Ok(()) };
        loop {
            let mut copies: Copies = symbols.iter().copied().zip(vars.iter().cloned()).collect();
            reads[0].iter().try_for_each(|&id| engine.look(&mut copies, id))?;
            let test = engine.copy(&mut copies, roots[0].id());
            if !engine.any(&test)? {
                return Ok(());
            }
            reads[1].iter().try_for_each(|&id| engine.look(&mut copies, id))?;
            let mut changed = Vec::with_capacity(vars.len());
            for (root, var) in roots[1..].iter().zip(&vars) {
                let (next, (dtype, shape)) = (engine.copy(&mut copies, root.id()), var.signature());
                let next = engine.apply(Kind::Where, dtype, shape, &[&test, &next, var])?;
                engine.force(&next)?;
                changed.push(next);
            }
            vars = changed;
        }
    }

    /// True if one of some truth values is.
    fn any(&self, test: &Variable) -> Result<bool> {
        let array = match self.force(test)? {
            Elements::Host(array) => array,
            Elements::Device(array) => array.download()?,
        };
        Ok(ivy_kernels::to_contiguous(array.view())?.buffer().bytes().contains(&1))
    }

    /// Looks at the indices of a read, or does the loop that a node comes out of.
    fn look(self: &Arc<Self>, copies: &mut Copies, id: NodeId) -> Result<()> {
        let indices = {
            let state = self.trace();
            let node = state.node(id);
            node.gather().map(|gather| {
                let of = &state.node(node.operands[0]).shape;
                let check = |(&axis, &index): (&usize, &NodeId)| IndexCheck {
                    asked: gather.asked.clone(),
                    axis,
                    length: of[axis],
                    node: index,
                    number: gather.number,
                };
                gather.axes.iter().zip(&gather.indices).map(check).collect::<SmallVec<[IndexCheck; 2]>>()
            })
        };
        let Some(indices) = indices else {
            let result = self.copy(copies, id);
            return self.force(&result).map(drop);
        };
        for mut check in indices {
            let index = self.copy(copies, check.node);
            check.node = index.id();
            self.in_range(&check)?;
        }
        Ok(())
    }

    /// What stands for a node: a copy of it, and of all under it that is made of symbols.
    fn copy(self: &Arc<Self>, copies: &mut Copies, root: NodeId) -> Variable {
        let mut state = self.trace();
        let (mut seen, mut stack) = (HashSet::new(), vec![(root, false)]);
        while let Some((id, done)) = stack.pop() {
            let node = state.node(id);
            if done {
                let copied = state.copied(copies, id);
                let (of, index) = (copied.operands[0], copied.literal[0] as usize);
                let (copy, _) = state.add(copied, false, &mut Vec::new());
                if state.node(copy).kind == Kind::After {
                    state.comes_out(of, index, copy);
                }
                copies.insert(id, state.handle(self, copy));
            } else if node.symbolic
                && node.kind != Kind::Symbol
                && !copies.contains_key(&id)
                && seen.insert(id)
            {
                stack.push((id, true));
                stack.extend(node.operands().map(|o| (o, false)));
            }
        }
        match copies.get(&root) {
            Some(copy) => {
                let id = copy.id();
                state.another(self, id)
            }
            None => state.another(self, root),
        }
    }
}

impl State {
    /// One more handle on a node.
    fn another(&mut self, engine: &Arc<Engine>, id: NodeId) -> Variable {
        self.retain(id);
        self.handle(engine, id)
    }

    /// What a loop begins with, its symbols, and its test with what it carries next.
    fn nodes_of_loop(&self, owner: NodeId) -> Option<(Vec<NodeId>, Vec<NodeId>, Vec<NodeId>)> {
        let flow = (owner != NONE).then(|| self.node(owner).flow()).flatten()?;
        // What is scattered to is read by nobody.
        let kept = |ids: &[NodeId]| -> Vec<NodeId> {
            let of = ids.iter().enumerate().filter(|(i, _)| !flow.targets.contains(i));
            of.map(|(_, &id)| id).collect()
        };
        let mut roots = vec![flow.test];
        roots.extend(kept(&flow.next));
        Some((kept(&flow.vars), kept(&flow.symbols), roots))
    }

    /// A node like another one, with references to what stands for its operands.
    fn copied(&mut self, copies: &Copies, id: NodeId) -> Node {
        let to = |&id: &NodeId| copies.get(&id).map_or(id, Variable::id);
        let node = self.node(id);
        let all = |ids: &[NodeId]| ids.iter().map(to).collect::<Vec<NodeId>>();
        let more = node.more.as_deref().and_then(|more| match more {
            More::Map(map) => Some(More::Map(map.clone())),
            More::Gather(gather) => {
                let indices = gather.indices.iter().map(to).collect();
                Some(More::Gather(Gather { indices, ..gather.clone() }))
            }
            More::Scatter(scatter) => Some(More::Scatter(Scatter {
                op: scatter.op,
                indices: scatter.indices.iter().map(to).collect(),
            })),
            More::Flow(flow) => Some(More::Flow(Flow {
                vars: all(&flow.vars),
                symbols: flow.symbols.clone(),
                test: to(&flow.test),
                next: all(&flow.next),
                otherwise: all(&flow.otherwise),
                gathers: Gathers { any: flow.gathers.any, before: all(&flow.gathers.before) },
                results: vec![NONE; flow.results.len()],
                targets: flow.targets.clone(),
                number: flow.number,
            })),
            // It is never made of symbols.
            More::Pad(_) | More::Deferred(_) => None,
        });
        let mut copy = Node {
            refs: 1,
            weight: 1,
            cost: node.own_cost(),
            operands: node.operands.map(|o| if o == NONE { NONE } else { to(&o) }),
            kind: node.kind,
            dtype: node.dtype,
            flat: false,
            symbolic: false,
            given: node.given,
            materialized: false,
            constant: node.constant,
            literal: node.literal,
            shape: node.shape.clone(),
            data: None,
            more: more.map(Box::new),
        };
        let operands: Vec<NodeId> = copy.operands().collect();
        for &operand in &operands {
            self.retain(operand);
            copy.weight = copy.weight.saturating_add(self.node(operand).weight).min(u16::MAX - 1);
            copy.cost = copy.cost.saturating_add(self.node(operand).cost);
        }
        copy.symbolic = match (copy.kind, copy.flow()) {
            // It has symbols of its own.
            (Kind::Loop, Some(flow)) => {
                let roots: Vec<NodeId> = flow.next.iter().chain([&flow.test]).copied().collect();
                flow.vars.iter().any(|&v| self.node(v).symbolic)
                    || elementwise(self, &roots, &flow.symbols, None).unwrap_or(true)
            }
            _ => operands.iter().any(|&o| self.node(o).symbolic),
        };
        copy
    }
}

/// What is read at indices in the making of some nodes, and loops within that do so, in the order in
/// which the program asked for it.
fn reads(trace: &Trace, roots: &[NodeId]) -> Vec<NodeId> {
    let (mut seen, mut stack) = (HashSet::new(), roots.to_vec());
    let mut all: Vec<(u64, NodeId)> = Vec::new();
    while let Some(id) = stack.pop() {
        let node = trace.node(id);
        if !node.symbolic || !seen.insert(id) {
            continue;
        }
        if let Some(gather) = node.gather() {
            all.push((gather.number, id));
        }
        let owner = if node.kind == Kind::After { Some(trace.node(node.operands[0])) } else { None };
        match owner.and_then(|owner| Some((owner.kind, owner.flow()?))) {
            // What is in it is the loop's.
            Some((Kind::Loop, flow)) => {
                if flow.gathers.any {
                    all.push((flow.number, id));
                }
                stack.extend(flow.vars.iter().chain(&flow.gathers.before));
            }
            Some((_, flow)) => stack.extend(flow.operands()),
            None => stack.extend(node.operands()),
        }
    }
    all.sort_unstable();
    all.into_iter().map(|(_, id)| id).collect()
}
