//! Which steps a loop or a conditional takes in.

use super::collect::{Collector, Found, SAME, Whole};
use super::{Check, Do, ITERATIONS, Output, STEP};
use crate::trace::{Block, Flow, Kind, NONE, NodeId};
use ivy_core::Dtype;
use smallvec::SmallVec;

/// True if a shape broadcasts to another one.
fn fits(from: &[usize], to: &[usize]) -> bool {
    from.len() <= to.len() && from.iter().rev().zip(to.iter().rev()).all(|(&a, &b)| a == b || a == 1)
}

impl<'t> Collector<'t> {
    /// Takes in the loop or conditional that a node comes out of, with all that comes out of it and is found alike.
    pub(super) fn outcome(&mut self, whole: Found) -> Result<(), NodeId> {
        let trace = self.trace;
        let node = trace.node(whole.0);
        let (owner, shape) = (node.operands[0], (&node.shape, whole.1));
        let Some(flow) = trace.node(owner).flow() else { return Err(whole.0) };
        if flow.gathers.any && !trace.node(owner).symbolic {
            if self.depth > 0 || self.around.is_some() {
                return Err(whole.0);
            }
            self.job.checks.push(Check::Loop(whole.0, flow.number));
        }
        let chosen = self.flow(owner, shape, None)?;
        // One element is found in every place, but asked for in its own.
        for (i, step) in chosen {
            let result = flow.results[i];
            if result != NONE && trace.node(result).shape == node.shape {
                let found = self.operand(whole, result)?;
                if found != (result, whole.1) {
                    self.makes((result, whole.1), step);
                }
            }
        }
        Ok(())
    }

    /// Takes in a loop or a conditional over this shape, with the scatters in its blocks, if there are such; gives the steps
    /// of what comes out of it.
    pub(super) fn flow(
        &mut self,
        owner: NodeId,
        whole: Whole<'t>,
        effects: Option<Block>,
    ) -> Result<Vec<(usize, u32)>, NodeId> {
        let trace = self.trace;
        let kind = trace.node(owner).kind;
        let Some(flow) = trace.node(owner).flow() else { return Err(owner) };
        let within = |id: NodeId| fits(&trace.node(id).shape, whole.0);
        let chosen = self.chosen(flow, kind, whole);
        self.depth += 1;
        for &id in flow.gathers.before.iter().filter(|&&id| within(id)) {
            self.part_of(whole, id)?;
        }
        let since = if kind == Kind::Loop {
            let first: Vec<u32> =
                chosen.iter().map(|&i| self.part_of(whole, flow.vars[i])).collect::<Result<_, _>>()?;
            self.step(Do::Loop, Dtype::BOOL, [NONE; 3]);
            self.job.uneven |= trace.node(flow.test).shape.size() > 1;
            let since = self.scratch.made.len();
            for (&i, number) in chosen.iter().zip(first) {
                let symbol = self.operand_of(whole, flow.symbols[i])?;
                let dtype = trace.node(symbol.0).dtype;
                let step = self.step(Do::Carry, dtype, [number, NONE, NONE]);
                self.makes(symbol, step);
            }
            let test = self.part_of(whole, flow.test)?;
            self.ends(Do::While, [test]);
            self.effects_of(effects, whole)?;
            let next: Vec<u32> =
                chosen.iter().map(|&i| self.part_of(whole, flow.next[i])).collect::<Result<_, _>>()?;
            self.ends(Do::Next, next);
            since
        } else {
            let test = self.part_of(whole, flow.test)?;
            // What both branches are made of is computed once.
            for &var in flow.vars.iter().filter(|&&v| within(v) && !trace.is_target(v)) {
                self.part_of(whole, var)?;
            }
            self.ends(Do::If, [test]);
            let since = self.scratch.made.len();
            for (i, values) in [&flow.next, &flow.otherwise].into_iter().enumerate() {
                self.leave(since);
                if i == 1 {
                    self.step(Do::Else, Dtype::BOOL, [NONE; 3]);
                }
                let block = effects.map(|_| if i == 0 { Block::Of(owner) } else { Block::Else(owner) });
                self.effects_of(block, whole)?;
                let numbers: Vec<u32> =
                    chosen.iter().map(|&i| self.part_of(whole, values[i])).collect::<Result<_, _>>()?;
                self.ends(Do::Give, numbers);
            }
            since
        };
        self.leave(since);
        self.depth -= 1;
        self.step(Do::End, Dtype::BOOL, [NONE; 3]);
        let mut steps = Vec::with_capacity(chosen.len());
        for &i in &chosen {
            let dtype = trace.node(flow.next[i]).dtype;
            let step = self.step(Do::Result, dtype, [NONE; 3]);
            let result = flow.results[i];
            if result != NONE {
                let found = self.operand_of(whole, result)?;
                self.makes(found, step);
            }
            steps.push((i, step));
        }
        Ok(steps)
    }

    /// The variables that have a part in it over this shape.
    fn chosen(&self, flow: &Flow, kind: Kind, (shape, _): Whole<'_>) -> Vec<usize> {
        let trace = self.trace;
        let elementwise = |i: &usize| !flow.targets.contains(i);
        match kind {
            // What has another shape has no part in it.
            Kind::Loop => {
                let within = |&i: &usize| fits(&trace.node(flow.vars[i]).shape, shape);
                (0..flow.vars.len()).filter(elementwise).filter(within).collect()
            }
            _ => {
                let alike = |&i: &usize| {
                    let id = flow.results[i];
                    id != NONE && trace.node(id).shape == *shape
                };
                (0..flow.next.len()).filter(elementwise).filter(alike).collect()
            }
        }
    }

    fn ends(&mut self, what: Do, numbers: impl IntoIterator<Item = u32>) {
        for number in numbers {
            self.step(what, Dtype::BOOL, [number, NONE, NONE]);
        }
    }

    /// Lets loops stop, where indices are checked.
    pub(super) fn bound(&mut self) {
        let has = |what: Do| self.job.steps.iter().any(|step| step.what == what);
        if self.job.checks.is_empty() || !has(Do::Loop) || !has(Do::Index) {
            return;
        }
        let iterations = self.number_literal(ITERATIONS);
        self.job.iterations = Some(iterations);
        for step in self.job.steps.iter_mut().filter(|step| step.what == Do::Loop) {
            step.operands[0] = iterations;
        }
    }

    /// What comes out of the same loop or conditional as the root and is there by now.
    pub(super) fn besides(&self, root: NodeId, outputs: &mut SmallVec<[Output; 1]>) {
        let node = self.trace.node(root);
        let flow = self.trace.node(node.operands[0]).flow();
        for &id in flow.into_iter().flat_map(|flow| &flow.results) {
            if id != NONE
                && id != root
                && let Some(step) = self.scratch.notes.step((id, SAME))
            {
                outputs.push(Output { node: id, dtype: self.trace.node(id).dtype, number: STEP | step });
            }
        }
    }
}
