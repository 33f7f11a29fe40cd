//! The numbers of elements: a node without operands, which kernels count.

use super::{Engine, Variable};
use crate::trace::Kind;
use ivy_core::{Dtype, Result};
use std::sync::Arc;

impl Engine {
    /// The numbers from 0 to before a length, int64. `None` if they are to be in memory: without the
    /// switch.
    ///
    /// # Errors
    /// Those of evaluation, where it takes place.
    pub fn counter(self: &Arc<Self>, length: usize) -> Result<Option<Variable>> {
        let settings = self.settings();
        if !settings.counters {
            return Ok(None);
        }
        let (variable, waits) = {
            let mut trace = self.trace();
            let mut node = trace.pending(Kind::Counter, Dtype::INT64, length.into(), &[]);
            node.literal[0] = length as u64;
            self.noted(&mut trace, node, [settings.numbering, settings.fusion], &mut Vec::new())
        };
        if !waits {
            self.settle(&variable)?;
        }
        Ok(Some(variable))
    }
}
