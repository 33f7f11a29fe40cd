//! What is padded: elements of an operand where there are some, one value around them.
//!
//! A node below is found everywhere, but has elements only where each padded axis is inside: a guard,
//! which a kernel computes of what it counts along the axes. Whatever is read below is read under it.
//! An axis that no place of the space leads out of needs no guard, such as the middle of a stencil.

use super::collect::{Collector, Found, Guard, ONE, Where};
use super::{Do, Input, Job, STEP, Source};
use crate::ir::{Builder, Code, Id, Type};
use crate::runtime::Reading;
use crate::trace::{Affine, Kind, Map, NONE, NodeId};
use ivy_core::{BinaryOp, Dtype};
use smallvec::SmallVec;

/// Places along an axis of a length, which may be outside of it.
pub(super) type Window = (Affine, usize);

/// The guards of a collection.
#[derive(Default)]
pub(super) struct Guards {
    /// Windows, and the steps that say where they are inside.
    windows: Vec<(Window, u32)>,
    /// Such steps, and those that say where they are not true.
    pub(super) others: Vec<(u32, u32)>,
    /// Guards by number: the one around, the windows' steps, and the step that says where all of that is
    /// true.
    all: Vec<(Guard, SmallVec<[u32; 4]>, u32)>,
}

impl Guards {
    pub(super) fn clear(&mut self) {
        self.windows.clear();
        self.others.clear();
        self.all.clear();
    }
}

/// Whether a place is one along an axis of a length.
pub(super) fn inside(b: &mut Builder, place: Id, length: Id) -> Id {
    // Of unsigned numbers, negative ones are above all lengths.
    let [place, length] = [place, length].map(|x| b.bitcast(x, Type::U64));
    b.binary(Code::Lt, place, length)
}

impl Collector<'_> {
    /// The guard under which something is found.
    pub(super) fn guard(&self, at: u32) -> Guard {
        match self.scratch.wheres[at as usize] {
            Where::Map(_, guard) | Where::Order(_, guard) => guard,
            Where::Same | Where::One => NONE,
        }
    }

    /// The place along each axis of a node's shape where it is found.
    pub(super) fn coordinates(&self, (id, at): Found) -> Result<Map, NodeId> {
        let rank = self.trace.node(id).shape.len();
        Ok(match &self.scratch.wheres[at as usize] {
            Where::Map(map, _) => map.clone(),
            Where::Same => Map::same(rank),
            Where::One => Map::pick(rank, (0..rank).map(|_| None)),
            // Its number does not say where along the axes it is.
            Where::Order(..) => return Err(id),
        })
    }

    /// How the operand of what is padded is found, and where that leads outside of it.
    pub(super) fn border(&self, (id, at): Found) -> Result<(Map, SmallVec<[Window; 2]>), NodeId> {
        let node = self.trace.node(id);
        let Some((_, pads)) = node.pad() else { return Err(id) };
        let map = self.coordinates((id, at))?.before(pads.iter().map(|p| p.before));
        let lengths = &self.trace.node(node.operands[0]).shape;
        let leads_out = |(row, &length): (&Affine, &usize)| {
            let (least, most) = row.range(&self.space)?;
            (least < 0 || most >= length as isize).then(|| (row.clone(), length))
        };
        let windows = map.rows().iter().zip(lengths.iter()).filter_map(leads_out).collect();
        Ok((map, windows))
    }

    /// The operand of what is padded.
    pub(super) fn padded(&mut self, whole: Found) -> Result<Found, NodeId> {
        if self.depth > 0 {
            return Err(whole.0);
        }
        let (map, windows) = self.border(whole)?;
        let guard = self.guarded(whole.1, windows);
        self.guarded_by(self.trace.node(whole.0).operands[0], map, guard)
    }

    /// An operand that is found by a map under a guard.
    pub(super) fn guarded_by(&mut self, inner: NodeId, map: Map, guard: Guard) -> Result<Found, NodeId> {
        let under = self.trace.node(inner);
        if under.kind == Kind::Literal || under.shape.size() == 1 {
            return self.resolve((inner, ONE));
        }
        let at = self.intern(Where::Map(map, guard));
        if self.is_repeated((inner, at)) {
            return Err(inner);
        }
        self.resolve((inner, at))
    }

    /// Writes what is padded, whose operand has a number.
    pub(super) fn pad(&mut self, whole: Found, operand: u32) -> Result<(), NodeId> {
        let (_, windows) = self.border(whole)?;
        let guard = self.guarded(whole.1, windows);
        let node = self.trace.node(whole.0);
        let fill = self.literal(node.dtype, node.literal);
        self.choose(whole, guard, [operand, fill]);
        Ok(())
    }

    /// Writes the step that makes a node of a number where a guard is true, and of another one elsewhere.
    pub(super) fn choose(&mut self, whole: Found, guard: Guard, [x, y]: [u32; 2]) {
        let wanted = STEP | self.scratch.guards.all[guard as usize].2;
        let dtype = self.trace.node(whole.0).dtype;
        let step = self.step(Do::Apply(Kind::Where), dtype, [wanted, x, y]);
        self.makes(whole, step);
        if !self.job.pads.contains(&whole.0) {
            self.job.pads.push(whole.0);
        }
    }

    /// The guard of windows, of which there are some, within the guard under which something is found.
    fn guarded(&mut self, at: u32, windows: SmallVec<[Window; 2]>) -> Guard {
        let steps = windows.into_iter().map(|window| self.window(window)).collect();
        self.guard_of(self.guard(at), steps)
    }

    /// The guard of truth values, within another guard.
    pub(super) fn guard_of(&mut self, around: Guard, steps: SmallVec<[u32; 4]>) -> Guard {
        let guards = &self.scratch.guards.all;
        if let Some(known) = guards.iter().position(|g| (g.0, &g.1) == (around, &steps)) {
            return known as Guard;
        }
        let outer = guards.get(around as usize).map(|g| g.2);
        let both = |a, b| {
            self.step(Do::Apply(Kind::Binary(BinaryOp::LogicalAnd)), Dtype::BOOL, [STEP | a, STEP | b, NONE])
        };
        let step = outer.into_iter().chain(steps.iter().copied()).reduce(both).unwrap_or(NONE);
        self.scratch.guards.all.push((around, steps, step));
        self.scratch.guards.all.len() as Guard - 1
    }

    /// The step that says where a window is inside.
    pub(super) fn window(&mut self, (mut place, length): Window) -> u32 {
        self.fit(&mut place);
        let window = (place, length);
        if let Some((_, step)) = self.scratch.guards.windows.iter().find(|(known, _)| *known == window) {
            return *step;
        }
        let counted =
            (self.job.inputs.iter()).position(|i| matches!(i.source, Source::Count) && i.place == window.0);
        let counter = counted.map_or_else(
            || {
                let (place, reading) = (window.0.clone(), Reading::Counted);
                self.input(Input { node: NONE, dtype: Dtype::INT64, source: Source::Count, place, reading })
            },
            |known| known as u32,
        );
        let number = super::words_of(&(length as i64).to_ne_bytes());
        let length = self.literal(Dtype::INT64, number);
        let step = self.step(Do::Inside, Dtype::BOOL, [counter, length, NONE]);
        self.scratch.guards.windows.push((window, step));
        step
    }

    /// The number of what is found of an input: of the step that reads it, if that is guarded.
    pub(super) fn read(&mut self, found: Found, input: u32, guard: Guard) -> u32 {
        let Some((_, _, wanted)) = self.scratch.guards.all.get(guard as usize) else { return input };
        let operands = [input, STEP | wanted, NONE];
        let step = self.step(Do::Read, self.trace.node(found.0).dtype, operands);
        self.makes(found, step);
        STEP | step
    }
}

impl Job {
    /// What is padded in it.
    pub(crate) fn pads(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.pads.iter().copied()
    }

    /// True if something is padded in it.
    pub(crate) fn is_padded(&self) -> bool {
        !self.pads.is_empty()
    }

    /// The length of a row: of the last axes that all inputs walk as one.
    pub(crate) fn row(&self) -> usize {
        let mut axes = (0..self.space.len()).rev().filter(|&a| self.space[a] != 1);
        let Some(mut last) = axes.next() else { return 1 };
        let mut row = self.space[last];
        for axis in axes {
            let step = |i: &Input, axis: usize| i.place.steps.get(axis).copied().unwrap_or(0);
            let alike = |i: &Input| step(i, axis) == step(i, last) * self.space[last] as isize;
            if !self.inputs.iter().all(alike) {
                break;
            }
            row *= self.space[axis];
            last = axis;
        }
        row
    }
}
