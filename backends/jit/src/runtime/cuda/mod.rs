//! NVIDIA's devices: the driver is opened at run time, no toolkit is needed, and the driver
//! assembles the kernels' text.
//!
//! All work of a device is in one stream, so that memory that is given back may be given out again
//! while it is still read. A launch does not wait; copies to and from the host do, and nothing is
//! copied unless it is asked for. What went wrong in a launch is told by the next call that waits.

mod api;
mod array;
mod bare;
mod device;
mod driver;
mod failure;
mod kept;
mod launch;
mod order;
mod own;
mod pool;
mod product;
mod row;
mod rows;
mod scan;
mod scatter;
mod space;
mod task;
mod tiling;
mod uses;
mod walk;

pub use array::DeviceArray;
pub use bare::Bare;
pub use device::{Device, Kernel, Moment};
pub use driver::{Absent, CAPABILITY, Driver, LEAST, REMEDY, VARIABLE, driver};
pub use failure::Failure;
pub use kept::Kept;
pub use launch::{fold, launch};
pub use order::order;
pub use pool::Memory;
pub use product::product;
pub use row::{FLAT, is_row, row};
pub use rows::Rows;
pub use scan::{is_lone, scan, wants_rows};
pub use scatter::scatter;
pub use space::{Input, Space};
pub use task::{download, task};
pub use tiling::{Chip, Sizes, Way, way};
pub use uses::{Used, Uses};
pub use walk::Wanted;
