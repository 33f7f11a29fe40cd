//! Which dtypes are stored, and as what.

use ivy_core::Dtype;
use ivy_core::backend::Storage;

/// Each dtype with the Rust type of its elements.
const NATIVE: [(Dtype, &str); 15] = [
    (Dtype::INT8, "i8"),
    (Dtype::INT16, "i16"),
    (Dtype::INT32, "i32"),
    (Dtype::INT64, "i64"),
    (Dtype::UINT8, "u8"),
    (Dtype::UINT16, "u16"),
    (Dtype::UINT32, "u32"),
    (Dtype::UINT64, "u64"),
    (Dtype::BFLOAT16, "bf16"),
    (Dtype::FLOAT16, "f16"),
    (Dtype::FLOAT32, "f32"),
    (Dtype::FLOAT64, "f64"),
    (Dtype::COMPLEX64, "Complex<f32>"),
    (Dtype::COMPLEX128, "Complex<f64>"),
    (Dtype::BOOL, "bool"),
];

/// How a dtype is stored; a dtype that the kernels do not know is not.
pub(crate) fn storage(dtype: Dtype) -> Storage {
    NATIVE.iter().find(|row| row.0 == dtype).map_or(Storage::None, |row| Storage::Native { name: row.1 })
}
