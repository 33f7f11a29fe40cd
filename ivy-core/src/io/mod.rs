//! NumPy's files: `.npy` holds one array, `.npz` a zip archive of named ones.
//!
//! All three versions of the format are read, in both byte orders and both element orders
//! (column-major data becomes a strided array), and written in version 1, which every NumPy
//! reads. Dtypes are NumPy's, and:
//!
//! - bfloat16 has no type string of its own. It is written as `<V2`, as NumPy writes the arrays of
//!   its bfloat16 extension, and two-byte void data (`<V2`, `|V2`) is read as bfloat16.
//! - Bools other than 0 and 1 are read as true.
//! - Object arrays (pickled Python objects), structured dtypes, strings, times and NumPy's long
//!   doubles are refused.
//!
//! What is read is never trusted: a damaged or truncated file, and a header that promises more
//! than there is, give [`ErrorKind::Malformed`] with the place and the rule that was broken, and
//! memory is taken only for data that is there.

mod descr;
mod header;
mod npy;
pub(crate) mod npz;
mod source;

pub use npy::{load, read_npy, save, write_npy};
pub use npz::{load_npz, save_npz};

use crate::{Error, ErrorKind};

/// An error of the system while reading or writing a file.
fn io_error(path: &str, source: std::io::Error) -> Error {
    ErrorKind::Io { path: path.into(), source }.into()
}

/// What a failed read means: decompressors and checksums report bad data as errors of a reader,
/// but without a code of the system.
fn read_error(path: &str, offset: u64, error: std::io::Error) -> Error {
    use std::io::ErrorKind as Io;
    let of_data = matches!(
        error.kind(),
        Io::InvalidData | Io::InvalidInput | Io::UnexpectedEof | Io::Unsupported | Io::Other
    );
    if of_data && error.raw_os_error().is_none() {
        malformed(path, offset, error.to_string())
    } else {
        io_error(path, error)
    }
}

fn malformed(path: &str, offset: u64, rule: impl Into<String>) -> Error {
    ErrorKind::Malformed { path: path.into(), offset, rule: rule.into() }.into()
}
