//! The Rust types that are elements of arrays.

use crate::{Dtype, Scalar};
use half::{bf16, f16};
use num_complex::{Complex32, Complex64};

mod sealed {
    pub trait Sealed {}
}

/// A Rust type that is the element of a dtype: the integers, `f16` and `bf16` of the `half`
/// crate, `f32`, `f64`, `bool`, and `Complex32` and `Complex64` of `num_complex`.
pub trait Element: Copy + Send + Sync + std::fmt::Debug + PartialEq + 'static + sealed::Sealed {
    /// The dtype whose element it is.
    const DTYPE: Dtype;
}

macro_rules! elements {
    ($($t:ty = $dtype:ident),* $(,)?) => {
        $(
            impl sealed::Sealed for $t {}
            impl Element for $t { const DTYPE: Dtype = Dtype::$dtype; }
        )*

        /// The scalar that the bytes of one element mean. Dtypes without a Rust type are NaN.
        pub(super) fn scalar_of(dtype: Dtype, bytes: &[u8]) -> Scalar {
            match dtype {
                // Whatever the byte: a bool that is neither 0 nor 1 must not be made.
                d if d.is_bool() => Scalar::Bool(bytes[0] != 0),
                $(Dtype::$dtype => {
                    let mut copy = [0u128; 1];
                    // An aligned place for the bytes.
                    bytes_of(&mut copy)[..bytes.len()].copy_from_slice(bytes);
                    slice_of::<$t>(&bytes_of(&mut copy)[..bytes.len()])[0].into()
                })*
                _ => Scalar::Float(f64::NAN),
            }
        }
    };
}
elements! {
    i8 = INT8, i16 = INT16, i32 = INT32, i64 = INT64,
    u8 = UINT8, u16 = UINT16, u32 = UINT32, u64 = UINT64,
    bf16 = BFLOAT16, f16 = FLOAT16, f32 = FLOAT32, f64 = FLOAT64,
    Complex32 = COMPLEX64, Complex64 = COMPLEX128, bool = BOOL,
}

/// The bytes of an array of `T::DTYPE` as a slice of elements.
///
/// Arrays of bool hold the bytes 0 and 1 only: every way into the library sees to it.
pub(super) fn slice_of<T: Element>(bytes: &[u8]) -> &[T] {
    if bytes.is_empty() {
        return &[];
    }
    let aligned = (bytes.as_ptr() as usize).is_multiple_of(align_of::<T>());
    assert!(aligned && bytes.len().is_multiple_of(size_of::<T>()));
    // SAFETY: aligned and a whole number of elements (just checked); every bit pattern is a
    // value of the numbers, and bools are 0 or 1.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / size_of::<T>()) }
}

fn bytes_of(words: &mut [u128; 1]) -> &mut [u8] {
    // SAFETY: any bytes are a u128, and 16 of them are its memory.
    unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), 16) }
}
