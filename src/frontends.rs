//! Other frameworks' namespaces over the same arrays: their names, argument names, defaults, dtype rules and errors.
//!
//! ```
//! use ivy::Dtype;
//! use ivy::frontends::{numpy, torch};
//!
//! let (n, x) = ([1i64, 2], [0.5, 1.5]);
//! let float16 = numpy::array(x, numpy::kw! { dtype: "float16" })?;
//! let sum = (&numpy::NdArray::new(n)? + &float16).ok()?;
//! assert_eq!(sum.dtype(), Dtype::FLOAT64); // as NumPy has it
//!
//! let float16 = torch::tensor(x, torch::kw! { dtype: "float16" })?;
//! let sum = (&torch::Tensor::new(n)? + &float16).ok()?;
//! assert_eq!(sum.dtype(), Dtype::FLOAT16); // as PyTorch has it
//! # Ok::<(), ivy::Error>(())
//! ```

use ivy_frontend::Frontend;

pub use ivy_frontend as core;
pub use ivy_frontend_jax as jax;
pub use ivy_frontend_numpy as numpy;
pub use ivy_frontend_paddle as paddle;
pub use ivy_frontend_tensorflow as tensorflow;
pub use ivy_frontend_torch as torch;

/// Every frontend.
pub static ALL: [&Frontend; 5] =
    [&numpy::NUMPY, &torch::TORCH, &jax::JAX, &tensorflow::TENSORFLOW, &paddle::PADDLE];

/// The frontend of a name, if there is one.
pub fn find(name: &str) -> Option<&'static Frontend> {
    ALL.into_iter().find(|frontend| frontend.name() == name)
}
