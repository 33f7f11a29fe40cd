//! The table by which the program calls the C++ half of `torch-sys`, and what fills it.
//!
//! # Invariants
//!
//! - The assembler text has an entry of the table for each name, in order. An entry holds the
//!   address of code at all times: first the text's own, which calls [`first_call`], and from the
//!   time when the library is open that of the library's function of the name.
//! - An opened library is never closed.

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_LAZY, RTLD_NOW};
use std::arch::global_asm;
use std::ffi::{CStr, OsStr, c_char, c_void};
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicPtr, Ordering};

/// The C++ half of `torch-sys`, linked against libtorch.
static SHIM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libivy_torch.so"));

global_asm!(include_str!(concat!(env!("OUT_DIR"), "/calls.s")), first = sym first_call);

unsafe extern "C" {
    /// The first entry of the table.
    static ivy_torch_calls: AtomicPtr<c_void>;
    /// The functions' names, each ended by a zero, and an empty one.
    static ivy_torch_names: c_char;

    fn tch_write_stream_destructor(stream: *mut c_void);
    fn tch_write_stream_write(stream: *mut c_void, from: *const u8, size: usize, written: *mut usize)
    -> bool;
    fn tch_read_stream_destructor(stream: *mut c_void);
    fn tch_read_stream_stream_position(stream: *mut c_void, position: *mut u64) -> bool;
    fn tch_read_stream_seek_start(stream: *mut c_void, position: u64, reached: *mut u64) -> bool;
    fn tch_read_stream_seek_end(stream: *mut c_void, position: i64, reached: *mut u64) -> bool;
    fn tch_read_stream_read(stream: *mut c_void, to: *mut u8, size: usize, got: *mut usize) -> bool;
}

/// What `build/streams.cpp` calls: the Rust half of `torch-sys`.
#[repr(C)]
struct Streams {
    write_destructor: unsafe extern "C" fn(*mut c_void),
    write: unsafe extern "C" fn(*mut c_void, *const u8, usize, *mut usize) -> bool,
    read_destructor: unsafe extern "C" fn(*mut c_void),
    position: unsafe extern "C" fn(*mut c_void, *mut u64) -> bool,
    seek_start: unsafe extern "C" fn(*mut c_void, u64, *mut u64) -> bool,
    seek_end: unsafe extern "C" fn(*mut c_void, i64, *mut u64) -> bool,
    read: unsafe extern "C" fn(*mut c_void, *mut u8, usize, *mut usize) -> bool,
}

/// Before the first call of a function of `tch`: a program that asks `tch` itself, and not the
/// backend, for something gets no error from it but this.
extern "C" fn first_call() {
    if let Err(problem) = super::open() {
        eprintln!("a function of tch was called, and {problem}. {}", crate::start::SET_UP);
        std::process::abort();
    }
}

/// Opens libtorch, those of its libraries that are there, and fills the table.
pub(super) fn open(libraries: &[PathBuf]) -> Result<(), String> {
    for path in libraries.iter().filter(|path| path.exists()) {
        kept(path.as_os_str(), RTLD_LAZY | RTLD_GLOBAL)?;
    }
    let file = in_memory(SHIM).map_err(|error| format!("no file in memory can be made: {error}"))?;
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    let shim = kept(Path::new(&path).as_os_str(), RTLD_NOW)?;
    fill(&shim)
}

/// Opens a library for as long as the process lives.
fn kept(path: &OsStr, flags: i32) -> Result<std::mem::ManuallyDrop<Library>, String> {
    // SAFETY: libtorch and the C++ half of torch-sys, whose initializers may run at any time; the
    // files are whole, and the second is this build's own.
    let library = unsafe { Library::open(Some(path), flags) };
    library.map(std::mem::ManuallyDrop::new).map_err(|error| format!("the system refuses it: {error}"))
}

/// A file without a place, in memory, that is closed with the handle.
fn in_memory(bytes: &[u8]) -> std::io::Result<File> {
    // SAFETY: the name is a string of C; the flags are of this call.
    let descriptor = unsafe { libc::memfd_create(c"libivy_torch.so".as_ptr(), libc::MFD_CLOEXEC) };
    if descriptor < 0 {
        return Err(std::io::Error::last_os_error());
    }
    // SAFETY: a new descriptor, that nobody else has.
    let mut file = unsafe { File::from_raw_fd(descriptor) };
    file.write_all(bytes)?;
    Ok(file)
}

/// Puts the library's functions in the table: all of them, or none.
fn fill(shim: &Library) -> Result<(), String> {
    let address = |name: &CStr| {
        // SAFETY: only the address is taken.
        let symbol = unsafe { shim.get::<*mut c_void>(name.to_bytes_with_nul()) };
        symbol.map(|symbol| symbol.as_raw_ptr()).map_err(|error| error.to_string())
    };
    let mut found = Vec::new();
    // SAFETY: the names end with an empty one, and each one with a zero.
    let mut name = unsafe { CStr::from_ptr(&raw const ivy_torch_names) };
    while !name.is_empty() {
        found.push(address(name)?);
        // SAFETY: the next name starts behind the zero.
        name = unsafe { CStr::from_ptr(name.as_ptr().add(name.count_bytes() + 1)) };
    }
    let streams = Streams {
        write_destructor: tch_write_stream_destructor,
        write: tch_write_stream_write,
        read_destructor: tch_read_stream_destructor,
        position: tch_read_stream_stream_position,
        seek_start: tch_read_stream_seek_start,
        seek_end: tch_read_stream_seek_end,
        read: tch_read_stream_read,
    };
    // SAFETY: the library's function has this type, and copies what it is handed.
    unsafe {
        let hand_over = shim.get::<unsafe extern "C" fn(*const Streams)>(b"ivy_torch_streams\0");
        hand_over.map_err(|error| error.to_string())?(&streams);
    }
    for (number, function) in found.into_iter().enumerate() {
        // SAFETY: the table has an entry for each name; entries are read as whole words.
        unsafe { (*(&raw const ivy_torch_calls).add(number)).store(function, Ordering::Release) };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use tch::Tensor;

    #[test]
    fn streams_of_the_program_are_written_and_read() {
        let tensor = Tensor::f_from_slice(&[1f32, 2.5, -3.0]).unwrap();
        let mut bytes = Vec::new();
        tensor.save_to_stream(&mut bytes).unwrap();
        let back = Tensor::load_from_stream(std::io::Cursor::new(bytes)).unwrap();
        assert_eq!(Vec::<f32>::try_from(back).unwrap(), [1.0, 2.5, -3.0]);
    }
}
