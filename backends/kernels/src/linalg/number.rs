//! The numbers that matrices are decomposed in.

use crate::small::Value;
use faer::traits::RealField;
use ivy_core::host::Element;
use ivy_decompositions::Decompose;
use num_complex::{Complex, Complex32, Complex64};
use std::ops::{Mul, Neg};

/// A real number.
pub(super) trait Part: RealField + Element + Value + Default {
    /// Up to this power of two squares neither overflow nor vanish, nor do sums of many of them.
    const SQUARED: i32;

    /// The nearest one.
    fn of(x: f64) -> Self;
    /// The value.
    fn wide(self) -> f64;
    /// The number times another, rounded once.
    fn scaled(self, factor: f64) -> Self {
        Self::of(self.wide() * factor)
    }
}

impl Part for f32 {
    const SQUARED: i32 = 48;

    fn of(x: f64) -> f32 {
        x as f32
    }
    fn wide(self) -> f64 {
        self.into()
    }
}

impl Part for f64 {
    const SQUARED: i32 = 480;

    fn of(x: f64) -> f64 {
        x
    }
    fn wide(self) -> f64 {
        self
    }
}

/// An element of a matrix.
pub(super) trait Number:
    Decompose<Real = Self::Part> + Element + Value + Default + Mul<Output = Self> + Neg<Output = Self>
{
    /// Its real and imaginary parts.
    type Part: Part;
    /// 1.
    const ONE: Self;

    /// The real part.
    fn re(self) -> Self::Part;
    /// The real part alone, as a number of this type.
    fn without_im(self) -> Self;
    /// The conjugate.
    fn conjugate(self) -> Self;
    /// The greater magnitude of its parts; infinity if one is NaN.
    fn greatest(self) -> f64;
    /// Each part times a number.
    fn times(self, factor: f64) -> Self;
    /// The magnitude.
    fn size(self) -> f64;
    /// The number divided by its magnitude.
    fn direction(self) -> Self;
}

macro_rules! numbers {
    ($($real:ty, $complex:ty;)*) => {$(
        impl Number for $real {
            type Part = $real;
            const ONE: $real = 1.0;

            fn re(self) -> $real { self }
            fn without_im(self) -> $real { self }
            fn conjugate(self) -> $real { self }
            fn greatest(self) -> f64 { if self.is_nan() { f64::INFINITY } else { self.abs().into() } }
            fn times(self, factor: f64) -> $real { self.scaled(factor) }
            fn size(self) -> f64 { f64::from(self).abs() }
            fn direction(self) -> $real { if self.is_nan() { self } else { self.signum() } }
        }

        impl Number for $complex {
            type Part = $real;
            const ONE: $complex = Complex { re: 1.0, im: 0.0 };

            fn re(self) -> $real { self.re }
            fn without_im(self) -> $complex { self.re.into() }
            fn conjugate(self) -> $complex { self.conj() }
            fn greatest(self) -> f64 { self.re.greatest().max(self.im.greatest()) }
            fn times(self, factor: f64) -> $complex {
                Complex { re: self.re.scaled(factor), im: self.im.scaled(factor) }
            }
            fn size(self) -> f64 { libm::hypot(self.re.into(), self.im.into()) }
            fn direction(self) -> $complex {
                let size = self.size();
                Complex { re: <$real>::of(self.re.wide() / size), im: <$real>::of(self.im.wide() / size) }
            }
        }
    )*};
}
numbers! {
    f32, Complex32;
    f64, Complex64;
}
