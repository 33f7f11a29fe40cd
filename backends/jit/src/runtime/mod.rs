//! Running kernels on a device.

pub mod cpu;
pub mod cuda;
mod elements;

pub use elements::Elements;
