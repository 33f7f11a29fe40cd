//! Kernels that write, over the memory of arrays.
//!
//! What the functions of arrays cannot say well (counting into places that are computed, sums in blocks, sweeps that read
//! what they have just written) is a kernel: what each number of a range does, once. [`KernelBuilder`] writes one,
//! [`ArrayKernel::launch`] runs it on arrays of the backend `jit`, interpreted, by LLVM or on a CUDA device. It has no gradient, and
//! stands in no function that is mapped or differentiated; one that `ivy::compile` has is called each time.
//!
//! ```
//! use ivy_backend_jit::kernel::KernelBuilder;
//! use ivy_core::{Array, Dtype};
//!
//! let k = KernelBuilder::new("histogram");
//! let (x, counts) = (k.input("x", Dtype::INT64), k.inout("counts", Dtype::INT64));
//! counts.atomic_add(x.load(k.element()), 1);
//! let histogram = k.build()?;
//!
//! ivy_core::set_backend("jit")?;
//! let x = Array::try_from([3i64, 0, 1, 3, 3])?;
//! let mut counts = Array::try_from([0i64; 4])?;
//! histogram.launch(0..5, [(&x).into(), (&mut counts).into()])?;
//! assert_eq!(counts.to_vec::<i64>()?, [1, 1, 0, 3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The book's page on kernels has more: sums in blocks, sweeps in order, what is refused.

mod builder;
mod error;
mod flow;
mod functions;
mod launch;
mod memory;
mod value;

pub use crate::program::Order;
pub use builder::KernelBuilder;
pub use error::{KernelError, Result, SourceLocation};
pub use functions::{FunctionHandle, FunctionTable};
pub use launch::{ArrayKernel, LaunchArgument};
pub use memory::{KernelMemory, Local};
pub use value::{KernelOperand, KernelValue};
