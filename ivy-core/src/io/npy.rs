//! Single arrays: `.npy`.

use super::{descr::Descr, header::Header, io_error, malformed, source::Source};
use crate::{
    Dims, ErrorKind, Result, Shape,
    host::{Buffer, HostArray, contiguous_strides, for_each_offset, is_contiguous},
};
use std::{
    fs::File,
    io::{BufReader, BufWriter, Read, Write},
    path::Path,
};

const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// Data starts at a multiple of this.
const ALIGN: usize = 64;
/// As long as version 1 can say; the headers of plain dtypes are far shorter.
const LONGEST_HEADER: usize = u16::MAX as usize;

/// Reads one array; the reader is left behind its last byte. `name` stands in errors.
///
/// ```
/// use ivy::{host::HostArray, io};
/// let mut file = Vec::new();
/// io::write_npy(&mut file, &HostArray::from_vec(vec![1i16, 2], [2].into()).unwrap())?;
/// assert_eq!(io::read_npy(file.as_slice(), "memory")?.to_vec::<i16>()?, [1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Malformed`] for what is no array of a known dtype or ends too early,
/// [`ErrorKind::Io`] if the reader fails, [`ErrorKind::MemoryLimit`] without memory.
pub fn read_npy(reader: impl Read, name: &str) -> Result<HostArray> {
    let mut source = Source::new(reader, name);
    let header = read_header(&mut source)?;
    let Header { descr, fortran_order, shape } = header;
    let (dtype, shape) = (descr.dtype, Shape::from(shape));
    let size = shape
        .checked_size("load", dtype)
        .map_err(|_| malformed(name, source.offset, format!("shape {shape} of {dtype} is too large")))?;
    let mut bytes = source.exactly(size * dtype.bytes(), "the data")?;
    descr.swap(&mut bytes);
    if dtype.is_bool() {
        bytes.iter_mut().for_each(|b| *b = u8::from(*b != 0));
    }
    let buffer =
        Buffer::copy_from(&bytes).ok_or_else(|| ErrorKind::no_memory("load", bytes.len() as u128))?;
    let strides = if fortran_order { column_major_strides(&shape) } else { contiguous_strides(&shape) };
    HostArray::from_parts(buffer, dtype, shape, strides, 0)
        .ok_or_else(|| malformed(name, source.offset, "the data do not fill the shape"))
}

fn read_header(source: &mut Source<'_, impl Read>) -> Result<Header> {
    let name = source.name;
    let magic = source.array::<6>("the magic of .npy")?;
    if magic != *MAGIC {
        let rule = match magic {
            [b'P', b'K', ..] => "this is a zip archive, as .npz is, and no .npy",
            _ => "an .npy file starts with \\x93NUMPY",
        };
        return Err(malformed(name, 0, rule));
    }
    let version = source.array::<2>("the version")?;
    let len = match version {
        [1, 0] => u16::from_le_bytes(source.array("the header's length")?).into(),
        [2 | 3, 0] => u32::from_le_bytes(source.array("the header's length")?) as usize,
        [major, minor] => {
            let rule = format!("version {major}.{minor} is not 1.0, 2.0 or 3.0");
            return Err(malformed(name, MAGIC.len() as u64, rule));
        }
    };
    if len > LONGEST_HEADER {
        let rule = format!("the header of {len} bytes is longer than {LONGEST_HEADER}");
        return Err(malformed(name, MAGIC.len() as u64 + 2, rule));
    }
    let start = source.offset;
    let text = source.exactly(len, "the header")?;
    Header::parse(&text).map_err(|broken| malformed(name, start + broken.at as u64, broken.rule))
}

fn column_major_strides(shape: &[usize]) -> Dims<isize> {
    let reversed: Dims = shape.iter().rev().copied().collect();
    let mut strides = contiguous_strides(&reversed);
    strides.reverse();
    strides
}

/// Writes one array, byte for byte as NumPy does: row-major, or column-major if that is how its
/// elements stand in memory.
///
/// # Errors
/// [`ErrorKind::Io`] if the writer fails.
pub fn write_npy(writer: impl Write, array: &HostArray) -> Result<()> {
    write_to(writer, array).map_err(|error| io_error("writing .npy", error))
}

pub(super) fn write_to(mut writer: impl Write, array: &HostArray) -> std::io::Result<()> {
    let (shape, dtype) = (array.shape(), array.dtype());
    let column_major = !array.is_contiguous() && {
        let shape: Dims = shape.iter().rev().copied().collect();
        let strides: Dims<isize> = array.strides().iter().rev().copied().collect();
        is_contiguous(&shape, &strides)
    };
    writer.write_all(&preamble(Header::text(dtype, column_major, shape)))?;
    let mut axes: Dims = (0..shape.len()).collect();
    if column_major {
        axes.reverse();
    }
    let lengths: Dims = axes.iter().map(|&axis| shape[axis]).collect();
    let strides: Dims<isize> = axes.iter().map(|&axis| array.strides()[axis]).collect();
    let native = Descr { dtype, big_endian: false };
    let (bytes, width) = (array.buffer().bytes(), dtype.bytes());
    if is_contiguous(&lengths, &strides) && cfg!(target_endian = "little") {
        let start = array.offset() * width;
        return if shape.contains(&0) {
            Ok(())
        } else {
            writer.write_all(&bytes[start..start + shape.size() * width])
        };
    }
    // A strided array goes out in pieces.
    const PIECE: usize = 1 << 16;
    let (mut piece, mut written) = (Vec::with_capacity(PIECE), Ok(()));
    let mut flush = |piece: &mut Vec<u8>| {
        native.swap(piece);
        let result = writer.write_all(piece);
        piece.clear();
        result
    };
    for_each_offset(&lengths, &strides, |offset| {
        if written.is_ok() {
            let at = (array.offset() as isize + offset) as usize * width;
            piece.extend_from_slice(&bytes[at..at + width]);
            if piece.len() >= PIECE {
                written = flush(&mut piece);
            }
        }
    });
    written.and_then(|()| flush(&mut piece))
}

/// Magic, version, length and text of a header, filled up so that the data are aligned.
fn preamble(text: String) -> Vec<u8> {
    let padded = |fixed: usize| (fixed + text.len() + 1).next_multiple_of(ALIGN) - fixed;
    let (version, length) = match u16::try_from(padded(10)) {
        Ok(len) => ([1, 0], len.to_le_bytes().to_vec()),
        Err(_) => ([2, 0], (padded(12) as u32).to_le_bytes().to_vec()),
    };
    let fixed = MAGIC.len() + version.len() + length.len();
    let mut out = [MAGIC.as_slice(), &version, &length, text.as_bytes()].concat();
    out.resize(fixed + padded(fixed) - 1, b' ');
    out.push(b'\n');
    out
}

/// Reads the array of an `.npy` file.
///
/// # Errors
/// As [`read_npy`], with the file's path.
pub fn load(path: impl AsRef<Path>) -> Result<HostArray> {
    let name = path.as_ref().display().to_string();
    let file = File::open(path).map_err(|error| io_error(&name, error))?;
    read_npy(BufReader::new(file), &name)
}

/// Writes an array to an `.npy` file, in place of what was there.
///
/// ```no_run
/// use ivy::{host::HostArray, io};
/// let array = HostArray::from_vec(vec![0.5f32; 6], [2, 3].into()).unwrap();
/// io::save("array.npy", &array)?;
/// assert_eq!(io::load("array.npy")?.shape(), array.shape());
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Io`] if the file cannot be written.
pub fn save(path: impl AsRef<Path>, array: &HostArray) -> Result<()> {
    let name = path.as_ref().display().to_string();
    let write = || {
        let mut file = BufWriter::new(File::create(path)?);
        write_to(&mut file, array)?;
        file.flush()
    };
    write().map_err(|error| io_error(&name, error))
}
