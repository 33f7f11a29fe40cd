//! The memory of arrays, for kernels that write to it, and what runs these.

use super::{Engine, Variable, misfit};
use crate::cache::Disk;
use crate::ir;
use crate::lower::memory;
use crate::program::{Cpu, Cuda, Memory, MemoryLocation, Target};
use crate::runtime::Elements;
use crate::runtime::cuda::{self, DeviceArray};
use crate::schedule::Job;
use ivy_core::host::{Buffer, HostArray};
use ivy_core::{Dtype, ErrorKind, Result, Shape};
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

    /// Elements in row-major order from the beginning of their memory on: a copy where they are not.
    ///
    /// # Errors
    /// No memory, or what a launch before ended with.
    pub(crate) fn in_order(&self, elements: Elements) -> Result<Elements> {
        if elements.is_contiguous() && elements.offset() == 0 {
            return Ok(elements);
        }
        Ok(match elements {
            Elements::Host(array) => {
                let none = || ivy_core::Error::from(no_memory(array.dtype(), array.shape()));
                let ordered = ivy_kernels::to_contiguous(array.view())?;
                let bytes = ordered.view();
                let buffer = Buffer::copy_from(bytes.contiguous_bytes().unwrap_or(&[])).ok_or_else(none)?;
                let copied = HostArray::new(buffer, array.dtype(), array.shape().clone());
                Elements::Host(copied.ok_or_else(none)?)
            }
            Elements::Device(array) => Elements::Device(self.copied(array)?),
        })
    }

    /// What programs run on that the engine's arrays are for.
    pub(crate) fn target(&self) -> Arc<dyn Target> {
        match self.device() {
            Some(device) => Arc::new(Cuda(device.clone())),
            None => Arc::new(Cpu(self.generator())),
        }
    }
}

/// Elements as memory of a program: their own where nobody else has it or nobody writes to it, else a copy. Where there
/// is no room for that, the error with what there is.
pub(crate) fn memory_of(
    elements: Elements,
    written: bool,
) -> std::result::Result<Memory, (ivy_core::Error, Memory)> {
    let (dtype, length) = (elements.dtype(), elements.shape().size());
    // The parameter's dtype has a type.
    let ty = memory(dtype).map_or(ir::Type::U8, |(ty, _)| ty);
    let bytes = length * dtype.bytes();
    match elements {
        Elements::Host(array) => {
            let mut buffer = array.buffer().clone();
            drop(array);
            if written && buffer.unique_bytes().is_none() {
                match Buffer::copy_from(&buffer.bytes()[..bytes]) {
                    Some(copy) => buffer = copy,
                    None => {
                        let error = ErrorKind::no_memory("kernel", bytes as u128).into();
                        return Err((error, Memory::of_place(ty, length, MemoryLocation::Host(buffer))));
                    }
                }
            }
            Ok(Memory::of_place(ty, length, MemoryLocation::Host(buffer)))
        }
        Elements::Device(array) => {
            let shared = array.memory().clone();
            drop(array);
            let of = |memory| Memory::of_place(ty, length, MemoryLocation::Device(memory));
            // One handle is this one.
            if !written || Arc::strong_count(&shared) == 1 {
                return Ok(of(shared));
            }
            let copy = cuda::Memory::new(shared.device(), bytes)
                .and_then(|copy| shared.device().copy(&shared, &copy, bytes).map(|()| copy));
            match copy {
                Ok(copy) => Ok(of(Arc::new(copy))),
                Err(error) => Err((error.into(), of(shared))),
            }
        }
    }
}

/// Memory of a program as elements of an engine.
pub(crate) fn elements_of(memory: Memory, dtype: Dtype, shape: Shape) -> ivy_core::Result<Elements> {
    let none = || ivy_core::Error::from(no_memory(dtype, &shape));
    Ok(match memory.into_place() {
        MemoryLocation::Host(buffer) => {
            Elements::Host(HostArray::new(buffer, dtype, shape.clone()).ok_or_else(none)?)
        }
        MemoryLocation::Device(memory) => {
            let strides = ivy_core::host::contiguous_strides(&shape);
            let array = DeviceArray::from_parts(memory, dtype, shape.clone(), strides, 0);
            Elements::Device(array.ok_or_else(none)?)
        }
    })
}

/// All the memory that elements are in.
pub(crate) fn whole_memory(elements: Elements) -> Memory {
    let (ty, bytes) = (memory(elements.dtype()).map_or(ir::Type::U8, |(ty, _)| ty), elements.dtype().bytes());
    match elements {
        Elements::Host(array) => {
            let buffer = array.buffer().clone();
            Memory::of_place(ty, buffer.bytes().len() / bytes, MemoryLocation::Host(buffer))
        }
        Elements::Device(array) => {
            let memory = array.memory().clone();
            Memory::of_place(ty, memory.bytes() / bytes, MemoryLocation::Device(memory))
        }
    }
}

fn no_memory(dtype: Dtype, shape: &Shape) -> ErrorKind {
    ErrorKind::no_memory("kernel", shape.size() as u128 * dtype.bytes() as u128)
}
