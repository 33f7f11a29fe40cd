//! One device: its context, its stream, its memory, and kernels on it.

use super::api::{Code, Context, Event, Function, Module, Stream};
use super::driver::{Absent, CAPABILITY, Driver};
use super::failure::Failure;
use super::pool::{Memory, Pool};
use crate::codegen::ptx;
use ivy_core::host::Buffer;
use std::ffi::CString;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A device that is in use.
pub struct Device {
    driver: &'static Driver,
    /// The driver's number of it.
    handle: i32,
    context: Context,
    stream: Stream,
    pool: Mutex<Pool>,
    /// Which one it is, from 0.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// Its compute capability, major and minor.
    pub capability: (u32, u32),
    /// The bytes of its memory.
    pub memory: usize,
    /// Its multiprocessors.
    pub processors: u32,
    /// The bytes that the threads of a block may share.
    pub shared: u32,
}

/// The bytes that the threads of a block may share without asking.
pub(super) const SHARED_UNASKED: u32 = 48 << 10;

/// The driver's code for no memory.
const OUT_OF_MEMORY: i32 = 2;

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Device {
    /// Begins with a device.
    ///
    /// # Errors
    /// The driver's; [`Absent::Number`] for a number that no device has.
    pub fn open(driver: &'static Driver, number: usize) -> Result<Arc<Device>, Absent> {
        if number >= driver.devices {
            return Err(Absent::Number { number, devices: driver.devices });
        }
        let device =
            Device::begin(driver, number).map_err(|code| Absent::Failed(Failure::of(&driver.api, code)))?;
        if device.capability < CAPABILITY {
            return Err(Absent::Capability { capability: device.capability });
        }
        Ok(device)
    }

    fn begin(driver: &'static Driver, number: usize) -> Result<Arc<Device>, Code> {
        const PROCESSORS: i32 = 16;
        const SHARED: i32 = 97;
        const MAJOR: i32 = 75;
        const MINOR: i32 = 76;
        let api = &driver.api;
        let handle = api.device(number)?;
        let attribute = |which| api.attribute(handle, which);
        let (name, memory) = (api.name(handle)?, api.total_memory(handle)?);
        let capability = (attribute(MAJOR)?, attribute(MINOR)?);
        let processors = attribute(PROCESSORS)?.max(1);
        let shared = attribute(SHARED)?.max(SHARED_UNASKED);
        let context = api.retain(handle)?;
        let stream = api.enter(context).and_then(|()| api.stream()).inspect_err(|_| {
            let _ = api.release(handle);
        })?;
        Ok(Arc::new(Device {
            driver,
            handle,
            context,
            stream,
            pool: Mutex::default(),
            number,
            name,
            capability,
            memory,
            processors,
            shared,
        }))
    }

    /// The driver.
    pub fn driver(&self) -> &'static Driver {
        self.driver
    }

    /// Makes a call in the device's context.
    fn call<T>(&self, call: impl FnOnce() -> Result<T, Code>) -> Result<T, Failure> {
        let done = self.driver.api.enter(self.context).and_then(|()| call());
        done.map_err(|code| Failure::of(&self.driver.api, code))
    }

    /// The bytes that are free on it, as far as it tells.
    pub fn free_memory(&self) -> usize {
        self.call(|| self.driver.api.free_memory()).unwrap_or(0)
    }

    /// A block of a pool's size; `None` if there is no memory, even without what the pool keeps.
    pub(super) fn block(&self, class: usize) -> Result<Option<u64>, Failure> {
        if let Some(address) = lock(&self.pool).take(class) {
            return Ok(Some(address));
        }
        for again in [true, false] {
            match self.call(|| self.driver.api.allocate(class)) {
                Ok(address) => return Ok(Some(address)),
                Err(Failure::Call { code: OUT_OF_MEMORY, .. }) if again => self.trim()?,
                Err(Failure::Call { code: OUT_OF_MEMORY, .. }) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(None)
    }

    pub(super) fn give(&self, class: usize, address: u64) {
        lock(&self.pool).give(class, address);
    }

    /// Gives memory that the pool keeps back to the driver.
    ///
    /// # Errors
    /// What a launch before ended with.
    pub fn trim(&self) -> Result<(), Failure> {
        self.wait()?;
        let blocks = lock(&self.pool).drain();
        for address in blocks {
            self.call(|| self.driver.api.free(address))?;
        }
        Ok(())
    }

    /// Waits for all that was launched.
    ///
    /// # Errors
    /// What a launch before ended with.
    pub fn wait(&self) -> Result<(), Failure> {
        self.call(|| self.driver.api.wait(self.stream))
    }

    /// Copies bytes to the device.
    ///
    /// # Errors
    /// No memory, or what a launch before ended with.
    pub fn upload(self: &Arc<Self>, bytes: &[u8]) -> Result<Memory, Failure> {
        let memory = Memory::new(self, bytes.len())?;
        if !bytes.is_empty() {
            self.call(|| self.driver.api.upload(memory.address(), bytes, self.stream))?;
        }
        Ok(memory)
    }

    /// Copies bytes from the device, from a place in a block on; `None` if the host has no memory.
    ///
    /// # Errors
    /// What a launch before ended with.
    pub(super) fn download(
        &self,
        memory: &Memory,
        offset: usize,
        bytes: usize,
    ) -> Result<Option<Buffer>, Failure> {
        assert!(offset.checked_add(bytes).is_some_and(|end| end <= memory.bytes()), "within the block");
        self.call(|| self.driver.api.download(memory.address() + offset as u64, bytes, self.stream))
    }

    /// Copies bytes within the device, in order with what is launched: what a kernel's bandwidth is
    /// compared with.
    ///
    /// # Errors
    /// What a launch before ended with.
    pub fn copy(&self, from: &Memory, to: &Memory, bytes: usize) -> Result<(), Failure> {
        self.copy_from(from, 0, to, bytes)
    }

    /// Copies from a place in a block on.
    pub(super) fn copy_from(
        &self,
        from: &Memory,
        offset: usize,
        to: &Memory,
        bytes: usize,
    ) -> Result<(), Failure> {
        let within = offset.checked_add(bytes).is_some_and(|end| end <= from.bytes()) && bytes <= to.bytes();
        assert!(within, "within both blocks");
        self.call(|| self.driver.api.copy(from.address() + offset as u64, to.address(), bytes, self.stream))
    }

    /// Assembles a module.
    ///
    /// # Errors
    /// What the driver's assembler says.
    pub fn kernel(self: &Arc<Self>, text: &str) -> Result<Kernel, Failure> {
        let wrong = |log: &str| Failure::Assembly { log: log.into() };
        let (text, name) = (CString::new(text), CString::new(ptx::FUNCTION));
        let (Ok(text), Ok(name)) = (text, name) else { return Err(wrong("a text with a 0 in it")) };
        let api = &self.driver.api;
        self.call(|| Ok(()))?;
        let module = api.module(&text).map_err(|(code, log)| match log.as_str() {
            "" => Failure::of(api, code),
            log => wrong(log),
        })?;
        let function = self.call(|| api.function(module, &name)).inspect_err(|_| {
            let _ = self.call(|| api.unload(module));
        })?;
        Ok(Kernel { device: self.clone(), module, function })
    }

    /// The present moment, in the order of what is launched.
    ///
    /// # Errors
    /// What a launch before ended with.
    pub fn now(self: &Arc<Self>) -> Result<Moment, Failure> {
        let event = self.call(|| self.driver.api.record(self.stream))?;
        Ok(Moment { device: self.clone(), event })
    }

    pub(super) fn start(
        &self,
        kernel: &Kernel,
        blocks: u32,
        threads: (u32, u32),
        words: &[u64],
    ) -> Result<(), Failure> {
        self.start_sharing(kernel, blocks, (threads, 0), words)
    }

    /// Starts a kernel with so many bytes that a block's threads share besides those that the kernel has.
    pub(super) fn start_sharing(
        &self,
        kernel: &Kernel,
        blocks: u32,
        threads: ((u32, u32), u32),
        words: &[u64],
    ) -> Result<(), Failure> {
        let api = &self.driver.api;
        self.call(|| {
            if threads.1 > SHARED_UNASKED {
                api.allow(kernel.function, threads.1)?;
            }
            api.launch(kernel.function, blocks, threads, words, self.stream)
        })
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // All memory and all kernels hold the device: none are left. What fails now fails for
        // nobody.
        let api = &self.driver.api;
        let _ = self.call(|| api.wait(self.stream));
        for address in lock(&self.pool).drain() {
            let _ = self.call(|| api.free(address));
        }
        let _ = self.call(|| api.destroy_stream(self.stream));
        let _ = api.release(self.handle);
    }
}

/// A kernel on a device.
pub struct Kernel {
    device: Arc<Device>,
    module: Module,
    function: Function,
}

impl Kernel {
    /// The device.
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        let _ = self.device.call(|| self.device.driver.api.unload(self.module));
    }
}

/// A moment in the order of what is launched on a device.
pub struct Moment {
    device: Arc<Device>,
    event: Event,
}

impl Moment {
    /// The time on the device from another moment before.
    ///
    /// # Errors
    /// What a launch before ended with.
    pub fn since(&self, before: &Moment) -> Result<Duration, Failure> {
        let api = &self.device.driver.api;
        let time = self.device.call(|| api.elapsed(before.event, self.event))?;
        Ok(Duration::from_secs_f64(f64::from(time.max(0.0)) / 1e3))
    }
}

impl Drop for Moment {
    fn drop(&mut self) {
        let _ = self.device.call(|| self.device.driver.api.destroy_event(self.event));
    }
}
