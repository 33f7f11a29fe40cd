//! Numerical methods over samples: differences, gradients, integrals, interpolation, convolution.

mod convolve;
mod differences;
mod interp;
mod polyval;
mod trapz;

pub use convolve::*;
pub use differences::*;
pub use interp::*;
pub use polyval::*;
pub use trapz::*;
