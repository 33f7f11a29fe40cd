//! The kernel of each unary operation on complex dtypes.

use super::super::kernel::{Kernel, Map1, run1};
use super::super::math;
use super::{Cplx, c, exponential, hyperbolic, inverse, power, with_sign};
use crate::isa::Isa;
use crate::scalar_math::{Real, Wide};
use crate::types::match_dtype;
use ivy_core::Dtype;
use ivy_core::UnaryOp;
use num_complex::Complex64;
use std::marker::PhantomData;

/// The kernel, or `None` if the operation does not take the dtype.
pub(in super::super) fn kernel(op: UnaryOp, dtype: Dtype) -> Option<Kernel<1>> {
    use UnaryOp as U;
    match_dtype!(dtype, complex, T => Some(match op {
        U::Abs => run1::<Abs<T>>,
        U::Acos => run1::<Acos<T>>,
        U::Acosh => run1::<Acosh<T>>,
        U::Asin => run1::<Asin<T>>,
        U::Asinh => run1::<Asinh<T>>,
        U::Atan => run1::<Atan<T>>,
        U::Atanh => run1::<Atanh<T>>,
        U::Conj => run1::<Conj<T>>,
        U::Cos => run1::<Cos<T>>,
        U::Cosh => run1::<Cosh<T>>,
        U::Exp => run1::<Exp<T>>,
        U::Expm1 => run1::<Expm1<T>>,
        U::Imag => run1::<Imag<T>>,
        U::IsFinite => run1::<IsFinite<T>>,
        U::IsInf => run1::<IsInf<T>>,
        U::IsNan => run1::<IsNan<T>>,
        U::Log => run1::<Log<T>>,
        U::Log1p => run1::<Log1p<T>>,
        U::Log2 => run1::<Log2<T>>,
        U::Log10 => run1::<Log10<T>>,
        U::Negative => run1::<Negative<T>>,
        U::Real => run1::<RealPart<T>>,
        U::Reciprocal => run1::<Reciprocal<T>>,
        U::Round => run1::<Round<T>>,
        U::Sign => run1::<Sign<T>>,
        U::Sin => run1::<Sin<T>>,
        U::Sinh => run1::<Sinh<T>>,
        U::Square => run1::<Square<T>>,
        U::Sqrt => run1::<Sqrt<T>>,
        U::Tan => run1::<Tan<T>>,
        U::Tanh => run1::<Tanh<T>>,
        U::BitwiseInvert | U::Ceil | U::Digamma | U::Erf | U::Erfc | U::Floor | U::Lgamma | U::LogicalNot | U::Signbit | U::Trunc => return None,
    }), else => None)
}

macro_rules! ops {
    ($level:ident: $($name:ident -> $out:ty: |$z:ident| $body:expr;)*) => {$(
        struct $name<T>(PhantomData<T>);
        impl<T: Cplx> Map1 for $name<T> {
            type In = T;
            type Out = $out;
            const TOP: Isa = Isa::$level;
            #[inline(always)]
            fn apply(z: T) -> $out {
                let $z = z.wide();
                $body
            }
        }
    )*};
}

ops! {
    Avx2:
    Conj -> T: |z| T::narrow(z.conj());
    Imag -> T::Part: |z| T::Part::from_f64(z.im);
    IsFinite -> u8: |z| u8::from(z.re.is_finite() && z.im.is_finite());
    IsInf -> u8: |z| u8::from(z.re.is_infinite() || z.im.is_infinite());
    IsNan -> u8: |z| u8::from(z.re.is_nan() || z.im.is_nan());
    Negative -> T: |z| T::narrow(-z);
    RealPart -> T::Part: |z| T::Part::from_f64(z.re);
    Round -> T: |z| T::narrow(c(Wide::round_ties_even(z.re), Wide::round_ties_even(z.im)));
    Square -> T: |z| T::narrow(power::multiply(z, z));
}

ops! {
    Baseline:
    Abs -> T::Part: |z| T::Part::from_f64(math::hypot(z.re, z.im));
    Acos -> T: |z| T::narrow(inverse::acos(z));
    Acosh -> T: |z| T::narrow(inverse::acosh(z));
    Asin -> T: |z| T::narrow(inverse::asin(z));
    Asinh -> T: |z| T::narrow(inverse::asinh(z));
    Atan -> T: |z| T::narrow(inverse::atan(z));
    Atanh -> T: |z| T::narrow(inverse::atanh(z));
    Cos -> T: |z| T::narrow(hyperbolic::cos(z));
    Cosh -> T: |z| T::narrow(hyperbolic::cosh(z));
    Exp -> T: |z| T::narrow(exponential::exp(z));
    Expm1 -> T: |z| T::narrow(exponential::expm1(z));
    Log -> T: |z| T::narrow(exponential::log(z));
    Log1p -> T: |z| T::narrow(exponential::log1p(z));
    Log2 -> T: |z| T::narrow(exponential::log2(z));
    Log10 -> T: |z| T::narrow(exponential::log10(z));
    Reciprocal -> T: |z| T::narrow(power::divide(c(1.0, 0.0), z));
    Sign -> T: |z| T::narrow(sign(z));
    Sin -> T: |z| T::narrow(hyperbolic::sin(z));
    Sinh -> T: |z| T::narrow(hyperbolic::sinh(z));
    Sqrt -> T: |z| T::narrow(exponential::sqrt(z));
    Tan -> T: |z| T::narrow(hyperbolic::tan(z));
    Tanh -> T: |z| T::narrow(hyperbolic::tanh(z));
}

/// `z / |z|`, 0 at 0. One infinite part points along its axis; two have no direction.
fn sign(z: Complex64) -> Complex64 {
    let infinite = (z.re.is_infinite(), z.im.is_infinite());
    if z.re.is_nan() || z.im.is_nan() || infinite == (true, true) {
        return c(f64::NAN, f64::NAN);
    }
    match infinite {
        (true, _) => c(with_sign(1.0, z.re), with_sign(0.0, z.im)),
        (_, true) => c(with_sign(0.0, z.re), with_sign(1.0, z.im)),
        _ if z.re == 0.0 && z.im == 0.0 => c(0.0, 0.0),
        _ => {
            // Brought near 1 first: the size may overflow, or be too small to be exact.
            let high = z.re.abs().max(z.im.abs());
            let scale = if high > 1e300 {
                2f64.powi(-10)
            } else if high < 1e-290 {
                2f64.powi(110)
            } else {
                1.0
            };
            let (x, y) = (z.re * scale, z.im * scale);
            let size = math::hypot(x, y);
            c(x / size, y / size)
        }
    }
}
