//! Running kernels on a device.

pub mod cpu;
pub mod cuda;
mod elements;

pub use elements::Elements;

/// What a check of a kernel found; whoever has made the kernel knows which index it was.
fn out_of_range() -> ivy_core::Error {
    let (function, index, axis, length, position) = ("launch", 0, 0, 0, None);
    ivy_core::ErrorKind::IndexOutOfRange { function, index, axis, length, position }.into()
}
