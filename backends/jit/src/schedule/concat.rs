//! Two arrays one after the other along an axis: of each place the first one has an element, or else the second
//! one, which are guards as those of what is padded. Places that one of them has all of need none.

use super::collect::{Collector, Found, Guard};
use super::pad::Window;
use super::{Do, STEP};
use crate::trace::{Kind, Map, NONE, NodeId};
use ivy_core::{Dtype, UnaryOp};
use smallvec::smallvec;

impl Collector<'_> {
    /// How the parts of a join are found, and the places that the first one has.
    fn sides(&self, whole: Found) -> Result<([Map; 2], Window), NodeId> {
        let node = self.trace.node(whole.0);
        let (map, axis) = (self.coordinates(whole)?, node.literal[0] as usize);
        let length = self.trace.node(node.operands[0]).shape[axis];
        let behind = map.before((0..node.shape.len()).map(|a| if a == axis { length } else { 0 }));
        let window = (map.rows()[axis].clone(), length);
        Ok(([map, behind], window))
    }

    /// The part of a join that has all places at which it is found, and how that is found.
    pub(super) fn side(&self, whole: Found) -> Result<Option<(NodeId, Map)>, NodeId> {
        let ([first, second], (place, length)) = self.sides(whole)?;
        let [a, b, _] = self.trace.node(whole.0).operands;
        let length = length as isize;
        Ok(match place.range(&self.space) {
            Some((least, _)) if least >= length => Some((b, second)),
            Some((_, most)) if most >= length => None,
            _ => Some((a, first)),
        })
    }

    /// The parts of a join, each under its guard.
    pub(super) fn parts(&mut self, whole: Found) -> Result<[Found; 2], NodeId> {
        if self.depth > 0 {
            return Err(whole.0);
        }
        let ([first, second], window) = self.sides(whole)?;
        let guards = self.either(whole.1, window);
        let [a, b, _] = self.trace.node(whole.0).operands;
        Ok([self.guarded_by(a, first, guards[0])?, self.guarded_by(b, second, guards[1])?])
    }

    /// Writes a join, whose parts have numbers.
    pub(super) fn join(&mut self, whole: Found, parts: [u32; 2]) -> Result<(), NodeId> {
        let (_, window) = self.sides(whole)?;
        let [first, _] = self.either(whole.1, window);
        self.choose(whole, first, parts);
        Ok(())
    }

    /// The guards of the places in a window, and of those that are not, within the guard under which something
    /// is found.
    fn either(&mut self, at: u32, window: Window) -> [Guard; 2] {
        let within = self.window(window);
        let known = self.scratch.guards.others.iter().find(|(step, _)| *step == within).map(|(_, not)| *not);
        let not = known.unwrap_or_else(|| {
            let not = Do::Apply(Kind::Unary(UnaryOp::LogicalNot));
            let not = self.step(not, Dtype::BOOL, [STEP | within, NONE, NONE]);
            self.scratch.guards.others.push((within, not));
            not
        });
        [within, not].map(|step| self.guard_of(self.guard(at), smallvec![step]))
    }
}
