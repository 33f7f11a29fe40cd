//! Discrete Fourier transforms along one axis.

use crate::Dtype;

/// Which transform a [`super::Op::Fft`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FftOp {
    /// Float or complex to complex: sums of `x[j] exp(-2 pi i j k / n)`.
    Forward,
    /// Float or complex to complex, with the other sign of the exponent.
    Inverse,
    /// Float to complex: the first `n / 2 + 1` results of the forward transform.
    Real,
    /// Float or complex to float: the inverse transform of the Hermitian line of which `n / 2 + 1`
    /// elements are given. The imaginary parts of its first element and, for an even `n`, of the
    /// last one count as zero.
    RealInverse,
}

impl FftOp {
    /// The transform's name.
    pub const fn name(self) -> &'static str {
        match self {
            FftOp::Forward => "fft",
            FftOp::Inverse => "ifft",
            FftOp::Real => "rfft",
            FftOp::RealInverse => "irfft",
        }
    }

    /// The dtype of the result.
    pub(super) fn result(self, operand: Dtype) -> Option<Dtype> {
        let complex = operand.complex_of()?;
        match self {
            FftOp::Forward | FftOp::Inverse => Some(complex),
            FftOp::Real => operand.is_float().then_some(complex),
            FftOp::RealInverse => Some(operand.real_part()),
        }
    }

    /// How long the result is along the axis.
    pub(super) const fn out_len(self, n: usize) -> usize {
        match self {
            FftOp::Real => n / 2 + 1,
            _ => n,
        }
    }
}

/// By what the results of a transform of `n` points are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FftScale {
    /// Nothing.
    One,
    /// The square root of `n`.
    Root,
    /// `n`.
    Full,
}
