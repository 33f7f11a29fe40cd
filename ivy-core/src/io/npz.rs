//! Named arrays: `.npz`.

use super::{io_error, malformed, npy, read_error};
use crate::{Error, ErrorKind, Result, host::HostArray};
use std::{
    collections::HashSet,
    fs::File,
    io::{BufReader, BufWriter, Read, Seek, Write},
    path::Path,
};
use zip::{CompressionMethod, ZipArchive, ZipWriter, result::ZipError, write::SimpleFileOptions};

const SUFFIX: &str = ".npy";

/// Reads all the arrays of an `.npz` file with their names, in the order of the file.
///
/// # Errors
/// [`ErrorKind::Malformed`] for a damaged archive or array, and for an entry that is no array;
/// [`ErrorKind::Io`] if the file cannot be read.
pub fn load_npz(path: impl AsRef<Path>) -> Result<Vec<(String, HostArray)>> {
    let name = path.as_ref().display().to_string();
    let file = File::open(path).map_err(|error| io_error(&name, error))?;
    read(BufReader::new(file), &name)
}

/// Reads the arrays of an archive, with their names.
pub fn read(reader: impl Read + Seek, path: &str) -> Result<Vec<(String, HostArray)>> {
    let mut archive = ZipArchive::new(reader).map_err(|error| archive_error(path, error))?;
    let mut arrays = Vec::new();
    for number in 0..archive.len() {
        let entry = archive.by_index(number).map_err(|error| archive_error(path, error))?;
        let start = entry.header_start();
        let full_name = match entry.name() {
            Ok(name) => name.into_owned(),
            Err(error) => return Err(archive_error(path, error)),
        };
        let Some(name) = full_name.strip_suffix(SUFFIX) else {
            let rule = format!("the entry `{full_name}` is no {SUFFIX} file");
            return Err(malformed(path, start, rule));
        };
        let within = format!("{path}: {full_name}");
        let mut entry = Rest { entry, name: &within };
        let array = npy::read_npy(&mut entry, &within)?;
        entry.check()?;
        arrays.push((name.to_string(), array));
    }
    Ok(arrays)
}

/// An entry that must end with its array; its checksum is compared at the end.
struct Rest<'a, R> {
    entry: R,
    name: &'a str,
}

impl<R: Read> Read for Rest<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.entry.read(buffer)
    }
}

impl<R: Read> Rest<'_, R> {
    fn check(&mut self) -> Result<()> {
        match self.entry.read(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => Err(malformed(self.name, 0, "more data than the header tells of")),
            Err(error) => Err(read_error(self.name, 0, error)),
        }
    }
}

/// Writes named arrays to an `.npz` file, in place of what was there, deflated if `compressed`.
///
/// The same arrays give the same bytes: the archive has no times.
///
/// ```no_run
/// use ivy::{host::HostArray, io};
/// let weights = HostArray::from_vec(vec![0.5f32; 6], [2, 3].into()).unwrap();
/// io::save_npz("model.npz", &[("weights", &weights)], true)?;
/// assert_eq!(io::load_npz("model.npz")?[0].0, "weights");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] if a name is given twice, [`ErrorKind::Io`] if the file cannot
/// be written.
pub fn save_npz(path: impl AsRef<Path>, arrays: &[(&str, &HostArray)], compressed: bool) -> Result<()> {
    let name = path.as_ref().display().to_string();
    let mut names = HashSet::new();
    if let Some((twice, _)) = arrays.iter().find(|(name, _)| !names.insert(*name)) {
        return Err(ErrorKind::InvalidArgument {
            function: "save_npz",
            argument: "arrays",
            value: format!("`{twice}`"),
            rule: "a name is given twice",
        }
        .into());
    }
    let file = File::create(path).map_err(|error| io_error(&name, error))?;
    write(BufWriter::new(file), arrays, compressed)
        .map_err(std::io::Error::from)
        .and_then(|mut file| file.flush())
        .map_err(|error| io_error(&name, error))
}

/// Writes arrays with their names as an archive.
pub fn write<W: Write + Seek>(
    writer: W,
    arrays: &[(&str, &HostArray)],
    compressed: bool,
) -> Result<W, ZipError> {
    let method = if compressed { CompressionMethod::Deflated } else { CompressionMethod::Stored };
    let mut archive = ZipWriter::new(writer);
    for (name, array) in arrays {
        let bytes = array.shape().size().saturating_mul(array.dtype().bytes());
        // Sizes of 4 GiB and more need the wide fields; a header and poor compression add to them.
        let large = bytes >= (u32::MAX as usize) / 2;
        let options = SimpleFileOptions::DEFAULT.compression_method(method).large_file(large);
        archive.start_file(format!("{name}{SUFFIX}"), options)?;
        npy::write_to(&mut archive, array)?;
    }
    archive.finish()
}

fn archive_error(path: &str, error: ZipError) -> Error {
    match error {
        ZipError::Io(error) => read_error(path, 0, error),
        error => malformed(path, 0, error.to_string()),
    }
}
