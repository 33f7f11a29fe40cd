//! Checkpoints, by the crate `safetensors`: one entry for each array, named by its path.

use crate::invalid;
use ivy_core::host::{Buffer, HostArray};
use ivy_core::{Array, Dtype, Error, ErrorKind, Result, Tree};
use safetensors::tensor::{Dtype as FileDtype, SafeTensors, TensorView, serialize};
use std::collections::BTreeSet;
use std::path::Path;

const SAVE: &str = "save";
const LOAD: &str = "load";

/// The file's dtype of one of ours; `None` where the format has none.
fn file_dtype(dtype: Dtype) -> Option<FileDtype> {
    Some(match dtype {
        Dtype::BOOL => FileDtype::BOOL,
        Dtype::INT8 => FileDtype::I8,
        Dtype::INT16 => FileDtype::I16,
        Dtype::INT32 => FileDtype::I32,
        Dtype::INT64 => FileDtype::I64,
        Dtype::UINT8 => FileDtype::U8,
        Dtype::UINT16 => FileDtype::U16,
        Dtype::UINT32 => FileDtype::U32,
        Dtype::UINT64 => FileDtype::U64,
        Dtype::BFLOAT16 => FileDtype::BF16,
        Dtype::FLOAT16 => FileDtype::F16,
        Dtype::FLOAT32 => FileDtype::F32,
        Dtype::FLOAT64 => FileDtype::F64,
        Dtype::COMPLEX64 => FileDtype::C64,
        _ => return None,
    })
}

/// A path as other programs write it: `layers.0.weight`.
fn entry_name(path: &ivy_core::nest::Path) -> String {
    path.to_string().replace('[', ".").replace(']', "").trim_start_matches('.').to_string()
}

/// The elements in row-major order.
fn row_major(host: &HostArray) -> Vec<u8> {
    let view = host.view();
    if let Some(bytes) = view.contiguous_bytes() {
        return bytes.to_vec();
    }
    let (all, width) = (view.bytes(), host.dtype().bytes());
    let mut bytes = Vec::with_capacity(host.shape().size() * width);
    ivy_core::host::for_each_offset(host.shape(), host.strides(), |offset| {
        let start = (host.offset() as isize + offset * width as isize) as usize;
        bytes.extend_from_slice(&all[start..start + width]);
    });
    bytes
}

/// Serialization: the arrays of a value as the bytes of a file.
///
/// # Errors
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for complex128, which the format has not; what an evaluation gives.
pub fn to_bytes<T: Tree>(value: &T) -> Result<Vec<u8>> {
    let mut entries = Vec::new();
    value.flatten(&mut |path, x| {
        let dtype = file_dtype(x.dtype())
            .ok_or_else(|| invalid(SAVE, "dtype", x.dtype(), "safetensors files have no such dtype"))?;
        entries.push((entry_name(path), dtype, x.shape().to_vec(), row_major(&x.to_host()?)));
        Ok(())
    })?;
    let views = entries.iter().map(|(name, dtype, shape, bytes)| {
        let view = TensorView::new(*dtype, shape.clone(), bytes)
            .map_err(|e| invalid(SAVE, "array", format!("{name}: {e}"), "an array that the format holds"))?;
        Ok((name.as_str(), view))
    });
    let views: Vec<_> = views.collect::<Result<_>>()?;
    serialize(views, None).map_err(|e| invalid(SAVE, "value", e, "arrays that the format holds"))
}

/// Deserialization: a value of the structure of another one with the arrays of a file, which has an entry for each, of its dtype and
/// shape, and no other ones.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for bytes that are no such file, cut short or with sizes that do not fit;
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for entries that are missing or too many,
/// [`ShapeMismatch`](ErrorKind::ShapeMismatch) and [`InvalidArgument`](ErrorKind::InvalidArgument) for other shapes and
/// dtypes. Then nothing was loaded.
pub fn from_bytes<T: Tree>(like: &T, bytes: &[u8]) -> Result<T> {
    read(like, bytes, "memory")
}

fn read<T: Tree>(like: &T, bytes: &[u8], path: &str) -> Result<T> {
    let malformed =
        |rule: String| -> Error { ErrorKind::Malformed { path: path.into(), offset: 0, rule }.into() };
    let file = SafeTensors::deserialize(bytes).map_err(|e| malformed(e.to_string()))?;
    let mut left: BTreeSet<&str> = file.names().into_iter().collect();
    let loaded = like.map_arrays(&mut |at, x| {
        let name = entry_name(at);
        let Ok(view) = file.tensor(&name) else {
            return Err(invalid(LOAD, "entry", &name, "the file has no such entry"));
        };
        left.remove(name.as_str());
        if Some(view.dtype()) != file_dtype(x.dtype()) {
            let value = format!("{name}: {:?} for {}", view.dtype(), x.dtype());
            return Err(invalid(LOAD, "dtype", value, "the file has the dtype of the array"));
        }
        if view.shape() != &x.shape()[..] {
            let (expected, actual) = (format!("{} for {name}", x.shape()), view.shape().into());
            return Err(
                ErrorKind::ShapeMismatch { function: LOAD, argument: "entry", expected, actual }.into()
            );
        }
        if x.dtype() == Dtype::BOOL && view.data().iter().any(|&b| b > 1) {
            return Err(malformed(format!("{name}: a bool that is neither 0 nor 1")));
        }
        let buffer = Buffer::copy_from(view.data())
            .ok_or_else(|| ErrorKind::no_memory(LOAD, view.data().len() as u128))?;
        let host = HostArray::new(buffer, x.dtype(), x.shape().clone())
            .ok_or_else(|| malformed(format!("{name}: its bytes are not as many as its shape says")))?;
        Array::from_host(x.backend(), host)
    })?;
    match left.into_iter().next() {
        None => Ok(loaded),
        Some(name) => Err(invalid(LOAD, "entry", name, "the value has no such array")),
    }
}

/// Saves a checkpoint: each by its path, with points between (`layers.0.weight`).
///
/// ```
/// use ivy::nn::{self, Linear};
/// let model = Linear::new(3, 2, &mut ivy::Generator::new(0))?;
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("model.safetensors");
/// nn::save(&model, &path)?;
/// let other = Linear::new(3, 2, &mut ivy::Generator::new(1))?;
/// let loaded = nn::load(&other, &path)?;
/// assert_eq!(loaded.weight.to_vec::<f32>()?, model.weight.to_vec::<f32>()?);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`Io`](ErrorKind::Io), and those of [`to_bytes`].
pub fn save<T: Tree>(value: &T, path: impl AsRef<Path>) -> Result<()> {
    let path = path.as_ref();
    let failed = |source| ErrorKind::Io { path: path.display().to_string(), source };
    let bytes = to_bytes(value)?;
    std::fs::write(path, bytes).map_err(|e| failed(e).into())
}

/// Loads a checkpoint: a value of the structure of another one with the arrays of a file, as [`from_bytes`].
///
/// # Errors
/// [`Io`](ErrorKind::Io), and those of [`from_bytes`].
pub fn load<T: Tree>(like: &T, path: impl AsRef<Path>) -> Result<T> {
    let path = path.as_ref();
    let failed = |source| ErrorKind::Io { path: path.display().to_string(), source };
    let bytes = std::fs::read(path).map_err(failed)?;
    read(like, &bytes, &path.display().to_string())
}
