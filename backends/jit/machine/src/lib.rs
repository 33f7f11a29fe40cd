//! A device that is none: it reads the PTX that the engine writes, and runs it on the host. For
//! tests only, on machines without a GPU.
//!
//! [`parse`] and [`launch`] know nothing of the engine: they follow the PTX manual, refuse what
//! the engine has no use for, and make a fault of all that the manual leaves open: division by
//! zero, registers that were not written, memory that was not allocated, barriers that not every
//! thread reaches. So what runs here gives the bits that a device gives, but for NaN's payloads.
//!
//! As a shared library, it is a driver as well: it has the functions of `libcuda.so.1` that the
//! engine calls (`driver`), over memory that the host cannot read, with faults that a test may
//! ask for.

mod arithmetic;
mod driver;
mod memory;
mod parse;
mod run;
mod warp;

pub use memory::Memory;
pub use parse::{Fault, Function, parse};
pub use run::{Grid, launch};
