//! Decompositions of matrices by `faer` and Fourier transforms by `rustfft` and `realfft`, for float32, float64,
//! complex64 and complex128.
//!
//! Both libraries are generic, and compiling them for a type takes longer than compiling all other kernels. Here
//! that happens once for each type, behind functions of concrete types, beside the crates that do not need them.
//!
//! ```
//! use faer::mat;
//! use ivy_decompositions::Decompose;
//!
//! let q = f64::qr(mat![[3.0, 1.0], [4.0, 2.0]].as_ref(), false).q;
//! assert!((q[(0, 0)].abs() - 0.6).abs() < 1e-15);
//! ```

mod matrices;
mod transforms;

pub use matrices::{Decompose, Factors, Triangle};
pub use transforms::Transform;
