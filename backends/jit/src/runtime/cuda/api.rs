//! The part of the CUDA driver's interface that is used, opened at run time: all the unsafe code of
//! this runtime.
//!
//! # Invariants
//!
//! - The library stays open for the life of the process; its functions have these types in every
//!   version from [`super::LEAST`] on.
//! - Handles (contexts, streams, modules, functions, events) are those that the driver gave, and
//!   are not used after they were destroyed; their owners see to it.
//! - A function that writes through a pointer gets one to a local variable of that type; host
//!   memory that is copied has the length that is said, and outlives the copy, since copies are
//!   waited for.
//! - A launch gets the argument that the kernel's text declares. What it reads and writes is the
//!   launch's promise ([`super::launch`]).

use ivy_core::host::{Buffer, UniqueBuffer};
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::path::Path;
use std::ptr::{null, null_mut};

type Ref = *mut c_void;

macro_rules! functions {
    ($($name:ident($($arg:ty),*);)*) => {
        #[allow(non_snake_case)]
        struct Functions { $($name: unsafe extern "C" fn($($arg),*) -> c_int,)* }

        impl Functions {
            /// # Safety
            /// The library is a CUDA driver.
            unsafe fn load(library: &Library) -> Result<Functions, libloading::Error> {
                Ok(Functions {
                    $($name: {
                        // SAFETY: the caller's promise.
                        unsafe { *library.get(concat!(stringify!($name), "\0").as_bytes())? }
                    },)*
                })
            }
        }
    };
}

functions! {
    cuInit(c_uint);
    cuDriverGetVersion(*mut c_int);
    cuDeviceGetCount(*mut c_int);
    cuDeviceGet(*mut c_int, c_int);
    cuDeviceGetName(*mut c_char, c_int, c_int);
    cuDeviceTotalMem_v2(*mut usize, c_int);
    cuDeviceGetAttribute(*mut c_int, c_int, c_int);
    cuDevicePrimaryCtxRetain(*mut Ref, c_int);
    cuDevicePrimaryCtxRelease_v2(c_int);
    cuCtxSetCurrent(Ref);
    cuMemGetInfo_v2(*mut usize, *mut usize);
    cuMemAlloc_v2(*mut u64, usize);
    cuMemFree_v2(u64);
    cuMemcpyHtoDAsync_v2(u64, *const c_void, usize, Ref);
    cuMemcpyDtoHAsync_v2(*mut c_void, u64, usize, Ref);
    cuMemcpyDtoDAsync_v2(u64, u64, usize, Ref);
    cuStreamCreate(*mut Ref, c_uint);
    cuStreamSynchronize(Ref);
    cuStreamDestroy_v2(Ref);
    cuEventCreate(*mut Ref, c_uint);
    cuEventRecord(Ref, Ref);
    cuEventSynchronize(Ref);
    cuEventElapsedTime(*mut f32, Ref, Ref);
    cuEventDestroy_v2(Ref);
    cuModuleLoadDataEx(*mut Ref, *const c_void, c_uint, *mut c_int, *mut Ref);
    cuModuleUnload(Ref);
    cuModuleGetFunction(*mut Ref, Ref, *const c_char);
    cuFuncSetAttribute(Ref, c_int, c_int);
    cuLaunchKernel(Ref, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Ref, *mut Ref, *mut Ref);
    cuGetErrorName(c_int, *mut *const c_char);
    cuGetErrorString(c_int, *mut *const c_char);
}

/// What a call of the driver's ended with, and the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Code {
    pub(super) call: &'static str,
    pub(super) code: i32,
}

/// Handles of the driver's, which any thread may use.
macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) struct $name(Ref);
        // SAFETY: the driver's handles belong to no thread, and it takes calls from all.
        unsafe impl Send for $name {}
        // SAFETY: likewise.
        unsafe impl Sync for $name {}
    )*};
}
handles! {
    /// What memory and kernels of a device belong to.
    Context
    /// Work in order.
    Stream
    /// A moment in a stream.
    Event
    /// Code on a device.
    Module
    /// A kernel of a module.
    Function
}

/// A driver.
pub(super) struct Api {
    functions: Functions,
    /// Kept open: the functions are its.
    _library: Library,
}

/// Calls a function of the driver's.
macro_rules! call {
    ($api:expr, $name:ident($($arg:expr),*)) => {{
        // SAFETY: the module's invariants.
        let code = unsafe { ($api.functions.$name)($($arg),*) };
        if code == 0 { Ok(()) } else { Err(Code { call: stringify!($name), code }) }
    }};
}

type Done<T> = Result<T, Code>;

impl Api {
    /// Opens a library; the message says why it cannot be used.
    pub(super) fn open(path: &Path) -> Result<Api, String> {
        // SAFETY: the library of this name is the CUDA driver, or what the user names in its place;
        // its initializers are the driver's own.
        let library = unsafe { Library::new(path) }.map_err(|e| e.to_string())?;
        // SAFETY: likewise.
        let functions = unsafe { Functions::load(&library) }.map_err(|e| e.to_string())?;
        Ok(Api { functions, _library: library })
    }

    /// The name and the description of a code.
    pub(super) fn describe(&self, code: i32) -> (String, String) {
        let text = |of: unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int| {
            let mut text: *const c_char = null();
            // SAFETY: the module's invariants; a text of the driver's is a constant.
            match unsafe { of(code, &mut text) } {
                0 if !text.is_null() => {
                    // SAFETY: likewise.
                    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
                }
                _ => format!("error {code}"),
            }
        };
        (text(self.functions.cuGetErrorName), text(self.functions.cuGetErrorString))
    }

    pub(super) fn init(&self) -> Done<()> {
        call!(self, cuInit(0))
    }

    /// Major and minor.
    pub(super) fn version(&self) -> Done<(u32, u32)> {
        let mut version = 0;
        call!(self, cuDriverGetVersion(&mut version))?;
        Ok((version as u32 / 1000, version as u32 % 1000 / 10))
    }

    pub(super) fn devices(&self) -> Done<usize> {
        let mut count = 0;
        call!(self, cuDeviceGetCount(&mut count))?;
        Ok(count.max(0) as usize)
    }

    pub(super) fn device(&self, number: usize) -> Done<i32> {
        let mut device = 0;
        call!(self, cuDeviceGet(&mut device, number as c_int))?;
        Ok(device)
    }

    pub(super) fn name(&self, device: i32) -> Done<String> {
        let mut name = [0u8; 256];
        call!(self, cuDeviceGetName(name.as_mut_ptr().cast(), 255, device))?;
        let text = CStr::from_bytes_until_nul(&name).map(|t| t.to_string_lossy().into_owned());
        Ok(text.unwrap_or_default())
    }

    pub(super) fn total_memory(&self, device: i32) -> Done<usize> {
        let mut bytes = 0;
        call!(self, cuDeviceTotalMem_v2(&mut bytes, device))?;
        Ok(bytes)
    }

    pub(super) fn attribute(&self, device: i32, attribute: i32) -> Done<u32> {
        let mut value = 0;
        call!(self, cuDeviceGetAttribute(&mut value, attribute, device))?;
        Ok(value.max(0) as u32)
    }

    pub(super) fn retain(&self, device: i32) -> Done<Context> {
        let mut context = null_mut();
        call!(self, cuDevicePrimaryCtxRetain(&mut context, device))?;
        Ok(Context(context))
    }

    pub(super) fn release(&self, device: i32) -> Done<()> {
        call!(self, cuDevicePrimaryCtxRelease_v2(device))
    }

    /// Makes a context the calling thread's.
    pub(super) fn enter(&self, context: Context) -> Done<()> {
        call!(self, cuCtxSetCurrent(context.0))
    }

    pub(super) fn free_memory(&self) -> Done<usize> {
        let (mut free, mut total) = (0, 0);
        call!(self, cuMemGetInfo_v2(&mut free, &mut total))?;
        Ok(free)
    }

    pub(super) fn allocate(&self, bytes: usize) -> Done<u64> {
        let mut address = 0;
        call!(self, cuMemAlloc_v2(&mut address, bytes))?;
        Ok(address)
    }

    pub(super) fn free(&self, address: u64) -> Done<()> {
        call!(self, cuMemFree_v2(address))
    }

    /// Copies to a device, and waits for it.
    pub(super) fn upload(&self, to: u64, from: &[u8], stream: Stream) -> Done<()> {
        call!(self, cuMemcpyHtoDAsync_v2(to, from.as_ptr().cast(), from.len(), stream.0))?;
        self.wait(stream)
    }

    /// Copies from a device, and waits for it; `None` if the host has no memory.
    pub(super) fn download(&self, from: u64, bytes: usize, stream: Stream) -> Done<Option<Buffer>> {
        let Some(mut buffer) = UniqueBuffer::allocate(bytes) else { return Ok(None) };
        let to: *mut c_void = buffer.as_uninit::<u8>().as_mut_ptr().cast();
        if bytes > 0 {
            call!(self, cuMemcpyDtoHAsync_v2(to, from, bytes, stream.0))?;
            self.wait(stream)?;
        }
        // SAFETY: every byte was copied, and the copy is done.
        Ok(Some(unsafe { buffer.assume_init() }))
    }

    /// Copies within a device.
    pub(super) fn copy(&self, from: u64, to: u64, bytes: usize, stream: Stream) -> Done<()> {
        call!(self, cuMemcpyDtoDAsync_v2(to, from, bytes, stream.0))
    }

    /// A stream that does not wait for the default one.
    pub(super) fn stream(&self) -> Done<Stream> {
        let mut stream = null_mut();
        call!(self, cuStreamCreate(&mut stream, 1))?;
        Ok(Stream(stream))
    }

    pub(super) fn wait(&self, stream: Stream) -> Done<()> {
        call!(self, cuStreamSynchronize(stream.0))
    }

    pub(super) fn destroy_stream(&self, stream: Stream) -> Done<()> {
        call!(self, cuStreamDestroy_v2(stream.0))
    }

    /// A moment, which is now in the order of a stream.
    pub(super) fn record(&self, stream: Stream) -> Done<Event> {
        let mut event = null_mut();
        call!(self, cuEventCreate(&mut event, 0))?;
        let event = Event(event);
        call!(self, cuEventRecord(event.0, stream.0)).inspect_err(|_| {
            let _ = self.destroy_event(event);
        })?;
        Ok(event)
    }

    pub(super) fn destroy_event(&self, event: Event) -> Done<()> {
        call!(self, cuEventDestroy_v2(event.0))
    }

    /// Milliseconds between two moments, after the second one.
    pub(super) fn elapsed(&self, from: Event, to: Event) -> Done<f32> {
        let mut time = 0.0;
        call!(self, cuEventSynchronize(to.0))?;
        call!(self, cuEventElapsedTime(&mut time, from.0, to.0))?;
        Ok(time)
    }

    /// Assembles a text; the second part of an error is what the assembler says.
    pub(super) fn module(&self, text: &CStr) -> Result<Module, (Code, String)> {
        let mut log = vec![0u8; 8192];
        // The buffer for errors, and its size, which goes in place of a pointer.
        let mut options = [5, 6];
        let mut values: [Ref; 2] = [log.as_mut_ptr().cast(), log.len() as Ref];
        let mut module = null_mut();
        let image = text.as_ptr().cast();
        let made =
            call!(self, cuModuleLoadDataEx(&mut module, image, 2, options.as_mut_ptr(), values.as_mut_ptr()));
        made.map(|()| Module(module)).map_err(|code| {
            let said = CStr::from_bytes_until_nul(&log).map(|t| t.to_string_lossy().trim().to_string());
            (code, said.unwrap_or_default())
        })
    }

    pub(super) fn unload(&self, module: Module) -> Done<()> {
        call!(self, cuModuleUnload(module.0))
    }

    pub(super) fn function(&self, module: Module, name: &CStr) -> Done<Function> {
        let mut function = null_mut();
        call!(self, cuModuleGetFunction(&mut function, module.0, name.as_ptr()))?;
        Ok(Function(function))
    }

    /// Lets launches of a function ask for so many bytes of shared memory.
    pub(super) fn allow(&self, function: Function, bytes: u32) -> Done<()> {
        const DYNAMIC_SHARED: c_int = 8;
        call!(self, cuFuncSetAttribute(function.0, DYNAMIC_SHARED, bytes as c_int))
    }

    /// Starts a kernel whose only argument is these words; they are copied. A block's threads share so many
    /// bytes besides those that the kernel has.
    pub(super) fn launch(
        &self,
        function: Function,
        blocks: u32,
        ((x, y), shared): ((u32, u32), u32),
        words: &[u64],
        stream: Stream,
    ) -> Done<()> {
        let mut arguments: [Ref; 1] = [words.as_ptr().cast_mut().cast()];
        let list = arguments.as_mut_ptr();
        call!(self, cuLaunchKernel(function.0, blocks, 1, 1, x, y, 1, shared, stream.0, list, null_mut()))
    }
}
