//! Nodes that are evaluated together, by iteration space: a kernel computes those of one shape, and what they have in
//! common once.

use crate::trace::{Kind, LARGEST, NodeId, Trace};
use ivy_core::Shape;
use smallvec::SmallVec;

/// Nodes for one kernel.
struct Group<'t> {
    shape: &'t Shape,
    /// Whether they are made of what a recorded function was given: its steps compute nothing else.
    given: bool,
    /// The sum of the nodes' weights; `None` if no other node may join.
    weight: Option<u16>,
    nodes: SmallVec<[NodeId; 4]>,
}

/// Nodes in groups for a kernel each, in order of their first nodes; where `is_small`, any of them fit in one kernel.
/// What has a kernel of its own, as folds and joins have, is a group of its own.
pub(crate) fn groups(
    trace: &Trace,
    nodes: impl IntoIterator<Item = NodeId>,
    is_small: bool,
) -> Vec<SmallVec<[NodeId; 4]>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for id in nodes {
        if groups.iter().any(|g| g.nodes.contains(&id)) {
            continue;
        }
        let (node, alone) = (trace.node(id), !is_joinable(trace, id));
        let fits = |g: &&mut Group<'_>| {
            let room = |weight: u16| is_small || weight.saturating_add(node.weight) <= LARGEST;
            *g.shape == node.shape && g.given == node.given && g.weight.is_some_and(room)
        };
        match groups.iter_mut().find(fits).filter(|_| !alone) {
            Some(group) => {
                group.weight = group.weight.map(|weight| weight.saturating_add(node.weight));
                group.nodes.push(id);
            }
            None => groups.push(Group {
                shape: &node.shape,
                given: node.given,
                weight: (!alone).then_some(node.weight),
                nodes: SmallVec::from_slice(&[id]),
            }),
        }
    }
    groups.into_iter().map(|g| g.nodes).collect()
}

/// True if other nodes may be computed in a node's kernel: it is pending work on elements, looked at in any way.
pub(crate) fn is_joinable(trace: &Trace, id: NodeId) -> bool {
    let mut node = trace.node(id);
    while matches!(node.kind, Kind::View | Kind::Reshape) {
        node = trace.node(node.operands[0]);
    }
    let apart = matches!(node.kind, Kind::Fold(_) | Kind::After | Kind::Deferred | Kind::Concat);
    node.is_pending() && !node.symbolic && !apart
}
