//! Traversals of the graph, forward and backward.

use super::graph::{Node, Step};
use super::scope::postpone;
use crate::Result;
use crate::array::AnyArray;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The direction of a traversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdMode {
    /// From arguments to results.
    Forward,
    /// From results to arguments.
    Backward,
}

thread_local! {
    static QUEUE: RefCell<Vec<(AdMode, Node)>> = const { RefCell::new(Vec::new()) };
}

/// Puts an array's variables on the list from which the next [`traverse`] of that direction starts.
pub fn enqueue(mode: AdMode, array: &AnyArray) {
    QUEUE.with_borrow_mut(|queue| {
        array.for_each_leaf(&mut |leaf| queue.extend(leaf.node.clone().map(|node| (mode, node))));
    });
}

/// Takes gradients of what is on the list to all that depends on it, or on which it depends. The gradients of where it starts and of
/// intermediate results are dropped on the way; where it ends they are added to those of other traversals.
///
/// # Errors
/// Those of the derivatives of the operations.
pub fn traverse(mode: AdMode) -> Result<()> {
    let nodes = QUEUE.with_borrow_mut(|queue| {
        let (now, later) = queue.drain(..).partition::<Vec<_>, _>(|(own, _)| *own == mode);
        *queue = later;
        now
    });
    go(mode, nodes.into_iter().map(|(_, node)| node).collect())
}

pub(super) fn go(mode: AdMode, nodes: Vec<Node>) -> Result<()> {
    match mode {
        AdMode::Backward => backward(nodes),
        AdMode::Forward => forward(nodes),
    }
}

fn backward(nodes: Vec<Node>) -> Result<()> {
    // The greatest number first: all that uses a node has a greater one.
    let mut left: BTreeMap<u64, Node> = nodes.into_iter().map(|node| (node.id(), node)).collect();
    while let Some((_, node)) = left.pop_last() {
        if postpone(AdMode::Backward, &node) {
            continue;
        }
        let Some(step) = node.step() else { continue };
        // All results of the step are complete, and their numbers follow each other.
        let mut given = Vec::new();
        for (number, output) in step.outputs() {
            left.remove(&output.id());
            given.extend(output.grad().map(|grad| (number, grad)));
            output.set_grad(None);
        }
        if given.is_empty() {
            continue;
        }
        for (source, grad) in step.sources().zip(step.pull(&given)?) {
            source.accumulate(&grad)?;
            left.insert(source.id(), source.clone());
        }
    }
    Ok(())
}

fn forward(nodes: Vec<Node>) -> Result<()> {
    let mut steps: BTreeMap<u64, Arc<Step>> = BTreeMap::new();
    let visit = |node: &Node, steps: &mut BTreeMap<u64, Arc<Step>>| {
        for step in node.users() {
            let first = step.outputs().iter().map(|(_, output)| output.id()).min();
            steps.extend(first.map(|id| (id, step)));
        }
    };
    for node in &nodes {
        if !postpone(AdMode::Forward, node) {
            visit(node, &mut steps);
        }
    }
    let mut done = Vec::new();
    while let Some((_, step)) = steps.pop_first() {
        let outputs = step.outputs();
        for (number, grad) in step.push()? {
            if let Some((_, output)) = outputs.iter().find(|(own, _)| *own == number) {
                output.accumulate(&grad)?;
                visit(output, &mut steps);
            }
        }
        done.push(step);
    }
    // What was passed on is not passed on again by the next traversal.
    done.iter().flat_map(|step| step.sources()).for_each(|source| source.set_grad(None));
    Ok(())
}

/// The nodes on which others depend, themselves among them.
pub(super) fn ancestors(nodes: Vec<Node>) -> Vec<Node> {
    let mut found: BTreeMap<u64, Node> = BTreeMap::new();
    let mut left = nodes;
    while let Some(node) = left.pop() {
        if found.contains_key(&node.id()) {
            continue;
        }
        left.extend(node.step().into_iter().flat_map(|step| step.sources().cloned().collect::<Vec<_>>()));
        found.insert(node.id(), node);
    }
    found.into_values().collect()
}

/// The nodes that depend on others, themselves among them.
pub(super) fn descendants(nodes: Vec<Node>) -> Vec<Node> {
    let mut found: BTreeMap<u64, Node> = BTreeMap::new();
    let mut left = nodes;
    while let Some(node) = left.pop() {
        if found.contains_key(&node.id()) {
            continue;
        }
        left.extend(node.users().iter().flat_map(|step| step.outputs()).map(|(_, output)| output));
        found.insert(node.id(), node);
    }
    found.into_values().collect()
}
