//! Running kernels on a device.

pub mod cpu;
pub mod cuda;
mod elements;
mod held;
mod reading;

pub use elements::Elements;
pub use held::Held;
pub use reading::Reading;

/// What a check of a kernel found; whoever has made the kernel knows which index it was.
fn out_of_range() -> ivy_core::Error {
    let (function, index, axis, length, position) = ("launch", 0, 0, 0, None);
    ivy_core::ErrorKind::IndexOutOfRange { function, index, axis, length, position }.into()
}
