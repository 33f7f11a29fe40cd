//! Programs over rows: folds along the same rows, and what is made of them, one piece after the
//! other for a few rows, then for the next ones.
//!
//! A row's elements come from memory once, since the pieces after the first find them in a near
//! cache. What the pieces give each other is a number for each row, from a fold, or elements that
//! take long to compute and are needed again, which are kept for the rows at hand only. What is
//! made of such numbers alone is computed once a row by each piece that needs it.

use super::merge::merged;
use super::{Input, Job, Scratch, Source};
use crate::codegen::From;
use crate::ir::Join;
use crate::runtime::cpu::View;
use crate::trace::{Affine, Kind, NodeId, Trace};
use ivy_core::hash::WordHash;
use ivy_core::host::contiguous_strides;
use ivy_core::{BinaryOp, Dtype, Shape, UnaryOp};
use smallvec::{SmallVec, smallvec};
use std::collections::HashMap;

/// Pieces of a program: with more, it is done in several.
const MOST: usize = 16;

/// One kernel of a program.
#[derive(Clone)]
pub(crate) struct Piece {
    /// What it computes of the rows' elements. Its inputs may be other pieces' values.
    pub(crate) job: Job,
    /// What becomes of the job's outputs, in their order.
    pub(crate) gives: SmallVec<[Given; 1]>,
    /// So many inputs and outputs, the first ones, are of the rows before those at hand.
    pub(crate) behind: [usize; 2],
}

/// A value that a piece gives: elements of rows, or folds of them.
#[derive(Clone)]
pub(crate) struct Given {
    /// Whose value it is.
    pub(crate) node: NodeId,
    /// Its number, by which other pieces name it.
    pub(crate) value: u32,
    /// How elements of a row are put together, if they are.
    pub(crate) fold: Option<Join>,
    pub(crate) dtype: Dtype,
    pub(crate) shape: Shape,
}

impl Piece {
    /// The piece of a node's job, with the next number.
    fn new(node: NodeId, job: Job, number: usize) -> Piece {
        let fold = job.fold.map(|(join, _)| join);
        let (dtype, shape) = (job.dtype, job.shape.clone());
        Piece {
            gives: smallvec![Given { node, value: number as u32, fold, dtype, shape }],
            job,
            behind: [0; 2],
        }
    }

    /// True if it gives folds only.
    pub(super) fn folds(&self) -> bool {
        self.gives.iter().all(|g| g.fold.is_some())
    }
}

/// Pieces, each after those that it needs; the last one gives what is asked for.
#[derive(Clone)]
pub(crate) struct Program {
    /// The pieces' iteration space.
    pub(crate) space: Shape,
    /// The axes from here on are a row.
    pub(crate) split: usize,
    /// What is done.
    pub(crate) pieces: Vec<Piece>,
}

/// What a program has while it is made: its rows, and which nodes are pieces by now.
pub(super) struct Around {
    space: Shape,
    split: usize,
    made: HashMap<NodeId, u32, WordHash>,
}

impl Program {
    /// A program for a pending node that one kernel does not compute, since it needs folds along
    /// rows of its own space, or of the space that it folds itself; `None` if that is not so. What reads
    /// the same is one piece, if that is wanted for rows of their length.
    pub(crate) fn plan(
        trace: &Trace,
        scratch: &mut Scratch,
        root: NodeId,
        merging: impl Fn(usize) -> bool,
    ) -> Option<Program> {
        let mut around = Around::find(trace, root)?;
        let (mut pieces, mut wanted) = (Vec::new(), vec![root]);
        while let Some(&node) = wanted.last() {
            match Job::collect_within(trace, scratch, node, Some(&around)) {
                Ok(job) => {
                    around.made.insert(node, pieces.len() as u32);
                    pieces.push(Piece::new(node, job, pieces.len()));
                    wanted.pop();
                }
                Err(first) => {
                    let full = pieces.len() + wanted.len() == MOST;
                    if full || wanted.contains(&first) || !around.takes(trace, first) {
                        return None;
                    }
                    wanted.push(first);
                }
            }
        }
        let row = around.space[around.split..].iter().product();
        let pieces = if merging(row) { merged(pieces) } else { pieces };
        Some(Program { space: around.space, split: around.split, pieces })
    }
}

impl Around {
    /// The rows that a node is made of: those of the first fold under it, if they are its own. What is
    /// folded itself is folded along them, and along no other axes.
    fn find(trace: &Trace, root: NodeId) -> Option<Around> {
        let node = trace.node(root);
        let space = match node.kind {
            // It has several results.
            Kind::After => return None,
            Kind::Fold(_) => trace.node(node.operands[0]).shape.clone(),
            _ => node.shape.clone(),
        };
        let fold = trace.order(root).into_iter().find(|&id| {
            let node = trace.node(id);
            matches!(node.kind, Kind::Fold(_)) && trace.node(node.operands[0]).shape == space
        })?;
        let axes = trace.node(fold).literal[0];
        if matches!(node.kind, Kind::Fold(_)) && node.literal[0] != axes {
            return None;
        }
        let split = space.len().checked_sub(axes.count_ones() as usize)?;
        let rows: usize = space[..split].iter().product();
        (axes == bits(split, space.len()) && rows > 1 && space.size() > rows).then(|| Around {
            space,
            split,
            made: HashMap::default(),
        })
    }

    /// True if a node may be a piece: a fold along the rows, or elements of them.
    fn takes(&self, trace: &Trace, id: NodeId) -> bool {
        let node = trace.node(id);
        let shape = match node.kind {
            Kind::Fold(_) if node.literal[0] == bits(self.split, self.space.len()) => {
                &trace.node(node.operands[0]).shape
            }
            Kind::Fold(_) | Kind::View | Kind::Reshape | Kind::After | Kind::Deferred => return false,
            _ => &node.shape,
        };
        *shape == self.space && !self.made.contains_key(&id)
    }

    /// The piece that a node is.
    pub(super) fn piece(&self, id: NodeId) -> Option<u32> {
        self.made.get(&id).copied()
    }

    /// True if this leads to a number for each row.
    pub(super) fn is_by_row(&self, order: &Affine) -> bool {
        let rows = contiguous_strides(&self.space[..self.split]);
        let step = |axis: usize| order.steps.get(axis).copied().unwrap_or(0);
        let follows =
            |axis: usize| self.space[axis] == 1 || step(axis) == rows.get(axis).copied().unwrap_or(0);
        order.offset == 0 && (0..self.space.len()).all(follows)
    }

    /// True if axes that make no difference are those of a row.
    pub(super) fn is_once_a_row(&self, ignores: impl Fn(usize) -> bool) -> bool {
        (self.split..self.space.len()).all(|axis| self.space[axis] == 1 || ignores(axis))
    }

    /// What of what a fold folds is better kept than computed by each piece that needs it: that, or what
    /// it is a conversion of.
    pub(super) fn kept(&self, trace: &Trace, mut id: NodeId) -> Option<NodeId> {
        while !self.keeps(trace, id) {
            let node = trace.node(id);
            let only = node.kind == Kind::Cast && node.is_pending() && !node.symbolic && node.refs == 1;
            id = node.operands().next().filter(|_| only && self.piece(id).is_none())?;
        }
        Some(id)
    }

    /// True if this is better kept than computed by each piece that needs it.
    fn keeps(&self, trace: &Trace, id: NodeId) -> bool {
        let node = trace.node(id);
        let plain = node.is_pending() && !node.symbolic && node.refs > 1 && node.shape == self.space;
        plain
            && self.piece(id).is_none()
            && !matches!(node.kind, Kind::View | Kind::Reshape | Kind::After | Kind::Fold(_) | Kind::Deferred)
            && self.takes_long(trace, id)
    }

    /// True if there is an operation among those of the rows' elements that takes longer than to
    /// write its result to a near cache and to read it again.
    fn takes_long(&self, trace: &Trace, id: NodeId) -> bool {
        let (mut stack, mut seen) = (vec![id], vec![id]);
        while let Some(id) = stack.pop() {
            let node = trace.node(id);
            if is_long(node.kind) {
                return true;
            }
            for under in node.operands() {
                let inner = trace.node(under);
                let counts = inner.is_pending() && inner.shape == self.space && self.piece(under).is_none();
                if counts && !seen.contains(&under) {
                    stack.push(under);
                    seen.push(under);
                }
            }
        }
        false
    }
}

/// Bits for the axes from the first to before the last one.
pub(super) fn bits(first: usize, last: usize) -> u64 {
    (first..last).fold(0, |bits, axis| bits | 1 << axis)
}

/// True for what is a formula of many operations.
pub(super) fn is_elementary(kind: Kind) -> bool {
    match kind {
        Kind::Unary(op) => is_long(kind) && !matches!(op, UnaryOp::Reciprocal | UnaryOp::Sqrt),
        Kind::Binary(op) => matches!(op, BinaryOp::Atan2 | BinaryOp::Logaddexp | BinaryOp::Pow),
        _ => false,
    }
}

pub(super) fn is_long(kind: Kind) -> bool {
    use BinaryOp::*;
    use UnaryOp as U;
    match kind {
        Kind::Unary(op) => !matches!(
            op,
            U::Abs
                | U::BitwiseInvert
                | U::Ceil
                | U::Conj
                | U::Floor
                | U::Imag
                | U::IsFinite
                | U::IsInf
                | U::IsNan
                | U::LogicalNot
                | U::Negative
                | U::Real
                | U::Round
                | U::Sign
                | U::Signbit
                | U::Square
                | U::Trunc
        ),
        Kind::Binary(op) => {
            matches!(op, Atan2 | Divide | FloorDivide | Gcd | Hypot | Lcm | Logaddexp | Pow | Remainder)
        }
        Kind::After => true,
        _ => false,
    }
}

impl Program {
    /// The nodes that live until it has run: its folds, whose results may be asked for later, and
    /// the one that must be evaluated first where it cannot run.
    pub(crate) fn needs(&self, first: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let given = self.pieces.iter().rev().skip(1).flat_map(|p| &p.gives);
        let folds = given.filter(|g| g.fold.is_some()).map(|g| g.node);
        folds.filter(move |&node| node != first).chain([first])
    }

    /// The values of all pieces, by number.
    pub(crate) fn values(&self) -> Vec<&Given> {
        let mut all: Vec<&Given> = self.pieces.iter().flat_map(|p| &p.gives).collect();
        all.sort_by_key(|g| g.value);
        all
    }

    /// How many operations its pieces have.
    pub(crate) fn operations(&self) -> usize {
        self.pieces.iter().map(|p| p.job.len()).sum()
    }

    /// How many operations on elements they do.
    pub(crate) fn work(&self) -> usize {
        self.pieces.iter().map(|p| p.job.work()).fold(0, usize::saturating_add)
    }

    /// The arrays and literals that the pieces read, each once, and where each piece's inputs come
    /// from. `None` if one has not got the elements, which is a fault of the trace.
    pub(crate) fn inputs(&self) -> Option<(Vec<View<'_>>, Vec<Vec<From>>)> {
        let (known, all) = self.sources();
        let views = known.into_iter().map(|input| input.walked(&self.space)).collect::<Option<_>>()?;
        Some((views, all))
    }

    /// What the pieces read, each once, and where each piece's inputs come from.
    pub(super) fn sources(&self) -> (Vec<&Input>, Vec<Vec<From>>) {
        let mut known: Vec<&Input> = Vec::new();
        let mut all = Vec::new();
        for piece in &self.pieces {
            let mut from = Vec::new();
            for input in &piece.job.inputs {
                if let Source::Piece(number) = input.source {
                    from.push(From::Value(number as usize));
                    continue;
                }
                let same = known.iter().position(|k| k.is(input));
                let number = same.unwrap_or_else(|| {
                    known.push(input);
                    known.len() - 1
                });
                from.push(From::Outside(number));
            }
            all.push(from);
        }
        (known, all)
    }
}
