//! Evaluation by the shortest way: what is flat and small, and has a kernel, is launched as it is.

use super::Engine;
use super::asynchronous::How;
use super::history::Launch;
use crate::runtime::Elements;
use crate::runtime::cpu::row;
use crate::trace::NodeId;
use ivy_core::Result;
use ivy_core::host::HostArray;
use std::time::Instant;

impl Engine {
    /// The elements of a node that are there, or that a kernel which is there computes over one row; `None`
    /// for what takes the general way, as all does for the first time.
    ///
    /// # Errors
    /// No memory.
    pub(super) fn direct(&self, id: NodeId, how: How) -> Result<Option<Elements>> {
        let settings = self.settings();
        if !settings.direct || self.there.is_some() {
            return Ok(None);
        }
        let mut direct = {
            let mut trace = self.trace();
            if let Some(array) = &trace.node(id).data {
                return Ok(Some((**array).clone()));
            }
            match trace.direct(id, self.choice(settings)) {
                Some(direct) => direct,
                None => return Ok(None),
            }
        };
        let work = direct.row.saturating_mul(direct.len());
        let left = how == How::Start && self.leaves(work);
        let ready = if left { None } else { self.cache.take().find(&direct.meaning) };
        let start = Instant::now();
        let written = match &ready {
            Some(ready) => row(ready, direct.row, &direct.inputs)?,
            None => None,
        };
        let run = start.elapsed();
        let inputs = direct.inputs.len();
        // Memory that nobody else has any more goes before the lock is taken.
        direct.inputs.clear();
        let (Some(ready), Some(mut written)) = (ready, written) else {
            self.trace().give_back(direct);
            return Ok(None);
        };
        self.log(Launch {
            hash: ready.hash,
            elements: direct.row,
            pieces: 1,
            operations: direct.len(),
            fold: None,
            statements: ready.statements,
            inputs,
            outputs: 1,
            compile: None,
            loaded: ready.loaded,
            run,
        });
        let mut gone = Vec::new();
        let mut trace = self.trace();
        let (dtype, shape) = (trace.node(id).dtype, trace.node(id).shape.clone());
        let array = written.pop().and_then(|buffer| HostArray::new(buffer, dtype, shape));
        let array = array.map(Elements::Host);
        if let Some(array) = &array {
            trace.settle(id, array.clone(), &mut gone);
        }
        trace.give_back(direct);
        drop(trace);
        drop(gone);
        Ok(array)
    }
}
