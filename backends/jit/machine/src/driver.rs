//! The functions of `libcuda.so.1` that the engine calls, with the driver's own names and types.
//!
//! A launch that goes wrong is told as a driver tells it: by the next call that waits for it, and by
//! all others from then on. What it was is printed.
//!
//! # Invariant
//! Callers follow the driver's interface: pointers are null or lead to what it says, and handles
//! are those that it gave. Handles are numbers here; none is looked into.
#![allow(non_snake_case, clippy::missing_safety_doc)]

use crate::memory::Memory;
use crate::parse::{Function, parse};
use crate::run::{Grid, launch};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

type Handle = *mut c_void;

const SUCCESS: c_int = 0;
const INVALID_VALUE: c_int = 1;
const OUT_OF_MEMORY: c_int = 2;
const NO_DEVICE: c_int = 100;
const INVALID_DEVICE: c_int = 101;
const INVALID_CONTEXT: c_int = 201;
const INVALID_PTX: c_int = 218;
const INVALID_HANDLE: c_int = 400;
const NOT_FOUND: c_int = 500;
const ILLEGAL_ADDRESS: c_int = 700;

/// What a test may set.
#[derive(Clone, Copy)]
struct Settings {
    version: c_int,
    devices: c_int,
    /// What the next launch ends with, if not 0.
    fails: c_int,
}

struct State {
    settings: Settings,
    memory: Memory,
    next: usize,
    modules: BTreeMap<usize, Vec<Function>>,
    functions: BTreeMap<usize, Function>,
    /// The bytes of shared memory that a launch of a function may ask for, where that was set.
    allowed: BTreeMap<usize, c_uint>,
    events: BTreeMap<usize, Option<Instant>>,
    streams: Vec<usize>,
    /// What a launch ended with.
    fault: c_int,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

/// Bytes of shared memory that a block may have, without and with asking.
const USUAL: c_uint = 48 << 10;
const MOST: c_uint = 227 << 10;

/// The handle of the only context.
const CONTEXT: usize = 16;

thread_local! {
    static CURRENT: Cell<usize> = const { Cell::new(0) };
}

struct Held(MutexGuard<'static, Option<State>>);

impl Held {
    fn state(&mut self) -> &mut State {
        self.0.get_or_insert_with(|| State {
            settings: Settings { version: 12_040, devices: 1, fails: 0 },
            memory: Memory::new(1 << 30),
            next: 4096,
            modules: BTreeMap::new(),
            functions: BTreeMap::new(),
            allowed: BTreeMap::new(),
            events: BTreeMap::new(),
            streams: Vec::new(),
            fault: SUCCESS,
        })
    }
}

fn hold() -> Held {
    Held(STATE.lock().unwrap_or_else(PoisonError::into_inner))
}

impl State {
    fn handle(&mut self) -> usize {
        self.next += 16;
        self.next
    }
}

/// Runs a call that needs the context, and tells what went wrong before.
fn within(call: impl FnOnce(&mut State) -> c_int) -> c_int {
    if CURRENT.get() != CONTEXT {
        return INVALID_CONTEXT;
    }
    let mut held = hold();
    let state = held.state();
    if state.fault != SUCCESS { state.fault } else { call(state) }
}

/// Writes a result.
///
/// # Safety
/// The pointer is null, or writable.
unsafe fn give<T>(to: *mut T, value: T) -> c_int {
    if to.is_null() {
        return INVALID_VALUE;
    }
    // SAFETY: the caller's promise.
    unsafe { to.write(value) };
    SUCCESS
}

/// Sets what the driver is like: its version, its devices, the bytes of memory, and the code that
/// the next launch ends with, if not 0. Not a function of a driver's.
#[unsafe(no_mangle)]
pub extern "C" fn ivyMachineSet(version: c_int, devices: c_int, memory: u64, fails: c_int) {
    let mut held = hold();
    let state = held.state();
    state.settings = Settings { version, devices, fails };
    state.memory.capacity = memory;
    state.fault = SUCCESS;
}

/// The bytes that are allocated. Not a function of a driver's.
#[unsafe(no_mangle)]
pub extern "C" fn ivyMachineUsed() -> u64 {
    hold().state().memory.used()
}

#[unsafe(no_mangle)]
pub extern "C" fn cuInit(_: c_uint) -> c_int {
    if hold().state().settings.devices == 0 { NO_DEVICE } else { SUCCESS }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDriverGetVersion(version: *mut c_int) -> c_int {
    // SAFETY: the module's invariant, as in all that follow.
    unsafe { give(version, hold().state().settings.version) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(count: *mut c_int) -> c_int {
    // SAFETY: likewise.
    unsafe { give(count, hold().state().settings.devices) }
}

fn is_device(device: c_int) -> bool {
    (0..hold().state().settings.devices).contains(&device)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGet(device: *mut c_int, number: c_int) -> c_int {
    if !is_device(number) {
        return INVALID_DEVICE;
    }
    // SAFETY: likewise.
    unsafe { give(device, number) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetName(name: *mut c_char, length: c_int, device: c_int) -> c_int {
    let text = b"PTX machine\0";
    if !is_device(device) || (length as usize) < text.len() || name.is_null() {
        return INVALID_VALUE;
    }
    // SAFETY: likewise; there is room for it.
    unsafe { name.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), text.len()) };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceTotalMem_v2(bytes: *mut usize, _: c_int) -> c_int {
    // SAFETY: likewise.
    unsafe { give(bytes, hold().state().memory.capacity as usize) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, _: c_int) -> c_int {
    let known = match attribute {
        // Multiprocessors, threads of one, the compute capability's two numbers, and the shared memory
        // that a block may have.
        16 => 2,
        39 => 2048,
        97 => MOST as c_int,
        75 => 9,
        76 => 0,
        _ => return INVALID_VALUE,
    };
    // SAFETY: likewise.
    unsafe { give(value, known) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRetain(context: *mut Handle, device: c_int) -> c_int {
    if !is_device(device) {
        return INVALID_DEVICE;
    }
    // SAFETY: likewise.
    unsafe { give(context, CONTEXT as Handle) }
}

#[unsafe(no_mangle)]
pub extern "C" fn cuDevicePrimaryCtxRelease_v2(_: c_int) -> c_int {
    SUCCESS
}

#[unsafe(no_mangle)]
pub extern "C" fn cuCtxSetCurrent(context: Handle) -> c_int {
    CURRENT.set(context as usize);
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) -> c_int {
    within(|state| {
        let (left, all) = (state.memory.free() as usize, state.memory.capacity as usize);
        // SAFETY: likewise.
        unsafe { give(free, left).max(give(total, all)) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAlloc_v2(address: *mut u64, bytes: usize) -> c_int {
    within(|state| match (bytes, state.memory.allocate(bytes as u64)) {
        (0, _) => INVALID_VALUE,
        (_, None) => OUT_OF_MEMORY,
        // SAFETY: likewise.
        (_, Some(found)) => unsafe { give(address, found) },
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuMemFree_v2(address: u64) -> c_int {
    within(|state| if state.memory.release(address) { SUCCESS } else { INVALID_VALUE })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoDAsync_v2(
    to: u64,
    from: *const c_void,
    bytes: usize,
    _: Handle,
) -> c_int {
    within(|state| match state.memory.bytes(to, bytes) {
        Ok(block) => {
            // SAFETY: likewise: `bytes` bytes of the host's.
            block.copy_from_slice(unsafe { std::slice::from_raw_parts(from.cast(), bytes) });
            SUCCESS
        }
        Err(_) => INVALID_VALUE,
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: u64, bytes: usize, _: Handle) -> c_int {
    within(|state| match state.memory.bytes(from, bytes) {
        Ok(block) => {
            // SAFETY: likewise.
            unsafe { to.cast::<u8>().copy_from_nonoverlapping(block.as_ptr(), bytes) };
            SUCCESS
        }
        Err(_) => INVALID_VALUE,
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, _: Handle) -> c_int {
    within(|state| {
        let copied = state.memory.bytes(from, bytes).map(|block| block.to_vec());
        let done = copied.and_then(|c| state.memory.bytes(to, bytes).map(|block| block.copy_from_slice(&c)));
        if done.is_ok() { SUCCESS } else { INVALID_VALUE }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamCreate(stream: *mut Handle, _: c_uint) -> c_int {
    within(|state| {
        let handle = state.handle();
        state.streams.push(handle);
        // SAFETY: likewise.
        unsafe { give(stream, handle as Handle) }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuStreamSynchronize(stream: Handle) -> c_int {
    within(|state| if state.streams.contains(&(stream as usize)) { SUCCESS } else { INVALID_HANDLE })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuStreamDestroy_v2(stream: Handle) -> c_int {
    within(|state| {
        state.streams.retain(|&s| s != stream as usize);
        SUCCESS
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventCreate(event: *mut Handle, _: c_uint) -> c_int {
    within(|state| {
        let handle = state.handle();
        state.events.insert(handle, None);
        // SAFETY: likewise.
        unsafe { give(event, handle as Handle) }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuEventRecord(event: Handle, _: Handle) -> c_int {
    within(|state| match state.events.get_mut(&(event as usize)) {
        Some(time) => {
            *time = Some(Instant::now());
            SUCCESS
        }
        None => INVALID_HANDLE,
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuEventSynchronize(event: Handle) -> c_int {
    within(|state| if state.events.contains_key(&(event as usize)) { SUCCESS } else { INVALID_HANDLE })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventElapsedTime(milliseconds: *mut f32, from: Handle, to: Handle) -> c_int {
    within(|state| {
        let time = |event: Handle| state.events.get(&(event as usize)).copied().flatten();
        match (time(from), time(to)) {
            // SAFETY: likewise.
            (Some(from), Some(to)) => unsafe {
                give(milliseconds, to.saturating_duration_since(from).as_secs_f32() * 1e3)
            },
            _ => INVALID_HANDLE,
        }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuEventDestroy_v2(event: Handle) -> c_int {
    within(|state| if state.events.remove(&(event as usize)).is_some() { SUCCESS } else { INVALID_HANDLE })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoadDataEx(
    module: *mut Handle,
    image: *const c_void,
    count: c_uint,
    options: *mut c_int,
    values: *mut *mut c_void,
) -> c_int {
    // SAFETY: likewise: a text that ends with 0, and as many options as said, of which 5 is the
    // buffer for errors and 6 its size.
    let (text, given) = unsafe {
        let given: Vec<(c_int, Handle)> =
            (0..count as usize).map(|i| (*options.add(i), *values.add(i))).collect();
        (CStr::from_ptr(image.cast()), given)
    };
    let option = |number| given.iter().find(|(o, _)| *o == number).map(|o| o.1);
    within(|state| match parse(&text.to_string_lossy()) {
        Ok(functions) => {
            let handle = state.handle();
            state.modules.insert(handle, functions);
            // SAFETY: likewise.
            unsafe { give(module, handle as Handle) }
        }
        Err(fault) => {
            if let (Some(buffer), Some(size)) = (option(5), option(6))
                && size as usize > 0
            {
                let length = fault.0.len().min(size as usize - 1);
                // SAFETY: likewise: the buffer has that size.
                unsafe {
                    buffer.cast::<u8>().copy_from_nonoverlapping(fault.0.as_ptr(), length);
                    buffer.cast::<u8>().add(length).write(0);
                }
            }
            INVALID_PTX
        }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuModuleUnload(module: Handle) -> c_int {
    within(|state| if state.modules.remove(&(module as usize)).is_some() { SUCCESS } else { INVALID_HANDLE })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleGetFunction(
    function: *mut Handle,
    module: Handle,
    name: *const c_char,
) -> c_int {
    // SAFETY: likewise.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
    within(|state| {
        let Some(functions) = state.modules.get(&(module as usize)) else { return INVALID_HANDLE };
        let Some(found) = functions.iter().find(|f| f.name == name).cloned() else { return NOT_FOUND };
        let handle = state.handle();
        state.functions.insert(handle, found);
        // SAFETY: likewise.
        unsafe { give(function, handle as Handle) }
    })
}

/// Attribute 8 is the shared memory that a launch may ask for.
#[unsafe(no_mangle)]
pub extern "C" fn cuFuncSetAttribute(function: Handle, attribute: c_int, value: c_int) -> c_int {
    within(|state| match u32::try_from(value) {
        _ if !state.functions.contains_key(&(function as usize)) => INVALID_HANDLE,
        Ok(bytes @ 0..=MOST) if attribute == 8 => {
            state.allowed.insert(function as usize, bytes);
            SUCCESS
        }
        _ => INVALID_VALUE,
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchKernel(
    function: Handle,
    blocks_x: c_uint,
    blocks_y: c_uint,
    blocks_z: c_uint,
    threads_x: c_uint,
    threads_y: c_uint,
    threads_z: c_uint,
    shared: c_uint,
    stream: Handle,
    parameters: *mut *mut c_void,
    _: *mut *mut c_void,
) -> c_int {
    within(|state| {
        let most = state.allowed.get(&(function as usize)).copied().unwrap_or(USUAL);
        let Some(function) = state.functions.get(&(function as usize)) else { return INVALID_HANDLE };
        if shared > most {
            return INVALID_VALUE;
        }
        if !state.streams.contains(&(stream as usize)) {
            return INVALID_HANDLE;
        }
        // SAFETY: likewise: the address of the only parameter, which has the function's size.
        let argument = unsafe { std::slice::from_raw_parts((*parameters).cast::<u8>(), function.argument) };
        let grid = Grid {
            blocks: [blocks_x, blocks_y, blocks_z],
            threads: [threads_x, threads_y, threads_z],
            shared: shared as usize,
        };
        let fails = std::mem::take(&mut state.settings.fails);
        if fails != 0 {
            state.fault = fails;
        } else if let Err(fault) = launch(function, grid, argument, &mut state.memory) {
            eprintln!("PTX machine: {}: {}", function.name, fault.0);
            state.fault = ILLEGAL_ADDRESS;
        }
        SUCCESS
    })
}

fn described(code: c_int) -> (&'static CStr, &'static CStr) {
    match code {
        SUCCESS => (c"CUDA_SUCCESS", c"no error"),
        INVALID_VALUE => (c"CUDA_ERROR_INVALID_VALUE", c"invalid argument"),
        OUT_OF_MEMORY => (c"CUDA_ERROR_OUT_OF_MEMORY", c"out of memory"),
        NO_DEVICE => (c"CUDA_ERROR_NO_DEVICE", c"no CUDA-capable device is detected"),
        INVALID_DEVICE => (c"CUDA_ERROR_INVALID_DEVICE", c"invalid device ordinal"),
        INVALID_CONTEXT => (c"CUDA_ERROR_INVALID_CONTEXT", c"invalid device context"),
        INVALID_PTX => (c"CUDA_ERROR_INVALID_PTX", c"a PTX JIT compilation failed"),
        INVALID_HANDLE => (c"CUDA_ERROR_INVALID_HANDLE", c"invalid resource handle"),
        NOT_FOUND => (c"CUDA_ERROR_NOT_FOUND", c"named symbol not found"),
        ILLEGAL_ADDRESS => (c"CUDA_ERROR_ILLEGAL_ADDRESS", c"an illegal memory access was encountered"),
        _ => (c"CUDA_ERROR_LAUNCH_FAILED", c"unspecified launch failure"),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorName(code: c_int, text: *mut *const c_char) -> c_int {
    // SAFETY: likewise.
    unsafe { give(text, described(code).0.as_ptr()) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorString(code: c_int, text: *mut *const c_char) -> c_int {
    // SAFETY: likewise.
    unsafe { give(text, described(code).1.as_ptr()) }
}
