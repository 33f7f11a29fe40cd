//! Which nodes a kernel takes in, each under the map by which the iteration space finds its
//! elements.

use super::counter::is_counted;
use super::rows::Around;
use super::scatter::Effects;
use super::scratch::Scratch;
use super::{Do, Job, Output, Step};
use crate::runtime::Elements;
use crate::trace::{Affine, Kind, LARGEST, Map, NONE, NodeId, Trace};
use ivy_core::host::contiguous_strides;
use ivy_core::{Dims, Dtype, Shape};
use smallvec::{SmallVec, smallvec};

/// How coordinates of the iteration space find a node's elements.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Where {
    /// The node has the space's shape.
    Same,
    /// The node has one element.
    One,
    /// By coordinates, where a guard lets them.
    Map(Map, Guard),
    /// By the number in row-major order, which is enough for all that is under the node; where a guard
    /// lets it.
    Order(Affine, Guard),
}

/// The number of a guard; [`NONE`] if a node's elements are found everywhere.
pub(super) type Guard = u32;

pub(super) const SAME: u32 = 0;
pub(super) const ONE: u32 = 1;

/// A node that is needed under more than one map is evaluated first if it takes more
/// operations than this.
pub(crate) const REPEATED: u16 = 8;

/// What is folded is evaluated first if others refer to it, and it takes more operations than this.
pub(crate) const SHARED: u16 = 24;

pub(super) type Found = (NodeId, u32);

/// The shape of something, and how its elements are found.
pub(super) type Whole<'a> = (&'a Shape, u32);

pub(super) struct Frame {
    at: Found,
    operands: [Found; 3],
    open: bool,
}

pub(super) struct Collector<'t> {
    pub(super) trace: &'t Trace,
    pub(super) space: Dims,
    pub(super) job: Job,
    pub(super) scratch: &'t mut Scratch,
    /// The program over rows that it is for.
    pub(super) around: Option<&'t Around>,
    /// How many loops and conditionals are around.
    pub(super) depth: usize,
    /// The scatters that it does, of a kernel that has effects.
    pub(super) effects: Option<Effects<'t>>,
}

impl Job {
    /// What it takes to evaluate a pending node in one kernel.
    ///
    /// # Errors
    /// A pending node that must be evaluated first, where fusion stops.
    pub(crate) fn collect(trace: &Trace, scratch: &mut Scratch, root: NodeId) -> Result<Job, NodeId> {
        Job::collect_within(trace, scratch, root, None)
    }

    /// What it takes to evaluate several pending nodes of one shape in one kernel; none is a fold, or
    /// comes out of a loop or conditional.
    ///
    /// # Errors
    /// A pending node that must be evaluated first, where fusion stops.
    pub(crate) fn collect_all(trace: &Trace, scratch: &mut Scratch, roots: &[NodeId]) -> Result<Job, NodeId> {
        let mut roots = roots.iter();
        let Some(&first) = roots.next() else { return Err(NONE) };
        let mut collector = Collector::new(trace, scratch, Job::new(trace, first), None);
        for &root in std::iter::once(&first).chain(roots).filter(|&&r| trace.node(r).is_pending()) {
            let number = collector.part_of_space(root)?;
            collector.job.outputs.push(Output { node: root, dtype: trace.node(root).dtype, number });
        }
        collector.done()
    }

    /// One that does nothing yet, over a node's elements.
    fn new(trace: &Trace, root: NodeId) -> Job {
        let node = trace.node(root);
        Job::over(node.shape.clone(), node.dtype, node.weight)
    }

    /// One that does nothing yet, over a space, with room for so many steps.
    pub(super) fn over(space: Shape, dtype: Dtype, room: u16) -> Job {
        Job {
            inputs: Vec::with_capacity(4),
            steps: Vec::with_capacity(usize::from(room.min(LARGEST))),
            fold: None,
            shape: space.clone(),
            space,
            dtype,
            outputs: SmallVec::new(),
            checks: Vec::new(),
            pads: SmallVec::new(),
            iterations: None,
            uneven: false,
            columns: 1,
        }
    }

    /// What a job takes in, for a piece of a program over rows, whose other pieces may be inputs.
    ///
    /// # Errors
    /// A pending node that must be evaluated first, or be a piece.
    pub(super) fn collect_within(
        trace: &Trace,
        scratch: &mut Scratch,
        root: NodeId,
        around: Option<&Around>,
    ) -> Result<Job, NodeId> {
        let node = trace.node(root);
        let mut job = Job::new(trace, root);
        let mut top = root;
        if let Kind::Fold(join) = node.kind {
            top = node.operands[0];
            let under = trace.node(top);
            // Others want it too: once is enough.
            let early = match around {
                None => Some(top).filter(|_| under.is_pending() && under.refs > 1 && under.weight > SHARED),
                Some(around) => around.kept(trace, top),
            };
            if let Some(first) = early {
                return Err(first);
            }
            job.space = under.shape.clone();
            job.fold = Some((join, node.literal[0]));
        }
        let mut collector = Collector::new(trace, scratch, job, around);
        let number = collector.part_of_space(top)?;
        let mut outputs: SmallVec<[Output; 1]> =
            smallvec![Output { node: root, dtype: trace.node(top).dtype, number }];
        if node.kind == Kind::After {
            collector.besides(root, &mut outputs);
        }
        collector.job.outputs = outputs;
        collector.done()
    }
}

impl<'t> Collector<'t> {
    /// One that has taken in nothing yet.
    pub(super) fn new(
        trace: &'t Trace,
        scratch: &'t mut Scratch,
        job: Job,
        around: Option<&'t Around>,
    ) -> Self {
        scratch.begin(trace.len());
        let space = Dims::from_slice(&job.space);
        Collector { trace, space, job, scratch, around, depth: 0, effects: None }
    }

    /// The job.
    pub(super) fn done(mut self) -> Result<Job, NodeId> {
        self.bound();
        self.job.wants_memory().map_or(Ok(self.job), Err)
    }

    /// Takes in a node of the space's shape; gives its number.
    fn part_of_space(&mut self, root: NodeId) -> Result<u32, NodeId> {
        let found = self.resolve((root, SAME))?;
        self.nodes(found)?;
        Ok(self.number(found))
    }

    /// Takes in a node and all that it needs, each after its operands.
    fn nodes(&mut self, root: Found) -> Result<(), NodeId> {
        if self.is_there(root) {
            return Ok(());
        }
        let none = [(NONE, SAME); 3];
        // Parts of loops and conditionals begin where others are at work.
        let floor = self.scratch.stack.len();
        self.scratch.stack.push(Frame { at: root, operands: none, open: false });
        while let Some(frame) = self.scratch.stack[floor..].last_mut() {
            let at = frame.at;
            if !frame.open {
                frame.open = true;
                if self.scratch.notes.step(at).is_some() {
                    self.scratch.stack.pop();
                    continue;
                }
                self.admit(at)?;
                let kind = self.trace.node(at.0).kind;
                if matches!(kind, Kind::After | Kind::Gather) {
                    match kind {
                        Kind::After => self.outcome(at)?,
                        _ => self.gather(at)?,
                    }
                    self.scratch.stack.pop();
                    continue;
                }
                let mut operands = none;
                if kind == Kind::Pad {
                    operands[0] = self.padded(at)?;
                } else if kind == Kind::Concat {
                    let [first, second] = self.parts(at)?;
                    (operands[0], operands[1]) = (first, second);
                } else {
                    for (i, &operand) in self.trace.node(at.0).operands.iter().enumerate() {
                        if operand != NONE {
                            operands[i] = self.operand(at, operand)?;
                        }
                    }
                }
                if let Some(frame) = self.scratch.stack.last_mut() {
                    frame.operands = operands;
                }
                // In reverse: the first operand comes first.
                for &found in operands.iter().rev().filter(|o| o.0 != NONE) {
                    if !self.is_there(found) && self.scratch.notes.step(found).is_none() {
                        self.scratch.stack.push(Frame { at: found, operands: none, open: false });
                    }
                }
                continue;
            }
            let operands = frame.operands;
            self.scratch.stack.pop();
            if self.scratch.notes.step(at).is_some() {
                continue;
            }
            let mut numbers = operands.map(|o| if o.0 == NONE { NONE } else { self.number(o) });
            let node = self.trace.node(at.0);
            if node.kind == Kind::Pad {
                self.pad(at, numbers[0])?;
                continue;
            }
            if node.kind == Kind::Concat {
                self.join(at, [numbers[0], numbers[1]])?;
                continue;
            }
            if let Some(position) = node.scalar() {
                let dtype = self.trace.node(node.operands[1 - position]).dtype;
                numbers[position] = self.literal(dtype, node.literal);
            }
            let step = self.step(Do::Apply(node.kind), node.dtype, numbers);
            self.makes(at, step);
        }
        Ok(())
    }

    pub(super) fn step(&mut self, what: Do, dtype: Dtype, operands: [u32; 3]) -> u32 {
        self.job.steps.push(Step { what, dtype, operands });
        self.job.steps.len() as u32 - 1
    }

    pub(super) fn makes(&mut self, found: Found, step: u32) {
        self.scratch.notes.set_step(found, step);
        self.scratch.made.push(found);
    }

    /// What was made since is not there any more.
    pub(super) fn leave(&mut self, since: usize) {
        for found in self.scratch.made.drain(since..) {
            self.scratch.notes.forget(found);
        }
    }

    /// Takes in a part of a loop or conditional; gives its number.
    pub(super) fn part(&mut self, (id, at): Found, part: NodeId) -> Result<u32, NodeId> {
        self.part_of((&self.trace.node(id).shape, at), part)
    }

    /// Takes in a part of something of this shape that is found like this; gives its number.
    pub(super) fn part_of(&mut self, whole: Whole<'_>, part: NodeId) -> Result<u32, NodeId> {
        let found = self.operand_of(whole, part)?;
        self.nodes(found)?;
        Ok(self.number(found))
    }

    /// Refuses what is better evaluated first.
    fn admit(&mut self, (id, at): Found) -> Result<(), NodeId> {
        let kind = self.trace.node(id).kind;
        if matches!(kind, Kind::Fold(_) | Kind::Deferred) {
            return Err(id);
        }
        // Where there is no element, a loop may not end, and an index may be any.
        if matches!(kind, Kind::After | Kind::Gather) && self.guard(at) != NONE {
            return Err(id);
        }
        if self.trace.node(id).symbolic {
            return Ok(());
        }
        let note = self.scratch.notes.of(id);
        if note.first == NONE {
            note.first = at;
        }
        // What stands around elements is no work of its own; of joins of joins there would be ever more parts.
        if note.first != at && self.trace.node(id).weight > REPEATED && kind != Kind::Pad {
            return Err(id);
        }
        Ok(())
    }

    /// True if a node is better evaluated first, since its elements would be computed more than once each.
    pub(super) fn is_repeated(&self, (id, at): Found) -> bool {
        let node = self.trace.node(id);
        node.is_pending() && !node.symbolic && self.repeats(at) && !is_counted(self.trace, id)
    }

    /// True if a node's elements would be computed more than once each: an axis of the space
    /// makes no difference to them, others do. Once a row is not too often.
    fn repeats(&self, at: u32) -> bool {
        let long = || (0..self.space.len()).filter(|&a| self.space[a] > 1);
        let ignores: &dyn Fn(usize) -> bool = match &self.scratch.wheres[at as usize] {
            Where::Same | Where::One => return false,
            Where::Map(map, _) => &|a| map.ignores(a),
            Where::Order(order, _) => &|a| order.steps.get(a).is_none_or(|&s| s == 0),
        };
        let by_row = self.around.is_some_and(|around| around.is_once_a_row(ignores));
        long().any(ignores) && !long().all(ignores) && !by_row
    }

    /// The piece of the program that gives a node's elements, if they are found as it gives them.
    pub(super) fn piece(&self, (id, at): Found) -> Option<u32> {
        let around = self.around?;
        let piece = around.piece(id)?;
        let node = self.trace.node(id);
        let given = match (&self.scratch.wheres[at as usize], node.kind) {
            (Where::Map(map, NONE), Kind::Fold(_)) => around.is_by_row(&map.order(&node.shape)),
            (Where::Same, kind) => !matches!(kind, Kind::Fold(_)),
            _ => false,
        };
        given.then_some(piece)
    }

    /// True if a node is an input: it is evaluated, a counter, or another piece.
    pub(super) fn is_there(&self, found: Found) -> bool {
        let node = self.trace.node(found.0);
        !node.is_pending() || node.kind == Kind::Counter || self.piece(found).is_some()
    }

    pub(super) fn intern(&mut self, found: Where) -> u32 {
        // The two that have names of their own stand first; there are few.
        let known = self.scratch.wheres.iter().position(|w| *w == found);
        known.unwrap_or_else(|| {
            self.scratch.wheres.push(found);
            self.scratch.wheres.len() - 1
        }) as u32
    }

    /// An operand of a node that is found like this: what it is a view of, and how that is found.
    pub(super) fn operand(&mut self, (id, at): Found, operand: NodeId) -> Result<Found, NodeId> {
        self.operand_of((&self.trace.node(id).shape, at), operand)
    }

    /// An operand of something of this shape that is found like this.
    pub(super) fn operand_of(&mut self, (whole, at): Whole<'_>, operand: NodeId) -> Result<Found, NodeId> {
        let node = self.trace.node(operand);
        if node.kind == Kind::Literal || node.shape.size() == 1 {
            return self.resolve((operand, ONE));
        }
        if node.shape == *whole || matches!(self.scratch.wheres[at as usize], Where::Order(..)) {
            return self.resolve((operand, at));
        }
        let map = Map::broadcast(&node.shape, whole);
        let (map, guard) = match &self.scratch.wheres[at as usize] {
            Where::Map(outer, guard) => (map.after(outer), *guard),
            _ => (map, NONE),
        };
        let at = self.intern(Where::Map(map, guard));
        if self.is_repeated((operand, at)) {
            return Err(operand);
        }
        self.resolve((operand, at))
    }

    /// Follows views to what they are views of.
    pub(super) fn resolve(&mut self, (mut id, mut at): Found) -> Result<Found, NodeId> {
        loop {
            let node = self.trace.node(id);
            let inner = node.operands[0];
            let map = match (node.kind, node.map()) {
                // One element is found in every place.
                (Kind::View, Some(_))
                    if self.trace.node(inner).shape.size() == 1 && self.guard(at) == NONE =>
                {
                    (id, at) = (inner, ONE);
                    continue;
                }
                (Kind::View, Some(map)) => map.clone(),
                // Nothing of what is around it is asked for.
                (Kind::Pad, _) if self.border((id, at))?.1.is_empty() => {
                    let pads = node.pad().map_or(&[][..], |(_, axes)| axes);
                    Map::same(node.shape.len()).before(pads.iter().map(|p| p.before))
                }
                // One part has all that is asked for.
                (Kind::Concat, _) => {
                    let Some((part, map)) = self.side((id, at))? else { return Ok((id, at)) };
                    (id, at) = (part, self.intern(Where::Map(map, self.guard(at))));
                    if self.is_repeated((id, at)) {
                        return Err(id);
                    }
                    continue;
                }
                (Kind::Reshape, _) => {
                    let under = self.trace.node(inner);
                    if under.shape.size() == 1 || under.kind == Kind::Literal {
                        (id, at) = (inner, ONE);
                        continue;
                    }
                    let in_order = Elements::is_contiguous;
                    if node.flat || under.data.as_deref().is_some_and(in_order) {
                        let (order, guard) = match &self.scratch.wheres[at as usize] {
                            Where::Order(order, guard) => (order.clone(), *guard),
                            Where::Map(map, guard) => (map.order(&node.shape), *guard),
                            _ => (Affine { offset: 0, steps: contiguous_strides(&self.space) }, NONE),
                        };
                        // In the space's own order, the number is enough: that is the same for
                        // every shape.
                        at = self.intern(Where::Order(order, guard));
                        id = inner;
                        continue;
                    }
                    // What is there, but not in order, is reshaped by itself.
                    let first = if under.is_pending() { inner } else { id };
                    Map::reshape(&under.shape, &node.shape).ok_or(first)?
                }
                _ => return Ok((id, at)),
            };
            let (map, guard) = match &self.scratch.wheres[at as usize] {
                Where::Map(outer, guard) => (map.after(outer), *guard),
                Where::One => (map.after(&Map::same(0)), NONE),
                Where::Same => (map, NONE),
                // What is a view is not in order, and has no order over it.
                Where::Order(..) => return Err(id),
            };
            let whole = self.trace.node(inner).shape[..] == self.space[..];
            // As what a loop carries is found.
            at = match whole && guard == NONE && map == Map::broadcast(&self.space, &self.space) {
                true => SAME,
                false => self.intern(Where::Map(map, guard)),
            };
            id = inner;
            if self.is_repeated((id, at)) {
                return Err(id);
            }
        }
    }
}
