//! Elements at indices, read in the kernels of what they are for.

use super::{Engine, Variable, misfit};
use crate::runtime::Elements;
use crate::schedule::{Check, IndexCheck};
use crate::trace::{Gather, Kind, Map, More, NodeId};
use ivy_core::{Error, Result, Shape};
use smallvec::SmallVec;
use std::sync::Arc;

/// Where elements are gathered from.
pub struct Places<'a> {
    /// The function's name, for errors.
    pub function: &'static str,
    /// An axis of the source and an int64 index for it, which broadcasts to the result's shape;
    /// negative ones count from the end.
    pub indices: SmallVec<[(usize, &'a Variable); 2]>,
    /// The place along the other axes for coordinates of the result; 0 along those.
    pub map: Map,
}

impl Engine {
    /// The elements of a variable at computed places, as a result of this shape. There are some, and
    /// no axis that is indexed is empty. `None` if the caller has to look for them: in what a recorded loop
    /// changes, in what is one literal, and without the switch.
    ///
    /// # Errors
    /// Those of evaluation, where it takes place; an index out of range is one of that.
    pub fn gather(
        self: &Arc<Self>,
        source: &Variable,
        places: Places<'_>,
        shape: Shape,
    ) -> Result<Option<Variable>> {
        let settings = self.settings();
        if !settings.gathers {
            return Ok(None);
        }
        let laid_out = self.laid_out(source, &places)?;
        let (source, asked) = (laid_out.as_ref().unwrap_or(source), self.asked(places.function));
        let (axes, indices): (SmallVec<[usize; 2]>, SmallVec<[NodeId; 2]>) =
            places.indices.iter().map(|(axis, v)| (*axis, v.id())).unzip();
        let (variable, waits) = {
            let mut trace = self.trace();
            let of = trace.node(source.id());
            if of.symbolic || of.kind == Kind::Literal {
                return Ok(None);
            }
            let (dtype, number) = (of.dtype, trace.made);
            let ([weight, cost], flat, given) = trace.taken_with(&indices, shape.size());
            let mut node = trace.pending(Kind::Gather, dtype, shape, &[source.id()]);
            indices.iter().for_each(|&i| trace.retain(i));
            node.symbolic = indices.iter().any(|&i| trace.node(i).symbolic);
            (node.weight, node.cost) = (node.weight.saturating_add(weight), node.cost.saturating_add(cost));
            node.flat = flat && places.map.is_constant();
            node.given |= given;
            let gather = Gather { axes, indices, map: places.map, asked, number };
            node.more = Some(Box::new(More::Gather(gather)));
            self.noted(&mut trace, node, [false, settings.fusion], &mut Vec::new())
        };
        if !waits {
            self.settle(&variable)?;
        }
        Ok(Some(variable))
    }

    /// A literal as an array, where it must be one to be read at indices: on a device, and at indices that a
    /// recorded loop changes. `None` for all else.
    fn laid_out(self: &Arc<Self>, source: &Variable, places: &Places<'_>) -> Result<Option<Variable>> {
        let is_literal = {
            let trace = self.trace();
            let recorded = || places.indices.iter().any(|(_, v)| trace.node(v.id()).symbolic);
            trace.node(source.id()).kind == Kind::Literal && (self.device().is_some() || recorded())
        };
        if !is_literal {
            return Ok(None);
        }
        let elements = self.compute(source)?;
        let mut trace = self.trace();
        let id = trace.data(elements);
        Ok(Some(trace.handle(self, id)))
    }

    /// The error of the first index that is out of range; whoever asks has a reference to the nodes.
    pub(super) fn out_of_range(&self, checks: &[Check]) -> Error {
        let first = |check: &Check| match check {
            Check::Index(check) => self.in_range(check),
            Check::Loop(node, _) => self.diagnose_loop(*node),
        };
        let mut checks: SmallVec<[&Check; 4]> = checks.iter().collect();
        checks.sort_by_key(|check| check.number());
        checks.iter().find_map(|&check| first(check).err()).unwrap_or_else(|| misfit("gather"))
    }

    /// Looks at each element of an index.
    ///
    /// # Errors
    /// That of the first one that is out of range; those of evaluation.
    pub(super) fn in_range(&self, check: &IndexCheck) -> Result<()> {
        let array = match self.compute_nodes(&[check.node])? {
            Elements::Host(array) => array,
            Elements::Device(array) => array.download()?,
        };
        let checked =
            ivy_kernels::check_indices(check.asked.function, &array.view(), check.axis, check.length);
        checked.map_err(|error| check.asked.told(error))
    }
}
