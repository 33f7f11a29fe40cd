//! Recording: loops and conditionals of each element become nodes of the trace, and blocks of one
//! kernel, instead of being run step by step.
//!
//! While a loop is recorded, symbols stand for what it carries. They have no elements: who asks
//! for some ends the recording, and the loop is run step by step instead.

use super::{Engine, Variable};
use crate::log::{Level, say};
use crate::trace::{Flow, Gathers, Kind, Map, More, NONE, NodeId, RecordedLoop, Targets, Trace};
use ivy_core::{Dtype, ErrorKind, Result, Shape};
use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::Arc;

thread_local! {
    /// The recordings of this thread, the innermost last.
    static OPEN: RefCell<Vec<Open>> = const { RefCell::new(Vec::new()) };
}

/// What is known of a recording.
#[derive(Default)]
struct Open {
    /// What stands in its way.
    obstacle: Option<&'static str>,
    /// The loops and conditionals that it has by now.
    flows: usize,
}

/// Loops and conditionals in a loop that is recorded. Each is looked into from those that are made of it:
/// of more, a thread's stack may not hold all.
const MOST: usize = 256;

/// A recording that is going on; it ends when it is dropped, in a panic too.
struct Recording;

impl Recording {
    fn begin() -> Recording {
        OPEN.with_borrow_mut(|open| open.push(Open::default()));
        Recording
    }

    /// What stands in its way.
    fn obstacle(&self) -> Option<&'static str> {
        OPEN.with_borrow(|open| open.last()?.obstacle)
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        OPEN.with_borrow_mut(|open| {
            let flows = open.pop().map_or(0, |inner| inner.flows);
            if let Some(outer) = open.last_mut() {
                outer.flows += flows;
            }
        });
    }
}

/// True while this thread records a loop.
pub(super) fn is_open() -> bool {
    OPEN.with_borrow(|open| !open.is_empty())
}

/// Notes one more loop or conditional in what is recorded.
///
/// # Errors
/// Too many, which ends the recording at hand.
fn count(id: NodeId) -> Result<()> {
    let fits = OPEN.with_borrow_mut(|open| {
        let all: usize = open.iter().map(|recording| recording.flows).sum();
        let Some(last) = open.last_mut() else { return true };
        last.flows += 1;
        all < MOST
    });
    if fits { Ok(()) } else { Err(ended(id, "it has too many loops and conditionals in it")) }
}

/// The error for a symbol whose elements are asked for; it ends the recording at hand.
pub(super) fn no_elements(id: NodeId) -> ivy_core::Error {
    ended(id, "it reads elements of what changes")
}

/// Ends the recording at hand, for the reason given; whoever asks for elements outside of one has an error.
pub(super) fn ended(id: NodeId, reason: &'static str) -> ivy_core::Error {
    OPEN.with_borrow_mut(|open| {
        if let Some(last) = open.last_mut() {
            last.obstacle.get_or_insert(reason);
        }
    });
    ErrorKind::InvalidArgument {
        function: "evaluate",
        argument: "array",
        value: format!("r{id}"),
        rule: "what a recorded loop carries has elements when the loop has ended, and outside of it",
    }
    .into()
}

/// What a loop carries, from what it carries.
pub type Step<'f> = &'f mut dyn FnMut(&[Variable]) -> Result<Vec<Variable>>;

impl Engine {
    /// Notes a loop of each element: while what the test gives is true there, the variables become
    /// what the body gives. The test gives one truth value, of a shape that broadcasts to those of
    /// the variables; the body gives variables of the same dtypes and shapes. `None` if the loop
    /// cannot be recorded, or is not to be: the caller runs it.
    ///
    /// Variables that the body scatters to, and does nothing else with, have shapes of their own, where one truth value
    /// decides for all elements, or where they are `shared`. Such a loop runs at once.
    ///
    /// # Errors
    /// Those of test and body, and of evaluation.
    pub fn repeat(
        self: &Arc<Self>,
        vars: &[Variable],
        shared: &[usize],
        test: Step<'_>,
        body: Step<'_>,
    ) -> Result<Option<Vec<Variable>>> {
        if !self.settings().loops || vars.is_empty() {
            return Ok(None);
        }
        let symbols: Vec<Variable> = {
            let mut trace = self.trace();
            let symbols = vars.iter().map(|v| {
                let (dtype, shape) = (trace.node(v.id()).dtype, trace.node(v.id()).shape.clone());
                let mut node = trace.pending(Kind::Symbol, dtype, shape, &[]);
                (node.symbolic, node.flat) = (true, false);
                let (id, _) = trace.add(node, false, &mut Vec::new());
                trace.handle(self, id)
            });
            symbols.collect()
        };
        let recorded = {
            let recording = Recording::begin();
            let both = test(&symbols).and_then(|test| match recording.obstacle() {
                None => Ok((test, body(&symbols)?)),
                Some(_) => Ok((test, Vec::new())),
            });
            match recording.obstacle() {
                Some(reason) => Err(reason),
                None => Ok(both?),
            }
        };
        let stepwise = |reason: &str| {
            say(Level::Info, format_args!("a loop runs step by step: {reason}"));
            Ok(None)
        };
        let ids = |list: &[Variable]| list.iter().map(|v| v.id()).collect::<Vec<NodeId>>();
        let (test, next) = match recorded {
            Ok((test, next)) => match test.into_iter().next() {
                Some(test) => (test, next),
                None => return Ok(None),
            },
            Err(reason) => return stepwise(reason),
        };
        let (symbols, following) = (ids(&symbols), ids(&next));
        // Variables are dropped without the lock.
        let found = {
            let trace = self.trace();
            let outer = vars.iter().any(|v| trace.node(v.id()).symbolic);
            let of = RecordedLoop { symbols: &symbols, test: test.id(), next: &following, shared };
            Targets::find(&trace, &of).and_then(|targets| {
                let roots: Vec<NodeId> = following.iter().copied().chain([test.id()]).collect();
                let symbolic = elementwise(&trace, &roots, &symbols, targets.as_ref())?;
                Ok((targets, symbolic || outer))
            })
        };
        let (targets, symbolic) = match found {
            Ok(found) => found,
            Err(reason) => return stepwise(reason),
        };
        let flow = Flow {
            vars: ids(vars),
            symbols,
            test: test.id(),
            next: following,
            targets: targets.as_ref().map_or_else(Vec::new, |targets| targets.vars.clone()),
            ..Flow::default()
        };
        let outputs: Vec<(Dtype, Shape)> = vars.iter().map(Variable::signature).collect();
        let Some(targets) = targets.filter(|_| !symbolic) else {
            return self.flow(Kind::Loop, flow, &outputs, symbolic).map(Some);
        };
        match self.scatter_loop(flow, &outputs, vars, &targets)? {
            Ok(results) => Ok(Some(results)),
            Err(reason) => stepwise(reason),
        }
    }

    /// Notes a conditional of each element: what it gives, of these dtypes and shapes, is of `then`
    /// where the condition is true, else of `otherwise`; all broadcast. `None` if it is not to be
    /// recorded: the caller selects.
    ///
    /// # Errors
    /// Those of evaluation, where it takes place.
    pub fn choose(
        self: &Arc<Self>,
        condition: &Variable,
        vars: &[Variable],
        then: &[Variable],
        otherwise: &[Variable],
        outputs: &[(Dtype, Shape)],
    ) -> Result<Option<Vec<Variable>>> {
        if !self.settings().loops || outputs.is_empty() {
            return Ok(None);
        }
        let ids = |list: &[Variable]| list.iter().map(|v| v.id()).collect::<Vec<NodeId>>();
        let flow = Flow {
            vars: ids(vars),
            symbols: Vec::new(),
            test: condition.id(),
            next: ids(then),
            otherwise: ids(otherwise),
            ..Flow::default()
        };
        let symbolic = {
            let trace = self.trace();
            flow.operands().any(|id| trace.node(id).symbolic)
        };
        self.flow(Kind::Branch, flow, outputs, symbolic).map(Some)
    }

    /// A node of control flow, and those of what comes out of it.
    pub(super) fn flow(
        self: &Arc<Self>,
        kind: Kind,
        flow: Flow,
        outputs: &[(Dtype, Shape)],
        symbolic: bool,
    ) -> Result<Vec<Variable>> {
        if symbolic {
            count(flow.test)?;
        }
        let (results, large) = self.note_flow(kind, flow, outputs, symbolic);
        if !symbolic && (large || !self.settings().fusion) {
            results.iter().try_for_each(|result| self.settle(result))?;
        }
        Ok(results)
    }

    /// Notes control flow, and what comes out of it; says whether that is more than one kernel has.
    pub(super) fn note_flow(
        self: &Arc<Self>,
        kind: Kind,
        mut flow: Flow,
        outputs: &[(Dtype, Shape)],
        symbolic: bool,
    ) -> (Vec<Variable>, bool) {
        let what = if kind == Kind::Loop { "a loop" } else { "a conditional" };
        say(Level::Symbolic, format_args!("{what} is recorded, which gives {}", outputs.len()));
        let mut trace = self.trace();
        (flow.gathers, flow.number) = (gathers(&trace, &flow), trace.made);
        let (mut weight, mut cost, mut given) = (1u16, 1u16, false);
        for id in flow.operands().collect::<Vec<_>>() {
            trace.retain(id);
            weight = weight.saturating_add(trace.node(id).weight);
            cost = cost.saturating_add(trace.node(id).cost);
            given |= trace.node(id).given;
        }
        let shape = trace.node(flow.test).shape.clone();
        let mut node = trace.pending(kind, Dtype::BOOL, shape, &[]);
        (node.symbolic, node.flat, node.weight) = (symbolic, false, weight.min(u16::MAX - 1));
        (node.cost, node.given) = (cost, given);
        node.more = Some(Box::new(More::Flow(flow)));
        let (owner, _) = trace.add(node, false, &mut Vec::new());
        self.log_node(&trace, owner, false);
        let ids: Vec<NodeId> = (outputs.iter().enumerate())
            .map(|(i, (dtype, shape))| {
                let mut node = trace.pending(Kind::After, *dtype, shape.clone(), &[owner]);
                (node.flat, node.literal) = (false, [i as u64, 0]);
                let (id, _) = trace.add(node, false, &mut Vec::new());
                self.log_node(&trace, id, false);
                id
            })
            .collect();
        trace.expect(owner, &ids);
        // The results refer to it.
        trace.release(owner, &mut Vec::new());
        let results: Vec<Variable> = ids.into_iter().map(|id| trace.handle(self, id)).collect();
        (results, trace.exceeds_kernel(weight, cost))
    }
}

/// Looks through what was recorded: whether each element is made of the same element of the symbols
/// alone. `true` says that there are symbols of other recordings in it.
/// What targets of scatters are made of is no element's.
pub(super) fn elementwise(
    trace: &Trace,
    roots: &[NodeId],
    symbols: &[NodeId],
    targets: Option<&Targets>,
) -> Result<bool, &'static str> {
    let mut own: HashSet<NodeId> = symbols.iter().copied().collect();
    let (mut seen, mut stack, mut met) = (HashSet::new(), roots.to_vec(), Vec::new());
    while let Some(id) = stack.pop() {
        let node = trace.node(id);
        if !node.symbolic || !seen.insert(id) {
            continue;
        }
        let is_target = targets.is_some_and(|targets| targets.nodes.contains(&id));
        match node.kind {
            Kind::Symbol => met.push(id),
            _ if is_target => {}
            Kind::Pad => return Err("it pads what changes"),
            Kind::Fold(_) => return Err("it reduces what changes"),
            Kind::Gather if trace.node(node.operands[0]).symbolic => {
                return Err("it takes what changes from other places");
            }
            Kind::View | Kind::Reshape => {
                let under = trace.node(node.operands[0]);
                let repeats = node.map().is_some_and(|map| *map == Map::broadcast(&under.shape, &node.shape));
                if !repeats && under.shape.size() != 1 {
                    return Err("it takes what changes from other places");
                }
            }
            _ => {}
        }
        if let Some(flow) = node.flow() {
            own.extend(&flow.symbols);
        }
        stack.extend(node.operands().filter(|&o| o != NONE));
    }
    // A loop within may come after its symbols.
    Ok(met.iter().any(|id| !own.contains(id)))
}

/// What is gathered in a loop or conditional that is being made. What has symbols of recordings around
/// alone, and does not ask what decides here, was asked for before.
fn gathers(trace: &Trace, flow: &Flow) -> Gathers {
    let mut own: HashSet<NodeId> = flow.symbols.iter().copied().collect();
    own.insert(flow.test);
    let roots = || flow.next.iter().chain(&flow.otherwise).chain([&flow.test]).copied();
    // Each after its operands, what a loop within is made of among them.
    let (mut order, mut seen) = (Vec::new(), HashSet::new());
    let mut stack: Vec<(NodeId, bool)> = roots().map(|id| (id, false)).collect();
    while let Some((id, done)) = stack.pop() {
        if done {
            order.push(id);
            continue;
        }
        let node = trace.node(id);
        if !node.symbolic || !seen.insert(id) {
            continue;
        }
        if let Some(within) = node.flow() {
            own.extend(&within.symbols);
        }
        stack.push((id, true));
        stack.extend(node.operands().map(|o| (o, false)));
    }
    let mut all = Gathers::default();
    // What stands for elements that get here, or further, or is made of such.
    let mut here: HashSet<NodeId> = HashSet::new();
    for id in order {
        let node = trace.node(id);
        if own.contains(&id) || node.operands().any(|o| here.contains(&o)) {
            here.insert(id);
        }
        let within = || trace.node(node.operands[0]).flow().is_some_and(|flow| flow.gathers.any);
        if node.kind == Kind::Gather || node.kind == Kind::After && within() {
            all.any = true;
            if !here.contains(&id) {
                all.before.push(id);
            }
        }
    }
    all
}
