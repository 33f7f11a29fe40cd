//! Evaluation by the shortest way: what is flat and small, and has a kernel, is launched as it is.

use super::Engine;
use super::asynchronous::How;
use super::history::Launch;
use super::settings::Settings;
use crate::runtime::Elements;
use crate::runtime::cpu::row;
use crate::schedule::{Direct, Materialization};
use crate::trace::NodeId;
use ivy_core::host::HostArray;
use ivy_core::{Dtype, Result, Shape};
use std::time::Instant;

impl Engine {
    /// The elements of a node that are there, or that a kernel which is there computes over one row; `None`
    /// for what takes the general way, as all does for the first time.
    ///
    /// # Errors
    /// No memory.
    pub(super) fn direct(&self, id: NodeId, how: How) -> Result<Option<Elements>> {
        let settings = self.settings();
        if !settings.direct {
            return Ok(None);
        }
        let (mut direct, dtype, shape) = {
            let mut trace = self.trace();
            if let Some(array) = &trace.node(id).data {
                return Ok(Some((**array).clone()));
            }
            let choice = self.choice_in(settings, trace.node(id).shape.size());
            match trace.direct(id, choice) {
                Some(direct) => (direct, trace.node(id).dtype, trace.node(id).shape.clone()),
                None => return Ok(None),
            }
        };
        let done = match &self.on_device {
            None => self.direct_here(&direct, (dtype, shape), how, settings)?,
            Some(on_device) => self.direct_on_device(on_device, &direct, (dtype, shape))?,
        };
        // Memory that nobody else has any more goes before the lock is taken.
        direct.inputs.clear();
        let Some((array, launch)) = done else {
            self.trace().give_back(direct);
            return Ok(None);
        };
        self.log(launch);
        let mut gone = Vec::new();
        let mut trace = self.trace();
        if direct.shares && settings.materialize && trace.node(id).is_pending() {
            let marked = Materialization::plan(&trace, &[id], false).marked;
            marked.into_iter().for_each(|id| trace.mark_materialized(id));
        }
        trace.settle(id, array.clone(), &mut gone);
        trace.give_back(direct);
        drop(trace);
        drop(gone);
        Ok(Some(array))
    }

    /// Launches it on the calling thread.
    fn direct_here(
        &self,
        direct: &Direct,
        (dtype, shape): (Dtype, Shape),
        how: How,
        settings: Settings,
    ) -> Result<Option<(Elements, Launch)>> {
        let work = direct.row.saturating_mul(direct.len());
        if how == How::Start && self.leaves(work) {
            return Ok(None);
        }
        let Some(ready) = self.cache.take().find(&direct.meaning) else { return Ok(None) };
        let start = Instant::now();
        let Some(mut written) = row(&ready, direct.row, &direct.inputs, settings.turning)? else {
            return Ok(None);
        };
        let run = start.elapsed();
        let array = written.pop().and_then(|buffer| HostArray::new(buffer, dtype, shape));
        let launch = Launch {
            hash: ready.hash,
            elements: direct.row,
            pieces: 1,
            operations: direct.len(),
            fold: None,
            statements: ready.statements,
            inputs: direct.inputs.len(),
            outputs: 1,
            compile: None,
            loaded: ready.loaded,
            run,
        };
        Ok(array.map(|array| (Elements::Host(array), launch)))
    }
}
