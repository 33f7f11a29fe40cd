//! Functions of one array.

use super::{Domain, array, plain, zip};
use crate::Result;
use crate::ad::Kernel;
use crate::array::{AnyArray, Borrowed, IntoArg, Leaf};
use crate::maths::{complex, matrix, quaternion};
use crate::types::{Kind, VarType};
use ivy_core::Array;
use ivy_core::functional as f;
use std::f64::consts::{FRAC_PI_2, PI};
use std::slice;

/// What a number with products of its own does instead.
type Own = fn(&AnyArray) -> Result<AnyArray>;

/// How a function of one array is computed.
struct Unary {
    name: &'static str,
    domain: Domain,
    core: fn(&[Array]) -> ivy_core::Result<Array>,
    complex: Option<Own>,
    quaternion: Option<Own>,
}

fn unary(op: &Unary, x: impl IntoArg) -> Result<AnyArray> {
    // A flat array or tensor without gradients is read where it is.
    if let Borrowed::Array(x) = x.borrowed()
        && let Some(own) = x.constant()
    {
        op.domain.check(op.name, x.ty())?;
        return Ok(AnyArray::from_leaf(x.ty(), Leaf::new((op.core)(slice::from_ref(own))?)));
    }
    let x = array(op.name, x.into_arg())?;
    let ty = x.ty();
    op.domain.check(op.name, ty)?;
    match (ty.kind(), op.complex, op.quaternion) {
        (Kind::Complex, Some(own), _) | (Kind::Quaternion, _, Some(own)) => own(&x),
        (Kind::Complex | Kind::Quaternion, None, None) => plain(op.name, ty, op.core, &[&x]),
        (Kind::Complex | Kind::Quaternion, ..) => Err(crate::Error::NotSupported { function: op.name, ty }),
        _ => plain(op.name, ty, op.core, &[&x]),
    }
}

macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident $domain:ident $core:expr $(, complex $complex:path)? $(, quaternion $quaternion:path)?;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`NotSupported`](crate::Error::NotSupported) for other element types.
            pub fn $name(x: impl IntoArg) -> Result<AnyArray> {
                #[allow(unused_mut, unused_assignments)]
                const OP: Unary = {
                    let (mut complex, mut quaternion): (Option<Own>, Option<Own>) = (None, None);
                    $(complex = Some($complex);)?
                    $(quaternion = Some($quaternion);)?
                    Unary { name: stringify!($name), domain: Domain::$domain, core: $core, complex, quaternion }
                };
                unary(&OP, x)
            }
        )*
    };
}
unary! {
    /// Absolute value; the magnitude of complex numbers and quaternions, a real array.
    abs Numbers |x| f::abs(&x[0]), complex complex::abs, quaternion quaternion::abs;
    /// Square root; NaN of negative numbers, but of complex ones.
    sqrt Floats |x| f::sqrt(&x[0]), complex complex::sqrt, quaternion quaternion::sqrt;
    /// One divided by the square root.
    rsqrt Floats |x| f::reciprocal(f::sqrt(&x[0])?), complex complex::rsqrt, quaternion quaternion::rsqrt;
    /// Cube root, also of negative numbers.
    cbrt Floats |x| f::copysign(f::pow(f::abs(&x[0])?, 1.0 / 3.0)?, &x[0]);
    /// Sine of radians.
    sin Floats |x| f::sin(&x[0]), complex complex::sin;
    /// Cosine of radians.
    cos Floats |x| f::cos(&x[0]), complex complex::cos;
    /// Tangent of radians.
    tan Floats |x| f::tan(&x[0]), complex complex::tan;
    /// Inverse sine.
    asin Floats |x| f::asin(&x[0]), complex complex::asin;
    /// Inverse cosine.
    acos Floats |x| f::acos(&x[0]), complex complex::acos;
    /// Inverse tangent.
    atan Floats |x| f::atan(&x[0]), complex complex::atan;
    /// Hyperbolic sine.
    sinh Floats |x| f::sinh(&x[0]), complex complex::sinh;
    /// Hyperbolic cosine.
    cosh Floats |x| f::cosh(&x[0]), complex complex::cosh;
    /// Hyperbolic tangent.
    tanh Floats |x| f::tanh(&x[0]), complex complex::tanh;
    /// Inverse hyperbolic sine.
    asinh Floats |x| f::asinh(&x[0]), complex complex::asinh;
    /// Inverse hyperbolic cosine.
    acosh Floats |x| f::acosh(&x[0]), complex complex::acosh;
    /// Inverse hyperbolic tangent.
    atanh Floats |x| f::atanh(&x[0]), complex complex::atanh;
    /// Exponential function.
    exp Floats |x| f::exp(&x[0]), complex complex::exp, quaternion quaternion::exp;
    /// 2 to the power of each element.
    exp2 Floats |x| f::exp2(&x[0]), complex complex::exp2, quaternion quaternion::exp2;
    /// Natural logarithm.
    log Floats |x| f::log(&x[0]), complex complex::log, quaternion quaternion::log;
    /// Logarithm to base 2.
    log2 Floats |x| f::log2(&x[0]), complex complex::log2, quaternion quaternion::log2;
    /// The greatest integer that is not above.
    floor Floats |x| f::floor(&x[0]);
    /// The least integer that is not below.
    ceil Floats |x| f::ceil(&x[0]);
    /// The nearest integer towards zero.
    trunc Floats |x| f::trunc(&x[0]);
    /// The nearest integer, halves to the even one.
    round Floats |x| f::round(&x[0]);
    /// Error function.
    erf Floats |x| f::erf(&x[0]);
    /// Inverse of the error function.
    erfinv Floats |x| f::erfinv(&x[0]);
    /// Logarithm of the gamma function's magnitude.
    lgamma Floats |x| f::lgamma(&x[0]);
    /// Each element with the other sign.
    negative Numbers |x| f::negative(&x[0]);
    /// Every bit inverted; logical not of masks.
    invert Bits |x| f::bitwise_invert(&x[0]);
    /// Square root of what is positive, 0 of the rest; there its derivative is 0.
    safe_sqrt Floats |x| {
        let inside = f::greater(&x[0], 0.0)?;
        f::where_(&inside, f::sqrt(f::where_(&inside, &x[0], 1.0)?)?, 0.0)
    };
    /// Inverse sine of what is cut to -1 to 1; beyond, its derivative is 0.
    safe_asin Floats |x| {
        let inside = f::less(f::abs(&x[0])?, 1.0)?;
        let ends = f::multiply(f::sign(&x[0])?, FRAC_PI_2)?;
        f::where_(&inside, f::asin(f::where_(&inside, &x[0], 0.0)?)?, ends)
    };
    /// Inverse cosine of what is cut to -1 to 1; beyond, its derivative is 0.
    safe_acos Floats |x| {
        let inside = f::less(f::abs(&x[0])?, 1.0)?;
        let ends = f::where_(f::greater(&x[0], 0.0)?, 0.0, f::full_like(&x[0], PI, ())?);
        f::where_(&inside, f::acos(f::where_(&inside, &x[0], 0.0)?)?, ends?)
    };
}

/// Each element times itself, by the product of its kind.
///
/// # Errors
/// As [`multiply`](crate::multiply).
pub fn square(x: impl IntoArg) -> Result<AnyArray> {
    let x = array("square", x.into_arg())?;
    crate::multiply(&x, &x)
}

/// One divided by each element; the inverse of matrices, complex numbers and quaternions.
///
/// # Errors
/// [`NotSupported`](crate::Error::NotSupported) for what are no floats.
pub fn rcp(x: impl IntoArg) -> Result<AnyArray> {
    let x = array("rcp", x.into_arg())?;
    Domain::Floats.check("rcp", x.ty())?;
    match x.ty().kind() {
        Kind::Matrix => matrix::inverse(&x),
        Kind::Complex => complex::rcp(&x),
        Kind::Quaternion => quaternion::rcp(&x),
        _ => plain("rcp", x.ty(), |x| f::reciprocal(&x[0]), &[&x]),
    }
}

/// -1 for negative elements, -0 and what is not a number aside, else 1; masks stay.
///
/// # Errors
/// [`NotSupported`](crate::Error::NotSupported) for unsigned integers.
pub fn sign(x: impl IntoArg) -> Result<AnyArray> {
    let x = array("sign", x.into_arg())?;
    let ty = x.ty();
    if ty.is_mask_v() {
        return Ok(x);
    }
    if !ty.is_signed_v() {
        return Err(crate::Error::NotSupported { function: "sign", ty });
    }
    let kernel: fn(&[Array]) -> ivy_core::Result<Array> = |x| {
        let one = f::ones_like(&x[0], ())?;
        f::where_(f::greater_equal(&x[0], 0)?, &one, f::negative(&one)?)
    };
    plain("sign", ty, kernel, &[&x])
}

macro_rules! questions {
    ($($(#[$doc:meta])* $name:ident $domain:ident $core:expr;)*) => {
        $(
            $(#[$doc])*
            /// A mask.
            ///
            /// # Errors
            /// [`NotSupported`](crate::Error::NotSupported) for masks.
            pub fn $name(x: impl IntoArg) -> Result<AnyArray> {
                let x = array(stringify!($name), x.into_arg())?;
                Domain::$domain.check(stringify!($name), x.ty())?;
                zip(stringify!($name), x.ty().mask_t(), &Kernel::Plain($core), &[&x])
            }
        )*
    };
}
questions! {
    #[doc = "Where an element is not a number."]
    isnan All |x| if x[0].dtype().is_float() { f::isnan(&x[0]) } else { f::not_equal(&x[0], &x[0]) };
    #[doc = "Where an element is infinite."]
    isinf Numbers |x| if x[0].dtype().is_float() { f::isinf(&x[0]) } else { f::not_equal(&x[0], &x[0]) };
    #[doc = "Where an element is neither infinite nor NaN."]
    isfinite Numbers |x| if x[0].dtype().is_float() { f::isfinite(&x[0]) } else { f::equal(&x[0], &x[0]) };
}

/// Floats as they are, all else in single precision.
fn in_floats(x: AnyArray) -> Result<AnyArray> {
    let dtype = if x.ty().is_float_v() { x.ty().dtype() } else { VarType::Float32 };
    x.cast_to(x.ty().with_dtype(dtype))
}

/// Degrees in radians, a float.
///
/// # Errors
/// No memory.
pub fn deg2rad(x: impl IntoArg) -> Result<AnyArray> {
    let x = in_floats(array("deg2rad", x.into_arg())?)?;
    plain("deg2rad", x.ty(), |x| f::multiply(&x[0], PI / 180.0), &[&x])
}

/// Radians in degrees, a float.
///
/// # Errors
/// No memory.
pub fn rad2deg(x: impl IntoArg) -> Result<AnyArray> {
    let x = in_floats(array("rad2deg", x.into_arg())?)?;
    plain("rad2deg", x.ty(), |x| f::multiply(&x[0], 180.0 / PI), &[&x])
}

/// Sine and cosine.
///
/// # Errors
/// As [`sin`].
pub fn sincos(x: impl IntoArg) -> Result<(AnyArray, AnyArray)> {
    let x = array("sincos", x.into_arg())?;
    Ok((sin(&x)?, cos(&x)?))
}

/// Hyperbolic sine and cosine.
///
/// # Errors
/// As [`sinh`].
pub fn sincosh(x: impl IntoArg) -> Result<(AnyArray, AnyArray)> {
    let x = array("sincosh", x.into_arg())?;
    Ok((sinh(&x)?, cosh(&x)?))
}
