//! The standard's extension `fft`: discrete Fourier transforms.
//!
//! float32 and float64 (and their complex dtypes) are computed in their own precision, float16
//! and bfloat16 in float32; integers and bool become the default float first. Complex results of
//! float16 and bfloat16 are complex64.
//!
//! ```
//! use ivy::prelude::*;
//! let x = Array::try_from([1.0f32, 2.0, 3.0, 4.0])?;
//! let half = ivy::fft::rfft(&x, ())?;
//! assert_eq!(half.shape().to_string(), "(3,)");
//! assert_eq!(ivy::fft::irfft(&half, ())?.to_vec::<f32>()?, [1.0, 2.0, 3.0, 4.0]);
//! # Ok::<(), ivy::Error>(())
//! ```

mod frequencies;
mod hermitian;
mod one;
mod several;
mod shift;

pub use frequencies::{Frequencies, fftfreq, rfftfreq};
pub use hermitian::{hfft, ihfft};
pub use one::{FftParams, fft, ifft, irfft, rfft};
pub use several::{FftnParams, fftn, ifftn, irfftn, rfftn};
pub use shift::{Shift, fftshift, ifftshift};

use crate::{ErrorKind, FftScale, Result};

/// Which of the two directions of a transform is scaled, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Norm {
    /// The inverse by `1/n`.
    #[default]
    Backward,
    /// Both by `1/sqrt(n)`.
    Ortho,
    /// The forward one by `1/n`.
    Forward,
}

impl Norm {
    fn scale(self, forward: bool) -> FftScale {
        match (self, forward) {
            (Norm::Ortho, _) => FftScale::Root,
            (Norm::Forward, true) | (Norm::Backward, false) => FftScale::Full,
            _ => FftScale::One,
        }
    }

    /// The scaling of the other direction.
    fn reversed(self) -> Norm {
        match self {
            Norm::Backward => Norm::Forward,
            Norm::Ortho => Norm::Ortho,
            Norm::Forward => Norm::Backward,
        }
    }
}

param_words! { Norm: "backward" => Backward, "ortho" => Ortho, "forward" => Forward }

/// A number of points: one or more.
fn points(function: &'static str, argument: &'static str, n: i64) -> Result<usize> {
    match usize::try_from(n) {
        Ok(n) if n > 0 => Ok(n),
        _ => {
            let rule = "a transform has 1 point or more";
            Err(ErrorKind::InvalidArgument { function, argument, value: n.to_string(), rule }.into())
        }
    }
}
