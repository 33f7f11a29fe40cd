//! Arrays in files: NumPy's `.npy` and `.npz`.

use super::Array;
use crate::{Result, context, io};
use std::path::Path;

/// The array of an `.npy` file, on the current backend.
///
/// ```
/// use ivy::prelude::*;
/// let path = std::env::temp_dir().join("ivy-doc-example.npy");
/// ivy::save(&path, &Array::try_from([1.5f32, 2.5])?)?;
/// assert_eq!(ivy::load(&path)?.to_vec::<f32>()?, [1.5, 2.5]);
/// # std::fs::remove_file(path).ok();
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`Io`](crate::ErrorKind::Io); [`Malformed`](crate::ErrorKind::Malformed) for a file that is
/// truncated, corrupt, or of a dtype that is not here;
/// [`DtypeNotStored`](crate::ErrorKind::DtypeNotStored).
pub fn load(path: impl AsRef<Path>) -> Result<Array> {
    Array::from_host(&context::current_backend()?, io::load(path)?)
}

/// Writes an array to an `.npy` file.
///
/// # Errors
/// [`Io`](crate::ErrorKind::Io), and what an evaluation that was pending gives.
pub fn save(path: impl AsRef<Path>, array: &Array) -> Result<()> {
    io::save(path, &array.to_host()?)
}

/// The arrays of an `.npz` file with their names, on the current backend.
///
/// # Errors
/// As [`load`].
pub fn load_npz(path: impl AsRef<Path>) -> Result<Vec<(String, Array)>> {
    let backend = context::current_backend()?;
    let arrays = io::load_npz(path)?.into_iter();
    arrays.map(|(name, host)| Ok((name, Array::from_host(&backend, host)?))).collect()
}

/// Writes named arrays to an `.npz` file.
///
/// # Errors
/// As [`save`]; [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a name given twice.
pub fn save_npz(path: impl AsRef<Path>, arrays: &[(&str, &Array)], compressed: bool) -> Result<()> {
    let hosts: Vec<_> = arrays.iter().map(|(name, a)| Ok((*name, a.to_host()?))).collect::<Result<_>>()?;
    let views: Vec<_> = hosts.iter().map(|(name, host)| (*name, host)).collect();
    io::save_npz(path, &views, compressed)
}
