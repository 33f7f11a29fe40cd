//! The part of LLVM's C interface that is used, opened at run time: all the unsafe code of this
//! generator.
//!
//! # Invariants
//!
//! - The library stays open for the life of the process; so do one target machine and one JIT,
//!   which only the holder of the lock `state` uses.
//! - An object that LLVM takes over (a memory buffer that is parsed or linked, a search
//!   generator that is added, an error whose message is taken) is not used again; all others are
//!   disposed of by their owner here, once.
//! - The text that is compiled is a closed set of operations that LLVM 19 to 22 can lower: no
//!   other text may get here, since LLVM ends the process over what it cannot select.
//! - Machine code runs only while its [`Compiled`] lives, which keeps its memory.

use super::{Effort, Roots, VERSIONS};
use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::path::{Path, PathBuf};
use std::ptr::null_mut;
use std::sync::{Mutex, Once, PoisonError};

type Ref = *mut c_void;

macro_rules! functions {
    ($($name:ident($($arg:ty),*) $(-> $ret:ty)?;)*) => {
        #[allow(non_snake_case)]
        struct Api { $($name: unsafe extern "C" fn($($arg),*) $(-> $ret)?,)* }

        impl Api {
            /// # Safety
            /// The library is an LLVM, whose functions have these types in all versions in use.
            unsafe fn load(library: &Library) -> Result<Api, libloading::Error> {
                Ok(Api {
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
    LLVMGetVersion(*mut c_uint, *mut c_uint, *mut c_uint);
    LLVMContextCreate() -> Ref;
    LLVMContextDispose(Ref);
    LLVMContextSetDiagnosticHandler(Ref, extern "C" fn(Ref, Ref), Ref);
    LLVMGetDiagInfoSeverity(Ref) -> c_int;
    LLVMGetDiagInfoDescription(Ref) -> *mut c_char;
    LLVMCreateMemoryBufferWithMemoryRangeCopy(*const c_char, usize, *const c_char) -> Ref;
    LLVMDisposeMemoryBuffer(Ref);
    LLVMGetBufferStart(Ref) -> *const c_char;
    LLVMGetBufferSize(Ref) -> usize;
    LLVMParseIRInContext(Ref, Ref, *mut Ref, *mut *mut c_char) -> c_int;
    LLVMVerifyModule(Ref, c_int, *mut *mut c_char) -> c_int;
    LLVMDisposeModule(Ref);
    LLVMDisposeMessage(*mut c_char);
    LLVMSetTarget(Ref, *const c_char);
    LLVMSetModuleDataLayout(Ref, Ref);
    LLVMGetDefaultTargetTriple() -> *mut c_char;
    LLVMGetTargetFromTriple(*const c_char, *mut Ref, *mut *mut c_char) -> c_int;
    LLVMGetHostCPUName() -> *mut c_char;
    LLVMGetHostCPUFeatures() -> *mut c_char;
    LLVMCreateTargetMachine(Ref, *const c_char, *const c_char, *const c_char, c_int, c_int, c_int) -> Ref;
    LLVMCreateTargetDataLayout(Ref) -> Ref;
    LLVMTargetMachineEmitToMemoryBuffer(Ref, Ref, c_int, *mut *mut c_char, *mut Ref) -> c_int;
    LLVMCreatePassBuilderOptions() -> Ref;
    LLVMDisposePassBuilderOptions(Ref);
    LLVMRunPasses(Ref, *const c_char, Ref, Ref) -> Ref;
    LLVMGetErrorMessage(Ref) -> *mut c_char;
    LLVMDisposeErrorMessage(*mut c_char);
    LLVMOrcCreateLLJIT(*mut Ref, Ref) -> Ref;
    LLVMOrcLLJITGetMainJITDylib(Ref) -> Ref;
    LLVMOrcLLJITGetExecutionSession(Ref) -> Ref;
    LLVMOrcLLJITGetGlobalPrefix(Ref) -> c_char;
    LLVMOrcExecutionSessionSetErrorReporter(Ref, extern "C" fn(Ref, Ref), Ref);
    LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(*mut Ref, c_char, Ref, Ref) -> Ref;
    LLVMOrcJITDylibAddGenerator(Ref, Ref);
    LLVMOrcJITDylibCreateResourceTracker(Ref) -> Ref;
    LLVMOrcResourceTrackerRemove(Ref) -> Ref;
    LLVMOrcReleaseResourceTracker(Ref);
    LLVMOrcLLJITAddObjectFileWithRT(Ref, Ref, Ref) -> Ref;
    LLVMOrcLLJITLookup(Ref, *mut u64, *const c_char) -> Ref;
}

/// An open LLVM with a target machine for this processor and a JIT.
pub struct Llvm {
    api: Api,
    /// The file.
    pub path: PathBuf,
    /// Major, minor and patch version.
    pub version: (u32, u32, u32),
    /// The processor's name, as LLVM calls it.
    pub cpu: String,
    /// What the processor has, in LLVM's form.
    pub features: String,
    /// Whether the processor converts float16: else LLVM would call functions that are not there.
    pub halves: bool,
    /// Whether the processor leaves lanes out by masks of its own.
    pub masks: bool,
    /// How square roots are multiplied, where the processor estimates them, and multiplies and adds at once.
    pub roots: Option<Roots>,
    state: Mutex<State>,
    used: Once,
}

struct State {
    triple: CString,
    machine: Ref,
    /// The same with as little work for LLVM as there is.
    quick: Ref,
    layout: Ref,
    jit: Ref,
    dylib: Ref,
}

// SAFETY: LLVM's objects may be used from any thread, one at a time: they are behind a lock.
unsafe impl Send for State {}

/// Machine code of one kernel. It keeps its memory until it is dropped.
pub struct Compiled {
    llvm: &'static Llvm,
    tracker: Ref,
    function: unsafe extern "C" fn(*const c_void, i64, i64, i64),
}

// SAFETY: the tracker is used by `drop` only, under the lock; the code has no state.
unsafe impl Send for Compiled {}
// SAFETY: as above.
unsafe impl Sync for Compiled {}

#[cfg(target_arch = "x86_64")]
const INITIALIZERS: [&CStr; 4] = [
    c"LLVMInitializeX86TargetInfo",
    c"LLVMInitializeX86Target",
    c"LLVMInitializeX86TargetMC",
    c"LLVMInitializeX86AsmPrinter",
];
#[cfg(target_arch = "aarch64")]
const INITIALIZERS: [&CStr; 4] = [
    c"LLVMInitializeAArch64TargetInfo",
    c"LLVMInitializeAArch64Target",
    c"LLVMInitializeAArch64TargetMC",
    c"LLVMInitializeAArch64AsmPrinter",
];
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const INITIALIZERS: [&CStr; 0] = [];

/// Errors of the session (a symbol that is missing) come back from the call as well: dropped here.
extern "C" fn report(api: Ref, error: Ref) {
    // SAFETY: the pointer given with this function is that of an `Api` that lives for ever.
    drop(unsafe { &*api.cast::<Api>() }.message_of(error));
}

/// What LLVM says about a module.
struct Diagnostics<'a> {
    api: &'a Api,
    errors: Vec<String>,
}

extern "C" fn diagnose(info: Ref, to: Ref) {
    // SAFETY: the pointer given with this function is that of the `Diagnostics` of the compilation,
    // which outlives the context; nothing else refers to it while LLVM runs.
    let to = unsafe { &mut *to.cast::<Diagnostics<'_>>() };
    // SAFETY: `info` is LLVM's, for the time of this call.
    let (severity, text) =
        unsafe { ((to.api.LLVMGetDiagInfoSeverity)(info), (to.api.LLVMGetDiagInfoDescription)(info)) };
    let text = to.api.take(text);
    // 0 is an error; warnings and remarks are of no interest.
    if severity == 0 {
        to.errors.push(text);
    }
}

impl Api {
    /// A message of LLVM's as a string; the message is gone then.
    fn take(&self, message: *mut c_char) -> String {
        if message.is_null() {
            return String::new();
        }
        // SAFETY: LLVM's messages are C strings that the caller disposes of.
        unsafe {
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            (self.LLVMDisposeMessage)(message);
            text
        }
    }

    /// An error's message, or `None` for success; the error is gone then.
    fn message_of(&self, error: Ref) -> Option<String> {
        if error.is_null() {
            return None;
        }
        // SAFETY: taking the message of an error consumes it; the message is then ours.
        unsafe {
            let message = (self.LLVMGetErrorMessage)(error);
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            (self.LLVMDisposeErrorMessage)(message);
            Some(text)
        }
    }

    fn checked(&self, error: Ref) -> Result<(), String> {
        self.message_of(error).map_or(Ok(()), Err)
    }
}

/// Why a version is not used.
fn refusal(version: &str) -> String {
    format!("LLVM {version}, and {} to {} are supported", VERSIONS.start(), VERSIONS.end())
}

impl Llvm {
    /// Opens a library of one of these versions, for the rest of the process.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn open(path: &Path, versions: std::ops::RangeInclusive<u32>) -> Result<&'static Llvm, String> {
        if INITIALIZERS.is_empty() {
            return Err(format!("no code generator for {}", std::env::consts::ARCH));
        }
        // SAFETY: a libLLVM's initializers do nothing but register its own parts.
        let library = unsafe { Library::new(path) }.map_err(|e| e.to_string())?;
        // Never closed: machine code, threads and exit handlers of LLVM's may refer to it.
        let library: &'static Library = Box::leak(Box::new(library));
        // SAFETY: the file is a libLLVM, by its name or by the user's word; what is missing is an error.
        let api = unsafe { Api::load(library) }.map_err(|missing| {
            // SAFETY: the type is of no matter to what is not called.
            let has = |name: &[u8]| unsafe { library.get::<unsafe extern "C" fn()>(name) }.is_ok();
            match has(b"LLVMContextCreate\0") && !has(b"LLVMGetVersion\0") {
                true => refusal("15 or older"),
                false => missing.to_string(),
            }
        })?;
        let mut version = (0, 0, 0);
        // SAFETY: three places to write to.
        unsafe { (api.LLVMGetVersion)(&mut version.0, &mut version.1, &mut version.2) };
        if !versions.contains(&version.0) {
            return Err(refusal(&version.0.to_string()));
        }
        for name in INITIALIZERS {
            // SAFETY: the initializers of LLVM's targets take and give nothing.
            unsafe {
                let initialize = library.get::<unsafe extern "C" fn()>(name.to_bytes_with_nul());
                initialize.map_err(|e| e.to_string())?();
            }
        }
        let cpu = {
            // SAFETY: gives a new message.
            api.take(unsafe { (api.LLVMGetHostCPUName)() })
        };
        let features = {
            // SAFETY: likewise.
            api.take(unsafe { (api.LLVMGetHostCPUFeatures)() })
        };
        let has = |wanted: &str| features.split(',').any(|feature| feature == wanted);
        let llvm = Box::leak(Box::new(Llvm {
            api,
            path: path.to_path_buf(),
            version,
            cpu,
            halves: cfg!(target_arch = "aarch64") || has("+f16c"),
            masks: has("+avx512vl"),
            roots: (has("+avx2") && has("+fma")).then(|| Roots {
                wide: if has("+avx512vl") { 16 } else { 8 },
                steps: super::estimates::steps(),
            }),
            features,
            state: Mutex::new(State {
                triple: CString::default(),
                machine: null_mut(),
                quick: null_mut(),
                layout: null_mut(),
                jit: null_mut(),
                dylib: null_mut(),
            }),
            used: Once::new(),
        }));
        llvm.prepare()?;
        Ok(llvm)
    }

    /// Does something once.
    pub fn first_use(&self, f: impl FnOnce()) {
        self.used.call_once(f);
    }

    /// Makes the target machine and the JIT.
    fn prepare(&'static self) -> Result<(), String> {
        let api = &self.api;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let text = |s: String| CString::new(s).map_err(|e| e.to_string());
        // SAFETY: C strings and places to write to, all alive during the calls; errors are
        // checked before what they belong to is used.
        unsafe {
            state.triple = text(api.take((api.LLVMGetDefaultTargetTriple)()))?;
            let (mut target, mut message) = (null_mut(), null_mut());
            if (api.LLVMGetTargetFromTriple)(state.triple.as_ptr(), &mut target, &mut message) != 0 {
                return Err(api.take(message));
            }
            let cpu = text(self.cpu.clone())?;
            let features = text(self.features.clone())?;
            // Position-independent code; the JIT's default code model.
            let (relocation, model) = (2, 1);
            let machine = |level| {
                (api.LLVMCreateTargetMachine)(
                    target,
                    state.triple.as_ptr(),
                    cpu.as_ptr(),
                    features.as_ptr(),
                    level,
                    relocation,
                    model,
                )
            };
            (state.machine, state.quick) = (machine(2), machine(0));
            if state.machine.is_null() || state.quick.is_null() {
                return Err("no target machine".into());
            }
            state.layout = (api.LLVMCreateTargetDataLayout)(state.machine);
            let mut jit = null_mut();
            api.checked((api.LLVMOrcCreateLLJIT)(&mut jit, null_mut()))?;
            state.jit = jit;
            let session = (api.LLVMOrcLLJITGetExecutionSession)(jit);
            (api.LLVMOrcExecutionSessionSetErrorReporter)(
                session,
                report,
                std::ptr::from_ref(api).cast_mut().cast(),
            );
            state.dylib = (api.LLVMOrcLLJITGetMainJITDylib)(jit);
            let prefix = (api.LLVMOrcLLJITGetGlobalPrefix)(jit);
            let mut generator = null_mut();
            api.checked((api.LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess)(
                &mut generator,
                prefix,
                null_mut(),
                null_mut(),
            ))?;
            (api.LLVMOrcJITDylibAddGenerator)(state.dylib, generator);
        }
        Ok(())
    }

    /// Object code of a module's text.
    ///
    /// # Errors
    /// What LLVM says: a fault of the text.
    pub fn object_code(&'static self, text: &str, passes: &str, effort: Effort) -> Result<Vec<u8>, String> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let passes = CString::new(passes).map_err(|e| e.to_string())?;
        let machine = match effort {
            Effort::Usual => state.machine,
            Effort::Quick => state.quick,
        };
        let object = self.object(&state, machine, text, &passes)?;
        // SAFETY: the buffer is ours, and holds as many bytes as it says until it is disposed of.
        unsafe {
            let (start, size) = ((self.api.LLVMGetBufferStart)(object), (self.api.LLVMGetBufferSize)(object));
            let bytes = std::slice::from_raw_parts(start.cast::<u8>(), size).to_vec();
            (self.api.LLVMDisposeMemoryBuffer)(object);
            Ok(bytes)
        }
    }

    /// Links object code and finds its function `name`, which no other object may have, of the type
    /// `void (ptr, i64, i64, i64)`.
    ///
    /// # Errors
    /// What LLVM says: no object code, or a symbol that is missing.
    pub fn link(&'static self, object: &[u8], name: &str) -> Result<Compiled, String> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let api = &self.api;
        let name = CString::new(name).map_err(|e| e.to_string())?;
        // SAFETY: the JIT and its library live for ever. Adding the object consumes it, whether
        // or not it succeeds; the tracker is released on every path.
        unsafe {
            let object = (api.LLVMCreateMemoryBufferWithMemoryRangeCopy)(
                object.as_ptr().cast(),
                object.len(),
                c"kernel".as_ptr(),
            );
            let tracker = (api.LLVMOrcJITDylibCreateResourceTracker)(state.dylib);
            let mut address = 0u64;
            let found = api
                .checked((api.LLVMOrcLLJITAddObjectFileWithRT)(state.jit, tracker, object))
                .and_then(|()| api.checked((api.LLVMOrcLLJITLookup)(state.jit, &mut address, name.as_ptr())));
            if let Err(error) =
                found.and_then(|()| if address == 0 { Err("no address".into()) } else { Ok(()) })
            {
                drop(api.message_of((api.LLVMOrcResourceTrackerRemove)(tracker)));
                (api.LLVMOrcReleaseResourceTracker)(tracker);
                return Err(error);
            }
            // The address is that of the function of this name and type.
            let function = std::mem::transmute::<usize, unsafe extern "C" fn(*const c_void, i64, i64, i64)>(
                address as usize,
            );
            Ok(Compiled { llvm: self, tracker, function })
        }
    }

    /// The object file of a module's text, as a memory buffer of LLVM's.
    fn object(&self, state: &State, machine: Ref, text: &str, passes: &CStr) -> Result<Ref, String> {
        let api = &self.api;
        let mut said = Diagnostics { api, errors: Vec::new() };
        // SAFETY: every object is used between its making and its disposal; parsing consumes
        // the buffer; the diagnostics outlive the context, and are not touched in between.
        let object = unsafe {
            let context = (api.LLVMContextCreate)();
            (api.LLVMContextSetDiagnosticHandler)(context, diagnose, std::ptr::from_mut(&mut said).cast());
            let buffer = (api.LLVMCreateMemoryBufferWithMemoryRangeCopy)(
                text.as_ptr().cast(),
                text.len(),
                c"kernel".as_ptr(),
            );
            let (mut module, mut message) = (null_mut(), null_mut());
            let object = if (api.LLVMParseIRInContext)(context, buffer, &mut module, &mut message) != 0 {
                Err(api.take(message))
            } else {
                let object = self.emit(state, machine, module, passes);
                (api.LLVMDisposeModule)(module);
                object
            };
            (api.LLVMContextDispose)(context);
            object
        };
        match (object, said.errors.is_empty()) {
            (Ok(object), true) => Ok(object),
            (Ok(object), false) => {
                // SAFETY: nobody else has it.
                unsafe { (api.LLVMDisposeMemoryBuffer)(object) };
                Err(said.errors.join("; "))
            }
            (Err(error), _) => Err(error),
        }
    }

    /// Verifies and optimizes a module, and makes an object file of it.
    ///
    /// # Safety
    /// The module is alive, and nobody else's; the machine is one of the state's.
    unsafe fn emit(&self, state: &State, machine: Ref, module: Ref, passes: &CStr) -> Result<Ref, String> {
        let api = &self.api;
        // SAFETY: the caller's promise; the machine lives for ever.
        unsafe {
            (api.LLVMSetTarget)(module, state.triple.as_ptr());
            (api.LLVMSetModuleDataLayout)(module, state.layout);
            let mut message = null_mut();
            // 2: give the status back instead of ending the process.
            let bad = (api.LLVMVerifyModule)(module, 2, &mut message) != 0;
            let text = api.take(message);
            if bad {
                return Err(text);
            }
            let options = (api.LLVMCreatePassBuilderOptions)();
            let run = api.checked((api.LLVMRunPasses)(module, passes.as_ptr(), machine, options));
            (api.LLVMDisposePassBuilderOptions)(options);
            run?;
            let (mut object, mut message) = (null_mut(), null_mut());
            // 1: an object file.
            let emit = api.LLVMTargetMachineEmitToMemoryBuffer;
            match emit(machine, module, 1, &mut message, &mut object) {
                0 => Ok(object),
                _ => Err(api.take(message)),
            }
        }
    }
}

impl Compiled {
    /// Runs the code.
    ///
    /// # Safety
    /// The arguments are what the text that was compiled wants of memory for this range.
    pub unsafe fn call(&self, arguments: *const c_void, begin: i64, end: i64, rows: i64) {
        // SAFETY: the caller's promise; the code's memory lives as long as `self`.
        unsafe { (self.function)(arguments, begin, end, rows) };
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        let api = &self.llvm.api;
        let _state = self.llvm.state.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the tracker is ours, and nobody runs its code: `self` is being dropped.
        unsafe {
            drop(api.message_of((api.LLVMOrcResourceTrackerRemove)(self.tracker)));
            (api.LLVMOrcReleaseResourceTracker)(self.tracker);
        }
    }
}
