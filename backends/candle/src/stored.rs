//! How each dtype is kept in candle tensors (decision S27).

use candle_core::DType;
use ivy_core::Dtype;
use ivy_core::backend::Storage;

/// How the elements of a dtype stand in a candle tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As candle's dtype of the same meaning.
    Native,
    /// Bool as the bytes 0 and 1.
    Truth,
    /// As a wider integer that holds the same value.
    Wider,
    /// As the signed integer with the same bits.
    Bits,
    /// As two floats along a last axis that the logical shape does not have.
    Pair,
}

/// The candle dtype and form in which a dtype is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) dtype: DType,
    pub(crate) form: Form,
}

/// How a dtype is kept, or `None` if it is none of the fifteen known here.
pub(crate) const fn stored(dtype: Dtype) -> Option<Stored> {
    let (dtype, form) = match dtype {
        Dtype::BOOL => (DType::U8, Form::Truth),
        Dtype::INT8 => (DType::I16, Form::Wider),
        Dtype::INT16 => (DType::I16, Form::Native),
        Dtype::INT32 => (DType::I32, Form::Native),
        Dtype::INT64 => (DType::I64, Form::Native),
        Dtype::UINT8 => (DType::U8, Form::Native),
        Dtype::UINT16 => (DType::U32, Form::Wider),
        Dtype::UINT32 => (DType::U32, Form::Native),
        Dtype::UINT64 => (DType::I64, Form::Bits),
        Dtype::BFLOAT16 => (DType::BF16, Form::Native),
        Dtype::FLOAT16 => (DType::F16, Form::Native),
        Dtype::FLOAT32 => (DType::F32, Form::Native),
        Dtype::FLOAT64 => (DType::F64, Form::Native),
        Dtype::COMPLEX64 => (DType::F32, Form::Pair),
        Dtype::COMPLEX128 => (DType::F64, Form::Pair),
        _ => return None,
    };
    Some(Stored { dtype, form })
}

/// The dtype whose native form a candle dtype is, or `None` (the 8-bit and smaller floats).
pub(crate) const fn native_of(dtype: DType) -> Option<Dtype> {
    Some(match dtype {
        DType::U8 => Dtype::UINT8,
        DType::U32 => Dtype::UINT32,
        DType::I16 => Dtype::INT16,
        DType::I32 => Dtype::INT32,
        DType::I64 => Dtype::INT64,
        DType::BF16 => Dtype::BFLOAT16,
        DType::F16 => Dtype::FLOAT16,
        DType::F32 => Dtype::FLOAT32,
        DType::F64 => Dtype::FLOAT64,
        _ => return None,
    })
}

/// True for dtypes that candle has itself.
pub(crate) const fn is_native(dtype: Dtype) -> bool {
    matches!(stored(dtype), Some(Stored { form: Form::Native, .. }))
}

/// The answer to [`ivy_core::backend::Backend::storage`].
pub(crate) fn storage(dtype: Dtype) -> Storage {
    let Some(kept) = stored(dtype) else { return Storage::None };
    let name = kept.dtype.as_str();
    match kept.form {
        Form::Native => Storage::Native { name },
        Form::Truth => Storage::Emulated { name, how: "the bytes 0 and 1" },
        Form::Wider => Storage::Emulated { name, how: "the same value in a wider integer" },
        Form::Bits => Storage::Emulated { name, how: "the same bits, read as signed" },
        Form::Pair => {
            Storage::Emulated { name, how: "real and imaginary part along a last axis of length 2" }
        }
    }
}
