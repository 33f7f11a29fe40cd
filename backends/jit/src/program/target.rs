//! What a program runs on: memory, code, and launches.

use super::memory::{MemoryLocation, refused};
use super::{Argument, Bound, Memory, Scalar};
use crate::cache::{self, Disk, Generator};
use crate::codegen::{Ready, ptx};
use crate::ir::{Effects, Guarantees, Kernel, Type};
use crate::passes::{self, Choice};
use crate::runtime::cpu::Cells;
use crate::runtime::cuda::Device;
use crate::runtime::{cpu, cuda};
use ivy_core::Result;
use ivy_core::host::Buffer;
use std::ops::Range;
use std::sync::Arc;

/// What programs run on: the processor ([`Cpu`]), or a CUDA device ([`Cuda`]), be it a stand-in for one.
pub trait Target: Send + Sync {
    /// Memory of this target that holds the bytes of a buffer.
    ///
    /// # Errors
    /// No memory.
    fn allocate(&self, bytes: Buffer) -> Result<MemoryLocation>;

    /// True if memory is this target's.
    fn owns(&self, place: &MemoryLocation) -> bool;

    /// Code of a kernel that [`verify`](crate::ir::verify) accepts, after the passes that are chosen.
    ///
    /// # Errors
    /// What a device says of its code.
    fn compile(&self, kernel: Kernel, choice: Choice, disk: Option<&Disk>) -> Result<Box<dyn CompiledTask>>;

    /// Waits until all that was launched has ended.
    ///
    /// # Errors
    /// What a launch ended with.
    fn wait(&self) -> Result<()>;
}

/// Code of a kernel with effects on a target.
pub trait CompiledTask: Send + Sync {
    /// Runs the elements of a range, each once; a device may do so later, in the order of launches.
    ///
    /// # Errors
    /// [`InvalidArgument`](ivy_core::ErrorKind::InvalidArgument) for a range that has no whole blocks, or
    /// whose end memory does not hold; what a launch on a device ended with.
    fn launch(&self, launch: TaskLaunch<'_>) -> Result<()>;

    /// Why the kernel is interpreted that LLVM was to compile.
    fn fallback(&self) -> Option<&str> {
        None
    }
}

/// What a launch is given. Memories and scalars are those of the program, which has looked at them.
pub struct TaskLaunch<'l> {
    /// How the elements run.
    pub effects: Effects,
    /// The first element's number, and the one after the last's.
    pub range: [Bound; 2],
    /// What each parameter is.
    pub arguments: &'l [Argument],
    /// Which of the parameters' memories the kernel writes to.
    pub writes: &'l [bool],
    /// The program's memories.
    pub memories: &'l mut [Memory],
    /// Its scalars.
    pub scalars: &'l [Scalar],
    /// The log, if the kernel has one.
    pub log: Option<&'l mut Memory>,
    /// Whether elements in no order may run on several threads.
    pub threads: bool,
}

impl TaskLaunch<'_> {
    fn bound(&self, bound: Bound) -> Result<i64> {
        match bound {
            Bound::Fixed(number) => Ok(number),
            Bound::Scalar(n) => Ok(self.scalars[n].bits as i64),
            Bound::Memory { memory, element } => {
                self.memories[memory].integer(element).ok_or_else(|| no_end(memory, element))
            }
        }
    }
}

fn no_end(memory: usize, element: usize) -> ivy_core::Error {
    let rule = "memory of i32 or i64 has the element that says where a range ends";
    refused("range", format!("element {element} of memory {memory}"), rule)
}

fn elsewhere() -> ivy_core::Error {
    refused("memories", "on another target".into(), "memory is where a program runs")
}

/// The processor, by code of a generator.
#[derive(Clone, Copy)]
pub struct Cpu(pub Generator);

impl Target for Cpu {
    fn allocate(&self, bytes: Buffer) -> Result<MemoryLocation> {
        Ok(MemoryLocation::Host(bytes))
    }

    fn owns(&self, place: &MemoryLocation) -> bool {
        matches!(place, MemoryLocation::Host(_))
    }

    fn compile(&self, kernel: Kernel, choice: Choice, disk: Option<&Disk>) -> Result<Box<dyn CompiledTask>> {
        Ok(Box::new(cache::prepare(self.0, kernel, choice, disk)))
    }

    fn wait(&self) -> Result<()> {
        // A launch has ended when it returns.
        Ok(())
    }
}

impl CompiledTask for Ready {
    fn launch(&self, launch: TaskLaunch<'_>) -> Result<()> {
        let [start, end] = launch.range;
        let range = Range { start: launch.bound(start)?, end: launch.bound(end)? };
        let shared =
            || refused("memories", "shared".into(), "what a program writes to is its own while it runs");
        let mut given: Vec<Option<&mut Memory>> = launch.memories.iter_mut().map(Some).collect();
        let mut log = launch.log;
        let mut cells = Vec::with_capacity(launch.arguments.len());
        for (argument, &writes) in launch.arguments.iter().zip(launch.writes) {
            let memory = match *argument {
                Argument::Scalar(n) => {
                    cells.push(Cells::Value(launch.scalars[n].bits));
                    continue;
                }
                Argument::Element => {
                    cells.push(Cells::Numbers);
                    continue;
                }
                Argument::Memory(n) => given[n].take(),
                Argument::Log => log.take(),
            };
            let memory = memory.ok_or_else(shared)?;
            let (ty, bytes) = (memory.ty(), memory.len() * memory.ty().bytes());
            let MemoryLocation::Host(buffer) = memory.place_mut() else { return Err(elsewhere()) };
            cells.push(match writes {
                true => Cells::Memory(ty, &mut buffer.unique_bytes().ok_or_else(shared)?[..bytes]),
                false => Cells::Constant(ty, &buffer.bytes()[..bytes]),
            });
        }
        // What is interpreted reads and writes as Rust does, which lets threads race for nothing.
        let threads = launch.threads && self.is_machine;
        cpu::task(self, launch.effects, &mut cells, range, threads)
    }

    fn fallback(&self) -> Option<&str> {
        self.fallback.as_deref()
    }
}

/// A CUDA device.
#[derive(Clone)]
pub struct Cuda(pub Arc<Device>);

impl Target for Cuda {
    fn allocate(&self, bytes: Buffer) -> Result<MemoryLocation> {
        Ok(MemoryLocation::Device(Arc::new(self.0.upload(bytes.bytes())?)))
    }

    fn owns(&self, place: &MemoryLocation) -> bool {
        matches!(place, MemoryLocation::Device(memory) if Arc::ptr_eq(&self.0, memory.device()))
    }

    fn compile(&self, mut kernel: Kernel, choice: Choice, _: Option<&Disk>) -> Result<Box<dyn CompiledTask>> {
        passes::run(&mut kernel, passes::pipeline(choice));
        cache::number(&kernel);
        let code = self.0.kernel(&ptx::effects::module(&kernel))?;
        Ok(Box::new(DeviceTask { code, guarantees: kernel.guarantees }))
    }

    fn wait(&self) -> Result<()> {
        Ok(self.0.wait()?)
    }
}

/// Code of a device.
struct DeviceTask {
    code: cuda::Kernel,
    guarantees: Guarantees,
}

impl CompiledTask for DeviceTask {
    fn launch(&self, launch: TaskLaunch<'_>) -> Result<()> {
        let address = |memory: &Memory| match memory.place() {
            MemoryLocation::Device(block) => Ok(block.address()),
            MemoryLocation::Host(_) => Err(elsewhere()),
        };
        let begin = launch.bound(launch.range[0])?;
        let (end, end_at, is_wide) = match launch.range[1] {
            Bound::Memory { memory, element } => {
                let from = &launch.memories[memory];
                if element >= from.len() || !matches!(from.ty(), Type::I32 | Type::I64) {
                    return Err(no_end(memory, element));
                }
                let at = address(from)? + (element * from.ty().bytes()) as u64;
                (begin, at, u64::from(from.ty() == Type::I64))
            }
            bound => (launch.bound(bound)?, 0, 0),
        };
        let count = end.checked_sub(begin).and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
        if !count.is_multiple_of(u64::from(launch.effects.block)) {
            return Err(refused("range", format!("{begin}..{end}"), "a range has whole blocks"));
        }
        let length = |n: usize| match launch.arguments.get(n) {
            Some(&Argument::Memory(n)) => launch.memories[n].len() as u64,
            Some(Argument::Log) => launch.log.as_deref().map_or(0, |log| log.len() as u64),
            _ => 0,
        };
        self.guarantees.check((end_at == 0).then_some(&(begin..end)), length)?;
        let mut words = vec![begin as u64, end as u64, end_at, is_wide];
        for argument in launch.arguments {
            match *argument {
                Argument::Scalar(n) => words.push(launch.scalars[n].bits),
                Argument::Element => words.push(0),
                Argument::Memory(n) => {
                    let memory = &launch.memories[n];
                    words.extend([address(memory)?, memory.len() as u64]);
                }
                Argument::Log => {
                    let log = launch.log.as_deref().ok_or_else(elsewhere)?;
                    words.extend([address(log)?, log.len() as u64]);
                }
            }
        }
        if count > 0 || end_at != 0 {
            cuda::task(&self.code, launch.effects, (end_at == 0).then_some(count), &words)?;
        }
        Ok(())
    }
}
