//! Running kernels on a device.

pub mod cpu;
