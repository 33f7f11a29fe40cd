//! Numbers as the bytes that they are.

use half::{bf16, f16};

mod sealed {
    /// Numbers without padding: every byte of them is initialized.
    pub trait Plain: Copy {}
}
use sealed::Plain;

macro_rules! plain {
    ($($t:ty),*) => { $(impl Plain for $t {})* };
}
plain!(u8, u32, i16, i32, i64, bf16, f16, f32, f64);

/// The bytes of a slice.
pub(crate) fn of<T: Plain>(values: &[T]) -> &[u8] {
    // SAFETY: the types listed above have no padding, a byte needs no alignment, and the slice
    // covers exactly the memory of `values`, for as long as they are borrowed.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}
