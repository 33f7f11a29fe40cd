//! Operations on complex numbers. Functions are computed on pairs of float64, with the special
//! values of C's Annex G and the Array API; complex64 goes through them and is rounded once.

pub(super) mod binary;
mod exponential;
mod hyperbolic;
mod inverse;
mod power;
pub(super) mod unary;

use num_complex::{Complex32, Complex64};

/// An element of a complex dtype.
pub(super) trait Cplx: Copy + PartialEq + Send + Sync + 'static {
    /// A part.
    type Part: crate::scalar_math::Real;
    fn wide(self) -> Complex64;
    /// Rounds each part once.
    fn narrow(z: Complex64) -> Self;
}

impl Cplx for Complex32 {
    type Part = f32;
    #[inline(always)]
    fn wide(self) -> Complex64 {
        Complex64::new(f64::from(self.re), f64::from(self.im))
    }
    #[inline(always)]
    fn narrow(z: Complex64) -> Complex32 {
        Complex32::new(z.re as f32, z.im as f32)
    }
}

impl Cplx for Complex64 {
    type Part = f64;
    #[inline(always)]
    fn wide(self) -> Complex64 {
        self
    }
    #[inline(always)]
    fn narrow(z: Complex64) -> Complex64 {
        z
    }
}

/// A complex number from its parts.
#[inline(always)]
fn c(re: f64, im: f64) -> Complex64 {
    Complex64 { re, im }
}

/// A number with another one's sign; NaN, whose sign is an accident of how it came about, counts as
/// positive.
#[inline(always)]
fn with_sign(x: f64, sign: f64) -> f64 {
    if sign.is_nan() { x.abs() } else { x.copysign(sign) }
}

/// `i` times the conjugate: circular functions are hyperbolic ones between two such turns, which, unlike
/// factors of `i`, invert no sign.
#[inline(always)]
fn turned(z: Complex64) -> Complex64 {
    c(z.im, z.re)
}
