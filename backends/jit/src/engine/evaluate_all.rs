//! Several variables evaluated at once: those of one shape in one kernel, which computes what they
//! have in common once.

use super::{Engine, How, Variable};
use crate::log::{Level, say};
use crate::trace::{Kind, LARGEST, NodeId, Trace};
use ivy_core::{Result, Shape};

/// Nodes for one kernel.
struct Group {
    shape: Shape,
    /// Whether they are made of what a recorded function was given: its steps compute nothing else.
    given: bool,
    weight: u16,
    nodes: Vec<NodeId>,
}

impl Engine {
    /// Computes what is pending of some variables: a kernel for those of each shape, the smaller ones
    /// first, and then what has a kernel of its own, as folds have. What takes long is started.
    ///
    /// # Errors
    /// As [`Engine::evaluate`], of the first variable at fault; no other is the worse for it.
    pub fn settle_all(&self, variables: &[&Variable]) -> Result<()> {
        let settings = self.settings();
        if variables.len() == 1 || !settings.together || !settings.fusion {
            return variables.iter().try_for_each(|v| self.settle(v));
        }
        let roots: Vec<NodeId> = variables.iter().map(|v| v.id()).collect();
        self.retaining(&roots, How::Start, || {
            let groups = groups(&self.trace(), variables);
            say(Level::Info, format_args!("launching {} kernels", groups.len()));
            for group in &groups {
                if let Err(error) = self.compute_pending(&group.nodes, How::Start) {
                    // Each says below what is wrong with it.
                    say(Level::Info, format_args!("{} at once: {error}", group.nodes.len()));
                }
            }
            roots.iter().try_for_each(|&id| self.compute_pending(&[id], How::Start).map(drop))
        })
    }
}

fn groups(trace: &Trace, variables: &[&Variable]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for id in variables.iter().map(|v| v.id()).filter(|&id| is_shared(trace, id)) {
        let node = trace.node(id);
        if groups.iter().any(|g| g.nodes.contains(&id)) {
            continue;
        }
        let fits = |g: &&mut Group| {
            g.shape == node.shape && g.given == node.given && g.weight.saturating_add(node.weight) <= LARGEST
        };
        match groups.iter_mut().find(fits) {
            Some(group) => {
                group.weight += node.weight;
                group.nodes.push(id);
            }
            None => groups.push(Group {
                shape: node.shape.clone(),
                given: node.given,
                weight: node.weight,
                nodes: vec![id],
            }),
        }
    }
    groups.sort_by_key(|g| g.shape.size());
    groups
}

/// True if a node may be computed beside others: it is work on elements, looked at in any way, and no copy.
fn is_shared(trace: &Trace, id: NodeId) -> bool {
    let mut node = trace.node(id);
    while matches!(node.kind, Kind::View | Kind::Reshape) {
        node = trace.node(node.operands[0]);
    }
    let apart = matches!(node.kind, Kind::Fold(_) | Kind::After | Kind::Deferred | Kind::Concat);
    node.is_pending() && !node.symbolic && !apart
}
