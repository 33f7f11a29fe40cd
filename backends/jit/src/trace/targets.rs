//! Targets: what a recorded loop carries for scatters only.
//!
//! A variable of a loop is a target where its next value is the variable after some scatters, and nothing else looks at
//! it: which element of the iteration space puts its updates first makes no difference then, and the scatters are
//! effects of the elements, in the blocks of the loops and conditionals that they stand in.

use super::{Kind, Map, More, NodeId, Trace};
use ivy_core::shape::broadcast;
use ivy_core::{AxisPad, AxisSlice, ScatterOp, Shape};
use std::collections::{HashMap, HashSet};

/// A block of a recorded loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Block {
    /// The loop's own.
    Whole,
    /// That of a loop within, or what a conditional does where its test is true.
    Of(NodeId),
    /// What a conditional does elsewhere.
    Else(NodeId),
}

/// The targets of a recorded loop.
pub(crate) struct Targets {
    /// The iteration space: the shape of the indices of all scatters.
    pub(crate) space: Shape,
    /// The variables.
    pub(crate) vars: Vec<usize>,
    /// By block, its scatters, and what comes out of loops and conditionals that have some.
    pub(crate) blocks: HashMap<Block, Vec<NodeId>>,
    /// By scatter, which of the targets it is to.
    pub(crate) of: HashMap<NodeId, u8>,
    /// By loop and conditional within, which of its variables are targets.
    pub(crate) within: HashMap<NodeId, Vec<usize>>,
    /// All nodes that stand for targets.
    pub(crate) nodes: HashSet<NodeId>,
}

/// What a loop is made of that is being recorded: its symbols, and what they become.
pub(crate) struct RecordedLoop<'a> {
    pub(crate) symbols: &'a [NodeId],
    pub(crate) test: NodeId,
    pub(crate) next: &'a [NodeId],
    /// The variables that elements share which decide each for itself.
    pub(crate) shared: &'a [usize],
}

/// Why a loop with scatters is not one kernel.
type Obstacle = &'static str;

const READ: Obstacle = "it reads what it scatters to";
const LOCAL: Obstacle = "it scatters to what it does not carry";
const MIXED: Obstacle = "it scatters to one array in several ways, whose order matters";
const UNEVEN: Obstacle = "its scatters have indices of several shapes";
const CHOSEN: Obstacle = "its elements choose, each for itself, what it scatters to";

/// Looks for targets.
struct Finder<'t> {
    trace: &'t Trace,
    recorded: &'t RecordedLoop<'t>,
    /// What is made of symbols, as far as the loop needs it.
    reached: Vec<NodeId>,
    /// By symbol of a loop within, the loop and which of its variables that is.
    inner: HashMap<NodeId, (NodeId, usize)>,
    nodes: HashSet<NodeId>,
}

impl Targets {
    /// The targets of a loop; `None` if it has no scatters.
    ///
    /// # Errors
    /// Why its scatters are no effects of its elements.
    pub(crate) fn find(trace: &Trace, of: &RecordedLoop<'_>) -> Result<Option<Targets>, Obstacle> {
        let mut finder =
            Finder { trace, recorded: of, reached: Vec::new(), inner: HashMap::new(), nodes: HashSet::new() };
        finder.reach();
        let scatters: Vec<NodeId> =
            finder.reached.iter().copied().filter(|&id| trace.node(id).kind == Kind::Scatter).collect();
        // What elements share is a target, whether or not it is scattered to.
        let uneven = trace.node(of.test).shape.size() != 1;
        let Some(&first) = scatters.first() else {
            return if uneven && !of.shared.is_empty() { Err("it scatters to no target") } else { Ok(None) };
        };
        if uneven {
            finder.nodes.extend(of.shared.iter().map(|&i| of.symbols[i]));
        }
        finder.mark();
        finder.check_uses()?;
        let vars: Vec<usize> =
            (0..of.symbols.len()).filter(|&i| finder.nodes.contains(&of.symbols[i])).collect();
        if uneven && !vars.iter().all(|i| of.shared.contains(i)) {
            return Err(CHOSEN);
        }
        let space = finder.space(first)?;
        for &id in &scatters {
            if finder.space(id)? != space {
                return Err(UNEVEN);
            }
        }
        let mut targets = Targets {
            space,
            vars,
            blocks: HashMap::new(),
            of: HashMap::new(),
            within: HashMap::new(),
            nodes: HashSet::new(),
        };
        let mut ops: HashMap<u8, ScatterOp> = HashMap::new();
        for (n, &i) in targets.vars.clone().iter().enumerate() {
            finder.block(&mut targets, of.next[i], of.symbols[i], Block::Whole, n as u8, 0)?;
        }
        for &id in &scatters {
            // One that no variable's next value is made of is to a copy of a target.
            let (Some(&n), Some(scatter)) = (targets.of.get(&id), trace.node(id).scatter()) else {
                return Err(READ);
            };
            if ops.insert(n, scatter.op).is_some_and(|op| op != scatter.op) {
                return Err(MIXED);
            }
        }
        targets.nodes = finder.nodes;
        Ok(Some(targets))
    }
}

impl Trace {
    /// Says of the nodes of a loop, and of those within, which of them stand for targets.
    pub(crate) fn mark_targets(&mut self, owner: NodeId, targets: &Targets) {
        let own = [(owner, targets.vars.clone())];
        let within = targets.within.iter().map(|(&id, vars)| (id, vars.clone()));
        for (id, vars) in own.into_iter().chain(within) {
            if let Some(More::Flow(flow)) = self.nodes[id as usize].more.as_deref_mut() {
                flow.targets = vars;
            }
        }
        for &id in &targets.nodes {
            let node = &mut self.nodes[id as usize];
            if node.kind == Kind::Symbol {
                node.literal = TARGET;
            }
        }
    }

    /// True for a node that stands for a target, once that is known.
    pub(crate) fn is_target(&self, mut id: NodeId) -> bool {
        loop {
            let node = self.node(id);
            match node.kind {
                Kind::Scatter => return true,
                Kind::Symbol => return node.literal == TARGET,
                Kind::After => {
                    let flow = self.node(node.operands[0]).flow();
                    return flow.is_some_and(|flow| flow.targets.contains(&(node.literal[0] as usize)));
                }
                Kind::View | Kind::Pad => id = node.operands[0],
                _ => return false,
            }
        }
    }
}

/// The literal of a symbol that stands for a target.
const TARGET: [u64; 2] = [1, 0];

/// As deep as loops and conditionals may be in each other.
const DEPTH: usize = 64;

impl Finder<'_> {
    fn reach(&mut self) {
        let (mut seen, mut stack) = (HashSet::new(), self.recorded.next.to_vec());
        stack.push(self.recorded.test);
        while let Some(id) = stack.pop() {
            let node = self.trace.node(id);
            if !node.symbolic || !seen.insert(id) {
                continue;
            }
            self.reached.push(id);
            if let Some(flow) = node.flow() {
                self.inner.extend(flow.symbols.iter().enumerate().map(|(i, &symbol)| (symbol, (id, i))));
            }
            stack.extend(node.operands());
        }
    }

    /// Marks all that scatters make targets: what they are to, what they give, and what stands for either.
    fn mark(&mut self) {
        let trace = self.trace;
        let mut links: Vec<Vec<NodeId>> = Vec::new();
        for (&symbol, &next) in self.recorded.symbols.iter().zip(self.recorded.next) {
            links.push(vec![symbol, next]);
        }
        for &id in &self.reached {
            let node = trace.node(id);
            match node.kind {
                Kind::Scatter => {
                    self.nodes.extend([id, node.operands[0]]);
                }
                Kind::View | Kind::Pad => links.push(vec![id, node.operands[0]]),
                Kind::After => {
                    let i = node.literal[0] as usize;
                    let Some(flow) = trace.node(node.operands[0]).flow() else { continue };
                    let lists = [&flow.next, &flow.otherwise, &flow.symbols];
                    let mut link: Vec<NodeId> = lists.iter().filter_map(|l| l.get(i).copied()).collect();
                    link.push(id);
                    if !flow.symbols.is_empty() {
                        link.push(flow.vars[i]);
                    }
                    links.push(link);
                }
                _ => {}
            }
        }
        loop {
            let before = self.nodes.len();
            for link in &links {
                if link.iter().any(|id| self.nodes.contains(id)) {
                    self.nodes.extend(link);
                }
            }
            if self.nodes.len() == before {
                break;
            }
        }
    }

    /// Every use of a target is another scatter to it, or carries it on.
    fn check_uses(&self) -> Result<(), Obstacle> {
        let trace = self.trace;
        let is_target = |id: &NodeId| self.nodes.contains(id);
        if is_target(&self.recorded.test) {
            return Err(READ);
        }
        for &id in &self.reached {
            let node = trace.node(id);
            let used = match node.kind {
                Kind::Scatter => {
                    is_target(&node.operands[1]) || node.operands().skip(2).any(|o| is_target(&o))
                }
                Kind::View => is_target(&id) && !self.drops_spare(id),
                Kind::Pad => is_target(&id) && !self.is_spare(id),
                Kind::After => false,
                Kind::Loop | Kind::Branch => node.flow().is_none_or(|flow| {
                    let uneven = node.kind == Kind::Branch && trace.node(flow.test).shape.size() != 1;
                    let carried = flow.next.iter().chain(&flow.otherwise).any(is_target);
                    is_target(&flow.test) || uneven && carried
                }),
                Kind::Symbol => {
                    is_target(&id) && !self.inner.contains_key(&id) && !self.recorded.symbols.contains(&id)
                }
                _ => is_target(&id) || node.operands().any(|o| is_target(&o)),
            };
            if used {
                return Err(READ);
            }
        }
        // What is no symbol's is made anew each time.
        match self.nodes.iter().all(|&id| trace.node(id).symbolic) {
            true => Ok(()),
            false => Err(LOCAL),
        }
    }

    /// A target with a spare place at the end of its first axis, where updates go that a mask leaves out.
    fn is_spare(&self, id: NodeId) -> bool {
        self.trace.node(id).pad().is_some_and(|(_, axes)| {
            let after =
                |(axis, pad): (usize, &AxisPad)| (pad.before, pad.after) == (0, usize::from(axis == 0));
            axes.iter().enumerate().all(after)
        })
    }

    /// A target without the spare place again.
    fn drops_spare(&self, id: NodeId) -> bool {
        let node = self.trace.node(id);
        let scatter = self.trace.node(node.operands[0]);
        if scatter.kind != Kind::Scatter {
            return false;
        }
        let padded = self.trace.node(scatter.operands[0]);
        let whole = |&len: &usize| AxisSlice { start: 0, step: 1, len };
        let axes: Vec<AxisSlice> = node.shape.iter().map(whole).collect();
        padded.kind == Kind::Pad
            && self.trace.node(padded.operands[0]).shape == node.shape
            && node.map().is_some_and(|map| *map == Map::slice(&axes))
    }

    /// The iteration space of a scatter.
    fn space(&self, id: NodeId) -> Result<Shape, Obstacle> {
        let node = self.trace.node(id);
        let Some(scatter) = node.scatter() else { return Err(UNEVEN) };
        let shapes: Vec<&Shape> = scatter.indices.iter().map(|&i| &self.trace.node(i).shape).collect();
        let space = broadcast("scatter", &shapes).map_err(|_| UNEVEN)?;
        let fits = self.trace.node(node.operands[1]).shape == space;
        if fits { Ok(space) } else { Err(UNEVEN) }
    }

    /// What a target is made of, one step before.
    fn before(&self, id: NodeId, depth: usize) -> Option<NodeId> {
        let node = self.trace.node(id);
        match node.kind {
            Kind::Scatter | Kind::View | Kind::Pad => Some(node.operands[0]),
            Kind::After => {
                let (flow, i) = (self.trace.node(node.operands[0]).flow()?, node.literal[0] as usize);
                match flow.symbols.is_empty() {
                    true => self.base([flow.next[i], flow.otherwise[i]], depth + 1),
                    false => Some(flow.vars[i]),
                }
            }
            _ => None,
        }
    }

    /// What both branches of a conditional begin with.
    fn base(&self, [then, otherwise]: [NodeId; 2], depth: usize) -> Option<NodeId> {
        if depth > DEPTH {
            return None;
        }
        let path = |from: NodeId| std::iter::successors(Some(from), move |&id| self.before(id, depth));
        let all: HashSet<NodeId> = path(then).collect();
        path(otherwise).find(|id| all.contains(id))
    }

    /// Notes the scatters of a block, from what it ends with back to what it begins with.
    fn block(
        &self,
        targets: &mut Targets,
        end: NodeId,
        begin: NodeId,
        block: Block,
        number: u8,
        depth: usize,
    ) -> Result<(), Obstacle> {
        if depth > DEPTH {
            return Err("its loops and conditionals are too deep in each other");
        }
        let (mut id, mut found) = (end, Vec::new());
        while id != begin {
            let node = self.trace.node(id);
            match node.kind {
                Kind::Scatter => {
                    if targets.of.insert(id, number).is_some() {
                        return Err(READ);
                    }
                    found.push(id);
                }
                Kind::After => {
                    let (owner, i) = (node.operands[0], node.literal[0] as usize);
                    let flow = self.trace.node(owner).flow().ok_or(READ)?;
                    found.push(id);
                    targets.within.entry(owner).or_default().push(i);
                    if flow.symbols.is_empty() {
                        let base = self.base([flow.next[i], flow.otherwise[i]], depth).ok_or(READ)?;
                        self.block(targets, flow.next[i], base, Block::Of(owner), number, depth + 1)?;
                        self.block(targets, flow.otherwise[i], base, Block::Else(owner), number, depth + 1)?;
                    } else {
                        self.block(
                            targets,
                            flow.next[i],
                            flow.symbols[i],
                            Block::Of(owner),
                            number,
                            depth + 1,
                        )?;
                    }
                }
                _ => {}
            }
            id = self.before(id, depth).ok_or(READ)?;
        }
        found.reverse();
        targets.blocks.entry(block).or_default().extend(found);
        Ok(())
    }
}
