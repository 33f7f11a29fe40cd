//! From a dtype at run time to a Rust type at compile time.

/// Runs an expression with `$T` as the Rust type of a dtype, of those listed in a class:
/// `all`, `real` (integers and floats), `int`, `float`, `complex`, `inexact` (float and
/// complex), `numeric`, and `bits`, numbers that are moved, of which those of a width and an alignment have one type. Bool is `u8` (the bytes 0 and 1). Other dtypes run the `else` arm.
///
/// ```ignore
/// match_dtype!(dtype, real, T => sum::<T>(x), else => return Err(...))
/// ```
macro_rules! match_dtype {
    ($dtype:expr, int, $T:ident => $body:expr, else => $else:expr) => {
        $crate::types::match_dtype!(@match $dtype, $T, $body, $else, INT8 i8, INT16 i16, INT32 i32, INT64 i64,
            UINT8 u8, UINT16 u16, UINT32 u32, UINT64 u64)
    };
    ($dtype:expr, float, $T:ident => $body:expr, else => $else:expr) => {
        $crate::types::match_dtype!(@match $dtype, $T, $body, $else, BFLOAT16 half::bf16, FLOAT16 half::f16,
            FLOAT32 f32, FLOAT64 f64)
    };
    ($dtype:expr, complex, $T:ident => $body:expr, else => $else:expr) => {
        $crate::types::match_dtype!(@match $dtype, $T, $body, $else, COMPLEX64 num_complex::Complex32,
            COMPLEX128 num_complex::Complex64)
    };
    ($dtype:expr, inexact, $T:ident => $body:expr, else => $else:expr) => {
        $crate::types::match_dtype!(@match $dtype, $T, $body, $else, BFLOAT16 half::bf16, FLOAT16 half::f16,
            FLOAT32 f32, FLOAT64 f64, COMPLEX64 num_complex::Complex32, COMPLEX128 num_complex::Complex64)
    };
    ($dtype:expr, real, $T:ident => $body:expr, else => $else:expr) => {
        $crate::types::match_dtype!(@match $dtype, $T, $body, $else, INT8 i8, INT16 i16, INT32 i32, INT64 i64,
            UINT8 u8, UINT16 u16, UINT32 u32, UINT64 u64, BFLOAT16 half::bf16, FLOAT16 half::f16,
            FLOAT32 f32, FLOAT64 f64)
    };
    ($dtype:expr, numeric, $T:ident => $body:expr, else => $else:expr) => {
        $crate::types::match_dtype!(@match $dtype, $T, $body, $else, INT8 i8, INT16 i16, INT32 i32, INT64 i64,
            UINT8 u8, UINT16 u16, UINT32 u32, UINT64 u64, BFLOAT16 half::bf16, FLOAT16 half::f16,
            FLOAT32 f32, FLOAT64 f64, COMPLEX64 num_complex::Complex32, COMPLEX128 num_complex::Complex64)
    };
    ($dtype:expr, bits, $T:ident => $body:expr, else => $else:expr) => {
        $crate::types::match_dtype!(@match $dtype, $T, $body, $else, INT8 u8, INT16 u16, INT32 u32, INT64 u64,
            UINT8 u8, UINT16 u16, UINT32 u32, UINT64 u64, BFLOAT16 u16, FLOAT16 u16, FLOAT32 u32, FLOAT64 u64,
            COMPLEX64 num_complex::Complex32, COMPLEX128 num_complex::Complex64)
    };
    (@match $dtype:expr, $T:ident, $body:expr, $else:expr, $($constant:ident $t:ty),*) => {
        match $dtype {
            $(ivy_core::Dtype::$constant => {
                type $T = $t;
                $body
            })*
            _ => $else,
        }
    };
}
pub(crate) use match_dtype;

/// Runs an expression with `$T` as an unsigned type of the dtype's width: for kernels that
/// move elements without looking at them. A width that no type has runs the `else` arm.
macro_rules! match_width {
    ($bytes:expr, $T:ident => $body:expr, else => $else:expr) => {
        match $bytes {
            1 => {
                type $T = u8;
                $body
            }
            2 => {
                type $T = u16;
                $body
            }
            4 => {
                type $T = u32;
                $body
            }
            // Aligned to 4 only: complex64 in foreign memory is two float32.
            8 => {
                type $T = [u32; 2];
                $body
            }
            16 => {
                type $T = [u64; 2];
                $body
            }
            _ => $else,
        }
    };
}
pub(crate) use match_width;
