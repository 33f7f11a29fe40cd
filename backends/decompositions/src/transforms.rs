//! Plans of discrete Fourier transforms.

use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::{Fft, FftNum, FftPlanner};
use std::sync::Arc;

/// The type of the parts of what is transformed. A plan is made for a number of points, which is not 0; none scales
/// its results.
pub trait Transform: FftNum {
    /// A complex transform, forward.
    fn forward(points: usize) -> Arc<dyn Fft<Self>>;
    /// A complex transform, back.
    fn inverse(points: usize) -> Arc<dyn Fft<Self>>;
    /// The first half of the transform of real numbers.
    fn real(points: usize) -> Arc<dyn RealToComplex<Self>>;
    /// The real numbers whose transform has a first half.
    fn real_inverse(points: usize) -> Arc<dyn ComplexToReal<Self>>;
}

macro_rules! transform {
    ($($t:ty),*) => {$(
        impl Transform for $t {
            fn forward(points: usize) -> Arc<dyn Fft<$t>> {
                FftPlanner::new().plan_fft_forward(points)
            }

            fn inverse(points: usize) -> Arc<dyn Fft<$t>> {
                FftPlanner::new().plan_fft_inverse(points)
            }

            fn real(points: usize) -> Arc<dyn RealToComplex<$t>> {
                RealFftPlanner::new().plan_fft_forward(points)
            }

            fn real_inverse(points: usize) -> Arc<dyn ComplexToReal<$t>> {
                RealFftPlanner::new().plan_fft_inverse(points)
            }
        }
    )*};
}
transform!(f32, f64);
