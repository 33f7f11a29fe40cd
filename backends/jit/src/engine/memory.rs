//! The memory of arrays, for kernels that write to it.

use super::{Engine, Variable, misfit};
use crate::cache::Disk;
use crate::runtime::Elements;
use crate::runtime::cuda::DeviceArray;
use crate::schedule::Job;
use ivy_core::Result;
use std::sync::Arc;

impl Engine {
    /// Where object code is kept, if it is.
    pub(crate) fn disk(&self) -> Option<&Disk> {
        self.disk.as_ref()
    }

    /// Elements that are where the engine has its arrays, as a variable.
    pub(crate) fn place(self: &Arc<Self>, elements: Elements) -> Variable {
        let mut trace = self.trace();
        let id = trace.data(elements);
        self.log_node(&trace, id, false);
        trace.handle(self, id)
    }

    /// A copy of an array of the engine's device, in row-major order.
    ///
    /// # Errors
    /// No memory, or what a launch before ended with.
    pub(crate) fn copied(&self, array: DeviceArray) -> Result<DeviceArray> {
        let on_device = self.on_device.as_ref().ok_or_else(|| misfit("kernel"))?;
        self.run_on_device(on_device, &Job::copy(Elements::Device(array)))
    }
}
