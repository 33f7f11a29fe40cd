//! How each dtype is kept: all fifteen in libtorch's own element types.

use ivy_core::Dtype;
use ivy_core::backend::Storage;
use std::ffi::c_int;
use tch::Kind;

/// Each dtype with libtorch's number (`ScalarType`) and name for it. `tch` has no names for
/// uint16, uint32 and uint64.
const KINDS: [(Dtype, c_int, &str); 15] = [
    (Dtype::INT8, 1, "torch.int8"),
    (Dtype::INT16, 2, "torch.int16"),
    (Dtype::INT32, 3, "torch.int32"),
    (Dtype::INT64, 4, "torch.int64"),
    (Dtype::UINT8, 0, "torch.uint8"),
    (Dtype::UINT16, 27, "torch.uint16"),
    (Dtype::UINT32, 28, "torch.uint32"),
    (Dtype::UINT64, 29, "torch.uint64"),
    (Dtype::BFLOAT16, 15, "torch.bfloat16"),
    (Dtype::FLOAT16, 5, "torch.float16"),
    (Dtype::FLOAT32, 6, "torch.float32"),
    (Dtype::FLOAT64, 7, "torch.float64"),
    (Dtype::COMPLEX64, 9, "torch.complex64"),
    (Dtype::COMPLEX128, 10, "torch.complex128"),
    (Dtype::BOOL, 11, "torch.bool"),
];

/// libtorch's number for a dtype, or `None` if it is none of the fifteen known here.
pub(crate) fn kind(dtype: Dtype) -> Option<c_int> {
    KINDS.iter().find(|row| row.0 == dtype).map(|row| row.1)
}

/// The dtype of one of libtorch's numbers, or `None` (complex32, quantized and the 8-bit floats).
pub(crate) fn dtype_of(kind: c_int) -> Option<Dtype> {
    KINDS.iter().find(|row| row.1 == kind).map(|row| row.0)
}

/// `tch`'s name for a dtype, where it has one.
pub(crate) const fn tch_kind(dtype: Dtype) -> Option<Kind> {
    Some(match dtype {
        Dtype::INT8 => Kind::Int8,
        Dtype::INT16 => Kind::Int16,
        Dtype::INT32 => Kind::Int,
        Dtype::INT64 => Kind::Int64,
        Dtype::UINT8 => Kind::Uint8,
        Dtype::BFLOAT16 => Kind::BFloat16,
        Dtype::FLOAT16 => Kind::Half,
        Dtype::FLOAT32 => Kind::Float,
        Dtype::FLOAT64 => Kind::Double,
        Dtype::COMPLEX64 => Kind::ComplexFloat,
        Dtype::COMPLEX128 => Kind::ComplexDouble,
        Dtype::BOOL => Kind::Bool,
        _ => return None,
    })
}

/// The signed dtype of the same width, for the unsigned ones on which libtorch has few ops.
pub(crate) const fn signed(dtype: Dtype) -> Option<Dtype> {
    match dtype {
        Dtype::UINT16 => Some(Dtype::INT16),
        Dtype::UINT32 => Some(Dtype::INT32),
        Dtype::UINT64 => Some(Dtype::INT64),
        _ => None,
    }
}

/// The answer to [`ivy_core::backend::Backend::storage`].
pub(crate) fn storage(dtype: Dtype) -> Storage {
    KINDS.iter().find(|row| row.0 == dtype).map_or(Storage::None, |row| Storage::Native { name: row.2 })
}
